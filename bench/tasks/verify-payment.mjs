import { defineTask } from '../lib/define.mjs'
import { paymentOfCoins } from '../lib/payments.mjs'

/** @param {number} inputs @param {number} atOnce */
const caseOf = (inputs, atOnce) => ({
  name: `inputs-${inputs}`,
  description: `${inputs} P2PKH inputs, each of a transaction of its own; ${atOnce} at once`,
  items: [Array(atOnce).fill(paymentOfCoins(inputs))],
  unitsPerItem: atOnce,
})

export const task = defineTask({
  name: 'verify-payment',
  question:
    'Whether a signed payment in plain coins does what was asked, from hex, intent and whole ' +
    'previous transactions: hashed, decoded, every signature checked. The signatures alone, with ' +
    'what is spent already known, are what no verifier can be faster than.',
  unit: 'payment',
  warmUpMs: 2000,
  cases: () => [caseOf(1, 64), caseOf(10, 16), caseOf(100, 4), caseOf(500, 1)],
  reference: (payments) => payments.map(() => true),
  goals: [
    { case: 'inputs-10', peer: 'signatures alone', ratio: 0.77 },
    { case: 'inputs-100', peer: 'signatures alone', ratio: 0.77 },
    { case: 'inputs-500', peer: 'signatures alone', ratio: 0.77 },
  ],
})
