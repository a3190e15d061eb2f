// Waits until a transaction is deep enough, or can no longer be mined.

import type { ChainOptions, ChainSource, HistoryEntry } from '../chain-source/source.ts'
import { argumentError, requireUint32 } from '../primitives/arguments.ts'
import { isNulldata } from '../script/nulldata.ts'
import { isMalleatedCopy } from '../transaction/malleated-copy.ts'
import type { Transaction } from '../transaction/types.ts'
import { pause } from './aborting.ts'
import { isHeight } from './checked-source.ts'
import { type Look, type Looks, spenderInBlock } from './looks.ts'
import { readTxid, requireReadOptions } from './options.ts'
import type { OwnScripts } from './own-scripts.ts'
import { believedPlace, possiblePlace } from './places.ts'
import type { KnownTransactions } from './transactions.ts'

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
 * - `expired`     the chain is above its expiry height
 * - `conflicted`  a transaction in a block spends one of its coins
 * - `not-sent`    nothing was sent: the payment was held or rejected
 * - `unverified`  it may have been sent before, and is not what was requested, as far as the keys of
 *                 the wallet show. Or it is past its expiry height and touches none of the wallet's
 *                 scripts: their history cannot show whether a block has it.
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

interface FateContext {
  readonly known: KnownTransactions
  readonly own: OwnScripts
}

interface WaitContext extends FateContext {
  readonly chain: ChainSource
  readonly looks: Looks
  /** Returns true for a transaction that the journal has, and that a wallet built. */
  isBuiltHere(txid: string): Promise<boolean>
}

/**
 * Waits until a transaction of the wallet is deep enough. If a block has a copy whose scriptSigs a
 * third party changed, the result has the txid of the copy.
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
  for (;;) {
    signal?.throwIfAborted()
    const look = await looks.look(before === undefined ? 0 : pollMs, options)
    if (look !== before) {
      before = look
      const { tip, listed } = look
      const heights = await heightsWith(context, wanted, look, options)
      const height = heights.get(wanted) ?? 0
      const depth = height === 0 ? 0 : tip.height - height + 1
      if (height > 0 && depth >= confirmations) {
        await known.fetch([wanted], options)
        const transaction = known.get(wanted)
        // A height that cannot be true says neither that a block has it, nor that it is lost.
        const isMined =
          transaction && (await isInBlock(context, transaction, txid, { heights, tip }))
        if (isMined) return { txid: wanted, height, confirmations: depth }
      }
      if (height === 0) {
        const place = { height: tip.height, listed }
        const { lost, copy } = await fateOf(context, wanted, place, options)
        if (lost !== undefined) throw lost
        if (copy !== undefined) {
          wanted = copy
          before = undefined
        }
      }
    }
    await pause(pollMs, signal)
  }
}

/** Returns the heights of the history, with that of a transaction which the history cannot have. */
async function heightsWith(
  context: WaitContext,
  txid: string,
  { heights }: Look,
  options: ChainOptions,
): Promise<ReadonlyMap<string, number>> {
  const { chain, known } = context
  if (heights.has(txid) || chain.heights === undefined) return heights
  await known.fetch([txid], options)
  const transaction = known.get(txid)
  if (transaction === undefined || (await isWatched(context, transaction, options))) return heights
  // The change comes last, and its history is short. No server has a history of null data.
  const paid = transaction.outputs.findLast(({ script }) => !isNulldata(script))
  if (paid === undefined) return heights
  const { script } = paid
  const height: unknown = (await chain.heights([{ txid, script }], options)).get(txid)
  return isHeight(height) ? new Map([...heights, [txid, height]]) : heights
}

/** Returns true for a transaction that the history of the wallet's scripts has once it is mined. */
async function isWatched(
  { known, own }: FateContext,
  { inputs, outputs }: Transaction,
  options: ChainOptions,
): Promise<boolean> {
  if (outputs.some(({ script }) => own.watches(script))) return true
  const from = inputs.map(({ txid }) => txid)
  await known.fetch(from, options)
  return inputs.some(({ txid, vout }) => {
    const spent = known.get(txid)?.outputs[vout]
    return spent !== undefined && own.watches(spent.script)
  })
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

interface Place {
  readonly height: number
  readonly listed: readonly HistoryEntry[]
}

/**
 * Returns why a transaction that is in no block can never be in one; `undefined` if it may be. A
 * copy whose scriptSigs a third party changed counts as the transaction.
 */
export async function reasonNotMined(
  context: FateContext,
  txid: string,
  place: Place,
  options: ChainOptions,
): Promise<NotMined | undefined> {
  return (await fateOf(context, txid, place, options)).lost
}

interface Fate {
  readonly lost?: NotMined
  /** The txid of a copy in a block, whose scriptSigs a third party changed. */
  readonly copy?: string
}

async function fateOf(
  context: FateContext,
  txid: string,
  { height, listed }: Place,
  options: ChainOptions,
): Promise<Fate> {
  const { known } = context
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
  if (!(await isWatched(context, transaction, options))) {
    const message = `${txid}: it touches no script of this wallet, whose history cannot show whether a block has it; look for it on the chain before you pay again`
    return { lost: new NotMined('unverified', txid, message) }
  }
  const message = `${txid}: expired at height ${expiryHeight}; the chain is at ${height}`
  return { lost: new NotMined('expired', txid, message) }
}
