// Inputs of M of N keys, which co-signers sign one after the other.

import { describe, expect, test } from 'vitest'

import {
  buildPayment,
  type Case,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  signCase,
  signTransaction,
  verifyCase,
} from '../../../src/index.ts'
import { pushOf } from '../../../src/script/push.ts'
import { stepsOf } from '../../../src/script/template.ts'
import { verifyCaseAsync } from '../../../src/verification/case.ts'
import { prevoutsOf } from '../../../src/verification/case-signing.ts'
import { chainTransaction } from '../../support/komodod.ts'
import { p2pkh, p2sh, payment, sharedCoin, twoOfThree } from '../../support/payments.ts'
import { a, b, c, privateKeys } from '../../support/resigned.ts'

const network = networks.assetChain
const keyOf = (pubkey: string) => privateKeys.get(pubkey)!
const [, hashCoin] = payment.inputs.map(({ txid, vout }) => ({ txid, vout }))
const shared = { txid: sharedCoin[0], vout: sharedCoin[1] }
const change = p2sh(twoOfThree)

const build = (amount: bigint, coins = [shared]) =>
  buildPayment({
    network,
    own: [a, b],
    redeemScripts: [twoOfThree],
    change,
    coins,
    previousTransactions: coins.map(({ txid }) => chainTransaction(txid)),
    tipHeight: 60,
    spend: 'all',
    recipients: [{ script: p2pkh(c), amount }],
  })
const unsigned = build(100_000n)

/** Signs as a co-signer that verifies nothing. */
const signed = (given: Case, ...keys: string[]): Case => {
  const prevouts = prevoutsOf(given.hex, given)
  return { ...given, hex: signTransaction(given.hex, keys.map(keyOf), prevouts, network).hex }
}
const scriptSigOf = ({ hex }: Case) => decodeTransaction(hex).inputs[0]!.scriptSig
const withScriptSig = (given: Case, scriptSig: string): Case => {
  const { inputs, ...rest } = decodeTransaction(given.hex)
  const hex = encodeTransaction({ ...rest, inputs: [{ ...inputs[0]!, scriptSig }] })
  return { ...given, hex }
}
/** The one signature of an input that lacks another. */
const signatureOf = (given: Case) => stepsOf(scriptSigOf(given))![1]!.data
const rejects = (given: Case) =>
  verifyCase(given).findings.flatMap(({ severity, code, path, actual }) =>
    severity === 'reject' ? [[code, path, actual]] : [],
  )
const oneOfTwo = [['unsigned', 'inputs[0].scriptSig', '1 of 2 signatures']]

describe('an input that has one of two signatures', () => {
  test.each([a, b, c])('is unsigned, with the count, if %s signed it', async (key) => {
    const half = signed(unsigned, key)
    expect(rejects(half)).toEqual(oneOfTwo)
    expect(verifyCase(half)).toMatchObject({ ok: false, broadcast: 'no' })
    expect(await verifyCaseAsync(half, {})).toEqual(verifyCase(half))
  })

  test.each([
    [a, b],
    [c, a],
    [b, c],
  ])('is completed by the next co-signer after %s', (first, second) => {
    const half = signed(unsigned, first)
    const whole = signCase(half, [keyOf(second)])
    expect(whole).toMatchObject({ ok: true, broadcast: 'yes' })
    expect(whole.hex).toBe(signCase(unsigned, [first, second].map(keyOf)).hex)
    expect(rejects({ ...half, hex: signCase(half, [keyOf(first)]).hex })).toEqual(oneOfTwo)
  })

  test.each([
    [a, b],
    [b, c],
    [c, a],
  ])(
    'is unsigned with an empty push for the other, as daemons write it, if %s signed',
    (first, second) => {
      const scriptSig = `00${pushOf(signatureOf(signed(unsigned, first)))}00${pushOf(twoOfThree)}`
      const half = withScriptSig(unsigned, scriptSig)
      expect(rejects(half)).toEqual(oneOfTwo)
      expect(signCase(half, [keyOf(second)])).toMatchObject({ ok: true, broadcast: 'yes' })
    },
  )

  test('is unsigned beside an input of another key', () => {
    const two = build(100_000n, [hashCoin!, shared])
    const half = signCase(two, [keyOf(a)], { own: [change] })
    expect(rejects({ ...two, hex: half.hex })).toEqual([
      ['unsigned', 'inputs[1].scriptSig', '1 of 2 signatures'],
    ])
    expect(signCase({ ...two, hex: half.hex }, [keyOf(c)], { own: [change] }).ok).toBe(true)
  })

  test('is unsigned if the output lists the keys itself', () => {
    const outputs = [{ value: 200_000n, script: twoOfThree }]
    const source = encodeTransaction({
      ...decodeTransaction(chainTransaction(shared.txid)),
      outputs,
    })
    const bare = buildPayment({
      network,
      own: [twoOfThree],
      coins: [{ txid: decodeTransaction(source).txid, vout: 0 }],
      previousTransactions: [source],
      tipHeight: 60,
      recipients: [{ script: p2pkh(c), amount: 100_000n }],
    })
    const half = signed(bare, c)
    expect(rejects(half)).toEqual(oneOfTwo)
    expect(signCase(half, [keyOf(b)])).toMatchObject({ ok: true, broadcast: 'yes' })
  })
})

