// These tests cover what a locking script requires, and which scripts no scriptSig satisfies.
// Sources: komodo src/script/interpreter.cpp, EvalScript and CheckMultisig;
// src/script/standard.cpp, MatchMultisig.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys } from '../../../src/chain/modules.ts'
import { networks, tokenScript } from '../../../src/index.ts'
import { moduleInScript, moduleOfScript, whyBurned } from '../../../src/script/burned-scripts.ts'
import { isSignable, templateOf } from '../../../src/script/template.ts'
import { p2pkh, p2sh, twoOfThree } from '../../support/payments.ts'
import { a, b, c, moduleKey, p2pk } from '../../support/resigned.ts'

/** The generator of the curve. */
const uncompressed = `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`
const offCurve = `02${'00'.repeat(31)}05`
const why = (script: string) => whyBurned(script, networks.assetChain)

test.each<[boolean, string]>([
  [true, p2pk(a)],
  [true, p2pkh(a)],
  [true, twoOfThree],
  [false, p2sh('51')],
  [false, tokenScript(a)],
  [false, '6a'],
  [false, '51'],
  [false, `04ffffff7fb175${p2pk(a)}`],
])('a signature of given keys can be made: %s, for %s', (expected, script) => {
  expect(isSignable(templateOf(script))).toBe(expected)
})

describe('the template', () => {
  test.each<[string, object]>([
    [p2pk(a), { type: 'pubkey', keys: [a], required: 1 }],
    [`41${uncompressed}ac`, { type: 'pubkey', keys: [uncompressed], required: 1 }],
    [p2pkh(a), { type: 'pubkeyhash', hash: p2pkh(a).slice(6, 46) }],
    [p2sh('51'), { type: 'scripthash', hash: p2sh('51').slice(4, 44) }],
    [twoOfThree, { type: 'multisig', keys: [a, b, c], required: 2 }],
    [`5121${a}51ae`, { type: 'multisig', keys: [a], required: 1 }],
    [tokenScript(a), { type: 'condition' }],
    ['6a', { type: 'nulldata' }],
    ['6a0161', { type: 'nulldata' }],
    ['', { type: 'unknown' }],
    ['51', { type: 'open' }],
    [`0014${'11'.repeat(20)}`, { type: 'open' }],
    [`5120${'11'.repeat(32)}`, { type: 'open' }],
    ['5161b0', { type: 'open' }],
    ['61', { type: 'unknown' }],
    ['5176', { type: 'unknown' }],
    [`0014${'00'.repeat(20)}`, { type: 'unspendable', why: 'a result that is false' }],
    ['0061', { type: 'unknown' }],
    [`${p2pkh(a)}51`, { type: 'unknown' }],
    [`51${p2pk(a)}`, { type: 'unknown' }],
    [`4c21${a}ac`, { type: 'unknown' }],
    [`51${'4c21'}${a}51ae`, { type: 'unknown' }],
    [`5121${a}21${offCurve}52ae`, { type: 'unknown' }],
    [`5121${a}53ae`, { type: 'unknown' }],
    [`5121${a}21${b}51ae`, { type: 'unspendable', why: 'a number of signatures that is none' }],
    [`00${`21${a}`}51ae`, { type: 'unknown' }],
    [
      `04ffffff7fb175${p2pk(a)}`,
      { type: 'locked', until: 2_147_483_647n, inner: { type: 'pubkey', keys: [a], required: 1 } },
    ],
    ['51b16d51', { type: 'locked', until: 1n, inner: { type: 'open' } }],
    ['60b17551', { type: 'locked', until: 16n, inner: { type: 'open' } }],
    ['00b17551', { type: 'locked', until: 0n, inner: { type: 'open' } }],
    ['4c0205aab17551', { type: 'unspendable' }],
    ['4c02052ab17551', { type: 'locked', until: 0x2a05n, inner: { type: 'open' } }],
    [`4c0101b175${p2pk(a)}`, { type: 'locked', until: 1n, inner: { type: 'pubkey', keys: [a] } }],
    [`4d010001b175${p2pk(a)}`, { type: 'locked', until: 1n, inner: { type: 'pubkey' } }],
    [`4e0100000001b175${p2pk(a)}`, { type: 'locked', until: 1n, inner: { type: 'pubkey' } }],
    [`4c00b175${p2pk(a)}`, { type: 'locked', until: 0n, inner: { type: 'pubkey' } }],
    // a number and something that drops it, with no lock between
    [`517675${p2pk(a)}`, { type: 'unknown' }],
    ['51b1', { type: 'unknown' }],
    ['51b17651', { type: 'unknown' }],
    [`51b17552b175${p2pk(a)}`, { type: 'locked', until: 1n, inner: { type: 'pubkey', keys: [a] } }],
    [`51b17552b16d${p2pkh(a)}`, { type: 'locked', until: 1n, inner: { type: 'pubkeyhash' } }],
    [`51b175${twoOfThree}`, { type: 'locked', inner: { type: 'multisig', required: 2 } }],
    [`51b175${tokenScript(a)}`, { type: 'locked', inner: { type: 'condition' } }],
    ['5105aa', { type: 'unspendable', why: 'a push that reaches over its end' }],
  ])('the template of %s', (script, expected) => {
    expect(templateOf(script)).toMatchObject(expected)
  })
})

