// Assembles a payment in plain coins: selects coins, computes the fee, and makes the outputs.

import {
  absurdFee,
  dustOfScript,
  feeAtRate,
  finalSequence,
  inputsMax,
  lockedSequence,
  lockTimeThreshold,
  outputBytes,
  sigopsMax,
  transactionBytesMax,
  unsignedInputBytes,
} from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import { accruedReward, mayAccrue, rewardContradiction } from '../chain/reward.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { compactSizeBytes } from '../primitives/wire.ts'
import { withLowerCaseHeights } from '../request/heights.ts'
import type { Payee, PaymentRequest, SpendingRequest } from '../request/payment.ts'
import type { ReadyPayee } from '../request/payment-problems.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { scriptSigBytesMax } from '../script/script-sig-bytes.ts'
import { sigopsOf } from '../script/sigops.ts'
import { templateOf } from '../script/template.ts'
import { selectCoins } from '../selection/select-coins.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import { emptyTransaction, requireRelayable } from './assemble.ts'
import { type CoinSources, readCoins, readSources, sumOf } from './coins.ts'
import { type LeftOutCoin, requireModestFee } from './economy.ts'
import { requireNone, type Terms } from './payment-request.ts'
import type { SpentCoin, UnsignedPayment } from './unsigned.ts'
import { withEvidence } from './unsigned.ts'

/** A coin with what it brings and takes. */
interface OfferedCoin extends SpentCoin {
  /** Satoshis: its value, and the reward that it has accrued. */
  readonly worth: bigint
  /** The most that a signed input takes. */
  readonly bytes: number
}

export function offeredCoins(given: SpendingRequest, terms: Terms): OfferedCoin[] {
  const request = withLowerCaseHeights(given)
  const sources = readSources(request.previousTransactions)
  return readCoins(request.coins, 'native', sources, 'coins').map((coin, at) => {
    const path = `coins[${at}]`
    const { script, value } = coin
    if (!terms.ownership.has(script)) {
      throw new AntaraError('foreign_coin', { path, expected: terms.changeScript, actual: script })
    }
    const bytes = scriptSigBytesMax(script, terms.ownership.redeemScriptOf.get(script))
    if (bytes === undefined) throw new AntaraError('redeem_script_missing', { path })
    const worth = value + rewardOf(coin, request, sources, terms.network)
    return { ...coin, worth, bytes: unsignedInputBytes + bytes }
  })
}

/**
 * Returns the terms with change to the script of all coins, if it lists several keys. The change
 * would otherwise belong to the first own key alone.
 */
export function withSharedChange(terms: Terms, offered: readonly OfferedCoin[]): Terms {
  const [script, ...others] = new Set(offered.map((coin) => coin.script))
  if (script === undefined || others.length > 0) return terms
  const template = templateOf(terms.ownership.redeemScriptOf.get(script) ?? script)
  if (template.type !== 'multisig' || template.keys.length === 1) return terms
  return { ...terms, changeScript: script }
}

function rewardOf(
  { txid, value }: SpentCoin,
  { heights = {}, tipTime, tipHeight }: SpendingRequest,
  sources: CoinSources,
  network: Network,
): bigint {
  if (rewardsOf(network) !== 'komodo') return 0n
  const height = Object.hasOwn(heights, txid) ? heights[txid]! : 0
  const { lockTime } = sources.get(txid)!
  if (!mayAccrue(value, lockTime)) return 0n
  requireNone(rewardContradiction({ txid, height, lockTime }, { tipTime, tipHeight }))
  if (tipTime === undefined) return 0n
  return accruedReward({ value, height, lockTime }, tipTime)
}

interface Draft {
  readonly payees: readonly ReadyPayee[]
  readonly nulldata?: string | undefined
}

/** The sum that is paid without change; a payee of all that is left does not count yet. */
function paidOutputs({ payees, nulldata }: Draft): TransactionOutput[] {
  const paid = payees.map(({ script, value = 0n }) => ({ script, value }))
  return nulldata === undefined ? paid : [...paid, { script: nulldata, value: 0n }]
}

/** Returns the bytes of everything but inputs and change. The count of inputs takes one byte. */
function baseBytesOf(draft: Draft, terms: Terms): number {
  return encodeTransaction({ ...empty(terms), outputs: paidOutputs(draft) }).length / 2
}

