// These tests cover how a server can alter the fee and the change of a payment: it chooses inputs,
// change and sizes.

import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'

import {
  encodeTransaction,
  type PaymentIntent,
  parseCase,
  type Report,
  signTransaction,
  type TransactionOutput,
  tokenScript,
  transactionId,
  verifyPayment,
  verifyWithdraw,
} from '../../../src/index.ts'
import { publicKeyFormsOf } from '../../../src/primitives/secp256k1.ts'
import {
  evidenceFor,
  intent,
  network,
  p2pkh,
  p2sh,
  payment,
  sharedCoin,
  signPayment,
  tipHeight,
  twoOfThree,
  withdrawAnswer,
  worthOf,
} from '../../support/payments.ts'
import { a, b, c, moduleKey, p2pk, privateKeys } from '../../support/resigned.ts'

const isOf = (key: string, script: string) => script === p2pk(key) || script === p2pkh(key)
const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code)
const coin = 100_000_000n
const recipient = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'

/** One transaction with coins of A. */
function coinsOf(values: readonly bigint[], script = p2pkh(a)) {
  const hex = encodeTransaction({
    ...payment,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '51', sequence: 0xffffffff }],
    outputs: values.map((value) => ({ value, script })),
  })
  const txid = transactionId(hex)
  return { hex, coins: values.map((value, vout) => ({ txid, vout, value, script })) }
}

interface Made {
  readonly values: readonly bigint[]
  readonly script?: string
  readonly outputs: readonly TransactionOutput[]
  readonly asked?: Partial<PaymentIntent>
}

/** Returns what a server built for a request to pay one coin to B. */
function made({ values, script, outputs, asked = {} }: Made) {
  const { hex: previous, coins } = coinsOf(values, script)
  const inputs = coins.map(({ txid, vout }) => ({
    txid,
    vout,
    scriptSig: '',
    sequence: 0xffffffff,
  }))
  const { hex } = signTransaction(
    { ...payment, inputs, outputs },
    [privateKeys.get(a)!],
    coins,
    network,
  )
  const requested: PaymentIntent = {
    recipients: [{ address: recipient, amount: coin }],
    own: [a],
    spendable: coins,
    ...asked,
  }
  const report = verifyPayment(hex, requested, { previousTransactions: [previous], tipHeight })
  return { hex, previous, report, bytes: hex.length / 2 }
}

const toRecipient = { value: coin, script: p2pkh(b) }

test('the fee of a transaction without its recipient is measured by the coins that it moves', () => {
  const outputs = [{ value: 2n * coin - 20_001n, script: p2pkh(a) }]
  const { report } = made({ values: [2n * coin], outputs, asked: { maxFee: 30_000n } })
  expect(report.ok).toBe(false)
  expect(codes(report)).not.toContain('fee_high')
})

test('two outputs of change beside a recipient of all that is left are found once each', () => {
  const change = { value: coin, script: p2pkh(a) }
  const outputs = [toRecipient, { value: coin, script: p2pkh(b) }, change, change]
  const recipients = [
    { address: recipient, amount: coin },
    { address: recipient, amount: 'max' as const },
  ]
  const { report } = made({ values: [4n * coin + 10_000n], outputs, asked: { recipients } })
  expect(codes(report)).toEqual(['unexpected_output', 'unexpected_output'])
})

/** A payment that spends `values` and pays `fee`, with all change in equal outputs to `scripts`. */
function split(
  values: readonly bigint[],
  fee: bigint,
  scripts: readonly string[],
  asked: Partial<PaymentIntent>,
) {
  const rest = values.reduce((sum, it) => sum + it, 0n) - coin - fee
  const each = rest / BigInt(scripts.length)
  const change = scripts.map((script, at) => ({
    value: at === 0 ? rest - each * BigInt(scripts.length - 1) : each,
    script,
  }))
  return made({ values, outputs: [toRecipient, ...change], asked })
}

const times = (count: number, script = p2pkh(a)) => Array.from({ length: count }, () => script)

