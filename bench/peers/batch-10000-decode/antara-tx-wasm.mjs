import { hexesOf } from '../../lib/batch.mjs'
import { definePeer } from '../../lib/define.mjs'
import { fields } from '../../libraries/antara-tx.mjs'
import { decodeTransactions, named } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  prepare: hexesOf,
  run: decodeTransactions,
  answer: (transactions) => transactions.map(fields),
})
