import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

const bitgo = '@bitgo/utxo-lib'

export const task = defineTask({
  name: 'decode-hex',
  question:
    "Raw hex in, the library's own transaction out, every field read once. Scripts and hashes stay " +
    'in the form the library gives: hex here, Buffers or Uint8Arrays in the peers.',
  unit: 'transaction',
  cases: () => codecCases(),
  reference: ({ fields }) => fields,
  goals: [
    { case: 'payment', peer: bitgo, ratio: 7 },
    { case: 'token', peer: bitgo, ratio: 7 },
    { case: 'inputs-100', peer: bitgo, ratio: 4 },
    { case: 'outputs-500', peer: bitgo, ratio: 5 },
  ],
})
