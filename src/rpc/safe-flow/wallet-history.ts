// The history of a wallet, as a framework reports it: which block has a transaction, and what the
// wallet spent. A server keeps one only for coins that were activated with `tx_history`.

import { memberOf } from '../../primitives/json.ts'
import { Stopped, sleep, startClock } from '../clock.ts'
import { isReplyTooLarge, isRpcError, RpcError } from '../errors.ts'
import { stopOf } from '../failure.ts'
import { readValue } from '../fields.ts'
import type { FrameworkClient } from '../framework/client.ts'
import { isFrameworkError } from '../framework/errors.ts'
import type { MyTxHistoryParams } from '../framework/parameters.ts'
import { type HistoryTransaction, type TxHistory, txHistory } from '../framework/results.ts'
import { comparedAbove, dayLookedBack, isDropped, type RecordedHeights } from './look-back.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import type { OwnSpends } from './own-spends.ts'
import type { Place } from './place.ts'
import type { WithdrawPayer } from './withdraw-text.ts'

/**
 * Transactions of one question, and those of one after too large a reply: strangers can fill a wallet
 * with large transactions. Ten of the largest fit in a reply.
 */
const [usualLimit, smallLimit] = [100, 10]
/** Older transactions are not looked for. A payment that is not settled yet is a recent one. */
const soughtMax = 1_000
/** A comparison reads no more transactions, and is then not whole. */
const comparedMax = 10_000
/** Comparisons begin again if a page changed meanwhile, and are not whole after so many rounds. */
const roundsMax = 4
/** The most accounts of an HD wallet that are read. */
const accountsMax = 100

interface HistoryOptions extends SafeFlowOptions {
  /** The paying address of an HD wallet. */
  readonly from?: WithdrawPayer
}

interface WalletHistory {
  /** Looks for a transaction, page by page. */
  place(txid: string): Promise<Place>
  /**
   * Lists the transactions that spent coins of the wallet: those that wait for a block, and those in
   * the blocks that are compared.
   *
   * @throws {RpcError} `shape`, path `sync_status`, while the server still reads its history
   */
  spends(recorded: RecordedHeights): Promise<OwnSpends>
}

/** The history of an address, or of an account of an HD wallet. */
interface Pages {
  /** Transactions of one page. */
  readonly limit: number
  readonly first: TxHistory
  page(number: number): Promise<TxHistory>
}

export function walletHistory(
  client: FrameworkClient,
  coin: string,
  options: HistoryOptions,
): WalletHistory {
  const calls = callOptions(options)
  let limit = usualLimit

  /** Reads again, in smaller pages, if a page is too large. */
  async function inPages<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    try {
      return await read()
    } catch (error) {
      if (!isReplyTooLarge(error) || limit === smallLimit) throw error
      limit = smallLimit
      return read()
    }
  }

  /** Returns `undefined` if the wallet has no such history. */
  async function pagesOf(target: MyTxHistoryParams['target']): Promise<Pages | undefined> {
    const page = (PageNumber: number): Promise<TxHistory> => {
      const wanted = { coin, limit, paging_options: { PageNumber } }
      return client.myTxHistory(target === undefined ? wanted : { ...wanted, target }, calls)
    }
    try {
      return { limit, first: await page(1), page }
    } catch (error) {
      if (isFrameworkError(error, 'InvalidTarget')) return undefined
      if (!isFrameworkError(error, 'StorageIsNotInitialized')) throw error
      try {
        return { limit, first: await olderPage(1), page: olderPage }
      } catch (failure) {
        // The errors of the older dispatcher have no types, so the first error is thrown.
        throw isRpcError(failure, 'framework') ? error : failure
      }
    }
  }

  /**
   * Asks the older dispatcher: a coin that was activated by its `electrum` or `enable` has its history
   * there, in the same order.
   *
   * @see komodo-defi-framework coins/lp_coins.rs, my_tx_history
   */
  async function olderPage(page_number: number): Promise<TxHistory> {
    const answer = await client.callLegacy('my_tx_history', { coin, limit, page_number }, calls)
    // The older answer does not name the coin.
    return readValue(txHistory, { coin, ...Object(memberOf(answer, 'result')) })
  }

  /** Yields the one history of a wallet, or those of an HD wallet: that of the payer first. */
  async function* histories(): AsyncGenerator<Pages> {
    const only = await pagesOf(undefined)
    if (only !== undefined) return yield only
    const ofAccount = (account_id: number) => pagesOf({ type: 'account_id', account_id })
    const payer = accountOf(options.from)
    const paying = await ofAccount(payer)
    if (paying !== undefined) yield paying
    for (let account = 0; account < accountsMax; account += 1) {
      const pages = account === payer ? paying : await ofAccount(account)
      if (pages === undefined) return
      if (pages !== paying) yield pages
    }
    throw new RpcError('shape', `my_tx_history: the wallet has ${accountsMax} accounts or more`)
  }

  async function placeOf(txid: string): Promise<Place> {
    for await (const pages of histories()) {
      const found = await placeIn(pages, txid)
      if (found !== undefined) return found
    }
    return {}
  }

  async function spendsOf(recorded: RecordedHeights): Promise<OwnSpends> {
    const txids = new Set<string>()
    let [isShown, isWhole, isSyncing] = [false, true, false]
    try {
      for await (const pages of histories()) {
        const found = await spendsIn(pages, recorded, options)
        for (const txid of found.txids) txids.add(txid)
        isShown = true
        isWhole &&= found.isWhole
        isSyncing ||= found.isSyncing
      }
    } catch (error) {
      if (!isNotShown(error)) throw error
      isWhole = false
    }
    if (isSyncing) throw stillReading()
    return { txids: [...txids], isWhole: isShown && isWhole }
  }

  return {
    async place(txid) {
      try {
        return await inPages(() => placeOf(txid))
      } catch (error) {
        // A server without this history still has the transaction; only its block is not known.
        if (isRpcError(error) && unknownBy.has(error.kind)) return {}
        throw error
      }
    },
    spends: (recorded) => inPages(() => spendsOf(recorded)),
  }
}

