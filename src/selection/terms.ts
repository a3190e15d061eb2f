// Terms of a selection, and their checks.

import { dustThreshold, feeRateMax } from '../chain/limits.ts'
import type { Terms } from '../engine/records.ts'
import { unlimited } from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { satsMax } from '../primitives/amount.ts'
import { argumentError, requireBigint, requireString } from '../primitives/arguments.ts'
import type { MemberTable } from '../primitives/known-members.ts'
import { utf8Bytes } from '../primitives/utf8.ts'
import { readBytes } from './coin-arrays.ts'

/** Terms that payments and token transfers share. */
export interface SelectionTerms {
  /** Satoshis per 1000 bytes. Needed unless `fixedFee` is given. */
  readonly feeRate?: number
  /** Satoshis, independent of the size; the Komodo family's fee is 10000. */
  readonly fixedFee?: bigint
  /** Bytes of the transaction without inputs and change. */
  readonly baseBytes: number
  /** Bytes of an output for native change. */
  readonly changeBytes: number
  /** Bytes that spending that change adds to a later transaction. */
  readonly changeSpendBytes: number
  /**
   * Minimum change in satoshis. If absent, the relay limit of the Komodo family's nodes: three
   * times the relay fee of making and spending the change.
   */
  readonly dust?: bigint
  readonly maxInputs?: number
  /** Limit for the whole signed transaction. */
  readonly maxBytes?: number
  /**
   * Seed of the random draw. If absent, a hash of the coins and the terms, so that equal input
   * gives an equal result.
   */
  readonly seed?: string
}

/** For the terms that extend these. */
export const selectionMembers: MemberTable<SelectionTerms> = {
  feeRate: true,
  fixedFee: true,
  baseBytes: true,
  changeBytes: true,
  changeSpendBytes: true,
  dust: true,
  maxInputs: true,
  maxBytes: true,
  seed: true,
}

/**
 * The most satoshis that the smallest change, or spending change, may be.
 * source: native/core/select/pricing.h, change_sats_max
 */
const changeMax = 100_000_000n

/** Millionths of a satoshi per 1000 bytes, as the engine takes rates. */
type EngineRate = bigint

/** Terms as the engine takes them. */
export interface CheckedTerms {
  readonly feeRate: EngineRate
  readonly fixedFee: bigint | undefined
  readonly changeSpend: bigint
  readonly changeMin: bigint
  readonly baseBytes: number
  readonly changeBytes: number
  readonly maxInputs: number
  readonly maxBytes: number
  readonly seed: Uint8Array
}

/**
 * @param spendRate - satoshis per 1000 bytes at which change will be spent; `undefined` for
 *   the fee rate of now
 * @throws {AntaraError} `fee_rate_out_of_range`, `payment_out_of_range`, `input_bytes_out_of_range`,
 *   `number_out_of_range`
 */
export function checkTerms(terms: SelectionTerms, spendRate: number | undefined): CheckedTerms {
  const { fixedFee, dust, seed } = terms
  if (fixedFee !== undefined) requireAmount(fixedFee, 'fixedFee', 0n)
  if (dust !== undefined) requireAmount(dust, 'dust', 0n, changeMax)
  if (seed !== undefined) requireString(seed, 'seed')
  const feeRate = readFeeRate(terms)
  const changeBytes = readBytes(terms.changeBytes, 'changeBytes')
  const changeSpendBytes = readBytes(terms.changeSpendBytes, 'changeSpendBytes')
  const changeSpend = feeOf(
    spendRate === undefined ? feeRate : readRate(spendRate, 'longTermFeeRate'),
    changeSpendBytes,
  )
  if (changeSpend >= changeMax) {
    const expected = `a size that costs less than ${changeMax} satoshis at the fee rate`
    throw new AntaraError('payment_out_of_range', {
      path: 'changeSpendBytes',
      expected,
      actual: changeSpend,
    })
  }
  return {
    feeRate,
    fixedFee,
    changeSpend,
    // Change that costs more to spend than it is worth is not made.
    changeMin: largestOf(dust ?? dustThreshold(changeBytes), changeSpend + 1n),
    baseBytes: readBytes(terms.baseBytes, 'baseBytes'),
    changeBytes,
    maxInputs: readLimit(terms.maxInputs, 'maxInputs'),
    maxBytes: readLimit(terms.maxBytes, 'maxBytes'),
    seed: seed === undefined ? noSeed : utf8Bytes(seed, 'seed'),
  }
}

const noSeed = new Uint8Array(0)

/** With a fixed fee alone, bytes cost nothing. */
function readFeeRate({ feeRate, fixedFee }: SelectionTerms): EngineRate {
  if (feeRate === undefined && fixedFee !== undefined) return 0n
  return readRate(feeRate, 'feeRate')
}

/** @throws {AntaraError} `fee_rate_out_of_range` */
export function readRate(rate: unknown, path: string): EngineRate {
  if (typeof rate !== 'number') throw argumentError(path, 'a number', rate)
  if (rate >= 0 && rate <= feeRateMax) return BigInt(Math.round(rate * 1_000_000))
  throw new AntaraError('fee_rate_out_of_range', { path, actual: rate })
}

export function feeOf(rate: EngineRate, bytes: number): bigint {
  return (rate * BigInt(bytes) + 999_999_999n) / 1_000_000_000n
}

/** @throws {AntaraError} `payment_out_of_range` */
export function requireAmount(
  amount: unknown,
  path: string,
  smallest: bigint,
  largest: bigint = satsMax,
): void {
  requireBigint(amount, path)
  if (amount >= smallest && amount <= largest) return
  const expected = amount < smallest ? `at least ${smallest}` : `at most ${largest}`
  throw new AntaraError('payment_out_of_range', { path, expected, actual: amount })
}

/** @throws {AntaraError} `number_out_of_range` */
export function readLimit(limit: unknown, path: string): number {
  if (limit === undefined) return unlimited
  if (typeof limit !== 'number') throw argumentError(path, 'a number', limit)
  if (Number.isInteger(limit) && limit >= 0 && limit < unlimited) return limit
  throw new AntaraError('number_out_of_range', { path, actual: limit })
}

function largestOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Terms as the engine reads them, without the members of transfers. */
export function termsWith(
  terms: CheckedTerms,
  target: bigint,
  longTermRate: EngineRate,
  inputBytes: number,
): Terms {
  return {
    target,
    feeRate: terms.feeRate,
    longTermRate,
    fixedFee: terms.fixedFee ?? 0n,
    changeSpend: terms.changeSpend,
    changeMin: terms.changeMin,
    baseBytes: terms.baseBytes,
    changeBytes: terms.changeBytes,
    feeIsFixed: terms.fixedFee === undefined ? 0 : 1,
    inputsMax: terms.maxInputs,
    bytesMax: terms.maxBytes,
    inputBytes,
    tokenInputBytes: 0,
    tokenChangeBytes: 0,
    tokenInputsMax: unlimited,
    sweep: 0,
  }
}
