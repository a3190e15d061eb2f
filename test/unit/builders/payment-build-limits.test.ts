// Where the limits of payments lie, to the satoshi and the byte, and what is said of the first
// thing beyond them.

import { describe, expect, test } from 'vitest'

import {
  buildConsolidation,
  buildPayment,
  decodeTransaction,
  defineNetwork,
  encodeTransaction,
  networks,
  type PaymentRequest,
  signCase,
  transactionId,
  type UnsignedPayment,
} from '../../../src/index.ts'
import { refusal } from '../../support/bobs-tokens.ts'
import { p2pkh, p2sh, twoOfThree } from '../../support/payments.ts'
import { a, b, c, moduleKey, p2pk, privateKeys } from '../../support/resigned.ts'

const lockTime = 1_700_000_000

/** Coins of a transaction that is made for them. */
function coinsOf(...outputs: readonly (readonly [value: bigint, script: string])[]) {
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '44'.repeat(32), vout: 0, scriptSig: '00', sequence: 0xffffffff }],
    outputs: outputs.map(([value, script]) => ({ value, script })),
    lockTime,
    expiryHeight: 0,
  })
  const txid = transactionId(hex)
  return { coins: outputs.map((_, vout) => ({ txid, vout })), previousTransactions: [hex] }
}

const many = (count: number, value: bigint, script = p2pk(a)) =>
  coinsOf(...Array.from({ length: count }, () => [value, script] as const))

const base = {
  recipients: [{ script: p2pkh(c), amount: 20_000n }],
  own: [a],
  tipHeight: 100,
  ...coinsOf([50_000n, p2pk(a)]),
} satisfies PaymentRequest

const build = (changes: Partial<PaymentRequest>) => buildPayment({ ...base, ...changes })
const merge = (changes: object) => {
  const { recipients: _, ...common } = base
  return buildConsolidation({ ...common, ...changes })
}
const spentBy = ({ coins }: UnsignedPayment) => coins.map(({ vout }) => vout)
const reported = (changes: Partial<PaymentRequest>) => refusal(() => build(changes))
const paying = (amount: bigint | 'max') => ({ recipients: [{ script: p2pkh(c), amount }] })

/** Bytes that a payment has when one's own key has signed it. */
function signedBytes(built: UnsignedPayment): number {
  return signCase({ ...built, evidence: built }, [privateKeys.get(a)!]).hex.length / 2
}

