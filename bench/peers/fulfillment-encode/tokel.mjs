import { definePeer } from '../../lib/define.mjs'
import { hexOf, jsonOf, tokensOnly, writeFulfillment } from '../../libraries/tokel.mjs'

export const peer = definePeer({
  name: '@tokel/cryptoconditions-js',
  note: 'WebAssembly',
  cannot: tokensOnly,
  prepare: ({ tree }) => jsonOf(tree),
  run: writeFulfillment,
  answer: hexOf,
})
