// Results of the address index and the spent index, which a daemon keeps only if it is told to.

import * as v from 'valibot'
import {
  chosen,
  count,
  hash256,
  type Open,
  optional,
  type Schema,
  text,
  units,
  wideInteger,
} from '../fields.ts'

/** Satoshis of the given addresses together. */
export interface AddressBalance extends Open {
  readonly balance: bigint
  /** Everything that they ever received, change included. */
  readonly received: bigint
}

export const addressBalance: Schema<AddressBalance> = v.looseObject({
  balance: wideInteger,
  received: units,
})

/** One change of an address. Satoshis are negative if they were spent. */
export interface AddressDelta extends Open {
  readonly address: string
  readonly txid: string
  /** Position among the outputs, or among the inputs if it is spent. */
  readonly index: number
  readonly blockindex: number
  readonly height: number
  readonly satoshis: bigint
}

const deltas = v.array(
  v.looseObject({
    address: text,
    txid: hash256,
    index: count,
    blockindex: count,
    height: count,
    satoshis: wideInteger,
  }),
)

export interface AddressDeltasWithRange extends Open {
  readonly deltas: readonly AddressDelta[]
  readonly start: { readonly hash: string; readonly height: number }
  readonly end: { readonly hash: string; readonly height: number }
}

const place = v.looseObject({ hash: hash256, height: count })
const deltasWithRange: Schema<AddressDeltasWithRange> = v.looseObject({
  deltas,
  start: place,
  end: place,
})

/** A list; with `chainInfo: true` and a range, an object with the list and its ends. */
export type AddressDeltasReply = readonly AddressDelta[] | AddressDeltasWithRange

export const addressDeltas: Schema<AddressDeltasReply> = chosen<AddressDeltasReply>((value) =>
  Array.isArray(value) ? deltas : deltasWithRange,
)

/** One change that waits for a block. */
export interface AddressMempoolDelta extends Open {
  readonly address: string
  readonly txid: string
  readonly index: number
  /** Negative if it is spent. */
  readonly satoshis: bigint
  readonly timestamp: number
  /** The output that is spent; absent for one that is made. */
  readonly prevtxid?: string
  readonly prevout?: number
}

export const addressMempool: Schema<readonly AddressMempoolDelta[]> = v.array(
  v.looseObject({
    address: text,
    txid: hash256,
    index: count,
    satoshis: wideInteger,
    timestamp: count,
    prevtxid: optional(hash256),
    prevout: optional(count),
  }),
)

/** The input that spends an output. */
export interface SpentInfo extends Open {
  readonly txid: string
  readonly index: number
  readonly height: number
}

export const spentInfo: Schema<SpentInfo> = v.looseObject({
  txid: hash256,
  index: count,
  height: count,
})
