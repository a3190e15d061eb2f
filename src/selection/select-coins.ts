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
import { requireObject } from '../primitives/misuse.ts'
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
  termsWith,
} from './terms.ts'

/** Coins to select among: arrays, an index made of them, or both. */
export interface Coins {
  /** Satoshis. With an index, the value of each id; a selection is then compared with them. */
  readonly values?: BigInt64Array
  /** What spending each coin adds to the transaction; 148 if absent. An index has its own. */
  readonly inputBytes?: InputBytes
  /** Spares sorting them anew. */
  readonly index?: CoinIndex
}

export interface PaymentTerms extends SelectionTerms {
  /** What is to be paid, in satoshis, without the fee. */
  readonly target: bigint
  /**
   * Satoshis per 1000 bytes that a byte is expected to cost later: below it, spending more coins
   * than necessary saves fees. 10000 if absent, as in Bitcoin Core; with a fixed fee, the fee rate.
   */
  readonly longTermFeeRate?: number
}

/** How a selection was found; docs/selection.md tells what each does. */
export type SelectionAlgorithm =
  | 'branch-and-bound'
  | 'exact-sum'
  | 'coin-grinder'
  | 'least-change'
  | 'consolidation'
  | 'random-draw'
  | 'largest-first'

/** native/core/select/select_coins.h, Method. */
const algorithms: readonly SelectionAlgorithm[] = [
  'branch-and-bound',
  'exact-sum',
  'coin-grinder',
  'least-change',
  'consolidation',
  'random-draw',
  'largest-first',
]

/** One way to pay. */
export interface Alternative {
  readonly algorithm: SelectionAlgorithm
  readonly inputs: number
  /** Of the whole transaction, signed. */
  readonly bytes: number
  /** Satoshis; with what is too little to be change. */
  readonly fee: bigint
  /** Satoshis; 0n for none. */
  readonly change: bigint
  /** Satoshis, as Bitcoin Core counts it: negative where spending coins now saves fees later. */
  readonly waste: bigint
}

export interface SelectedCoins extends Alternative {
  readonly ok: true
  /** Positions in `values`, or ids of the index, ascending. */
  readonly picked: Uint32Array
  /** What it was compared with, least waste first; it is the first itself. */
  readonly alternatives: readonly Alternative[]
}

export interface FailedSelection {
  readonly ok: false
  /** `insufficient_funds`, or `selection_over_limits` if only `maxInputs` or `maxBytes` forbids it. */
  readonly code: ErrorCode
  /** Satoshis that could be brought together. */
  readonly available: bigint
}

/**
 * Chooses the coins that pay for something with the least waste.
 *
 * Waste is Bitcoin Core's: what the inputs cost above the long-term rate, plus what change costs
 * to make and spend or, without change, what is paid too much. Among equals, fewer bytes win. Up
 * to 16 coins no choice wastes less. The result depends on values, sizes, terms and seed, not on
 * the order of the coins. Coins that cost more than they bring are left alone.
 *
 * @param coins - satoshis, and bytes per input
 * @param terms - satoshis, and satoshis per 1000 bytes
 * @returns positions of the coins and what becomes of them; not being able to pay is a result,
 *   with its code, not an exception
 * @throws {AntaraError} `coin_value_out_of_range` for a value that is not from 1 to 2^62,
 *   `coin_sum_out_of_range`, `input_bytes_out_of_range`, `fee_rate_out_of_range`,
 *   `payment_out_of_range`, `number_out_of_range`; `path` names what it is about.
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

/** Nothing is picked by values that the caller's coins no longer have. */
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
