// Results about blocks and the chain. An absent member is one that some daemon leaves out.

import * as v from 'valibot'
import {
  chosen,
  count,
  flag,
  hash256,
  hashes,
  hex,
  integer,
  measure,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  text,
  units,
  wideInteger,
} from '../fields.ts'
import {
  type DecodedTransactionReply,
  decodedTransaction,
  usableHex,
} from './transaction-results.ts'

/** Coins in a pool, or of the whole chain, in satoshis. */
export interface ValuePool extends Open {
  /** `transparent`, `sprout`, `sapling` or `burned`; absent for the whole chain. */
  readonly id?: string
  readonly monitored?: boolean
  readonly chainValue?: bigint
  readonly chainValueZat?: bigint
  /** The change by this block. */
  readonly valueDelta?: bigint
  readonly valueDeltaZat?: bigint
}

const valuePool = v.looseObject({
  id: optional(text),
  monitored: optional(flag),
  chainValue: optional(satsFromCoins),
  chainValueZat: optional(wideInteger),
  valueDelta: optional(satsFromCoins),
  valueDeltaZat: optional(wideInteger),
})

export interface BlockHeaderReply extends Open {
  readonly last_notarized_height?: number
  readonly hash: string
  /** -1 for a block that the best chain does not have; stays at 1 until it is notarised. */
  readonly confirmations: number
  /** Blocks from this one to the last, notarised or not. */
  readonly rawconfirmations?: number
  readonly height: number
  readonly version: number
  readonly merkleroot: string
  /** Empty for the first block. */
  readonly finalsaplingroot?: string
  readonly segid?: number
  readonly time: number
  readonly nonce: string
  readonly solution?: string
  readonly bits: string
  readonly difficulty: number
  /** Hashes that the chain up to this block took, hex. */
  readonly chainwork: string
  /** Absent for the first block. */
  readonly previousblockhash?: string
  /** Absent for the last block. */
  readonly nextblockhash?: string
}

const headerMembers = {
  last_notarized_height: optional(integer),
  hash: hash256,
  confirmations: integer,
  rawconfirmations: optional(integer),
  height: count,
  version: integer,
  merkleroot: hash256,
  finalsaplingroot: optional(hex),
  segid: optional(integer),
  time: count,
  nonce: hex,
  solution: optional(hex),
  bits: hex,
  difficulty: measure,
  chainwork: hex,
  previousblockhash: optional(hash256),
  nextblockhash: optional(hash256),
}

const headerObject: Schema<BlockHeaderReply> = v.looseObject(headerMembers)

/** The header; with `verbose: false`, its hex. */
export const blockHeader: Schema<string | BlockHeaderReply> = chosen<string | BlockHeaderReply>(
  (value) => (typeof value === 'string' ? usableHex : headerObject),
)

export interface BlockReply extends BlockHeaderReply {
  readonly size: number
  /** Txids in the block's order. */
  readonly tx: readonly string[]
  readonly anchor?: string
  readonly blocktype?: string
  readonly chainSupply?: ValuePool
  readonly valuePools?: readonly ValuePool[]
}

/** A block with its decoded transactions. */
export interface BlockWithTransactions extends Omit<BlockReply, 'tx'> {
  readonly tx: readonly DecodedTransactionReply[]
}

const blockMembers = {
  ...headerMembers,
  size: count,
  anchor: optional(hex),
  blocktype: optional(text),
  chainSupply: optional<ValuePool>(valuePool),
  valuePools: optional<readonly ValuePool[]>(v.array(valuePool)),
}

const blockOfTxids = v.looseObject({ ...blockMembers, tx: hashes })
const blockOfTransactions = v.looseObject({ ...blockMembers, tx: v.array(decodedTransaction) })

type AnyBlock = string | BlockReply | BlockWithTransactions

/** By verbosity: the hex, the block with txids, or the block with transactions. */
export const block: Schema<AnyBlock> = chosen<AnyBlock>((value) => {
  if (typeof value === 'string') return usableHex
  const { tx } = Object(value) as { readonly tx?: unknown }
  const isDecoded = Array.isArray(tx) && tx.length > 0 && typeof tx[0] !== 'string'
  return isDecoded ? blockOfTransactions : (blockOfTxids as Schema<AnyBlock>)
})

export interface SoftForkReply extends Open {
  readonly id: string
  readonly version: number
}