describe('a template with something', () => {
  test.each([
    ...[p2pkh(a), p2sh('51'), p2pk(a)].flatMap((script) => [`51${script}`, `${script}51`]),
    // the rest has the length of a template
    ...[p2pkh(a), p2sh('51'), p2pk(a)].map((script) => `${script}ac`),
    `${p2pk(a)}${p2pk(a)}`,
    `61${twoOfThree}`,
    `${twoOfThree}91`,
  ])('a template with something before or behind it is not a template: %s', (script) => {
    expect(templateOf(script)).toEqual({ type: 'unknown' })
  })
})

describe('keys of a multisig', () => {
  const keys = (count: number) => `21${a}`.repeat(count)
  const opcode = (count: number) => (0x50 + count).toString(16)
  const multisig = (required: string, count: string, given: number) =>
    templateOf(`${required}${keys(given)}${count}ae`)

  test.each([1, 2, 15, 16])('are up to sixteen, and up to as many must sign: %i', (count) => {
    expect(multisig(opcode(count), opcode(count), count)).toEqual({
      type: 'multisig',
      keys: Array.from({ length: count }, () => a),
      required: count,
    })
  })

  test.each<[string, string, string, number]>([
    ['a count of 17 in an opcode that is not a number', '51', '61', 17],
    ['a number that must sign in an opcode that is none', '61', '51', 1],
    ['a count as data', '51', '0111', 17],
    ['another count than there are keys', '51', '52', 1],
    ['nobody who must sign', '00', '51', 1],
  ])('are not read of %s', (_, required, count, given) => {
    expect(multisig(required, count, given)).toEqual({ type: 'unknown' })
  })

  test('are only before OP_CHECKMULTISIG', () => {
    expect(templateOf(`51${keys(1)}51af51`)).toEqual({ type: 'unknown' })
    expect(templateOf(`51${keys(1)}51ac`)).toEqual({ type: 'unspendable', why: expect.anything() })
    expect(templateOf(`51${keys(1)}5161`)).toEqual({ type: 'open' })
  })
})

test('reports malformed hex as an error, not as an unspendable script', () => {
  expect(() => templateOf('zz')).toThrow(expect.objectContaining({ code: 'malformed_hex' }))
})

// fail wherever they stand, even in a branch that is not taken
test.each([
  '7e',
  '7f',
  '80',
  '81',
  '83',
  '84',
  '85',
  '86',
  '8d',
  '8e',
  '95',
  '96',
  '97',
  '98',
  '99',
])('finds a script with the disabled opcode %s unspendable', (opcode) => {
  expect(why(`0063${opcode}6851`)).toBe(`a disabled opcode: ${opcode}`)
})

test.each(['65', '66'])('finds a script with %s in a branch unspendable', (opcode) => {
  expect(why(`0063${opcode}6851`)).toBe(`a disabled opcode: ${opcode}`)
})

