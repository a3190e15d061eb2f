import { coinCases, noMoreWaste, wasteOfCoinselect } from '../lib/coins.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'select-coins-indexed',
  question:
    'The coins for a payment out of coins that our library keeps sorted in a resident index, ' +
    'which npm coinselect has nothing like; each selection is checked as in select-coins.',
  unit: 'selection',
  cases: () => coinCases([1000, 1_000_000]),
  reference: wasteOfCoinselect,
  compare: noMoreWaste,
  goals: [{ case: 'coins-1000000', peer: 'coinselect', ratio: 100 }],
})