describe('change', () => {
  test('change in thousands of own outputs does not raise the fee that a rate allows', () => {
    const feeRate = 100_000n
    const { report, bytes } = split([100n * coin], 19_700_000n, times(5800), { feeRate })
    expect(bytes).toBeGreaterThan(190_000)
    expect(report.ok).toBe(false)
    expect(report.findings).toMatchObject([
      { code: 'change_split', path: 'outputs', expected: 'at most 1 of change', actual: 5800 },
      { code: 'nonstandard', expected: 'at most 4000 signature checks', actual: 5801 },
      { code: 'fee_too_low' },
      { code: 'fee_high' },
    ])
    const paid = (feeRate * BigInt(bytes)) / 1000n
    expect(codes(split([100n * coin], paid, times(5800), { feeRate }).report)).toEqual([
      'change_split',
      'nonstandard',
      'fee_too_high',
      'fee_high',
    ])
  })

  test.each<[number, number | undefined, string[]]>([
    [1, undefined, []],
    [2, undefined, ['change_split']],
    [1, 1, []],
    [2, 1, ['change_split']],
    [2, 2, []],
    [3, 2, ['change_split']],
    [1, 0, ['change_split']],
    [5, 0xffffffff, []],
  ])('change of %i outputs is reported if %s may be', (count, maxChangeOutputs, expected) => {
    const asked = { ...(maxChangeOutputs !== undefined && { maxChangeOutputs }), fee: 10_000n }
    const { report } = split([2n * coin], 10_000n, times(count), asked)
    expect(codes(report)).toEqual(expected)
    expect(report.ok).toBe(expected.length === 0)
  })

  test('is counted over all own scripts', () => {
    const { report } = split([2n * coin], 10_000n, [p2pkh(a), p2pk(a)], { fee: 10_000n })
    expect(codes(report)).toEqual(['change_split'])
  })

  test('change to a recipient that is own counts as payment once', () => {
    const recipients = [{ script: p2pkh(a), amount: coin }]
    const outputs = [
      { value: coin, script: p2pkh(a) },
      { value: coin - 10_000n, script: p2pkh(a) },
    ]
    const { report } = made({ values: [2n * coin], outputs, asked: { recipients, fee: 10_000n } })
    expect(codes(report)).toEqual([])
  })

  test.each([-1, 0.5, '2', 2 ** 32, null])('rejects %s as its number', (maxChangeOutputs) => {
    const asked = { maxChangeOutputs: maxChangeOutputs as number, fee: 10_000n }
    expect(() => split([2n * coin], 10_000n, times(1), asked)).toThrow(
      /^intent\.maxChangeOutputs: /,
    )
  })

  test('change in several outputs is requested by a case file too', () => {
    const file = (maxChangeOutputs: unknown) => ({
      operation: 'payment',
      network: 'assetChain',
      intent: { recipients: [{ address: recipient, amount: '1' }], own: [a], maxChangeOutputs },
      hex: '00',
      previousTransactions: [],
    })
    expect(parseCase(JSON.stringify(file(3))).intent).toMatchObject({ maxChangeOutputs: 3 })
    expect(() => parseCase(JSON.stringify(file('3')))).toThrow(/maxChangeOutputs/)
  })
})

