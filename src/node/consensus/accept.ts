// AcceptToMemoryPool: every check, in the daemon's order.

import { absurdFee, transactionValueMax } from '../../chain/limits.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { isHex } from '../../primitives/hex-forms.ts'
import { leadingTransaction } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'
import { medianTime } from '../state/block.ts'
import { lookUp } from '../state/ordered-map.ts'
import {
  isCoinbase,
  type StoredTransaction,
  storedTransaction,
} from '../state/stored-transaction.ts'
import type { Coin } from '../state/tables.ts'
import {
  findCoin,
  finderOf,
  hasCoins,
  isOwnTransaction,
  isSpentInMempool,
  type NodeState,
  outputAt,
  type Setting,
  type View,
  waitingBelow,
} from '../state/view.ts'
import { checkAtHeight, checkTransaction, isFinal, valueOut } from './check-transaction.ts'
import { checkConditions, type Modules } from './conditions.ts'
import { checkSignatures } from './scripts.ts'
import { checkInputsStandard, checkSigops, checkStandard } from './standard.ts'
import { checkTokelConditions } from './tokel-conditions.ts'
import { type Refused, rejected, unverifiable } from './verdict.ts'

export interface Rules extends Setting {
  readonly modules: Modules
}

/** A state, and the rules by which it takes transactions. */
type RulesView = View & { readonly rules: Rules }

export interface Accepted {
  readonly ok: true
  readonly transaction: StoredTransaction
  /** Satoshis. */
  readonly fee: bigint
  /** It waits for a block already. */
  readonly isKnown: boolean
}

export interface AcceptOptions {
  readonly allowHighFees?: boolean
}

const notDecoded: Refused = { ok: false, code: -22, message: 'TX decode failed' }

/** The transaction that hex begins with; the daemon ignores what comes after it. */
export function readTransaction(hex: string): StoredTransaction | undefined {
  if (!isHex(hex)) return undefined
  return unlessMalformed(() => storedTransaction(leadingTransaction(hex) as string))
}

/**
 * Tells whether a transaction may wait for the next block.
 *
 * @see komodo src/rpc/rawtransaction.cpp, sendrawtransaction; src/main.cpp,
 *   AcceptToMemoryPool
 */
export function admit(
  hex: string,
  view: RulesView,
  options: AcceptOptions = {},
): Accepted | Refused {
  const { state } = view
  const stored = readTransaction(hex)
  if (stored === undefined) return notDecoded
  const pooled = lookUp(state.mempool.transactions, stored.txid)
  if (pooled !== undefined) {
    return { ok: true, transaction: pooled, fee: pooled.fee, isKnown: true }
  }
  if (waitingBelow(state, stored.txid) !== undefined) {
    return { ok: true, transaction: stored, fee: feeBelow(stored, view), isKnown: true }
  }
  if (hasCoins(state, stored.txid)) {
    return { ok: false, code: -27, message: 'transaction already in block chain' }
  }
  return admitStored(stored, view, options)
}

/** Satoshis that a transaction of the daemon's mempool leaves, by the outputs that it spends. */
function feeBelow({ transaction }: StoredTransaction, view: View): bigint {
  const spent = transaction.inputs.map((input) => outputAt(view, input)?.value ?? 0n)
  return spent.reduce((sum, value) => sum + value, 0n) - valueOut(transaction)
}

/** Does what `admit` does with a transaction that neither waits nor is in a block. */
export function admitStored(
  stored: StoredTransaction,
  view: RulesView,
  options: AcceptOptions = {},
): Accepted | Refused {
  const { state, rules } = view
  const { transaction } = stored
  const { tip } = state.chain
  const { scripts, network } = rules
  const height = tip.height + 1
  const refused =
    checkTransaction(stored, network.maxMoney) ??
    checkAtHeight(stored, height) ??
    (isCoinbase(transaction) ? rejected('invalid', 'coinbase') : undefined) ??
    checkStandard(transaction, rules) ??
    (isFinal(transaction, height, medianTime(tip))
      ? undefined
      : rejected('nonstandard', 'non-final')) ??
    expectBelow(transaction, state) ??
    checkConflicts(stored, state)
  if (refused !== undefined) return refused
  const coins = coinsOf(stored, state)
  if ('ok' in coins) return coins
  const fee = coins.reduce((sum, { value }) => sum + value, 0n) - valueOut(transaction)
  return (
    checkInputsStandard(transaction, coins, rules) ??
    checkSigops(transaction, coins, scripts) ??
    checkTotal(transaction) ??
    (options.allowHighFees ? undefined : checkFee(stored, fee)) ??
    checkValues(coins, fee, view) ??
    checkSignatures(stored, coins, network) ??
    checkModules(stored, view) ?? {
      ok: true,
      transaction: stored,
      fee,
      isKnown: false,
    }
  )
}