test('an input without any signature is unsigned, whatever empty pushes it has', () => {
  for (const empty of ['', '00', '000000']) {
    expect(rejects(withScriptSig(unsigned, `${empty}${pushOf(twoOfThree)}`))).toEqual([
      ['unsigned', 'inputs[0].scriptSig', '0 of 2 signatures'],
    ])
  }
})

describe('two of three signatures', () => {
  const rest = publicKeyOf('07'.repeat(32), network)
  const threeOfFour = `53${[a, b, c, rest].map((it) => pushOf(it)).join('')}54ae`
  const source = encodeTransaction({
    ...decodeTransaction(chainTransaction(shared.txid)),
    outputs: [{ value: 200_000n, script: p2sh(threeOfFour) }],
  })
  const ofFour = buildPayment({
    network,
    own: [p2sh(threeOfFour)],
    redeemScripts: [threeOfFour],
    coins: [{ txid: decodeTransaction(source).txid, vout: 0 }],
    previousTransactions: [source],
    tipHeight: 60,
    recipients: [{ script: p2pkh(c), amount: 100_000n }],
  })
  const signedBy = (...keys: readonly string[]) => {
    const pushes = keys.map((key) => pushOf(signatureOf(signed(ofFour, key))))
    return withScriptSig(ofFour, `00${pushes.join('')}${pushOf(threeOfFour)}`)
  }
  const mismatch = ['signature', 'inputs[0].scriptSig', 'signature_mismatch']

  test.each([
    [
      'are unsigned in the order of the keys',
      [a, c],
      ['unsigned', mismatch[1], '2 of 3 signatures'],
    ],
    ['are invalid in another order', [c, a], mismatch],
    ['are invalid if one key made both', [b, b], mismatch],
  ])('%s', (_, keys, found) => {
    expect(rejects(signedBy(...keys))).toEqual([found])
  })
})

describe('a signature that the transaction does not have from a co-signer', () => {
  const half = signed(unsigned, b)
  const noneType = signatureOf(half).replace(/01$/, '02')
  const flipped = signatureOf(half).replace(/..01$/, (it) => (it === '0001' ? '0101' : '0001'))

  test.each([
    ['of another transaction', signatureOf(signed(build(100_001n), b))],
    ['of another hash type', noneType],
    ['that was changed', flipped],
    ['that is no signature', '3006020101020101'],
  ])('is invalid: one %s', (_, signature) => {
    const bad = withScriptSig(unsigned, `00${pushOf(signature)}${pushOf(twoOfThree)}`)
    expect(rejects(bad)).toEqual([['signature', 'inputs[0].scriptSig', 'signature_mismatch']])
    expect(signCase(bad, [keyOf(a)]).hex).toBe(bad.hex)
  })

  test('is invalid behind another redeem script', () => {
    const other = `5221${a}21${b}52ae`
    const bad = withScriptSig(unsigned, `00${pushOf(signatureOf(half))}${pushOf(other)}`)
    expect(rejects(bad)).toMatchObject([['signature', 'inputs[0].scriptSig', expect.anything()]])
  })
})
