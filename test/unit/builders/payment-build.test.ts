// Payments built offline: who gets what, and what is refused. A thousand of them are mined in
// test/property/payment-build.test.ts.

import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  buildConsolidation,
  buildPayment,
  decodeTransaction,
  encodeTransaction,
  networks,
  type PaymentRequest,
  signCase,
  transactionId,
  verifyCase,
  verifyPayment,
} from '../../../src/index.ts'
import { note, p2pkh, p2sh, twoOfThree } from '../../support/payments.ts'
import { a, b, c, moduleKey, p2pk, privateKeys } from '../../support/resigned.ts'

const lockTime = 1_700_000_000
const parent = encodeTransaction({
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  inputs: [{ txid: '44'.repeat(32), vout: 0, scriptSig: '00', sequence: 0xffffffff }],
  outputs: [
    { value: 1_000_000_000n, script: p2pkh(a) },
    { value: 50_000n, script: p2pk(a) },
    { value: 60_000n, script: p2sh(twoOfThree) },
    { value: 70_000n, script: p2pk(b) },
    { value: 100n, script: p2pkh(a) },
  ],
  lockTime,
  expiryHeight: 0,
})
const txid = transactionId(parent)
const coin = (vout: number) => ({ txid, vout })
const base: PaymentRequest = {
  recipients: [{ script: p2pkh(c), amount: 20_000n }],
  own: [a],
  coins: [coin(0), coin(1)],
  previousTransactions: [parent],
  tipHeight: 100,
}

const build = (changed: Partial<PaymentRequest>) => buildPayment({ ...base, ...changed })
const outputsOf = (changed: Partial<PaymentRequest>) =>
  decodeTransaction(build(changed).hex).outputs

function refusal(changed: Partial<PaymentRequest>): object {
  try {
    build(changed)
  } catch (error) {
    const { code, context } = error as AntaraError
    return { code, path: context.path }
  }
  return { code: 'none' }
}

