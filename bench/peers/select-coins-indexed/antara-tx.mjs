import { fromIndexes } from '../../lib/coins.mjs'
import { definePeer } from '../../lib/define.mjs'
import * as library from '../../libraries/antara-tx.mjs'

export const peer = definePeer({ name: 'antara-tx', ...fromIndexes(library) })
