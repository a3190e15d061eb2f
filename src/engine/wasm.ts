// The engine on WebAssembly: calls the module, and replaces an instance that trapped.

import { typedArrayName } from '../primitives/arguments.ts'
import type { NativeEngine } from './native.ts'
import { type AnswerKind, type InputKind, seamFunctions } from './table.ts'
import { argumentError, argumentErrorNumbers, scratchWordsMin, sourceBytesMax } from './words.ts'

/**
 * The used part of the platform's WebAssembly. Only the browser's type library declares it, and we
 * do not load it.
 */
interface Platform {
  /** Absent under `node --jitless`, and where a lockdown removed it. */
  readonly WebAssembly?: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: unknown }
  }
}

/**
 * The exports of native/wasm/trampoline.cpp. Addresses count bytes from the start of the memory.
 */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  abi(): number
  mailbox(): number
  scratch(words: number): number
  text_room(position: number, characters: number): void
  array_room(position: number, bytes: number): number
  index(address: number): void
  job(address: number): void
  invoke(index: number): number
  take(): number
  made_index(): number
  made_job(): number
  finish(): void
  release_index(address: number): void
  release_job(address: number): void
}

/** An object that an instance keeps; it ends with the instance. */
interface Kept {
  readonly exports: Exports
  readonly address: number
  readonly kind: 'index' | 'job'
}

/** The words of `Mailbox` in native/wasm/trampoline.cpp. Inputs have one word for each position. */
const mail = {
  forms: 0,
  lengths: 5,
  textAddresses: 10,
  textRooms: 15,
  answerAddress: 20,
  answerLength: 21,
  isGrown: 22,
  words: 23,
} as const
const formText = 1
const formOverLimit = 2
const formArray = 3

const hexCharactersMax = 2 * sourceBytesMax

/**
 * Above this size an instance without kept objects is dropped, because its memory never shrinks.
 */
const memoryBytesKept = 16 * 1024 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** @throws the platform's error if it does not compile the module */
export function compileWasm(source: Uint8Array): object {
  const { WebAssembly } = globalThis as unknown as Platform
  if (WebAssembly === undefined) throw new Error('there is no WebAssembly here (node --jitless?)')
  return new WebAssembly.Module(source)
}

/**
 * Runs the engine in a module of native/wasm, with the addon's calls and outcomes.
 *
 * A trap (out of memory, out of stack, a defect of ours) ends its instance and the indexes that the
 * instance kept. The next call runs on a new instance.
 *
 * @param failed - makes the error for a trap. A worker throws the cause itself, so that its code does
 *   not contain the table of errors
 */
