import { blake2b } from '@noble/hashes/blake2.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as secp from '@noble/secp256k1'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { signatureHash, signaturePreimage, verifySignature } from '../../src/index.ts'
import { least, share } from '../support/share.ts'

secp.hashes.sha256 = sha256
secp.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const secretKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((key) => secp.utils.isValidSecretKey(key))
const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 })

/** Changes to a signature: none, a flipped bit, a byte set, s turned around. */
const changes = fc.oneof(
  fc.constant((signature: Uint8Array) => signature),
  fc.integer({ min: 0, max: 511 }).map((bit) => (signature: Uint8Array) => {
    const changed = Uint8Array.from(signature)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    return changed
  }),
  fc.tuple(fc.nat(63), fc.nat(255)).map(([at, byte]) => (signature: Uint8Array) => {
    const changed = Uint8Array.from(signature)
    changed[at] = byte
    return changed
  }),
  fc.constant((signature: Uint8Array) => {
    const order = secp.Point.CURVE().n
    const other = order - BigInt(`0x${hex(signature.subarray(32))}`)
    return Uint8Array.from(
      Buffer.from(hex(signature.subarray(0, 32)) + other.toString(16).padStart(64, '0'), 'hex'),
    )
  }),
  fc.constantFrom(0x00, 0xff).map((byte) => (signature: Uint8Array) => {
    const changed = Uint8Array.from(signature)
    changed.fill(byte, 32)
    return changed
  }),
)

function theyAccept(signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return secp.verify(signature, hash, publicKey, { prehash: false, lowS: true })
  } catch {
    return false
  }
}

test('the engine and @noble/secp256k1 agree on signatures, whole and changed', () => {
  let accepted = 0
  fc.assert(
    fc.property(
      secretKeys,
      hashes,
      changes,
      fc.boolean(),
      (secretKey, hash, change, compressed) => {
        const publicKey = secp.getPublicKey(secretKey, compressed)
        const signed = secp.sign(hash, secretKey, { prehash: false })
        const signature = change(signed)
        const ours = verifySignature({
          hash: hex(hash),
          publicKey: hex(publicKey),
          signature: hex(signature),
          encoding: 'compact',
        })
        expect(ours.ok).toBe(theyAccept(signature, hash, publicKey))
        accepted += ours.ok ? 1 : 0
      },
    ),
    { numRuns: share(300, 60) },
  )
  expect(accepted).toBeGreaterThan(least(30))
})

test('the engine and @noble/secp256k1 agree on what is a public key', () => {
  const signature = hex(
    secp.sign(new Uint8Array(32).fill(1), new Uint8Array(32).fill(1), { prehash: false }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7),
      fc.oneof(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ minLength: 64, maxLength: 64 }),
        secretKeys.map((key) => secp.getPublicKey(key, false).slice(1)),
      ),
      (lead, coordinates) => {
        const publicKey = Uint8Array.of(lead, ...coordinates)
        let isPoint = true
        try {
          secp.Point.fromBytes(publicKey)
        } catch {
          isPoint = false
        }
        const { code } = verifySignature({
          hash: '01'.repeat(32),
          publicKey: hex(publicKey),
          signature,
          encoding: 'compact',
        })
        const isRefused = code === 'malformed_public_key' || code === 'public_key_off_curve'
        expect(isRefused).toBe(!isPoint)
      },
    ),
    { numRuns: share(500) },
  )
})

/** A version 4 transaction with one input, its script as long as wanted. */
function saplingTransaction(scriptBytes: number): string {
  const count =
    scriptBytes < 0xfd
      ? scriptBytes.toString(16).padStart(2, '0')
      : `fd${hex(Uint8Array.of(scriptBytes & 0xff, scriptBytes >> 8))}`
  return [
    '0400008085202f89',
    `01${'22'.repeat(32)}0100000000fffffffe`,
    `01${'03'.repeat(8)}${count}${'51'.repeat(scriptBytes)}`,
    '00'.repeat(4 + 4 + 8 + 3),
  ].join('')
}

test('our BLAKE2b and that of @noble/hashes agree on messages of any length', () => {
  fc.assert(
    fc.property(
      fc.nat(600),
      fc.uint8Array({ maxLength: 600 }),
      fc.integer({ min: 0, max: 0xffffffff }),
      fc.integer({ min: 0, max: 0xffffffff }),
      (outputScriptBytes, scriptCode, branchId, hashType) => {
        const source = saplingTransaction(outputScriptBytes)
        const options = { scriptCode: hex(scriptCode), value: 5n, branchId, hashType }
        const preimage = Buffer.from(signaturePreimage(source, 0, options), 'hex')
        const personalization = Buffer.concat([Buffer.from('ZcashSigHash'), Buffer.alloc(4)])
        personalization.writeUInt32LE(branchId, 12)
        const expected = blake2b(preimage, { dkLen: 32, personalization })
        expect(signatureHash(source, 0, options)).toBe(hex(expected))

        // The hash of all outputs, inside the preimage, hashes a message of another length.
        const base = hashType & 0x1f
        if (base === 2 || base === 3) return
        const outputs = Buffer.from(source.slice(2 * 51, -2 * 19), 'hex')
        const outputsHash = blake2b(outputs, {
          dkLen: 32,
          personalization: Buffer.from('ZcashOutputsHash'),
        })
        expect(hex(preimage.subarray(72, 104))).toBe(hex(outputsHash))
      },
    ),
    { numRuns: share(300) },
  )
})
