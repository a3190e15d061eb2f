import { definePeer } from '../../lib/define.mjs'
import { daemonCaller } from '../../libraries/daemon-caller.mjs'
import { startServerProcess } from '../../libraries/server-process.mjs'

export const peer = definePeer({
  name: 'mock server',
  package: 'node:http',
  note: 'JSON.parse and an answer; nobody is refused',
  ...daemonCaller(await startServerProcess('rpc-server.mjs')),
})
