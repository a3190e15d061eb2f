import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { type AntaraError, verifySignature } from '../../../src/index.ts'

interface WycheproofTest {
  readonly tcId: number
  readonly comment: string
  readonly msg: string
  readonly sig: string
  readonly result: 'valid' | 'invalid'
}

interface WycheproofGroup {
  readonly publicKey: string
  readonly tests: readonly WycheproofTest[]
}

function groupsOf(name: string): WycheproofGroup[] {
  const path = new URL(`../../vectors/signing/wycheproof-${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8')).groups
}

function sha256(hex: string): string {
  return createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same signature with the other s. */
function withOtherS(compact: string): string {
  const other = order - BigInt(`0x${compact.slice(64)}`)
  return compact.slice(0, 64) + other.toString(16).padStart(64, '0')
}

describe('Wycheproof', () => {
  test('Bitcoin variant: DER, low S', () => {
    const counts = { valid: 0, invalid: 0 }
    for (const { publicKey, tests } of groupsOf('bitcoin')) {
      for (const { tcId, msg, sig, result } of tests) {
        counts[result] += 1
        const parts = { hash: sha256(msg), publicKey, signature: sig, encoding: 'der' as const }
        expect(verifySignature(parts).ok, `test ${tcId}`).toBe(result === 'valid')
      }
    }
    expect(counts).toEqual({ valid: 110, invalid: 296 })
  })

  test('P1363: r and s, of which these chains take the low S only', () => {
    const counts = { valid: 0, invalid: 0, highS: 0 }
    for (const { publicKey, tests } of groupsOf('p1363')) {
      for (const { tcId, msg, sig, result } of tests) {
        counts[result] += 1
        const parts = { hash: sha256(msg), publicKey, encoding: 'compact' as const }
        const found = verifySignature({ ...parts, signature: sig })
        if (found.code === 'signature_high_s') {
          counts.highS += 1
          const low = verifySignature({ ...parts, signature: withOtherS(sig) })
          expect(low.ok, `test ${tcId}`).toBe(result === 'valid')
        } else {
          expect(found.ok, `test ${tcId}`).toBe(result === 'valid')
        }
      }
    }
    expect(counts).toEqual({ valid: 167, invalid: 85, highS: 80 })
  })
})

// The creation of a token by the key 1, worked out by hand from komodo src/script/interpreter.cpp,
// SignatureHash, and from RFC 6979.
const worked = {
  hash: 'e0cfb07d20344799030170edae05a99df461a84a6d4ecb5e52cc17191f41393e',
  publicKey: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  signature:
    '304402207ae6632a4e8b14df2bc18fcfebc99f46ce075ce8505a48c25c503e0b8f58c966022005acaae08cdc6f4dc189dde19d4c5ef30a9d86afa7499e3bf4e73a52b4418eb1',
  encoding: 'der',
} as const

describe('one signature', () => {
  test.each([
    ['as it is', {}, undefined],
    ['for another hash', { hash: '00'.repeat(32) }, 'signature_mismatch'],
    [
      'under another key',
      { publicKey: '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5' },
      'signature_mismatch',
    ],
    ['under no point', { publicKey: `02${'ff'.repeat(32)}` }, 'public_key_off_curve'],
    ['under a short key', { publicKey: '02' }, 'malformed_public_key'],
    ['that is not there', { signature: '' }, 'signature_missing'],
    ['with a byte more', { signature: `${worked.signature}00` }, 'signature_length'],
    ['read as compact', { encoding: 'compact' as const }, 'compact_signature_length'],
  ])('%s', (_, change, code) => {
    const expected = code === undefined ? { ok: true } : { ok: false, code }
    expect(verifySignature({ ...worked, ...change })).toEqual(expected)
  })

  test('a hash of another length is malformed', () => {
    expect(() => verifySignature({ ...worked, hash: '00' })).toThrow(
      expect.objectContaining({ code: 'wrong_length' } satisfies Partial<AntaraError>),
    )
  })

  test('misuse is a TypeError', () => {
    expect(() => verifySignature({ ...worked, encoding: 'ber' as never })).toThrow(TypeError)
    expect(() => verifySignature({ ...worked, hash: 1 as never })).toThrow(TypeError)
    expect(() => verifySignature(undefined as never)).toThrow(TypeError)
  })
})
