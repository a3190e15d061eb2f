// When a recorded transaction can no longer be mined.

import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import { depthMax } from '../journal/recorded-payment.ts'
import type { Attempt } from '../rpc/safe-flow/attempts.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { isExpired } from './places.ts'
import type { TransactionHistory, TransactionScripts } from './transaction-history.ts'

/** The answers of a chain source about the wallet's transactions. */
export interface ShownByChain {
  readonly chain: ChainSource
  /** Reads the history in which a transaction has to be. */
  historyOf(transaction: TransactionScripts, options: ChainOptions): Promise<TransactionHistory>
  /** Returns the listed transaction that spends an output, with its height. */
  spenderOf(
    outpoint: string,
    options: ChainOptions,
  ): Promise<{ readonly txid: string; readonly height: number } | undefined>
}

/** Returns true for one that has expired, or whose coins another has spent for good. */
export async function isDeadAttempt(
  { chain, historyOf, spenderOf }: ShownByChain,
  { txid, hex, outpoints }: Attempt,
  options: ChainOptions,
): Promise<boolean> {
  const { height } = await chain.tip(options)
  const transaction = await readTransaction(hex)
  if (isExpired(transaction, height)) {
    const { listed, isWhole } = await historyOf(transaction!, options)
    // A source may list a mined transaction and withhold its bytes.
    if (listed.some((it) => it.txid === txid && it.height > 0)) return false
    // A block may have it while no history of this wallet shows it.
    if (isWhole) return true
  }
  for (const outpoint of outpoints) {
    const spender = await spenderOf(outpoint, options)
    if (spender === undefined || spender.txid === txid || spender.height === 0) continue
    if (height >= spender.height + depthMax) return true
  }
  return false
}
