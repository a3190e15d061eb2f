import { bareProxy } from '../../lib/bare-proxy.mjs'
import { definePeer } from '../../lib/define.mjs'
import { callerOf, daemon } from '../../libraries/guarded.mjs'

const { url, close } = await bareProxy(daemon.url)

export const peer = definePeer({
  name: 'bare proxy',
  package: 'node:http',
  note: 'nothing is checked',
  ...callerOf(url),
  close,
})
