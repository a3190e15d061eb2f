import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  type ConditionTree,
  conditionFromJson,
  conditionToJson,
  conditionUri,
  decodeCondition,
  decodeFulfillment,
  encodeCondition,
  encodeFulfillment,
  parseConditionUri,
  verifyFulfillment,
} from '../../../src/index.ts'
import { isQuick, shareOf } from '../../support/share.ts'

function vectors(path: string) {
  return JSON.parse(readFileSync(new URL(`../../vectors/${path}`, import.meta.url), 'utf8'))
}

function errorOf(call: () => unknown): Partial<AntaraError> {
  try {
    call()
  } catch (error) {
    return error as AntaraError
  }
  return {}
}

interface Vector {
  name: string
  json: unknown
  fulfillment: string
  conditionBinary: string
  conditionUri: string
  message: string
}

const evalVector = '1000_test-minimal-eval'

describe.each([
  ['komodo', 20],
  ['rfc', 18],
])('the vectors of %s', (set, count) => {
  const all: Vector[] = vectors(`condition/${set}.json`).vectors

  test(`are ${count}`, () => {
    expect(all.length).toBe(count)
  })

  test.each(all)('$name', (vector) => {
    const fulfillment = vector.fulfillment.toLowerCase()
    const condition = vector.conditionBinary.toLowerCase()
    const tree = decodeFulfillment(vector.fulfillment)
    expect(encodeFulfillment(tree)).toBe(fulfillment)
    expect(encodeCondition(tree)).toBe(condition)

    const fromJson = conditionFromJson(vector.json)
    expect(encodeCondition(fromJson)).toBe(condition)
    expect(encodeFulfillment(fromJson)).toBe(fulfillment)
    expect(conditionFromJson(conditionToJson(fromJson))).toEqual(fromJson)

    const decoded = decodeCondition(vector.conditionBinary)
    expect(encodeCondition(decoded)).toBe(condition)
    expect(parseConditionUri(vector.conditionUri)).toEqual(decoded)
    expect(parseConditionUri(conditionUri(tree))).toEqual(decoded)
    // The two sets differ in the order of subtypes; ours is that of the C library.
    if (set === 'komodo') expect(conditionUri(condition)).toBe(vector.conditionUri)

    const verdict =
      vector.name === evalVector ? { ok: true, code: 'eval_decided_by_chain' } : { ok: true }
    expect(verifyFulfillment(vector.fulfillment, vector.message, condition)).toEqual(verdict)
  })

  test.each(all)('$name with any one bit changed', ({ fulfillment, message, conditionBinary }) => {
    // Every bit of the shorter ones, a spread of the longer ones.
    const step = fulfillment.length < 500 ? 1 : 37
    const changed = [
      ...flips(fulfillment, step).map((hex) => [hex, conditionBinary] as const),
      ...flips(conditionBinary, 1).map((hex) => [fulfillment, hex] as const),
    ]
    expect(changed.length).toBeGreaterThan(300)
    const tried = shareOf(changed, 0, 15)
    expect(tried.filter(([hex, other]) => verifyFulfillment(hex, message, other).ok)).toEqual([])
  })
})

function flips(hex: string, step: number): string[] {
  const bits: string[] = []
  for (let bit = 0; bit < hex.length * 4; bit += step) bits.push(flipped(hex, bit))
  return bits
}

function flipped(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, 'hex')
  bytes[bit >> 3]! ^= 1 << (bit & 7)
  return bytes.toString('hex')
}

test('an RSA or Ed25519 signature of another message does not verify', () => {
  for (const { name, fulfillment, conditionBinary } of vectors('condition/komodo.json').vectors) {
    if (!/rsa|ed25519/.test(name)) continue
    expect(verifyFulfillment(fulfillment, 'ff'.repeat(32), conditionBinary)).toEqual({
      ok: false,
      code: 'signature_mismatch',
    })
  }
})

