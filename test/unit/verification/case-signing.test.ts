// The outputs that the key of a case signs for, and the reports that only lack its signatures.

import { describe, expect, test } from 'vitest'

import {
  type Case,
  decodeTransaction,
  encodeTransaction,
  publicKeyOf,
  type Report,
} from '../../../src/index.ts'
import { signsInput } from '../../../src/verification/case.ts'
import {
  lacksOnlySignatures,
  prevoutsOf,
  scriptSigsBy,
} from '../../../src/verification/case-signing.ts'
import { made } from '../../support/built-orders.ts'
import { madeUpFields as fields } from '../../support/made-up.ts'
import { chainHexes, intentOf, orderKeys } from '../../support/orders.ts'
import { p2pkh, p2sh, twoOfThree } from '../../support/payments.ts'
import { a, b, p2pk } from '../../support/resigned.ts'

const coins = [
  { value: 5n, script: p2pkh(a) },
  { value: 6n, script: p2sh(twoOfThree) },
]
const parent = encodeTransaction({ ...fields, outputs: coins })
const created = encodeTransaction({ ...fields, outputs: [{ value: 7n, script: p2pk(b) }] })
const spends = (hex: string, vout: number) => ({
  txid: decodeTransaction(hex).txid,
  vout,
  scriptSig: '',
  sequence: 0xffffffff,
})
const inputs = [spends(parent, 1), spends(parent, 0)]
const hex = encodeTransaction({ ...fields, inputs })
const caseOf = (evidence: object, intent: object = {}) =>
  ({ evidence: { previousTransactions: [parent], ...evidence }, intent }) as unknown as Case

describe('the outputs that a case spends', () => {
  test('are in the order of the inputs', () => {
    expect(prevoutsOf(hex, caseOf({}))).toStrictEqual([coins[1], coins[0]])
  })

  test('are those of the creation of a token, too', () => {
    const both = encodeTransaction({ ...fields, inputs: [...inputs, spends(created, 0)] })
    expect(prevoutsOf(both, caseOf({ tokenCreate: created }))).toStrictEqual([
      coins[1],
      coins[0],
      { value: 7n, script: p2pk(b) },
    ])
  })

  test('have the redeem scripts that the request names', () => {
    const redeemScripts = [p2pk(a), twoOfThree]
    expect(prevoutsOf(hex, caseOf({}, { redeemScripts }))).toStrictEqual([
      { ...coins[1], redeemScript: twoOfThree },
      coins[0],
    ])
    const without = { redeemScripts: undefined }
    expect(prevoutsOf(hex, caseOf({}, without))).toStrictEqual([coins[1], coins[0]])
  })

  test('read each redeem script once, however many inputs there are', () => {
    const read: string[] = []
    const redeemScripts = new Proxy([p2pk(a), p2pk(b), twoOfThree], {
      get(list, name) {
        if (/^\d+$/.test(String(name))) read.push(String(name))
        return Reflect.get(list, name)
      },
    })
    prevoutsOf(hex, caseOf({}, { redeemScripts }))
    expect(read).toEqual(['0', '1', '2'])
  })

  test('are found beside hex that is not a transaction, of which the report warns', () => {
    const previousTransactions = ['zz', parent]
    expect(prevoutsOf(hex, caseOf({ previousTransactions }))).toStrictEqual([coins[1], coins[0]])
    expect(() => prevoutsOf(hex, caseOf({ previousTransactions: [5, parent] }))).toThrow(TypeError)
  })
})

test('a report lacks only signatures if nothing else rejects', () => {
  const [unsigned, dust, fee] = [
    { severity: 'reject', code: 'unsigned' },
    { severity: 'warn', code: 'dust' },
    { severity: 'reject', code: 'fee' },
  ]
  const lacks = (ok: boolean, ...findings: object[]) =>
    lacksOnlySignatures({ ok, findings } as unknown as Report)
  expect(lacks(false, unsigned!)).toBe(true)
  expect(lacks(false, dust!, unsigned!)).toBe(true)
  expect(lacks(false, unsigned!, fee!)).toBe(false)
  expect(lacks(true)).toBe(false)
  expect(lacks(true, dust!)).toBe(false)
})

test("a module's published key signs no input of a case for its holder", () => {
  const filled = made('fillAsk')
  const given: Case = {
    operation: 'tokenfillask',
    hex: filled.hex,
    intent: intentOf(filled) as Case<'tokenfillask'>['intent'],
    evidence: { previousTransactions: chainHexes },
  }
  const [keyOfA, keyOfB, published] = orderKeys as [string, string, string]
  const signs = (key: string) => signsInput(given, given.hex, key)
  expect(filled.from).toBe(publicKeyOf(keyOfB))
  expect([signs(keyOfB), signs(keyOfA), signs(published)]).toEqual([true, false, false])
  // The order itself, which the daemon signed by that key.
  const byModule = scriptSigsBy([published], given.hex, given)
  const { inputs } = decodeTransaction(given.hex)
  expect(byModule.map((it, at) => it !== '' && it === inputs[at]!.scriptSig)).toEqual([false, true])
})
