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
import { requireObject } from '../primitives/misuse.ts'
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
import { checkTerms, readLimit, requireAmount, type SelectionTerms, termsWith } from './terms.ts'

/** Coins of one asset. */
export interface CoinArrays {
  /** Satoshis, or token units. */
  readonly values: BigInt64Array
  /** What spending each coin adds to the transaction; 148 if absent, 164 for tokens. */
  readonly inputBytes?: InputBytes
}

export interface TransferTerms extends SelectionTerms {
  /** Token units to send. */
  readonly amount: bigint
  /** What an output for token change adds. */
  readonly tokenChangeBytes: number
  readonly maxTokenInputs?: number
  /** Of the whole transaction, signed; 200000 if absent, the largest that a block takes. */
  readonly maxBytes?: number
  /** Where there is token change in any case: how many of the smallest token coins go along. */
  readonly sweep?: number
}

/** What becomes of the coins of one asset. */
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
  /** Of the whole transaction, signed. */
  readonly bytes: number
}

/** A transaction that merges token coins into one. */
export interface ConsolidationTransaction {
  /** Positions of the token coins that it spends. */
  readonly tokens: Uint32Array
  /** Transactions of the plan, by position, whose merged coins it spends as well. */
  readonly merged: readonly number[]
  /** Token units that it brings together. */
  readonly amount: bigint
  /** Size with one native input. */
  readonly bytes: number
  /** Satoshis. */
  readonly fee: bigint
}

/** What to send first, in this order, so that a transfer can be made. */
export interface ConsolidationPlan {
  readonly transactions: readonly ConsolidationTransaction[]
  /** Satoshis for all of them; the transfer's own fee comes on top. */
  readonly fee: bigint
}

export interface FailedTransfer {
  readonly ok: false
  /** `insufficient_tokens`, `insufficient_funds` or `selection_over_limits`. */
  readonly code: ErrorCode
  /** Token units that one transaction can send; for `insufficient_funds`, satoshis for the fee. */
  readonly available: bigint
  /** Where merging token coins first makes the transfer possible. */
  readonly plan?: ConsolidationPlan
}

/** komodo src/consensus/consensus.h, MAX_TX_SIZE_AFTER_SAPLING. */
const transactionBytesMax = 200_000

/**
 * Chooses token coins and native coins for one transfer together.
 *
 * Token coins that match the amount exactly save an output and a fragment, so with a fixed fee
 * they come first; with a fee by rate they are taken if the whole transfer then costs less.
 * Otherwise as few bytes as will do, and of those the least change. Any number of coins is spent
 * that fits the limits; what fits no transaction is planned for.
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
  requireValues(tokens.values, 'tokens.values')
  requireValues(coins.values, 'coins.values')
  const tokenBytes = bytesOf(tokens, 'tokens', tokenInputBytes)
  const coinBytes = bytesOf(coins, 'coins', nativeInputBytes)
  requireAmount(terms.amount, 'amount', 1n)
  const checked = checkTerms({ maxBytes: transactionBytesMax, ...terms }, undefined)
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
  return code === undefined ? readTransfer() : readFailure(code)
}

function bytesOf(
  { values, inputBytes }: CoinArrays,
  path: string,
  unlessGiven: number,
): InputBytes {
  return readInputBytes(inputBytes, values, `${path}.inputBytes`, unlessGiven)
}

/** Takes what was picked, part by part, from where it starts in the engine's words. */
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
