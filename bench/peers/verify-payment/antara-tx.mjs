import { definePeer } from '../../lib/define.mjs'
import { verifyPayment } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'one thread',
  run: (payments) =>
    payments.map(({ hex, intent, evidence }) => verifyPayment(hex, intent, evidence)),
  answer: (reports) => reports.map(({ ok }) => ok),
})
