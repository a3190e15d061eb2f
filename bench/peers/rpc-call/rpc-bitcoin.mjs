import { RPCClient } from 'rpc-bitcoin'
import { definePeer } from '../../lib/define.mjs'
import { credentials, port, roundedAnswer } from '../../libraries/rpc-server.mjs'

const { user, password } = credentials
const client = new RPCClient({ url: 'http://127.0.0.1', port, user, pass: password })

export const peer = definePeer({
  name: 'rpc-bitcoin',
  note: 'on the request library, amounts as doubles; by position, since the daemon refuses named parameters',
  prepare: ({ hex }) => [hex],
  run: (params) => client.rpc('decoderawtransaction', params),
  answer: roundedAnswer,
})
