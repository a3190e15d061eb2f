// Results about the daemon's mempool, peers and mining.

import * as v from 'valibot'
import {
  count,
  flag,
  hex,
  integer,
  measure,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  text,
} from '../fields.ts'

export interface MempoolInfo extends Open {
  /** Transactions that wait for a block. */
  readonly size: number
  readonly bytes: number
  /** Bytes of memory. */
  readonly usage: number
}

export const mempoolInfo: Schema<MempoolInfo> = v.looseObject({
  size: count,
  bytes: count,
  usage: count,
})

export interface NetworkReach extends Open {
  /** `ipv4`, `ipv6`, `onion`. */
  readonly name: string
  readonly limited: boolean
  readonly reachable: boolean
}

export interface NetworkInfo extends Open {
  readonly version: number
  readonly subversion: string
  readonly protocolversion: number
  readonly localservices?: string
  readonly timeoffset: number
  readonly connections: number
  readonly networks: readonly NetworkReach[]
  /** Satoshis for 1,000 bytes, below which the daemon relays nothing. */
  readonly relayfee: bigint
  /** Empty if there is none. It may be the server's own text: do not show it unescaped. */
  readonly warnings?: string
}

export const networkInfo: Schema<NetworkInfo> = v.looseObject({
  version: integer,
  subversion: text,
  protocolversion: integer,
  localservices: optional(hex),
  timeoffset: integer,
  connections: count,
  networks: v.array(v.looseObject({ name: text, limited: flag, reachable: flag })),
  relayfee: satsFromCoins,
  warnings: optional(text),
})

export interface PeerInfo extends Open {
  readonly id: number
  readonly addr: string
  readonly version: number
  readonly subver: string
  readonly inbound: boolean
  readonly startingheight: number
  readonly synced_headers?: number
  readonly synced_blocks?: number
  readonly banscore?: number
}

export const peers: Schema<readonly PeerInfo[]> = v.array(
  v.looseObject({
    id: integer,
    addr: text,
    version: integer,
    subver: text,
    inbound: flag,
    startingheight: integer,
    synced_headers: optional(integer),
    synced_blocks: optional(integer),
    banscore: optional(integer),
    pingtime: optional(measure),
  }),
)

export interface NetTotals extends Open {
  readonly totalbytesrecv: number
  readonly totalbytessent: number
  /** Milliseconds since 1970. */
  readonly timemillis: number
}

export const netTotals: Schema<NetTotals> = v.looseObject({
  totalbytesrecv: count,
  totalbytessent: count,
  timemillis: count,
})

export interface MiningInfo extends Open {
  readonly blocks: number
  readonly difficulty: number
  readonly pooledtx: number
  readonly chain: string
  readonly errors?: string
  readonly generate?: boolean
}

export const miningInfo: Schema<MiningInfo> = v.looseObject({
  blocks: count,
  difficulty: measure,
  pooledtx: count,
  chain: text,
  errors: optional(text),
  generate: optional(flag),
})
