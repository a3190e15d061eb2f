import { definePeer } from '../../lib/define.mjs'
import { named, transactionId } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({ ...named, prepare: ({ hex }) => hex, run: transactionId })
