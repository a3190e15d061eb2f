import { definePeer } from '../../lib/define.mjs'
import { named, verifyTokenTransfer } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({
  ...named,
  note: 'one thread',
  run: (transfers) =>
    transfers.map(({ hex, intent, evidence }) => verifyTokenTransfer(hex, intent, evidence)),
  answer: (reports) => reports.map(({ ok }) => ok),
})
