import { definePeer } from '../../lib/define.mjs'
import { verifyInputsAsync } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'one transaction after another, the inputs of each on the threads of the pool',
  run: ({ hex, prevouts }) => verifyInputsAsync(hex, prevouts),
  answer: (verdicts) => verdicts.map(({ ok }) => ok),
})