// the wallet signs pubkey, pubkeyhash and multisig, bare or behind a script hash:
// src/signing/sign.ts
describe('change to an own script', () => {
  const uncompressed = `04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`
  const offCurve = `02${'00'.repeat(31)}05`
  const fee = { fee: 10_000n }
  const changeTo = (script: string, asked: Partial<PaymentIntent>) =>
    split([100n * coin], 10_000n, [script], { ...fee, ...asked }).report
  const behindHash = (redeemScript: string, own: PaymentIntent['own'] = [a]) =>
    changeTo(p2sh(redeemScript), { own, redeemScripts: [redeemScript] })
  const bare = (script: string, own: PaymentIntent['own'] = [a, script]) =>
    changeTo(script, { own })

  test.each<[string, string]>([
    ['a lock until 2038', `04ffffff7fb175${p2pk(a)}`],
    ['a lock until 2038 before its hash', `04ffffff7fb175${p2pkh(a)}`],
    ['a lock until a height', `03a08601b175${p2pk(a)}`],
    ['a lock that has passed', `51b175${p2pk(a)}`],
    ['a lock before shared keys', `04ffffff7fb1755121${a}51ae`],
    ['a hash lock', `a914${'11'.repeat(20)}8821${a}ac`],
    ['two of two keys, one of them foreign', `5221${a}21${b}52ae`],
    ['two of three keys, two of them foreign', twoOfThree],
    ['one of two keys, one of them foreign', `5121${a}21${b}52ae`],
    ["another's key", p2pk(b)],
    ["another's key hash", p2pkh(b)],
    ['a script that anyone spends', '51'],
    ['a script that nobody spends', '6a'],
    ['a script of nothing', '00'],
    ['a script behind another hash', p2sh(p2pk(a))],
    ['a condition', tokenScript(a)],
    ['three signatures of two keys', `5321${a}21${a}52ae`],
    ['one key counted as three', `5121${a}53ae`],
    ['two keys counted as one', `5121${a}21${a}51ae`],
    ['a key off the curve', `21${offCurve}ac`],
    ['a key off the curve beside the own one', `5121${a}21${offCurve}52ae`],
    ['a key of 32 bytes', `20${a.slice(2)}ac`],
    ['more bytes than can be pushed', `5121${a}${`41${uncompressed}`.repeat(8)}59ae`],
    ['a key in a longer push', `4c21${a}ac`],
  ])('is rejected behind a hash: %s', (_, redeemScript) => {
    const report = behindHash(redeemScript)
    expect(report.ok).toBe(false)
    expect(codes(report)).toEqual(['change_locked'])
  })

  test.each<[string, string]>([
    ['a key', p2pk(a)],
    ['a key of 65 bytes', `41${uncompressed}ac`],
    ['a key hash', p2pkh(a)],
    ['one of one key', `5121${a}51ae`],
    ['two of two own keys', `5221${a}21${c}52ae`],
    ['two of three keys, one of them foreign', twoOfThree],
    ['fifteen keys', `5f${`21${a}`.repeat(15)}5fae`],
  ])('agrees behind a hash: %s', (_, redeemScript) => {
    const own = [a, c, p2pkh(uncompressed)]
    expect(codes(behindHash(redeemScript, own))).toEqual([])
    expect(
      codes(behindHash(redeemScript, (it) => own.includes(it) || isOf(a, it) || isOf(c, it))),
    ).toEqual([])
  })

  test('takes keys of ownKeys for own', () => {
    const redeemScript = `5221${a}21${c}52ae`
    const asked = { own: [a], redeemScripts: [redeemScript] }
    expect(codes(changeTo(p2sh(redeemScript), asked))).toEqual(['change_locked'])
    expect(codes(changeTo(p2sh(redeemScript), { ...asked, ownKeys: [c] }))).toEqual([])
  })

  test.each<[string, string, string]>([
    ['three signatures of two keys', `5321${a}21${a}52ae`, 'intent_own_keys'],
    ['one key counted as three', `5121${a}53ae`, 'intent_own_keys'],
    ['a key off the curve', `21${offCurve}ac`, 'intent_own_keys'],
    ['a key off the curve among others', `5121${a}21${offCurve}52ae`, 'intent_own_keys'],
    ['a key of 32 bytes', `20${a.slice(2)}ac`, 'intent_own_keys'],
    ['two of two keys, one of them foreign', `5221${a}21${b}52ae`, 'change_locked'],
    ['one of two keys, one of them foreign', `5121${a}21${b}52ae`, 'change_locked'],
    ["a module's key among others", `5121${a}21${moduleKey}52ae`, 'intent_module_key'],
  ])('is rejected bare: %s', (_, script, code) => {
    expect(codes(bare(script))).toEqual([code])
    const reported = codes(bare(script, (it) => it === script || isOf(a, it)))
    expect(reported).toEqual([code.startsWith('intent') ? 'unexpected_output' : code])
  })

  test('is rejected where the redeem script has a key that a module publishes', () => {
    for (const redeemScript of [
      p2pk(moduleKey),
      p2pkh(moduleKey),
      `5121${a}21${moduleKey}52ae`,
      `5221${a}21${moduleKey}52ae`,
    ]) {
      expect(behindHash(redeemScript).findings).toMatchObject([
        { code: 'intent_module_key', path: 'intent.redeemScripts[0]', actual: 'TOKENS' },
      ])
    }
  })

  test('is rejected where its redeem script was not given, and says so', () => {
    const report = changeTo(p2sh(twoOfThree), { own: [a, p2sh(twoOfThree)] })
    expect(report.findings).toMatchObject([
      {
        code: 'change_locked',
        path: 'outputs[1].script',
        expected: 'a script that own keys alone can spend now',
        actual: 'its redeem script is not among redeemScripts',
      },
    ])
  })

  test('says how many keys are own', () => {
    expect(behindHash(twoOfThree).findings).toMatchObject([
      { code: 'change_locked', actual: 'it takes 2 of 3 keys, and 1 of them are own' },
    ])
  })

  test('says why a redeem script that was given is none', () => {
    expect(behindHash(`04ffffff7fb175${p2pk(a)}`).findings).toMatchObject([
      { code: 'change_locked', actual: 'locked until 2147483647' },
    ])
    expect(behindHash('6a').findings).toMatchObject([
      { code: 'change_locked', actual: 'nulldata: no template that is signed here' },
    ])
  })
})

