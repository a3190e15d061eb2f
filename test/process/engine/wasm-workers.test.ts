// Verifications on WebAssembly by threads of Node give the answers of the engine itself, also if a
// thread ends or fails. without-node.test.ts and test/consumers test the workers of browsers.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'

import { takeNumbers } from '../../../src/engine/call.ts'
import { engineFailed } from '../../../src/engine/loading.ts'
import type { NativeEngine } from '../../../src/engine/native.ts'
import { nodeWorkers } from '../../../src/engine/node-workers.ts'
import { compileWasm, wasmEngine } from '../../../src/engine/wasm.ts'
import {
  engineWithWorkers,
  type WorkerPlatform,
  withWorkers,
} from '../../../src/engine/wasm-workers.ts'
import * as at from '../../../src/engine/words.ts'
import { encodeTransaction, signTransaction } from '../../../src/index.ts'
import { writeSigningWords } from '../../../src/signing/prevout.ts'
import { compileSources, root } from '../../support/built.ts'
import { trapping } from '../../support/trapping.ts'

const { entry } = compileSources('wasm-workers')

const script = '76a914fc7250a211deddc70ee5a2738de5f07817351cef88ac'
const prevouts = Array.from({ length: 40 }, () => ({ value: 7n, script }))
const input = { txid: 'ab'.repeat(32), scriptSig: '', sequence: 0xffffffff }
const { hex } = signTransaction(
  encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: prevouts.map((_, vout) => ({ ...input, vout })),
    outputs: [{ value: 1n, script }],
    lockTime: 0,
  }),
  ['11'.repeat(32)],
  prevouts,
)

/**
 * Runs a program until it ends by itself. If an idle thread kept it alive, the time would run out.
 */
function run(program: string, ...flags: string[]) {
  const { ANTARA_TX_ADDON: _, ...env } = process.env
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '-e', program],
    { encoding: 'utf8', env: { ...env, ANTARA_TX_ENGINE: 'wasm' }, timeout: 50_000 },
  )
  expect({ status, signal, stderr }, stdout).toEqual({ status: 0, signal: null, stderr: '' })
  return JSON.parse(stdout)
}

const shown = JSON.stringify({ hex, prevouts }, (_, it) => (typeof it === 'bigint' ? `${it}` : it))

/** Every third transaction spends other values than were signed for. */
const program = `
  const { verifyInputs, verifyInputsAsync } = await import('${entry}')
  let [threads, failures] = [0, 0]
  process.on('worker', (thread) => {
    threads += 1
    thread.on('error', () => { failures += 1 })
  })
  const { hex, prevouts } = ${shown}
  const spent = [7n, 7n, 8n].map((value) => prevouts.map(({ script }) => ({ value, script })))
  const alone = spent.map((one) => JSON.stringify(verifyInputs(hex, one)))
  const asked = Array.from({ length: 24 }, (_, at) => verifyInputsAsync(hex, spent[at % 3]))
  const cut = await verifyInputsAsync(hex.slice(0, 4000), spent[0]).catch(({ code }) => code)
  const together = (await Promise.all(asked)).map((verdicts) => JSON.stringify(verdicts))
  const same = together.filter((one, at) => one === alone[at % 3]).length
  const different = new Set(together).size
  process.on('exit', () => console.log(JSON.stringify({ same, different, cut, failures, threads })))`

test('threads give the same verdicts and errors, and the process ends by itself', () => {
  const { threads, ...answers } = run(program)
  expect(answers).toEqual({ same: 24, different: 2, cut: 'truncated', failures: 0 })
  expect(threads).toBeGreaterThan(0)
  expect(threads).toBeLessThanOrEqual(4)
})

test('where a process may not start threads, the engine does it itself', () => {
  const isStable = process.allowedNodeEnvironmentFlags.has('--permission')
  const permission = isStable ? '--permission' : '--experimental-permission'
  const { same, threads } = run(program, '--no-warnings', permission, '--allow-fs-read=*')
  expect({ same, threads }).toEqual({ same: 24, threads: 0 })
})

test('where a runtime cannot be asked for threads, the engine does it itself', () => {
  const { same, threads } = run(`process.getBuiltinModule = undefined${program}`)
  expect({ same, threads }).toEqual({ same: 24, threads: 0 })
})

