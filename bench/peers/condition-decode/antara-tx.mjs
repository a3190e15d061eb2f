import { definePeer } from '../../lib/define.mjs'
import { decodeFulfillment } from '../../libraries/antara-tx.mjs'

const checkKeys = { checkKeys: true }

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ fulfillment }) => fulfillment,
  run: (fulfillment) => decodeFulfillment(fulfillment, checkKeys),
})