describe('change back to shared keys', () => {
  const shared = worthOf({ txid: sharedCoin[0], vout: sharedCoin[1] })
  const spent = payment.inputs.reduce((sum, it) => sum + worthOf(it), 0n)
  const script = p2sh(twoOfThree)
  const check = (values: readonly bigint[], asked: Partial<PaymentIntent> = {}) => {
    const back = values.reduce((sum, it) => sum + it, 0n)
    const amount = spent - back - 10_000n
    const outputs = [
      { value: amount, script: p2pkh(b) },
      ...values.map((value) => ({ value, script })),
    ]
    const tx = { ...payment, outputs }
    const { nulldata: _, ...rest } = intent
    const recipients = [{ script: p2pkh(b), amount }]
    const found = verifyPayment(signPayment(tx), { ...rest, recipients, ...asked }, evidenceFor(tx))
    return codes(found).filter((it) => it !== 'extra_input')
  }

  test('is as much as they held at most', () => {
    expect(check([shared])).toEqual([])
    expect(check([shared + 1n])).toEqual(['change_locked'])
    expect(check([shared - 5000n, 5000n], { maxChangeOutputs: 2 })).toEqual([])
    expect(check([shared - 5000n, 5001n], { maxChangeOutputs: 2 })).toEqual(['change_locked'])
  })

  test('is anything where all that is spent is theirs', () => {
    const inputs = payment.inputs.filter((it) => it.txid === sharedCoin[0])
    const outputs = [
      { value: 1000n, script: p2pkh(b) },
      { value: shared - 11_000n, script },
    ]
    const tx = { ...payment, inputs, outputs }
    const { nulldata: _, ...rest } = intent
    const asked = { ...rest, own: [script], recipients: [{ script: p2pkh(b), amount: 1000n }] }
    for (const redeemScripts of [[], [twoOfThree]]) {
      const report = verifyPayment(signPayment(tx), { ...asked, redeemScripts }, evidenceFor(tx))
      expect(codes(report)).toEqual([])
    }
  })

  const oneOfThree = twoOfThree.replace(/^52/, '51')
  const repeated = `5221${a}21${a}21${b}53ae`
  const toOther = (
    change: string,
    inputs: typeof payment.inputs,
    asked: Partial<PaymentIntent>,
  ) => {
    const value = inputs.reduce((sum, it) => sum + worthOf(it), 0n) - 11_000n
    const outputs = [
      { value: 1000n, script: p2pkh(c) },
      { value, script: change },
    ]
    const tx = { ...payment, inputs, outputs }
    const { nulldata: _, ...rest } = intent
    const recipients = [{ script: p2pkh(c), amount: 1000n }]
    const request = { ...rest, own: [script, a, b, c], recipients, ...asked }
    return verifyPayment(signPayment(tx), request, evidenceFor(tx))
  }

  test.each([
    ['one of the keys', p2pkh(a), []],
    ['one of three', p2sh(oneOfThree), [oneOfThree]],
    ['a key that is listed twice', p2sh(repeated), [repeated]],
    ['a key, with the redeem script in the scriptSig alone', p2pkh(a), undefined],
  ])('is a warning if it goes to %s', (_, change, further) => {
    const inputs = payment.inputs.filter((it) => it.txid === sharedCoin[0])
    const asked = further === undefined ? {} : { redeemScripts: [twoOfThree, ...further] }
    const report = toOther(change, inputs, asked)
    expect(report.findings).toMatchObject([
      { code: 'change_weaker', path: 'outputs[1].script', expected: 2, actual: 1 },
    ])
    expect(report).toMatchObject({ ok: true, broadcast: 'your-decision' })
  })

  describe('beside coins that one key spends', () => {
    const single = payment.inputs
      .filter((it) => it.txid !== sharedCoin[0])
      .reduce((sum, it) => sum + worthOf(it), 0n)
    const weaker = (values: readonly bigint[], changes: readonly string[]) => {
      const all = payment.inputs.reduce((sum, it) => sum + worthOf(it), 0n)
      const amount = all - values.reduce((sum, it) => sum + it, 0n) - 10_000n
      const change = values.map((value, at) => ({ value, script: changes[at]! }))
      const tx = { ...payment, outputs: [{ value: amount, script: p2pkh(c) }, ...change] }
      const { nulldata: _, ...rest } = intent
      const recipients = [{ script: p2pkh(c), amount }]
      const own = [script, a, b]
      const redeemScripts = [twoOfThree]
      const asked = { ...rest, own, recipients, redeemScripts, maxChangeOutputs: 2 }
      const report = verifyPayment(signPayment(tx), asked, evidenceFor(tx))
      return report.findings.flatMap(({ code, path, expected, actual }) =>
        code === 'change_weaker' ? [[path, expected, actual]] : [],
      )
    }
    const found = [['outputs[1].script', 2, 1]]

    test('is no warning up to what they were worth', () => {
      expect(weaker([single], [p2pkh(a)])).toEqual([])
      expect(weaker([single - 1000n, 1000n], [p2pkh(a), p2pkh(b)])).toEqual([])
      expect(weaker([single, shared - 20_000n], [p2pkh(a), script])).toEqual([])
    })

    test('is a warning above that', () => {
      expect(weaker([single + 1n], [p2pkh(a)])).toEqual(found)
      expect(weaker([single - 1000n, 1001n], [p2pkh(a), p2pkh(b)])).toEqual([
        ...found,
        ['outputs[2].script', 2, 1],
      ])
      expect(weaker([single + 1n, 1000n], [p2pkh(a), script])).toEqual(found)
    })
  })

  test('is free where enough of the keys are own', () => {
    expect(check([shared + 1n], { own: [a, c] })).toEqual([])
  })
})

