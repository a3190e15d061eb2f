// Where a framework says that a transaction was mined. Only the history of the wallet has heights, and
// a server keeps one only for coins that were activated with `tx_history`.

import { isRpcError } from '../errors.ts'
import type { FrameworkClient } from '../framework/client.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import type { Place } from './place.ts'

/** Transactions of one question. */
const limit = 100
/** Older transactions are not looked for. A payment that is not settled yet is a recent one. */
const pagesMax = 10

/** Returns a function that looks for a transaction in the history of a coin, page by page. */
export function historyPlace(
  client: FrameworkClient,
  coin: string,
  options: SafeFlowOptions,
): (txid: string) => Promise<Place> {
  const page = (number: number) =>
    client.myTxHistory(
      { coin, limit, paging_options: { PageNumber: number } },
      callOptions(options),
    )
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

const unknownBy: ReadonlySet<string> = new Set(['framework', 'shape', 'http'])
