// Sends a guard calls of many kinds from several connections, with 200 slow clients beside them. Its
// daemon hangs, restarts and answers garbage. Prints the memory of the guard's process after forced
// collections, and verifies payments and record at the end. Needs a build: npm run build:ts
//
//   node test/soak/guard.mjs [CALLS, default 20000] [MINUTES, default 30]

import { execFile, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDevNode } from '../../dist/node/index.js'
import { createPayments } from './guard/payments.mjs'
import { recordedReads, startRelay } from './guard/relay.mjs'
import { slowClients } from './guard/slow-clients.mjs'
import { stepKinds, stepsOfRound } from './guard/steps.mjs'

const [calls = 20_000, minutes = 30] = process.argv.slice(2).map(Number)
/** A batch waits for one answer after the other, so several connections keep the guard at work. */
const connections = 24
const samples = 100
const sampleMsMax = 30_000
const readForm =
  /^(get(?!newaddress|rawchange|accountaddress)|token(balance|info|list|orders|address)|decode)/
const started = Date.now()
const home = mkdtempSync(join(tmpdir(), 'guard-soak-'))
const node = await createDevNode({ time: 1_800_000_000 })
const [alice, bob] = node.identities
const reads = recordedReads((method) => readForm.test(method))
const relay = await startRelay(alice.url, reads)
const policy = join(home, 'policy.json')
writeFileSync(
  policy,
  JSON.stringify({ recipients: 'any', coins: { perDay: '100000' }, tokens: 'any' }),
)
const command = ['dist/cli/main.js', 'guard']
execFileSync(process.execPath, [...command, '--new-state', '--state', home])
const guard = spawn(
  process.execPath,
  [
    ...[
      '--expose-gc',
      '--import',
      fileURLToPath(new URL('guard/memory-probe.mjs', import.meta.url)),
    ],
    ...[...command, '--daemon', relay.url, '--network', 'assetChain', '--json'],
    ...['--pubkey', alice.pubkey, '--state', home, '--policy', policy, '--trust-daemon'],
  ],
  {
    env: { ...process.env, ANTARA_RPC_USER: alice.user, ANTARA_RPC_PASSWORD: alice.password },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  },
)
const complaints = []
createInterface(guard.stderr).on('line', (line) => complaints.push({ at: Date.now(), line }))
const { url } = JSON.parse(
  await new Promise((done) => createInterface(guard.stdout).once('line', done)),
)
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const authorization = `Basic ${Buffer.from(`${alice.user}:${alice.password}`).toString('base64')}`

/** Returns the text of the answer; what came of it if the connection broke. */
function post(body, headers = {}) {
  return new Promise((resolve) => {
    let text = ''
    const options = { method: 'POST', agent, headers: { authorization, ...headers } }
    const sent = request(url, options, (response) => {
      response.setEncoding('utf8')
      response.on('data', (piece) => (text += piece))
      response.on('error', () => resolve(text))
      response.on('end', () => resolve(text))
    })
    sent.on('error', () => resolve(text))
    sent.end(body)
  })
}

const askMemory = () =>
  new Promise((done) => {
    guard.once('message', done)
    guard.send('memory')
  })

const created = JSON.parse(await post('{"id":1,"method":"tokencreate","params":["GOLD","0.01"]}'))
const creation = { id: 1, method: 'sendrawtransaction', params: [created.result.hex] }
const tokenid = JSON.parse(await post(JSON.stringify(creation))).result
node.mine()

const payments = createPayments({ payee: bob.address, tokenid, tokenPayee: bob.pubkey })
const counts = { tampered: 0, tampering: 0, tamperings: 0 }
let wrongCount = 0
const wrongFile = join(home, 'wrong.ndjson')
/** Keeps a wrong answer with everything that may explain it. */
const wrong = (kind, { exchange, wasFaulty }, more) => {
  wrongCount += 1
  console.log(`WRONG ${kind}: ${exchange.text.slice(0, 200)} (whole: ${wrongFile})`)
  const since = exchange.began - 2_000
  const lines = readFileSync(join(home, 'record.ndjson'), 'utf8').trimEnd().split('\n').slice(-200)
  const kept = {
    ...{ kind, wasFaulty, exchange, more, daemon: relay.logSince(since) },
    record: lines.filter((line) => Date.parse(JSON.parse(line).at) >= since),
    complaints: complaints.filter(({ at }) => at >= since),
  }
  appendFileSync(wrongFile, `${JSON.stringify(kept)}\n`)
}
const kinds = stepKinds({ post, reads, relay, payments, node, wrong, counts })
const steps = stepsOfRound()
const end = started + minutes * 60_000
const curve = []
let made = 0
let step = 0
const isOver = () => made >= calls || Date.now() > end

