// Where a framework says that a transaction was mined. Only the history of the wallet has heights, and
// a server keeps one only for coins that were activated with `tx_history`.

import { isRpcError } from '../errors.ts'
import type { FrameworkClient } from '../framework/client.ts'
import { isFrameworkError } from '../framework/errors.ts'
import type { MyTxHistoryParams, WithdrawParams } from '../framework/parameters.ts'
import type { TxHistory } from '../framework/results.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import type { Place } from './place.ts'

/** Transactions of one question. */
const limit = 100
/** Older transactions are not looked for. A payment that is not settled yet is a recent one. */
const pagesMax = 10

interface HistoryOptions extends SafeFlowOptions {
  /** The paying address of an HD wallet. */
  readonly from?: WithdrawParams['from']
}

/** Returns a function that looks for a transaction in the history of a coin, page by page. */
export function historyPlace(
  client: FrameworkClient,
  coin: string,
  options: HistoryOptions,
): (txid: string) => Promise<Place> {
  const calls = callOptions(options)
  const account: MyTxHistoryParams['target'] = {
    type: 'account_id',
    account_id: accountOf(options.from),
  }
  const page = async (number: number): Promise<TxHistory> => {
    const wanted = { coin, limit, paging_options: { PageNumber: number } }
    try {
      return await client.myTxHistory(wanted, calls)
    } catch (error) {
      if (!isFrameworkError(error, 'InvalidTarget')) throw error
      // An HD wallet has a history of each account.
      return client.myTxHistory({ ...wanted, target: account }, calls)
    }
  }
  return async (txid) => {
    try {
      for (let number = 1, pages = 1; number <= Math.min(pages, pagesMax); number += 1) {
        const { transactions, current_block, total_pages } = await page(number)
        const found = transactions.find(({ tx_hash }) => tx_hash.toLowerCase() === txid)
        const height = found?.block_height ?? 0
        // The framework writes 0 for a transaction that waits for a block.
        if (found !== undefined) return height >= 1 && height <= current_block ? { height } : {}
        pages = total_pages
      }
      return {}
    } catch (error) {
      // A server without this history still has the transaction; only its block is not known.
      if (isRpcError(error) && unknownBy.has(error.kind)) return {}
      throw error
    }
  }
}

/** Returns the account of a paying address, the third step of its path; 0 without one. */
function accountOf(from: WithdrawParams['from']): number {
  if (from === undefined) return 0
  if ('account_id' in from) return from.account_id
  return Number(/^m\/\d+'\/\d+'\/(\d+)'/.exec(from.derivation_path)?.[1] ?? 0)
}

const unknownBy: ReadonlySet<string> = new Set(['framework', 'shape', 'http'])
