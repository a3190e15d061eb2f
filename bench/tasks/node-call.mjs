import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'node-call',
  question:
    'One call of a development node over loopback, from the request to the text of an answer of ' +
    'about 1 kB that is ready made. Each server is another process, the caller is the same fetch: ' +
    'what the HTTP server takes beyond the mock server is the cost of its checks and of reading exactly.',
  unit: 'call',
  cases: () => codecCases(['payment']),
  reference: ({ fields, txid }) => ({ txid, sats: fields.outputs.map(({ value }) => value) }),
  clock: 'wall',
})
