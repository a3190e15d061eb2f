import { codecCases } from '../lib/codec.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'decode-fields',
  question:
    'Raw hex in, plain data out that can be shown or stored: bytes as hex, txids in display order, ' +
    'amounts as bigint. Every side delivers the same form, so peers pay for the conversion.',
  unit: 'transaction',
  cases: () => codecCases(),
  reference: ({ fields }) => fields,
})
