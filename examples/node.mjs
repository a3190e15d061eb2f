// Token code of a wallet against a development node: no daemon, no network, throw-away keys.
//
//   node examples/node.mjs

import { createDevNode } from 'antara-tx/node'
import { createDaemonClient, transferToken } from 'antara-tx/rpc'

const node = await createDevNode({ listen: false })
const [alice, bob] = node.identities

const { hex } = await node.request('tokencreate', ['GOLD', '0.00001', 'a token'])
const tokenid = await node.request('sendrawtransaction', [hex])
console.log('created', tokenid)

const daemon = createDaemonClient({ ...alice, url: 'http://127.0.0.1/', fetch: node.fetch })
const intent = { tokenid, from: alice.pubkey, destination: bob.pubkey, amount: 400n }

// A daemon that keeps the change, and signs rightly.
node.faults.add({
  kind: 'tampered_hex',
  method: 'tokentransfer',
  tamper: 'stolen_change',
  times: 1,
})
const refused = await transferToken(daemon, intent)
const reason = refused.report.findings.find(({ severity }) => severity === 'reject')
console.log('refused', reason.code)

const sent = await transferToken(daemon, intent)
console.log('sent', sent.txid)

const { balance } = await node.request('tokenbalance', [tokenid], { identity: 1 })
console.log('bob has', balance)
await node.close()
