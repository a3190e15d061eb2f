import { definePeer } from '../../lib/define.mjs'
import { verifyTokenTransfer } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'one thread',
  run: (transfers) =>
    transfers.map(({ hex, intent, evidence }) => verifyTokenTransfer(hex, intent, evidence)),
  answer: (reports) => reports.map(({ ok }) => ok),
})