function checkModules(stored: StoredTransaction, view: RulesView): Refused | undefined {
  const { state, rules } = view
  const find = finderOf(view)
  return rules.network.conditions === 'tokel'
    ? checkTokelConditions(stored, { find, height: state.chain.tip.height + 1 })
    : checkConditions(stored, rules.modules, find)
}

/** Fetches all that a forked node lacks of the spent outputs at once, rather than one by one. */
function expectBelow({ inputs }: Transaction, state: NodeState): undefined {
  const { base } = state.chain
  base?.expect(inputs.filter(({ txid }) => !isOwnTransaction(state, txid)))
}

function checkConflicts(
  { txid, transaction }: StoredTransaction,
  state: NodeState,
): Refused | undefined {
  const isConflict = transaction.inputs.some((input) =>
    isSpentInMempool(state, input.txid, input.vout),
  )
  if (isConflict) return rejected('invalid', 'mempool conflict')
  return hasCoins(state, txid) ? rejected('duplicate', 'already have coins') : undefined
}

/** Returns the prevouts. An unknown or wholly spent parent is another fault than a spent output. */
function coinsOf({ transaction }: StoredTransaction, state: NodeState): Coin[] | Refused {
  const isMissing = transaction.inputs.some(
    ({ txid }) =>
      lookUp(state.mempool.transactions, txid) === undefined &&
      waitingBelow(state, txid) === undefined &&
      !hasCoins(state, txid),
  )
  if (isMissing) return unverifiable('Missing inputs')
  const coins: Coin[] = []
  for (const { txid, vout } of transaction.inputs) {
    const coin = findCoin(state, txid, vout)
    if (coin === undefined) return rejected('duplicate', 'bad-txns-inputs-spent')
    coins.push(coin)
  }
  return coins
}

/** Satoshis that a waiting transaction may pay: a reward and fees more than one in a block. */
const totalMax = transactionValueMax + 777_777n * 100_000_000n

/** @see komodo src/main.cpp, AcceptToMemoryPool; src/komodo_defs.h, KOMODO_VALUETOOBIG */
function checkTotal(transaction: Transaction): Refused | undefined {
  const isTooMuch = valueOut(transaction) > totalMax
  return isTooMuch ? rejected('invalid', 'tx valueout is too big') : undefined
}

/** @see komodo src/main.cpp, AcceptToMemoryPool, fRejectAbsurdFee */
function checkFee(
  { txid, transaction, size }: StoredTransaction,
  fee: bigint,
): Refused | undefined {
  if (fee <= absurdFee(size, valueOut(transaction))) return undefined
  const limit = absurdFee(size, 0n)
  return unverifiable(`AcceptToMemoryPool: absurdly high fees ${txid}, ${fee} > ${limit}`)
}

/** @see komodo src/main.cpp, Consensus::CheckTxInputs */
function checkValues(
  coins: readonly Coin[],
  fee: bigint,
  { state, rules }: RulesView,
): Refused | undefined {
  const height = state.chain.tip.height + 1
  const { maturity } = rules.profile
  const { maxMoney } = rules.network
  let total = 0n
  for (const coin of coins) {
    if (coin.coinbase && height - coin.height < maturity) {
      return rejected('invalid', 'bad-txns-premature-spend-of-coinbase')
    }
    total += coin.value
    if (total > maxMoney) return rejected('invalid', 'bad-txns-inputvalues-outofrange')
  }
  return fee < 0n ? rejected('invalid', 'bad-txns-in-belowout') : undefined
}