describe('a payment', () => {
  test('pays, and returns change to the hash of the first own key', () => {
    expect(outputsOf({})).toEqual([
      { value: 20_000n, script: p2pkh(c) },
      { value: 20_000n, script: p2pkh(a) },
    ])
    expect(build({})).toMatchObject({ fee: 10_000n, coins: [{ txid, vout: 1 }] })
    expect(build({}).intent).toMatchObject({ spendable: [coin(1)], fee: 10_000n, maxFee: 10_000n })
  })

  test('gives change to the address that the request names', () => {
    const shared = { change: p2sh(twoOfThree), redeemScripts: [twoOfThree], own: [a, b] }
    expect(outputsOf(shared)[1]!.script).toBe(p2sh(twoOfThree))
    expect(build({ change: c }).intent.own).toEqual([c, a])
  })

  test('returns change to the script of all coins if it lists several keys', () => {
    const shared = { coins: [coin(2)], own: [a, b, c], redeemScripts: [twoOfThree] }
    expect(outputsOf(shared)[1]!.script).toBe(p2sh(twoOfThree))
    expect(build(shared).intent.own).toEqual([a, b, c])
    const given = { ...build(shared), evidence: build(shared) }
    const report = signCase(given, [privateKeys.get(b)!, privateKeys.get(c)!])
    expect(report.findings.map(({ code }) => code)).toEqual(['fee_share'])
    // With a coin of one key among them, a named address or a single key, the old rule stands.
    expect(outputsOf({ ...shared, coins: [coin(0), coin(2)] })[1]!.script).toBe(p2pkh(a))
    expect(outputsOf({ ...shared, change: c })[1]!.script).toBe(p2pkh(c))
    expect(outputsOf({ coins: [coin(1)], own: [c, a] })[1]!.script).toBe(p2pkh(c))
  })

  test('takes what would be dust as change', () => {
    const amount = 50_000n - 10_000n - 53n
    const recipients = [{ script: p2pkh(c), amount }]
    expect(outputsOf({ recipients, coins: [coin(1)] })).toHaveLength(1)
    expect(build({ recipients, coins: [coin(1)] }).fee).toBe(10_053n)
    const one = [{ script: p2pkh(c), amount: amount - 1n }]
    expect(outputsOf({ recipients: one, coins: [coin(1)] })[1]!.value).toBe(54n)
  })

  test('carries nulldata', () => {
    expect(outputsOf({ nulldata: note })[1]).toEqual({ value: 0n, script: `6a05${note}` })
  })

  test('a payment of all coins goes to the payee of the rest', () => {
    const recipients = [
      { script: p2pkh(c), amount: 'max' as const },
      { script: p2pkh(b), amount: 1000n },
    ]
    expect(outputsOf({ recipients })).toEqual([
      { value: 1_000_039_000n, script: p2pkh(c) },
      { value: 1000n, script: p2pkh(b) },
    ])
  })

  test('a payment by a rate has the fee of its signed size', () => {
    const built = build({
      feeRate: 1000n,
      coins: [coin(0), coin(2)],
      own: [a],
      redeemScripts: [twoOfThree],
      spend: 'all',
    })
    const { hex } = signCase({ ...built, evidence: built }, [
      privateKeys.get(a)!,
      privateKeys.get(b)!,
    ])
    const bytes = hex.length / 2
    expect(Number(built.fee)).toBeGreaterThanOrEqual(bytes)
    // A signature may be shorter than its highest size.
    expect(Number(built.fee)).toBeLessThan(bytes + 20)
  })

  test('spends coins of two of three keys, which two of them sign', () => {
    const built = build({ coins: [coin(2)], redeemScripts: [twoOfThree] })
    const given = { ...built, evidence: built }
    expect(signCase(given, [privateKeys.get(a)!]).findings.map(({ code }) => code)).toEqual([
      'fee_share',
      'unsigned',
    ])
    expect(signCase(given, [privateKeys.get(b)!, privateKeys.get(c)!]).ok).toBe(true)
  })

  // BIP 16: the script that hashes to what the output names, wherever it stands among others
  test('signs with the redeem script that the coin names', () => {
    const oneOfTwo = `5121${b}21${c}52ae`
    for (const redeemScripts of [
      [oneOfTwo, twoOfThree],
      [twoOfThree, oneOfTwo],
    ]) {
      const built = build({ coins: [coin(2)], redeemScripts })
      const given = { ...built, evidence: built }
      expect(signCase(given, [privateKeys.get(b)!, privateKeys.get(c)!]).ok).toBe(true)
    }
  })
})

// komodo src/main.cpp, IsFinalTx: with final inputs a lock time would hold nothing up
describe('a lock time', () => {
  const time = 1_795_000_000
  const sequenceOf = (changed: Partial<PaymentRequest>) =>
    new Set(
      decodeTransaction(build({ spend: 'all', ...changed }).hex).inputs.map((it) => it.sequence),
    )
  const [final, locked] = [new Set([0xffffffff]), new Set([0xfffffffe])]

  test.each<[Partial<PaymentRequest>, Set<number>]>([
    [{}, final],
    [{ lockTime: 0 }, final],
    [{ lockTime: 100 }, final],
    [{ lockTime: 101 }, locked],
    [{ lockTime: time, tipTime: time }, final],
    [{ lockTime: time + 1, tipTime: time }, locked],
    [{ lockTime: time }, locked],
    [{ lockTime: 1, tipHeight: undefined as never, expiryHeight: 200 }, locked],
    [{ lockTime: 499_999_999, tipTime: time, expiryHeight: 0 }, locked],
    [{ lockTime: 500_000_000, tipTime: 500_000_000 }, final],
  ])('%o', (changed, expected) => {
    expect(sequenceOf(changed)).toEqual(expected)
    const built = build(changed)
    expect(signCase({ ...built, evidence: built }, [privateKeys.get(a)!]).ok).toBe(true)
  })

  test.each<[Partial<PaymentRequest>, string]>([
    [{ lockTime: 300 }, 'none'],
    [{ lockTime: 301 }, 'expiry_height'],
    [{ lockTime: 199, expiryHeight: 200 }, 'none'],
    [{ lockTime: 200, expiryHeight: 200 }, 'expiry_height'],
    [{ lockTime: 200, expiryHeight: 0 }, 'none'],
    [{ lockTime: 499_999_999, expiryHeight: 200 }, 'expiry_height'],
    [{ lockTime: 500_000_000, expiryHeight: 200 }, 'none'],
  ])('is refused if the transaction expires before it: %o', (changed, code) => {
    const path = code === 'none' ? undefined : 'expiryHeight'
    expect(refusal(changed)).toEqual({ code, ...(path && { path }) })
  })
})

