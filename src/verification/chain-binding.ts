// The chain that a transaction belongs to. Its own bytes do not name one; its ancestors show it.

import { type Finding, finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'

/**
 * Checks that an input descends from a transaction that the wallet knows to be on its chain. One
 * such input is enough: it exists on no other chain, and a transaction spends all of its inputs.
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

/** Warns if nothing binds the inputs to one chain. Tokens and orders do; plain coins do not. */
export function checkBound({ spendable, onChain }: ReadyTerms): Finding[] {
  if (spendable !== undefined || onChain !== undefined) return []
  return [finding('chain_unbound', 'intent.spendable')]
}

const shownMax = 4

/** Visits each transaction once. */
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
