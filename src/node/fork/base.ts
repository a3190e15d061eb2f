// Reads of the chain below a fork, from the facts that were fetched.

import type { RecentValues } from '../../primitives/recent.ts'
import {
  type BaseChain,
  type BaseTransaction,
  NotFetched,
  type Wanted,
} from '../state/base-chain.ts'
import { outpointKey } from '../state/keys.ts'
import { isUnspendable } from '../state/script-index.ts'
import { isCoinbase } from '../state/stored-transaction.ts'
import type { Facts, OutputFact } from './facts.ts'

interface BaseOptions {
  readonly height: number
  readonly hash: string
  /** The facts of the present request. @throws {NotFetched} outside of one */
  readonly read: () => Facts
  readonly cache: RecentValues<BaseTransaction>
}

/** The number of outputs that one batch requests to find one that is unspent. */
const outputsAtOnce = 500

export function baseChain({ height, hash, read, cache }: BaseOptions): BaseChain {
  /** Transactions that came after the fork are not there. */
  const isBelow = (found: BaseTransaction | undefined) =>
    found?.height === undefined || found.height <= height

  function known(txid: string): BaseTransaction | undefined | 'missing' {
    const { transactions } = read()
    if (!transactions.has(txid)) {
      const cached = cache.get(txid)
      if (cached === undefined) return 'missing'
      transactions.set(txid, cached)
    }
    const found = transactions.get(txid)
    return isBelow(found) ? found : undefined
  }

  function transaction(txid: string): BaseTransaction | undefined {
    const found = known(txid)
    if (found === 'missing') throw new NotFetched([{ kind: 'transaction', txid }])
    return found
  }

  /** Tells whether the daemon's chain may have an output among its coins. */
  function isCandidate(found: BaseTransaction | undefined, vout: number): boolean {
    return found?.height !== undefined && isSpendable(found, vout)
  }

  const isKnown = (txid: string, vout: number) => read().outputs.has(outpointKey(txid, vout))

  function outputOf(txid: string, vout: number): OutputFact {
    if (!isKnown(txid, vout)) throw new NotFetched([{ kind: 'coin', txid, vout }])
    return read().outputs.get(outpointKey(txid, vout))
  }

  return {
    height,
    hash,
    transaction,
    coin(txid, vout) {
      const found = transaction(txid)
      if (found?.height === undefined || !isCandidate(found, vout)) return undefined
      if (outputOf(txid, vout) === undefined) return undefined
      const { transaction: made } = found.stored
      return { ...made.outputs[vout]!, height: found.height, coinbase: isCoinbase(made) }
    },
    isSpentInMempool: (txid, vout) =>
      isSpendable(transaction(txid), vout) && outputOf(txid, vout)?.isSpentInMempool === true,
    hasCoins(txid, isLeftOut) {
      const unknown: Wanted[] = []
      const found = transaction(txid)
      for (const vout of found?.stored.transaction.outputs.keys() ?? []) {
        if (!isCandidate(found, vout) || isLeftOut(vout)) continue
        if (read().outputs.get(outpointKey(txid, vout)) !== undefined) return true
        if (!isKnown(txid, vout)) unknown.push({ kind: 'coin', txid, vout })
      }
      if (unknown.length > 0) throw new NotFetched(unknown.slice(0, outputsAtOnce))
      return false
    },
    block(at) {
      if (at < 0 || at > height) return undefined
      const { blocks } = read()
      if (!blocks.has(at)) throw new NotFetched([{ kind: 'block', height: at }])
      return blocks.get(at)
    },
    expect(outpoints) {
      const txids = [...new Set(outpoints.map(({ txid }) => txid))]
      const missing = txids.filter((txid) => known(txid) === 'missing')
      if (missing.length > 0) {
        throw new NotFetched(missing.map((txid) => ({ kind: 'transaction', txid })))
      }
      const coins = outpoints.filter(
        ({ txid, vout }) => isSpendable(transaction(txid), vout) && !isKnown(txid, vout),
      )
      if (coins.length > 0) throw new NotFetched(coins.map((it) => ({ kind: 'coin', ...it })))
    },
    unknown: () =>
      [...read().transactions].flatMap(([txid, found]) => (found === undefined ? txid : [])),
  }
}

function isSpendable(found: BaseTransaction | undefined, vout: number): boolean {
  const output = found?.stored.transaction.outputs[vout]
  return output !== undefined && !isUnspendable(output.script)
}
