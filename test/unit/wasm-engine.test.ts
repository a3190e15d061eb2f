import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'

import type { NativeCoinIndex, NativeEngine } from '../../src/engine/native.ts'
import { wasmEngine } from '../../src/engine/wasm.ts'
import { misused, misuseNumbers, needsWords } from '../../src/engine/words.ts'

// The module of native/wasm behind the interface of the addon. What it computes is held by every
// other test, run with ANTARA_TX_ENGINE=wasm; here is what only a memory of its own brings.

const source = readFileSync(new URL('../../native/wasm/antara_tx.wasm', import.meta.url))

interface Api {
  readonly Module: { new (bytes: Uint8Array): object; imports(module: object): unknown[] }
  Instance: new (module: object) => { readonly exports: Record<string, unknown> }
}
const { WebAssembly: api } = globalThis as unknown as { WebAssembly: Api }

/** An engine and the words that it last told of. */
function makeEngine(words = 4096): { engine: NativeEngine; words: () => Uint32Array } {
  const engine = wasmEngine(source)
  let told = engine.makeScratch(words, (moved) => {
    told = moved
  })
  return { engine, words: () => told }
}

const hash = (engine: NativeEngine) => engine.hash160('00')

/** RIPEMD-160 of SHA-256 of one zero byte, by Node. */
async function expectedHash(): Promise<string> {
  const { createHash } = await import('node:crypto')
  const sha256 = createHash('sha256').update(Uint8Array.of(0)).digest()
  return createHash('ripemd160').update(sha256).digest('hex')
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('the module imports nothing and is no larger than promised', () => {
  expect(api.Module.imports(new api.Module(source))).toEqual([])
  expect(source.length).toBeLessThanOrEqual(300_000)
})

test('words are told of again whenever the memory has moved', async () => {
  const { engine, words } = makeEngine()
  const before = words()
  expect(hash(engine)).toBe(await expectedHash())
  expect(engine.transactionId('00'.repeat(3_900_000))).toBeUndefined()
  expect(before.length).toBe(0) // detached
  expect(words().length).toBe(4096)
  expect(hash(engine)).toBe(await expectedHash())
  expect(words()[0]).toBe(0)
})

test('an answer that needs more words is kept until there are some', () => {
  const { engine, words } = makeEngine(64)
  expect(engine.splitScript('51'.repeat(300))).toBeUndefined()
  expect(words()[0]).toBe(needsWords)
  const grown = engine.makeScratch(words()[1]!, () => {})
  expect(engine.takeAnswer()).toBe('')
  expect([grown[0], grown[4]]).toEqual([0, 300])
})

test.each([
  [
    'RuntimeError',
    () =>
      new (
        globalThis as never as { WebAssembly: { RuntimeError: ErrorConstructor } }
      ).WebAssembly.RuntimeError('unreachable'),
  ],
  ['RangeError', () => new RangeError('Maximum call stack size exceeded')],
])('after a %s the next call runs on a new instance', async (_, makeError) => {
  const RealInstance = api.Instance
  let trapNext = false
  let instances = 0
  api.Instance = class {
    readonly exports: Record<string, unknown>
    constructor(module: object) {
      instances += 1
      const { exports } = new RealInstance(module)
      const invoke = exports.invoke as (index: number) => number
      const trapping = (index: number) => {
        if (!trapNext) return invoke(index)
        trapNext = false
        throw makeError()
      }
      this.exports = { ...exports, invoke: trapping }
    }
  }
  try {
    const { engine } = makeEngine()
    const index = engine.createCoinIndex(BigInt64Array.of(1n, 2n), new Uint32Array([1, 1]))!
    expect(index).toBeDefined()
    trapNext = true
    expect(() => hash(engine)).toThrow(expect.objectContaining({ code: 'engine_failed' }))
    expect(instances).toBe(2)
    expect(hash(engine)).toBe(await expectedHash())
    expectLost(engine, index)
  } finally {
    api.Instance = RealInstance
  }
})

function expectLost(engine: NativeEngine, index: NativeCoinIndex): void {
  const words = engine.makeScratch(64, () => {})
  expect(engine.removeCoins(index, new Uint32Array([0]))).toBeUndefined()
  expect([...words.subarray(0, 2)]).toEqual([misused, misuseNumbers.expectedIndex])
}

test('no memory left ends the instance, not the engine', async () => {
  const { engine, words } = makeEngine()
  const tooMuch = new Uint8Array(600_000_000)
  words().fill(0, 4)
  const coins = BigInt64Array.of(1n)
  const call = () => engine.selectCoins(coins, new Uint32Array([1]), tooMuch)
  expect(call).toThrow(expect.objectContaining({ code: 'engine_failed' }))
  expect(hash(engine)).toBe(await expectedHash())
})

test('memory that a large call took is given back', () => {
  const { engine } = makeEngine()
  const large = engine.makeScratch(8_000_000, () => {})
  expect(large.buffer.byteLength).toBeGreaterThan(32_000_000)
  const small = engine.makeScratch(4096, () => {})
  expect(small.buffer.byteLength).toBeLessThan(4_000_000)
})

const values: readonly unknown[] = [
  undefined,
  null,
  true,
  Number.NaN,
  -1,
  1n,
  Symbol('slot'),
  {},
  [],
  Object.freeze({}),
  new Proxy([], {}),
  new Uint8Array(9).subarray(1),
  new Uint32Array(3),
  new BigInt64Array(2),
  new Uint8Array(new SharedArrayBuffer(8)),
  new DataView(new ArrayBuffer(8)),
  detached(new Uint8Array(8)),
  detached(new BigInt64Array(1)),
]

function detached<View extends ArrayBufferView>(view: View): View {
  structuredClone(view, { transfer: [view.buffer as ArrayBuffer] })
  return view
}

test('no misuse of any slot ends an instance', async () => {
  const { engine, words } = makeEngine()
  const functions = Object.entries(engine).filter(
    ([name, member]) => typeof member === 'function' && name !== 'makeScratch',
  ) as [string, (...inputs: unknown[]) => unknown][]
  expect(functions.length).toBeGreaterThan(25)
  const usual = ['00', BigInt64Array.of(5n), new Uint8Array(1), new Uint32Array(1)]
  for (const fill of [0, 1, 0xffffffff]) {
    for (const [, call] of functions) {
      for (let slot = 0; slot < 5; slot += 1) {
        for (const value of values) {
          for (const rest of usual) {
            words().fill(fill)
            const inputs = Array.from({ length: 5 }, () => rest as unknown)
            inputs[slot] = value
            call(...inputs)
          }
        }
      }
    }
  }
  expect(hash(engine)).toBe(await expectedHash())
})
