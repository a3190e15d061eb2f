// Selects the coins of a payment, by the native core.

import { type Locate, takeNumbers } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import {
  selectionAvailable,
  selectionFailure,
  selectionPicked,
  selectionWays,
  wayBytes,
  wayChange,
  wayFee,
  wayInputs,
  wayMethod,
  wayWaste,
} from '../engine/records.ts'
import { resultBase, selectionWords, wayWords } from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { requireObject } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import {
  type InputBytes,
  locateCoin,
  nativeInputBytes,
  readInputBytes,
  requireValues,
  sizesOf,
} from './coin-arrays.ts'
import { type CoinIndex, handleOf } from './coin-index.ts'
import {
  type CheckedTerms,
  checkTerms,
  readRate,
  requireAmount,
  type SelectionTerms,
  selectionMembers,
  termsWith,
} from './terms.ts'

/** The coins to select from: arrays, an index over them, or both. */
export interface Coins {
  /** Satoshis. With an index, the value of each id; the selection is compared with them. */
  readonly values?: BigInt64Array
  /**
   * Bytes that spending each coin adds to the transaction; 148 if absent. An index has its own
   * sizes.
   */
  readonly inputBytes?: InputBytes
  /** An index makes sorting unnecessary. */
  readonly index?: CoinIndex
}

export interface PaymentTerms extends SelectionTerms {
  /** Satoshis to pay, without the fee. */
  readonly target: bigint
  /**
   * The expected future rate, in satoshis per 1000 bytes. Below it, spending more coins than
   * necessary saves fees. 10000 if absent, as in Bitcoin Core; with a fixed fee, the fee rate.
   */
  readonly longTermFeeRate?: number
}

const coinsMembers = memberNames<Coins>({ values: true, inputBytes: true, index: true })
const termsMembers = memberNames<PaymentTerms>({
  ...selectionMembers,
  target: true,
  longTermFeeRate: true,
})

/** The algorithm that found a selection; docs/selection.md describes each. */
export type SelectionAlgorithm =
  | 'branch-and-bound'
  | 'exact-sum'
  | 'coin-grinder'
  | 'least-change'
  | 'consolidation'
  | 'random-draw'
  | 'largest-first'

/** source: native/core/select/select_coins.h, Method */
const algorithms: readonly SelectionAlgorithm[] = [
  'branch-and-bound',
  'exact-sum',
  'coin-grinder',
  'least-change',
  'consolidation',
  'random-draw',
  'largest-first',
]

/** A candidate selection. */
export interface Alternative {
  readonly algorithm: SelectionAlgorithm
  readonly inputs: number
  /** Bytes of the whole signed transaction. */
  readonly bytes: number
  /** Satoshis, including an excess that is too small for change. */
  readonly fee: bigint
  /** Satoshis; 0n without change. */
  readonly change: bigint
  /** Satoshis, by Bitcoin Core's measure. Negative if spending coins now saves fees later. */
  readonly waste: bigint
}

export interface SelectedCoins extends Alternative {
  readonly ok: true
  /** Positions in `values`, or ids of the index, ascending. */
  readonly picked: Uint32Array
  /** All candidates, least waste first; the first is the selection itself. */
  readonly alternatives: readonly Alternative[]
}

export interface FailedSelection {
  readonly ok: false
  /**
   * `insufficient_funds`, or `selection_over_limits` if only `maxInputs` or `maxBytes` forbids it.
   */
  readonly code: ErrorCode
  /**
   * Satoshis that the coins are worth before any fee: all of them, or as many as the limits allow.
   */
  readonly available: bigint
}