test.each(['50', '62', '6a', '89', '8a', 'ba', 'fe'])(
  'finds a script that executes %s unspendable',
  (opcode) => {
    expect(why(`51${opcode}51`)).toBe(`opcode ${opcode}, which fails`)
    for (const branch of ['63', '64']) expect(why(`00${branch}${opcode}6851`)).toBeUndefined()
  },
)

test.each(['82', '87', '8b', '93', '94', '9a', 'b0', 'b9'])('%s may be carried out', (opcode) => {
  expect(why(`5151${opcode}51`)).toBeUndefined()
})

// komodo src/script/interpreter.cpp, EvalScript: what these opcodes push
test.each([
  ['a6', 20],
  ['a7', 20],
  ['a8', 32],
  ['a9', 20],
  ['aa', 32],
])('finds a comparison of %s with other than %i bytes unspendable', (opcode, bytes) => {
  const push = (length: number) => `${length.toString(16).padStart(2, '0')}${'11'.repeat(length)}`
  for (const length of [1, bytes - 1, bytes + 1]) {
    const reported = `a hash of ${length} bytes, where one has ${bytes}`
    expect(why(`76${opcode}${push(length)}88ac`)).toBe(reported)
    expect(why(`${opcode}${push(length)}87`)).toBe(reported)
    expect(why(`${opcode}${push(length)}8751`)).toBeUndefined()
    expect(why(`75${push(length)}87`)).toBeUndefined()
  }
  expect(why(`76${opcode}${push(bytes)}88ac`)).toBeUndefined()
  expect(why(`${opcode}${push(bytes)}87`)).toBeUndefined()
  expect(why(`${opcode}5187`)).toBe(`a hash of 1 bytes, where one has ${bytes}`)
  expect(why(`${opcode}7687`)).toBeUndefined()
})

test('finds a hash of zeros, and the hash of nothing, unspendable', () => {
  expect(why(`76a914${'00'.repeat(20)}88ac`)).toBe('a hash of zeros')
  expect(why(`a914${'00'.repeat(20)}87`)).toBe('a hash of zeros')
  // RIPEMD-160 of SHA-256 of nothing
  expect(why('76a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb88ac')).toBe('the hash of no key')
})

describe('a result', () => {
  test.each(['00', '0100', '0180', '020000', '020080', '4c0100', '4e0100000000'])(
    'is false for a push of %s',
    (push) => {
      expect(why(push)).toBe('a result that is false')
      expect(why(`${push}69`)).toBe('a result that is false')
      expect(why(`${push}6951`)).toBe('a result that is false')
    },
  )

  test.each(['51', '0101', '028000', '4f', '60'])('is true for a push of %s', (push) => {
    expect(why(push)).toBeUndefined()
    expect(why(`${push}69`)).toBeUndefined()
  })

  test('is that of the last step', () => {
    expect(why('0051')).toBeUndefined()
    expect(why('5100')).toBe('a result that is false')
  })
})

describe('a branch', () => {
  test.each<[string, string | undefined]>([
    ['5163', 'OP_IF without OP_ENDIF'],
    ['516351636851', 'OP_IF without OP_ENDIF'],
    ['5168', 'OP_ENDIF without OP_IF'],
    ['51636868', 'OP_ENDIF without OP_IF'],
    ['5167', 'OP_ELSE without OP_IF'],
    ['516351675168', undefined],
    ['51645168', undefined],
  ])('%s', (script, expected) => {
    expect(why(script)).toBe(expected)
  })
})

