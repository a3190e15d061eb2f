import { conditionCases } from '../lib/conditions.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'condition-decode',
  question:
    'An encoded fulfillment in, the tree of conditions out: ours from hex, the peers from bytes. ' +
    'Keys of secp256k1 are checked to be points of the curve.',
  unit: 'fulfillment',
  cases: conditionCases,
  reference: ({ tree }) => tree,
  goals: [{ case: 'token', peer: '@tokel/cryptoconditions-js', ratio: 4 }],
})
