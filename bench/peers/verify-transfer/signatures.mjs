import { definePeer } from '../../lib/define.mjs'
import { signaturesAlone } from '../../lib/verdicts.mjs'
import * as library from '../../libraries/antara-tx.mjs'

export const peer = definePeer(signaturesAlone(library))