describe('a fee by rate', () => {
  const feeAt = (feeRate: bigint, changes: Partial<PaymentRequest> = {}) =>
    build({ feeRate, ...changes }).fee

  test('is as many satoshis as bytes may be signed, at one for each', () => {
    const outputsOf = (count: number) =>
      Array.from({ length: count }, () => ({ script: p2pkh(c), amount: 1000n }))
    const of = coinsOf([1_000_000n, p2pk(a)])
    // with the change there are 253 outputs, whose count takes three bytes
    for (const recipients of [outputsOf(1), outputsOf(252), outputsOf(253)]) {
      const built = build({ ...of, recipients, feeRate: 1000n })
      expect(decodeTransaction(built.hex).outputs).toHaveLength(recipients.length + 1)
      const bytes = BigInt(signedBytes(built))
      expect([built.fee >= bytes, built.fee <= bytes + 6n]).toEqual([true, true])
    }
  })

  test('counts change as an output: its value, the length of its script, and that', () => {
    const none = feeAt(1000n, paying('max'))
    expect(feeAt(1000n) - none).toBe(8n + 1n + 25n)
    expect(feeAt(1000n, { change: p2pk(a) }) - none).toBe(8n + 1n + 35n)
  })

  test('is rounded up', () => {
    const bytes = feeAt(1000n)
    expect(bytes).toBeLessThan(500n)
    expect(feeAt(1001n)).toBe(bytes + 1n)
    expect(feeAt(2000n)).toBe(2n * bytes)
  })

  test('is never less than what nodes relay', () => {
    // komodo src/main.h, DEFAULT_MIN_RELAY_TX_FEE: 100 satoshis for 1000 bytes
    const relayed = feeAt(1000n) / 10n
    expect([feeAt(0n), feeAt(50n), feeAt(100n)]).toEqual([relayed, relayed, relayed + 1n])
  })

  test('a fee by rate without a bound may be what nodes take: 1000 satoshis a byte', () => {
    const of = coinsOf([1_000_000n, p2pk(a)])
    const built = build({ ...of, feeRate: 1000n })
    // komodo src/main.cpp: 10000 times 100 satoshis for 1000 bytes, rounded down
    const most = 10_000n * BigInt(Math.floor(signedBytes(built) / 10))
    const rate = (most * 1000n) / built.fee
    expect(feeAt(rate, of)).toBe(most)
    expect(reported({ ...of, feeRate: rate + 1n })).toMatchObject({
      code: 'fee_over_limit',
      path: 'fee',
      expected: most,
    })
    expect(feeAt(rate + 1n, { ...of, maxFee: most + 1n })).toBe(most + 1n)
  })

  test('a fee by rate without a bound may be a nineteenth of what is paid', () => {
    const rich = coinsOf([100_000_000n, p2pk(a)])
    const fee = 5_000_000n
    const rate = (fee * 1000n) / feeAt(1000n, rich)
    expect(feeAt(rate, rich)).toBe(fee)
    expect(reported({ ...rich, feeRate: rate + 1n })).toEqual({
      code: 'fee_over_limit',
      path: 'fee',
      expected: fee - 1n,
      actual: fee + 1n,
    })
  })

  test('has the bound that is given, and no other', () => {
    const rich = coinsOf([10_000_000_000n, p2pk(a)])
    const fee = feeAt(10_000_000n, rich)
    expect(fee).toBeGreaterThan(2_000_000n)
    expect(feeAt(10_000_000n, { ...rich, maxFee: fee })).toBe(fee)
    expect(reported({ ...rich, feeRate: 10_000_000n, maxFee: fee - 1n })).toEqual({
      code: 'fee_over_limit',
      path: 'fee',
      expected: fee - 1n,
      actual: fee,
    })
  })

  test('below nothing is none', () => {
    expect(reported({ feeRate: -1n })).toMatchObject({
      code: 'amount_out_of_range',
      path: 'feeRate',
    })
    expect(reported({ fee: -1n })).toMatchObject({ code: 'amount_out_of_range', path: 'fee' })
  })

  test('takes the fee from a payee who gets everything', () => {
    const built = build({ ...paying('max'), feeRate: 1000n })
    const [output] = decodeTransaction(built.hex).outputs
    expect(output!.value + built.fee).toBe(50_000n)
    const bytes = BigInt(signedBytes(built))
    expect([built.fee >= bytes, built.fee <= bytes + 6n]).toEqual([true, true])
  })
})

describe('a fee', () => {
  test('may be all that it is bounded by', () => {
    expect(build({ fee: 12_000n, maxFee: 12_000n }).fee).toBe(12_000n)
    // the 53 satoshis that are left are too little for an output
    const little = paying(50_000n - 10_053n)
    expect(build({ ...little, maxFee: 10_053n }).fee).toBe(10_053n)
    expect(reported({ ...little, maxFee: 10_052n })).toEqual({
      code: 'fee_over_limit',
      path: 'fee',
      expected: 10_052n,
      actual: 10_053n,
    })
    // whatever the coins are
    expect(reported({ fee: 12_001n, maxFee: 12_000n, coins: [] })).toEqual({
      code: 'fee_over_limit',
      path: 'fee',
      expected: 12_000n,
      actual: 12_001n,
    })
  })

  test('is what nodes ask for so many bytes, and a satoshi less is refused', () => {
    const { fee } = build({ feeRate: 0n })
    expect(build({ fee }).fee).toBe(fee)
    expect(reported({ fee: fee - 1n })).toEqual({
      code: 'fee_below_relay',
      path: 'fee',
      expected: fee,
      actual: fee - 1n,
    })
  })

  test('is for no change where there is none', () => {
    // an input of 41 bytes and up to 74 of a signature, an output of 34, 29 bytes besides
    expect(build({ ...paying('max'), fee: 17n }).fee).toBe(17n)
    expect(reported({ ...paying('max'), fee: 16n })).toMatchObject({
      code: 'fee_below_relay',
      expected: 17n,
    })
  })
})