describe("Wycheproof's Ed25519 signatures", () => {
  const { groups } = vectors('signing/wycheproof-ed25519.json')

  test('verify exactly where they should', () => {
    const wrong: number[] = []
    let count = 0
    for (const { publicKey, tests } of groups) {
      const condition = encodeCondition({ type: 'ed25519-sha-256', publicKey })
      for (const { tcId, msg, sig, result } of tests) {
        count += 1
        // Not encodeFulfillment, which refuses signatures of another size.
        const fields = element('80', publicKey) + element('81', sig)
        const { ok } = verifyFulfillment(element('a4', fields), msg, condition)
        if (ok !== (result === 'valid')) wrong.push(tcId)
      }
    }
    expect(count).toBe(151)
    expect(wrong).toEqual([])
  })
})

/** An element in minimal DER. */
function element(tag: string, contents: string): string {
  const length = contents.length / 2
  if (length < 0x80) return tag + hexOfByte(length) + contents
  const digits = length.toString(16)
  const octets = digits.padStart(digits.length + (digits.length % 2), '0')
  return tag + hexOfByte(0x80 + octets.length / 2) + octets + contents
}

const hexOfByte = (byte: number) => byte.toString(16).padStart(2, '0')

describe('RSA signatures', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const message = Buffer.from('616161', 'hex')
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url').toString('hex')

  function verdictOf(signature: Uint8Array) {
    const node: ConditionTree = {
      type: 'rsa-sha-256',
      modulus,
      signature: Buffer.from(signature).toString('hex'),
    }
    return verifyFulfillment(encodeFulfillment(node), '616161', encodeCondition(node))
  }

  test.each([
    [32, { ok: true }],
    [20, { ok: false, code: 'signature_mismatch' }],
    [0, { ok: false, code: 'signature_mismatch' }],
  ])('an RSA signature with a salt of %i bytes has its verdict', (saltLength, verdict) => {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    expect(verdictOf(sign('sha256', message, { key: privateKey, padding, saltLength }))).toEqual(
      verdict,
    )
  })

  test('refuses the older padding, another hash, and numbers that are not a signature', () => {
    const padding = constants.RSA_PKCS1_PSS_PADDING
    expect(verdictOf(sign('sha256', message, privateKey)).ok).toBe(false)
    expect(verdictOf(sign('sha1', message, { key: privateKey, padding, saltLength: 32 })).ok).toBe(
      false,
    )
    expect(verdictOf(Buffer.alloc(128, 0xff)).ok).toBe(false)
    expect(verdictOf(Buffer.alloc(128)).ok).toBe(false)
  })
})

const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const one = { type: 'secp256k1-sha-256', publicKey: key } as const
const f2 = { type: 'eval-sha-256', code: 'f2' } as const

function thresholdOf(threshold: number, ...subconditions: ConditionTree[]): ConditionTree {
  return { type: 'threshold-sha-256', threshold, subconditions }
}

describe('the worked tree of a token output', () => {
  // pk of private key 1, eval f2; by hand, against libsecp256k1 and SHA-256
  test.each([
    [
      'secp256k1',
      one,
      'a5278020e889ed79e2be955396c9400ea606960c73ae1f951d8ad9cc75b04f6af2322f598103020000',
    ],
    [
      'eval',
      f2,
      'af278020966c7c47125c74575a9a1153b799faf55be33a04e3d9f98760a3eeac377103df8103100000',
    ],
    [
      '1 of 1',
      thresholdOf(1, one),
      'a22b80207e2ecf3417cdc9938da6a49a32044035f6a2f7c169e71045eb79327f73858401810302040082020204',
    ],
    [
      'both',
      thresholdOf(2, f2, thresholdOf(1, one)),
      'a22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401',
    ],
  ] as const)('%s', (_, tree, condition) => {
    expect(encodeCondition(tree)).toBe(condition)
  })

  test('does not depend on the order of members', () => {
    expect(encodeCondition(thresholdOf(2, thresholdOf(1, one), f2))).toBe(
      encodeCondition(thresholdOf(2, f2, thresholdOf(1, one))),
    )
  })

  test('needs a signature before it fulfills anything', () => {
    expect(errorOf(() => encodeFulfillment(thresholdOf(2, f2, thresholdOf(1, one))))).toMatchObject(
      {
        code: 'fulfillment_incomplete',
        context: { path: 'subconditions[1].subconditions[0]' },
      },
    )
  })
})

