import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'rpc-call',
  question:
    'One decoderawtransaction over loopback, an answer of about 1 kB: from the arguments to what ' +
    'the library returns. The server is another process; times are CPU of the caller alone. The ' +
    "line of fetch is the floor: what a library adds to it is that library's own.",
  unit: 'call',
  cases: () => codecCases(['payment']),
  reference: ({ fields, txid }) => ({ txid, sats: fields.outputs.map(({ value }) => value) }),
})
