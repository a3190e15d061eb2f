import { definePeer } from '../../lib/define.mjs'
import { verdictsBy } from '../../lib/verdicts.mjs'
import { verifyPayment } from '../../libraries/antara-tx.mjs'

export const peer = definePeer({ name: 'antara-tx', ...verdictsBy(verifyPayment) })
