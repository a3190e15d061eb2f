import { definePeer } from '../../lib/define.mjs'
import { hexOf, jsonOf, tokensOnly, writeCondition } from '../../libraries/tokel.mjs'

export const peer = definePeer({
  name: '@tokel/cryptoconditions-js',
  note: 'WebAssembly',
  cannot: tokensOnly,
  prepare: ({ tree }) => jsonOf(tree),
  run: writeCondition,
  answer: hexOf,
})
