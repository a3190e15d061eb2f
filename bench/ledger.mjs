// How do the time and the memory of a ledger grow with its chain? Reads the block files of a daemon
// without signatures in another process, and prints a line for each further number of token
// transactions. Times, so never a test.
//
//   node bench/ledger.mjs [--transfers N] [--every N] [--folder BLOCKS] [--ledger FILE]
//
// Without a folder it writes a chain of N transfers (default 1000000) to a temporary one first; a
// folder that is named and missing is filled and kept. A ledger that is named and there goes on where
// it ended.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

import { readArguments, wholeNumber } from './lib/arguments.mjs'
import { writeChain } from './lib/token-chain.mjs'

const { transfers, every, named } = readArguments(
  import.meta.url,
  (_, { transfers, every, ...named }) => ({
    transfers: wholeNumber('--transfers', transfers, { least: 1, otherwise: 1_000_000 }),
    every: wholeNumber('--every', every, { least: 1, otherwise: 100_000 }),
    named,
  }),
  {
    options: {
      transfers: { type: 'string' },
      every: { type: 'string' },
      folder: { type: 'string' },
      ledger: { type: 'string' },
    },
  },
)
const temporary = mkdtempSync(`${tmpdir()}/antara-tx-ledger-`)
const { folder = `${temporary}/blocks`, ledger = `${temporary}/ledger.sqlite` } = named
const pollMs = 1000
const perBlock = 253
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Reads how many blocks a ledger has, while another process writes it. */
const Database = createRequire(import.meta.url)('better-sqlite3')
function blocksIn() {
  if (!existsSync(ledger)) return 0
  const database = new Database(ledger, { readonly: true })
  try {
    return database.prepare('SELECT COUNT(*) count FROM block').get().count
  } catch {
    return 0
  } finally {
    database.close()
  }
}

/** Seconds of the processor and MiB of memory of a process, as Linux counts them. */
function usageOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const most = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const ticks = 100
  return {
    cpu: (Number(stat[11]) + Number(stat[12])) / ticks,
    mib: Number(resident[1]) / 1024,
    most: Number(most[1]) / 1024,
  }
}

if (!existsSync(folder)) {
  writeChain(folder, transfers, true)
  console.log(`wrote ${transfers} transfers to ${folder}`)
}
const args = [main, 'audit', folder, '--ledger', ledger, '--unsigned']
const started = performance.now()
const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
let output = ''
child.stdout.setEncoding('utf8').on('data', (text) => {
  output += text
})
let last = { count: perBlock * blocksIn(), cpu: 0 }
let usage
const show = (count) => {
  const { cpu, mib, most } = usage
  const each = (1e6 * (cpu - last.cpu)) / (count - last.count)
  console.log(
    `${count} transfers: ${each.toFixed(1)} us of the processor each, ${Math.round(1e6 / each)} a second and core; ` +
      `${mib.toFixed(0)} MiB, at most ${most.toFixed(0)}; ${(statSync(ledger).size / 2 ** 20).toFixed(0)} MiB of ledger; ` +
      `${((performance.now() - started) / 1000).toFixed(0)} s by the clock`,
  )
  last = { count, cpu }
}
const timer = setInterval(() => {
  try {
    usage = usageOf(child.pid)
  } catch {
    return
  }
  const count = perBlock * blocksIn()
  if (count >= last.count + every) show(count)
}, pollMs)
child.on('close', (status) => {
  clearInterval(timer)
  const count = perBlock * blocksIn()
  console.log(
    `the end, with its indexes and summary, ${usage.cpu.toFixed(1)} s of the processor in all`,
  )
  if (count > last.count) show(count)
  console.log(output.split('\n')[0])
  rmSync(temporary, { recursive: true })
  process.exitCode = status
})
