// How fast is a ledger of a whole chain, and how much memory does it take? Makes a chain of token
// transfers, each signed, and reads it. Times, so never a test. bench/ledger.mjs draws the curve of a
// long chain.
//
//   node bench/audit.mjs [--copied] [TRANSFERS ...]     default 2000 10000
//
// With --copied, transfers have the signatures of the first ones, which are not looked at then:
// that many are made in seconds. Of every count after the first it says what each further transfer
// costs, so that starting is not in it.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { decodeTransaction, networks, transactionId, verifyInputs } from '../dist/index.js'
import { readArguments, wholeNumber } from './lib/arguments.mjs'
import { chainOf, lanes, writeChain } from './lib/token-chain.mjs'

const { isCopied, counts } = readArguments(
  import.meta.url,
  (texts, { copied = false }) => ({
    isCopied: copied,
    counts:
      texts.length === 0
        ? [2000, 10_000]
        : texts.map((text) => wholeNumber('TRANSFERS', text, { least: 1 })),
  }),
  { most: Number.POSITIVE_INFINITY, options: { copied: { type: 'boolean' } } },
)
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

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
    // Node 23.9 and newer count it.
    writing: thread === undefined ? undefined : thread.user + thread.system,
    wall: 1000 * (performance.now() - start),
    mib: maxRSS / 1024,
  }
}

/** Microseconds of the processor for checking the token input of a transfer, by itself. */
function signatureTime() {
  const chain = [...chainOf(200)].map((raw) => raw.toString('hex'))
  const known = new Map(chain.map((hex) => [transactionId(hex), hex]))
  const nothing = { value: 0n, script: '' }
  const jobs = chain.slice(1 + lanes).map((hex) => {
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

const folder = mkdtempSync(`${tmpdir()}/antara-tx-audit-`)
try {
  console.log(`signature of a token input: ${signatureTime().toFixed(0)} us of the processor`)
  const before = new Map()
  for (const count of counts) {
    const blocks = `${folder}/${count}`
    writeChain(blocks, count, isCopied)
    for (const mode of isCopied ? [['--unsigned']] : [[], ['--unsigned']]) {
      const ledger = `${folder}/${count}${mode.length}.sqlite`
      const now = { count, ...run(['audit', blocks, '--ledger', ledger, ...mode]) }
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
      const onWriter =
        now.writing === undefined ? '' : `, ${further('writing')} on the thread that writes`
      console.log(`  each further transfer: ${further('cpu')} us of the processor${onWriter}`)
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}
