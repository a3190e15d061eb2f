import { fromArrays } from '../../lib/coins.mjs'
import { definePeer } from '../../lib/define.mjs'
import * as library from '../../libraries/antara-tx-wasm.mjs'

export const peer = definePeer({ ...library.named, ...fromArrays(library) })
