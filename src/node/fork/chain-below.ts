// The chain that a forked node begins with: the headers of the daemon's last blocks.

import { sharedGenesis } from '../../block/chains.ts'
import { medianSpan } from '../../block/header-chain.ts'
import type { BaseChain } from '../state/base-chain.ts'
import { type Block, workOfBlock } from '../state/block.ts'
import type { Chain } from '../state/chain.ts'
import { genesisValue } from '../state/genesis.ts'
import { ordinal } from '../state/keys.ts'
import { withEntry } from '../state/ordered-map.ts'
import { emptyTables } from '../state/tables.ts'
import type { UpstreamHeader } from './answers.ts'
import { ForkError } from './fork-error.ts'
import type { Upstream } from './upstream.ts'

export interface DaemonTip {
  readonly height: number
  /** Headers of the last blocks, first to last: as many as the median time of the next one needs. */
  readonly headers: readonly UpstreamHeader[]
}

/** @throws {ForkError} `other_chain` for a chain that does not begin with the family's first block */
export async function requireFamily(upstream: Upstream): Promise<void> {
  const first = await upstream.hashAt(0)
  if (first === sharedGenesis) return
  throw new ForkError('other_chain', `the first block of the daemon's chain is ${first}`)
}

/**
 * Reads the last headers of the daemon. Each header names the hash of the one before it, so all of
 * them are as true as the last hash is.
 */
export async function tipOf(upstream: Upstream, hash: string): Promise<DaemonTip> {
  const height = await upstream.heightOf(hash)
  const from = Math.max(0, height - medianSpan + 1)
  const heights = Array.from({ length: height - from }, (_, at) => from + at)
  const headers = await upstream.headers([...(await upstream.hashesAt(heights)), hash])
  for (const [at, { previousHash }] of headers.slice(1).entries()) {
    if (headers[at]!.hash === previousHash) continue
    throw new ForkError('moving', `the blocks below ${hash} were replaced while they were read`)
  }
  return { height, headers }
}

/** Builds a chain whose blocks have headers alone. */
export function chainBelow(
  { height, headers }: DaemonTip,
  { base, supply }: { readonly base: BaseChain; readonly supply: bigint },
): Chain {
  let tip: Block | undefined
  let { hashes } = emptyTables
  for (const [at, header] of headers.entries()) {
    tip = headerBlock(header, height - headers.length + 1 + at, supply, tip)
    hashes = withEntry(hashes, ordinal(tip.height), tip.hash)
  }
  return { tip: tip!, tables: { ...emptyTables, hashes }, base }
}

/** A block without its transactions, which nobody asks a fork for. */
export function headerBlock(
  header: UpstreamHeader,
  height: number,
  supply: bigint,
  previous: Block | undefined,
): Block {
  return {
    ...header,
    height,
    previous,
    transactions: [],
    size: 0,
    work: workOfBlock,
    supply: supply + genesisValue,
    undo: [],
  }
}
