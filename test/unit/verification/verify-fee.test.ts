// These tests cover the lines about the fee in a report: the fee that the bytes prove, the
// requested fee, and a warning about a high fee. The case file cannot silence the warning. The
// coins are of KMD, which adds a reward.

import { describe, expect, test } from 'vitest'

import {
  type Case,
  formatReport,
  type PaymentIntent,
  parseCase,
  type Report,
  reportToJson,
  verifyCase,
} from '../../../src/index.ts'
import { checkShare } from '../../../src/verification/fee.ts'
import { textOf } from '../../support/files.ts'
import { checkManyCoins, checkPayment, manyReward, unchanged } from '../../support/payments.ts'

const coin = 100_000_000n
const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code)
const feeLine = (report: Report) => /\n {2}fee (.*)\n/.exec(formatReport(report))![1]

describe('a case file that takes a burned fee for a reward', () => {
  // 10,000 coins are spent, 1 is paid, 99 are burned; fee and bound leave room for the reward
  const bounds = { fee: 99n * coin + manyReward, maxFee: 99n * coin + manyReward }
  const report = checkManyCoins({ paid: coin, left: 99n * coin }, bounds)

  test('shows the fee that the bytes prove', () => {
    expect(report).toMatchObject({
      fee: 99n * coin,
      feeKnown: 'proven',
      inputsMinusOutputs: 99n * coin,
    })
    expect(feeLine(report)).toBe('99.00000000 (inputs minus outputs, proven)')
  })

  test('claims nothing, and is warned of', () => {
    expect(codes(report)).toEqual(['reward_in_fee', 'fee_high'])
    expect(report.findings[1]).toMatchObject({
      severity: 'warn',
      path: 'fee',
      expected: 'at most 1000000',
      actual: 99n * coin + manyReward,
    })
  })

  test('shows what it asks', () => {
    const given = { operation: 'payment', intent: bounds } as unknown as Case
    const shown = formatReport(report, {
      given: {
        ...given,
        hex: report.hex,
        evidence: { previousTransactions: [] },
        intent: { recipients: [], own: [], ...bounds },
      } as Case,
    })
    expect(shown).toContain('\n  fee      99.08481891\n')
  })
})

describe('a reward', () => {
  test('is claimed where the outputs take more than the inputs bring', () => {
    const left = 10_000n - manyReward
    for (const bounds of [
      {},
      { fee: 10_000n },
      { maxFee: 10_000n },
      { fee: 1n, maxFee: 10_000n },
    ]) {
      const report = checkManyCoins({ paid: coin, left }, bounds)
      expect(codes(report)).toEqual(['reward_claimed'])
      expect(report).toMatchObject({ ok: true, feeKnown: 'asserted', inputsMinusOutputs: left })
      expect(report).not.toHaveProperty('fee')
      expect(feeLine(report)).toBe(
        '-0.08471891 (inputs minus outputs, proven) and a reward of 0.08481891 (by the heights and times given)',
      )
      expect(reportToJson(report)).toMatchObject({ inputsMinusOutputs: '-8471891' })
    }
  })

  test.each<[bigint, string[], 'proven' | 'asserted']>([
    [-1n, ['reward_claimed', 'fee_high'], 'asserted'],
    [0n, ['reward_in_fee', 'fee_high'], 'proven'],
    [999_999n, ['reward_in_fee', 'fee_high'], 'proven'],
    [1_000_000n, ['reward_unclaimed'], 'proven'],
  ])('a reward leaves %i satoshis beside the coins to the fee', (left, expected, known) => {
    const bounds = { fee: 1_000_000n, maxFee: 10_000_000n }
    const report = checkManyCoins({ paid: 1000n * coin, left }, bounds)
    expect(codes(report)).toEqual(expected)
    expect(report).toMatchObject({ ok: true, feeKnown: known, inputsMinusOutputs: left })
    expect(report.fee).toBe(known === 'proven' ? left : undefined)
  })

  test('may not take the fee over its bound', () => {
    const report = checkManyCoins({ paid: coin, left: 0n }, { fee: 10_000n })
    expect(codes(report)).toEqual(['reward_in_fee', 'fee_too_high', 'fee_high'])
    expect(report.findings[1]).toMatchObject({ expected: 10_000n, actual: manyReward })
  })

  test('a reward that nobody can compute pays for nothing', () => {
    const report = checkManyCoins({ paid: coin, left: -1n }, {}, { heights: {} })
    expect(codes(report)).toEqual(['reward_unknown', 'fee_too_low', 'height_unknown'])
    expect(report).toMatchObject({ ok: false, fee: -1n, inputsMinusOutputs: -1n })
  })
})

