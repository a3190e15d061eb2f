import { defineTask } from '../lib/define.mjs'
import { transferToSend } from '../lib/transfers.mjs'

export const task = defineTask({
  name: 'send-transfer',
  question:
    'A token transfer from the request to the signed and verified transaction: it is built, each ' +
    'coin is proven to its creation, the fulfillments are signed, and the whole transfer is verified ' +
    'before and after. The line beside it signs a transfer that is built already, and verifies ' +
    'nothing but its signatures.',
  unit: 'transfer',
  warmUpMs: 2000,
  cases: () =>
    [1, 10].map((coins) => ({
      name: `coins-${coins}`,
      description: `${coins} token coin${coins === 1 ? '' : 's'}, each of a transfer of its own, and a coin for the fee`,
      items: [transferToSend(coins)],
    })),
  reference: () => true,
})
