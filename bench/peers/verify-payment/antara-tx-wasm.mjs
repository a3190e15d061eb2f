import { definePeer } from '../../lib/define.mjs'
import { verdictsBy } from '../../lib/verdicts.mjs'
import { named, verifyPayment } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({ ...named, ...verdictsBy(verifyPayment) })
