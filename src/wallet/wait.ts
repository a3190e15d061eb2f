import type { ChainOptions, ChainSource, HistoryEntry } from '../chain-source/source.ts'
import { argumentError, requireUint32 } from '../primitives/arguments.ts'
import { isMalleatedCopy } from '../transaction/malleated-copy.ts'
import { readTxid, requireReadOptions } from './options.ts'
import type { KnownTransactions } from './transactions.ts'
import { keyOfOutpoint } from './view.ts'

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
 * Why a transaction that was waited for can no longer be mined, as far as the source shows.
 *
 * - `expired`     the chain is above its expiry height
 * - `conflicted`  a transaction in a block spends one of its coins
 * - `not-sent`    nothing was sent: the payment was held or rejected
 */
export class NotMined extends Error {
  override readonly name = 'NotMined'
  readonly reason: 'expired' | 'conflicted' | 'not-sent'
  /** Empty if nothing was sent. */
  readonly txid: string
  constructor(reason: NotMined['reason'], txid: string, message: string) {
    super(message)
    this.reason = reason
    this.txid = txid
  }
}

interface WaitContext {
  readonly chain: ChainSource
  readonly known: KnownTransactions
  entries(options: ChainOptions): Promise<readonly HistoryEntry[]>
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
  { chain, known, entries }: WaitContext,
  txid: string,
  {
    confirmations,
    pollMs,
    signal,
  }: Required<Pick<WaitOptions, 'confirmations' | 'pollMs'>> & ChainOptions,
): Promise<Confirmed> {
  let wanted = txid
  const options = { signal }
  let lastTip = ''
  for (;;) {
    signal?.throwIfAborted()
    const tip = await chain.tip(options)
    const tipName = `${tip.height} ${tip.hash}`
    if (tipName !== lastTip) {
      lastTip = tipName
      const listed = await entries(options)
      const height = listed.find((entry) => entry.txid === wanted)?.height ?? 0
      const depth = height === 0 ? 0 : tip.height - height + 1
      if (height > 0 && depth >= confirmations)
        return { txid: wanted, height, confirmations: depth }
      if (height === 0) {
        const place = { height: tip.height, listed }
        const lost = await reasonNotMined({ known }, wanted, place, options)
        if (lost !== undefined) throw lost
        const other = await spenderInBlock(known, wanted, listed, options)
        if (other !== undefined) {
          wanted = other.txid
          lastTip = ''
        }
      }
    }
    await pause(pollMs, signal)
  }
}

/**
 * Returns why a transaction that is in no block can never be in one; `undefined` if it may be. A
 * copy whose scriptSigs a third party changed counts as the transaction.
 */
export async function reasonNotMined(
  { known }: Pick<WaitContext, 'known'>,
  txid: string,
  { height, listed }: { readonly height: number; readonly listed: readonly HistoryEntry[] },
  options: ChainOptions,
): Promise<NotMined | undefined> {
  const other = await spenderInBlock(known, txid, listed, options)
  const transaction = known.get(txid)
  if (transaction === undefined) return undefined
  if (other !== undefined) {
    if (isMalleatedCopy(transaction, known.get(other.txid)!)) return undefined
    const message = `${txid}: ${other.txid} in block ${other.height} spends one of its coins`
    return new NotMined('conflicted', txid, message)
  }
  const { expiryHeight } = transaction
  if (expiryHeight === 0 || height < expiryHeight) return undefined
  const message = `${txid}: expired at height ${expiryHeight}; the chain is at ${height}`
  return new NotMined('expired', txid, message)
}

/** Returns another transaction in a block that spends one of the coins of a transaction. */
async function spenderInBlock(
  known: KnownTransactions,
  txid: string,
  listed: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<HistoryEntry | undefined> {
  await known.fetch([txid], options)
  const coins = new Set(known.get(txid)?.inputs.map(keyOfOutpoint))
  if (coins.size === 0) return undefined
  const mined = listed.filter((entry) => entry.height > 0 && entry.txid !== txid)
  await known.fetch(
    mined.map((entry) => entry.txid),
    options,
  )
  return mined.find((entry) =>
    known.get(entry.txid)?.inputs.some((input) => coins.has(keyOfOutpoint(input))),
  )
}

/** Resolves after a time, or rejects when the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Settles like `work`, unless the signal aborts first: rejects with its reason then. */
export function untilAborted<Answer>(
  work: Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
