import { bytesMaxDefault, requireFewBytes } from '../chain-source/limits.ts'
import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import { notify } from '../primitives/observers.ts'
import { recentValues } from '../primitives/recent.ts'
import { readableTransaction } from '../transaction/readable.ts'
import type { Transaction } from '../transaction/types.ts'

/** Transactions of the source. The hash of each was computed here and equals the requested txid. */
export interface KnownTransactions {
  has(txid: string): boolean
  get(txid: string): Transaction | undefined
  hexOf(txid: string): string | undefined
  /** Adds a transaction of this wallet. */
  add(hex: string): Transaction | undefined
  /**
   * Asks for those that are not known, and returns the ids that the source does not have.
   *
   * @throws {RpcError} of kind `shape` for more bytes than the wallet takes
   */
  fetch(txids: Iterable<string>, options?: FetchOptions): Promise<ReadonlySet<string>>
}

interface FetchOptions extends ChainOptions {
  /** True for ancestors of listed tokens. Those beyond their part of the bytes count as absent. */
  readonly isForList?: boolean
}

/** The progress of a wallet: how many of the needed transactions it has read. */
export interface WalletProgress {
  readonly read: number
  readonly wanted: number
}

/** Transactions that one call of a source asks for. */
const fetchedAtOnce = 500
/**
 * The least number of transactions between two reports, except before the last report of a call.
 */
const reportedEach = 100

/**
 * Hex digits of the transactions that are kept decoded. Decoded, a digit takes about 1.5 bytes, or 5
 * in the smallest transactions.
 */
const decodedDigitsMax = 64_000_000

/** @param bytesMax - of all transactions; the ancestors of listed tokens take at most half */
export function createKnownTransactions(
  chain: ChainSource,
  onProgress?: (progress: WalletProgress) => unknown,
  bytesMax: number = bytesMaxDefault,
): KnownTransactions {
  /** A server may show any number of transactions, so all are kept as hex, and some decoded. */
  const hexByTxid = new Map<string, string>()
  const decoded = recentValues<Transaction>(decodedDigitsMax)
  let bytes = 0
  let bytesOfLists = 0
  let areListsFull = false

  const add = (given: unknown): Transaction | undefined => {
    const transaction = readableTransaction(given)
    if (transaction === undefined) return undefined
    const hex = (given as string).toLowerCase()
    if (!hexByTxid.has(transaction.txid)) bytes += hex.length / 2
    hexByTxid.set(transaction.txid, hex)
    decoded.add(transaction.txid, transaction, hex.length)
    return transaction
  }

  function get(txid: string): Transaction | undefined {
    return decoded.get(txid) ?? add(hexByTxid.get(txid))
  }

  /**
   * Returns false if the lists of tokens are full: a stranger's tokens must not fill the room for
   * payments, and for a token that is moved.
   *
   * @throws {RpcError} before the bytes are kept, because a program may repeat its call for days
   */
  function takeRoom(size: number, isForList: boolean): boolean {
    const found = bytes + size
    if (!isForList) {
      requireFewBytes(chain.name, 'transactions', { found, most: bytesMax })
      return true
    }
    areListsFull ||= found > bytesMax || bytesOfLists + size > bytesMax / 2
    if (!areListsFull) bytesOfLists += size
    return !areListsFull
  }

  let read = 0
  let reported = 0

  function report(left: number, isLong: boolean): void {
    if (read - reported < reportedEach && !(isLong && left === 0)) return
    reported = read
    notify(onProgress, { read, wanted: read + left })
  }

  return {
    has: (txid) => hexByTxid.has(txid),
    get,
    hexOf: (txid) => hexByTxid.get(txid),
    add,
    async fetch(txids, { isForList = false, ...options } = {}) {
      const unknown = new Set<string>()
      for (const txid of txids) if (!hexByTxid.has(txid)) unknown.add(txid)
      const wanted = [...unknown]
      const absent = new Set<string>()
      for (let at = 0; at < wanted.length; at += fetchedAtOnce) {
        const some = wanted.slice(at, at + fetchedAtOnce)
        const isLeftOut = isForList && areListsFull
        const replies = isLeftOut ? [] : await chain.transactions(some, options)
        for (const [index, txid] of some.entries()) {
          // Another call may have read it meanwhile.
          if (hexByTxid.has(txid)) continue
          const hex: unknown = replies[index]
          // Bytes that hash to another id are those of another transaction.
          const isRead = readableTransaction(hex)?.txid === txid
          if (isRead && takeRoom((hex as string).length / 2, isForList)) add(hex)
          else absent.add(txid)
        }
        read += some.length
        report(wanted.length - at - some.length, at > 0)
      }
      return absent
    },
  }
}
