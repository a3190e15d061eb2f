import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'rpc-overhead',
  question:
    'The same call without a network: fetch is a stand-in that answers from memory with a Response ' +
    'of about 1 kB. What antara-tx takes beyond the plain line is the cost of the client itself.',
  unit: 'call',
  cases: () => codecCases(['payment']),
  reference: ({ fields, txid }) => ({ txid, sats: fields.outputs.map(({ value }) => value) }),
})
