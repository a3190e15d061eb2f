import { conditionCases } from '../lib/conditions.mjs'
import { defineTask } from '../lib/define.mjs'

export const task = defineTask({
  name: 'fulfillment-encode',
  question: "The library's own tree of conditions in, its fulfillment out: hex here, bytes there.",
  unit: 'fulfillment',
  cases: conditionCases,
  reference: ({ fulfillment }) => fulfillment,
  goals: [{ case: 'token', peer: '@tokel/cryptoconditions-js', ratio: 20 }],
})
