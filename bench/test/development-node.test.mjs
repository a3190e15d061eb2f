// Clients that were written for other daemons, unmodified, against the development node.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { createDevNode } from '../../dist/node/index.js'

let node
before(async () => {
  node = await createDevNode()
})
after(() => node.close())

/** A client, or nothing, and a plain line, where the benchmark's packages are not installed. */
async function peerOf(context, name) {
  try {
    return await import(name)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    context.skip(`${name} is not installed: npm --prefix bench ci`)
    return undefined
  }
}

const identity = () => node.identities[0]
const endpoint = () => new URL(identity().url)

test('bitcoin-core 5', async (context) => {
  const peer = await peerOf(context, 'bitcoin-core')
  if (peer === undefined) return
  const { default: Client } = peer
  const { user, password, address } = identity()
  const client = new Client({ host: endpoint().href.replace(/\/$/, ''), username: user, password })
  assert.equal(await client.command('getblockcount'), node.height)
  assert.equal((await client.command('validateaddress', address)).ismine, true)
  const { hex } = await client.command('tokencreate', 'GOLD', '0.00001')
  const txid = await client.command('sendrawtransaction', hex)
  assert.deepEqual(await client.command('tokenlist'), [txid])
  await assert.rejects(client.command('tokeninfo'), /tokeninfo tokenid/)
})

test('bitcoind-rpc', async (context) => {
  const peer = await peerOf(context, 'bitcoind-rpc')
  if (peer === undefined) return
  const { default: RpcClient } = peer
  const { user, password } = identity()
  const { hostname: host, port } = endpoint()
  const client = new RpcClient({ protocol: 'http', user, pass: password, host, port })
  const call = (method, ...params) =>
    new Promise((resolve, reject) => {
      client[method](...params, (error, answer) => (error ? reject(error) : resolve(answer.result)))
    })
  const hash = await call('getBestBlockHash')
  assert.equal((await call('getBlock', hash)).height, node.height)
  assert.equal((await call('getInfo')).blocks, node.height)
  assert.ok((await call('listUnspent')).length > 0)
})

test('bitcoin-json-rpc', async (context) => {
  const peer = await peerOf(context, 'bitcoin-json-rpc')
  if (peer === undefined) return
  const { default: BitcoinJsonRpc } = peer
  const { user, password, address } = identity()
  const Client = BitcoinJsonRpc.default ?? BitcoinJsonRpc
  const client = new Client(`http://${user}:${password}@${endpoint().host}`)
  assert.equal(await client.getBlockCount(), node.height)
  const txid = await client.sendToAddress(address, '1.5')
  assert.match(txid, /^[0-9a-f]{64}$/)
  const hash = await client.getBlockHashFromHeight(node.height)
  assert.deepEqual((await client.getBlockFromHash(hash)).tx.includes(txid), true)
  assert.ok(Number(await client.getBalance()) > 0)
})

test('rpc-bitcoin sends objects as params, which a komodod refuses', async (context) => {
  const peer = await peerOf(context, 'rpc-bitcoin')
  if (peer === undefined) return
  const { RPCClient } = peer
  const { user, password: pass } = identity()
  const { port, hostname } = endpoint()
  const client = new RPCClient({
    url: `http://${hostname}`,
    port: Number(port),
    user,
    pass,
    timeout: 5000,
  })
  await assert.rejects(client.getblockhash({ height: 1 }), {
    code: -32600,
    message: 'Params must be an array',
  })
})

const rawProxy = `
import json, sys
from bitcoin.rpc import JSONRPCError, RawProxy
proxy = RawProxy(service_url=sys.argv[1])
created = proxy.tokencreate("GOLD", "0.00001")
txid = proxy.sendrawtransaction(created["hex"])
try:
    proxy.tokeninfo()
    refused = None
except JSONRPCError as error:
    refused = error.error["code"]
print(json.dumps([proxy.getblockcount(), txid in proxy.tokenlist(), refused]))
`

test("python3-bitcoinlib's RawProxy", async (context) => {
  const python = ['/usr/bin/python3', 'python3'].find(
    (name) => spawnSync(name, ['-c', 'import bitcoin.rpc']).status === 0,
  )
  if (python === undefined) {
    context.skip('Python with bitcoinlib is not here')
    return
  }
  const { user, password } = identity()
  const url = `http://${user}:${password}@${endpoint().host}`
  const output = await new Promise((resolve, reject) => {
    execFile(python, ['-c', rawProxy, url], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })
  assert.deepEqual(JSON.parse(output), [node.height, true, -1])
})
