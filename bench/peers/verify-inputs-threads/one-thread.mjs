import { definePeer } from '../../lib/define.mjs'
import { peer as synchronous } from '../verify-inputs/antara-tx.mjs'

export const peer = definePeer({
  ...synchronous,
  name: 'antara-tx, one thread',
  package: 'antara-tx',
  note: undefined,
})
