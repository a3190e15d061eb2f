import { definePeer } from '../../lib/define.mjs'
import { networks, verifyInputs } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'signatures alone',
  package: 'antara-tx',
  note: "the verifier's own call of verifyInputs and nothing else",
  run: (payments) =>
    payments.map(({ hex, prevouts }) => verifyInputs(hex, prevouts, networks.assetChain)),
  answer: (verdicts) => verdicts.map((inputs) => inputs.every(({ ok }) => ok)),
})
