import { definePeer } from '../../lib/define.mjs'
import { decodeTransaction, fields, readEveryField } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = decodeTransaction(hex)
    return { tx, read: readEveryField(tx), txid: tx.txid }
  },
  answer: ({ tx, txid }) => ({ txid, fields: fields(tx) }),
})