describe('a signature', () => {
  const hybrid = uncompressed.replace(/^04/, '07')
  test.each<[string, string | undefined]>([
    [`21${offCurve}ac`, 'a key that is not a point of the curve'],
    [`21${offCurve}ad51`, 'a key that is not a point of the curve'],
    [`21${offCurve}ac91`, undefined],
    ['00ac', 'a key that is not a point of the curve'],
    ['ac', undefined],
    ['76ac', undefined],
    [`41${hybrid}ac`, undefined],
    [`41${hybrid.slice(0, -2)}00ac`, 'a key that is not a point of the curve'],
    [`41${uncompressed.replace(/^04/, '05')}ac`, 'a key that is not a point of the curve'],
    [`4c21${a}ac`, undefined],
    [p2pk(burnPublicKeys.komodo), 'a key that burns'],
    [p2pk(burnPublicKeys.tokel), 'a key that burns'],
    [p2pkh(burnPublicKeys.tokel), 'a key that burns'],
    [`5221${a}21${burnPublicKeys.tokel}52ae`, '2 signatures of 1 keys that can sign'],
    [`5321${a}21${b}52ae`, '3 signatures of 2 keys that can sign'],
    [`5321${a}21${b}52af51`, '3 signatures of 2 keys that can sign'],
    [`5321${a}21${b}52ae91`, undefined],
    [`5221${a}21${b}52ae`, undefined],
    [`5221${a}21${offCurve}52ae`, '2 signatures of 1 keys that can sign'],
    [`5121${a}21${offCurve}52ae`, undefined],
    ['5100ae', '1 signatures of 0 keys that can sign'],
    ['0000ae', undefined],
    [`4f21${a}51ae`, 'a number of signatures that is none'],
    [`050100000000${`21${a}`}51ae`, 'a number of signatures that is none'],
    [`5121${a}4fae`, '-1 keys'],
    [`51${`21${a}`.repeat(21)}0115ae`, '21 keys'],
    [`51${`21${a}`.repeat(20)}0114ae`, undefined],
    // the scriptSig gives the other keys, and how many must sign
    [`5121${a}53ae`, undefined],
    [`21${a}51ae`, undefined],
    [`7621${a}51ae`, undefined],
    [`5176${`21${a}`}52ae`, undefined],
    ['ae', undefined],
    ['76ae', undefined],
  ])('a signature in %s', (script, expected) => {
    expect(why(script)).toBe(expected)
  })
})

describe('a lock', () => {
  const never = 'a lock time that no transaction has'
  test.each<[string, string | undefined]>([
    ['05ffffffff00b17551', undefined],
    ['050000000001b17551', never],
    ['06000000000000b17551', never],
    ['4fb17551', never],
    ['0181b17551', never],
    ['00b17551', undefined],
    ['b17551', undefined],
    ['76b17551', undefined],
    ['51b1756a', 'opcode 6a, which fails'],
    ['51b17551b1756a', 'opcode 6a, which fails'],
    ['51b17500', 'a result that is false'],
  ])('a lock in %s', (script, expected) => {
    expect(why(script)).toBe(expected)
  })
})

describe('a limit', () => {
  test.each<[string, string | undefined]>([
    [`4d0802${'11'.repeat(520)}`, undefined],
    [`4d0902${'11'.repeat(521)}`, 'a push of over 520 bytes'],
    [`${'61'.repeat(201)}51`, undefined],
    // numbers up to 16 are not operations
    [`${'60'.repeat(202)}`, undefined],
    [`${'60'.repeat(300)}${'61'.repeat(201)}51`, undefined],
    [`${'60'.repeat(300)}${'61'.repeat(202)}51`, 'over 201 operations'],
    [`${'61'.repeat(202)}51`, 'over 201 operations'],
    ['51'.repeat(10_000), undefined],
    ['51'.repeat(10_001), '10001 bytes, over 10000'],
  ])('a script over a limit is unspendable: %#', (script, expected) => {
    expect(why(script)).toBe(expected)
  })
})

// komodo src/script/interpreter.cpp, EvalScript, OP_CHECKMULTISIG; numbers have four bytes at most
describe('the numbers of a multisig', () => {
  test.each<[string, string, string | undefined]>([
    ['all come from the scriptSig', 'ae', undefined],
    ['have four bytes', `040100000021${a}0401000000ae`, undefined],
    ['are five bytes of keys', `5121${a}050100000000ae`, '1 keys'],
    [
      'are five bytes of signatures',
      `05010000000021${a}51ae`,
      'a number of signatures that is none',
    ],
    [
      'count the keys after them alone',
      `21${a}5221${b}51ae`,
      '2 signatures of 1 keys that can sign',
    ],
    ['are before a key that is copied', `5321${a}7652ae`, undefined],
    ['are copied', `7621${a}51ae`, undefined],
  ])('%s', (_, script, expected) => {
    expect(why(script)).toBe(expected)
  })
})

