// The methods of the Electrum protocol that the client calls, and the schemas of their results.

import * as v from 'valibot'
import type { JsonValue } from '../primitives/json.ts'
import {
  anything,
  count,
  hash256,
  hex,
  integer,
  type Open,
  optional,
  type Schema,
  text,
  units,
} from '../rpc/fields.ts'

/** The description that a server gives of itself, which is not checked. */
export interface ServerFeatures extends Open {
  readonly genesis_hash: string
  readonly hash_function?: string
  readonly server_version: string
  readonly protocol_min: string
  readonly protocol_max: string
}

/** An output that a server calls unspent. */
export interface ElectrumCoin {
  readonly tx_hash: string
  readonly tx_pos: number
  /** Height of its block; 0 if it is in no block, whether its inputs are in blocks or not. */
  readonly height: number
  /** Satoshis, as the server reports them. */
  readonly value: bigint
}

/** A transaction that pays or spends a script. */
export interface ElectrumHistoryEntry {
  readonly tx_hash: string
  /** Height of its block; 0 if it is in no block; -1 if an input is in no block either. */
  readonly height: number
  /** Satoshis; only of transactions in no block. */
  readonly fee?: bigint
}

/** A branch of hashes from a transaction to the Merkle root of its block. */
export interface ElectrumMerkle {
  readonly block_height: number
  /** Display order, from the bottom. */
  readonly merkle: readonly string[]
  readonly pos: number
}

/** The transaction at a place in a block, and its branch. */
export interface ElectrumPlace {
  readonly tx_hash: string
  /** Display order, from the bottom. */
  readonly merkle: readonly string[]
}

export interface ElectrumHeaders {
  /** Hex of headers that follow each other. */
  readonly hex: string
  readonly count: number
  /** How many headers the server gives at most. */
  readonly max: number
}

export interface ElectrumTip {
  readonly height: number
  /** The header of the last block, hex. */
  readonly hex: string
}

const coin: Schema<ElectrumCoin> = v.object({
  tx_hash: hash256,
  tx_pos: count,
  height: integer,
  value: units,
})

const historyEntry: Schema<ElectrumHistoryEntry> = v.object({
  tx_hash: hash256,
  height: integer,
  fee: optional(units),
})

/** Protocol 1.6 has a list in place of one text. */
const headers: Schema<ElectrumHeaders> = v.union([
  v.object({ hex, count, max: count }),
  v.pipe(
    v.object({ headers: v.array(hex), count, max: count }),
    v.transform(({ headers: list, ...rest }) => ({ ...rest, hex: list.join('') })),
  ),
])

const features: Schema<ServerFeatures> = v.looseObject({
  genesis_hash: hash256,
  server_version: text,
  protocol_min: text,
  protocol_max: text,
}) as Schema<ServerFeatures>

const tip: Schema<ElectrumTip> = v.object({ height: count, hex })

/** The status of a script: a hash of its history, or null where it has none. */
const status: Schema<string | null> = v.nullable(hash256)

/** 2016 headers of 1487 bytes in hex, the most that servers give at once. */
const listBytesMax = 8_000_000
/** A transaction of 200,000 bytes in hex. */
const transactionBytesMax = 500_000
const smallBytesMax = 65_536

interface Row<T> {
  readonly result: Schema<T>
  /** Longest answer in bytes. */
  readonly bytesMax: number
}

const small = <T>(result: Schema<T>): Row<T> => ({ result, bytesMax: smallBytesMax })
const list = <T>(result: Schema<T>): Row<T> => ({ result, bytesMax: listBytesMax })

/** The answers of the methods that the client knows. */
export interface ElectrumResults {
  'blockchain.block.header': string
  'blockchain.block.headers': ElectrumHeaders
  'blockchain.headers.subscribe': ElectrumTip
  'blockchain.scripthash.get_history': ElectrumHistoryEntry[]
  'blockchain.scripthash.listunspent': ElectrumCoin[]
  'blockchain.scripthash.subscribe': string | null
  'blockchain.transaction.broadcast': string
  'blockchain.transaction.get': string
  'blockchain.transaction.get_merkle': ElectrumMerkle
  /** With `true` as the third parameter. */
  'blockchain.transaction.id_from_pos': ElectrumPlace
  'server.features': ServerFeatures
  'server.ping': JsonValue
  'server.version': readonly [string, string]
}

export type ElectrumMethod = keyof ElectrumResults

/**
 * The form and the size of each answer.
 *
 * @see spesmilo/electrum-protocol, Protocol Methods
 */
export const electrumMethods: {
  readonly [Method in ElectrumMethod]: Row<ElectrumResults[Method]>
} = {
  'blockchain.block.header': small(hex),
  'blockchain.block.headers': list(headers),
  'blockchain.headers.subscribe': small(tip),
  'blockchain.scripthash.get_history': list(v.array(historyEntry)),
  'blockchain.scripthash.listunspent': list(v.array(coin)),
  'blockchain.scripthash.subscribe': small(status),
  'blockchain.transaction.broadcast': small(hash256),
  'blockchain.transaction.get': { result: hex, bytesMax: transactionBytesMax },
  'blockchain.transaction.get_merkle': small(
    v.object({ block_height: count, merkle: v.array(hash256), pos: count }),
  ),
  'blockchain.transaction.id_from_pos': small(
    v.object({ tx_hash: hash256, merkle: v.array(hash256) }),
  ),
  'server.features': small(features),
  'server.ping': small(anything),
  'server.version': small(v.tuple([text, text])),
}

/** The method of each kind of notification, and what identifies the subscription. */
export const subscriptionMethods = {
  headers: 'blockchain.headers.subscribe',
  script: 'blockchain.scripthash.subscribe',
} as const
