import { definePeer } from '../../lib/define.mjs'
import { named, verifyInputs } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  run: ({ hex, prevouts }) => verifyInputs(hex, prevouts),
  answer: (verdicts) => verdicts.map(({ ok }) => ok),
})
