import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'encode',
  question: "The library's own decoded transaction in, raw hex out.",
  unit: 'transaction',
  cases: () => codecCases(),
  reference: ({ hex }) => hex,
  goals: [{ case: 'payment', peer: '@bitgo/utxo-lib', ratio: 7 }],
})
