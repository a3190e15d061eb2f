import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { argumentError, requireUint32 } from '../primitives/arguments.ts'
import { notify } from '../primitives/observers.ts'
import { isRpcError, type RpcError } from '../rpc/errors.ts'
import { mayPass } from '../rpc/retry.ts'
import { pause } from './aborting.ts'
import type { WalletBalance } from './amounts.ts'
import type { WalletEntry } from './history.ts'
import { readTxid } from './options.ts'
import { StaleSource } from './view.ts'

/** A change of the wallet's history, as the chain source shows it. */
export type WalletEvent =
  /** A new transaction pays the wallet, or spends its coins. */
  | { readonly type: 'received' | 'sent'; readonly entry: WalletEntry }
  /** A block has a transaction that was waiting. */
  | { readonly type: 'confirmed'; readonly txid: string; readonly height: number }
  /** A transaction left its block; `height` is that of its new block, if it has one. */
  | {
      readonly type: 'reorganized'
      readonly txid: string
      readonly was: number
      readonly height?: number
    }
  /** A transaction that was waiting is gone: it may come again, or never. */
  | { readonly type: 'dropped'; readonly txid: string }
  /** The balance is another one: after the changes above, or because coins of a block matured. */
  | { readonly type: 'balance'; readonly balance: WalletBalance }

/** A transaction as a program stored it: an entry of `history()` is one. */
export interface KnownTransaction {
  readonly txid: string
  /** Height of its block; absent, or 0, while it is in none. */
  readonly height?: number
}

export interface EventOptions extends ChainOptions {
  /**
   * Names what you know already. The first look then reports every change since, and the balance.
   * `[]` reports the whole history. If absent, only what changes after the first look is reported.
   */
  readonly since?: readonly KnownTransaction[]
  /** Milliseconds between two looks at the chain. Default 5000. */
  readonly pollMs?: number
  /**
   * Called when the server stops answering, or is far behind what it reported before. The iterator
   * goes on. Once the server is back, it reports what happened meanwhile.
   */
  readonly onInterruption?: (error: RpcError | StaleSource) => unknown
}

interface EventContext {
  /** Returns the hash of block 1; `undefined` if the source does not name its chain. */
  chain(options: ChainOptions): Promise<string | undefined>
  entries(options: ChainOptions): Promise<readonly HistoryEntry[]>
  /** @throws {StaleSource} if the source is far behind a height that the caller names */
  requireNear(height: number, options: ChainOptions): Promise<unknown>
  read(entries: readonly HistoryEntry[], options: ChainOptions): Promise<readonly WalletEntry[]>
  balance(options: ChainOptions): Promise<WalletBalance>
  /** True if the bytes of a transaction are known. */
  isKnown(txid: string): boolean
}

/** Ends when the signal aborts, also in the middle of a look at the chain. */
export async function* walletEvents(
  context: EventContext,
  options: EventOptions,
  known?: ReadonlyMap<string, number>,
): AsyncGenerator<WalletEvent, void, undefined> {
  try {
    yield* changes(context, options, known)
  } catch (error) {
    if (options.signal?.aborted !== true) throw error
  }
}

/** A look at the chain. */
interface Look {
  readonly heights: ReadonlyMap<string, number>
  /** Absent if nobody looked before. */
  readonly owned?: WalletBalance
  /** The changes since the look before. */
  readonly events: readonly WalletEvent[]
}

/**
 * Compares one look at the history with the one before. Nothing is kept for a reader that is slow:
 * the next look shows everything that happened since, once for each transaction. A look that the
 * server interrupts is taken again.
 */
