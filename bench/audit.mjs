// How fast is a ledger of a whole chain, and how much memory does it take? Makes a chain of token
// transfers, each signed, and reads it. Times, so never a test.
//
//   node bench/audit.mjs [--copied] [TRANSFERS ...]     default 2000 10000
//
// With --copied, transfers have the signatures of the first ones, which are not looked at then:
// that many are made in seconds. Of every count after the first it says what each further transfer
// costs, so that starting is not in it, and what its rows cost where SQLite does nothing else.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  buildTokenCreate,
  buildTokenTransfer,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signTransaction,
  transactionId,
  verifyInputs,
} from '../dist/index.js'

const network = networks.assetChain
const key = '11'.repeat(32)
const owner = publicKeyOf(key)
const others = Array.from({ length: 20 }, (_, at) => publicKeyOf(String(at + 2).padStart(64, '0')))
const isCopied = process.argv.includes('--copied')
const args = process.argv.slice(2).filter((it) => it !== '--copied')
const counts = args.length > 0 ? args.map(Number) : [2000, 10_000]
const lanes = 50
/** A count that is written in three bytes: as many as that takes. */
const perBlock = 253
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

const signed = ({ hex, coins }) => signTransaction(hex, [key], coins, network).hex

/** Coins for each lane, then a token in each, then transfers of one unit, lane by lane. */
function* chainOf(transfers, isCopied = false) {
  const funding = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [
      { txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: '510101', sequence: 0xffffffff },
    ],
    outputs: Array.from({ length: lanes }, () => ({ value: 1000000000n, script: `21${owner}ac` })),
    lockTime: 0,
  })
  yield funding
  const common = { network, tipHeight: 10 }
  const tips = []
  for (let lane = 0; lane < lanes; lane += 1) {
    const coins = [{ txid: transactionId(funding), vout: lane }]
    const previousTransactions = [funding]
    const terms = { name: `T${lane}`, supply: 100000000n, description: '', owner }
    const create = signed(buildTokenCreate({ ...common, ...terms, coins, previousTransactions }))
    const tokenid = transactionId(create)
    tips.push({ create, tokenid, last: create, token: 1, coin: 2 })
    yield create
  }
  for (let at = 0; at < transfers; at += 1) {
    const tip = tips[at % lanes]
    const txid = transactionId(tip.last)
    if (isCopied && at >= 2 * lanes) {
      tip.last = nextOf(tip.last, txid)
      yield tip.last
      continue
    }
    tip.last = signed(
      buildTokenTransfer({
        ...common,
        tokenid: tip.tokenid,
        from: owner,
        recipients: [{ pubkey: others[at % others.length], amount: 1n }],
        tokenCoins: [{ txid, vout: tip.token }],
        coins: [{ txid, vout: tip.coin }],
        previousTransactions: [tip.last, tip.create],
        tokenCreate: tip.create,
      }),
    )
    tip.token = 1
    tip.coin = 2
    yield tip.last
  }
}

/** The same transfer from what the last one left. */
function nextOf(last, txid) {
  const tx = decodeTransaction(last)
  const [paid, rest, change, nulldata] = tx.outputs
  return encodeTransaction({
    ...tx,
    inputs: tx.inputs.map((input) => ({ ...input, txid })),
    outputs: [
      paid,
      { ...rest, value: rest.value - paid.value },
      { ...change, value: change.value - 10000n },
      nulldata,
    ],
  })
}

function writeChain(path, transfers) {
  const file = openSync(path, 'w')
  let previous = '00'.repeat(32)
  let block = []
  const flush = () => {
    const head = `04000000${previous}${'00'.repeat(64)}00000000${'0f0f0f20'}${'00'.repeat(32)}24${'00'.repeat(36)}`
    const bytes = Buffer.from(
      `${head}fd${Buffer.from([block.length & 255, block.length >> 8]).toString('hex')}${block.join('')}`,
      'hex',
    )
    const record = Buffer.from('f9eee48d00000000', 'hex')
    record.writeUInt32LE(bytes.length, 4)
    writeSync(file, record)
    writeSync(file, bytes)
    const once = createHash('sha256').update(Buffer.from(head, 'hex')).digest()
    previous = createHash('sha256').update(once).digest('hex')
    block = []
  }
  for (const hex of chainOf(transfers, isCopied)) {
    block.push(hex)
    if (block.length === perBlock) flush()
  }
  while (block.length > 0 && block.length < perBlock) block.push(unrelated(block.length))
  if (block.length > 0) flush()
  closeSync(file)
}

function unrelated(at) {
  return encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ txid: 'ff'.repeat(32), vout: at, scriptSig: '', sequence: 0 }],
    outputs: [{ value: 1n, script: '6a00' }],
    lockTime: 0,
  })
}

