import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { native } from '../../../src/engine/call.ts'
import * as calls from '../../../src/engine/calls.ts'
import { engineFailed } from '../../../src/engine/loading.ts'
import { engineTakesKeys, holdKey, publicKeyFormsOf } from '../../../src/engine/private-keys.ts'
import { compileWasm, wasmEngine } from '../../../src/engine/wasm.ts'
import { argumentError, argumentErrorNumbers } from '../../../src/engine/words.ts'
import { isPrivateKey } from '../../../src/primitives/secp256k1.ts'
import { derOfCompact } from '../../../src/signing/der.ts'
import { isWasm, root } from '../../support/built.ts'
import { refusalOf } from '../../support/refusal.ts'
import { describeUnless } from '../../support/skip.ts'
import { readVectors } from '../../support/vectors.ts'

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.padStart(64, '0'), 'hex'))
const hash = '11'.repeat(32)
const key = () => bytesOf('07')
const seed = () => bytesOf('2a')

/** SEC 2, section 2.4.1: the order of the group, and its neighbours. */
const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const below = `${order.slice(0, -1)}0`
const above = `${order.slice(0, -1)}2`

afterEach(() => {
  vi.restoreAllMocks()
})

interface Vectors {
  readonly messages: readonly { d: string; message: string; signature: string }[]
  readonly hashes: readonly { d: string; m: string; signature: string }[]
}
const vectors = readVectors<Vectors>('signing/rfc6979.json')

test('published signatures with nonces of RFC 6979 come out', () => {
  for (const { d, message, signature } of vectors.messages) {
    const digest = createHash('sha256').update(message).digest('hex')
    expect(derOfCompact(holdKey(bytesOf(d)).sign(digest))).toBe(signature)
  }
  for (const { d, m, signature } of vectors.hashes) {
    expect(holdKey(bytesOf(d)).sign(m)).toBe(signature)
  }
  expect(vectors.messages.length + vectors.hashes.length).toBe(16)
})

test('the numbers of private keys end below the order of the group', () => {
  const valid = ['01', below, `00${'ff'.repeat(31)}`, `ff${'00'.repeat(31)}`]
  const invalid = ['00', order, above, 'ff'.repeat(32)]
  expect(valid.map((hex) => isPrivateKey(bytesOf(hex)))).toEqual(valid.map(() => true))
  expect(invalid.map((hex) => isPrivateKey(bytesOf(hex)))).toEqual(invalid.map(() => false))
  expect(isPrivateKey(new Uint8Array(31).fill(1))).toBe(false)
  expect(isPrivateKey(new Uint8Array(33).fill(1))).toBe(false)
})

test('bytes that are taken over become zeros', () => {
  const held = key()
  const { sign } = holdKey(held)
  expect(held).toEqual(new Uint8Array(32))
  expect(sign(hash)).toBe(holdKey(key()).sign(hash))
  const read = key()
  expect(publicKeyFormsOf(read)[0]).toBe(holdKey(key()).publicKeys[0])
  expect(read).toEqual(new Uint8Array(32))
})

test('a key whose public key was read is left nowhere in memory', () => {
  const made: ArrayBuffer[] = []
  const Original = ArrayBuffer
  vi.stubGlobal(
    'ArrayBuffer',
    class extends Original {
      constructor(size: number) {
        super(size)
        made.push(this)
      }
    },
  )
  try {
    publicKeyFormsOf(key())
  } finally {
    vi.unstubAllGlobals()
  }
  expect(made.length).toBeGreaterThan(0)
  for (const buffer of made) expect(new Uint8Array(buffer).every((byte) => byte === 0)).toBe(true)
})

