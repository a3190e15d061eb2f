// No wrong argument to the native object may end the process, so the test uses a process of its
// own.

import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'

import { startEngine } from '../../../src/engine/call.ts'
import { enginePath } from '../../../src/engine/engine.ts'
import { isWasm } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

/**
 * Calls every function with every mixture of `values` that one slot apart from ordinary arguments
 * may hold, then with memory that is gone. Prints its steps; ends abnormally if a call does.
 */
const wrongArguments = `
  const engine = require(process.argv[1])
  const functions = Object.entries(engine).filter(([, member]) => typeof member === 'function')
  let words = new Uint32Array(0)
  const detached = (array) => (structuredClone(array, { transfer: [array.buffer] }), array)
  const values = [
    undefined, null, true, NaN, -1, 2 ** 40, 1n, 'zz', '00', Symbol('slot'), {}, [], () => 1,
    { valueOf() { throw new Error('coerced') } }, Object.create(null), new Proxy([], {}),
    new Uint8Array(0), new Uint8Array(9).subarray(1), new Uint32Array(3), new BigInt64Array(2),
    new Uint8Array(new SharedArrayBuffer(8)), new BigInt64Array(new SharedArrayBuffer(8)),
    detached(new Uint8Array(8)), detached(new BigInt64Array(1)), new DataView(new ArrayBuffer(8)),
  ]
  const usual = ['00', 1, BigInt64Array.of(5n), new Uint8Array(1), new Uint32Array(1)]
  let calls = 0
  const attempt = (call, args) => {
    calls += 1
    try {
      const result = call(...args)
      if (typeof result?.then === 'function') result.then(() => {}, () => {})
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
  const attemptAll = (fill) => {
    for (const [name, call] of functions) {
      if (name === 'makeScratch') continue
      for (let slot = 0; slot < 5; slot += 1) {
        for (const value of values) {
          for (const rest of usual) {
            if (words.length > 0) words.fill(fill)
            const args = Array.from({ length: 5 }, () => rest)
            args[slot] = value
            attempt(call, args)
          }
        }
      }
    }
  }
  attemptAll(0) // no scratch yet
  for (const value of values) attempt(engine.makeScratch, [value])
  words = engine.makeScratch(4096)
  attemptAll(0)
  attemptAll(0xffffffff)
  attemptAll(1)
  // Newer releases of Node refuse to clone this memory, and can detach it otherwise.
  if (words.buffer.transfer) words.buffer.transfer()
  else detached(words)
  attemptAll(0)
  globalThis.gc()
  attemptAll(0)
  console.log(JSON.stringify({ functions: functions.length, calls }))
`

testUnless(isWasm && 'wasm-engine.test.ts does this for WebAssembly')(
  'misuse of any argument, and detached memory, never end the process',
  () => {
    const child = spawnSync(
      process.execPath,
      ['--expose-gc', '-e', wrongArguments, enginePath()!],
      {
        encoding: 'utf8',
      },
    )
    expect(child.stderr).toBe('')
    expect(child.signal).toBeNull()
    const { functions, calls } = JSON.parse(child.stdout)
    const members = Object.values(startEngine().engine)
    expect(functions).toBe(members.filter((member) => typeof member === 'function').length)
    expect(calls).toBeGreaterThan(functions * 100)
  },
)