describe('on KMD', () => {
  const network = networks.komodo
  const tipTime = lockTime + 31 * 24 * 3600
  const heights = { [txid]: 3_600_000 }
  const aged = { network, tipTime, tipHeight: 4_000_000, heights, coins: [coin(0)] }

  test('the reward goes to the change, and the lock time says when', () => {
    const built = build(aged)
    const { outputs, lockTime: locked } = decodeTransaction(built.hex)
    expect(outputs[1]!.value).toBe(1_000_000_000n + 8470n - 30_000n)
    expect(locked).toBe(tipTime)
    const report = signCase({ ...built, evidence: built }, [privateKeys.get(a)!])
    expect(report).toMatchObject({ ok: true, fee: 1530n, feeKnown: 'proven' })
    expect(report.findings.map(({ code }) => code)).toEqual(['reward_in_fee'])
  })

  test('heights count under a txid in either case of letters', () => {
    const built = build({ ...aged, heights: { [txid.toUpperCase()]: 3_600_000 } })
    expect(decodeTransaction(built.hex).outputs[1]!.value).toBe(1_000_000_000n + 8470n - 30_000n)
    expect(signCase({ ...built, evidence: built }, [privateKeys.get(a)!]).ok).toBe(true)
  })

  test('the reward stays where it is without heights, and the verdict says so', () => {
    const { heights: _, ...unknown } = aged
    const built = build(unknown)
    expect(decodeTransaction(built.hex).outputs[1]!.value).toBe(1_000_000_000n - 30_000n)
    const report = verifyCase({ ...built, evidence: { ...built, heights } })
    expect(report.findings.map(({ code }) => code)).toEqual(['reward_unclaimed', 'unsigned'])
  })
})

describe('change', () => {
  const locked = `04ffffff7fb175${p2pk(a)}`
  const twoOfTwo = `5221${a}21${b}52ae`
  test.each<[string, Partial<PaymentRequest>, object]>([
    [
      'a hash of an unknown script',
      { change: p2sh(twoOfThree) },
      { code: 'redeem_script_missing', path: 'change' },
    ],
    [
      'a script behind a lock',
      { change: p2sh(locked), redeemScripts: [locked] },
      { code: 'unsupported_script', path: 'change' },
    ],
    [
      'keys of others as well',
      { change: p2sh(twoOfTwo), redeemScripts: [twoOfTwo] },
      { code: 'unsupported_script', path: 'change' },
    ],
    ['keys of others, bare', { change: twoOfTwo }, { code: 'unsupported_script', path: 'change' }],
    [
      'more signatures than keys',
      { change: `5321${a}21${b}52ae` },
      { code: 'unknown_address', path: 'change' },
    ],
    [
      "a module's key among others",
      { change: `5221${a}21${moduleKey}52ae` },
      { code: 'module_key', path: 'change' },
    ],
    [
      "a module's key behind a hash",
      { redeemScripts: [`5221${a}21${moduleKey}52ae`] },
      { code: 'module_key', path: 'redeemScripts[0]' },
    ],
  ])('does not go to %s', (_, changed, expected) => {
    expect(refusal(changed)).toEqual(expected)
    const recipients = [{ script: p2pkh(c), amount: 'max' as const }]
    const code = 'unsupported_script redeem_script_missing'.includes((expected as AntaraError).code)
    // where nothing comes back, nobody asks
    if (code) expect(refusal({ ...changed, recipients })).toEqual({ code: 'none' })
  })

  test('is merged by the same rule', () => {
    const { recipients: _, ...common } = base
    const merge = (to: string, redeemScripts: string[]) => () =>
      buildConsolidation({ ...common, coins: [coin(0)], to, redeemScripts })
    expect(merge(p2sh(locked), [locked])).toThrow(
      expect.objectContaining({ code: 'unsupported_script' }),
    )
    expect(merge(p2sh(p2pk(a)), [p2pk(a)])().coins).toHaveLength(1)
  })

  test('goes back to shared keys as far as it is from them', () => {
    const shared = { own: [p2sh(twoOfThree), a], redeemScripts: [twoOfThree] }
    const recipients = [{ script: p2pkh(c), amount: 5000n }]
    expect(outputsOf({ ...shared, recipients, coins: [coin(2)] })[1]).toEqual({
      value: 45_000n,
      script: p2sh(twoOfThree),
    })
    const both = { coins: [coin(2), coin(1)], spend: 'all' as const }
    const paying = (amount: bigint) => [{ script: p2pkh(c), amount }]
    expect(outputsOf({ ...shared, ...both, recipients: paying(40_000n) })[1]!.value).toBe(60_000n)
    expect(refusal({ ...shared, ...both, recipients: paying(39_999n) })).toEqual({
      code: 'unsupported_script',
      path: 'own[0]',
    })
  })
})

