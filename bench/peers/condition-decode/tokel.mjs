import { definePeer } from '../../lib/define.mjs'
import { bytesOf, readFulfillment, tokensOnly, treeOfJson } from '../../libraries/tokel.mjs'

export const peer = definePeer({
  name: '@tokel/cryptoconditions-js',
  note: 'WebAssembly',
  cannot: tokensOnly,
  prepare: ({ fulfillment }) => bytesOf(fulfillment),
  run: readFulfillment,
  answer: treeOfJson,
})
