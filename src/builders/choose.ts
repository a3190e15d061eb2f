// Chooses the coins of a transaction: native coins, and token coins with coins for the fee.

import { inputsMax, outputBytes, relayedBytesMax } from '../chain/limits.ts'
import { AntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import type { Spend } from '../request/common.ts'
import { pubkeyScript } from '../script/key-script.ts'
import { selectCoins } from '../selection/select-coins.ts'
import { type ConsolidationPlan, selectTokenCoins } from '../selection/select-token-coins.ts'
import type { SelectionTerms } from '../selection/terms.ts'
import type { TokenLayout } from '../token/payload/payload.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { Outpoint, TransactionOutput } from '../transaction/types.ts'
import {
  type CommonTerms,
  emptyTransaction,
  inputBytesMax,
  smallestChange,
  withNulldata,
} from './assemble.ts'
import { sumOf } from './coins.ts'
import type { SpentCoin } from './unsigned.ts'

/** The parts of a transaction besides inputs and change. */
export interface Purpose {
  readonly layout: TokenLayout
  readonly outputs: readonly TransactionOutput[]
  readonly nulldata: string
  readonly changeKey: string
}

/** Token coins and native coins for one transfer. */
export interface ChosenCoins {
  readonly tokens: readonly SpentCoin[]
  readonly native: readonly SpentCoin[]
}

/**
 * Chooses coins for a payment of `amount` and the fee. If limits do not allow the payment,
 * `assemble` throws the error that names the limit.
 *
 * @throws {AntaraError} `insufficient_coins`
 */
export function chooseNative(
  coins: readonly SpentCoin[],
  amount: bigint,
  purpose: Purpose,
  terms: CommonTerms,
  spend: Spend = 'selected',
): readonly SpentCoin[] {
  const needed = inOrder(coins, amount + terms.fee, spend)
  if (spend !== 'selected') return needed
  // No coins can reach such an amount, so selection would be in vain.
  if (sumOf(coins) < amount + terms.fee) {
    throw refusal('insufficient_funds', 'coins', amount + terms.fee, coins)
  }
  const offered = spendable(coins)
  const selection = selectCoins(arraysOf(offered), {
    target: amount,
    ...selectionTerms(purpose, terms),
  })
  return selection.ok ? pickedOf(coins, offered, selection.picked) : needed
}

/** Native coins for the fee alone. */
export function chooseForFee(
  coins: readonly SpentCoin[],
  purpose: Purpose,
  terms: CommonTerms,
  spend?: Spend,
): readonly SpentCoin[] {
  // a selection is for an amount: a satoshi of the fee
  const less = { ...terms, fee: terms.fee > 0n ? terms.fee - 1n : 0n }
  return chooseNative(coins, 1n, purpose, less, spend)
}

/**
 * Token coins and native coins, chosen together; limits as for `chooseNative`.
 *
 * @throws {AntaraError} `insufficient_tokens`, `insufficient_coins`
 */
export function chooseForTransfer(
  offered: ChosenCoins,
  amount: bigint,
  purpose: Purpose,
  terms: CommonTerms,
  spend: Spend | undefined,
): ChosenCoins {
  const tokens = inOrder(offered.tokens, amount, spend)
  const native = inOrder(offered.native, terms.fee, spend)
  if (sumOf(tokens) < amount) throw refusal('insufficient_tokens', 'tokenCoins', amount, tokens)
  if (sumOf(native) < terms.fee) throw refusal('insufficient_funds', 'coins', terms.fee, native)
  const areSpared = tokens.length < offered.tokens.length || native.length < offered.native.length
  if (spend === 'selected' || (spend === undefined && areSpared)) {
    const selection = selectForTransfer(offered, amount, purpose, terms)
    if (selection.ok) return selection.chosen
  }
  return { tokens, native }
}

/** The error that a selection that failed becomes in a request. */
export function selectionError(
  { code, available }: Refused,
  { tokens, native }: ChosenCoins,
  amount: bigint,
  { fee }: CommonTerms,
): AntaraError {
  if (code === 'insufficient_funds') return refusal(code, 'coins', fee, native)
  if (available >= amount) {
    const expected = `a fee of ${fee} from fewer coins`
    return new AntaraError(code, { path: 'coins', expected, actual: `${native.length} coins` })
  }
  return refusal(code, 'tokenCoins', amount, tokens, available)
}

/** A transfer to yourself that turns many token coins into one. */
export interface TokenMerge {
  readonly tokenCoins: readonly Outpoint[]
  /** Merges of the plan, by position, whose coin is merged again. */
  readonly merged: readonly number[]
  /** Token units. */
  readonly amount: bigint
  readonly bytes: number
  /** Satoshis. */
  readonly fee: bigint
}

interface Refused {
  readonly ok: false
  /** `insufficient_funds`, `insufficient_tokens` or `selection_over_limits`. */
  readonly code: ErrorCode
  readonly available: bigint
  readonly merges: readonly TokenMerge[]
}

/** @param maxTokenInputs - as many as a transaction holds if absent */
export function selectForTransfer(
  offered: ChosenCoins,
  amount: bigint,
  purpose: Purpose,
  terms: CommonTerms,
  maxTokenInputs?: number,
): { readonly ok: true; readonly chosen: ChosenCoins } | Refused {
  const tokens = spendable(offered.tokens)
  const native = spendable(offered.native)
  const ownScript = tokens[0]?.script ?? ''
  const selection = selectTokenCoins(arraysOf(tokens), arraysOf(native), {
    amount,
    tokenChangeBytes: outputBytes(ownScript),
    ...selectionTerms(purpose, terms),
    ...(maxTokenInputs !== undefined && { maxTokenInputs }),
  })
  if (!selection.ok) {
    const { code, available, plan } = selection
    return { ok: false, code, available, merges: mergesOf(plan, tokens) }
  }
  const chosen = {
    tokens: pickedOf(offered.tokens, tokens, selection.tokens.picked),
    native: pickedOf(offered.native, native, selection.coins.picked),
  }
  return { ok: true, chosen }
}

function mergesOf(plan: ConsolidationPlan | undefined, tokens: readonly SpentCoin[]): TokenMerge[] {
  return (plan?.transactions ?? []).map(({ tokens: picked, ...rest }) => ({
    ...rest,
    tokenCoins: [...picked].map((at) => ({ txid: tokens[at]!.txid, vout: tokens[at]!.vout })),
  }))
}

function refusal(
  code: ErrorCode,
  path: string,
  expected: bigint,
  coins: readonly SpentCoin[],
  available: bigint = sumOf(coins),
): AntaraError {
  const named = code === 'insufficient_funds' ? 'insufficient_coins' : code
  return new AntaraError(named, { path, expected, actual: available })
}

/**
 * By txid and vout, so that the same coins are chosen in whatever order they are given.
 * An output may hold nothing; nothing is gained by spending it.
 */
function spendable(coins: readonly SpentCoin[]): readonly SpentCoin[] {
  const key = ({ txid, vout }: SpentCoin) => `${txid}:${vout.toString().padStart(10, '0')}`
  return coins
    .filter(({ value }) => value > 0n)
    .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}

/** Returns the picked coins of `sorted`, in the order in which they were given. */
function pickedOf(
  given: readonly SpentCoin[],
  sorted: readonly SpentCoin[],
  picked: Uint32Array,
): readonly SpentCoin[] {
  const chosen = new Set([...picked].map((at) => sorted[at]!))
  return given.filter((coin) => chosen.has(coin))
}

function arraysOf(coins: readonly SpentCoin[]) {
  return {
    values: BigInt64Array.from(coins, ({ value }) => value),
    inputBytes: Uint32Array.from(coins, inputBytesMax),
  }
}

function selectionTerms(
  { outputs, nulldata, changeKey }: Purpose,
  terms: CommonTerms,
): Omit<SelectionTerms, 'target'> {
  const script = pubkeyScript(changeKey)
  const empty = encodeTransaction({
    ...emptyTransaction(terms),
    outputs: withNulldata(outputs, nulldata),
  })
  // the counts of inputs and outputs may take two bytes more each
  const baseBytes = empty.length / 2 + 4
  return {
    fixedFee: terms.fee,
    baseBytes,
    changeBytes: outputBytes(script),
    changeSpendBytes: 0,
    dust: smallestChange(script, terms),
    maxInputs: inputsMax,
    maxBytes: relayedBytesMax(terms.fee),
  }
}

/** All coins, or as komodod the first ones, in the order given, that reach `amount`. */
export function inOrder(
  coins: readonly SpentCoin[],
  amount: bigint,
  spend: Spend | undefined,
): readonly SpentCoin[] {
  if (spend === 'all') return coins
  let sum = 0n
  let count = 0
  while (sum < amount && count < coins.length) {
    sum += coins[count]!.value
    count += 1
  }
  return coins.slice(0, count)
}
