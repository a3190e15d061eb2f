import { definePeer } from '../../lib/define.mjs'
import { decodeFulfillment, encodeCondition, named } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  prepare: ({ fulfillment }) => decodeFulfillment(fulfillment),
  run: (tree) => encodeCondition(tree),
})
