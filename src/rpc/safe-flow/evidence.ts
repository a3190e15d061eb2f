// Fetches previous transactions and ancestors, hashes them, and bounds their size.

import { transactionBytesMax } from '../../chain/limits.ts'
import { append } from '../../primitives/append.ts'
import { inSlices, type Steps } from '../../primitives/steps.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError, type RpcErrorKind } from '../errors.ts'
import type { FrameworkClient } from '../framework/client.ts'
import type { CallOptions } from '../options.ts'
import { callOptions, reportProgress, type SafeFlowOptions } from './options.ts'
import { loadReader, readTransaction, worthwhileInputs } from './transaction.ts'

/** A transaction that the verification had to do without. */
export interface RefusedEvidence {
  readonly txid: string
  /**
   * - `unknown`           the daemon does not have it, or refuses to give it
   * - `too-large`         its answer is larger than any transaction
   * - `other-transaction` its answer is not a transaction, or has another id
   * - `over-sum`          with it, all together would exceed the sum that is kept
   */
  readonly reason: 'unknown' | 'too-large' | 'other-transaction' | 'over-sum'
}

/** Fetched transactions. Each is hashed and matches the txid that was requested. */
export interface Fetched {
  readonly byTxid: ReadonlyMap<string, string>
  readonly refused: readonly RefusedEvidence[]
  has(txid: string): boolean
  /** Fetches the transactions that were not requested before. */
  fetch(txids: readonly string[]): Promise<void>
}

/** Largest sum of bytes of the transactions that one verification keeps. */
export const evidenceBytesMax = 8_000_000
/** Parallel requests: one less than the daemon's threads for calls. */
const fetchersMax = 3

export function createFetched(read: TransactionSource, options: SafeFlowOptions): Fetched {
  const byTxid = new Map<string, string>()
  const refused: RefusedEvidence[] = []
  const requested = new Set<string>()
  let bytesLeft = evidenceBytesMax
  let done = 0

  const one = async (txid: string): Promise<RefusedEvidence['reason'] | undefined> => {
    if (bytesLeft <= 0) return 'over-sum'
    const reply = await read(txid)
    if (typeof reply !== 'string') return reply.reason
    const bytes = reply.length / 2
    if (bytes > transactionBytesMax) return 'too-large'
    if ((await readTransaction(reply))?.txid !== txid) return 'other-transaction'
    if (bytes > bytesLeft) {
      bytesLeft = 0
      return 'over-sum'
    }
    bytesLeft -= bytes
    byTxid.set(txid, reply)
    return undefined
  }

  return {
    byTxid,
    refused,
    has: (txid) => requested.has(txid),
    async fetch(txids) {
      const wanted = [...new Set(txids)].filter((txid) => !requested.has(txid))
      for (const txid of wanted) requested.add(txid)
      let next = 0
      const fetchSome = async (): Promise<void> => {
        for (let txid = wanted[next++]; txid !== undefined; txid = wanted[next++]) {
          const reason = await one(txid)
          if (reason !== undefined) refused.push({ txid, reason })
          reportProgress(options, { step: 'fetching', done: ++done, total: requested.size })
        }
      }
      await Promise.all(Array.from({ length: Math.min(fetchersMax, wanted.length) }, fetchSome))
    },
  }
}

const ancestorsMaxDefault = 300

/**
 * Fetches the ancestors of the spent tokens, back to their creations and what funded these, within
 * `ancestorsMax`. The verifier reports what remains unproven.
 */
export async function fetchAncestors(
  hex: string,
  tokenids: readonly string[],
  fetched: Fetched,
  options: SafeFlowOptions,
): Promise<void> {
  const parentsOf = await loadParentsReader()
  let left = options.ancestorsMax ?? ancestorsMaxDefault
  // The transaction that made a coin proves the coin, so only token inputs are followed further.
  let generation = [...new Set(parentsOf(hex, true))]
  const seen = new Set(generation)
  while (generation.length > 0) {
    const parents = await inSlices(parentsOfAll(generation), options)
    const unseen = [...new Set(parents)].filter((txid) => !seen.has(txid))
    for (const txid of unseen) seen.add(txid)
    const wanted = unseen.filter((txid) => !fetched.has(txid)).slice(0, left)
    left -= wanted.length
    await fetched.fetch(wanted)
    generation = unseen
  }

  function* parentsOfAll(txids: readonly string[]): Steps<string[]> {
    const parents: string[] = []
    for (const txid of txids) {
      const raw = fetched.byTxid.get(txid)
      if (raw === undefined) continue
      append(parents, parentsOf(raw, !tokenids.includes(txid)))
      yield
    }
    return parents
  }
}

/**
 * Returns a reader of the outputs that a transaction spends: all of them, or only those under
 * conditions, as tokens are.
 */
async function loadParentsReader(): Promise<(hex: string, onlyConditions: boolean) => string[]> {
  const { decodeConditionScriptSigs } = await import('../../script/read-condition-script.ts')
  const read = await loadReader()
  return (hex, onlyConditions) => {
    const inputs = worthwhileInputs(read(hex))
    if (!onlyConditions) return inputs.map(({ txid }) => txid)
    const fulfilled = decodeConditionScriptSigs(inputs.map(({ scriptSig }) => scriptSig))
    return inputs.flatMap(({ txid }, index) => (fulfilled[index] === undefined ? [] : [txid]))
  }
}

/** Returns a server's copy of a transaction in hex, or the reason why there is none. */
export type TransactionSource = (
  txid: string,
) => Promise<string | { readonly reason: RefusedEvidence['reason'] }>

export function daemonSource(client: DaemonClient, options: CallOptions): TransactionSource {
  const limits = callOptions(options)
  return (txid) => hexOrReason('daemon', () => client.getrawtransaction({ txid }, limits))
}

export function frameworkSource(
  client: FrameworkClient,
  coin: string,
  options: CallOptions,
): TransactionSource {
  const limits = callOptions(options)
  return (txid) =>
    hexOrReason('framework', async () => {
      const { tx_hex } = await client.getRawTransaction({ coin, tx_hash: txid }, limits)
      return tx_hex
    })
}

async function hexOrReason(
  refusal: RpcErrorKind,
  ask: () => Promise<string>,
): ReturnType<TransactionSource> {
  try {
    const hex: unknown = await ask()
    return typeof hex === 'string' ? hex : { reason: 'other-transaction' }
  } catch (error) {
    if (isRpcError(error, refusal)) return { reason: 'unknown' }
    if (!isRpcError(error, 'shape')) throw error
    return { reason: error.reason === 'reply_too_large' ? 'too-large' : 'other-transaction' }
  }
}
