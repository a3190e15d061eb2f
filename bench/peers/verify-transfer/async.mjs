import { definePeer } from '../../lib/define.mjs'
import { verifyTokenTransferAsync } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx, async',
  package: 'antara-tx',
  note: 'all transfers of the case at once, signatures on the threads of the pool',
  run: (transfers) =>
    Promise.all(
      transfers.map(({ hex, intent, evidence }) => verifyTokenTransferAsync(hex, intent, evidence)),
    ),
  answer: (reports) => reports.map(({ ok }) => ok),
})
