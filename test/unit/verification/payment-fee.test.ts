// The fee of a payment at each of its limits, and the size that a rate is applied to. Sources: komodo
// src/main.cpp, AcceptToMemoryPool, and src/primitives/transaction.h, GetDustThreshold, for what is
// relayed; docs/verify.md for what a request allows.

import { describe, expect, test } from 'vitest'

import type { PaymentIntent, Transaction } from '../../../src/index.ts'
import {
  checkPaymentFee,
  feeRange,
  type PaymentFee,
  paymentFee,
} from '../../../src/verification/payment-fee.ts'
import { allBytes, neededBytes } from '../../../src/verification/payment-size.ts'

const usual = 20_000n

test.each<[asked: object, PaymentFee]>([
  [{}, { most: usual, isExact: false }],
  [{ fee: 9n }, { least: 9n, most: 9n, isExact: true }],
  [
    { fee: 9n, maxFee: 12n },
    { least: 9n, most: 12n, isExact: false },
  ],
  [{ maxFee: 12n }, { most: 12n, isExact: false }],
  [{ feeRate: 5n }, { most: undefined, isExact: false, rate: 5n }],
  [
    { feeRate: 5n, maxFee: 7n },
    { most: 7n, isExact: false, rate: 5n },
  ],
])('a request of %o has its limits', (asked, expected) => {
  expect(paymentFee(asked as PaymentIntent)).toStrictEqual(expected)
})

const coin = { value: 100_000n, bytes: 150 }
const size = { signed: 505, withoutInputs: 200, inputs: [coin, coin], target: 50_000n }
const rated = { isExact: false, most: undefined }

test.each<[PaymentFee, { least?: bigint; most: bigint }]>([
  [{ isExact: false, most: undefined }, { most: usual }],
  [
    { isExact: true, least: 3n, most: 7n },
    { least: 3n, most: 7n },
  ],
  // 500 bytes of all inputs and 350 of one that is enough, with 54 satoshis that may be dust
  [
    { ...rated, rate: 10_000n },
    { least: 5_050n, most: 5_054n },
  ],
  [
    { ...rated, rate: 999n },
    { least: 504n, most: 554n },
  ],
  // beyond the usual limit only what the payment needs
  [
    { ...rated, rate: 100_000n },
    { least: 50_500n, most: 35_054n },
  ],
  [
    { ...rated, most: 5_053n, rate: 10_000n },
    { least: 5_050n, most: 5_053n },
  ],
  [
    { ...rated, most: 6_000n, rate: 10_000n },
    { least: 5_050n, most: 5_054n },
  ],
  [
    { ...rated, most: 30_000n, rate: 100_000n },
    { least: 50_500n, most: 30_000n },
  ],
])('the limits %o are for a size of 505 bytes', (asked, expected) => {
  expect(feeRange(asked, size)).toStrictEqual(expected)
})

describe('the bytes that a payment needs', () => {
  const perByte = (bytes: number) => 10n * BigInt(bytes)
  const inputs = [
    { value: 3_000n, bytes: 150 },
    { value: 9_000n, bytes: 150 },
    { value: 1_500n, bytes: 150 },
    { value: 8_000n, bytes: 300 },
  ]
  const needed = (target?: bigint) =>
    neededBytes(
      { signed: 0, withoutInputs: 100, inputs, ...(target !== undefined && { target }) },
      perByte,
    )

  test('are those of all inputs, if all are counted', () => {
    expect(allBytes({ signed: 0, withoutInputs: 100, inputs })).toBe(850)
  })

  test.each([
    // The input of 9,000 pays 2,500 for 250 bytes.
    [6_500n, 250],
    // With the one of 8,000, 5,500 for 550.
    [6_501n, 550],
    [11_500n, 550],
    // With the one of 3,000, 7,000 for 700.
    [11_501n, 700],
    [13_000n, 700],
    [13_001n, 850],
    [1_000_000n, 850],
  ])('for %s satoshis are %i, of the inputs that bring most', (target, bytes) => {
    expect(needed(target)).toBe(bytes)
  })

  test('are those of the inputs that bring more than they cost, where all is paid', () => {
    // The input of 1,500 brings what it costs.
    expect(needed()).toBe(700)
  })
})

