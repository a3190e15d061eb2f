import { definePeer } from '../../lib/define.mjs'
import { decodeFulfillment } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx, keys unchecked',
  package: 'antara-tx',
  note: 'keys are left to whoever verifies signatures, which is the default',
  prepare: ({ fulfillment }) => fulfillment,
  run: (fulfillment) => decodeFulfillment(fulfillment),
})