describe('the change', () => {
  // komodo src/primitives/transaction.h, GetDustThreshold: 54 for the hash of a key
  test('is the payee’s, unless it is dust', () => {
    const worth = (value: bigint) => ({ ...coinsOf([value, p2pk(a)]), ...paying('max') })
    const [output] = decodeTransaction(build(worth(10_054n)).hex).outputs
    expect(output!.value).toBe(54n)
    expect(reported(worth(10_053n))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 10_054n,
      actual: 10_053n,
    })
  })

  test('is nothing, where all coins come to what is paid and the fee', () => {
    for (const spend of ['selected', 'all'] as const) {
      const { hex, fee } = build({ ...paying(40_000n), spend })
      expect([decodeTransaction(hex).outputs.length, fee]).toEqual([1, 10_000n])
      expect(reported({ ...paying(40_001n), spend })).toEqual({
        code: 'insufficient_coins',
        path: 'coins',
        expected: 50_001n,
        actual: 50_000n,
      })
    }
  })

  test('is the first payee’s who asked for it, beside a note', () => {
    const recipients = [
      { script: p2pkh(b), amount: 1000n },
      { script: p2pkh(c), amount: 'max' as const },
    ]
    const { hex, intent } = build({ recipients, nulldata: 'ff' })
    expect(decodeTransaction(hex).outputs).toEqual([
      { value: 1000n, script: p2pkh(b) },
      { value: 39_000n, script: p2pkh(c) },
      { value: 0n, script: '6a01ff' },
    ])
    expect(intent.recipients).toEqual([
      { script: p2pkh(b), amount: 1000n },
      { script: p2pkh(c), amount: 39_000n },
    ])
  })
})

describe('coins', () => {
  test('coins without value are not spent, and do not hinder a payment', () => {
    const of = coinsOf([0n, p2pk(a)], [50_000n, p2pk(a)])
    expect(spentBy(build(of))).toEqual([1])
  })

  test('are as many as one transaction holds', () => {
    // komodo src/cc/CCtx.cpp, CC_MAXVINS
    const all = { ...many(1024, 1000n), fee: 20_000n, spend: 'all' as const }
    expect(build(all).coins).toHaveLength(1024)
    const limit = { code: 'input_count', expected: 1024, actual: 1025 }
    expect(reported({ ...all, ...many(1025, 1000n) })).toEqual(limit)
    // a selection that would need more says how many there are
    const needy = { ...many(1025, 1000n), fee: 20_000n, ...paying(1_005_000n) }
    expect(reported(needy)).toEqual(limit)
  })

  test('are no more than the bytes of a transaction', () => {
    const shared = { ...many(700, 1000n, p2sh(twoOfThree)), redeemScripts: [twoOfThree] }
    // 700 inputs of up to 298 bytes each
    const asked = { ...shared, fee: 30_000n, maxFee: 30_000n, ...paying(650_000n) }
    expect(reported(asked)).toMatchObject({ code: 'transaction_too_large', expected: 200_000 })
    expect(reported({ ...asked, spend: 'all' })).toMatchObject({ code: 'transaction_too_large' })
  })

  test('inputs and outputs are 200,000 bytes with their signatures, and no more', () => {
    // komodo src/consensus/consensus.h, MAX_TX_SIZE_AFTER_SAPLING
    const paying = (bytes: number) => {
      // komodo src/script/script.h, MAX_SCRIPT_SIZE
      const largest = { script: '51'.repeat(10_000), amount: 60_000n }
      const last = { script: '51'.repeat(bytes), amount: 'max' as const }
      const recipients = [...Array.from({ length: 19 }, () => largest), last]
      return build({ ...coinsOf([100_000_000n, p2pk(a)]), recipients, fee: 20_000n })
    }
    // an input of 41 bytes and up to 74 of a signature, 11 beside each script, 29 besides
    expect(paying(9636).hex.length / 2 + 74).toBe(200_000)
    expect(refusal(() => paying(9637))).toEqual({
      code: 'transaction_too_large',
      expected: 200_000,
      actual: 200_001,
    })
  })

  test('pay at most 4,000 keys, because nodes relay no more signature checks', () => {
    // komodo src/main.h, MAX_STANDARD_TX_SIGOPS
    const paid = (keys: number, hashes: number) => {
      const toKeys = Array.from({ length: keys }, () => ({ script: p2pkh(b), amount: 1000n }))
      const toHashes = Array.from({ length: hashes }, () => ({ script: p2sh('51'), amount: 1000n }))
      const recipients = [...toKeys, ...toHashes]
      return { ...coinsOf([100_000_000n, p2pk(a)]), recipients, fee: 20_000n }
    }
    // change is one more
    expect(build(paid(3999, 300)).hex.length / 2).toBeGreaterThan(140_000)
    expect(refusal(() => build(paid(4000, 0)))).toEqual({
      code: 'size_out_of_range',
      path: 'recipients',
      expected: 'at most 4000 signature checks, of which each output to a key has one',
      actual: 4001,
    })
  })

  test('count the keys of redeem scripts beside those that are paid', () => {
    // 20 inputs of 3 keys each; the change to a script hash counts nothing
    const shared = { ...many(20, 10_000_000n, p2sh(twoOfThree)), redeemScripts: [twoOfThree] }
    const recipients = Array.from({ length: 3950 }, () => ({ script: p2pkh(b), amount: 1000n }))
    const asked = { ...shared, recipients, fee: 20_000n, spend: 'all' as const }
    expect(refusal(() => build(asked))).toMatchObject({ code: 'size_out_of_range', actual: 4010 })
  })

  test('are refused with what was expected', () => {
    const stranger = coinsOf([50_000n, p2pk(b)])
    expect(reported(stranger)).toEqual({
      code: 'foreign_coin',
      path: 'coins[0]',
      expected: p2pkh(a),
      actual: p2pk(b),
    })
  })

  test('pay for what they cost', () => {
    const rate = { ...coinsOf([20_100n, p2pk(a)]), feeRate: 1000n }
    // 178 bytes at a satoshi each: 29 around two counts, 115 of the input, 34 of the output
    expect(reported(rate)).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 20_178n,
      actual: 20_100n,
    })
    expect(reported({ ...coinsOf([19_999n, p2pk(a)]), feeRate: 1000n })).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 20_000n,
      actual: 19_999n,
    })
  })
})

