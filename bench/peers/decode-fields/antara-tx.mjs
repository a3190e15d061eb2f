import { definePeer } from '../../lib/define.mjs'
import { decodeTransaction, fields } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ hex }) => hex,
  run: (hex) => fields(decodeTransaction(hex)),
})
