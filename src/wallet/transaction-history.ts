// The history in which a mined transaction has to be. This is the history of the wallet's scripts,
// unless other keys can spend the coins of a submitted payment: it may pay no script of the wallet.

import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { isRpcError } from '../rpc/errors.ts'
import { mayPass } from '../rpc/retry.ts'
import type { Outpoint, TransactionOutput } from '../transaction/types.ts'
import { listedEntries } from './history.ts'
import { mayHaveCondition } from './own-scripts.ts'
import type { ViewContext } from './view.ts'

type HistoryContext = Pick<ViewContext, 'chain' | 'own' | 'known' | 'findings'>

/** The parts of a transaction by whose scripts a history lists it. */
export interface TransactionScripts {
  readonly inputs: readonly Outpoint[]
  readonly outputs: readonly Pick<TransactionOutput, 'script'>[]
}

export interface TransactionHistory {
  /** Oldest first; those in no block come last. */
  readonly listed: readonly HistoryEntry[]
  /** False if the transaction would not be listed even if a block had it. */
  readonly isWhole: boolean
}

/**
 * Adds to the history of the wallet's scripts that of the other scripts whose plain coins a
 * transaction spends. The histories of conditions are left out: orders of everyone have the same one.
 *
 * @param listed - the history of the wallet's scripts
 */
export async function historyOfTransaction(
  { chain, own, known, findings }: HistoryContext,
  { inputs, outputs }: TransactionScripts,
  listed: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<TransactionHistory> {
  const from = inputs.map(({ txid }) => txid)
  await known.fetch(from, options)
  const spent = inputs.flatMap(({ txid, vout }) => {
    const output = known.get(txid)?.outputs[vout]
    return output === undefined ? [] : [{ txid, script: output.script }]
  })
  const isWatched = [...outputs, ...spent].some(({ script }) => own.watches(script))
  const others = spent.filter(({ script }) => !own.watches(script) && !mayHaveCondition(script))
  if (others.length === 0) return { listed, isWhole: isWatched }
  const scripts = [...new Set(others.map(({ script }) => script))]
  const given = await historyOfOthers(chain, scripts, options)
  if (given === undefined) return { listed, isWhole: isWatched }
  const lastHeight = async () => (await chain.tip(options)).height
  const further = await listedEntries(given, findings, lastHeight)
  // A daemon has no index of some scripts. It then lists nothing, not even the coin.
  const found = new Set(further.map(({ txid }) => txid))
  const isWhole = isWatched || others.some(({ txid }) => found.has(txid))
  const byTxid = new Map([...further, ...listed].map((entry) => [entry.txid, entry]))
  const all = [...byTxid.values()].sort((one, other) => placeOf(one) - placeOf(other))
  return { listed: all, isWhole }
}

/** Returns `undefined` if the server refuses, for example because the history is too long. */
async function historyOfOthers(
  chain: ViewContext['chain'],
  scripts: readonly string[],
  options: ChainOptions,
): Promise<readonly HistoryEntry[] | undefined> {
  try {
    return await chain.history(scripts, options)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** A daemon that starts refuses nothing. An error of a quorum has those of its members. */
function isRefusal(error: unknown): boolean {
  if (!isRpcError(error) || (isRpcError(error, 'daemon') && mayPass(error))) return false
  const { kind, reason, earlierErrors = [] } = error
  return kind === 'daemon' || reason === 'reply_too_large' || earlierErrors.some(isRefusal)
}

const placeOf = ({ height }: HistoryEntry) => (height === 0 ? Number.POSITIVE_INFINITY : height)