async function client() {
  while (!isOver()) {
    const count = await kinds[steps[step++ % steps.length]]()
    made += count
  }
}

async function sample() {
  const { heapUsed, external, rss } = await askMemory()
  const megabytes = (bytes) => Number((bytes / 1e6).toFixed(2))
  const point = { calls: made, payments: payments.made.length, heap: megabytes(heapUsed) }
  curve.push({ ...point, external: megabytes(external), rss: megabytes(rss) })
  console.log(
    JSON.stringify({ ...curve.at(-1), seconds: Math.round((Date.now() - started) / 1000) }),
  )
}

/** Samples the memory, and lets the daemon fail, at equal distances; on a slow machine by time. */
async function watch() {
  const faults = [relay.restart, relay.hang, relay.answerGarbage]
  let last = 0
  for (let at = 0; !isOver(); ) {
    if (made < (calls / samples) * at && Date.now() - last < sampleMsMax) {
      await new Promise((done) => setTimeout(done, 200))
      continue
    }
    last = Date.now()
    await sample()
    if (at % 3 === 2) await faults[((at - 2) / 3) % faults.length]()
    if (at === 10) relay.hangOnce()
    at += 1
  }
}

const slow = slowClients(new URL(url).port, 200)
await Promise.all([watch(), ...Array.from({ length: connections }, client)])
await sample()
slow.end()

// The daemon is well now, so each payment ends; a repetition must not make another one. A payment
// whose coins the daemon spent otherwise meanwhile is made anew when that is deep in the chain.
for (let round = 0; round < 3; round += 1) {
  node.mine(round === 1 ? 101 : 1)
  for (const payment of payments.open) {
    if (payment.txid !== undefined) continue
    if (round > 1) payment.hex = undefined
    await kinds.again(payment)
  }
}
for (const { key, txid, last } of payments.open) if (txid === undefined) console.log(key, last)
const unsettled = payments.open.filter(({ txid }) => txid === undefined).length
agent.destroy()
guard.kill('SIGTERM')
await new Promise((done) => guard.once('exit', done))

node.mine()
const isTransfer = ({ key }) => key.startsWith('t')
const transfers = payments.made.filter(isTransfer).length
const coins = payments.made.filter((it) => !isTransfer(it))
const { balance } = await node.request('tokenbalance', [tokenid, bob.pubkey], { identity: 1 })
const rows = await node.request('getaddressdeltas', [{ addresses: [bob.address] }])
const received = rows.map(({ satoshis }) => satoshis).filter((it) => it >= 10_000 && it < 20_000)
const twice = received.length - new Set(received).size
const facts = {
  calls: made,
  seconds: Math.round((Date.now() - started) / 1000),
  callsPerSecond: Math.round((made * 1000) / (Date.now() - started)),
  wrongAnswers: wrongCount,
  payments: { made: coins.length, onChain: received.length, twice, unsettled },
  transfers: { made: transfers, unitsReceived: Number(balance) },
  tamperedRefused: counts.tampered,
  faults: relay.counts,
  slowClientsDropped: slow.dropped,
  memory: slopeOf(curve),
}
console.log(JSON.stringify(facts, undefined, 2))
relay.close()
await node.close()

/** Megabytes of the heap: highest of the second and of the third quarter, and least squares. */
function slopeOf(points) {
  const warm = points.slice(Math.floor(points.length / 4))
  const half = Math.floor(warm.length / 2)
  const highest = (some) => Math.max(...some.map(({ heap }) => heap))
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(warm.map((it) => it.calls)), mean(warm.map((it) => it.heap))]
  const slope =
    warm.reduce((sum, it) => sum + (it.calls - x) * (it.heap - y), 0) /
    warm.reduce((sum, it) => sum + (it.calls - x) ** 2, 0)
  return {
    highestHeapFirstHalf: highest(warm.slice(0, half)),
    highestHeapSecondHalf: highest(warm.slice(half)),
    highestRss: Math.max(...warm.map(({ rss }) => rss)),
    heapMegabytesPerMillionCalls: Number((slope * 1e6).toFixed(2)),
  }
}

const isRight =
  wrongCount === 0 &&
  twice === 0 &&
  unsettled === 0 &&
  received.length === coins.length &&
  Number(balance) === transfers
const record = join(home, 'record.ndjson')
execFile(process.execPath, [...command, '--verify-log', record], (error, output, errors) => {
  console.log(`${output}${errors}`.trim())
  process.exitCode = error === null && isRight ? 0 : 1
  // After a failure, the record and the journal tell more than the numbers above.
  if (process.exitCode === 0) rmSync(home, { recursive: true })
})
