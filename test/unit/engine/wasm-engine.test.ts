import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { engineFailed } from '../../../src/engine/loading.ts'
import type { NativeCoinIndex, NativeEngine } from '../../../src/engine/native.ts'
import { compileWasm, wasmEngine } from '../../../src/engine/wasm.ts'
import { argumentError, argumentErrorNumbers, needsWords } from '../../../src/engine/words.ts'
import { isAntaraError } from '../../../src/errors/antara-error.ts'
import { errorCodeOfNumber } from '../../../src/errors/codes.ts'
import { isQuick } from '../../support/share.ts'

// The module of native/wasm behind the interface of the addon. What it computes is held by every
// other test, run with ANTARA_TX_ENGINE=wasm; here is what only a memory of its own brings.

const source = readFileSync(new URL('../../../native/wasm/antara_tx.wasm', import.meta.url))

interface Api {
  readonly Module: { new (bytes: Uint8Array): object; imports(module: object): unknown[] }
  Instance: new (module: object) => { readonly exports: Record<string, unknown> }
}
const { WebAssembly: api } = globalThis as unknown as { WebAssembly: Api }

/** An engine and the words that it last told of. */
function makeEngine(words = 4096): { engine: NativeEngine; words: () => Uint32Array } {
  const engine = wasmEngine(compileWasm(source), engineFailed)
  let reported = engine.makeScratch(words, (moved) => {
    reported = moved
  })
  return { engine, words: () => reported }
}

const hash = (engine: NativeEngine) => engine.hash160('00')

/** RIPEMD-160 of SHA-256, by Node. */
function hash160Of(bytes: Uint8Array): string {
  const sha256 = createHash('sha256').update(bytes).digest()
  return createHash('ripemd160').update(sha256).digest('hex')
}

const codeOf = (words: Uint32Array) => errorCodeOfNumber.get(words[0]!)

const expectedHash = () => hash160Of(Uint8Array.of(0))

afterEach(() => {
  vi.restoreAllMocks()
})

test('the module imports nothing and is no larger than promised', () => {
  expect(api.Module.imports(new api.Module(source))).toEqual([])
  expect(source.length).toBeLessThanOrEqual(300_000)
  expect(gzipSync(source, { level: 9 }).length).toBeLessThanOrEqual(130_000)
})

/** The size of the module, in bytes. A change of more than a twentieth must update it. */
const weighed = { raw: 243_136, gzip: 101_873 }

test('the module is as large as it was last said to be, within a twentieth', () => {
  const now = { raw: source.length, gzip: gzipSync(source, { level: 9 }).length }
  for (const form of ['raw', 'gzip'] as const) {
    expect(now[form], form).toBeLessThanOrEqual(1.05 * weighed[form])
    expect(now[form], form).toBeGreaterThanOrEqual(weighed[form] / 1.05)
  }
})

test('words are passed on again whenever the memory has moved', () => {
  const { engine, words } = makeEngine()
  const before = words()
  expect(hash(engine)).toBe(expectedHash())
  expect(engine.transactionId('00'.repeat(3_900_000))).toBeUndefined()
  expect(before.length).toBe(0) // detached
  expect(words().length).toBe(4096)
  expect(hash(engine)).toBe(expectedHash())
  expect(words()[0]).toBe(0)
})

test('copies no part of an input over the limit', () => {
  const { engine, words } = makeEngine()
  expect(hash(engine)).toBe(expectedHash())
  const before = words()
  const { byteLength } = before.buffer
  const refused = [...Array(5)].flatMap(() => [
    engine.hash160('00'.repeat(20_000_000)),
    engine.hash160(new Uint8Array(40_000_000)),
    engine.splitScript('00'.repeat(20_000_000)),
  ])
  expect(refused.every((answer) => answer === undefined)).toBe(true)
  expect(codeOf(words())).toBe('input_over_limit')
  expect([words() === before, words().buffer.byteLength]).toEqual([true, byteLength])
  expect(hash(engine)).toBe(expectedHash())
})

test('an answer that needs more words is kept until there are some', () => {
  const { engine, words } = makeEngine(64)
  expect(engine.splitScript('51'.repeat(300))).toBeUndefined()
  expect(words()[0]).toBe(needsWords)
  const grown = engine.makeScratch(words()[1]!, () => {})
  expect(engine.takeAnswer()).toBe('')
  expect([grown[0], grown[4]]).toEqual([0, 300])
})

test('a kept answer outlives the memory that a large call gives back', () => {
  const outputs = 70_000
  // Version 1, an input of a coinbase, as many outputs of one byte of script.
  const raw = Buffer.concat([
    Buffer.from(`0100000001${'00'.repeat(32)}ffffffff0151ffffffff`, 'hex'),
    Buffer.from([0xfe, ...new Uint8Array(Uint32Array.of(outputs).buffer)]),
    Buffer.alloc(10 * outputs, Buffer.from('01000000000000000151', 'hex')),
    Buffer.alloc(4),
  ])
  const { engine, words } = makeEngine()
  expect(engine.decodeTransaction(new Uint8Array(raw))).toBeUndefined()
  expect(words()[0]).toBe(needsWords)
  engine.makeScratch(words()[1]!, () => {})
  expect(engine.takeAnswer()).toBe('00'.repeat(32) + raw.toString('hex'))
})

