// A withdrawal as a journal keeps it: whatever resumes it must verify the same request again.

import { describe, expect, test } from 'vitest'

import { addressOf, encodeWif, isAntaraError, networks } from '../../../src/index.ts'
import type { WithdrawIntent } from '../../../src/request/withdraw.ts'
import {
  type WithdrawPayer,
  withdrawOf,
  withdrawText,
} from '../../../src/rpc/safe-flow/withdraw-text.ts'
import { a, b, privateKeys } from '../../support/resigned.ts'

const { assetChain, komodo } = networks
const own = addressOf(a, komodo)
const to = addressOf(b, komodo)
const intent: WithdrawIntent = { coin: 'KMD', to, amount: 7n, own: [own, a] }
const wif = encodeWif(privateKeys.get(a)!, komodo)

describe('the text of a withdrawal', () => {
  test('has what people look for in front, and the rest beside it', () => {
    expect(withdrawText({ ...intent, maxFee: 9n, network: komodo })).toBe(
      `{"operation":"withdraw","coin":"KMD","to":"${to}","amount":"7",` +
        `"network":"komodo","intent":{"own":["${own}","${a}"],"maxFee":"9"}}`,
    )
  })

  test.each<[string, Partial<WithdrawIntent>]>([
    ['an amount', {}],
    ['all there is', { amount: 'max' }],
    ['another network', { network: komodo }],
    ['the limits of its fee', { fee: 3n, maxFee: 9n }],
    ['a note', { nulldata: 'abcd' }],
  ])('is read back with %s', (_, more) => {
    const whole = { ...intent, ...more }
    expect(withdrawOf(withdrawText(whole))).toEqual({ intent: { network: assetChain, ...whole } })
  })

  // komodo-defi-framework coins/hd_wallet/mod.rs, HDAddressSelector
  test.each<[string, WithdrawPayer]>([
    ['account', { account_id: 2, chain: 'Internal', address_id: 0 }],
    ['path', { derivation_path: "m/44'/141'/3'/0/1" }],
  ])('is read back with the paying %s of an HD wallet', (_, from) => {
    expect(withdrawOf(withdrawText(intent, from))?.from).toEqual(from)
    const [first] = withdrawText(intent, from).split(',"intent":')
    expect(first).toContain(JSON.stringify(from))
  })

  test.each<[string, unknown]>([
    ['a path of another length', { derivation_path: "m/44'" }],
    ['a long text', { derivation_path: `m/${'1'.repeat(9999)}` }],
    ['an account that is not a number', { account_id: {}, chain: 'External', address_id: 0 }],
    ['an unknown chain', { account_id: 0, chain: 'Middle', address_id: 0 }],
    ['null', null],
  ])('has no paying address from %s, which the framework refuses', (_, from) => {
    expect(withdrawText(intent, from as WithdrawPayer)).toBe(withdrawText(intent))
  })

  test('has no private key that somebody passed as a name', () => {
    expect(withdrawText({ ...intent, to: wif, own: [wif], ownKeys: [wif] })).not.toContain(wif)
  })

  test('of an earlier version lacks the own scripts, so it is not a request', () => {
    const text = JSON.stringify({ operation: 'withdraw', coin: 'KMD', to, amount: '7' })
    expect(withdrawOf(text)).toBeUndefined()
  })

  test.each([
    ['amount', { amount: 'all' }],
    ['network', { network: 'nowhere' }],
    ['own', { intent: { own: 5 } }],
  ])('is refused where its %s was changed', (_, more) => {
    const text = JSON.stringify({ ...JSON.parse(withdrawText(intent)), ...more })
    let error: unknown
    try {
      withdrawOf(text)
    } catch (it) {
      error = it
    }
    expect(isAntaraError(error, 'malformed_case')).toBe(true)
  })
})
