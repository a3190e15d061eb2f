// The tables of multiples of the generator with which signatures are verified. WebAssembly computes
// its own when an instance starts, so every entry of them is read here. A
// quick run reads one in seven.

import { createECDH } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { engineFailed } from '../../../src/engine/loading.ts'
import { compileWasm, wasmEngine } from '../../../src/engine/wasm.ts'
import { verifySignature } from '../../../src/index.ts'
import { isQuick } from '../../support/share.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const modulo = (value: bigint) => ((value % order) + order) % order
const hexOf = (value: bigint) => value.toString(16).padStart(64, '0')

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = modulo(result * square)
    square = modulo(square * square)
  }
  return result
}
const inverse = (value: bigint) => power(value, order - 2n)

/** The public key of a private key, by Node's OpenSSL. */
function publicKeyOf(secret: bigint): string {
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(Buffer.from(hexOf(secret), 'hex'))
  return curve.getPublicKey('hex', 'compressed')
}

const secret = 0x1234_5678_9abc_def0_1234_5678_9abc_def1n
const publicKey = publicKeyOf(secret)

/**
 * Returns a valid signature whose verification multiplies the generator by `factor`. A verifier adds
 * `factor` times G and `other` times the key, so the sum is chosen first, and the hash follows.
 *
 * @see SEC 1, section 4.1.4
 */
function signatureThatTakes(factor: bigint) {
  for (let other = 2n; ; other += 1n) {
    const r = modulo(BigInt(`0x${publicKeyOf(modulo(factor + other * secret)).slice(2)}`))
    const s = modulo(r * inverse(other))
    // The chains take the lower one of the two values of s.
    if (s > order / 2n) continue
    return { hash: hexOf(modulo(factor * s)), publicKey, signature: hexOf(r) + hexOf(s) }
  }
}

/** The first word of a signature's record, and of the answer: `Signature` of src/engine/records.ts. */
const signatureWord = 4

/** Odd factors below this size are one entry of a table each: ECMULT_WINDOW_SIZE of both builds. */
const factorsMax = { wasm: 2n ** 7n, addon: 2n ** 11n }
/** The tables are multiples of G, and of 2^128 G. */
const tables = [1n, 2n ** 128n]

function* factorsOf(max: bigint, step: bigint) {
  for (const unit of tables) {
    for (let odd = 1n; odd < max; odd += step) yield odd * unit
    yield (max - 1n) * unit
  }
}

test('WebAssembly verifies by every entry of both tables', () => {
  const source = readFileSync(new URL('../../../native/wasm/antara_tx.wasm', import.meta.url))
  const engine = wasmEngine(compileWasm(source), engineFailed)
  let words = engine.makeScratch(64, (moved) => {
    words = moved
  })
  const errorOf = ({ hash, signature }: ReturnType<typeof signatureThatTakes>) => {
    words.set([publicKey.length / 2, 0], signatureWord)
    expect(engine.verifySignature(hash + publicKey + signature)).toBeDefined()
    return words[signatureWord]
  }
  for (const factor of factorsOf(factorsMax.wasm, isQuick ? 14n : 2n)) {
    const made = signatureThatTakes(factor)
    expect(errorOf(made), `${factor} G`).toBe(0)
    expect(errorOf({ ...made, hash: hexOf(factor) })).not.toBe(0)
  }
})

test('the chosen engine verifies by entries from the first to the last', () => {
  for (const factor of factorsOf(factorsMax.addon, isQuick ? 310n : 62n)) {
    const made = signatureThatTakes(factor)
    expect(verifySignature({ ...made, encoding: 'compact' }), `${factor} G`).toEqual({ ok: true })
  }
})
