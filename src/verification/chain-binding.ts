// For which chain a transaction is: nothing in it says so. What it comes from does.

import { type Finding, finding } from '../request/report.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { ReadyTerms } from './check-terms.ts'
import type { KnownTransactions } from './evidence.ts'

/**
 * Whether what is spent leads back to a transaction that the wallet knows to be on its chain. One
 * input is enough: it can be spent nowhere else, and a transaction spends all of its inputs.
 */
export function checkDescent(
  inputs: readonly Outpoint[],
  { onChain }: ReadyTerms,
  { byTxid }: KnownTransactions,
): Finding[] {
  if (onChain === undefined || descends(inputs, onChain, byTxid)) return []
  const expected = [...onChain].slice(0, shownMax).join(', ')
  return [finding('chain_unproven', 'inputs', { expected })]
}

/** Tokens and orders are on one chain, and bind what spends them; nothing else in an input does. */
export function checkBound({ spendable, onChain }: ReadyTerms): Finding[] {
  if (spendable !== undefined || onChain !== undefined) return []
  return [finding('chain_unbound', 'intent.spendable')]
}

const shownMax = 4

/** Each transaction is looked at once. */
function descends(
  inputs: readonly Outpoint[],
  onChain: ReadonlySet<string>,
  byTxid: KnownTransactions['byTxid'],
): boolean {
  const reached = new Set(inputs.map(({ txid }) => txid))
  for (const txid of reached) {
    if (onChain.has(txid)) return true
    for (const input of byTxid.get(txid)?.inputs ?? []) reached.add(input.txid)
  }
  return false
}