describe("Tokel's trees", () => {
  const keyHash = '751e76e8199196d454941c45d1b3a323f1433bd6'
  const byHash = { type: 'secp256k1hash-sha-256', publicKeyHash: keyHash } as const
  const f5 = { type: 'eval-sha-256', code: 'f5' } as const

  test('a tree with a key hash has the worked condition and fulfillment', () => {
    const tree = thresholdOf(2, f5, thresholdOf(1, byHash))
    const condition =
      'a22c80204b9e945ecaa451ca5e1983d5840835b826dcf3efc1d4dd434d0864966017ece38103120c008203000201'
    const mixed =
      'a236a032a003800102a226a005a003800101a11da61b8014751e76e8199196d454941c45d1b3a323f1433bd68103020000af038001f5a100'
    expect(encodeCondition(tree)).toBe(condition)
    expect(encodeFulfillment(tree, { form: 'mixed' })).toBe(mixed)
    expect(encodeCondition(decodeFulfillment(mixed, { form: 'mixed' }))).toBe(condition)
    expect(conditionUri(byHash)).toContain('?fpt=secp256k1hash-sha-256&cost=131072')
    expect(parseConditionUri(conditionUri(byHash))).toEqual(
      decodeCondition(encodeCondition(byHash)),
    )
  })

  test('reveal the key with its signature', () => {
    const tree = { ...byHash, publicKey: key, signature: '11'.repeat(64) }
    expect(decodeFulfillment(encodeFulfillment(tree))).toEqual(tree)
    expect(errorOf(() => encodeCondition({ ...tree, publicKeyHash: '00'.repeat(20) })).code).toBe(
      'condition_key_hash',
    )
  })

  test('may have a parameter beside a code', () => {
    const tree = { ...f5, parameter: '' }
    expect(encodeFulfillment(tree)).toBe('af058001f58100')
    expect(decodeFulfillment('af058001f58100')).toEqual(tree)
    expect(encodeCondition(tree)).toBe(encodeCondition(f5))
  })
})

describe('keys off the curve', () => {
  // komodo src/cc/CCinclude.h, CC_BURNPUBKEY: its coordinate is smaller than the field, no more.
  const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
  const signature = '11'.repeat(64)
  const fulfillmentOf = (publicKey: string) => `a5658021${publicKey}8140${signature}`

  test('are read, unless they are to be checked', () => {
    const fulfillment = fulfillmentOf(burnKey)
    expect(decodeFulfillment(fulfillment)).toEqual({
      type: 'secp256k1-sha-256',
      publicKey: burnKey,
      signature,
    })
    expect(errorOf(() => decodeFulfillment(fulfillment, { checkKeys: true }))).toMatchObject({
      code: 'public_key_off_curve',
      context: { offset: 4 },
    })
  })

  test('are found inside of trees and behind key hashes', () => {
    const member = fulfillmentOf(burnKey)
    const inside = `a26ba067${member}a100`
    expect(errorOf(() => decodeFulfillment(inside, { checkKeys: true }))).toMatchObject({
      code: 'public_key_off_curve',
      context: { offset: 8 },
    })
    const hashed = `a6${member.slice(2)}`
    expect(decodeFulfillment(hashed)).toMatchObject({ publicKey: burnKey })
    expect(errorOf(() => decodeFulfillment(hashed, { checkKeys: true })).code).toBe(
      'public_key_off_curve',
    )
  })

  test('are not what points are', () => {
    const fulfillment = fulfillmentOf(key)
    expect(decodeFulfillment(fulfillment, { checkKeys: true })).toEqual(
      decodeFulfillment(fulfillment),
    )
  })
})

