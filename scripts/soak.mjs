// Runs the safe flow against a loopback server that misbehaves at random, for as long as you like.
// Checks its promises: nothing wrong is broadcast, nothing is paid twice, memory stays flat.
//
//   npm run soak -- --minutes 10

import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { createDaemonClient, createToken, isRpcError, transferToken } from '../dist/rpc/index.js'
import { envelope, fail, send, wireFaults } from '../test/soak/faults.mjs'
import * as wallet from '../test/soak/wallet.mjs'

const usage = `Usage: npm run soak -- [--minutes 1] [--seed N] [--workers 4] [--pause 0]

--pause is how many milliseconds each worker rests between two calls: a long run on a machine that
others use as well.
Builds nothing: it runs dist/. Ends with status 1 if a promise was broken.
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '4' },
    pause: { type: 'string', default: '0' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}
for (const name of ['minutes', 'seed', 'workers', 'pause']) {
  if (/^\d+(\.\d+)?$/.test(values[name])) continue
  console.error(`--${name}: expected a number\n${usage}`)
  process.exit(64)
}

// Mulberry32: the same seed misbehaves in the same way, as far as the order of requests allows.
let state = Number(values.seed) >>> 0
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const below = (count) => Math.floor(random() * count)
const oneOf = (items) => items[below(items.length)]
const chance = (share) => random() < share

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const counts = {
  ...{ requests: 0, operations: 0, calls: 0, broadcasts: 0 },
  ...{ outcomes: {}, faults: {}, observers: {} },
}
const broken = []
const note = (group, name) => {
  counts[group][name] = (counts[group][name] ?? 0) + 1
}

/** Per payment of one client: what left for the network, and how often the caller heard success. */
class Book {
  relayed = new Set()
  successes = 0
  isOpen = false
  /** True if the daemon claims to refuse transactions that it relays, and denies having them. */
  isHostile = false
}
const books = new Map()
const bookOf = (owner, key) => {
  const name = `${owner} ${key}`
  if (!books.has(name)) books.set(name, new Book())
  return books.get(name)
}

/** The most of these that one chain can hold. */
function payments(hexes) {
  const spends = [...hexes].map(wallet.outpointsOf)
  const most = (from, used) => {
    if (from === spends.length) return 0
    const without = most(from + 1, used)
    if (spends[from].some((outpoint) => used.has(outpoint))) return without
    return Math.max(without, 1 + most(from + 1, new Set([...used, ...spends[from]])))
  }
  return most(0, new Set())
}

const unspentText = ({ value, script }) =>
  `{"bestblock":"${'0'.repeat(64)}","confirmations":9,"rawconfirmations":9,"value":` +
  `${value / 100_000_000n}.${String(value % 100_000_000n).padStart(8, '0')},"scriptPubKey":` +
  `{"asm":"","hex":"${script}","type":"nonstandard"},"version":4,"coinbase":false}`

/** A daemon; its path tells which client asks, so that each has a chain of its own. */
function answer(owner, { method, params, id }, response) {
  const right = (result) => envelope(result, id)
  const refuse = (code, message) => ({ refuse: () => fail(response, id, code, message) })
  const choice = below(wallet.choices)
  switch (method) {
    case 'getblockcount':
      return right(chance(0.02) ? '500' : String(wallet.tipHeight))
    case 'validateaddress':
      return right(`{"isvalid":true,"ismine":${chance(0.9)}}`)
    case 'gettxout': {
      const output = wallet.outputAt(...params)
      return right(output === undefined || chance(0.02) ? 'null' : unspentText(output))
    }
    case 'tokentransfer': {
      const amount = BigInt(params[2])
      const tamper = chance(0.3) ? oneOf(wallet.tampers.transfer) : undefined
      if (tamper === undefined) return success(right, wallet.honestTransfer(amount, choice))
      note('faults', `transfer: ${tamper}`)
      return success(right, wallet.falseTransfer(tamper, amount, choice))
    }
    case 'tokencreate': {
      const [name, supply] = [params[0], BigInt(params[1].replace('.', ''))]
      const tamper = chance(0.3) ? oneOf(wallet.tampers.create) : undefined
      if (tamper === undefined) return success(right, wallet.honestCreation(name, supply, choice))
      note('faults', `creation: ${tamper}`)
      return success(right, wallet.falseCreation(tamper, name, supply, choice))
    }
    case 'getrawtransaction': {
      const [txid] = params
      if (chance(0.01)) {
        const tamper = oneOf(['another transaction', 'text', 'megabytes'])
        note('faults', `evidence: ${tamper}`)
        if (tamper === 'another transaction')
          return right(`"${oneOf([...wallet.recorded.values()])}"`)
        return right(tamper === 'text' ? '"not found"' : `"${'00'.repeat(1_000_000)}"`)
      }
      const own = chance(0.5) ? relayedBy(owner, txid) : undefined
      const hex = wallet.recorded.get(txid) ?? own
      return hex === undefined ? refuse(-5, 'No information available') : right(`"${hex}"`)
    }
    case 'sendrawtransaction':
      return broadcast(owner, params[0], right, refuse)
    default:
      return refuse(-32601, 'Method not found')
  }
}

const success = (right, hex) => right(JSON.stringify({ result: 'success', hex }))

function relayedBy(owner, txid) {
  for (const [name, { relayed, isHostile }] of books) {
    if (!name.startsWith(`${owner} `)) continue
    if (isHostile) continue
    for (const hex of relayed) if (wallet.transactionId(hex) === txid) return hex
  }
  return undefined
}

/** Which payment an honest transaction is; nothing for one that was never made. */
function paymentOf(hex) {
  for (const intent of intents) {
    for (let choice = 0; choice < wallet.choices; choice++) {
      if (intent.honest(choice) === hex) return intent.key
    }
  }
  return undefined
}

function broadcast(owner, hex, right, refuse) {
  counts.broadcasts++
  const key = paymentOf(hex)
  if (key === undefined) {
    broken.push(`broadcast of what nobody asked for: ${hex}`)
    return refuse(-26, 'refused')
  }
  const book = bookOf(owner, key)
  const outcome = book.isHostile
    ? 'refuse and relay'
    : oneOf(['accept', 'accept', 'refuse', 'refuse and relay', 'another txid'])
  if (outcome !== 'accept') note('faults', `broadcast: ${outcome}`)
  if (outcome === 'refuse') return refuse(-26, '16: mandatory-script-verify-flag-failed')
  book.relayed.add(hex)
  if (outcome === 'refuse and relay') return refuse(-25, 'Missing inputs')
  return right(`"${outcome === 'accept' ? wallet.transactionId(hex) : '11'.repeat(32)}"`)
}

const timers = new Set()
const later = (ms, work) => {
  const timer = setTimeout(() => {
    timers.delete(timer)
    work()
  }, ms)
  timers.add(timer)
}

const faultShare = 0.012
const server = createServer(async (request, response) => {
  response.on('error', () => undefined)
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  counts.requests++
  const call = JSON.parse(Buffer.concat(chunks).toString())
  const right = answer(request.url, call, response)
  // Broadcasts fail more often: what is lost there is what could be paid twice.
  const share = call.method === 'sendrawtransaction' ? 0.3 : faultShare
  if (chance(share)) {
    const name = oneOf(Object.keys(wireFaults))
    note('faults', name)
    const text = typeof right === 'string' ? right : envelope('null', call.id)
    return wireFaults[name]({ response, right: text, id: call.id, later })
  }
  if (typeof right === 'string') send(response, 200, right)
  else right.refuse()
})
server.on('clientError', (_, socket) => socket.destroy())
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()

const { alice, bob, tokenid } = wallet
const intents = [
  ...[1n, 2n, 3n, 4n, 5n, 6n].map((amount) => ({
    key: `transfer ${amount}`,
    honest: (choice) => wallet.honestTransfer(amount, choice),
    pay: (client, more, options) =>
      transferToken(client, { tokenid, destination: alice, amount, from: bob, ...more }, options),
  })),
  ...['SOAK', 'MOOR'].map((name) => ({
    key: `create ${name}`,
    honest: (choice) => wallet.honestCreation(name, 1000n, choice),
    pay: (client, more, options) =>
      createToken(client, { name, supply: 1000n, description: '', owner: bob, ...more }, options),
  })),
]
const spellings = [{}, { fee: 10_000n }, { maxFee: 20_000n }, { fee: 10_000n, maxFee: 19_000n }]

/** Lets every observer fail, in one way or another: none may change the outcome of a call. */
function misbehave() {
  note('observers', 'told')
  const wrong = () => {
    throw new Error('the observer failed')
  }
  const member = 'then'
  const ways = [
    wrong,
    () => Promise.reject(new Error('the observer failed')),
    () => wait(1).then(wrong),
    () => ({ [member]: wrong }),
    () => Object.defineProperty({}, member, { get: wrong }),
    () => ({ [member]: (yes, no) => (chance(0.5) ? yes : no)(new Error('the observer failed')) }),
    () => new Proxy({}, { get: wrong }),
  ]
  return oneOf(ways)()
}
process.on('unhandledRejection', (error) => broken.push(`unhandled: ${error}`))

let owners = 0
const deadlineMs = performance.now() + Number(values.minutes) * 60_000

/** One wallet: its own client and payments, for a while. */
async function live() {
  const owner = `/${++owners}`
  const client = createDaemonClient({
    url: `http://127.0.0.1:${port}${owner}`,
    user: 'user',
    password: 'pass',
    retry: { attempts: 2, baseMs: 1, maxMs: 5 },
    attemptTimeoutMs: 400,
    maxResponseBytes: 2_000_000,
    onRequest: misbehave,
    onResponse: misbehave,
    onRetry: misbehave,
  })
  for (let operation = 0; operation < 40 && performance.now() < deadlineMs; operation++) {
    counts.operations++
    const intent = oneOf(intents)
    const book = bookOf(owner, intent.key)
    const atOnce = chance(0.15) ? 2 : 1
    book.isHostile = chance(0.3)
    for (let tries = 0; tries < 6 && performance.now() < deadlineMs; tries++) {
      const results = await Promise.all(
        Array.from({ length: atOnce }, () => attempt(client, intent, book)),
      )
      const allowed = book.successes + (book.isOpen ? 1 : 0)
      if (payments(book.relayed) > allowed) {
        broken.push(`${owner} ${intent.key}: ${payments(book.relayed)} payments, ${allowed} wanted`)
      }
      await wait(Number(values.pause))
      if (results.some((isPaid) => isPaid)) break
    }
  }
  for (const name of books.keys()) if (name.startsWith(`${owner} `)) books.delete(name)
}

