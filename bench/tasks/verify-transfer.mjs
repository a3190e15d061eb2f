import { defineTask } from '../lib/define.mjs'
import { recordedTransfers, transferOfCoins } from '../lib/transfers.mjs'

const recorded = recordedTransfers()

export const task = defineTask({
  name: 'verify-transfer',
  question:
    'Whether a signed token transfer does what was asked, from hex, intent and whole previous ' +
    'transactions: hashed, decoded, proven, every signature checked. The signatures alone, with ' +
    'what is spent already known, are what no verifier can be faster than. Ratios are of CPU ' +
    'time; what threads are good for shows in wall time.',
  unit: 'transfer',
  // more code than in any other task, and all of it is compiled while it runs
  warmUpMs: 2000,
  cases: () => [
    {
      name: 'recorded',
      description: `${recorded.length} transfers that a komodod made, two or three inputs each`,
      items: [recorded],
      unitsPerItem: recorded.length,
    },
    {
      name: '10-tokens',
      description:
        '11 inputs, ten of them tokens from ten transfers, proven; eight of these at once',
      items: [Array(8).fill(transferOfCoins(10, 'many'))],
      unitsPerItem: 8,
    },
    {
      name: '100-tokens',
      description:
        '101 inputs, a hundred of them tokens from a hundred transfers, proven; four at once',
      items: [Array(4).fill(transferOfCoins(100, 'many'))],
      unitsPerItem: 4,
    },
    {
      name: '100-tokens-together',
      description: '101 inputs, a hundred of them tokens that one transfer brought; four at once',
      items: [Array(4).fill(transferOfCoins(100, 'one'))],
      unitsPerItem: 4,
    },
  ],
  reference: (transfers) => transfers.map(() => true),
  goals: [
    { case: 'recorded', peer: 'signatures alone', ratio: 0.9 },
    { case: '100-tokens-together', peer: 'signatures alone', ratio: 0.9 },
  ],
})
