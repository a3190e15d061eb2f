import { definePeer } from '../../lib/define.mjs'
import { transactionId } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  prepare: ({ hex }) => hex,
  run: transactionId,
})
