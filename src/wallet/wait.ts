// Waits until a transaction is deep enough, or can no longer be mined.

import type { ChainOptions } from '../chain-source/source.ts'
import { argumentError, requireUint32 } from '../primitives/arguments.ts'
import { isRpcError } from '../rpc/errors.ts'
import { mayPass } from '../rpc/retry.ts'
import { isMalleatedCopy } from '../transaction/malleated-copy.ts'
import type { Transaction } from '../transaction/types.ts'
import { pause } from './aborting.ts'
import { heightsOf, type Look, type Looks, spenderInBlock } from './looks.ts'
import { readTxid, requireReadOptions } from './options.ts'
import { believedPlace, possiblePlace } from './places.ts'
import { historyOfTransaction, type TransactionHistory } from './transaction-history.ts'
import type { KnownTransactions } from './transactions.ts'
import type { ViewContext } from './view.ts'

export interface WaitOptions extends ChainOptions {
  /** Blocks with the transaction and above it. Default 1. */
  readonly confirmations?: number
  /** Milliseconds between two looks at the chain. Default 5000. */
  readonly pollMs?: number
}

export interface Confirmed {
  readonly txid: string
  /** As the chain source reports it. */
  readonly height: number
  readonly confirmations: number
}

/**
 * Thrown instead of a wait that would be in vain. As far as the source and the wallet's keys show,
 * the transaction can no longer be mined, was not sent, or is not what was requested.
 *
 * - `expired`     the source reports a last block at its expiry height or above
 * - `conflicted`  a transaction in a block spends one of its coins
 * - `not-sent`    nothing was sent: the payment was held or rejected
 * - `unverified`  it may have been sent before, and is not what was requested, as far as the keys of
 *                 the wallet show. Or it is past its expiry height, and no history that the source
 *                 gives would show a block that has it.
 */
export class NotMined extends Error {
  override readonly name = 'NotMined'
  readonly reason: 'expired' | 'conflicted' | 'not-sent' | 'unverified'
  /** Empty if nothing was sent. */
  readonly txid: string
  constructor(reason: NotMined['reason'], txid: string, message: string) {
    super(message)
    this.reason = reason
    this.txid = txid
  }
}

interface WaitContext extends ViewContext {
  readonly looks: Looks
  /** Returns true for a transaction that the journal has, and that a wallet built. */
  isBuiltHere(txid: string): Promise<boolean>
  /** Returns true for a transaction that the journal has. */
  isRecorded(txid: string): Promise<boolean>
}

/**
 * Waits until a transaction of the wallet is deep enough. If a block has a copy whose scriptSigs a
 * third party changed, the result has the txid of the copy. Once the source has answered, the wait goes
 * on while it is away.
 *
 * @throws {NotMined} when it has expired, or a transaction in a block spends one of its coins
 */
export async function waitUntilMined(
  context: WaitContext,
  txid: string,
  options: WaitOptions,
): Promise<Confirmed> {
  requireReadOptions(options, ['confirmations', 'pollMs'])
  const wanted = readTxid(txid, 'txid')
  const { confirmations = 1, pollMs = 5000 } = options
  requireUint32(confirmations, 'confirmations')
  requireUint32(pollMs, 'pollMs')
  if (confirmations === 0) throw argumentError('confirmations', 'at least 1', confirmations)
  try {
    return await mined(context, wanted, { ...options, confirmations, pollMs })
  } catch (error) {
    // An abort ends a call of the source as well, with an error of its own.
    options.signal?.throwIfAborted()
    throw error
  }
}

async function mined(
  context: WaitContext,
  txid: string,
  {
    confirmations,
    pollMs,
    signal,
  }: Required<Pick<WaitOptions, 'confirmations' | 'pollMs'>> & ChainOptions,
): Promise<Confirmed> {
  const { known, looks } = context
  let wanted = txid
  const options = { signal }
  let before: Look | undefined
  /** True once the source has answered. It may then be away for some time. */
  let hasLooked = false

  async function look(): Promise<Confirmed | undefined> {
    const seen = await looks.look(before === undefined ? 0 : pollMs, options)
    if (seen === before) return undefined
    const sought = { txid, wanted }
    const { tip, listed, heights, isWhole } = await lookFor(context, sought, seen, options)
    before = seen
    const height = heights.get(wanted) ?? 0
    const depth = height === 0 ? 0 : tip.height - height + 1
    if (height > 0 && depth >= confirmations) {
      await known.fetch([wanted], options)
      const transaction = known.get(wanted)
      // A height that cannot be true says neither that a block has it, nor that it is lost.
      const isMined = transaction && (await isInBlock(context, transaction, txid, { heights, tip }))
      if (isMined) return { txid: wanted, height, confirmations: depth }
    }
    if (height > 0) return undefined
    const place = { height: tip.height, source: context.chain.name, listed, isWhole }
    const { lost, copy } = await fateOf(known, wanted, place, options)
    if (lost !== undefined) throw lost
    if (copy !== undefined) {
      wanted = copy
      before = undefined
    }
    return undefined
  }

  for (;;) {
    signal?.throwIfAborted()
    try {
      const confirmed = await look()
      if (confirmed !== undefined) return confirmed
      hasLooked = true
    } catch (error) {
      if (!hasLooked || !isRpcError(error) || !mayPass(error)) throw error
      // The look was not finished, so the next one may not be passed over as the same.
      before = undefined
    }
    await pause(pollMs, signal)
  }
}

