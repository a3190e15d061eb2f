// The lock time of a payment on both sides of each limit, called directly. verify-lock-time.test.ts
// has whole payments. Source: komodo src/main.cpp, IsFinalTx, CheckFinalTx, IsExpiredTx.

import { describe, expect, test } from 'vitest'

import { networks, type Transaction } from '../../../src/index.ts'
import { checkLockTimeAge, checkPaymentLockTime } from '../../../src/verification/lock-time.ts'

const [final, locked] = [0xffffffff, 0xfffffffe]
const time = 1_700_000_000
const hour = 3600

interface Given {
  readonly lockTime?: number
  readonly sequences?: readonly number[]
  readonly expiryHeight?: number
  readonly requested?: number
  readonly tipHeight?: number
  readonly tipTime?: number
  readonly medianTime?: number
}
const check = ({
  lockTime = 0,
  sequences = [final],
  expiryHeight = 0,
  requested,
  ...tip
}: Given) => {
  const inputs = sequences.map((sequence) => ({ sequence }))
  const tx = { lockTime, expiryHeight, inputs } as unknown as Transaction
  return checkPaymentLockTime(tx, requested, tip).map(({ code, path, expected, actual }) => [
    code,
    path,
    expected,
    actual,
  ])
}
const late = (expected: string, actual: number) => [['lock_time', 'lockTime', expected, actual]]

describe('a lock time that was not asked for', () => {
  test('is 0, or not after the tip', () => {
    expect(check({})).toEqual([])
    expect(check({ lockTime: 100, tipHeight: 100 })).toEqual([])
    expect(check({ lockTime: 101, tipHeight: 100 })).toEqual(late('at most 100', 101))
    expect(check({ lockTime: 1 })).toEqual(late('0, because the tip is not known', 1))
  })

  test('is a time from 500,000,000 on', () => {
    expect(check({ lockTime: 499_999_999, tipHeight: 499_999_999 })).toEqual([])
    expect(check({ lockTime: 500_000_000, tipTime: time })).toEqual([])
    expect(check({ lockTime: 500_000_000, tipHeight: 600_000_000 })).toEqual(
      late('0, because the tip is not known', 500_000_000),
    )
    expect(check({ lockTime: 499_999_999, tipTime: time })).toEqual(
      late('0, because the tip is not known', 499_999_999),
    )
  })

  test('is not after the time of the last block if every input is final', () => {
    const given = { tipTime: time, medianTime: time - 300 }
    expect(check({ ...given, lockTime: time })).toEqual([])
    expect(check({ ...given, lockTime: time + 1 })).toEqual(late(`at most ${time}`, time + 1))
    expect(check({ lockTime: time, medianTime: time })).toEqual(
      late('0, because the tip is not known', time),
    )
  })

  test('is not after the median time if an input is not final', () => {
    const given = { sequences: [final, locked], tipTime: time, medianTime: time - 300 }
    expect(check({ ...given, lockTime: time - 300 })).toEqual([])
    expect(check({ ...given, lockTime: time - 299 })).toEqual(
      late(`at most ${time - 300}`, time - 299),
    )
    expect(check({ sequences: [locked], medianTime: time, lockTime: time })).toEqual([])
  })

  test('is not checked within the hour in which the median time may be', () => {
    const given = { sequences: [locked], tipTime: time }
    expect(check({ ...given, lockTime: time - hour })).toEqual([])
    expect(check({ ...given, lockTime: time - hour + 1 })).toEqual([
      ['lock_time_not_checked', 'lockTime', undefined, time - hour + 1],
    ])
    expect(check({ ...given, lockTime: time })).toEqual([
      ['lock_time_not_checked', 'lockTime', undefined, time],
    ])
    expect(check({ ...given, lockTime: time + 1 })).toEqual(late(`at most ${time}`, time + 1))
    expect(check({ ...given, lockTime: time, requested: time })).toEqual([])
    expect(check({ ...given, lockTime: time, sequences: [final] })).toEqual([])
    expect(check({ sequences: [locked], lockTime: 99, tipHeight: 99 })).toEqual([])
  })
})

describe('a lock time that was asked for', () => {
  const differs = (expected: number, actual: number) => [
    'lock_time_differs',
    'lockTime',
    expected,
    actual,
  ]

  test('is the one of the transaction', () => {
    expect(check({ requested: 50, lockTime: 50, tipHeight: 100 })).toEqual([])
    expect(check({ requested: 50, lockTime: 51, tipHeight: 100 })).toEqual([differs(50, 51)])
    expect(check({ requested: 50, lockTime: 0, tipHeight: 100 })).toEqual([differs(50, 0)])
    expect(check({ requested: 0 })).toEqual([])
    // A wrong lock time has one finding, and not one more for what it does.
    expect(check({ requested: 50, lockTime: 200, tipHeight: 100 })).toEqual([differs(50, 200)])
  })

  const future = { requested: 200, lockTime: 200, tipHeight: 100 }

  test('has an effect in the future: an input is not final', () => {
    expect(check({ ...future, sequences: [final, locked] })).toEqual([])
    expect(check({ ...future, sequences: [final, final] })).toEqual([
      ['lock_time_open', 'inputs', locked, final],
    ])
    expect(check({ requested: 200, lockTime: 200, sequences: [final] })).toEqual([
      ['lock_time_open', 'inputs', locked, final],
    ])
  })

  test('ends before the transaction does', () => {
    const sequences = [locked]
    expect(check({ ...future, sequences, expiryHeight: 201 })).toEqual([])
    expect(check({ ...future, sequences, expiryHeight: 200 })).toEqual([
      ['lock_time_late', 'lockTime', 'below 200', 200],
    ])
    const later = { requested: time, lockTime: time, sequences, expiryHeight: 5 }
    expect(check(later)).toEqual([])
    const first = { requested: 500_000_000, lockTime: 500_000_000, sequences, expiryHeight: 5 }
    expect(check(first)).toEqual([])
  })
})

describe('the sequence of an input', () => {
  test('is final, or the highest that puts a lock time in force', () => {
    const wrong = (at: number, actual: number) => [
      'sequence',
      `inputs[${at}].sequence`,
      final,
      actual,
    ]
    expect(check({ sequences: [final, final] })).toEqual([])
    expect(check({ sequences: [final, locked] })).toEqual([wrong(1, locked)])
    expect(check({ sequences: [locked, final], lockTime: 5, tipHeight: 5 })).toEqual([])
    expect(check({ sequences: [5, locked, 6], lockTime: 5, tipHeight: 5 })).toEqual([
      wrong(0, 5),
      wrong(2, 6),
    ])
  })
})

describe('the age of a lock time', () => {
  const { komodo, assetChain } = networks
  const ages = (lockTime: number, tip: object, network = komodo) =>
    checkLockTimeAge({ lockTime } as Transaction, network, tip).map(
      ({ code, path, expected, actual }) => [code, path, expected, actual],
    )
  const least = time - hour

  // komodo src/komodo_interest.cpp, komodo_validate_interest
  test('is an hour at most on KMD', () => {
    expect(ages(least, { tipTime: time })).toEqual([])
    expect(ages(least - 1, { tipTime: time })).toEqual([
      ['lock_time_stale', 'lockTime', `at least ${least}`, least - 1],
    ])
    expect(ages(least - 1, { tipTime: time }, assetChain)).toEqual([])
    expect(ages(least - 1, {})).toEqual([])
  })

  test('is that of a time, and not of a height', () => {
    expect(ages(500_000_000, { tipTime: time })).toHaveLength(1)
    expect(ages(499_999_999, { tipTime: time })).toEqual([])
  })
})
