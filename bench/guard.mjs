// What does a guard add to a call? Reads and builds go to a development node in another process:
// directly, through a bare proxy, and through a guard. Each round sends one transfer of a token, so
// the transfer of round N has N ancestors. Prints medians in milliseconds by the clock, and the CPU
// time of this process, which has the client, the proxy and the guard. What the guard adds is taken
// in each round, beside the proxy of that round.
//
//   node bench/guard.mjs [ROUNDS [READS]]     default 200 and 1000

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGuard } from '../dist/guard/index.js'
import { verifyTokenTransfer } from '../dist/index.js'
import { fileJournal } from '../dist/journal/index.js'
import { createDevNode } from '../dist/node/index.js'
import { bareProxy } from './lib/bare-proxy.mjs'
import { ratioSpread, spread } from './lib/statistics.mjs'

const [first, second] = process.argv.slice(2)
if (first === 'serve') await serve()
else await measure(Number(first ?? 200), Number(second ?? 1000))

/** Sends the credentials of a node with a token; mines a block when asked. */
async function serve() {
  const node = await createDevNode({ mine: 'manual', time: 1_800_000_000 })
  const [alice, bob] = node.identities
  const { hex } = await node.request('tokencreate', ['GOLD', '0.01'])
  const tokenid = await node.request('sendrawtransaction', [hex])
  node.mine()
  const { url, user, password, pubkey } = alice
  process.send({ daemon: { url, user, password, pubkey }, tokenid, payee: bob.pubkey })
  process.on('message', () => process.send(node.mine()))
  process.on('disconnect', () => process.exit())
}

async function measure(rounds, reads) {
  const server = fork(new URL(import.meta.url), ['serve'])
  const [{ daemon, tokenid, payee }] = await once(server, 'message')
  const credentials = () => daemon
  const folder = mkdtempSync(join(tmpdir(), 'bench-guard-'))
  const agent = new Agent({ keepAlive: true })
  const proxy = await bareProxy(daemon.url)
  const guard = await createGuard({
    daemon: { url: daemon.url, credentials },
    pubkey: daemon.pubkey,
    journal: fileJournal(join(folder, 'journal')),
  })
  const authorization = `Basic ${Buffer.from(`${daemon.user}:${daemon.password}`).toString('base64')}`
  const call = (url, method, params = [], key = undefined) =>
    new Promise((resolve, reject) => {
      const named = key === undefined ? {} : { 'idempotency-key': key }
      const options = { method: 'POST', agent, headers: { authorization, ...named } }
      const sent = request(url, options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece) => (text += piece))
        response.on('end', () => resolve(JSON.parse(text)))
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ id: 1, method, params }))
    })

  const times = new Map()
  const timed = async (name, work) => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    const result = await work()
    const wall = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    times.set(name, [...(times.get(name) ?? []), { wall, cpu: (user + system) / 1000 }])
    return result
  }
  const previous = new Map()
  const fetchPrevious = async (hex) => {
    const { result } = await call(daemon.url, 'decoderawtransaction', [hex])
    for (const { txid } of result.vin) {
      if (txid === undefined || previous.has(txid)) continue
      previous.set(txid, (await call(daemon.url, 'getrawtransaction', [txid])).result)
      await fetchPrevious(previous.get(txid))
    }
  }
  for (let round = 0; round < reads; round += 1) {
    await timed('read, direct', () => call(daemon.url, 'getinfo'))
    await timed('read, bare proxy', () => call(proxy.url, 'getinfo'))
    await timed('read, guard', () => call(guard.url, 'getinfo'))
  }
  const transfer = [tokenid, payee, '1']
  for (let round = 0; round < rounds; round += 1) {
    const { result } = await timed('build, direct', () =>
      call(daemon.url, 'tokentransfer', transfer),
    )
    await timed('build, bare proxy', () => call(proxy.url, 'tokentransfer', transfer))
    const built = await timed('build, guard', () =>
      call(guard.url, 'tokentransfer', transfer, `${round}`),
    )
    // Each transfer spends the change of the one before, so all earlier ones are its ancestors.
    await fetchPrevious(result.hex)
    await timed('verification', async () =>
      verifyTokenTransfer(
        result.hex,
        { tokenid, destination: payee, amount: 1n, from: daemon.pubkey },
        { previousTransactions: [...previous.values()] },
      ),
    )
    const sent = await call(guard.url, 'sendrawtransaction', [built.result.hex])
    if (sent.error !== null) throw new Error(sent.error.message)
    server.send('mine')
    await once(server, 'message')
  }
  for (const [name, measured] of times) {
    const [wall, cpu] = ['wall', 'cpu'].map((kind) => spread(measured.map((it) => it[kind])).median)
    console.log(`${name}: ${wall.toFixed(2)} ms by the clock, ${cpu.toFixed(2)} ms of CPU`)
  }
  for (const kind of ['wall', 'cpu']) {
    const of = (name) => times.get(name).map((it) => it[kind])
    const added = (call) => {
      const proxied = of(`${call}, bare proxy`)
      return of(`${call}, guard`).map((time, round) => time - proxied[round])
    }
    const unit = kind === 'wall' ? 'by the clock' : 'of CPU'
    const read = spread(added('read')).median.toFixed(2)
    const build = (from, to) =>
      ratioSpread(added('build').slice(from, to), of('verification').slice(from, to))
    const parts = [0, 1, 2, 3].map((part) => [part, part + 1].map((it) => (it * rounds) >> 2))
    const ratios = parts.map(
      ([from, to]) => `rounds ${from + 1} to ${to} ${build(from, to).median.toFixed(2)}`,
    )
    console.log(`a guard adds ${read} ms ${unit} to a read beside the proxy`)
    console.log(
      `and to a build, in verifications ${unit}: ${build().median.toFixed(2)} (${ratios.join(', ')})`,
    )
  }
  await guard.close()
  proxy.close()
  agent.destroy()
  server.disconnect()
  rmSync(folder, { recursive: true })
}