describe('a fee rate', () => {
  const feeRate = 100_000n
  const feeOf = (bytes: number, rate = feeRate) => (rate * BigInt(bytes) + 999n) / 1000n
  /** The amount that nodes do not relay as change. A fee rate may cost this on top. */
  const dust = 54n
  // outpoint, sequence, and a scriptSig of a signature of 72 bytes with its hash type and a key
  const inputBytes = 36 + 4 + 1 + (1 + 73) + (1 + 33)
  const outputBytes = 8 + 1 + 25
  /** A header of version 4 with counts of one byte, and what every payment here has. */
  const headerBytes = 4 + 4 + 1 + 1 + 4 + 4 + 8 + 1 + 1 + 1
  const needs = (inputs: number, outputs = 2) =>
    headerBytes + inputs * inputBytes + outputs * outputBytes

  const withFee = (values: readonly bigint[], fee: bigint, asked: Partial<PaymentIntent> = {}) =>
    codes(split(values, fee, times(1), { feeRate, ...asked }).report)

  test('allows the largest size that signatures may take, and the change that would be dust', () => {
    const most = feeOf(needs(1)) + dust
    expect(withFee([2n * coin], most)).toEqual([])
    expect(withFee([2n * coin], most + 1n)).toEqual(['fee_too_high'])
    const both = feeOf(needs(2)) + dust
    expect(withFee([coin, coin], both)).toEqual([])
    expect(withFee([coin, coin], both + 1n)).toEqual(['fee_too_high'])
  })

  test('wants the size that there is', () => {
    const { bytes } = split([2n * coin], 30_000n, times(1), { feeRate })
    const least = (feeRate * BigInt(bytes)) / 1000n
    expect(withFee([2n * coin], least)).toEqual([])
    expect(withFee([2n * coin], least - 1n)).toEqual(['fee_too_low'])
  })

  test('counts the change that the fee swallowed', () => {
    const asked = { feeRate }
    const most = feeOf(needs(1)) + dust
    for (const [fee, expected] of [
      [most, []],
      [most + 1n, ['fee_too_high']],
    ] as const) {
      const { report } = made({ values: [coin + fee], outputs: [toRecipient], asked })
      expect(codes(report)).toEqual(expected)
    }
  })

  test('counts no change where one recipient gets all', () => {
    const recipients = [{ address: recipient, amount: 'max' as const }]
    const most = feeOf(needs(1, 1)) + dust
    for (const [fee, expected] of [
      [most, []],
      [most + 1n, ['fee_too_high']],
    ] as const) {
      const outputs = [{ value: 2n * coin - fee, script: p2pkh(b) }]
      const { report } = made({ values: [2n * coin], outputs, asked: { feeRate, recipients } })
      expect(codes(report)).toEqual(expected)
    }
  })

  test('counts as many change outputs as the request allows', () => {
    for (const [allowed, extra, expected] of [
      [3, 0n, []],
      [3, 1n, ['fee_too_high']],
      [2, 0n, ['change_split', 'fee_too_high']],
    ] as const) {
      const fee = feeOf(needs(1, 4)) + dust + extra
      const asked = { feeRate, maxChangeOutputs: allowed }
      expect(codes(split([2n * coin], fee, times(3), asked).report)).toEqual(expected)
    }
  })

  test('counts the note that was requested', () => {
    const data = '61'.repeat(100)
    const note = { value: 0n, script: `6a4c64${data}` }
    const fee = feeOf(needs(1) + 8 + 1 + 103) + dust
    for (const [extra, expected] of [
      [0n, []],
      [1n, ['fee_too_high']],
    ] as const) {
      const change = { value: coin - fee - extra, script: p2pkh(a) }
      const outputs = [toRecipient, note, change]
      const { report } = made({ values: [2n * coin], outputs, asked: { feeRate, nulldata: data } })
      expect(codes(report)).toEqual(expected)
    }
  })

  /** The bound that a fee of a tenth of a coin is over. */
  const boundOf = (one: Omit<Made, 'outputs'>, script = p2pkh(a)) => {
    const fee = coin / 10n
    const change = one.values.reduce((sum, it) => sum + it, 0n) - coin - fee
    const outputs = [toRecipient, ...(change > 0n ? [{ value: change, script }] : [])]
    const { findings } = made({ ...one, outputs, asked: { feeRate, ...one.asked } }).report
    return findings.find(({ code }) => code === 'fee_too_high')?.expected
  }
  const wide = `51${`21${c}`.repeat(14)}21${a}5fae`
  const isOwn = (script: string) => [wide, p2pkh(a), p2pkh(c)].includes(script)

  test('is bound by the size that is needed', () => {
    expect(boundOf({ values: [2n * coin] })).toBe(feeOf(needs(1)) + dust)
    // 9 bytes more for a key than for its hash
    expect(boundOf({ values: [2n * coin] }, p2pk(a))).toBe(feeOf(needs(1) + 10) + dust)
  })

  test('counts a long script only where a coin of it is spent', () => {
    const wideBytes = 8 + 3 + wide.length / 2
    const values = [2n * coin]
    const own = { own: isOwn }
    expect(boundOf({ values, asked: own }, wide)).toBe(feeOf(needs(1) + 10) + dust)
    const bound = feeOf(needs(1, 1) + wideBytes) + dust
    expect(boundOf({ values, asked: own, script: wide }, wide)).toBe(bound)
  })

  test('counts no change where the request allows none', () => {
    const values = [coin + coin / 10n]
    expect(boundOf({ values })).toBe(feeOf(needs(1)) + dust)
    const none = { maxChangeOutputs: 0 }
    expect(boundOf({ values, asked: none })).toBe(feeOf(needs(1, 1)) + dust)
  })

  test('counts a key of 65 bytes where it is what the coin pays', () => {
    const [, longer] = publicKeyFormsOf(hexToBytes(privateKeys.get(a)!))
    const script = p2pkh(bytesToHex(longer))
    const asked = { own: [a, script] }
    expect(boundOf({ values: [2n * coin], script, asked })).toBe(feeOf(needs(1) + 32) + dust)
  })

  test('counts the largest coins, wherever they are', () => {
    const values = [coin / 4n, coin / 4n, 2n * coin, coin / 4n, 3n * coin]
    expect(boundOf({ values })).toBe(feeOf(needs(1)) + dust)
  })

  test('counts no more where the coins suffice exactly', () => {
    const exact = coin + feeOf(needs(1))
    expect(boundOf({ values: [exact, coin / 4n] })).toBe(feeOf(needs(1)) + dust)
    expect(boundOf({ values: [exact - 1n, coin / 4n] })).toBe(feeOf(needs(2)) + dust)
  })

  test('counts for a recipient of all the coins that bring more than they cost', () => {
    const cost = feeOf(inputBytes)
    const recipients = [{ address: recipient, amount: 'max' as const }]
    for (const [value, inputs] of [
      [cost, 1],
      [cost + 1n, 2],
    ] as const) {
      const outputs = [{ value: coin, script: p2pkh(b) }]
      const values = [2n * coin, value]
      const { findings } = made({ values, outputs, asked: { feeRate, recipients } }).report
      expect(findings.find(({ code }) => code === 'fee_too_high')).toMatchObject({
        expected: feeOf(needs(inputs, 1)) + dust,
      })
    }
  })

  describe('and inputs that the payment does not need', () => {
    // the fee of one input is below what a payment without any bound may cost
    const rate = 10_000n
    const small = Array.from({ length: 200 }, () => 20_000n)
    const wideFee = feeOf(needs(201) + 4, rate)

    test('may cost what a payment without a bound may', () => {
      const few = small.slice(0, 11)
      const fee = feeOf(needs(12), rate) + dust
      expect(fee).toBeLessThan(20_000n)
      expect(withFee([2n * coin, ...few], fee, { feeRate: rate })).toEqual(['extra_input'])
      expect(withFee([2n * coin, ...few], fee + 1n, { feeRate: rate })).toEqual([
        'extra_input',
        'fee_too_high',
      ])
    })

    test('do not raise the fee without maxFee', () => {
      const values = [2n * coin, ...small]
      expect(wideFee).toBeGreaterThan(300_000n)
      expect(withFee(values, wideFee, { feeRate: rate })).toEqual(['extra_input', 'fee_too_high'])
      expect(withFee(values, wideFee, { feeRate: rate, maxFee: 400_000n })).toEqual(['extra_input'])
    })

    test('count where the rest does not suffice', () => {
      const values = Array.from({ length: 200 }, () => coin / 199n)
      const fee = feeOf(needs(200), rate)
      expect(withFee(values, fee, { feeRate: rate })).toEqual([])
    })

    test('do not count for a recipient of all where they cost more than they bring', () => {
      const dusty = Array.from({ length: 400 }, () => 1000n)
      const values = [2n * coin, ...dusty]
      const total = values.reduce((sum, it) => sum + it, 0n)
      const fee = feeOf(needs(401, 1) + 2, rate)
      const outputs = [{ value: total - fee, script: p2pkh(b) }]
      const recipients = [{ address: recipient, amount: 'max' as const }]
      const check = (asked: Partial<PaymentIntent>) =>
        codes(made({ values, outputs, asked: { feeRate: rate, recipients, ...asked } }).report)
      expect(check({})).toEqual(['fee_too_high'])
      expect(check({ maxFee: fee })).toEqual([])
    })
  })

  test('does not count a longer script that the server chose for change', () => {
    const own = isOwn
    // counted as change to a key
    const fee = feeOf(needs(1) + 10) + dust
    const check = (more: bigint) =>
      codes(split([2n * coin], fee + more, [wide], { feeRate, own }).report)
    expect(check(1n)).toEqual(['nonstandard', 'fee_too_low'])
    const { bytes } = split([2n * coin], fee, [wide], { feeRate, own })
    expect(check(feeOf(bytes) - fee)).toEqual(['nonstandard', 'fee_too_high'])
  })
})

