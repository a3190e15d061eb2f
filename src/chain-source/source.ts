import type { InclusionFault, InclusionProof } from '../block/inclusion.ts'
import type { Network } from '../chain/network.ts'
import type { FirstBlockOptions } from '../rpc/first-block.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { SourceFinding } from './source-findings.ts'

/** The last block of a chain, as a source reports it. */
export interface ChainTip {
  readonly height: number
  /** Seconds since 1970. */
  readonly time: number
  /** Display order. */
  readonly hash?: string
}

/** An output that a source reports as unspent. */
export interface UnspentOutput extends Outpoint {
  /** Height of its block; 0 while it is in none. */
  readonly height: number
  /**
   * Satoshis or units, if the server reports them. The wallet reads the bytes instead, and names a
   * difference.
   */
  readonly value?: bigint
}

/** A transaction that a source reports as one that pays or spends a watched script. */
export interface HistoryEntry {
  readonly txid: string
  /** Height of its block; 0 while it is in none. */
  readonly height: number
}

/** A transaction, and the script of an output that it has. */
export interface PaidScript {
  readonly txid: string
  readonly script: string
}

/** A proof that a transaction is in the block of a header, as far as it holds. */
export interface ProvenInclusion {
  readonly proof: InclusionProof
  /** Bytes of the header, hex. It is not checked: use `verifyHeaderChain`. */
  readonly header: string
  /** Why the proof does not show it; absent if it does. */
  readonly fault?: InclusionFault
}

/** Headers that follow each other, as far as a source has them. They are not checked. */
export interface SourceHeaders {
  /** Hex, several headers in each text. */
  readonly headers: readonly string[]
  /** The servers that returned the same headers. */
  readonly sources: readonly string[]
}

export interface ChainOptions {
  /** Ends the call; it rejects with an `RpcError` of kind `aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** Options of the question for the chain. */
export interface SameChainOptions extends ChainOptions, FirstBlockOptions {}

/** Options of a call that returns a list. */
export interface ListOptions extends ChainOptions {
  /**
   * The most entries of a list that the caller takes. A source that asks for a list in parts may end
   * the call once it has more.
   */
  readonly entriesMax?: number | undefined
}

/**
 * A chain as a server reports it. The wallet trusts no answer: it hashes every transaction and
 * reads amounts and scripts from the bytes alone. A source can still leave something out, report a
 * spent output as unspent, refuse, or delay.
 *
 * A call that fails rejects with an `RpcError`. Of `broadcast`, kind `daemon` means that the server
 * refused the transaction; any error with `uncertain: true` means that it may have sent it on. An
 * empty list means that the chain has nothing, never that a server refused.
 */
export interface ChainSource {
  /** Names the source in findings, such as `daemon 127.0.0.1:7771`. */
  readonly name: string
  /**
   * The servers behind this source, one of which answers. Sources of a `quorum` must not share one.
   */
  readonly servers?: readonly string[]
  /** The networks in whose addresses it asks servers; absent if it asks for scripts. */
  readonly networks?: readonly Network[]
  tip(options?: ChainOptions): Promise<ChainTip>
  /** Outputs that pay the scripts and that no transaction spends, in blocks or waiting for one. */
  unspent(scripts: readonly string[], options?: ListOptions): Promise<readonly UnspentOutput[]>
  /** Transactions that pay or spend the scripts, oldest first; those in no block come last. */
  history(scripts: readonly string[], options?: ListOptions): Promise<readonly HistoryEntry[]>
  /** Raw hex in the order of the txids; `undefined` for each that the source does not have. */
  transactions(
    txids: readonly string[],
    options?: ChainOptions,
  ): Promise<readonly (string | undefined)[]>
  /** @returns the txid, as the server reports it */
  broadcast(hex: string, options?: ChainOptions): Promise<string>
  /**
   * Returns the heights of the blocks of transactions, and 0 for those in no block. A source has
   * this method only if it can do so without the history of scripts. Unknown transactions are
   * absent.
   */
  heights?(
    transactions: readonly PaidScript[],
    options?: ChainOptions,
  ): Promise<ReadonlyMap<string, number>>
  /** Proves that a transaction is in the block of a height, where the source can. */
  inclusion?(txid: string, height: number, options?: ChainOptions): Promise<ProvenInclusion>
  /** Gives headers from a height on, where the source can. */
  headers?(start: number, count: number, options?: ChainOptions): Promise<SourceHeaders>
  /** Contradictions that the source itself has noticed. */
  findings?(): readonly SourceFinding[]
  /**
   * Returns the hash of block 1, which differs between asset chains: they share the genesis block.
   *
   * @param options - `firstBlock` names the chain, unless the source has a name for it. From then on,
   *   the source uses no server that shows another block 1
   */
  chain?(options?: SameChainOptions): Promise<string | undefined>
}