/** Returns `undefined` if the history does not have the transaction. */
async function placeIn({ limit, first, page }: Pages, txid: string): Promise<Place | undefined> {
  let [number, shown] = [1, first]
  for (;;) {
    const { transactions, current_block, total_pages } = shown
    const found = transactions.find(({ tx_hash }) => tx_hash.toLowerCase() === txid)
    const height = found?.block_height ?? 0
    // The framework writes 0 for a transaction that waits for a block.
    if (found !== undefined) return height >= 1 && height <= current_block ? { height } : {}
    number += 1
    if (number > Math.min(total_pages, soughtMax / limit)) return undefined
    shown = await page(number)
  }
}

interface FoundSpends extends OwnSpends {
  /** True if the server still reads the history, so that later answers may list more. */
  readonly isSyncing: boolean
}

/**
 * Lists the spends of one history. The framework lists what waits for a block first, then the blocks
 * from the last one on.
 *
 * @see komodo-defi-framework coins/tx_history_storage/sql_tx_history_storage_v2.rs
 */
async function spendsIn(
  { limit, first, page }: Pages,
  recorded: RecordedHeights,
  { signal }: SafeFlowOptions,
): Promise<FoundSpends> {
  const txids = new Set<string>()
  const found = (isWhole: boolean, isSyncing = false) => ({ txids: [...txids], isWhole, isSyncing })
  let start = first
  for (let round = 0; round < roundsMax; round += 1) {
    start = await synced(start, () => page(1), signal)
    if (isSyncing(start)) return found(false, true)
    const { current_block: tip, total, sync_status } = start
    const above = comparedAbove(recorded, tip, dayLookedBack.blocks)
    // The history does not show the time of the chain's last block, so this machine's clock counts.
    const since = Date.now() / 1000 - dayLookedBack.seconds
    const isCompared = ({ block_height: height, timestamp }: HistoryTransaction): boolean =>
      height < 1 ||
      (!isDropped({ height }, recorded, tip) && (height > above || timestamp >= since))
    let shown = start
    for (let number = 1; shown.total === total; number += 1) {
      for (const one of shown.transactions) {
        if (isCompared(one) && isSpend(one)) txids.add(one.tx_hash.toLowerCase())
      }
      const last = shown.transactions.at(-1)
      const isEnd = last === undefined || !isCompared(last) || number >= shown.total_pages
      if (isEnd) return found(sync_status.state === 'Finished')
      if (number * limit >= comparedMax) return found(false)
      shown = await page(number + 1)
    }
    // A new transaction moved the pages, so an old one may be on no page that was read.
    start = await page(1)
  }
  return found(false)
}

function isSpend({ spent_by_me }: HistoryTransaction): boolean {
  return /[1-9]/.test(spent_by_me)
}

/**
 * Returns true while a server reads the history of a wallet, as after its start and for each new
 * transaction. It then shows a part.
 *
 * @see komodo-defi-framework coins/utxo/utxo_tx_history_v2.rs
 */
function isSyncing({ sync_status: { state } }: TxHistory): boolean {
  return state === 'InProgress' || state === 'NotStarted'
}

/** A server reads a new transaction in one to three seconds. */
const [syncMsMax, syncPollMs] = [5_000, 500]

/** Waits until the server has read the history, or for `syncMsMax`. Returns the last answer. */
async function synced(
  first: TxHistory,
  again: () => Promise<TxHistory>,
  signal: AbortSignal | undefined,
): Promise<TxHistory> {
  if (!isSyncing(first)) return first
  const clock = startClock(syncMsMax, signal)
  let shown = first
  try {
    while (isSyncing(shown)) {
      await sleep(syncPollMs, clock)
      shown = await again()
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    if (signal?.aborted === true) throw stopOf(clock)
  } finally {
    clock.release()
  }
  return shown
}

/** Says why a framework that still reads its history makes no payment. */
export const stillReadingText =
  'the framework still reads the history of its wallet, which may have this payment: repeat the call when my_tx_history reports sync_status Finished'

function stillReading(): RpcError {
  const details = { reason: 'unexpected_value', path: 'sync_status', expected: 'Finished' } as const
  return new RpcError('shape', stillReadingText, details)
}

/** The errors of a server that keeps no history, or none of this kind of wallet. */
const notShown = ['StorageIsNotInitialized', 'NotSupportedFor', 'NoSuchMethod'] as const

/** Returns false for a failure that may pass: the server may show the payment later. */
function isNotShown(error: unknown): boolean {
  if (isRpcError(error, 'shape')) return !isReplyTooLarge(error)
  return notShown.some((type) => isFrameworkError(error, type))
}

/** Returns the account of a paying address, the third step of its path; 0 without one. */
function accountOf(from: WithdrawPayer): number {
  if (from === undefined) return 0
  if ('account_id' in from) return from.account_id
  return Number(/^m\/\d+'\/\d+'\/(\d+)'/.exec(from.derivation_path)?.[1] ?? 0)
}

const unknownBy: ReadonlySet<string> = new Set(['framework', 'shape', 'http'])
