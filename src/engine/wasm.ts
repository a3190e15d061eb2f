import { AntaraError } from '../errors/antara-error.ts'
import type { NativeEngine } from './native.ts'
import { type AnswerKind, type InputKind, seamFunctions } from './table.ts'
import { misused, misuseNumbers, scratchWordsMin, sourceBytesMax } from './words.ts'

/** What is used of the platform's WebAssembly, which no library of types but the browser's has. */
interface Platform {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: unknown }
  }
}

/** What native/wasm/trampoline.cpp exports. Addresses are bytes from the start of the memory. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  abi(): number
  scratch(words: number): number
  text(position: number, characters: number): number
  array(position: number, bytes: number): number
  overlong(position: number): void
  index(address: number): void
  job(address: number): void
  invoke(index: number): number
  take(): number
  answer(): number
  answer_length(): number
  made_index(): number
  made_job(): number
  finish(): void
  release_index(address: number): void
  release_job(address: number): void
}

/** Something that an instance keeps. It goes with the instance. */
interface Kept {
  readonly exports: Exports
  readonly address: number
  readonly kind: 'index' | 'job'
}

const hexCharactersMax = 2 * sourceBytesMax

/** Above this an instance that keeps nothing is given up, since its memory never shrinks. */
const memoryBytesKept = 16 * 1024 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * The engine in a module of native/wasm, with the calls of the addon and their outcomes.
 *
 * A trap (out of memory, out of stack, a fault of ours) ends the instance that it happened in, and
 * with it the indexes it kept: the next call runs on a new one.
 */
