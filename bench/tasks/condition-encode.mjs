import { conditionCases } from '../lib/conditions.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'condition-encode',
  question:
    "The library's own tree of conditions in, the condition that it fulfills out: all " +
    'fingerprints, costs and subtypes of the tree. Hex here, bytes there.',
  unit: 'condition',
  cases: conditionCases,
  reference: ({ condition }) => condition,
  goals: [{ case: 'token', peer: '@tokel/cryptoconditions-js', ratio: 20 }],
})
