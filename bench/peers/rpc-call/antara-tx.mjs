import { createDaemonClient } from '../../../dist/rpc/index.js'
import { definePeer } from '../../lib/define.mjs'
import { credentials, port } from '../../libraries/rpc-server.mjs'

const client = createDaemonClient({ url: `http://127.0.0.1:${port}/`, ...credentials })

export const peer = definePeer({
  name: 'antara-tx',
  note: 'every member checked, amounts exact',
  prepare: ({ hex }) => ({ hex }),
  run: (params) => client.decoderawtransaction(params),
  answer: ({ txid, vout }) => ({ txid, sats: vout.map(({ value }) => value) }),
})