async function attempt(client, { pay }, book) {
  counts.calls++
  const controller = new AbortController()
  const stop = chance(0.05) ? setTimeout(() => controller.abort(), below(60)) : undefined
  try {
    const { txid, held, report } = await pay(client, oneOf(spellings), {
      signal: controller.signal,
      timeoutMs: 3_000,
      dryRun: chance(0.02),
      confirm: () => !chance(0.02),
      onProgress: ({ step }) => {
        if (step === 'broadcasting') book.isOpen = true
        return misbehave()
      },
    })
    note('outcomes', txid === undefined ? `held: ${held}` : 'paid')
    if (txid === undefined) return false
    if (report.txid !== txid) broken.push(`told ${txid}, sent ${report.txid}`)
    book.successes++
    book.isOpen = false
    return true
  } catch (error) {
    if (!isRpcError(error)) {
      broken.push(`threw ${error.stack}`)
      return false
    }
    note('outcomes', `${error.kind} ${error.reason ?? ''}`.trim())
    return false
  } finally {
    clearTimeout(stop)
  }
}

const startedMs = performance.now()
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
const heap = []
const sample = () => {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  heap.push({ heapUsed, rss })
}

async function work() {
  while (performance.now() < deadlineMs && broken.length === 0) await live()
}
const sampling = (async () => {
  const everyMs = Math.max(2_000, (deadlineMs - startedMs) / 60)
  while (performance.now() < deadlineMs && broken.length === 0) {
    await wait(Math.min(everyMs, Math.max(deadlineMs - performance.now(), 1)))
    sample()
  }
})()
await Promise.all([sampling, ...Array.from({ length: Number(values.workers) }, work)])
for (const timer of timers) clearTimeout(timer)
server.closeAllConnections()
server.close()

