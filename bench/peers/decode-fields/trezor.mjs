import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/trezor.mjs'

export const peer = definePeer({
  name: '@trezor/utxo-lib',
  prepare: ({ hex }) => hex,
  run: (hex) => fields(fromHex(hex)),
})
