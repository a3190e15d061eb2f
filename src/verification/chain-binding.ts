// The chain that a transaction belongs to. Its own bytes do not name one; its ancestors show it.

import { type Finding, finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import type { Outpoint } from '../transaction/types.ts'
import { namesNoOutput } from './ancestor-rules.ts'
import type { KnownTransactions } from './evidence.ts'
import type { CheckedInclusion } from './rules.ts'

/**
 * Checks that an input descends from a transaction that the wallet knows to be on its chain. Where
 * the request names the chain by blocks, it must descend from one that is proven to be in it. One
 * such input is enough: it exists on no other chain, and a transaction spends all of its inputs.
 */
export function checkDescent(
  inputs: readonly Outpoint[],
  { onChain, chain }: ReadyTerms,
  { byTxid }: KnownTransactions,
  { bound }: CheckedInclusion,
): Finding[] {
  const findings: Finding[] = []
  if (onChain !== undefined && !descends(inputs, onChain, byTxid)) {
    const expected = [...onChain].slice(0, shownMax).join(', ')
    findings.push(finding('chain_unproven', 'inputs', { expected }))
  }
  if (chain !== undefined && !descends(inputs, bound, byTxid)) {
    const heights = chain.checkpoints.slice(-shownMax).map(({ height }) => height)
    const expected = `a proof that leads to a known block, of height ${heights.join(', ')}`
    findings.push(finding('chain_unproven', 'inputs', { expected }))
  }
  return findings
}

/** Warns if nothing binds the inputs to one chain. Tokens and orders do; plain coins do not. */
export function checkBound(
  inputs: readonly Outpoint[],
  { spendable, onChain, chain }: ReadyTerms,
  { byTxid }: KnownTransactions,
  { bound }: CheckedInclusion,
): Finding[] {
  // A demand of the request that nothing shows is a reject already.
  if (spendable !== undefined || onChain !== undefined || chain !== undefined) return []
  if (descends(inputs, bound, byTxid)) return []
  return [finding('chain_unbound', 'intent.spendable')]
}

const shownMax = 4

/**
 * Visits each transaction once. A coin import names a transaction of the chain that it comes from,
 * and spends no output of it, so the way ends there.
 */
function descends(
  inputs: readonly Outpoint[],
  from: ReadonlySet<string>,
  byTxid: KnownTransactions['byTxid'],
): boolean {
  if (from.size === 0) return false
  const reached = new Set<string>()
  const reach = (spent: readonly Outpoint[]) => {
    for (const input of spent) if (!namesNoOutput(input)) reached.add(input.txid)
  }
  reach(inputs)
  for (const txid of reached) {
    if (from.has(txid)) return true
    reach(byTxid.get(txid)?.inputs ?? [])
  }
  return false
}
