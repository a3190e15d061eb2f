// Facts about the chain below a fork: those of one request, and those that stay for the next.

import { isNullOutpoint } from '../../transaction/coinbase.ts'
import type { BaseTransaction } from '../state/base-chain.ts'
import type { Block } from '../state/block.ts'
import type { UpstreamOutput } from './answers.ts'

/** The state of an output: absent if a block spends it. */
export type OutputFact = { readonly isSpentInMempool: boolean } | undefined

/** Facts that were fetched for one request. The next request asks for outputs again. */
export interface Facts {
  readonly transactions: Map<string, BaseTransaction | undefined>
  /** By outpoint. */
  readonly outputs: Map<string, OutputFact>
  readonly blocks: Map<number, Block | undefined>
}

export function noFacts(): Facts {
  return { transactions: new Map(), outputs: new Map(), blocks: new Map() }
}

/**
 * @param isInBlock - whether a block has the transaction that made the output
 * @param confirmed - the output in the chain
 * @param waiting - the output in the chain and the mempool
 */
export function outputFact(
  isInBlock: boolean,
  confirmed: UpstreamOutput | null,
  waiting: UpstreamOutput | null,
): OutputFact {
  return isInBlock && confirmed === null ? undefined : { isSpentInMempool: waiting === null }
}

/** The parents of the transactions in the facts, except those that are there already. */
export function parentsOf({ transactions }: Facts): string[] {
  const parents = new Set<string>()
  for (const found of transactions.values()) {
    for (const input of found?.stored.transaction.inputs ?? []) {
      if (!isNullOutpoint(input) && !transactions.has(input.txid)) parents.add(input.txid)
    }
  }
  return [...parents]
}
