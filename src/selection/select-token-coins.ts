// Selects token coins and native coins for a token transfer, by the native core.

import { transactionBytesMax } from '../chain/limits.ts'
import { takeNumbers } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import {
  planStepAmount,
  planStepBytes,
  planStepFee,
  planStepSteps,
  planStepTokens,
  transferAvailable,
  transferBytes,
  transferChange,
  transferCoins,
  transferFailure,
  transferFee,
  transferSteps,
  transferTokenChange,
  transferTokens,
} from '../engine/records.ts'
import { errorsInTokens, planStepWords, resultBase, transferWords } from '../engine/words.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { requireObject } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import {
  type InputBytes,
  locateCoin,
  nativeInputBytes,
  readBytes,
  readInputBytes,
  requireValues,
  sizesOf,
  tokenInputBytes,
} from './coin-arrays.ts'
import {
  type CheckedTerms,
  checkTerms,
  feeOf,
  readLimit,
  requireAmount,
  type SelectionTerms,
  selectionMembers,
  termsWith,
} from './terms.ts'

/** The coins of one asset. */
export interface CoinArrays {
  /** Satoshis, or token units. */
  readonly values: BigInt64Array
  /** Bytes that spending each coin adds to the transaction; 148 if absent, 164 for tokens. */
  readonly inputBytes?: InputBytes
}

export interface TransferTerms extends SelectionTerms {
  /** Token units to send. */
  readonly amount: bigint
  /** Bytes of an output for token change. */
  readonly tokenChangeBytes: number
  readonly maxTokenInputs?: number
  /** Limit for the whole signed transaction; 200000 if absent, the largest that a block takes. */
  readonly maxBytes?: number
  /**
   * If there is token change anyway: how many of the smallest token coins to spend along. With a fee
   * by rate they are spent only if the transfer then costs no more.
   */
  readonly sweep?: number
}

const arraysMembers = memberNames<CoinArrays>({ values: true, inputBytes: true })
const termsMembers = memberNames<TransferTerms>({
  ...selectionMembers,
  amount: true,
  tokenChangeBytes: true,
  maxTokenInputs: true,
  sweep: true,
})

/** The selection among the coins of one asset. */
export interface PickedCoins {
  /** Positions in `values`, ascending. */
  readonly picked: Uint32Array
  readonly change: bigint
}

export interface SelectedTransfer {
  readonly ok: true
  readonly tokens: PickedCoins
  readonly coins: PickedCoins
  /** Satoshis. */
  readonly fee: bigint
  /** Bytes of the whole signed transaction. */
  readonly bytes: number
}

/** A transaction that merges token coins into one. */
export interface ConsolidationTransaction {
  /** Positions of the spent token coins. */
  readonly tokens: Uint32Array
  /** Positions of earlier transactions of the plan, whose merged coins it also spends. */
  readonly merged: readonly number[]
  /** Token units of the merged coin. */
  readonly amount: bigint
  /** Size with one native input; with none if there is no fee. */
  readonly bytes: number
  /** Satoshis. */
  readonly fee: bigint
}

/** Transactions to send first, in this order, so that the transfer becomes possible. */
export interface ConsolidationPlan {
  readonly transactions: readonly ConsolidationTransaction[]
  /** Satoshis for all of them, without the transfer's own fee. */
  readonly fee: bigint
}

export interface FailedTransfer {
  readonly ok: false
  /** `insufficient_tokens`, `insufficient_funds` or `selection_over_limits`. */
  readonly code: ErrorCode
  /**
   * All token units for `insufficient_tokens`, and for `insufficient_funds` the satoshis available
   * for the fee. For `selection_over_limits`, the token units that fit beside one native input. If
   * these reach the amount, the limits have no room for all native inputs, or none for change.
   */
  readonly available: bigint
  /**
   * Present if merging token coins first can make the transfer possible, and the native coins hold
   * the fees of the merges and of the transfer. The merges are not tried, so one that needs very many
   * small native coins may still exceed a limit.
   */
  readonly plan?: ConsolidationPlan
}

/**
 * Chooses token coins and native coins for one transfer together.
 *
 * Token coins that match the amount exactly save an output and avoid a fragment. With a fixed fee
 * they come first; with a fee by rate they are used if the whole transfer then costs less. Without
 * a match, the fewest bytes win, then the least change. If the transfer does not fit the limits,
 * the result has a plan, provided that the native coins hold all fees.
 *
 * @param tokens - token units, one unit being one satoshi of the output
 * @param coins - satoshis, to pay the fee
 * @returns positions of the coins; not being able to send is a result, with its code
 * @throws {AntaraError} as `selectCoins`
 * @see komodo src/cc/CCtokens.cpp, AddTokenCCInputs, which takes 60 at most and
 *   none that is smaller than a sixtieth of the amount
 * @example
 * const tokens = { values: BigInt64Array.of(60n, 40n, 100n) }
 * const coins = { values: BigInt64Array.of(50_000n) }
 * selectTokenCoins(tokens, coins, {
 *   amount: 100n, fixedFee: 10_000n, baseBytes: 214, tokenChangeBytes: 57, changeBytes: 44,
 *   changeSpendBytes: 114,
 * }).tokens.picked // Uint32Array [2]
 */