// the rules are those of verifyPayment: test/unit/verification/verify-payment-terms.test.ts
test.each<[string, string]>([
  ['nulldata', '6a0161'],
  ['false', '00'],
  ['three signatures of two keys', `5321${a}21${b}52ae`],
  ['a key off the curve', `2102${'00'.repeat(31)}05ac`],
])('a recipient that nobody can spend is refused: %s', (_, script) => {
  for (const amount of [20_000n, 'max' as const]) {
    expect(refusal({ recipients: [{ script, amount }] })).toEqual({
      code: 'burn_key',
      path: 'recipients[0]',
    })
  }
})

test.each<[string, Partial<PaymentRequest>, object]>([
  [
    'too little',
    { recipients: [{ script: '51', amount: 2_000_000_000n }] },
    { code: 'insufficient_coins', path: 'coins' },
  ],
  [
    'too little for the fee',
    { coins: [coin(1)], recipients: [{ script: '51', amount: 40_001n }] },
    { code: 'insufficient_coins', path: 'coins' },
  ],
  [
    'all of what is worth less than the fee',
    { coins: [coin(4)], recipients: [{ script: '51', amount: 'max' }] },
    { code: 'insufficient_coins', path: 'coins' },
  ],
  ["somebody else's coin", { coins: [coin(3)] }, { code: 'foreign_coin', path: 'coins[0]' }],
  ['a coin twice', { coins: [coin(1), coin(1)] }, { code: 'duplicate_coin', path: 'coins[1]' }],
  [
    'a coin that is not there',
    { coins: [coin(9)] },
    { code: 'no_such_output', path: 'coins[0].vout' },
  ],
  [
    'a coin of nowhere',
    { coins: [{ txid: '55'.repeat(32), vout: 0 }] },
    { code: 'previous_transaction_missing', path: 'coins[0]' },
  ],
  [
    'a script nobody knows',
    { coins: [coin(2)], own: [p2sh(twoOfThree)] },
    { code: 'redeem_script_missing', path: 'coins[0]' },
  ],
  [
    'an address of nobody',
    { recipients: [{ address: 'Rbad', amount: 1n }] },
    { code: 'unknown_address', path: 'recipients[0].address' },
  ],
  ['own of nobody', { own: ['Rbad'] }, { code: 'unknown_address', path: 'own[0]' }],
  ["a module's key", { own: [moduleKey] }, { code: 'module_key', path: 'own[0]' }],
  [
    "a module's address",
    { own: [a, 'RCNgAngYAdrfzujYyPgfbjCGNVQZzCgTad'] },
    { code: 'module_key', path: 'own[1]' },
  ],
  ["a module's script", { change: p2pkh(moduleKey) }, { code: 'module_key', path: 'change' }],
  [
    'nothing',
    { recipients: [{ script: '51', amount: 0n }] },
    { code: 'amount_out_of_range', path: 'recipients[0].amount' },
  ],
  [
    'too long a note',
    { nulldata: '00'.repeat(300) },
    { code: 'nulldata_too_large', path: 'nulldata' },
  ],
  [
    'a fee over its bound',
    { fee: 30_000n, maxFee: 20_000n },
    { code: 'fee_over_limit', path: 'fee' },
  ],
  ['a fee that nodes do not relay', { fee: 1n }, { code: 'fee_below_relay', path: 'fee' }],
  [
    'a rate over the bound',
    { feeRate: 1_000_000n, maxFee: 20_000n },
    { code: 'fee_over_limit', path: 'fee' },
  ],
  ['an expiry that is past', { expiryHeight: 7 }, { code: 'expiry_height', path: 'expiryHeight' }],
])('%s is refused', (_, changed, expected) => {
  expect(refusal(changed)).toEqual(expected)
})