const module = compileWasm(readFileSync(`${root}native/wasm/antara_tx.wasm`))

/** Returns the results of an engine for `count` verifications requested at once. */
async function verdictsOf(engine: NativeEngine, count: number): Promise<string[]> {
  const signing = { hashType: 1, branchId: undefined, selector: 2, prevouts }
  const written = writeSigningWords(signing)
  const task = takeNumbers(0, at.resultBase + at.signingWords + at.prevoutWords * prevouts.length)
  task.set(
    [written.hashType, written.branchId, written.hasBranchId, written.selector, written.prevouts],
    at.resultBase,
  )
  let words = engine.makeScratch(4096, (moved) => {
    words = moved
  })
  const jobs = Array.from({ length: count }, () => {
    words.set(task)
    return engine.startVerification(hex, script.repeat(prevouts.length))
  })
  return (await Promise.all(jobs)).map((job) => {
    const keys = engine.takeVerification(job!)
    return `${keys} ${words.slice(0, at.resultBase + 6 * prevouts.length)}`
  })
}

/** Returns Node's threads, and counts their starts, answers and failures. */
function watched(change: Partial<{ text: string }> = {}) {
  const seen = { starts: 0, answers: 0, empty: 0, failures: 0 }
  const threads = nodeWorkers()!
  const platform: WorkerPlatform = {
    cores: 2,
    start(text, heard, failed) {
      seen.starts += 1
      return threads.start(
        change.text ?? text,
        (answer) => {
          seen[answer.text === undefined ? 'empty' : 'answers'] += 1
          heard(answer)
        },
        () => {
          seen.failures += 1
          failed()
        },
      )
    },
  }
  return { platform, seen }
}

const alone = await verdictsOf(wasmEngine(module, engineFailed), 1)
const expected = Array.from({ length: 6 }, () => alone[0])

test('threads answer in the order in which they were asked', async () => {
  const { platform, seen } = watched()
  expect(await verdictsOf(engineWithWorkers(module, platform), 6)).toEqual(expected)
  expect(seen).toEqual({ starts: 2, answers: 6, empty: 0, failures: 0 })
})

test('a trap in a thread is survived, by the thread too', async () => {
  const { platform, seen } = watched()
  const traps = compileWasm(trapping(readFileSync(`${root}native/wasm/antara_tx.wasm`), 'invoke'))
  const engine = withWorkers(wasmEngine(module, engineFailed), traps, platform)
  expect(await verdictsOf(engine, 6)).toEqual(expected)
  expect(seen).toEqual({ starts: 2, answers: 0, empty: 6, failures: 0 })
})

test.each([
  ['ends', 'process.exit()'],
  ['fails', 'throw new Error("no")'],
  ['cannot send what it made', 'globalThis.onmessage = () => postMessage(() => {})'],
])('where a thread %s, the engine does it itself, then and afterwards', async (_, text) => {
  const { platform, seen } = watched({ text })
  const engine = engineWithWorkers(module, platform)
  expect(await verdictsOf(engine, 6)).toEqual(expected)
  expect(await verdictsOf(engine, 6)).toEqual(expected)
  expect(seen.failures).toBeGreaterThan(0)
  expect(seen.starts).toBeLessThanOrEqual(2)
})

afterEach(() => {
  vi.useRealTimers()
})

test('threads that have nothing to do are ended after a while, and started again', async () => {
  const seen = { starts: 0, ends: 0 }
  const answering: WorkerPlatform = {
    cores: 1,
    start(_, heard) {
      seen.starts += 1
      return {
        postMessage: (message) => {
          if ('module' in message) return
          queueMicrotask(() => heard({ text: undefined, words: new Uint32Array(0) }))
        },
        terminate: () => {
          seen.ends += 1
        },
      }
    },
  }
  vi.useFakeTimers()
  const engine = engineWithWorkers(module, answering)
  await verdictsOf(engine, 2)
  vi.advanceTimersByTime(9_999)
  expect(seen).toEqual({ starts: 1, ends: 0 })
  vi.advanceTimersByTime(1)
  expect(seen).toEqual({ starts: 1, ends: 1 })
  await verdictsOf(engine, 2)
  expect(seen).toEqual({ starts: 2, ends: 1 })
})