describe('a consolidation', () => {
  test('takes the smallest, and of equal ones the first', () => {
    const of = coinsOf([9000n, p2pk(a)], [8000n, p2pk(a)], [9000n, p2pk(a)], [8000n, p2pk(a)])
    expect(spentBy(merge({ ...of, maxInputs: 3, maxFee: 10_000n }))).toEqual([1, 3, 0])
  })

  test('names a limit of no coins, instead of a lack of coins', () => {
    const none = { ...coinsOf([50_000n, p2pk(a)]), maxInputs: 0 }
    expect(() => merge(none)).toThrow('maxInputs: expected at least 1, got a number')
  })

  test('takes 500 by default, and never more than a transaction holds', () => {
    const of = { ...many(1025, 1000n), fee: 20_000n }
    expect(merge(of).coins).toHaveLength(500)
    expect(merge({ ...of, maxInputs: 2000 }).coins).toHaveLength(1024)
  })

  test('has no payment to be too little for', () => {
    expect(refusal(() => merge({ ...coinsOf([10_053n, p2pk(a)]), maxFee: 10_000n })).code).toBe(
      'insufficient_coins',
    )
    const { hex } = merge({ ...coinsOf([10_054n, p2pk(a)]), maxFee: 10_000n })
    expect(decodeTransaction(hex).outputs).toEqual([{ value: 54n, script: p2pkh(a) }])
  })
})

describe('the lock time', () => {
  const tipTime = lockTime + 31 * 24 * 3600
  const network = networks.komodo
  test.each<[changes: Partial<PaymentRequest>, expected: number]>([
    [{}, 0],
    [{ lockTime: 7 }, 7],
    // only coins of KMD accrue anything
    [{ tipTime }, 0],
    [{ tipTime, network }, tipTime],
    [{ tipTime, network, lockTime: 7 }, 7],
    [{ tipTime, network: defineNetwork({ ...network, name: 'KMD' }) }, tipTime],
    [{ network }, 0],
  ])('derives from %o the value %i', (changes, expected) => {
    const { hex, intent } = build(changes)
    expect(decodeTransaction(hex).lockTime).toBe(expected)
    expect(intent.lockTime).toBe(expected)
  })

  test.each<[string, Partial<PaymentRequest>, bigint]>([
    ['on KMD, with a time and a height', { network, tipTime }, 8470n],
    ['without a time', { network }, 0n],
    ['on another chain', { tipTime }, 0n],
  ])('lets coins accrue %s', (_, changes, reward) => {
    const of = coinsOf([1_000_000_000n, p2pk(a)])
    const heights = { [of.coins[0]!.txid]: 3_600_000 }
    const built = build({ ...of, ...paying('max'), heights, tipHeight: 4_000_000, ...changes })
    expect(decodeTransaction(built.hex).outputs[0]!.value).toBe(1_000_000_000n - 10_000n + reward)
    expect(built.heights).toEqual(heights)
    const others = build({ ...of, ...paying('max'), heights: { ['11'.repeat(32)]: 1 }, ...changes })
    expect(decodeTransaction(others.hex).outputs[0]!.value).toBe(1_000_000_000n - 10_000n)
  })
})

