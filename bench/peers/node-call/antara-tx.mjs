import { definePeer } from '../../lib/define.mjs'
import { daemonCaller } from '../../libraries/daemon-caller.mjs'
import { startServerProcess } from '../../libraries/server-process.mjs'

export const peer = definePeer({
  name: 'antara-tx',
  note: 'the HTTP server of a development node',
  ...daemonCaller(await startServerProcess('node-server.mjs')),
})
