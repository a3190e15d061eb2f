// What coins of KMD accrue. Expected values are worked out by hand from komodo
// src/komodo_interest.cpp: value / 10512000, by the minute, 59 of which do not count.

import { describe, expect, test } from 'vitest'

import { accruedReward } from '../../src/chain/reward.ts'
import { networks } from '../../src/index.ts'
import { judgeReward } from '../../src/verification/reward.ts'
import { judgeOnKomodo, rewardTxid } from '../support/payments.ts'

const coin = 100_000_000n
const lockTime = 1_700_000_000
const minutes = (count: number) => lockTime + 60 * count
const month = 31 * 24 * 60
const year = 365 * 24 * 60

test.each<[string, bigint, number, number, bigint]>([
  // 1e9 / 10512000 = 95; 95 * 1 / 500
  ['the first minute that counts', 10n * coin, 3_600_000, minutes(60), 0n],
  // 1e12 / 10512000 = 95129; / 500
  ['the same of 10000 coins', 10_000n * coin, 3_600_000, minutes(60), 190n],
  ['a second before it', 10_000n * coin, 3_600_000, minutes(60) - 1, 0n],
  // 95 * (44640 - 59) / 500
  ['a month', 10n * coin, 3_600_000, minutes(month), 8470n],
  ['a month, and not a minute more', 10n * coin, 3_600_000, minutes(month + 1), 8470n],
  ['a minute less', 10n * coin, 3_600_000, minutes(month - 1), 8470n],
  // 95 * (44640 - 59)
  ['a month before season 7', 10n * coin, 3_484_957, minutes(month), 4_235_195n],
  ['a month from season 7 on', 10n * coin, 3_484_958, minutes(month), 8470n],
  ['less than ten coins', 10n * coin - 1n, 3_600_000, minutes(month), 0n],
  ['a block after the era', 10n * coin, 7_777_777, minutes(month), 0n],
  ['no block', 10n * coin, 0, minutes(month), 0n],
  // 1e9 / 20 * (525600 - 59) / 525600
  ['a year before block 1000000', 10n * coin, 999_999, minutes(2 * year), 49_994_387n],
  // 95 * (44640 - 59)
  ['a month from block 1000000 on', 10n * coin, 1_000_000, minutes(2 * year), 4_235_195n],
  // 1e9 * 5000000 / (525600 / 44640 = 11) / 1e8
  ['a month before block 250000', 10n * coin, 249_999, minutes(month), 4_545_454n],
  // 3e12 / 20 / 11
  ['the same of 30000 coins', 30_000n * coin, 249_999, minutes(month), 13_636_363_636n],
  ['a year and more before block 250000', 10n * coin, 249_999, minutes(2 * year), 50_000_000n],
])('%s', (_, value, height, tipTime, reward) => {
  expect(accruedReward({ value, height, lockTime }, tipTime)).toBe(reward)
})

test('without a time for its lock time a coin accrues nothing', () => {
  const coinOf = (lock: number) => ({ value: 10n * coin, height: 3_600_000, lockTime: lock })
  expect(accruedReward(coinOf(0), minutes(month))).toBe(0n)
  expect(accruedReward(coinOf(499_999_999), minutes(month))).toBe(0n)
  expect(accruedReward(coinOf(500_000_000), minutes(month))).toBe(8470n)
})

describe('a payment on KMD', () => {
  const told = (...given: Parameters<typeof judgeOnKomodo>) => {
    const { ok, fee, feeKnown, findings } = judgeOnKomodo(...given)
    return { ok, fee, feeKnown, findings: findings.map(({ code, actual }) => [code, actual]) }
  }

  test('that claims nothing is warned of what it leaves', () => {
    expect(told({})).toEqual({
      ok: true,
      fee: 10_000n,
      feeKnown: 'proven',
      findings: [['reward_unclaimed', 8470n]],
    })
  })

  test('that claims it has the fee that was asked for, by the word of whoever gave the heights', () => {
    expect(told({}, 8470n)).toEqual({
      ok: true,
      fee: undefined,
      feeKnown: 'asserted',
      findings: [['reward_claimed', 8470n]],
    })
  })

  test('that claims more or less has another fee', () => {
    expect(told({}, 8471n).findings.map(([code]) => code)).toContain('fee_too_low')
    expect(told({}, 8469n).findings.map(([code]) => code)).toContain('fee_too_high')
  })

  test('of which heights or the time are not known may leave something', () => {
    for (const evidence of [
      { heights: {} },
      { heights: { [rewardTxid]: 3_600_000 }, tipTime: undefined! },
    ]) {
      expect(told(evidence).findings).toEqual([['reward_unknown', 1_000_000_000n]])
    }
    expect(told({ heights: {} }, 8470n).ok).toBe(false)
  })

  // komodo src/komodo_interest.cpp: ten coins, and a time for a lock time
  test.each([
    [10n * coin, 500_000_000, ['reward_unknown']],
    [10n * coin - 1n, 500_000_000, []],
    [10n * coin, 499_999_999, []],
  ])('of a coin of %i with a lock time of %i', (value, lock, expected) => {
    const prevout = { value, transaction: { lockTime: lock } } as never
    const { amount, findings } = judgeReward([undefined, prevout], networks.komodo, {})
    expect([amount, findings.map(({ code }) => code)]).toEqual([0n, expected])
    const elsewhere = { amount: 0n, late: 0n, findings: [] }
    expect(judgeReward([prevout, undefined], networks.assetChain, {})).toEqual(elsewhere)
  })
})