test('a text of every length, one after another, arrives as it is', () => {
  const { engine } = makeEngine()
  for (const bytes of [0, 1, 15, 16, 17, 2047, 2048, 5000, 300_000, 3, 2_000_000, 16]) {
    const script = '51'.repeat(bytes)
    expect(engine.hash160(script)).toBe(hash160Of(Buffer.from(script, 'hex')))
    expect(engine.hash160(script.toUpperCase())).toBe(engine.hash160(script))
  }
})

test('characters that are not hex are where they were, wide ones cut to eight bits', () => {
  const { engine, words } = makeEngine()
  for (const [text, pair] of [
    [`${'00'.repeat(20)}g0${'00'.repeat(20)}`, 20],
    [`${'00'.repeat(20)}\u00e9${'0'.repeat(41)}`, 20],
    [`\u0161${'0'.repeat(63)}`, 0],
    [`${'0'.repeat(63)}\ud83d`, 31],
  ] as const) {
    const answer = engine.hash160(text)
    // U+0161 is cut to "a": who asks finds wide characters afterwards, see call.ts.
    if (text.startsWith('\u0161')) expect(answer).toBeDefined()
    else expect([answer, codeOf(words()), words()[1]]).toEqual([undefined, 'malformed_hex', pair])
  }
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
])('the next call runs on a new instance after a %s', (_, makeError) => {
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
    expect(hash(engine)).toBe(expectedHash())
    expect(instances).toBe(2)
    expectLost(engine, index)
  } finally {
    api.Instance = RealInstance
  }
})

function expectLost(engine: NativeEngine, index: NativeCoinIndex): void {
  const words = engine.makeScratch(64, () => {})
  expect(engine.removeCoins(index, new Uint32Array([0]))).toBeUndefined()
  expect([...words.subarray(0, 2)]).toEqual([argumentError, argumentErrorNumbers.expectedIndex])
}

test('an instance that was not made ready is not used', () => {
  const RealInstance = api.Instance
  let failing = ''
  api.Instance = class {
    readonly exports: Record<string, unknown>
    constructor(module: object) {
      const { exports } = new RealInstance(module)
      const failingOnce = (name: string) => (argument: number) => {
        if (failing !== name) return (exports[name] as (given: number) => number)(argument)
        failing = name === 'invoke' ? 'scratch' : ''
        throw new RangeError('Maximum call stack size exceeded')
      }
      this.exports = { ...exports, invoke: failingOnce('invoke'), scratch: failingOnce('scratch') }
    }
  }
  try {
    const { engine } = makeEngine()
    expect(hash(engine)).toBe(expectedHash())
    failing = 'invoke'
    expect(() => hash(engine)).toThrow(expect.objectContaining({ code: 'engine_failed' }))
    expect(() => hash(engine)).toThrow(expect.objectContaining({ code: 'engine_failed' }))
    expect(failing).toBe('')
    expect(hash(engine)).toBe(expectedHash())
  } finally {
    api.Instance = RealInstance
  }
})

test('a stack that ends in the middle of a call ends the instance, not the engine', () => {
  const { engine } = makeEngine()
  const expected = expectedHash()
  // compiled by the first call, which takes more of the stack than any later one
  expect(hash(engine)).toBe(expected)
  const outcomes: unknown[] = []
  /** As deep as it goes; each call on the way back has a little more room than the one before. */
  const descend = (): void => {
    try {
      descend()
    } catch {
      // there is no room for another
    }
    if (outcomes.at(-1) === expected) return
    let outcome: unknown
    try {
      outcome = hash(engine)
    } catch (error) {
      outcome = error
    }
    outcomes.push(outcome)
  }
  descend()
  const failed = outcomes.slice(0, -1)
  expect(failed).not.toEqual([])
  for (const error of failed) {
    expect(error instanceof RangeError || isAntaraError(error, 'engine_failed')).toBe(true)
  }
  expect(outcomes.at(-1)).toBe(expected)
})

test('a lack of memory ends the instance, not the engine', () => {
  const { engine, words } = makeEngine()
  const tooMuch = new Uint8Array(600_000_000)
  words().fill(0, 4)
  const coins = BigInt64Array.of(1n)
  const call = () => engine.selectCoins(coins, new Uint32Array([1]), tooMuch)
  expect(call).toThrow(expect.objectContaining({ code: 'engine_failed' }))
  expect(hash(engine)).toBe(expectedHash())
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

test('misuse of any argument ends no instance', () => {
  const { engine, words } = makeEngine()
  const functions = Object.entries(engine).filter(
    ([name, member]) => typeof member === 'function' && name !== 'makeScratch',
  ) as [string, (...inputs: unknown[]) => unknown][]
  expect(functions.length).toBeGreaterThan(25)
  const usual = ['00', BigInt64Array.of(5n), new Uint8Array(1), new Uint32Array(1)]
  for (const fill of isQuick ? [0xffffffff] : [0, 1, 0xffffffff]) {
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
  expect(hash(engine)).toBe(expectedHash())
})
