import { definePeer } from '../../lib/define.mjs'
import { verifyInputs } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'one thread',
  run: ({ hex, prevouts }) => verifyInputs(hex, prevouts),
  answer: (verdicts) => verdicts.map(({ ok }) => ok),
})
