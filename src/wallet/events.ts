import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { requireUint32 } from '../primitives/arguments.ts'
import { pause } from './aborting.ts'
import type { WalletBalance } from './amounts.ts'
import type { WalletEntry } from './history.ts'

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

export interface EventOptions extends ChainOptions {
  /** Milliseconds between two looks at the chain. Default 5000. */
  readonly pollMs?: number
}

interface EventContext {
  entries(options: ChainOptions): Promise<readonly HistoryEntry[]>
  read(entries: readonly HistoryEntry[], options: ChainOptions): Promise<readonly WalletEntry[]>
  balance(options: ChainOptions): Promise<WalletBalance>
  /** True if the bytes of a transaction are known. */
  isKnown(txid: string): boolean
}

/** Ends when the signal aborts, also in the middle of a look at the chain. */
export async function* walletEvents(
  context: EventContext,
  options: EventOptions,
): AsyncGenerator<WalletEvent, void, undefined> {
  try {
    yield* changes(context, options)
  } catch (error) {
    if (options.signal?.aborted !== true) throw error
  }
}

/**
 * Compares one look at the history with the one before. Nothing is kept for a reader that is slow:
 * the next look shows everything that happened since, once for each transaction.
 */
async function* changes(
  { entries, read, balance, isKnown }: EventContext,
  { pollMs = 5000, signal }: EventOptions,
): AsyncGenerator<WalletEvent, void, undefined> {
  requireUint32(pollMs, 'pollMs')
  const options = { signal }
  let before = heightsOf(await entries(options))
  let owned = await balance(options)
  while (signal?.aborted !== true) {
    await pause(pollMs, signal)
    const listed = await entries(options)
    const now = heightsOf(listed)
    const added = listed.filter(({ txid }) => !before.has(txid))
    for (const entry of await read(added, options)) {
      const { coins, units } = entry
      const isSent = coins < 0n || Object.values(units).some((amount) => amount < 0n)
      yield { type: isSent ? 'sent' : 'received', entry }
    }
    // A deposit may be listed before its bytes are available, so such an entry is fetched again.
    for (const { txid } of added) if (!isKnown(txid)) now.delete(txid)
    for (const [txid, was] of before) {
      const height = now.get(txid)
      if (height === was) continue
      if (was === 0) {
        yield height === undefined ? { type: 'dropped', txid } : { type: 'confirmed', txid, height }
      } else {
        yield { type: 'reorganized', txid, was, ...(height ? { height } : {}) }
      }
    }
    before = now
    const next = await balance(options)
    if (!isSame(owned, next)) yield { type: 'balance', balance: next }
    owned = next
  }
}

function isSame(one: WalletBalance, other: WalletBalance): boolean {
  return balanceNames.every((name) => one[name] === other[name])
}

const balanceNames = ['confirmed', 'pending', 'immature', 'locked'] as const

function heightsOf(entries: readonly HistoryEntry[]): Map<string, number> {
  return new Map(entries.map(({ txid, height }) => [txid, height]))
}
