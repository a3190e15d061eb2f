import { batchCases } from '../lib/batch.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'batch-10000-decode',
  question: '10,000 mixed transactions as hex in, all of them decoded and kept.',
  unit: 'transaction',
  cases: batchCases,
  reference: (specimens) => specimens.map(({ fields }) => fields),
})