export function wasmEngine(source: Uint8Array): NativeEngine {
  const { WebAssembly } = globalThis as unknown as Platform
  const module = new WebAssembly.Module(source)
  const kept = new WeakMap<object, Kept>()
  const released = new FinalizationRegistry<Kept>(release)
  let keptCount = 0
  let exports = instantiate(module)
  let scratch = { address: 0, words: 0 }
  let bytes = new Uint8Array(exports.memory.buffer)
  let words = new Uint32Array(0)
  let told: (words: Uint32Array) => void = () => {}

  /** The views, made again when the memory has moved. */
  function look(): void {
    bytes = new Uint8Array(exports.memory.buffer)
    words = new Uint32Array(exports.memory.buffer, scratch.address, scratch.words)
    told(words)
  }

  function refresh(): void {
    if (bytes.buffer !== exports.memory.buffer) look()
  }

  function makeScratch(count: number, moved: (words: Uint32Array) => void): Uint32Array {
    told = () => {}
    const size = 2 * Math.ceil(Math.max(count, scratchWordsMin) / 2)
    const hasGrown = exports.memory.buffer.byteLength > memoryBytesKept
    // Not when words are added: an answer may wait for them.
    if (hasGrown && keptCount === 0 && size < scratch.words) exports = instantiate(module)
    scratch = { address: exports.scratch(size), words: size }
    look()
    told = moved
    return words
  }

  /** After a trap: nothing of the instance can be relied on. */
  function renew(): void {
    exports = instantiate(module)
    keptCount = 0
    scratch = { address: exports.scratch(scratch.words), words: scratch.words }
    look()
  }

  function release({ exports: owner, address, kind }: Kept): void {
    if (owner !== exports) return
    keptCount -= 1
    if (kind === 'index') owner.release_index(address)
    else owner.release_job(address)
  }

  function handleOf(kind: Kept['kind'], address: number): object {
    const handle = Object.freeze({})
    const entry = { exports, address, kind }
    kept.set(handle, entry)
    released.register(handle, entry)
    keptCount += 1
    return handle
  }

  function keptAddress(handle: unknown, kind: Kept['kind']): number | undefined {
    const entry = typeof handle === 'object' && handle !== null ? kept.get(handle) : undefined
    return entry?.kind === kind && entry.exports === exports ? entry.address : undefined
  }

  function putText(text: string, position: number): void {
    if (text.length > hexCharactersMax) {
      exports.overlong(position)
      return
    }
    const start = exports.text(position, text.length)
    refresh()
    const target = bytes.subarray(start, start + text.length)
    const { read, written } = encoder.encodeInto(text, target)
    if (read === text.length && written === text.length) return
    for (let at = 0; at < text.length; at += 1) target[at] = text.charCodeAt(at)
  }

  function putArray(array: ArrayBufferView, position: number): number | undefined {
    const misuse = memoryMisuse(array)
    if (misuse !== undefined) return misuse
    const start = exports.array(position, array.byteLength)
    refresh()
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start)
    return undefined
  }

  /** Hands an input over; the number of the caller's mistake, if it is one. */
  function put(kind: InputKind, value: unknown, position: number): number | undefined {
    if (kind === 'index' || kind === 'job') {
      const address = keptAddress(value, kind)
      if (address === undefined) {
        return kind === 'index' ? misuseNumbers.expectedIndex : misuseNumbers.expectedJob
      }
      exports[kind](address)
      return undefined
    }
    const { isText, array, misuse } = forms[kind]
    if (isText && typeof value === 'string') {
      putText(value, position)
      return undefined
    }
    if (array === undefined || arrayName(value) !== array) return misuse
    const view = value as ArrayBufferView
    if (kind === 'source' && view.byteLength > sourceBytesMax) {
      exports.overlong(position)
      return memoryMisuse(view)
    }
    return putArray(view, position)
  }

  function answerText(): string {
    const start = exports.answer()
    const length = exports.answer_length()
    refresh()
    return length === 0 ? '' : decoder.decode(bytes.subarray(start, start + length))
  }

  const answers: { readonly [kind in AnswerKind]: () => unknown } = {
    text: answerText,
    index: () => handleOf('index', exports.made_index()),
    job: () => Promise.resolve(handleOf('job', exports.made_job())),
  }

  /** Runs one call to its end; undefined if it failed, which the words then tell. */
  function run(answer: AnswerKind, invoke: () => number, hand: () => number | undefined): unknown {
    try {
      const misuse = hand()
      if (misuse !== undefined) {
        refresh()
        words.set([misused, misuse, 0, 0])
        exports.finish()
        return undefined
      }
      const code = invoke()
      const result = code === 0 ? answers[answer]() : undefined
      exports.finish()
      refresh()
      return result
    } catch (cause) {
      renew()
      throw new AntaraError('engine_failed', {}, { cause })
    }
  }

  const functions = seamFunctions.map(({ name, inputs, answer }, index) => [
    name,
    (...values: unknown[]) =>
      run(
        answer,
        () => exports.invoke(index),
        () => {
          for (let at = 0; at < inputs.length; at += 1) {
            const misuse = put(inputs[at]!, values[at], at)
            if (misuse !== undefined) return misuse
          }
          return undefined
        },
      ),
  ])
  return {
    ...Object.fromEntries(functions),
    abi: exports.abi() >>> 0,
    makeScratch,
    takeAnswer: () =>
      run(
        'text',
        () => exports.take(),
        () => undefined,
      ),
  } as NativeEngine
}

interface Form {
  readonly isText: boolean
  readonly array?: string
  readonly misuse: number
}

const forms: { readonly [kind in Exclude<InputKind, 'index' | 'job'>]: Form } = {
  source: { isText: true, array: 'Uint8Array', misuse: misuseNumbers.expectedSource },
  hex: { isText: true, misuse: misuseNumbers.expectedHex },
  bytes: { isText: false, array: 'Uint8Array', misuse: misuseNumbers.expectedBytes },
  values: { isText: false, array: 'BigInt64Array', misuse: misuseNumbers.expectedValues },
  numbers: { isText: false, array: 'Uint32Array', misuse: misuseNumbers.expectedNumbers },
}

const tag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)!.get!

/** Of a typed array of any realm or subclass, its name; undefined of all else. */
function arrayName(value: unknown): string | undefined {
  return tag.call(value)
}

function memoryMisuse({ buffer, byteLength }: ArrayBufferView): number | undefined {
  if (Object.prototype.toString.call(buffer) !== '[object ArrayBuffer]') {
    return misuseNumbers.memoryShared
  }
  return byteLength === 0 && isDetached(buffer) ? misuseNumbers.memoryDetached : undefined
}

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer) === undefined
  } catch {
    return true
  }
}

function instantiate(module: object): Exports {
  const { WebAssembly } = globalThis as unknown as Platform
  const exports = new WebAssembly.Instance(module).exports as Exports
  exports._initialize()
  return exports
}
