import { definePeer } from '../../lib/define.mjs'
import { decodeTransaction, encodeTransaction } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ hex }) => decodeTransaction(hex),
  run: encodeTransaction,
})