// komodo src/wallet/wallet.h, nHighTransactionFeeWarning: 0.01 coins; komodo src/cc/CCtokens.cpp:
// 10000
describe('a high fee', () => {
  test.each<[string, bigint, bigint, bigint, string | undefined]>([
    ['of 1 % of what moves', 30_000n, 900_000n, 3_000_000n, undefined],
    ['above 1 % of what moves', 30_001n, 900_000n, 3_000_000n, 'at most 30000'],
    ['of what is usual', 20_000n, 900_000n, 1n, undefined],
    ['above what is usual, of little that moves', 20_001n, 900_000n, 1n, 'at most 20000'],
    ['of 0.01 coins', 1_000_000n, 10n ** 12n, 10n ** 12n, undefined],
    ['above 0.01 coins', 1_000_001n, 10n ** 12n, 10n ** 12n, 'at most 1000000'],
    ['of nothing', 0n, 0n, 0n, undefined],
  ])('%s', (_, paid, spent, moved, expected) => {
    const found = checkShare(paid, spent, moved)
    expect(found.map((it) => [it.code, it.expected, it.actual])).toEqual(
      expected === undefined ? [] : [['fee_high', expected, paid]],
    )
  })

  test('above a tenth of what is spent is told as that alone', () => {
    expect(checkShare(100_001n, 1_000_000n, 5n)).toMatchObject([
      { code: 'fee_share', path: 'fee', expected: 'at most 100000', actual: 100_001n },
    ])
    // an order of tokeld is cancelled with the coins of the order, and may cost a tenth of them
    expect(checkShare(20_000n, undefined, 20_001n)).toEqual([])
    expect(checkShare(20_001n, undefined, 20_001n)).toMatchObject([{ code: 'fee_high' }])
    expect(checkShare(100_000n, 1_000_000n, 5n).map(({ code }) => code)).toEqual(['fee_high'])
  })

  test('is measured by all that is spent where nobody is paid, and not where an amount is unknown', () => {
    expect(checkShare(30_001n, 3_000_000n).map(({ expected }) => expected)).toEqual([
      'at most 30000',
    ])
    expect(checkShare(undefined, 5n, 5n)).toEqual([])
    expect(checkShare(30_001n, undefined)).toEqual([])
  })

  test('a high fee of a payment is measured by what recipients get', () => {
    // a hundredth of 2,000,100 satoshis is 20,001
    expect(codes(checkManyCoins({ paid: 2_000_100n, left: 20_001n }, { fee: 20_001n }))).toEqual([
      'reward_unclaimed',
    ])
    expect(codes(checkManyCoins({ paid: 2_000_099n, left: 20_001n }, { fee: 20_001n }))).toEqual([
      'reward_unclaimed',
      'fee_high',
    ])
  })

  test('a high fee of a token transfer is reported as well', () => {
    const given = parseCase(textOf('examples/transfer.json'))
    const { fee, inputsMinusOutputs } = verifyCase(given)
    expect([fee, inputsMinusOutputs]).toEqual([10_000n, 10_000n])
  })
})

test('a fee is unproven where an amount is unproven', () => {
  const given = parseCase(textOf('examples/transfer.json'))
  const report = verifyCase({ ...given, evidence: { previousTransactions: [] } })
  expect(report).not.toHaveProperty('inputsMinusOutputs')
  expect(feeLine(report)).toBe('unknown, an amount is missing')
})

describe('the fee that is asked is shown', () => {
  const shown = (intent: Partial<PaymentIntent>) => {
    const report = checkPayment(unchanged)
    const given = {
      operation: 'payment',
      hex: report.hex,
      evidence: { previousTransactions: [] },
      intent: { recipients: [], own: [], ...intent },
    } as Case
    return /\n {2}fee {6}(.*)\n/.exec(formatReport(report, { given }))![1]
  }

  test.each<[Partial<PaymentIntent>, string]>([
    [{}, 'at most 0.00020000'],
    [{ fee: 10_000n }, '0.00010000'],
    [{ maxFee: 5n }, 'at most 0.00000005'],
    [{ fee: 5n, maxFee: 10_000n }, '0.00000005 to 0.00010000'],
    [{ fee: 5n, maxFee: 5n }, '0.00000005'],
    [{ feeRate: 1000n }, '0.00001000 per 1000 bytes'],
    [{ feeRate: 1000n, maxFee: 7n }, '0.00001000 per 1000 bytes, at most 0.00000007'],
  ])('a report shows the requested fee of a payment: %o', (intent, words) => {
    expect(shown(intent)).toBe(words)
  })

  test.each<[object, string]>([
    [{}, '0.00010000 to 0.00020000'],
    [{ fee: 7000n }, '0.00007000 to 0.00014000'],
    [{ fee: 7000n, maxFee: 7000n }, '0.00007000'],
    [{ maxFee: 990_000_000_000n }, '0.00010000 to 9900.00000000'],
  ])('a report shows the requested fee of a transfer: %o', (bounds, words) => {
    const { intent, ...rest } = parseCase(textOf('examples/transfer.json'))
    const { fee: _, maxFee: __, ...asked } = intent
    const given = { ...rest, intent: { ...asked, ...bounds } } as Case
    expect(formatReport(verifyCase(given), { given })).toContain(`\n  fee      ${words}\n`)
  })
})
