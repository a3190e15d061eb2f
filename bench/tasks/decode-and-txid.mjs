import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'decode-and-txid',
  question: 'Raw hex in, the transaction with every field read once and its txid out.',
  unit: 'transaction',
  cases: () => codecCases(),
  reference: ({ txid, fields }) => ({ txid, fields }),
  goals: [{ case: 'payment', peer: '@bitgo/utxo-lib', ratio: 9 }],
})