describe('withdrawals of the framework', () => {
  const withdrawal = {
    coin: 'TOKTEST',
    to: recipient,
    amount: coin,
    own: [a],
    network,
    feeRate: 100_000n,
  }
  const answerTo = (scripts: readonly string[]) => {
    const { hex, previous } = split([2n * coin], 24_600n, scripts, { feeRate: 100_000n })
    const claimed = {
      hex,
      coin: 'TOKTEST',
      from: ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'],
      to: recipient,
      spent: 2n * coin,
      received: coin - 24_600n,
    }
    const { fee_details, ...answer } = withdrawAnswer(claimed)
    const details = { ...answer, fee_details: { ...fee_details, amount: '0.000246' } }
    return { details, evidence: { previousTransactions: [previous], tipHeight } }
  }

  test('is rejected where its change is split', () => {
    const rejects = (scripts: readonly string[], asked: object = {}) => {
      const { details, evidence } = answerTo(scripts)
      const { findings } = verifyWithdraw(details, { ...withdrawal, ...asked }, evidence)
      return findings.flatMap(({ severity, code }) => (severity === 'reject' ? [code] : []))
    }
    expect(rejects(times(1))).toEqual([])
    expect(rejects(times(2))).toContain('change_split')
    expect(rejects(times(2), { maxChangeOutputs: 2 })).not.toContain('change_split')
  })
})
