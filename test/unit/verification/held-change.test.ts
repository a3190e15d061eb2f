// The keys of a signer, against the keys that a request calls the wallet's own.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { moduleOfEvalCode, tokensEvalCode } from '../../../src/chain/modules.ts'
import {
  buildPayment,
  networks,
  parseCase,
  type Report,
  signCase,
  verifyCase,
} from '../../../src/index.ts'
import { chainTransaction } from '../../support/komodod.ts'
import { p2pkh, p2sh, payment, sharedCoin, twoOfThree, worthOf } from '../../support/payments.ts'
import { a, b, c, moduleKey, othersNative, p2pk, privateKeys } from '../../support/resigned.ts'

const network = networks.assetChain
const example = (name: string) =>
  readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8')
const keyOf = (pubkey: string) => privateKeys.get(pubkey)!
const [keyCoin, hashCoin] = payment.inputs.map(({ txid, vout }) => ({ txid, vout }))
const coinsOfA = [keyCoin!, hashCoin!]
const coinOfB = { txid: othersNative[0], vout: othersNative[1] }
const shared = { txid: sharedCoin[0], vout: sharedCoin[1] }

const asked = {
  network,
  own: [a],
  coins: coinsOfA,
  previousTransactions: [...coinsOfA, coinOfB, shared].map(({ txid }) => chainTransaction(txid)),
  tipHeight: 60,
  spend: 'all',
  recipients: [{ script: p2pkh(c), amount: 100_000n }],
} as const
const build = (changed: Partial<Parameters<typeof buildPayment>[0]>) =>
  buildPayment({ ...asked, ...changed })

const unheld = ({ findings }: Report) =>
  findings.filter(({ code }) => code === 'change_not_held').map(({ path }) => path)

test('a signer is warned of change to a key that only the request calls own', () => {
  const built = build({ own: [b, a] })
  expect(verifyCase(built).findings.map(({ code }) => code)).not.toContain('change_not_held')
  const report = signCase(built, [keyOf(a)])
  expect(report).toMatchObject({ ok: true, broadcast: 'your-decision' })
  expect(unheld(report)).toEqual(['outputs[1].script'])
  expect(unheld(signCase(built, [keyOf(a)], { own: [c] }))).toEqual(['outputs[1].script'])
})

test('a signer whose records have the key is not warned', () => {
  const built = build({ own: [b, a] })
  for (const own of [[b], [p2pkh(b)]]) {
    expect(signCase(built, [keyOf(a)], { own }).broadcast).toBe('yes')
  }
  expect(signCase(built, [keyOf(a), keyOf(b)]).broadcast).toBe('yes')
  expect(() => signCase(built, [keyOf(a)], { own: ['nobody'] })).toThrow(TypeError)
})

test("a module's published key holds nothing, and vouches for nothing", () => {
  const known = moduleOfEvalCode(tokensEvalCode)!.key!.privateKey
  const built = build({ own: [b, a] })
  expect(unheld(signCase(built, [keyOf(a), known]))).toEqual(['outputs[1].script'])
  expect(() => signCase(built, [keyOf(a)], { own: [b, moduleKey] })).toThrow(/^own\[1\]: /)
})

test('change to the hash of the key that is spent is its own', () => {
  expect(signCase(build({ coins: [keyCoin!] }), [keyOf(a)]).broadcast).toBe('yes')
  expect(signCase(build({ change: p2pk(a) }), [keyOf(a)]).broadcast).toBe('yes')
})

test('another signer may get back what its coins were worth, and no more', () => {
  const coins = [...coinsOfA, coinOfB]
  const own = [b, a]
  const all = coins.reduce((sum, coin) => sum + worthOf(coin), 0n)
  const some = all - worthOf(coinOfB)
  const paid = (amount: bigint) =>
    build({ own, coins, fee: 10_000n, recipients: [{ script: p2pkh(c), amount }] })
  const byA = (amount: bigint) => unheld(signCase(paid(amount), [keyOf(a)]))
  const byBoth = (amount: bigint) => signCase(paid(amount), [keyOf(a), keyOf(b)])
  expect(byBoth(some).broadcast).toBe('yes')
  // All change goes to B. With this amount it is what B gave, less the fee.
  expect(unheld(signCase(paid(some), [keyOf(b)]))).toEqual([])
  expect(byA(some)).toEqual([])
  expect(byA(some - 10_000n)).toEqual([])
  expect(byA(some - 10_001n)).toEqual(['outputs[1].script'])
})

test('shared coins return to the script that held them', () => {
  const redeemScripts = [twoOfThree]
  const change = p2sh(twoOfThree)
  const built = build({ coins: [shared], own: [a, b], redeemScripts, change })
  expect(unheld(signCase(built, [keyOf(a)]))).toEqual([])
  const more = build({
    coins: [shared, ...coinsOfA],
    own: [a, b],
    redeemScripts,
    change,
  })
  expect(unheld(signCase(more, [keyOf(a)]))).toEqual(['outputs[1].script'])
  expect(unheld(signCase(more, [keyOf(a), keyOf(b)], { own: [change] }))).toEqual([])
})

test("a redeem script of the file does not make its address the signer's", () => {
  // Without the script, which only the file has, nobody can spend the change.
  const withStranger = `5221${a}21${a}21${c}53ae`
  for (const script of [withStranger, twoOfThree]) {
    const change = p2sh(script)
    const built = build({ own: [a, b], redeemScripts: [script], change })
    const signed = (own: string[]) => signCase(built, [keyOf(a)], { own })
    expect(signed([b])).toMatchObject({ ok: true, broadcast: 'your-decision' })
    expect(unheld(signed([b]))).toEqual(['outputs[1].script'])
    expect(unheld(signed([script]))).toEqual(['outputs[1].script'])
    expect(unheld(signed([change]))).toEqual([])
  }
})

test('a signer of a case with the token of a stranger is warned of its owner', () => {
  const given = parseCase(example('create.json'))
  expect(unheld(signCase(given, [keyOf(b)]))).toEqual(['intent.owner'])
  expect(unheld(signCase(given, [keyOf(b)], { own: [a] }))).toEqual([])
  expect(unheld(signCase(given, [keyOf(a)]))).toEqual([])
})
