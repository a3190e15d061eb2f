import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'txid',
  question:
    'The txid in display order: ours from the raw hex, structure checked; the peers from a ' +
    'transaction that they have decoded before, which is how they offer it.',
  unit: 'transaction',
  cases: () => codecCases(),
  reference: ({ txid }) => txid,
  goals: [{ case: 'payment', peer: '@bitgo/utxo-lib', ratio: 10 }],
})