export function wasmEngine(module: object, failed: (cause: unknown) => unknown): NativeEngine {
  const kept = new WeakMap<object, Kept>()
  const released = new FinalizationRegistry<Kept>(release)
  let keptCount = 0
  /** True after a call trapped; the next call then makes another instance. */
  let isBroken = false
  let exports = instantiate(module)
  let scratch = { address: 0, words: 0 }
  let bytes = new Uint8Array(0)
  let words = new Uint32Array(0)
  let mailbox = new Uint32Array(0)
  /** Addresses of the input texts, by position. */
  let rooms: (Uint8Array | undefined)[] = []
  let onScratchMoved: (words: Uint32Array) => void = () => {}

  /** Returns the views, and makes them anew after the memory has moved. */
  function look(): void {
    const { buffer } = exports.memory
    bytes = new Uint8Array(buffer)
    words = new Uint32Array(buffer, scratch.address, scratch.words)
    mailbox = new Uint32Array(buffer, exports.mailbox(), mail.words)
    rooms = []
    onScratchMoved(words)
  }

  /** Moved memory leaves an empty view behind. */
  function refresh(): void {
    if (bytes.length === 0) look()
  }

  function makeScratch(count: number, moved: (words: Uint32Array) => void): Uint32Array {
    if (isBroken) renew()
    isBroken = true
    onScratchMoved = () => {}
    const size = 2 * Math.ceil(Math.max(count, scratchWordsMin) / 2)
    const hasGrown = exports.memory.buffer.byteLength > memoryBytesKept
    // Keep the instance while words are added: an answer may wait for them.
    if (hasGrown && keptCount === 0 && size < scratch.words) exports = instantiate(module)
    scratch = { address: exports.scratch(size), words: size }
    look()
    onScratchMoved = moved
    isBroken = false
    return words
  }

  /**
   * After a trap the instance's state is undefined. It is replaced before the next call, not in the
   * handler: near the end of the stack there would be no room.
   */
  function renew(): void {
    exports = instantiate(module)
    keptCount = 0
    scratch = { address: exports.scratch(scratch.words), words: scratch.words }
    look()
    isBroken = false
  }

  function release({ exports: owner, address, kind }: Kept): void {
    if (owner !== exports || isBroken) return
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
    const { length } = text
    if (length > hexCharactersMax) {
      mailbox[mail.forms + position] = formOverLimit
      return
    }
    if (length > mailbox[mail.textRooms + position]!) {
      exports.text_room(position, length)
      refresh()
      rooms[position] = undefined
    }
    mailbox[mail.forms + position] = formText
    mailbox[mail.lengths + position] = length
    const room = rooms[position] ?? findRoom(position)
    const { read, written } = encoder.encodeInto(text, room)
    if (read === length && written === length) return
    for (let at = 0; at < length; at += 1) room[at] = text.charCodeAt(at)
  }

  function findRoom(position: number): Uint8Array {
    const start = mailbox[mail.textAddresses + position]!
    const room = bytes.subarray(start, start + mailbox[mail.textRooms + position]!)
    rooms[position] = room
    return room
  }

  function putArray(array: ArrayBufferView, position: number): number | undefined {
    const errorNumber = memoryArgumentError(array)
    if (errorNumber !== undefined) return errorNumber
    const start = exports.array_room(position, array.byteLength)
    refresh()
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start)
    mailbox[mail.forms + position] = formArray
    mailbox[mail.lengths + position] = array.byteLength
    return undefined
  }

  /** Copies an input; returns the number of the argument error, if there is one. */
  function put(kind: InputKind, value: unknown, position: number): number | undefined {
    if (typeof value === 'string' && (kind === 'source' || kind === 'hex')) {
      putText(value, position)
      return undefined
    }
    if (kind === 'index' || kind === 'job') {
      const address = keptAddress(value, kind)
      if (address === undefined) {
        return kind === 'index'
          ? argumentErrorNumbers.expectedIndex
          : argumentErrorNumbers.expectedJob
      }
      exports[kind](address)
      return undefined
    }
    const { array, errorNumber } = forms[kind]
    if (array === undefined || typedArrayName(value) !== array) return errorNumber
    const view = value as ArrayBufferView
    if (kind === 'source' && view.byteLength > sourceBytesMax) {
      mailbox[mail.forms + position] = formOverLimit
      return memoryArgumentError(view)
    }
    return putArray(view, position)
  }

  function answerText(): string {
    const start = mailbox[mail.answerAddress]!
    const length = mailbox[mail.answerLength]!
    return length === 0 ? '' : decoder.decode(bytes.subarray(start, start + length))
  }

  const answers: { readonly [kind in AnswerKind]: () => unknown } = {
    text: answerText,
    index: () => handleOf('index', exports.made_index()),
    job: () => Promise.resolve(handleOf('job', exports.made_job())),
  }

  /**
   * Returns the answer of a call that ended with `code`; undefined if it failed, and words 0 to 2
   * say why.
   */
  function answerOf(code: number, kind: AnswerKind): unknown {
    refresh()
    const answer = code === 0 ? answers[kind]() : undefined
    refresh()
    if (mailbox[mail.isGrown] !== 0) finish()
    return answer
  }

  function finish(): void {
    exports.finish()
    rooms = []
  }

  function fail(number: number): undefined {
    refresh()
    words.set([argumentError, number, 0, 0])
    finish()
    return undefined
  }

  const functions = seamFunctions.map(({ name, inputs, answer }, index) => [
    name,
    (...values: unknown[]): unknown => {
      try {
        if (isBroken) renew()
        for (let at = 0; at < inputs.length; at += 1) {
          const refused = put(inputs[at]!, values[at], at)
          if (refused !== undefined) return fail(refused)
        }
        return answerOf(exports.invoke(index), answer)
      } catch (cause) {
        isBroken = true
        throw failed(cause)
      }
    },
  ])
  function takeAnswer(): unknown {
    try {
      if (isBroken) renew()
      return answerOf(exports.take(), 'text')
    } catch (cause) {
      isBroken = true
      throw failed(cause)
    }
  }
  return {
    ...Object.fromEntries(functions),
    abi: exports.abi() >>> 0,
    makeScratch,
    takeAnswer,
  } as NativeEngine
}

interface Form {
  readonly array?: string
  readonly errorNumber: number
}

const forms: { readonly [kind in Exclude<InputKind, 'index' | 'job'>]: Form } = {
  source: { array: 'Uint8Array', errorNumber: argumentErrorNumbers.expectedSource },
  hex: { errorNumber: argumentErrorNumbers.expectedHex },
  bytes: { array: 'Uint8Array', errorNumber: argumentErrorNumbers.expectedBytes },
  values: { array: 'BigInt64Array', errorNumber: argumentErrorNumbers.expectedValues },
  numbers: { array: 'Uint32Array', errorNumber: argumentErrorNumbers.expectedNumbers },
}

function memoryArgumentError({ buffer, byteLength }: ArrayBufferView): number | undefined {
  if (Object.prototype.toString.call(buffer) !== '[object ArrayBuffer]') {
    return argumentErrorNumbers.memoryShared
  }
  return byteLength === 0 && isDetached(buffer) ? argumentErrorNumbers.memoryDetached : undefined
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
  const exports = new WebAssembly!.Instance(module).exports as Exports
  exports._initialize()
  return exports
}
