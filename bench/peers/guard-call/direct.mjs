import { definePeer } from '../../lib/define.mjs'
import { callerOf, daemon } from '../../libraries/guarded.mjs'

export const peer = definePeer({
  name: 'direct',
  package: 'node:http',
  note: 'the caller alone',
  ...callerOf(daemon.url),
})
