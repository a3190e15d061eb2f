// Public keys and the scripts that pay them.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { putModulesBack } from '../../support/own-modules.ts'

const work = { reads: 0 }

// Modules of their own: others may have loaded them without the count.
putModulesBack()
vi.resetModules()
vi.doMock('../../../src/engine/calls.ts', async (original) => {
  const actual = await original<typeof import('../../../src/engine/calls.ts')>()
  const readPublicKeys: typeof actual.readPublicKeys = (keys) => {
    work.reads += 1
    return actual.readPublicKeys(keys)
  }
  return { ...actual, readPublicKeys }
})

const { hashOfKey, isCompressedPoint, learnPublicKeys } = await import(
  '../../../src/script/public-key.ts'
)
const { hasKeyForm, paysKey, pubkeyHashScript, scriptHashOf } = await import(
  '../../../src/script/key-script.ts'
)
const { canKeySign, isBurnKey, isUsableKey } = await import('../../../src/script/usable-key.ts')
const { scriptSigBytesMax } = await import('../../../src/script/script-sig-bytes.ts')
vi.doUnmock('../../../src/engine/calls.ts')

beforeEach(() => {
  work.reads = 0
})

// Multiples of the generator, and RIPEMD-160 of SHA-256 of each.
const key1 = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const hash1 = '751e76e8199196d454941c45d1b3a323f1433bd6'
const key2 = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'
const hash2 = '06afd46bcdfd22ef94ac122aa11f241244a37ecc'
const key3 = '02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9'
const hash3 = '7dd65592d0ab2fe0d0257d571abf032cd9db93dc'
const long1 =
  '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'
const longHash1 = '91b24bf9f5288532960ac687abb035127b1d28a5'
/** No point of the curve has this x. */
const offCurve = `02${'00'.repeat(31)}05`

describe('keys that are learned together', () => {
  test('cross into the native core once, and texts that are not keys are left out', () => {
    learnPublicKeys(['', 'nonsense', long1, key3.toUpperCase(), key2, offCurve, `${key2}00`, key3])
    expect(work.reads).toBe(1)
    expect([key2, offCurve, key3].map(isCompressedPoint)).toEqual([true, false, true])
    expect([key2, key3].map(hashOfKey)).toEqual([hash2, hash3])
    expect(work.reads).toBe(1)
  })

  test('are read one by one otherwise', () => {
    expect(isCompressedPoint(key1)).toBe(true)
    expect(work.reads).toBe(1)
    expect(hashOfKey(key1)).toBe(hash1)
    expect(isCompressedPoint(long1)).toBe(false)
  })

  test('have a hash in any form, without being learned', () => {
    expect(hashOfKey(long1)).toBe(longHash1)
    expect(work.reads).toBe(0)
  })
})

// The y of the generator is even, so its hybrid form begins with 06.
const hybrid = `06${long1.slice(2)}`
const longOffCurve = `${long1.slice(0, -1)}9`

describe('a key', () => {
  test.each<[string, string, boolean, boolean, boolean]>([
    // has its form, is usable, may sign
    ['compressed', key1, true, true, true],
    ['uncompressed', long1, true, true, true],
    ['hybrid', hybrid, true, false, true],
    ['compressed off the curve', offCurve, true, false, false],
    ['uncompressed off the curve', longOffCurve, true, false, false],
    ['hybrid off the curve', `06${longOffCurve.slice(2)}`, true, false, false],
    ['compressed with a byte more', `${key1}00`, false, false, false],
    ['compressed behind a byte', `00${key1}`, false, false, false],
    ['uncompressed with a byte more', `${long1}00`, false, false, false],
    ['uncompressed behind a byte', `00${long1}`, false, false, false],
    ['hybrid with a byte more', `${hybrid}00`, false, false, false],
    ['hybrid behind a byte', `00${hybrid}`, false, false, false],
    ['uncompressed, cut to its first byte', '04', false, false, false],
    ['of three digits', '04a', false, false, false],
    ['with a first byte of 05', `05${long1.slice(2)}`, false, false, false],
  ])('%s', (_, pubkey, hasForm, isUsable, canSign) => {
    expect(hasKeyForm(pubkey)).toBe(hasForm)
    expect(isUsableKey(pubkey)).toBe(isUsable)
    expect(canKeySign(pubkey)).toBe(canSign)
  })
})

