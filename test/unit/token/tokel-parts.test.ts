// Small rules of tokeld's modules, called directly: what the module's key may spend, the data of a
// token, keys that hold tokens together. Sources: tokel src/cc/CCtokens_impl.h,
// src/cc/CCTokelData.cpp.

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, test } from 'vitest'

import { burnKeysOf } from '../../../src/chain/modules.ts'
import {
  conditionScript,
  decodeTransaction,
  encodeTransaction,
  networks,
  signTransaction,
  type Transaction,
  tokenScript,
} from '../../../src/index.ts'
import { moduleCondition } from '../../../src/script/condition-script.ts'
import { encodeTokelData } from '../../../src/token/payload/tokel-data.ts'
import { lowerCased } from '../../../src/token/rules/key-set.ts'
import { markerRefusal } from '../../../src/token/rules/marker-spending.ts'
import { requireRelayedSpend } from '../../../src/token/rules/relayed-spend.ts'
import { propertyProblem, tokelDataRefusal } from '../../../src/token/rules/tokel-data-rules.ts'
import { keyScriptV2, rulesV2 } from '../../../src/token/rules/tokens-v2.ts'
import { refusal } from '../../support/bobs-tokens.ts'
import { madeUpFields } from '../../support/made-up.ts'
import { a, b, p2pk } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'
import { shown } from '../../support/tokel-market.ts'

const id = (digit: string) => digit.repeat(64)
const [tokenid, other] = [id('1'), id('2')]
/** A fulfillment that shows a key and an eval code. */
const shows = (pubkey: string, evalCode: string) =>
  `4c79a276a072a26ba067a5658021${pubkey}8140${'00'.repeat(64)}a100af038001${evalCode}a10001`
const input = (txid: string, scriptSig = '') => ({ txid, vout: 0, scriptSig, sequence: 0 })

test('a set of keys is the same in any case', () => {
  expect(lowerCased({ required: 2, pubkeys: [a.toUpperCase(), b] })).toEqual({
    required: 2,
    pubkeys: [a, b],
  })
})

describe("coins of the module's key", () => {
  const [burn] = burnKeysOf.tokel as [string]
  const burned = (value = 1n, data = '') => ({ value, script: rulesV2.issuanceScript(burn, data) })
  interface Given {
    readonly spent?: readonly ReturnType<typeof input>[]
    readonly outputs?: readonly { value: bigint; script: string }[]
    readonly data?: string | undefined
    readonly supply?: bigint
  }
  const held = input(tokenid, shows(b, 'f5'))
  const why = (given: Given) => {
    const { spent = [held], outputs = [burned()], supply = 1n } = given
    const data = 'data' in given ? given.data : 'f7aa'
    const transaction = { txid: id('9'), inputs: spent, outputs } as unknown as Transaction
    return markerRefusal(transaction, { rules: rulesV2, tokenid, moduleKey: b, data, supply })
  }
  const refused = `marker spending is not allowed for tokenid=${tokenid}`

  test('is spent to burn a token of one unit that has data, and for nothing else', () => {
    expect(why({})).toBeUndefined()
    expect(why({ supply: 2n })).toBe(refused)
    expect(why({ data: '' })).toBe(refused)
    expect(why({ data: undefined })).toBe(refused)
    expect(why({ spent: [input(other, shows(b, 'f5'))] })).toBe(refused)
    expect(why({ spent: [held, input(other, shows(b, 'f5'))] })).toBe(refused)
  })

  test('is of no interest to what others spend', () => {
    const others = [input(other, shows(a, 'f5')), input(other, shows(b, 'f2')), input(other)]
    expect(why({ spent: others, supply: 2n, data: '', outputs: [] })).toBeUndefined()
    expect(why({ spent: [...others, held], supply: 2n })).toBe(refused)
  })

  test('is spent with one unit to a key that burns, by its whole script', () => {
    const last = { value: 1n, script: rulesV2.issuanceScript(burnKeysOf.tokel![1]!, '') }
    expect(why({ outputs: [last] })).toBeUndefined()
    expect(why({ outputs: [burned(1n, 'f7aa')] })).toBeUndefined()
    const apart = [{ value: 5n, script: p2pk(a) }, burned()]
    expect(why({ outputs: apart })).toBeUndefined()
    expect(why({ outputs: [burned(), burned()] })).toBe(refused)
    expect(why({ outputs: [burned(2n)] })).toBe(refused)
    expect(why({ outputs: [] })).toBe(refused)
    expect(why({ outputs: [{ value: 1n, script: keyScriptV2(a) }] })).toBe(refused)
  })
})