// komodo src/script/interpreter.cpp, EvalScript: it runs what follows the condition too.
describe('a condition', () => {
  test.each<[string, string, string | undefined]>([
    ['alone', '', undefined],
    ['before data that are dropped', '02abcd75', undefined],
    ['before 520 bytes that are dropped', `4d0802${'00'.repeat(520)}75`, undefined],
    [
      'before 521 bytes that are dropped',
      `4d0902${'00'.repeat(521)}75`,
      'a push of over 520 bytes',
    ],
    ['before OP_RETURN', '6a', 'opcode 6a, which fails'],
    ['before a disabled opcode', '7e', 'a disabled opcode: 7e'],
  ])('%s', (_, rest, expected) => {
    expect(why(`${tokenScript(a)}${rest}`)).toBe(expected)
  })
})

test.each(['60', '51b9', '51b0', '5161', '4e0100000001'])('%s is open to anyone', (script) => {
  expect(templateOf(script).type).toBe('open')
})

test.each(['5161cc', '51b1', '516175'])('%s is not open', (script) => {
  expect(templateOf(script).type).toBe('unknown')
})

test('a hash may be compared with what the scriptSig hashes, and with a push of any form', () => {
  const hash = '11'.repeat(20)
  expect(why(`14${hash}8851`)).toBeUndefined()
  expect(why(`a94e14000000${hash}8851`)).toBeUndefined()
  expect(why(`a94e15000000${hash}118851`)).toBe('a hash of 21 bytes, where one has 20')
})

test('keys before another step than OP_CHECKMULTISIG are not multisig', () => {
  expect(templateOf(`5121${a}5175`).type).toBe('unknown')
  expect(templateOf(`51b1755121${a}5175`)).toMatchObject({ inner: { type: 'unknown' } })
})

describe('a redeem script', () => {
  const behind = (redeemScript: string) =>
    whyBurned(p2sh(redeemScript), networks.assetChain, redeemScript)

  test('decides in the place of its hash', () => {
    expect(behind('6a')).toBe('nulldata')
    expect(behind('51')).toBeUndefined()
    expect(behind(`${'75'.repeat(519)}51`)).toBe('over 201 operations')
    expect(behind('51'.repeat(520))).toBeUndefined()
    expect(behind('51'.repeat(521))).toBe('a redeem script of 521 bytes')
  })

  test('holds no condition', () => {
    // komodo src/script/interpreter.cpp, VerifyScript: conditions are looked for in the output
    // alone
    expect(behind(tokenScript(a))).toBe('a chain without conditions')
  })
})

test('a condition is spent only on a chain that has some', () => {
  expect(whyBurned(tokenScript(a), networks.assetChain)).toBeUndefined()
  expect(whyBurned(tokenScript(a), networks.tokel)).toBeUndefined()
  expect(whyBurned(tokenScript(a), networks.komodo)).toBe('a chain without conditions')
})

describe('a published key', () => {
  test.each<[string, boolean, boolean]>([
    [p2pk(moduleKey), true, true],
    [p2pkh(moduleKey), true, true],
    [`5121${a}21${moduleKey}52ae`, true, true],
    [`5221${a}21${moduleKey}52ae`, true, false],
    [`51b175${p2pk(moduleKey)}`, true, true],
    [`51b1755221${a}21${moduleKey}52ae`, true, false],
    [`51b17551b1755221${a}21${moduleKey}52ae`, true, false],
    [`51b175${p2pkh(moduleKey)}`, true, true],
    [p2pk(a), false, false],
    [p2pkh(a), false, false],
    [twoOfThree, false, false],
    ['51', false, false],
  ])('a published key in %s', (script, isIn, isEnough) => {
    expect(moduleInScript(script)).toBe(isIn ? 'TOKENS' : undefined)
    expect(moduleOfScript(script)).toBe(isEnough ? 'TOKENS' : undefined)
  })
})