/** State of the chain as the daemon sees it. */
export interface BlockchainInfo extends Open {
  readonly chain: string
  readonly blocks: number
  readonly synced?: boolean
  /** Height of the best header that the daemon knows. */
  readonly headers: number
  readonly bestblockhash: string
  readonly difficulty: number
  readonly verificationprogress: number
  readonly chainwork: string
  readonly pruned?: boolean
  readonly size_on_disk?: bigint
  readonly commitments?: number
  readonly chainSupply?: ValuePool
  readonly valuePools?: readonly ValuePool[]
  readonly softforks?: readonly SoftForkReply[]
  readonly upgrades?: Open
  /** Branch ids by which the last and the next block are verified. */
  readonly consensus?: { readonly chaintip: string; readonly nextblock: string }
}

export const blockchainInfo: Schema<BlockchainInfo> = v.looseObject({
  chain: text,
  blocks: count,
  synced: optional(flag),
  headers: integer,
  bestblockhash: hash256,
  difficulty: measure,
  verificationprogress: measure,
  chainwork: hex,
  pruned: optional(flag),
  size_on_disk: optional(units),
  commitments: optional(integer),
  chainSupply: optional<ValuePool>(valuePool),
  valuePools: optional<readonly ValuePool[]>(v.array(valuePool)),
  softforks: optional<readonly SoftForkReply[]>(
    v.array(v.looseObject({ id: text, version: integer })),
  ),
  upgrades: optional<Open>(v.looseObject({})),
  consensus: optional(v.looseObject({ chaintip: hex, nextblock: hex })),
})

/** The last block of a branch. */
export interface ChainTipReply extends Open {
  readonly height: number
  readonly hash: string
  /** Blocks that the best chain does not have; 0 for the best chain itself. */
  readonly branchlen: number
  /** `active`, `valid-fork`, `valid-headers`, `headers-only` or `invalid`. */
  readonly status: string
}

export const chainTips: Schema<readonly ChainTipReply[]> = v.array(
  v.looseObject({ height: count, hash: hash256, branchlen: count, status: text }),
)

export interface ChainStatistics extends Open {
  readonly time: number
  readonly txcount: number
  readonly window_final_block_hash?: string
  readonly window_block_count: number
  readonly window_tx_count?: number
  readonly window_interval?: number
  /** Transactions in a second. */
  readonly txrate?: number
}

export const chainStatistics: Schema<ChainStatistics> = v.looseObject({
  time: count,
  txcount: count,
  window_final_block_hash: optional(hash256),
  window_block_count: count,
  window_tx_count: optional(count),
  window_interval: optional(integer),
  txrate: optional(measure),
})

/** All unspent outputs together; `total_amount` in satoshis. */
export interface OutputSet extends Open {
  readonly height: number
  readonly bestblock: string
  readonly transactions: number
  readonly txouts: number
  readonly total_amount: bigint
}

export const outputSet: Schema<OutputSet> = v.looseObject({
  height: count,
  bestblock: hash256,
  transactions: count,
  txouts: count,
  bytes_serialized: optional(count),
  hash_serialized: optional(hex),
  total_amount: satsFromCoins,
})

/** Coins of the chain at a height, in satoshis; only `error` for a height that it does not have. */
export interface CoinSupply extends Open {
  readonly coin?: string
  readonly height?: number
  readonly supply?: bigint
  readonly zfunds?: bigint
  readonly sprout?: bigint
  readonly total?: bigint
  readonly error?: string
}

export const coinSupply: Schema<CoinSupply> = v.looseObject({
  coin: optional(text),
  height: optional(count),
  supply: optional(satsFromCoins),
  zfunds: optional(satsFromCoins),
  sprout: optional(satsFromCoins),
  total: optional(satsFromCoins),
  error: optional(text),
})

/** Coins that a block creates, in satoshis. */
export interface BlockSubsidy extends Open {
  readonly miner: bigint
}

export const blockSubsidy: Schema<BlockSubsidy> = v.looseObject({ miner: satsFromCoins })

/** A block and its time, at least a second after that of the block before it. */
export interface BlockTime extends Open {
  readonly blockhash: string
  readonly logicalts: number
}

const blockTimes: Schema<readonly BlockTime[]> = v.array(
  v.looseObject({ blockhash: hash256, logicalts: count }),
)

/** Hashes; with `logicalTimes`, hashes and times. */
export const blockHashes: Schema<readonly string[] | readonly BlockTime[]> = chosen<
  readonly string[] | readonly BlockTime[]
>((value) =>
  Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null ? blockTimes : hashes,
)

export interface NotarizedConfirmed extends Open {
  readonly result: boolean
}

export const notarizedConfirmed: Schema<NotarizedConfirmed> = v.looseObject({ result: flag })
