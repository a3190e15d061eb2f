import { defineTask } from '../lib/define.mjs'

const coinValue = 1_000_000n
const sizes = [1000, 10_000]

export const task = defineTask({
  name: 'wallet-sync',
  question:
    'The first balance of a key with many coins, from a development node in another process: ours ' +
    'is a new wallet each time, which reads and hashes the transaction of each coin, so it believes ' +
    'no amount. The line of fetch sums what getaddressutxos reports, and believes it. CPU of the caller ' +
    'alone.',
  unit: 'sync',
  cases: () =>
    sizes.map((coins) => ({
      name: `coins-${coins}`,
      description: `${coins} coins, each of a transaction of its own`,
      items: [{ coins }],
    })),
  reference: ({ coins }) => BigInt(coins) * coinValue,
})