/** Processor and memory of a run, as the kernel counts them. */
function run(args) {
  const atEnd = `import { isMainThread } from 'node:worker_threads'
    if (isMainThread) process.on('exit', () => process._rawDebug(JSON.stringify({
      ...process.resourceUsage(), thread: process.threadCpuUsage?.() })))`
  const start = performance.now()
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`, main, ...args],
    { encoding: 'utf8' },
  )
  const isWhole = stdout.includes(`: ${lanes} tokens, 0 transactions that moved none`)
  if (status !== 0 || !isWhole) throw new Error(stdout + stderr)
  const usage = JSON.parse(stderr.trim().split('\n').at(-1))
  const { userCPUTime, systemCPUTime, maxRSS, thread } = usage
  return {
    cpu: userCPUTime + systemCPUTime,
    // Node 23.9 and newer tell.
    writing: thread === undefined ? Number.NaN : thread.user + thread.system,
    wall: 1000 * (performance.now() - start),
    mib: maxRSS / 1024,
  }
}

/** Microseconds of the processor for checking the token input of a transfer, by itself. */
function signatureTime() {
  const some = [...chainOf(200)].slice(1 + lanes)
  const known = new Map([...chainOf(200)].map((hex) => [transactionId(hex), hex]))
  const nothing = { value: 0n, script: '' }
  const jobs = some.map((hex) => {
    const { inputs } = decodeTransaction(hex)
    const prevouts = inputs.map(({ txid, vout, scriptSig }) =>
      scriptSig.includes('8140') ? decodeTransaction(known.get(txid)).outputs[vout] : nothing,
    )
    return [hex, prevouts]
  })
  const before = process.cpuUsage()
  const rounds = 10
  for (let round = 0; round < rounds; round += 1) {
    for (const [hex, prevouts] of jobs) verifyInputs(hex, prevouts, networks.tokel)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / rounds / jobs.length
}

/** Microseconds of the processor for the rows of each transfer, written as src/audit/store.ts has it. */
async function rowTime(ledger, count) {
  const { DatabaseSync } = await import('node:sqlite').catch(() => ({}))
  if (DatabaseSync === undefined) return Number.NaN
  const source = new DatabaseSync(ledger)
  const target = new DatabaseSync(`${ledger}.rows`)
  for (const [name, value] of [
    ['page_size', 8192],
    ['journal_mode', 'WAL'],
    ['synchronous', 'NORMAL'],
    ['cache_size', -65536],
  ]) {
    target.exec(`PRAGMA ${name} = ${value}`)
  }
  const made =
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN ('tx', 'holding')"
  for (const { sql } of source.prepare(made).all()) target.exec(sql)
  const tables = ['tx', 'holding'].map((name) => {
    const key = name === 'tx' ? 'id' : 'tx'
    const select = source.prepare(`SELECT * FROM ${name} WHERE ${key} BETWEEN ? AND ?`)
    const columns = source.prepare(`SELECT * FROM ${name}`).columns()
    const placeholders = columns.map(() => '?').join()
    return { select, insert: target.prepare(`INSERT INTO ${name} VALUES (${placeholders})`) }
  })
  let used = 0
  const batch = 7600
  for (let from = 1; from <= count; from += batch) {
    const rows = tables.map(({ select }) => select.all(from, from + batch - 1).map(Object.values))
    const before = process.cpuUsage()
    target.exec('BEGIN IMMEDIATE')
    for (const [at, { insert }] of tables.entries()) for (const row of rows[at]) insert.run(...row)
    target.exec('COMMIT')
    const { user, system } = process.cpuUsage(before)
    used += user + system
  }
  source.close()
  target.close()
  return used / count
}

const folder = mkdtempSync(`${tmpdir()}/antara-tx-audit-`)
try {
  console.log(`signature of a token input: ${signatureTime().toFixed(0)} us of the processor`)
  const before = new Map()
  for (const count of counts) {
    const file = `${folder}/blk${String(count).padStart(5, '0')}.dat`
    writeChain(file, count)
    for (const mode of isCopied ? [['--unsigned']] : [[], ['--unsigned']]) {
      const ledger = `${folder}/${count}${mode.length}.sqlite`
      const now = { count, ...run(['audit', file, '--ledger', ledger, ...mode]) }
      const { cpu, wall, mib } = now
      const each = (time) => `${(time / count).toFixed(0)} us`
      console.log(
        `${count} transfers${mode.length === 0 ? '' : ', unsigned'}: processor ${each(cpu)} each, ` +
          `clock ${each(wall)}, most memory ${mib.toFixed(0)} MiB, ledger ${(statSync(ledger).size / count).toFixed(0)} bytes each`,
      )
      const last = before.get(mode.length)
      before.set(mode.length, now)
      if (last === undefined) continue
      const further = (name) => ((now[name] - last[name]) / (count - last.count)).toFixed(1)
      console.log(
        `  each further transfer: ${further('cpu')} us of the processor, ${further('writing')} on the thread ` +
          `that writes; its rows alone ${(await rowTime(ledger, count)).toFixed(1)}`,
      )
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}