async function* changes(
  context: EventContext,
  { pollMs = 5000, onInterruption, signal }: EventOptions,
  known: ReadonlyMap<string, number> | undefined,
): AsyncGenerator<WalletEvent, void, undefined> {
  requireUint32(pollMs, 'pollMs')
  if (onInterruption !== undefined && typeof onInterruption !== 'function') {
    throw argumentError('onInterruption', 'a function', onInterruption)
  }
  const options = { signal }
  await requireChain(context, options)
  // A server that is still reading its chain would report stored transactions as gone.
  if (known !== undefined) await context.requireNear(highestOf(known), options)
  let last =
    known === undefined
      ? await firstLook(context, options)
      : await nextLook(context, { heights: known, events: [] }, options)
  yield* last.events
  let isInterrupted = false
  while (signal?.aborted !== true) {
    await pause(pollMs, signal)
    try {
      if (isInterrupted) await requireChain(context, options)
      last = await nextLook(context, last, options)
      isInterrupted = false
    } catch (error) {
      if (!isInterruption(error)) throw error
      if (!isInterrupted) notify(onInterruption, error)
      isInterrupted = true
      continue
    }
    yield* last.events
  }
}

/** A reorganization may leave fewer blocks, and the source then grows again. */
function isInterruption(error: unknown): error is RpcError | StaleSource {
  return error instanceof StaleSource || (isRpcError(error) && mayPass(error))
}

/** @throws {RpcError} `shape`, if a server of another chain answers in the place of the first one */
async function requireChain({ chain }: EventContext, options: ChainOptions): Promise<void> {
  try {
    await chain(options)
  } catch (error) {
    // A new chain has no block 1 yet.
    if (!isRpcError(error, 'daemon')) throw error
  }
}

async function firstLook({ entries, balance }: EventContext, options: ChainOptions): Promise<Look> {
  const heights = heightsOf(await entries(options))
  return { heights, owned: await balance(options), events: [] }
}

async function nextLook(
  { entries, read, balance, isKnown }: EventContext,
  { heights: before, owned }: Look,
  options: ChainOptions,
): Promise<Look> {
  const events: WalletEvent[] = []
  const listed = await entries(options)
  const heights = heightsOf(listed)
  const added = listed.filter(({ txid }) => !before.has(txid))
  for (const entry of await read(added, options)) {
    const { coins, units } = entry
    const isSent = coins < 0n || Object.values(units).some((amount) => amount < 0n)
    events.push({ type: isSent ? 'sent' : 'received', entry })
  }
  // A deposit may be listed before its bytes are available, so such an entry is fetched again.
  for (const { txid } of added) if (!isKnown(txid)) heights.delete(txid)
  for (const [txid, was] of before) {
    const height = heights.get(txid)
    if (height === was) continue
    if (was > 0) events.push({ type: 'reorganized', txid, was, ...(height ? { height } : {}) })
    else if (height === undefined) events.push({ type: 'dropped', txid })
    else events.push({ type: 'confirmed', txid, height })
  }
  const next = await balance(options)
  if (owned === undefined || !isSame(owned, next)) events.push({ type: 'balance', balance: next })
  return { heights, owned: next, events }
}

/**
 * Copies what a caller knows.
 *
 * @throws {TypeError} if a txid or a height has another form
 */
export function knownHeights(
  since: readonly KnownTransaction[] | undefined,
): ReadonlyMap<string, number> | undefined {
  if (since === undefined) return undefined
  if (!Array.isArray(since)) throw argumentError('since', 'an array', since)
  const heights = new Map<string, number>()
  for (const [at, known] of since.entries()) {
    const { txid, height = 0 } = (known ?? {}) as Partial<KnownTransaction>
    requireUint32(height, `since[${at}].height`)
    heights.set(readTxid(txid, `since[${at}].txid`), height)
  }
  return heights
}

const highestOf = (heights: ReadonlyMap<string, number>): number =>
  [...heights.values()].reduce((highest, height) => Math.max(highest, height), 0)

function isSame(one: WalletBalance, other: WalletBalance): boolean {
  return balanceNames.every((name) => one[name] === other[name])
}

const balanceNames = ['confirmed', 'pending', 'immature', 'locked'] as const

function heightsOf(entries: readonly HistoryEntry[]): Map<string, number> {
  return new Map(entries.map(({ txid, height }) => [txid, height]))
}
