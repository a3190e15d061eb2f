// The fee of a payment by rate: no choice of the offered coins costs less, and the verifier accepts
// it for a request that names nothing but the rate.

import { describe, expect, test } from 'vitest'

import {
  buildPayment,
  encodeTransaction,
  signCase,
  transactionId,
  verifyPayment,
} from '../../../src/index.ts'
import { p2pkh } from '../../support/payments.ts'
import { a, c, privateKeys } from '../../support/resigned.ts'

function coinsOf(values: readonly bigint[]) {
  const parent = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '44'.repeat(32), vout: 0, scriptSig: '00', sequence: 0xffffffff }],
    outputs: values.map((value) => ({ value, script: p2pkh(a) })),
    lockTime: 0,
    expiryHeight: 0,
  })
  const txid = transactionId(parent)
  const coins = values.map((_, vout) => ({ txid, vout }))
  return { own: [a], coins, previousTransactions: [parent], tipHeight: 100 }
}

/** A linear congruential generator, so that every run builds the same payments. */
function randomNumbers(start: number): () => number {
  let state = start
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Values from a thousand to a million satoshis: most are small, as in a used wallet. */
const valuesOf = (count: number, random: () => number) =>
  Array.from({ length: count }, () => BigInt(Math.floor(1000 * 1000 ** random())))
const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
const paying = (amount: bigint) => ({ recipients: [{ script: p2pkh(c), amount }] })

/** A transaction with one payee: a signed input takes 149 bytes at most. */
const bytesOf = (inputs: number) => 29 + 34 + 149 * inputs

/**
 * The least fee of all subsets, with change of 34 bytes. The builder counts four
 * bytes more when it chooses, which may cost so much more and no further input.
 */
function leastFee(values: readonly bigint[], amount: bigint, rate: bigint): bigint {
  const feeOf = (bytes: number) => (BigInt(bytes) * rate + 999n) / 1000n
  let least: bigint | undefined
  for (let subset = 1; subset < 1 << values.length; subset += 1) {
    const picked = values.filter((_, at) => (subset >> at) & 1)
    const bytes = bytesOf(picked.length)
    const rest = sumOf(picked) - amount
    if (rest < feeOf(bytes)) continue
    const withChange = feeOf(bytes + 34)
    const fee = rest - withChange >= 546n ? withChange : rest
    if (least === undefined || fee < least) least = fee
  }
  return least!
}

describe('a payment by rate', () => {
  test('spends the fewest of 117 coins while bytes are cheap', () => {
    const values = valuesOf(117, randomNumbers(7))
    const given = { ...coinsOf(values), ...paying((sumOf(values) * 7n) / 10n) }
    const largest = values.toSorted((one, other) => (one < other ? 1 : -1))
    // The sum of the 20 largest pays the amount and the fee; that of the 19 largest does not.
    const amount = (sumOf(values) * 7n) / 10n
    expect(sumOf(largest.slice(0, 19))).toBeLessThan(amount + 5000n)
    const { coins, fee } = buildPayment({ ...given, feeRate: 2000n })
    expect(coins).toHaveLength(20)
    expect(fee).toBe(2n * BigInt(bytesOf(20) + 34))
    const dear = buildPayment({ ...given, feeRate: 9842n, maxFee: 60_000n })
    expect(dear.fee).toBeLessThan(32_923n)
  })

  test('costs no more than the cheapest subset of the coins', () => {
    const random = randomNumbers(3)
    for (let left = 25; left > 0; left -= 1) {
      const rate = BigInt(Math.floor(100 * 300 ** random()))
      const values = valuesOf(9, random).map((value) => value + 20_000n)
      const amount = (sumOf(values) * BigInt(Math.floor(700 * random()) + 1)) / 1000n
      const { fee } = buildPayment({ ...coinsOf(values), ...paying(amount), feeRate: rate })
      const least = leastFee(values, amount, rate)
      expect(fee - least, `${values} ${amount} ${rate}`).toBeLessThanOrEqual(rate / 250n + 1n)
      expect(fee).toBeGreaterThanOrEqual(least)
    }
  })

  test('is accepted for a request that names only the rate', () => {
    const random = randomNumbers(1)
    for (let left = 40; left > 0; left -= 1) {
      const rate = BigInt(Math.floor(100 * 200 ** random()))
      const values = valuesOf(20 + Math.floor(random() * 130), random)
      const amount = (sumOf(values) * BigInt(Math.floor(800 * random()))) / 1000n + 1000n
      const built = buildPayment({ ...coinsOf(values), ...paying(amount), feeRate: rate })
      const { hex } = signCase(built, [privateKeys.get(a)!])
      const asked = { ...paying(amount), own: [a], feeRate: rate }
      const { findings } = verifyPayment(hex, asked, built.evidence)
      expect(findings.filter(({ severity }) => severity === 'reject')).toEqual([])
    }
  })
})
