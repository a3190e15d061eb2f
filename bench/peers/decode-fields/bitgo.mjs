import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/bitgo.mjs'

export const peer = definePeer({
  name: '@bitgo/utxo-lib',
  prepare: ({ hex }) => hex,
  run: (hex) => fields(fromHex(hex)),
})
