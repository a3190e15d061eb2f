// Results about the daemon and its mempool.

import * as v from 'valibot'
import {
  chosen,
  count,
  flag,
  hash256,
  hashes,
  hashName,
  hex,
  integer,
  measure,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  text,
  wideInteger,
} from '../fields.ts'

/** State of the node. `pubkey` is its identity for contract modules, if it has one. */
export interface NodeInfo extends Open {
  readonly version: number
  readonly protocolversion: number
  readonly KMDversion?: string
  readonly synced?: boolean
  readonly notarized?: number
  readonly prevMoMheight?: number
  readonly notarizedhash?: string
  readonly notarizedtxid?: string
  readonly notarizedtxid_height?: number | 'mempool'
  readonly KMDnotarized_height?: number
  readonly notarized_confirms?: number
  readonly walletversion?: number
  /** Satoshis: balance, interest, fees. */
  readonly balance?: bigint
  readonly interest?: bigint
  readonly blocks: number
  readonly longestchain?: number
  readonly timeoffset?: number
  readonly tiptime?: number
  readonly connections?: number
  readonly proxy?: string
  readonly difficulty?: number
  readonly testnet?: boolean
  readonly keypoololdest?: number
  readonly keypoolsize?: number
  readonly unlocked_until?: number
  readonly paytxfee?: bigint
  readonly relayfee?: bigint
  readonly sapling?: number
  readonly errors?: string
  readonly pubkey?: string
  /** `ac_cc` of the chain. */
  readonly CCid?: number
  readonly name?: string
  readonly p2pport?: number
  readonly rpcport?: number
  readonly magic?: number
  /** Whole coins. */
  readonly premine?: bigint
  readonly TokelVersion?: string
}

export const nodeInfo: Schema<NodeInfo> = v.looseObject({
  version: integer,
  protocolversion: integer,
  KMDversion: optional(text),
  synced: optional(flag),
  notarized: optional(integer),
  prevMoMheight: optional(integer),
  notarizedhash: optional(hash256),
  notarizedtxid: optional(hash256),
  notarizedtxid_height: optional(v.union([integer, v.literal('mempool')])),
  KMDnotarized_height: optional(integer),
  notarized_confirms: optional(integer),
  walletversion: optional(integer),
  balance: optional(satsFromCoins),
  interest: optional(satsFromCoins),
  blocks: count,
  longestchain: optional(integer),
  timeoffset: optional(integer),
  tiptime: optional(integer),
  connections: optional(integer),
  proxy: optional(text),
  difficulty: optional(measure),
  testnet: optional(flag),
  keypoololdest: optional(integer),
  keypoolsize: optional(integer),
  unlocked_until: optional(integer),
  paytxfee: optional(satsFromCoins),
  relayfee: optional(satsFromCoins),
  sapling: optional(integer),
  errors: optional(text),
  pubkey: optional(hex),
  CCid: optional(integer),
  name: optional(text),
  p2pport: optional(count),
  rpcport: optional(count),
  magic: optional(integer),
  premine: optional(wideInteger),
  TokelVersion: optional(text),
})

export interface MempoolEntry extends Open {
  readonly size: number
  /** Satoshis. */
  readonly fee: bigint
  readonly time: number
  readonly height: number
  readonly startingpriority: number
  readonly currentpriority: number
  readonly depends: readonly string[]
}

const mempoolEntries: Schema<Readonly<Record<string, MempoolEntry>>> = v.record(
  hashName,
  v.looseObject({
    size: count,
    fee: satsFromCoins,
    time: count,
    height: integer,
    startingpriority: measure,
    currentpriority: measure,
    depends: hashes,
  }),
)

/** Txids; with `verbose: true`, an entry for each. */
export type MempoolReply = readonly string[] | Readonly<Record<string, MempoolEntry>>

export const mempool: Schema<MempoolReply> = chosen<MempoolReply>((value) =>
  Array.isArray(value) ? hashes : mempoolEntries,
)