describe('keys of whose units nodes relay a spend', () => {
  const secrets = Array.from({ length: 15 }, (_, at) => (at + 1).toString(16).padStart(64, '0'))
  const pubkeys = secrets.map((it) =>
    Buffer.from(secp256k1.getPublicKey(Buffer.from(it, 'hex'))).toString('hex'),
  )
  /** Bytes of the one push that spends the units of some keys, as it is really signed. */
  function signedBytes(required: number, count: number): number {
    const condition = moduleCondition(pubkeys.slice(0, count), { evalCodes: [0xf5], required })
    const unsigned = encodeTransaction(madeUpFields)
    const prevout = { value: 1n, script: conditionScript(condition), condition }
    const { hex } = signTransaction(unsigned, secrets, [prevout], networks.tokel)
    // The push has three bytes before what it pushes.
    return decodeTransaction(hex).inputs[0]!.scriptSig.length / 2 - 3
  }
  const check = (required: number, count: number) =>
    requireRelayedSpend({ required, pubkeys: pubkeys.slice(0, count) })

  test.each([
    [4, 6],
    [2, 9],
    [1, 10],
  ])('are %d of %d, whose push of 520 bytes at most a node takes', (required, count) => {
    expect(check(required, count)).toBeUndefined()
    expect(signedBytes(required, count)).toBeLessThanOrEqual(520)
  })

  test.each([
    [5, 5],
    [3, 8],
    [2, 10],
  ])('are not %d of %d, whose push is longer', (required, count) => {
    const { code, actual, expected, path } = refusal(() => check(required, count))
    expect([code, path]).toEqual(['size_out_of_range', 'to'])
    expect(expected).toContain('at most 520 bytes')
    expect(actual).toBe(`${required} of ${count} keys: ${signedBytes(required, count)} bytes`)
  })
})

describe('the data of a token', () => {
  const vec = (hex: string) => `${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
  const says = (payload: string) => ({ value: 0n, script: `6a${push(payload)}` })
  const v2 = (data: string) => says(`f56301${vec(a)}015400${data === '' ? '' : vec(data)}`)
  const v1 = (data: string) => says(`f24301${vec(a)}015400${data === '' ? '' : vec(data)}`)
  const right = encodeTokelData({ royalty: 5 })
  const why = (
    outputs: readonly { value: bigint; script: string }[],
    inputs: readonly ReturnType<typeof input>[] = [],
    chain: Readonly<Record<string, readonly { value: bigint; script: string }[]>> = {},
  ) =>
    tokelDataRefusal({ txid: id('9'), inputs, outputs } as unknown as Transaction, (txid) => {
      const made = chain[txid]
      return made && ({ txid, inputs: [], outputs: made } as unknown as Transaction)
    })
  const unit = { value: 1n, script: p2pk(a) }

  test('are properties where they are created', () => {
    expect(why([])).toBe('no vouts')
    expect(why([unit])).toBeUndefined()
    expect(why([unit, v2(right)])).toBeUndefined()
    expect(why([unit, v2('')])).toBe('no tkl data in opreturn')
    for (const data of ['f7', '00aa']) {
      expect(why([unit, v2(data)])).toBe('tkl data invalid: invalid tokel data')
    }
    expect(why([unit, v2('f702')])).toBe('tkl data invalid: invalid tkl data version')
    expect(why([unit, says(`f57401${tokenid}`)])).toBeUndefined()
  })

  test('are read where a token of version 1 leaves its creation', () => {
    const gives = says(`f25401${tokenid}0121${a}`)
    const spending = [input(other), input(tokenid)]
    const from = (payload: typeof gives) => ({ [tokenid]: [unit, payload] })
    expect(why([unit, gives], spending, from(v1(right)))).toBeUndefined()
    expect(why([unit, gives], spending, from(v1('f702')))).toBe(
      'tkl data invalid: invalid tkl data version',
    )
    expect(why([unit, gives], spending, from(v1('')))).toBe('no tkl data in opreturn')
    expect(why([unit, gives], [input(other)], from(v1('')))).toBeUndefined()
    expect(why([unit, gives], spending)).toBe('could not decode token create tx opreturn')
    expect(why([unit, gives], spending, from(gives))).toBe(
      'could not decode token create tx opreturn',
    )
    expect(why([unit, v1('')])).toBeUndefined()
    // The first output names another token, which does not leave its creation here.
    const names = `f25401${other}01${vec(a)}`
    const script = tokenScript(a, { evalCodes: [0xf2] }) + shown('f2', [a], 1, [names])
    const drops = { value: 1n, script }
    expect(why([drops, gives], [input(tokenid)], from(v1('f702')))).toBe(
      'tkl data invalid: invalid tkl data version',
    )
  })

  test.each([
    ['unknown_data_version', 'invalid tkl data version'],
    ['unknown_property', 'invalid tokel data property type'],
    ['duplicate_property', 'duplicate tokel data property type'],
    ['royalty_over_limit', 'invalid tokel royalty value (must be in 0...999)'],
    ['truncated', 'could not parse tokel token data'],
  ] as const)('are refused for %s in the words of the daemon', (code, words) => {
    expect(propertyProblem(code)).toBe(words)
  })
})
