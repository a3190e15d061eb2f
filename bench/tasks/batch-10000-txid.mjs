import { batchCases } from '../lib/batch.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'batch-10000-txid',
  question: '10,000 mixed transactions as hex in, all their txids in display order out.',
  unit: 'transaction',
  cases: batchCases,
  reference: (specimens) => specimens.map(({ txid }) => txid),
})