test.each<[string, object]>([
  ['no recipients', { recipients: [] }],
  [
    'all twice',
    {
      recipients: [
        { script: '51', amount: 'max' },
        { script: '52', amount: 'max' },
      ],
    },
  ],
  ['a fee and a rate', { fee: 1n, feeRate: 1n }],
  ['an address and a script', { recipients: [{ address: 'x', script: '51', amount: 1n }] }],
  ['an amount that is a number', { recipients: [{ script: '51', amount: 1 }] }],
  ['another spend', { spend: 'some' }],
  ['nobody', { own: [] }],
  ['no height', { tipHeight: undefined }],
  ['a lock time that is not a number', { lockTime: 'x' }],
  ['a lock time that is a part of one', { lockTime: 0.5 }],
  ['a time that is not a number', { tipTime: 'x' }],
])('%s is misuse', (_, changed) => {
  expect(() => build(changed as never)).toThrow(TypeError)
})

test('a consolidation merges the smallest coins into one', () => {
  const { recipients: _, ...common } = base
  const built = buildConsolidation({
    ...common,
    coins: [coin(0), coin(4), coin(1)],
    maxInputs: 2,
    maxFee: 10_000n,
  })
  expect(built.coins.map(({ vout }) => vout)).toEqual([4, 1])
  expect(decodeTransaction(built.hex).outputs).toEqual([{ value: 40_100n, script: p2pkh(a) }])
  expect(signCase({ ...built, evidence: built }, [privateKeys.get(a)!]).ok).toBe(true)
  const elsewhere = buildConsolidation({ ...common, to: p2pk(a) })
  expect(decodeTransaction(elsewhere.hex).outputs[0]!.script).toBe(p2pk(a))
})

describe('coins that cost more than they bring', () => {
  const { recipients: _, ...common } = base
  const small = Array.from({ length: 400 }, () => ({ value: 600n, script: p2pkh(a) }))
  const few = Array.from({ length: 3 }, () => ({ value: 1_000_000n, script: p2pkh(a) }))
  const source = encodeTransaction({ ...decodeTransaction(parent), outputs: [...small, ...few] })
  const given = {
    coins: [...small, ...few].map((_coin, vout) => ({ txid: transactionId(source), vout })),
    previousTransactions: [source],
  }
  // 41 bytes, a signature of 72 with its hash type, and a key of 33, each pushed
  const inputBytes = 41n + 74n + 34n
  const feeRate = 80_000n
  const cost = (feeRate * inputBytes) / 1000n

  test('are not merged, and the result names them', () => {
    const built = buildConsolidation({ ...common, ...given, feeRate })
    expect(built.coins.map(({ vout }) => vout)).toEqual([400, 401, 402])
    expect(built.leftOut).toHaveLength(400)
    expect(built.leftOut![7]).toEqual({ txid: transactionId(source), vout: 7, worth: 600n, cost })
    expect(built.fee).toBeLessThan(50_000n)
    expect(signCase({ ...built, evidence: built }, [privateKeys.get(a)!]).ok).toBe(true)
  })

  test('are those worth no more than the bytes of their input', () => {
    const merge = (rate: bigint) =>
      buildConsolidation({ ...common, ...given, feeRate: rate, maxFee: 10_000_000n })
    const same = (600n * 1000n) / inputBytes
    expect(merge(same - 10n)).not.toHaveProperty('leftOut')
    expect(merge(same).leftOut).toHaveLength(400)
    // nodes relay for 100 satoshis per 1000 bytes at least, whatever the rate
    expect(merge(0n)).not.toHaveProperty('leftOut')
  })

  test('are left out of all that goes to one recipient, unless all are asked for', () => {
    const recipients = [{ script: p2pkh(c), amount: 'max' as const }]
    const built = build({ ...given, recipients, feeRate })
    expect(built.coins).toHaveLength(3)
    expect(built.leftOut).toHaveLength(400)
    const all = build({ ...given, recipients, feeRate: 4000n, spend: 'all', maxFee: 10_000_000n })
    expect(all.coins).toHaveLength(403)
    expect(all).not.toHaveProperty('leftOut')
  })

  test('are left out of a payment that selects', () => {
    const built = build({ ...given, feeRate })
    expect(built.coins).toHaveLength(1)
    expect(built.leftOut).toHaveLength(400)
  })

  test('may be all that there is', () => {
    expect(() =>
      buildConsolidation({ ...common, ...given, coins: given.coins.slice(0, 400), feeRate }),
    ).toThrow(expect.objectContaining({ code: 'insufficient_coins' }))
  })

  test('cost nothing where the fee is fixed', () => {
    const built = buildConsolidation({ ...common, ...given, fee: 10_000n })
    expect(built.coins).toHaveLength(403)
    expect(built).not.toHaveProperty('leftOut')
  })
})

