// What does a guard add to a call? A development node in another process gets each read and each
// build three times: directly, through a bare proxy, and through a guard. The order of the three
// changes from round to round.
//
// Each round broadcasts one token transfer, which spends the change of the one before. So the
// transfer of round N has N ancestors. A verification of the built transfer is measured too, and is
// the unit for builds.
//
// Prints medians: milliseconds by the clock, and the processor time of this process, which runs the
// client, the proxy and the guard. What a guard adds is its time less the proxy's time of the same
// round. The journal of the guard is in the system's temporary folder, and each build writes to it:
// times by the clock depend on that disk. The first round runs cold code, and counts.
//
//   node bench/guard.mjs [ROUNDS [READS]]     default 200 and 1000; ROUNDS is at least 4

import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGuard } from '../dist/guard/index.js'
import { verifyTokenTransfer } from '../dist/index.js'
import { fileJournal } from '../dist/journal/index.js'
import { createDevNode } from '../dist/node/index.js'
import { readArguments, wholeNumber } from './lib/arguments.mjs'
import { bareProxy } from './lib/bare-proxy.mjs'
import { nextMessage } from './lib/child.mjs'
import { ratioSpread, spread } from './lib/statistics.mjs'

const ways = ['direct', 'bare proxy', 'guard']
/** Ratios of builds are printed for each quarter of the rounds. */
const parts = [0, 1, 2, 3]

// The child process runs this file too, with this argument.
if (process.argv[2] === 'serve') await serve()
else {
  const { rounds, reads } = readArguments(
    import.meta.url,
    ([rounds, reads]) => ({
      rounds: wholeNumber('ROUNDS', rounds, { least: parts.length, otherwise: 200 }),
      reads: wholeNumber('READS', reads, { least: 1, otherwise: 1000 }),
    }),
    { most: 2 },
  )
  const child = fork(new URL(import.meta.url), ['serve'])
  const folder = mkdtempSync(join(tmpdir(), 'bench-guard-'))
  try {
    print(await measure(child, folder, { rounds, reads }), rounds)
  } finally {
    if (child.connected) child.disconnect()
    rmSync(folder, { recursive: true })
  }
}

/** Sends the parent the credentials of a node with a token; mines a block when asked. */
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

/** Returns all times, by name. */
async function measure(child, folder, { rounds, reads }) {
  const { daemon, tokenid, payee } = await nextMessage(child)
  const agent = new Agent({ keepAlive: true })
  const proxy = await bareProxy(daemon.url)
  const guard = await createGuard({
    daemon: { url: daemon.url, credentials: () => daemon },
    pubkey: daemon.pubkey,
    journal: fileJournal(join(folder, 'journal')),
  })
  try {
    const urls = { direct: daemon.url, 'bare proxy': proxy.url, guard: guard.url }
    const call = caller(agent, daemon)
    const { times, timed } = stopwatch()
    const inTurns = async (round, work) => {
      const results = {}
      for (let turn = 0; turn < ways.length; turn += 1) {
        const way = ways[(round + turn) % ways.length]
        results[way] = await work(way)
      }
      return results
    }
    for (let round = 0; round < reads; round += 1) {
      await inTurns(round, (way) => timed(`read, ${way}`, () => call(urls[way], 'getinfo')))
    }
    const transfer = [tokenid, payee, '1']
    const ancestors = ancestorsFrom((method, params) => call(daemon.url, method, params))
    for (let round = 0; round < rounds; round += 1) {
      const built = await inTurns(round, (way) =>
        timed(`build, ${way}`, () =>
          call(urls[way], 'tokentransfer', transfer, way === 'guard' ? `${round}` : undefined),
        ),
      )
      const { hex } = built.direct
      const previousTransactions = await ancestors(hex)
      const report = await timed('verification', async () =>
        verifyTokenTransfer(
          hex,
          { tokenid, destination: payee, amount: 1n, from: daemon.pubkey },
          { previousTransactions },
        ),
      )
      if (!report.ok) throw new Error(`round ${round + 1}: ${JSON.stringify(report.findings)}`)
      await call(guard.url, 'sendrawtransaction', [built.guard.hex])
      child.send('mine')
      await nextMessage(child)
    }
    return times
  } finally {
    await guard.close()
    proxy.close()
    agent.destroy()
  }
}

/** Returns a function that calls a daemon, and throws for an answer that is an error. */
function caller(agent, { user, password }) {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return async (url, method, params = [], idempotencyKey = undefined) => {
    const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
    const options = { method: 'POST', agent, headers: { authorization, ...key } }
    const text = await new Promise((resolve, reject) => {
      const sent = request(url, options, (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (piece) => (received += piece))
        response.on('end', () => resolve(received)).on('error', reject)
      })
      sent.on('error', reject)
      sent.end(JSON.stringify({ id: 1, method, params }))
    })
    const { result, error } = JSON.parse(text)
    if (error !== null) throw new Error(`${method} at ${url}: ${text}`)
    return result
  }
}

function stopwatch() {
  const times = new Map()
  return {
    times,
    async timed(name, work) {
      const cpu = process.cpuUsage()
      const start = performance.now()
      const result = await work()
      const wall = performance.now() - start
      const { user, system } = process.cpuUsage(cpu)
      const measured = times.get(name) ?? []
      measured.push({ wall, cpu: (user + system) / 1000 })
      times.set(name, measured)
      return result
    },
  }
}

/** Returns a function that fetches the ancestors of a transaction which it does not have yet. */
function ancestorsFrom(call) {
  const known = new Map()
  const fetchAll = async (hex) => {
    const { vin } = await call('decoderawtransaction', [hex])
    for (const { txid } of vin) {
      if (txid === undefined || known.has(txid)) continue
      known.set(txid, await call('getrawtransaction', [txid]))
      await fetchAll(known.get(txid))
    }
  }
  return async (hex) => {
    await fetchAll(hex)
    return [...known.values()]
  }
}

function print(times, rounds) {
  for (const [name, measured] of times) {
    const [wall, cpu] = ['wall', 'cpu'].map((kind) => spread(measured.map((it) => it[kind])).median)
    console.log(`${name}: ${wall.toFixed(2)} ms by the clock, ${cpu.toFixed(2)} ms of CPU`)
  }
  for (const kind of ['wall', 'cpu']) {
    const timesOf = (name) => times.get(name).map((it) => it[kind])
    const added = (method) => {
      const proxied = timesOf(`${method}, bare proxy`)
      return timesOf(`${method}, guard`).map((time, round) => time - proxied[round])
    }
    const unit = kind === 'wall' ? 'by the clock' : 'of CPU'
    const read = spread(added('read')).median.toFixed(2)
    const inVerifications = (from, to) =>
      ratioSpread(
        added('build').slice(from, to),
        timesOf('verification').slice(from, to),
      ).median.toFixed(2)
    const ratios = parts.map((part) => {
      const [from, to] = [part, part + 1].map((end) => Math.floor((end * rounds) / parts.length))
      return `rounds ${from + 1} to ${to} ${inVerifications(from, to)}`
    })
    console.log(`a guard adds ${read} ms ${unit} to a read, compared with the proxy`)
    console.log(
      `and to a build, in verifications ${unit}: ${inVerifications(0, rounds)} (${ratios.join(', ')})`,
    )
  }
}