function empty({ expiryHeight, lockTime }: Terms) {
  return { ...emptyTransaction({ expiryHeight }), lockTime }
}

export function selected(
  offered: readonly OfferedCoin[],
  draft: Draft,
  terms: Terms,
): OfferedCoin[] {
  const { fee, rate, changeScript } = terms
  const target = sumOf(paidOutputs(draft))
  const available = offered.reduce((sum, { worth }) => sum + worth, 0n)
  const expected = target + (fee ?? 0n)
  if (available < expected) {
    throw new AntaraError('insufficient_coins', { path: 'coins', expected, actual: available })
  }
  const useful = offered.filter(({ worth }) => worth > 0n)
  const selection = selectCoins(
    {
      values: BigInt64Array.from(useful, ({ worth }) => worth),
      inputBytes: Uint32Array.from(useful, ({ bytes }) => bytes),
    },
    {
      target,
      // With a long-term rate of 0, the waste of a choice is its fee. A long-term rate above the fee
      // rate would spend coins that the payment does not need.
      ...(fee === undefined ? { feeRate: Number(rate), longTermFeeRate: 0 } : { fixedFee: fee }),
      // the counts of inputs and outputs may take two bytes more each
      baseBytes: baseBytesOf(draft, terms) + 4,
      changeBytes: outputBytes(changeScript),
      changeSpendBytes: 0,
      dust: dustOfScript(changeScript),
      maxInputs: inputsMax,
      maxBytes: transactionBytesMax,
    },
  )
  // With all coins, the error names why they are too many or too few.
  return selection.ok ? [...selection.picked].map((at) => useful[at]!) : useful
}

export function assembled(
  request: SpendingRequest & Pick<PaymentRequest, 'nulldata'>,
  terms: Terms,
  {
    coins,
    leftOut,
    isMerged = false,
    ...draft
  }: Draft & {
    readonly coins: readonly OfferedCoin[]
    readonly leftOut: readonly LeftOutCoin[]
    /** True if the coins are merged for the wallet, which pays nobody. */
    readonly isMerged?: boolean
  },
): UnsignedPayment {
  const { network, maxFee, own } = terms
  if (coins.length > inputsMax) {
    throw new AntaraError('input_count', { expected: inputsMax, actual: coins.length })
  }
  const spent = coins.reduce((sum, { worth }) => sum + worth, 0n)
  const bytes =
    baseBytesOf(draft, terms) +
    compactSizeBytes(coins.length) -
    1 +
    coins.reduce((sum, coin) => sum + coin.bytes, 0)
  const { outputs, fee, recipients, change } = settled(spent, bytes, draft, terms)
  const back = isMerged ? sumOf(outputs) : change
  if (back !== undefined) requireSpendable(back, terms, coins)
  const inputs = coins.map(({ txid, vout }) => ({
    txid,
    vout,
    scriptSig: '',
    sequence: sequenceOf(terms, request),
  }))
  const hex = encodeTransaction({ ...empty(terms), inputs, outputs })
  const signedBytes =
    hex.length / 2 + coins.reduce((sum, coin) => sum + coin.bytes - unsignedInputBytes, 0)
  const most = maxFee ?? absurdFee(signedBytes, sumOf(outputs))
  if (fee > most) {
    throw new AntaraError('fee_over_limit', { path: 'fee', expected: most, actual: fee })
  }
  const isAll = draft.payees.some(({ value }) => value === undefined)
  // the amount of such a payment follows from the fee
  if (isAll && (isMerged || terms.rate !== undefined) && request.maxFee === undefined)
    requireModestFee(fee, spent)
  requireRelayable(signedBytes, fee)
  requireRelayedSigops(outputs, coins, terms)
  const { redeemScripts, nulldata, tipHeight, tipTime, medianTime, heights } = request
  return withEvidence({
    operation: 'payment',
    intent: {
      recipients,
      own,
      ...(redeemScripts !== undefined && { redeemScripts }),
      ...(nulldata !== undefined && { nulldata }),
      lockTime: terms.lockTime,
      expiryHeight: terms.expiryHeight,
      network,
      fee,
      maxFee: fee,
      spendable: coins.map(({ txid, vout }) => ({ txid, vout })),
    },
    hex,
    previousTransactions: request.previousTransactions.map((it) => it.toLowerCase()),
    ...(tipHeight !== undefined && { tipHeight }),
    ...(tipTime !== undefined && { tipTime }),
    ...(medianTime !== undefined && { medianTime }),
    ...(heights !== undefined && { heights }),
    coins: coins.map(({ worth: _, bytes: __, ...coin }) => coin),
    ...(leftOut.length > 0 && { leftOut }),
    fee,
  })
}