// the scripts are standard behind a hash too: komodo src/script/standard.cpp, Solver
test.each([p2pkh(a), p2pk(a)])('a coin of the hash of the script %s is spent', (redeemScript) => {
  const before = encodeTransaction({
    ...decodeTransaction(parent),
    outputs: [{ value: 100_000n, script: p2sh(redeemScript) }],
  })
  const built = build({
    redeemScripts: [redeemScript],
    coins: [{ txid: transactionId(before), vout: 0 }],
    previousTransactions: [before],
    feeRate: 30_000n,
  })
  const { recipients } = base
  const asked = { recipients, own: [a], redeemScripts: [redeemScript], feeRate: 30_000n }
  const signed = signCase({ ...built, evidence: built }, [privateKeys.get(a)!])
  expect(signed.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  expect(verifyPayment(signed.hex, asked, built)).toMatchObject({ ok: true, fee: built.fee })
})

// below 100 satoshis per 1000 bytes nodes relay nothing: komodo src/main.cpp, AcceptToMemoryPool
test.each([0n, 1n, 1000n, 13_600n, 20_000n, 300_000n])(
  'a payment at a rate of %s costs at most what the verifier allows',
  (feeRate) => {
    for (const own of [[a], [p2pk(a), a]]) {
      const { recipients } = base
      const built = build({ feeRate, own, coins: [coin(0)] })
      const asked = { recipients, own, feeRate }
      const { findings } = verifyPayment(built.hex, asked, built)
      const rejects = findings.filter(({ severity }) => severity === 'reject')
      expect(rejects.map(({ code }) => code)).toEqual(['unsigned'])
    }
  },
)

describe('a fee above a tenth of what is moved', () => {
  const { recipients: _, ...common } = base
  const one = { coins: [coin(1)] }

  test.each<[string, () => object]>([
    ['merged', () => buildConsolidation({ ...common, ...one, fee: 5001n })],
    ['merged by a rate', () => buildConsolidation({ ...common, ...one, feeRate: 40_000n })],
    [
      'all to one recipient',
      () => build({ ...one, feeRate: 40_000n, recipients: [{ script: p2pkh(c), amount: 'max' }] }),
    ],
  ])('is refused without maxFee: %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'fee_over_limit' }))
  })

  test('is allowed by maxFee, and just below it without', () => {
    expect(buildConsolidation({ ...common, ...one, fee: 5001n, maxFee: 5001n }).fee).toBe(5001n)
    expect(buildConsolidation({ ...common, ...one, fee: 5000n }).fee).toBe(5000n)
    const merged = buildConsolidation({ ...common, ...one, feeRate: 40_000n, maxFee: 10_000n })
    expect(merged.fee).toBeGreaterThan(5000n)
  })
})
