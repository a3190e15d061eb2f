import { createDaemonClient } from '../../../dist/rpc/index.js'
import { definePeer } from '../../lib/define.mjs'
import { memoryFetch } from '../../libraries/rpc-memory.mjs'

const client = createDaemonClient({
  url: 'http://127.0.0.1/',
  user: 'user',
  password: 'password',
  fetch: memoryFetch,
})

export const peer = definePeer({
  name: 'antara-tx',
  note: 'every member checked, amounts exact, clocks and retries in place',
  prepare: ({ hex }) => ({ hex }),
  run: (params) => client.decoderawtransaction(params),
  answer: ({ txid, vout }) => ({ txid, sats: vout.map(({ value }) => value) }),
})
