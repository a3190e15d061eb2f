// Tokel's form 'M' hides keys and may name them in data that no rule of the chain looks at, so the
// payer of a wallet can write anything there. The named keys sign if they are the hidden ones;
// otherwise the data are ignored.

import { describe, expect, test } from 'vitest'
import { hash160 } from '../../../src/engine/calls.ts'
import {
  type ConditionTree,
  conditionScript,
  encodeTransaction,
  moduleCondition,
  networks,
  publicKeyOf,
  signTransaction,
  verifyInputs,
} from '../../../src/index.ts'
import { pushOf } from '../../../src/script/push.ts'

const privateKeys = [1, 2].map((key) => `${key}`.padStart(64, '0'))
const [key1, key2] = privateKeys.map((key) => publicKeyOf(key)) as [string, string]
const key3 = publicKeyOf('3'.padStart(64, '0'))
const network = networks.tokel

const evals = (...codes: readonly string[]): ConditionTree[] =>
  codes.map((code) => ({ type: 'eval-sha-256', code }))
const required = (threshold: number, subconditions: readonly ConditionTree[]): ConditionTree => {
  return { type: 'threshold-sha-256', threshold, subconditions }
}
const keyOf = (publicKey: string): ConditionTree => {
  return { type: 'secp256k1-sha-256', publicKey }
}
const keys = (m: number, ...publicKeys: readonly string[]) => required(m, publicKeys.map(keyOf))
const prefixed: ConditionTree = {
  type: 'prefix-sha-256',
  prefix: '',
  maxMessageLength: 32,
  subcondition: keyOf(key1),
}
const hidden = keys(2, key1, key2)
const tree = required(2, [...evals('f5'), hidden])

/**
 * Returns the data that names the keys, as MakeCCVoutMixed of tokel's src/cc/CCutils.cpp writes it.
 */
const named = (m: number, ...pubkeys: readonly string[]) => {
  return { version: 2, evalCode: 0xf5, m, n: pubkeys.length, pubkeys, data: [] }
}

const unsigned = encodeTransaction({
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  lockTime: 0,
  inputs: [{ txid: 'ab'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
  outputs: [{ value: 7n, script: `21${key1}ac` }],
})
const signed = (script: string) =>
  signTransaction(unsigned, privateKeys, [{ value: 8n, script }], network)

describe('keys that a script names are signed for', () => {
  test.each<[string, ConditionTree]>([
    ['a module and two keys', tree],
    ['two modules', required(3, [...evals('f5', 'f4'), hidden])],
    ['a code of two bytes', required(2, [...evals('f501'), hidden])],
    ['an empty code', required(2, [...evals(''), hidden])],
    ['keys before the module', required(2, [hidden, ...evals('f5')])],
  ])('%s', (_, whole) => {
    const script = conditionScript(whole, { form: 'M', params: named(2, key1, key2) })
    expect(signed(script).complete).toBe(true)
    // and not without being named
    expect(signed(conditionScript(whole, { form: 'M' }))).toMatchObject({
      complete: false,
      hex: unsigned,
    })
  })
})

describe('a name that hides nothing is ignored', () => {
  const script = conditionScript(tree, { form: 'M', params: named(2, key1, key2) })
  const noPoint = `02${'ff'.repeat(32)}`
  const uncompressed = `04${'11'.repeat(64)}`

  test.each<[string, string]>([
    ['another key', conditionScript(tree, { form: 'M', params: named(2, key1, key3) })],
    ['the keys the other way round', conditionScript(tree, { form: 'M', params: named(2, key2) })],
    ['one of two', conditionScript(tree, { form: 'M', params: named(1, key1, key2) })],
    ['more than there are', conditionScript(tree, { form: 'M', params: named(3, key1, key2) })],
    ['none of none', conditionScript(tree, { form: 'M', params: named(0) })],
    ['one of none', conditionScript(tree, { form: 'M', params: named(1) })],
    ['what is not a point', script.replace(key2, noPoint)],
    [
      'a key of 65 bytes',
      conditionScript(tree, { form: 'M', params: named(2, key1, uncompressed) }),
    ],
  ])('%s', (_, naming) => {
    expect(naming.endsWith('75')).toBe(true)
    expect(signed(naming)).toMatchObject({ complete: false, hex: unsigned })
  })

  test.each<[string, ConditionTree]>([
    ['either of a module and keys', required(1, [...evals('f5'), hidden])],
    ['a module among keys', required(2, [required(1, evals('f5')), hidden])],
    ['a key beside keys', required(2, [keyOf(key1), hidden])],
    ['a prefix beside keys', required(2, [prefixed, hidden])],
    [
      'a preimage beside keys',
      required(2, [{ type: 'preimage-sha-256', preimage: 'aabb' }, hidden]),
    ],
    ['a lone module', evals('f5')[0]!],
  ])('%s, which no daemon makes', (_, whole) => {
    const naming = conditionScript(whole, { form: 'M', params: named(2, key1, key2) })
    expect(signed(naming)).toMatchObject({ complete: false, hex: unsigned })
  })

  // komodo src/script/interpreter.cpp takes no fulfillment of more than 2048 bytes with its hash
  // type
  test.each([
    [44, true],
    [45, false],
  ])('two keys and %d more that hide by a fingerprint each: %s', (count, complete) => {
    const more = Array.from({ length: count }, (_, at) =>
      publicKeyOf(`${at + 3}`.padStart(64, '0')),
    )
    const all = [key1, key2, ...more]
    const header = `0402f502${all.length.toString(16)}`
    const params = header + all.map((key) => pushOf(key)).join('')
    const whole = required(2, [...evals('f5'), keys(2, ...all)])
    const naming = `${conditionScript(whole, { form: 'M' })}${pushOf(params)}75`
    const result = signed(naming)
    expect(result.complete).toBe(complete)
    if (!complete) expect(result.hex).toBe(unsigned)
    else
      expect(verifyInputs(result.hex, [{ value: 8n, script: naming }], network)[0]!.ok).toBe(true)
  })

  test('a key that the form which hides everything does not show is passed over', () => {
    const naming = conditionScript(tree, { params: named(2, key1, key2) })
    expect(signed(naming)).toMatchObject({ complete: false, hex: unsigned })
  })

  test('a key that the form shows is passed over as well', () => {
    const shown = required(2, [
      ...evals('f5'),
      required(
        2,
        [key1, key2].map((key) => {
          return { type: 'secp256k1hash-sha-256', publicKeyHash: hash160(key) }
        }),
      ),
    ])
    const naming = conditionScript(shown, { form: 'N', params: named(2, key1, key2) })
    expect(signed(naming)).toMatchObject({ complete: false, hex: unsigned })
  })
})

// komodo src/cc/eval.h: modules, and codes free for libraries; a token of either may ask any other
test.each([[0xe1], [0xf7], [0x10], [0x7f], [0xe3, 0x01], [0xf2, 0xff], [0xf5, 0xff]])(
  'modules %j and a key need no naming',
  (...evalCodes) => {
    const script = conditionScript(moduleCondition([key1], { evalCodes }))
    const isTokens = evalCodes.length === 1 || evalCodes[0] !== 0xe3
    expect(signed(script).complete).toBe(isTokens)
  },
)
