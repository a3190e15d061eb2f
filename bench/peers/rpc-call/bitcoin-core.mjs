import Client from 'bitcoin-core'
import { definePeer } from '../../lib/define.mjs'
import { credentials, port, roundedAnswer } from '../../libraries/rpc-server.mjs'

const { user: username, password } = credentials
const client = new Client({ host: `http://127.0.0.1:${port}`, username, password })

export const peer = definePeer({
  name: 'bitcoin-core',
  note: 'on the request library, amounts as doubles',
  prepare: ({ hex }) => hex,
  run: (hex) => client.command('decoderawtransaction', hex),
  answer: roundedAnswer,
})
