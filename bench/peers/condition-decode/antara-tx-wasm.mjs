import { definePeer } from '../../lib/define.mjs'
import { decodeFulfillment, named } from '../../libraries/antara-tx-wasm.mjs'

const checkKeys = { checkKeys: true }

export const peer = definePeer({
  ...named,
  prepare: ({ fulfillment }) => fulfillment,
  run: (fulfillment) => decodeFulfillment(fulfillment, checkKeys),
})
