// Proofs of inclusion for a verifier, with headers that lead to a known block.

import type { Checkpoint } from '../block/chains.ts'
import type { InclusionBranch, InclusionEvidence } from '../request/inclusion.ts'
import { isRpcError } from '../rpc/errors.ts'
import type { ChainOptions, ChainSource } from './source.ts'

/** A transaction without a proof, and why. */
export interface UnprovenTransaction {
  readonly txid: string
  /**
   * - `unconfirmed`  it is in no block, by the source
   * - `no-source`    the source gives no headers or proofs
   * - `too-far`      more headers than `headersMax` lie between its block and a known one
   * - `no-headers`   the source does not give all of these headers
   * - `does-not-hold` the proof does not show it; the chain may have changed, so ask again
   */
  readonly reason: 'unconfirmed' | 'no-source' | 'too-far' | 'no-headers' | 'does-not-hold'
}

export interface ProvenEvidence {
  readonly inclusion: readonly InclusionEvidence[]
  readonly unproven: readonly UnprovenTransaction[]
}

/** Headers that lead from the block of a transaction to a known one. */
interface Way {
  readonly start: number
  readonly end: number
}

/**
 * Fetches a proof for each transaction. Headers go from its block to the next known one, which then
 * commits to it; after the last known one they go from there to the last block.
 *
 * @param heights - of the blocks that the transactions are in, by txid
 */
export async function inclusionFrom(
  chain: ChainSource,
  heights: ReadonlyMap<string, number>,
  known: { readonly checkpoints: readonly Checkpoint[]; readonly tipHeight: number },
  { headersMax, ...options }: ChainOptions & { readonly headersMax: number },
): Promise<ProvenEvidence> {
  const unproven: UnprovenTransaction[] = []
  const ways = new Map<number, { way: Way; txids: string[] }>()
  const canProve = chain.headers !== undefined && chain.inclusion !== undefined
  for (const [txid, height] of heights) {
    const way = wayFrom(height, known)
    const reason =
      height === 0
        ? 'unconfirmed'
        : !canProve
          ? 'no-source'
          : way === undefined || way.end - way.start >= headersMax
            ? 'too-far'
            : undefined
    if (reason !== undefined) {
      unproven.push({ txid, reason })
      continue
    }
    const { start, end } = way!
    const other = ways.get(end)
    if (other === undefined) ways.set(end, { way: { start, end }, txids: [txid] })
    else {
      other.txids.push(txid)
      other.way = { start: Math.min(start, other.way.start), end }
    }
  }
  const inclusion: InclusionEvidence[] = []
  for (const { way, txids } of ways.values()) {
    const count = way.end - way.start + 1
    const { headers, sources } = await chain.headers!(way.start, count, options)
    if (headers.every((it) => it === '')) {
      for (const txid of txids) unproven.push({ txid, reason: 'no-headers' })
      continue
    }
    const proofs: InclusionBranch[] = []
    for (const txid of txids) {
      const proof = await branchOf(chain, txid, heights.get(txid)!, options)
      if (proof === undefined) unproven.push({ txid, reason: 'does-not-hold' })
      else proofs.push(proof)
    }
    inclusion.push({ headers, proofs, sources })
  }
  return { inclusion, unproven }
}

function wayFrom(
  height: number,
  { checkpoints, tipHeight }: { checkpoints: readonly Checkpoint[]; tipHeight: number },
): Way | undefined {
  const sorted = checkpoints.map((it) => it.height).sort((one, other) => one - other)
  const after = sorted.find((it) => it >= height && it <= tipHeight)
  if (after !== undefined) return { start: height, end: after }
  const before = sorted.findLast((it) => it < height)
  return before === undefined ? undefined : { start: before + 1, end: tipHeight }
}

async function branchOf(
  chain: ChainSource,
  txid: string,
  height: number,
  options: ChainOptions,
): Promise<InclusionBranch | undefined> {
  try {
    const { proof, fault } = await chain.inclusion!(txid, height, options)
    if (fault !== undefined) return undefined
    const { merkle, pos, coinbase } = proof
    return { txid, height, pos, merkle, ...(coinbase !== undefined && { coinbase }) }
  } catch (error) {
    // The server no longer has the transaction in this block.
    if (isRpcError(error, 'daemon')) return undefined
    throw error
  }
}
