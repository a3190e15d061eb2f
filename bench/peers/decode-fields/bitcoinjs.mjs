import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/bitcoinjs.mjs'
import { bitcoinOnly } from '../../libraries/common.mjs'

export const peer = definePeer({
  name: 'bitcoinjs-lib',
  cannot: bitcoinOnly,
  prepare: ({ hex }) => hex,
  run: (hex) => fields(fromHex(hex)),
})