/** @throws {AntaraError} `size_out_of_range` for more payees than nodes relay in one transaction */
function requireRelayedSigops(
  outputs: readonly TransactionOutput[],
  coins: readonly SpentCoin[],
  { ownership: { redeemScriptOf } }: Terms,
): void {
  const paid = outputs.reduce((sum, { script }) => sum + sigopsOf(script, false), 0)
  const spent = coins.reduce(
    (sum, { script }) => sum + sigopsOf(redeemScriptOf.get(script) ?? '', true),
    0,
  )
  if (paid + spent <= sigopsMax) return
  throw new AntaraError('size_out_of_range', {
    path: 'recipients',
    expected: `at most ${sigopsMax} signature checks, of which each output to a key has one`,
    actual: paid + spent,
  })
}

/**
 * A lock time is in force only where an input is not final; one that has passed needs none.
 *
 * @see komodo src/main.cpp, IsFinalTx; src/rpc/rawtransaction.cpp, createrawtransaction
 */
function sequenceOf(
  { lockTime }: Terms,
  { tipHeight, tipTime }: Pick<SpendingRequest, 'tipHeight' | 'tipTime'>,
): number {
  const tip = lockTime < lockTimeThreshold ? (tipHeight ?? 0) : (tipTime ?? 0)
  return lockTime > tip ? lockedSequence : finalSequence
}

interface Settled {
  readonly outputs: readonly TransactionOutput[]
  readonly recipients: readonly Payee[]
  /** Satoshis, with what is too little to be change. */
  readonly fee: bigint
  /** Satoshis that come back; absent where nothing does. */
  readonly change?: bigint
}

/** Returns the outputs, once the inputs and the size are known. */
function settled(spent: bigint, bytes: number, draft: Draft, terms: Terms): Settled {
  const { changeScript } = terms
  const paid = sumOf(paidOutputs(draft))
  const rest = spent - paid
  const feeFor = (size: number) => terms.fee ?? feeAtRate(size, terms.rate!)
  const fee = feeFor(bytes)
  const taker = draft.payees.find(({ value }) => value === undefined)
  requireWorth(spent, paid + fee + (taker === undefined ? 0n : dustOfScript(taker.script)))
  const payees = draft.payees.map(({ script, value = rest - fee }) => ({ script, value }))
  const outputs = paidOutputs({ ...draft, payees })
  const recipients = payees.map(({ script, value }) => ({ script, amount: value }))
  if (taker !== undefined) return { outputs, recipients, fee }
  const further = compactSizeBytes(outputs.length + 1) - compactSizeBytes(outputs.length)
  const change = rest - feeFor(bytes + outputBytes(changeScript) + further)
  if (change < dustOfScript(changeScript)) return { outputs, recipients, fee: rest }
  const withChange = [...outputs, { script: changeScript, value: change }]
  return { outputs: withChange, recipients, fee: rest - change, change }
}

/**
 * Change may go only where the own keys alone can spend it now, or back to the script that it is
 * from.
 *
 * @throws {AntaraError} `redeem_script_missing`, `unsupported_script`
 */
function requireSpendable(
  value: bigint,
  { changeScript, changePath, ownership }: Terms,
  coins: readonly OfferedCoin[],
): void {
  const why = ownership.whyLocked(changeScript)
  if (why === undefined) return
  const same = coins.filter(({ script }) => script === changeScript)
  if (same.length === coins.length || value <= sumOf(same)) return
  const isHash = addressedScript(changeScript)?.type === 'scripthash'
  const isOpaque = isHash && !ownership.redeemScriptOf.has(changeScript)
  throw new AntaraError(isOpaque ? 'redeem_script_missing' : 'unsupported_script', {
    path: changePath,
    expected: 'a script that own keys alone can spend now, for change',
    actual: why,
  })
}

function requireWorth(actual: bigint, expected: bigint): void {
  if (actual >= expected) return
  throw new AntaraError('insufficient_coins', { path: 'coins', expected, actual })
}
