import { coinCases, noMoreWaste, wasteOfCoinselect } from '../lib/coins.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'select-coins',
  question:
    'The coins for a payment out of an unsorted array of all coins: each selection is checked to ' +
    'pay, and to waste no more than npm coinselect’s.',
  unit: 'selection',
  cases: () => coinCases([1000, 10_000, 100_000, 1_000_000]),
  reference: wasteOfCoinselect,
  compare: noMoreWaste,
  goals: [
    { case: 'coins-1000', peer: 'coinselect', ratio: 3 },
    { case: 'coins-100000', peer: 'coinselect', ratio: 4 },
    { case: 'coins-1000000', peer: 'coinselect', ratio: 6 },
  ],
})