describe('the names in a request', () => {
  test('a note of as many bytes as nodes relay', () => {
    // 208 bytes of script: komodo src/script/standard.h, MAX_OP_RETURN_RELAY
    expect(build({ nulldata: '00'.repeat(205) }).intent.nulldata).toBe('00'.repeat(205))
    expect(reported({ nulldata: '00'.repeat(206) })).toEqual({
      code: 'nulldata_too_large',
      path: 'nulldata',
      expected: 208,
      actual: 209,
    })
  })

  test.each<[string, Partial<PaymentRequest>, object]>([
    [
      'an address that is none',
      { recipients: [{ address: 'R', amount: 1n }] },
      { code: 'unknown_address', path: 'recipients[0].address' },
    ],
    [
      'a script that is not hex',
      { recipients: [{ script: '5', amount: 1n }] },
      { code: 'odd_length_hex', path: 'recipients[0].script' },
    ],
    ['a note that is not hex', { nulldata: 'zz' }, { code: 'malformed_hex', path: 'nulldata' }],
    [
      'a redeem script that is not hex',
      { redeemScripts: ['zz'] },
      { code: 'malformed_hex', path: 'redeemScripts[0]' },
    ],
    [
      'a module’s key, in capitals',
      { own: [a, moduleKey.toUpperCase()] },
      { code: 'module_key', path: 'own[1]', actual: 'TOKENS' },
    ],
    [
      'an owner that is nobody',
      { own: [a, 'Rbad'] },
      { code: 'unknown_address', path: 'own[1]', actual: expect.stringContaining('Rbad') },
    ],
    [
      'change for nobody',
      { change: 'Rbad' },
      { code: 'unknown_address', path: 'change', actual: expect.stringContaining('Rbad') },
    ],
  ])('%s', (_, changes, expected) => {
    expect(reported(changes)).toMatchObject(expected)
  })

  test('sends change to the first own key unless it names another', () => {
    const changeOf = (changes: Partial<PaymentRequest>) =>
      decodeTransaction(build(changes).hex).outputs[1]!.script
    expect(changeOf({ own: [b, a] })).toBe(p2pkh(b))
    expect(changeOf({ own: [p2pk(a)] })).toBe(p2pk(a))
    expect(changeOf({ own: [a, b], change: c })).toBe(p2pkh(c))
  })

  test('reports its intent and its members', () => {
    const { intent, ...built } = build({ redeemScripts: [twoOfThree] })
    expect(intent).toMatchObject({ redeemScripts: [twoOfThree], spendable: base.coins })
    expect(Object.keys(built).toSorted()).toEqual(
      [
        'coins',
        'evidence',
        'fee',
        'hex',
        'operation',
        'previousTransactions',
        'tipHeight',
      ].toSorted(),
    )
    expect(Object.keys(build({}).intent)).not.toContain('redeemScripts')
    const { tipHeight: _, ...rest } = base
    expect(Object.keys(buildPayment({ ...rest, expiryHeight: 7 }))).not.toContain('tipHeight')
    expect(build({ tipTime: lockTime }).tipTime).toBe(lockTime)
    const previousTransactions = base.previousTransactions.map((it) => it.toUpperCase())
    expect(build({ previousTransactions }).previousTransactions).toEqual(base.previousTransactions)
    expect(Object.keys(build({}).coins[0]!).toSorted()).toEqual(
      ['role', 'script', 'txid', 'value', 'vout'].toSorted(),
    )
  })
})
