import { definePeer } from '../../lib/define.mjs'
import { fields, readEveryField } from '../../libraries/antara-tx.mjs'
import { decodeTransaction, named } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  prepare: ({ hex }) => hex,
  run: (hex) => {
    const tx = decodeTransaction(hex)
    return { tx, read: readEveryField(tx) }
  },
  answer: ({ tx }) => fields(tx),
})