// komodo src/cryptoconditions/tests/test_failure_modes.py
describe('malleability', () => {
  test('a set has one order', () => {
    const sorted = 'a213a00fa0058003616263a006800461626364a100'
    expect(encodeFulfillment(decodeFulfillment(sorted))).toBe(sorted)
    const swapped = 'a213a00fa006800461626364a0058003616263a100'
    expect(errorOf(() => decodeFulfillment(swapped))).toMatchObject({
      code: 'der_set_not_sorted',
      context: { offset: 12 },
    })
  })

  test("the daemon's rules read more, and say so", () => {
    const condition = encodeCondition(thresholdOf(2, f2, one))
    const strict = decodeCondition(condition)
    expect(decodeCondition(condition, { rules: 'daemon' })).toEqual({
      ...strict,
      isCanonical: true,
    })
    for (const lax of [`${condition}00`, condition.replace('a22c', 'a2812c')]) {
      expect(errorOf(() => decodeCondition(lax)).code).toMatch(/^trailing_bytes|der_/)
      expect(decodeCondition(lax, { rules: 'daemon' })).toEqual({ ...strict, isCanonical: false })
    }
  })
})

describe('trees that are refused', () => {
  const bare = {
    type: 'condition',
    conditionType: 'eval-sha-256',
    fingerprint: '00'.repeat(32),
    cost: 1n,
    subtypes: [],
  } as const

  test.each<[string, ConditionTree, string]>([
    ['a threshold of zero', thresholdOf(0, f2), 'condition_threshold'],
    ['a threshold over its members', thresholdOf(2, f2), 'condition_threshold'],
    ['no members', thresholdOf(1), 'condition_threshold'],
    ['256 members', thresholdOf(1, ...Array(256).fill(f2)), 'condition_members'],
    [
      '100 keys, beyond the C buffer',
      thresholdOf(1, ...Array(100).fill(one)),
      'condition_fingerprint_contents',
    ],
    [
      'a prefix beyond the C buffer',
      { type: 'prefix-sha-256', prefix: '00'.repeat(4096), maxMessageLength: 0, subcondition: f2 },
      'condition_fingerprint_contents',
    ],
    [
      'costs that differ by 2^31',
      thresholdOf(1, f2, { ...bare, cost: 1048576n + (1n << 31n) }),
      'condition_cost_spread',
    ],
    [
      'costs beyond 2^63',
      thresholdOf(2, { ...bare, cost: (1n << 63n) - 1n }, { ...bare, cost: (1n << 63n) - 1n }),
      'condition_cost_over_limit',
    ],
    ['a negative cost', { ...bare, cost: -1n }, 'condition_cost_over_limit'],
    ['a short fingerprint', { ...bare, fingerprint: '00' }, 'condition_fingerprint_size'],
    ['subtypes of a simple type', { ...bare, subtypes: ['eval-sha-256'] }, 'condition_subtypes'],
    [
      'its own type as a subtype',
      { ...bare, conditionType: 'threshold-sha-256', subtypes: ['threshold-sha-256'] },
      'condition_subtypes',
    ],
    ['an uncompressed key', { ...one, publicKey: `04${key.slice(2)}` }, 'condition_public_key'],
    [
      'a coordinate beyond the field',
      { ...one, publicKey: `02${'ff'.repeat(32)}` },
      'condition_public_key',
    ],
    ['a short signature', { ...one, signature: '00' }, 'condition_signature_size'],
    [
      'an Ed25519 key of 33 bytes',
      { type: 'ed25519-sha-256', publicKey: '00'.repeat(33) },
      'condition_public_key',
    ],
    [
      'an RSA modulus of zero',
      { type: 'rsa-sha-256', modulus: '00'.repeat(256) },
      'condition_rsa_modulus',
    ],
    [
      'an even RSA modulus',
      { type: 'rsa-sha-256', modulus: 'f0'.repeat(256) },
      'condition_rsa_modulus',
    ],
    [
      'more bytes than a block has',
      { type: 'preimage-sha-256', preimage: '00'.repeat(4_000_001) },
      'input_over_limit',
    ],
    ['half a byte', { ...f2, code: 'f' }, 'odd_length_hex'],
    ['no hex', { ...f2, code: '0x' }, 'malformed_hex'],
    ['characters that are digits only when cut', { ...f2, code: '\u0130\u0131' }, 'malformed_hex'],
  ])('%s', (_, tree, code) => {
    expect(errorOf(() => encodeCondition(tree)).code).toBe(code)
    expect(errorOf(() => encodeCondition(thresholdOf(1, tree, f2))).code).toBe(code)
  })

  test('more than 32 deep, whatever the depth', () => {
    let tree: ConditionTree = f2
    for (let depth = 1; depth < 32; depth += 1) tree = thresholdOf(1, tree)
    expect(encodeFulfillment(decodeFulfillment(encodeFulfillment(tree)))).toBe(
      encodeFulfillment(tree),
    )
    for (let depth = 32; depth < 100_000; depth += 1) {
      tree = thresholdOf(1, tree)
      if (depth === 32)
        expect(errorOf(() => encodeCondition(tree)).code).toBe('condition_nesting_over_limit')
    }
    expect(errorOf(() => encodeCondition(tree)).code).toBe('condition_nesting_over_limit')
    expect(errorOf(() => conditionToJson(tree)).code).toBe('condition_nesting_over_limit')
  })

  test('a tree that holds itself, and one that shares without end', () => {
    const loop = {
      type: 'threshold-sha-256',
      threshold: 1,
      subconditions: [] as ConditionTree[],
    } as const
    loop.subconditions.push(loop)
    expect(errorOf(() => encodeCondition(loop)).code).toBe('condition_nesting_over_limit')
    let shared: ConditionTree = f2
    for (let depth = 0; depth < 20; depth += 1) shared = thresholdOf(1, shared, shared, shared)
    expect(errorOf(() => encodeCondition(shared)).code).toBe('condition_members')
  })

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['text', 'a2'],
    ['an unknown type', { type: 'sha-3' }],
    ['a type from the prototype', { type: 'toString' }],
    ['a number for hex', { type: 'eval-sha-256', code: 0xf2 }],
    ['a missing member', { type: 'preimage-sha-256' }],
    [
      'members that are not an array',
      { type: 'threshold-sha-256', threshold: 1, subconditions: {} },
    ],
    ['a fractional threshold', { type: 'threshold-sha-256', threshold: 0.5, subconditions: [f2] }],
    [
      'a length beyond 2^53',
      { type: 'prefix-sha-256', prefix: '', maxMessageLength: 2 ** 53, subcondition: f2 },
    ],
    ['a cost that is a number', { ...bare, cost: 1 }],
    ['an unknown subtype', { ...bare, subtypes: ['sha-3'] }],
  ])('%s is misuse', (_, tree) => {
    expect(() => encodeCondition(tree as ConditionTree)).toThrow(TypeError)
    expect(() => encodeFulfillment(tree as ConditionTree)).toThrow(TypeError)
  })
})