describeUnless(isWasm && 'private keys do not enter WebAssembly')('the addon', () => {
  test('takes private keys', () => {
    expect(engineTakesKeys()).toBe(true)
  })

  test.each(['00', order, above, 'ff'.repeat(32)])('refuses %s for a key', (hex) => {
    const refused = { code: 'malformed_private_key', offset: 0 }
    expect(refusalOf(() => calls.derivePublicKey(bytesOf(hex), seed()))).toEqual(refused)
    expect(refusalOf(() => calls.signHash(hash, bytesOf(hex), seed()))).toEqual(refused)
  })

  const wrongLengths: [string, () => unknown][] = [0, 31, 33, 64].flatMap((length) => {
    const wrong = new Uint8Array(length).fill(1)
    return [
      [`a key of ${length} bytes, to derive`, () => calls.derivePublicKey(wrong, seed())],
      [`a seed of ${length} bytes, to derive`, () => calls.derivePublicKey(key(), wrong)],
      [`a key of ${length} bytes, to sign`, () => calls.signHash(hash, wrong, seed())],
      [`a seed of ${length} bytes, to sign`, () => calls.signHash(hash, key(), wrong)],
      [
        `a hash of ${length} bytes`,
        () => calls.signHash(Buffer.from(wrong).toString('hex'), key(), seed()),
      ],
    ] as [string, () => unknown][]
  })
  test.each(wrongLengths)('refuses %s', (_, call) => {
    expect(call).toThrow(new TypeError('expected 32 bytes'))
  })

  test('refuses a key in memory that others can change, or that is gone', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(32)) as Uint8Array
    expect(() => calls.signHash(hash, shared, seed())).toThrow('shared between threads')
    const gone = key()
    structuredClone(gone, { transfer: [gone.buffer] })
    expect(() => calls.signHash(hash, gone, seed())).toThrow(TypeError)
    expect(() => calls.derivePublicKey(gone, seed())).toThrow(TypeError)
  })

  test('gives the same bytes for every seed', () => {
    const seeds = ['00', '01', order, 'ff'.repeat(32)].map(bytesOf)
    expect(new Set(seeds.map((it) => calls.signHash(hash, key(), it))).size).toBe(1)
    expect(new Set(seeds.map((it) => calls.derivePublicKey(key(), it))).size).toBe(1)
  })

  test('gets a fresh seed for each use, which is zeros afterwards', () => {
    const { sign } = holdKey(key())
    const given: Uint8Array[] = []
    const drawn: string[] = []
    const original = native.signHash
    const engine = Object.getPrototypeOf(native) as typeof native
    vi.spyOn(engine, 'signHash').mockImplementation((...args) => {
      given.push(args[2])
      drawn.push(Buffer.from(args[2]).toString('hex'))
      return original.apply(engine, args)
    })
    for (let use = 0; use < 20; use += 1) sign(hash)
    expect(new Set(drawn).size).toBe(20)
    expect(given.map((bytes) => bytes.every((byte) => byte === 0))).not.toContain(false)
  })

  test('is not called without random bytes', () => {
    const { sign } = holdKey(key())
    const engine = Object.getPrototypeOf(native) as typeof native
    const called = vi.spyOn(engine, 'signHash')
    vi.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
      throw new Error('no entropy')
    })
    expect(() => sign(hash)).toThrow('no entropy')
    expect(called).not.toHaveBeenCalled()
  })
})

describe('WebAssembly', () => {
  const engine = wasmEngine(
    compileWasm(readFileSync(`${root}native/wasm/antara_tx.wasm`)),
    engineFailed,
  )
  const words = engine.makeScratch(4096, () => {})

  test('does not say that it takes keys', () => {
    expect(engine.takesKeys).toBeUndefined()
  })

  test.each([
    ['signs nothing', () => engine.signHash(hash, key(), seed())],
    ['derives no key', () => engine.derivePublicKey(key(), seed())],
  ])('%s', (_, call) => {
    expect(call()).toBeUndefined()
    expect([...words.slice(0, 2)]).toEqual([argumentError, argumentErrorNumbers.keysStayOutside])
  })
})
