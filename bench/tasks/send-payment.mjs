import { defineTask } from '../lib/define.mjs'
import { sendingOf } from '../lib/sendings.mjs'

export const task = defineTask({
  name: 'send-payment',
  question:
    'A payment in plain coins from the request to the signed and verified transaction. Ours checks ' +
    'the request, reads each previous transaction, builds, signs, and verifies the whole payment ' +
    'before and after. The peers are told inputs and outputs, believe the amounts, and verify each ' +
    'signature once.',
  unit: 'payment',
  warmUpMs: 1000,
  cases: () =>
    [1, 10, 100].map((inputs) => ({
      name: `inputs-${inputs}`,
      description: `${inputs} P2PKH input${inputs === 1 ? '' : 's'} of one key, v4`,
      items: [sendingOf(inputs)],
    })),
  reference: ({ signed }) => signed,
})