describe('malformed data', () => {
  test.each([
    ['nothing', '', 'truncated'],
    ['half a byte', 'a', 'odd_length_hex'],
    ['no hex', 'zz', 'malformed_hex'],
    ['wide characters', '\u0161\u0130', 'malformed_hex'],
    ['a JSON error', Buffer.from('{"error":-1}').toString('hex'), 'condition_type_unknown'],
  ])('%s', (_, hex, code) => {
    expect(errorOf(() => decodeCondition(hex)).code).toBe(code)
    expect(errorOf(() => decodeFulfillment(hex)).code).toBe(code)
    expect(verifyFulfillment(hex, '', 'af00')).toEqual({ ok: false, code })
  })

  test('is no exception to a verifier', () => {
    expect(verifyFulfillment('af038001f2', '0', 'af00').code).toBe('odd_length_hex')
    expect(verifyFulfillment('af038001f2', '', 'zz').code).toBe('malformed_hex')
    expect(verifyFulfillment('af038001f2', '', '').code).toBe('truncated')
    expect(verifyFulfillment('af038001f2', '', encodeCondition(one)).code).toBe(
      'condition_mismatch',
    )
  })

  test.each([undefined, null, 5, {}, new Uint8Array(2)])('%o is misuse', (value) => {
    expect(() => decodeCondition(value as string)).toThrow(TypeError)
    expect(() => decodeFulfillment(value as string)).toThrow(TypeError)
    expect(() => verifyFulfillment(value as string, '', '')).toThrow(TypeError)
    expect(() => parseConditionUri(value as string)).toThrow(TypeError)
  })

  test('a tree of 65536 nodes is read, and a larger one is not', () => {
    const leaf: ConditionTree = { type: 'preimage-sha-256', preimage: '' }
    const hexOf = (...members: string[]) =>
      element('a2', element('a0', members.join('')) + element('a1', ''))
    const leaves = (count: number) => Array<string>(count).fill(encodeFulfillment(leaf))
    const most = hexOf(...Array<string>(255).fill(hexOf(...leaves(255))))
    const largest = hexOf(...leaves(254), most)
    expect(decodeFulfillment(largest)).toMatchObject({ threshold: 255 })
    const larger = hexOf(...leaves(253), hexOf(...leaves(1)), most)
    expect(errorOf(() => decodeFulfillment(larger)).code).toBe('condition_members')
  })

  test('a member too many is refused before it is read', () => {
    const members = `${'a0028000'.repeat(255)}00`
    const tree = element('a2', element('a0', members) + element('a1', ''))
    expect(errorOf(() => decodeFulfillment(tree)).code).toBe('condition_members')
  })

  test('pieces of a string are nested 80 elements deep at most', () => {
    const pieces = (depth: number) =>
      `a080a080${'2480'.repeat(depth)}0420${'11'.repeat(32)}${'0000'.repeat(depth)}0000810100` +
      '0000'
    expect(decodeCondition(pieces(78), { rules: 'daemon' }).fingerprint).toBe('11'.repeat(32))
    const { code, message } = errorOf(() => decodeCondition(pieces(79), { rules: 'daemon' }))
    expect(code).toBe('condition_nesting_over_limit')
    expect(message).toContain('elements more than 80')
  })

  test('nested a million deep is refused at once', () => {
    expect(encodeFulfillment(decodeFulfillment(nested(31)))).toBe(nested(31))
    const deep = nested(isQuick ? 30_000 : 300_000)
    const deeper = isQuick ? deep.repeat(40) : nested(1_000_000)
    const start = performance.now()
    expect(errorOf(() => decodeFulfillment(deep)).code).toBe('condition_nesting_over_limit')
    expect(errorOf(() => decodeFulfillment(deeper)).code).toBe('input_over_limit')
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

/** A preimage inside as many thresholds, in minimal DER. */
function nested(levels: number): string {
  const headers: string[] = []
  let size = 4
  const wrap = (tag: string) => {
    const digits = size.toString(16)
    const octets = digits.padStart(digits.length + (digits.length % 2), '0')
    const length = size < 128 ? octets : `${(0x80 + octets.length / 2).toString(16)}${octets}`
    headers.push(tag + length)
    size += 1 + length.length / 2
  }
  for (let level = 0; level < levels; level += 1) {
    wrap('a0')
    size += 2
    wrap('a2')
  }
  return `${headers.reverse().join('')}a0028000${'a100'.repeat(levels)}`
}

describe('URIs that are refused', () => {
  const good =
    'ni:///sha-256;47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU?fpt=preimage-sha-256&cost=0'
  const compound =
    'ni:///sha-256;W3r0v2kXGY86Jgc4CGWMoeWhqKGfTjX2kpn6x0nBvAI?fpt=threshold-sha-256&cost=1'

  test('a good one is read', () => {
    expect(parseConditionUri(good)).toEqual({
      type: 'condition',
      conditionType: 'preimage-sha-256',
      fingerprint: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      cost: 0n,
      subtypes: [],
    })
  })

  test.each([
    ['nothing', ''],
    ['another scheme', good.replace('ni:', 'nih:')],
    ['an authority', good.replace('///', '//example.com/')],
    ['another hash', good.replace('sha-256;', 'sha-512;')],
    ['padding', good.replace('?', '=?')],
    ['the other alphabet', good.replace('_', '/')],
    ['percent encoding', good.replace('-_T', '%2D_T')],
    ['a digit short', good.replace('47DE', '47D')],
    ['a second spelling of the digest', good.replace('SuFU?', 'SuFV?')],
    ['no fpt', good.replace('fpt=preimage-sha-256&', '')],
    ['an unknown type', good.replace('preimage-sha-256&', 'sha-3&')],
    ['no cost', good.replace('&cost=0', '')],
    ['another order', good.replace('fpt=preimage-sha-256&cost=0', 'cost=0&fpt=preimage-sha-256')],
    ['a cost twice', `${good}&cost=0`],
    ['a leading zero', good.replace('cost=0', 'cost=00')],
    ['a negative cost', good.replace('cost=0', 'cost=-1')],
    ['a cost of 2^63', good.replace('cost=0', `cost=${1n << 63n}`)],
    ['a cost of many digits', good.replace('cost=0', `cost=1${'0'.repeat(400)}`)],
    ['an unknown parameter', `${good}&x=1`],
    ['subtypes of a simple type', `${good}&subtypes=eval-sha-256`],
    ['no subtypes after the name', `${compound}&subtypes=`],
    ['an unknown subtype', `${compound}&subtypes=sha-3`],
    ['its own type', `${compound}&subtypes=threshold-sha-256`],
    ['a subtype twice', `${compound}&subtypes=eval-sha-256,eval-sha-256`],
    ['subtypes in no order', `${compound}&subtypes=rsa-sha-256,eval-sha-256,preimage-sha-256`],
    ['a line end', `${good}\n`],
  ])('%s', (_, uri) => {
    expect(errorOf(() => parseConditionUri(uri)).code).toBe('malformed_condition_uri')
  })

  test('either order of subtypes is read', () => {
    const byNumber = parseConditionUri(`${compound}&subtypes=secp256k1-sha-256,eval-sha-256`)
    const alphabetical = parseConditionUri(`${compound}&subtypes=eval-sha-256,secp256k1-sha-256`)
    expect(byNumber.subtypes).toEqual(['secp256k1-sha-256', 'eval-sha-256'])
    expect(alphabetical).toEqual(byNumber)
  })
})

describe('the JSON form', () => {
  test('is read in either alphabet, padded or not', () => {
    for (const preimage of ['-_-_', '+/+/', '-_-_AA', '-_-_AA==', '+/+/AA==']) {
      const tree = conditionFromJson({ type: 'preimage-sha-256', preimage })
      expect(tree).toEqual({
        type: 'preimage-sha-256',
        preimage: preimage.length === 4 ? 'fbffbf' : 'fbffbf00',
      })
    }
  })

  test('is written as each daemon does', () => {
    const tree: ConditionTree = thresholdOf(
      1,
      { type: 'preimage-sha-256', preimage: 'fbffbf00' },
      f2,
    )
    expect(conditionToJson(tree)).toEqual({
      type: 'threshold-sha-256',
      threshold: 1,
      subfulfillments: [
        { type: 'preimage-sha-256', preimage: '-_-_AA' },
        { type: 'eval-sha-256', code: '8g' },
      ],
    })
    expect(conditionToJson(tree, { dialect: 'tokel' })).toMatchObject({
      subfulfillments: [{ preimage: '+/+/AA' }, { codehex: 'F2' }],
    })
  })

  test.each([
    decodeCondition(encodeCondition(one)),
    decodeCondition(encodeCondition(thresholdOf(1, one, f2))),
  ])('keeps what a bare condition is', (bare) => {
    for (const dialect of ['komodo', 'tokel'] as const) {
      expect(conditionFromJson(conditionToJson(bare, { dialect }))).toEqual(bare)
    }
  })

  test.each<[string, unknown, string | undefined]>([
    ['null', null, ''],
    ['a list', [], 'type'],
    ['no type', {}, 'type'],
    ['an unknown type', { type: 'sha-3' }, 'type'],
    ['bad base64', { type: 'preimage-sha-256', preimage: 'a' }, 'preimage'],
    ['wrong padding', { type: 'preimage-sha-256', preimage: 'YQ=' }, 'preimage'],
    ['bad hex', { type: 'secp256k1-sha-256', publicKey: '0' }, 'publicKey'],
    [
      'a fractional threshold',
      { type: 'threshold-sha-256', threshold: 1.5, subfulfillments: [] },
      'threshold',
    ],
    [
      'a member that is none',
      { type: 'threshold-sha-256', threshold: 1, subfulfillments: [5] },
      'subfulfillments[0]',
    ],
    [
      'a bare condition without its type',
      { type: '(anon)', fingerprint: '', cost: 1, subtypes: 0 },
      'cond_type',
    ],
    [
      'a mask beyond 32 bits',
      { type: '(anon)', fingerprint: '', cost: 1, subtypes: 2 ** 35, cond_type: 2 },
      'subtypes',
    ],
  ])('%s is refused', (_, json, path) => {
    expect(errorOf(() => conditionFromJson(json))).toMatchObject({
      code: 'malformed_condition_json',
      context: { path },
    })
  })

  test('refuses a cost that a JSON number does not hold', () => {
    const bare = (cost: bigint): ConditionTree => ({
      type: 'condition',
      conditionType: 'preimage-sha-256',
      fingerprint: '11'.repeat(32),
      cost,
      subtypes: [],
    })
    const most = BigInt(Number.MAX_SAFE_INTEGER)
    expect(conditionFromJson(conditionToJson(bare(most)))).toEqual(bare(most))
    const tree: ConditionTree = thresholdOf(1, f2, bare(most + 2n))
    expect(errorOf(() => conditionToJson(tree))).toMatchObject({
      code: 'number_out_of_range',
      context: { path: 'subconditions[1].cost', actual: most + 2n },
    })
  })

  test('base64 of many equals signs is refused at once', () => {
    const start = performance.now()
    const json = { type: 'preimage-sha-256', preimage: `${'='.repeat(60_000)}A` }
    const { code, message } = errorOf(() => conditionFromJson(json))
    expect(code).toBe('malformed_condition_json')
    expect(message!.length).toBeLessThan(500)
    expect(performance.now() - start).toBeLessThan(1000)
  })

  test('a wide tree takes no longer for each node than a small one', () => {
    const leaf: ConditionTree = { type: 'preimage-sha-256', preimage: 'ab' }
    const inner = thresholdOf(1, ...Array<ConditionTree>(255).fill(leaf))
    const wide = thresholdOf(1, ...Array<ConditionTree>(60).fill(inner))
    const wrong = thresholdOf(1, wide, { ...leaf, preimage: 'zz' })
    const start = performance.now()
    expect(conditionFromJson(conditionToJson(wide))).toEqual(wide)
    expect(errorOf(() => encodeCondition(wrong))).toMatchObject({
      code: 'malformed_hex',
      context: { path: 'subconditions[1].preimage' },
    })
    expect(performance.now() - start).toBeLessThan(3000)
  })

  test('is refused more than 32 deep', () => {
    let json: unknown = { type: 'preimage-sha-256', preimage: '' }
    for (let depth = 0; depth < 100_000; depth += 1) {
      json = { type: 'threshold-sha-256', threshold: 1, subfulfillments: [json] }
    }
    expect(errorOf(() => conditionFromJson(json)).code).toBe('condition_nesting_over_limit')
  })

  test('is refused at once if members share objects, and so stand for too many nodes', () => {
    let json: unknown = { type: 'preimage-sha-256', preimage: '' }
    for (let depth = 0; depth < 20; depth += 1) {
      json = { type: 'threshold-sha-256', threshold: 1, subfulfillments: [json, json] }
    }
    const start = performance.now()
    expect(errorOf(() => conditionFromJson(json)).code).toBe('condition_members')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