/**
 * Adds the history in which a transaction has to be, unless a block has it already.
 *
 * @param sought - the txid that was sent, and that of the copy that a block may have
 */
async function lookFor(
  context: WaitContext,
  { txid, wanted }: { readonly txid: string; readonly wanted: string },
  look: Look,
  options: ChainOptions,
): Promise<Look & Pick<TransactionHistory, 'isWhole'>> {
  const { known, own, isRecorded } = context
  if ((look.heights.get(wanted) ?? 0) > 0) return { ...look, isWhole: true }
  await known.fetch([wanted], options)
  const transaction = known.get(wanted)
  if (transaction === undefined) return { ...look, isWhole: false }
  // The own history has what others pay to the wallet, and that of a payer may have no end.
  const isReceived = transaction.outputs.some(({ script }) => own.watches(script))
  if (isReceived && !(await isRecorded(txid))) return { ...look, isWhole: true }
  const { listed, isWhole } = await historyOfTransaction(context, transaction, look.listed, options)
  return { tip: look.tip, listed, heights: heightsOf(listed), isWhole }
}

/** @param sent - its txid, or that of the transaction of which it is a copy */
async function isInBlock(
  { isBuiltHere }: WaitContext,
  transaction: Transaction,
  sent: string,
  { heights, tip }: Pick<Look, 'heights' | 'tip'>,
): Promise<boolean> {
  const { height } = possiblePlace(transaction, heights, tip.height)
  if (height === undefined) return false
  // Another builder may choose any expiry height, so only a wallet's own shows when it was made.
  const isBelieved = believedPlace(transaction, heights, tip.height).height !== undefined
  return isBelieved || !(await isBuiltHere(sent))
}

interface Place extends TransactionHistory {
  /** Height of the last block, as the source reports it. */
  readonly height: number
  /** The name of the source. */
  readonly source: string
}

/**
 * Returns why a transaction that is in no block can never be in one; `undefined` if it may be. A
 * copy whose scriptSigs a third party changed counts as the transaction.
 */
export async function reasonNotMined(
  known: KnownTransactions,
  txid: string,
  place: Place,
  options: ChainOptions,
): Promise<NotMined | undefined> {
  return (await fateOf(known, txid, place, options)).lost
}

interface Fate {
  readonly lost?: NotMined
  /** The txid of a copy in a block, whose scriptSigs a third party changed. */
  readonly copy?: string
}

async function fateOf(
  known: KnownTransactions,
  txid: string,
  { height, source, listed, isWhole }: Place,
  options: ChainOptions,
): Promise<Fate> {
  await known.fetch([txid], options)
  const transaction = known.get(txid)
  if (transaction === undefined) return {}
  const other = await spenderInBlock(known, transaction, listed, options)
  if (other !== undefined) {
    if (isMalleatedCopy(transaction, known.get(other.txid)!)) return { copy: other.txid }
    const message = `${txid}: ${other.txid} in block ${other.height} spends one of its coins`
    return { lost: new NotMined('conflicted', txid, message) }
  }
  const { expiryHeight } = transaction
  if (expiryHeight === 0 || height < expiryHeight) return {}
  if (!isWhole) {
    const message = `${txid}: the source gives no history that would show whether a block has it; look for it on the chain before you pay again`
    return { lost: new NotMined('unverified', txid, message) }
  }
  const message = `${txid}: expired at height ${expiryHeight}: ${source} reports block ${height}, which may be false. If it is your payment, repeat its call with the same id, and pay by no other call`
  return { lost: new NotMined('expired', txid, message) }
}
