import { definePeer } from '../../lib/define.mjs'
import { fields, fromHex } from '../../libraries/bitcoinjs.mjs'
import { bitcoinOnly, readEveryField } from '../../libraries/common.mjs'

export const peer = definePeer({
  name: 'bitcoinjs-lib',
  cannot: bitcoinOnly,
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = fromHex(hex)
    return { tx, read: readEveryField(tx), txid: tx.getId() }
  },
  answer: ({ tx, txid }) => ({ txid, fields: fields(tx) }),
})
