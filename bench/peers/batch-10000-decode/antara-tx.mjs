import { hexesOf } from '../../lib/batch.mjs'
import { definePeer } from '../../lib/define.mjs'
import { decodeTransactions, fields } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: hexesOf,
  run: decodeTransactions,
  answer: (transactions) => transactions.map(fields),
})
