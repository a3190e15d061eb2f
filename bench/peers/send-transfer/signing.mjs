import { definePeer } from '../../lib/define.mjs'
import { buildTokenTransfer, signTransaction, verifyInputs } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'signing alone',
  package: 'antara-tx',
  note: 'signTransaction of a transfer that is built already, which verifies each signature twice',
  prepare: ({ request, key }) => ({ ...buildTokenTransfer(request), key }),
  run: ({ hex, coins, key }) => ({ ...signTransaction(hex, [key], coins), coins }),
  answer: ({ hex, coins }) => verifyInputs(hex, coins).every(({ ok }) => ok),
})