/**
 * Chooses the coins that pay an amount with the least waste.
 *
 * Waste is Bitcoin Core's measure: the cost of the inputs above the long-term rate, plus the cost
 * to make and spend change, or without change the excess. Among equals, fewer bytes win. Up to 16
 * coins no choice has less waste. The result depends on values, sizes, terms and seed, not on the
 * order of the coins. Coins that cost more than they bring are left alone.
 *
 * @param coins - satoshis, and bytes per input
 * @param terms - satoshis, and satoshis per 1000 bytes
 * @returns positions of the coins, fee and change. Insufficient coins are a result with a code, not
 *   an exception
 * @throws {AntaraError} `coin_value_out_of_range` for a value that is not from 1 to 2^62,
 *   `coin_sum_out_of_range`, `input_bytes_out_of_range`, `fee_rate_out_of_range`,
 *   `payment_out_of_range`, `number_out_of_range`; `path` names the argument.
 *   `stale_coin_index` if index and values disagree
 * @see bitcoin src/wallet/coinselection.cpp, SelectionResult::RecalculateWaste
 * @example
 * const coins = { values: BigInt64Array.of(50_000n, 70_000n, 31_000n), inputBytes: 148 }
 * selectCoins(coins, {
 *   target: 80_600n, feeRate: 1000, longTermFeeRate: 1000, baseBytes: 44, changeBytes: 34,
 *   changeSpendBytes: 148,
 * }).picked // Uint32Array [0, 2], without change
 */
export function selectCoins(coins: Coins, terms: PaymentTerms): SelectedCoins | FailedSelection {
  requireObject(coins, 'coins')
  requireObject(terms, 'terms')
  requireKnownMembers(coins, coinsMembers, 'coins')
  requireKnownMembers(terms, termsMembers, 'terms')
  const { longTermFeeRate = terms.fixedFee === undefined ? 10_000 : undefined } = terms
  requireAmount(terms.target, 'target', 1n)
  const checked = checkTerms(terms, longTermFeeRate)
  const longTermRate =
    longTermFeeRate === undefined ? checked.feeRate : readRate(longTermFeeRate, 'longTermFeeRate')
  select(coins, checked, terms.target, longTermRate)
  const code = errorCodeOfNumber.get(selectionFailure())
  if (code !== undefined) return { ok: false, code, available: selectionAvailable() }
  const alternatives = readAlternatives()
  const pickedWord = resultBase + selectionWords + wayWords * alternatives.length
  const picked = takeNumbers(pickedWord, selectionPicked())
  const [chosen] = alternatives
  if (coins.index !== undefined && coins.values !== undefined) {
    requireCurrent(coins.values, coins.index, picked, terms.target + chosen!.fee + chosen!.change)
  }
  return { ok: true, picked, ...chosen!, alternatives }
}

function select(
  { values, inputBytes, index }: Coins,
  checked: CheckedTerms,
  target: bigint,
  longTermRate: bigint,
): void {
  if (values !== undefined || index === undefined) requireValues(values, 'coins.values')
  if (index !== undefined) {
    const handle = handleOf(index, 'coins.index')
    const terms = termsWith(checked, target, longTermRate, 0)
    engine.selectIndexed(handle, checked.seed, terms, () => ({}))
    return
  }
  const bytes = readInputBytes(inputBytes, values!, 'coins.inputBytes', nativeInputBytes)
  const locate: Locate = (context, code) => locateCoin(context, code, values!, bytes, 'coins.')
  const { each, same } = sizesOf(bytes)
  const terms = termsWith(checked, target, longTermRate, same)
  engine.selectCoins(values!, each, checked.seed, terms, locate)
}

function readAlternatives(): Alternative[] {
  const count = selectionWays()
  return Array.from({ length: count }, (_, index) => {
    const way = resultBase + selectionWords + wayWords * index
    return {
      algorithm: algorithms[wayMethod(way)]!,
      inputs: wayInputs(way),
      bytes: Number(wayBytes(way)),
      fee: wayFee(way),
      change: wayChange(way),
      waste: wayWaste(way),
    }
  })
}

/** Refuses a selection if the caller's values differ from the index. */
function requireCurrent(
  coins: BigInt64Array,
  index: CoinIndex,
  picked: Uint32Array,
  sum: bigint,
): void {
  if (coins.length !== index.ids) {
    throw new AntaraError('stale_coin_index', {
      path: 'coins.values',
      expected: index.ids,
      actual: coins.length,
    })
  }
  let actual = 0n
  for (const id of picked) actual += coins[id]!
  if (actual === sum) return
  throw new AntaraError('stale_coin_index', { path: 'coins.values', expected: sum, actual })
}