describe('a payment of 250 bytes, which is relayed for 25 satoshis,', () => {
  interface Row {
    readonly difference?: bigint
    readonly range?: { readonly least?: bigint; readonly most: bigint }
    readonly more?: object
  }
  const found = ({ difference, range = { most: 100n }, more = {} }: Row) => {
    const total = difference === undefined ? undefined : difference + 5_000n
    const tx = { outputs: [{ value: 5_000n, script: '' }] } as unknown as Transaction
    const circumstances = { bytes: 250, isExact: false, hasChange: true, total }
    const { findings, ...rest } = checkPaymentFee(tx, range, {
      ...circumstances,
      reward: { amount: 0n, late: 0n },
      ...more,
    })
    return [rest, ...findings.map(({ code, path, ...of }) => [code, path, of.expected, of.actual])]
  }
  const known = (difference: bigint, paid = difference, isRewardClaimed = false) => ({
    ...{ inputsMinusOutputs: difference, paid, isRewardClaimed },
  })

  test('has an unknown fee where an input is unknown', () => {
    expect(found({})).toEqual([
      { isRewardClaimed: false },
      ['fee_unknown', 'fee', undefined, undefined],
    ])
  })

  test.each<[difference: bigint, range: Row['range'], more: object, ...unknown[][]]>([
    [25n, { most: 100n }, {}],
    [24n, { most: 100n }, {}, ['fee_below_relay', 'fee', 25n, 24n]],
    [0n, { most: 100n }, {}, ['fee_below_relay', 'fee', 25n, 0n]],
    [-1n, { most: 100n }, {}, ['fee_too_low', 'fee', 0n, -1n]],
    [100n, { most: 100n }, {}],
    [101n, { most: 100n }, {}, ['fee_too_high', 'fee', 100n, 101n]],
    [101n, { most: 100n }, { hasChange: false }, ['fee_too_high', 'fee', 100n, 101n]],
    [49n, { least: 50n, most: 100n }, {}, ['fee_too_low', 'fee', 50n, 49n]],
    [50n, { least: 50n, most: 100n }, {}],
    [101n, { most: 100n }, { isExact: true }, ['fee_too_high', 'fee', 100n, 101n]],
    // Change of 54 satoshis would be relayed.
    [100n, { most: 100n }, { isExact: true, hasChange: false }],
    ...[101n, 153n].map((paid): [bigint, Row['range'], object, unknown[]] => [
      ...([paid, { most: 100n }, { isExact: true, hasChange: false }] as const),
      ['fee_rounding', 'fee', 100n, paid],
    ]),
    [
      ...([154n, { most: 100n }, { isExact: true, hasChange: false }] as const),
      ['fee_too_high', 'fee', 100n, 154n],
    ],
  ])('pays %s: %o, %o', (difference, range, more, ...expected) => {
    expect(found({ difference, range: range!, more })).toEqual([known(difference), ...expected])
  })

  const reward = { reward: { amount: 1_000n, late: 10n } }
  const isOf = (code: string) => [code, 'inputs', undefined, 1_000n]
  test.each<
    [difference: bigint, paid: bigint, range: Row['range'], isClaimed: boolean, ...unknown[][]]
  >([
    [25n, 25n, { most: 2_000n }, false, isOf('reward_unclaimed')],
    [24n, 1_024n, { most: 2_000n }, false, isOf('reward_in_fee')],
    [0n, 1_000n, { most: 2_000n }, false, isOf('reward_in_fee')],
    [-1n, 999n, { most: 2_000n }, true, isOf('reward_claimed')],
    [49n, 1_049n, { least: 50n, most: 2_000n }, false, isOf('reward_in_fee')],
    [50n, 50n, { least: 50n, most: 2_000n }, false, isOf('reward_unclaimed')],
    // A part that accrued later could not be claimed.
    [-490n, 510n, { most: 500n }, true, isOf('reward_claimed')],
    [
      ...([-489n, 511n, { most: 500n }, true] as const),
      ...[isOf('reward_claimed'), ['fee_too_high', 'fee', 510n, 511n]],
    ],
    [
      ...([505n, 505n, { most: 500n }, false] as const),
      ...[isOf('reward_unclaimed'), ['fee_too_high', 'fee', 500n, 505n]],
    ],
    [
      ...([-1_001n, -1n, { most: 500n }, true] as const),
      ...[isOf('reward_claimed'), ['fee_too_low', 'fee', 0n, -1n]],
    ],
    [
      ...([-976n, 24n, { most: 500n }, true] as const),
      ...[isOf('reward_claimed'), ['fee_below_relay', 'fee', 25n, 24n]],
    ],
    [-975n, 25n, { most: 500n }, true, isOf('reward_claimed')],
  ])(
    'a payment with a reward of 1000 leaves %s and pays %s: %o',
    (difference, paid, range, isClaimed, ...expected) => {
      const given = { difference, range: range!, more: reward }
      expect(found(given)).toEqual([known(difference, paid, isClaimed), ...expected])
    },
  )
})
