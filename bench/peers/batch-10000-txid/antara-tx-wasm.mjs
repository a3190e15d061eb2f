import { hexesOf } from '../../lib/batch.mjs'
import { definePeer } from '../../lib/define.mjs'
import { named, transactionIds } from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({ ...named, prepare: hexesOf, run: transactionIds })
