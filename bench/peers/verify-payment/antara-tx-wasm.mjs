import { definePeer } from '../../lib/define.mjs'
import { named, verifyPayment } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  note: 'one thread',
  run: (payments) =>
    payments.map(({ hex, intent, evidence }) => verifyPayment(hex, intent, evidence)),
  answer: (reports) => reports.map(({ ok }) => ok),
})