describe('a script that pays a key', () => {
  test.each([
    ['a key, pushed directly', `21${key1}ac`, true],
    ['a key, by OP_PUSHDATA1', `4c21${key1}ac`, true],
    ['a key, by OP_PUSHDATA2', `4d2100${key1}ac`, true],
    ['a key, by OP_PUSHDATA4', `4e21000000${key1}ac`, true],
    ['a hash, pushed directly', `76a914${hash1}88ac`, true],
    ['a hash, by OP_PUSHDATA1', `76a94c14${hash1}88ac`, true],
    ['a hash, by OP_PUSHDATA2', `76a94d1400${hash1}88ac`, true],
    ['a hash, by OP_PUSHDATA4', `76a94e14000000${hash1}88ac`, true],
    ['another key', `21${key2}ac`, false],
    ['the hash of another key', `76a914${hash2}88ac`, false],
    ['a hash, with more behind it', `76a914${hash1}88ac00`, false],
    ['a key, with more behind it', `21${key1}ac00`, false],
  ])('pays %s', (_, script, expected) => {
    expect(paysKey(script, key1)).toBe(expected)
  })

  test.each([
    ['no bytes', ''],
    ['32 bytes', key1.slice(0, 64)],
    ['an uncompressed key, cut', long1.slice(0, 66)],
    ['a first byte of 05', `05${long1.slice(2)}`],
  ])('pays no key where the key has %s', (_, pubkey) => {
    const push = (pubkey.length / 2).toString(16).padStart(2, '0')
    expect(paysKey(`${push}${pubkey}ac`, pubkey)).toBe(false)
    expect(paysKey(`76a914${hashOfKey(pubkey)}88ac`, pubkey)).toBe(false)
  })
})

test('a script of the hash of a key has that hash', () => {
  expect(pubkeyHashScript(key1)).toBe(`76a914${hash1}88ac`)
  expect(pubkeyHashScript(long1)).toBe(`76a914${longHash1}88ac`)
})

// SHA-256 and RIPEMD-160 of the one byte 0xac.
test('the hash of a redeem script does not depend on the case of its hex', () => {
  expect(scriptHashOf('AC')).toBe(scriptHashOf('ac'))
  expect(scriptHashOf('AC')).toMatch(/^a914[0-9a-f]{40}87$/)
})

/** A push of a signature: its length, 72 bytes of DER, and the hash type. */
const signature = 74

describe('the most bytes of a scriptSig, and of the length before it if that takes three', () => {
  const hash = `a914${'00'.repeat(20)}87`
  /** One signature for a script of some bytes between the two numbers. */
  const oneOf = (bytes: number) => `51${'ab'.repeat(bytes - 3)}51ae`

  test.each<[string, string, string | undefined, number | undefined]>([
    ['a compressed key', `21${key1}ac`, undefined, signature],
    ['an uncompressed key', `41${long1}ac`, undefined, signature],
    ['the hash of a key', `76a914${hash1}88ac`, undefined, signature + 34],
    ['1 of 1', `5121${key1}51ae`, undefined, 1 + signature],
    ['3 of 3', `53${`21${key1}`.repeat(3)}53ae`, undefined, 1 + 3 * signature],
    ['4 of 4', `54${`21${key1}`.repeat(4)}54ae`, undefined, 1 + 4 * signature + 2],
    ['15 of 15', `5f${`21${key1}`.repeat(15)}5fae`, undefined, 1 + 15 * signature + 2],
    ['a script hash without its script', hash, undefined, undefined],
    ['a key behind a hash', hash, `21${key1}ac`, signature + 1 + 35],
    ['75 bytes behind a hash', hash, oneOf(75), 1 + signature + 1 + 75],
    ['76 bytes behind a hash', hash, oneOf(76), 1 + signature + 2 + 76],
    ['255 bytes behind a hash', hash, oneOf(255), 1 + signature + 2 + 255 + 2],
    ['256 bytes behind a hash', hash, oneOf(256), 1 + signature + 3 + 256 + 2],
    ['an unknown script behind a hash', hash, '51', undefined],
    ['0 of 1', `0021${key1}51ae`, undefined, undefined],
    ['16 of 16', `60${`21${key1}`.repeat(16)}60ae`, undefined, undefined],
    ['1 of 1 behind another step', `615121${key1}51ae`, undefined, undefined],
    ['1 of 1 before another step', `5121${key1}51ae61`, undefined, undefined],
    ['a key before another step', `21${key1}ac61`, undefined, undefined],
    ['a key behind another step', `6121${key1}ac`, undefined, undefined],
  ])('%s', (_, script, redeemScript, expected) => {
    expect(scriptSigBytesMax(script, redeemScript)).toBe(expected)
  })

  test('a length of 252 bytes takes one byte, and of 253 bytes three', () => {
    // 1 + 74 + 2 + 175 = 252
    expect(scriptSigBytesMax(hash, oneOf(175))).toBe(252)
    expect(scriptSigBytesMax(hash, oneOf(176))).toBe(255)
  })
})

// komodo and tokel src/cc/CCinclude.h: CC_BURNPUBKEY, CC_BURNPUBKEY_FIXED
test.each([`02${'dead'.repeat(16)}`, `02${'dead'.repeat(15)}deaa`])(
  'nobody can use the key %s, which burns tokens',
  (key) => {
    expect(isBurnKey(key)).toBe(true)
    expect(isUsableKey(key)).toBe(false)
    expect(canKeySign(key)).toBe(false)
  },
)

test('a key beside those that burn tokens is no such key', () => {
  expect([key1, key2, long1, `03${'dead'.repeat(16)}`].map(isBurnKey)).toEqual([
    false,
    false,
    false,
    false,
  ])
})