const megabytes = (bytes) => Math.round(bytes / 100_000) / 10
const third = Math.max(1, Math.floor(heap.length / 3))
const median = (items) => items.toSorted((one, other) => one - other)[items.length >> 1] ?? 0
// The first third still fills what is made once: transactions of the wallet, compiled code.
const middle = median(heap.slice(third, 2 * third).map(({ heapUsed }) => heapUsed))
const last = median(heap.slice(-third).map(({ heapUsed }) => heapUsed))
const growth = last - middle
if (heap.length >= 9 && growth > 8_000_000) broken.push(`the heap grew by ${megabytes(growth)} MB`)

const curve = Array.from({ length: 20 }, (_, at) => heap[Math.floor((at * heap.length) / 20)])
  .filter((sampled, at, all) => sampled !== undefined && sampled !== all[at - 1])
  .map(({ heapUsed }) => megabytes(heapUsed))

const listed = (group) =>
  Object.entries(group)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, times]) => `  ${String(times).padStart(7)}  ${name}`)
    .join('\n')
console.log(`seed ${values.seed}, ${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes, Node ${process.version}
${counts.operations} operations in ${counts.calls} calls of the safe flow by ${owners} clients, ${counts.requests} requests, ${counts.broadcasts} broadcasts
outcomes
${listed(counts.outcomes)}
observers failed ${counts.observers.reported ?? 0} times
faults, ${Object.values(counts.faults).reduce((sum, times) => sum + times, 0)} of ${Object.keys(counts.faults).length} kinds
${listed(counts.faults)}
${(process.cpuUsage().user / 60e6 + process.cpuUsage().system / 60e6).toFixed(1)} minutes of the processor
heap after collection, MB: ${curve.join(' ')}
heap after collection: ${megabytes(heap[0]?.heapUsed ?? 0)} MB at first, ${megabytes(middle)} in the middle third, ${megabytes(last)} in the last; resident ${megabytes(heap.at(-1)?.rss ?? 0)} MB
event loop: longest delay ${Math.round(delay.max / 1e6)} ms, 99.9 % within ${Math.round(delay.percentile(99.9) / 1e6)} ms
${broken.length === 0 ? 'nothing wrong was broadcast, nothing was paid twice' : broken.slice(0, 20).join('\n')}`)
process.exitCode = broken.length === 0 ? 0 : 1