export function selectTokenCoins(
  tokens: CoinArrays,
  coins: CoinArrays,
  terms: TransferTerms,
): SelectedTransfer | FailedTransfer {
  requireObject(tokens, 'tokens')
  requireObject(coins, 'coins')
  requireObject(terms, 'terms')
  requireKnownMembers(tokens, arraysMembers, 'tokens')
  requireKnownMembers(coins, arraysMembers, 'coins')
  requireKnownMembers(terms, termsMembers, 'terms')
  requireValues(tokens.values, 'tokens.values')
  requireValues(coins.values, 'coins.values')
  const tokenBytes = bytesOf(tokens, 'tokens', tokenInputBytes)
  const coinBytes = bytesOf(coins, 'coins', nativeInputBytes)
  requireAmount(terms.amount, 'amount', 1n)
  const checked = checkTerms(
    { ...terms, maxBytes: terms.maxBytes ?? transactionBytesMax },
    undefined,
  )
  const own = {
    tokenChangeBytes: readBytes(terms.tokenChangeBytes, 'tokenChangeBytes'),
    tokenInputsMax: readLimit(terms.maxTokenInputs, 'maxTokenInputs'),
    sweep: terms.sweep === undefined ? 0 : readLimit(terms.sweep, 'sweep'),
  }
  const tokenSizes = sizesOf(tokenBytes)
  const coinSizes = sizesOf(coinBytes)
  engine.selectTransfer(
    tokens.values,
    tokenSizes.each,
    coins.values,
    coinSizes.each,
    checked.seed,
    {
      ...termsWith(checked, terms.amount, 0n, coinSizes.same),
      ...own,
      tokenInputBytes: tokenSizes.same,
    },
    (context, code, side) =>
      side === errorsInTokens
        ? locateCoin(context, code, tokens.values, tokenBytes, 'tokens.')
        : locateCoin(context, code, coins.values, coinBytes, 'coins.'),
  )
  const code = errorCodeOfNumber.get(transferFailure())
  if (code === undefined) return readTransfer()
  const { plan, ...failed } = readFailure(code)
  if (plan === undefined || !paysFor(plan, coins.values, coinBytes, checked)) return failed
  return { ...failed, plan }
}

/**
 * Returns whether the native coins hold the fees of a plan and of the transfer after it. Coins that
 * cost more than they bring do not count, because selections leave them alone.
 */
function paysFor(
  plan: ConsolidationPlan,
  coins: BigInt64Array,
  inputBytes: InputBytes,
  { fixedFee, feeRate, baseBytes, maxInputs }: CheckedTerms,
): boolean {
  // Each merge spends a token coin and a native coin at least.
  if (maxInputs < 2) return false
  const costOf = (bytes: number) => (fixedFee === undefined ? feeOf(feeRate, bytes) : 0n)
  let missing = plan.fee + (fixedFee ?? feeOf(feeRate, baseBytes))
  for (let at = 0; at < coins.length && missing > 0n; at += 1) {
    const bytes = typeof inputBytes === 'number' ? inputBytes : inputBytes[at]!
    if (coins[at]! > costOf(bytes)) missing -= coins[at]!
  }
  return missing <= 0n
}

function bytesOf(
  { values, inputBytes }: CoinArrays,
  path: string,
  unlessGiven: number,
): InputBytes {
  return readInputBytes(inputBytes, values, `${path}.inputBytes`, unlessGiven)
}

/** Reads the picked positions, part by part, from the engine's words. */
function pickedTaker(): (count: number) => Uint32Array {
  let word = resultBase + transferWords + planStepWords * transferSteps()
  return (count) => {
    word += count
    return takeNumbers(word - count, count)
  }
}

function readTransfer(): SelectedTransfer {
  const take = pickedTaker()
  return {
    ok: true,
    tokens: { picked: take(transferTokens()), change: transferTokenChange() },
    coins: { picked: take(transferCoins()), change: transferChange() },
    fee: transferFee(),
    bytes: Number(transferBytes()),
  }
}

function readFailure(code: ErrorCode): FailedTransfer {
  const available = transferAvailable()
  const transactions = readPlan()
  if (transactions.length === 0) return { ok: false, code, available }
  const fee = transactions.reduce((sum, it) => sum + it.fee, 0n)
  return { ok: false, code, available, plan: { transactions, fee } }
}

function readPlan(): ConsolidationTransaction[] {
  const take = pickedTaker()
  return Array.from({ length: transferSteps() }, (_, index) => {
    const step = resultBase + transferWords + planStepWords * index
    return {
      tokens: take(planStepTokens(step)),
      merged: [...take(planStepSteps(step))],
      amount: planStepAmount(step),
      bytes: Number(planStepBytes(step)),
      fee: planStepFee(step),
    }
  })
}
