import { definePeer } from '../../lib/define.mjs'
import * as library from '../../libraries/antara-tx.mjs'
import { ourSender } from '../../libraries/sending.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'buildPayment and signCase, which verifies before and after',
  run: ourSender(library),
})
