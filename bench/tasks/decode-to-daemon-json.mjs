import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'decode-to-daemon-json',
  question:
    'Raw hex in, the text that the daemon prints for decoderawtransaction out, byte for byte. No ' +
    'peer offers this: theirs is put together from what they do offer, see libraries/daemon-json.mjs.',
  unit: 'transaction',
  cases: () => codecCases(['payment', 'token', 'inputs-100', 'outputs-500']),
  reference: ({ decoded }) => decoded,
})
