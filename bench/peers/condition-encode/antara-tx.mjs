import { definePeer } from '../../lib/define.mjs'
import { decodeFulfillment, encodeCondition } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ fulfillment }) => decodeFulfillment(fulfillment),
  run: (tree) => encodeCondition(tree),
})
