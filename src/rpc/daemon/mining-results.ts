// Results of methods for miners. Amounts are satoshis.

import * as v from 'valibot'
import {
  chosen,
  count,
  flag,
  hash256,
  hex,
  integer,
  nothing,
  type Open,
  optional,
  type Schema,
  text,
  units,
  wideInteger,
} from '../fields.ts'

/** A transaction of a template. */
export interface TemplateTransaction extends Open {
  /** The whole transaction, hex. */
  readonly data: string
  /** Its txid. */
  readonly hash: string
  /** Positions from 1 of the transactions that it spends from. */
  readonly depends: readonly number[]
  /** Satoshis. The coinbase has the sum of all fees as a negative number. */
  readonly fee: bigint
  readonly sigops: number
}

export interface TemplateCoinbase extends TemplateTransaction {
  readonly coinbasevalue: bigint
  readonly foundersreward?: bigint
  readonly required: boolean
}

export interface BlockTemplate extends Open {
  readonly capabilities: readonly string[]
  readonly version: number
  readonly previousblockhash: string
  /** Absent from daemons without shielded coins. */
  readonly finalsaplingroothash?: string
  readonly transactions: readonly TemplateTransaction[]
  /** Absent in the mode `disablecb`, which has the coinbase as the first transaction. */
  readonly coinbasetxn?: TemplateCoinbase
  readonly longpollid: string
  /** The hash of a solved block is at most this number. */
  readonly target: string
  readonly mintime: number
  readonly mutable: readonly string[]
  readonly noncerange: string
  readonly sigoplimit: number
  readonly sizelimit: number
  readonly curtime: number
  readonly bits: string
  readonly height: number
}

const transactionMembers = {
  data: hex,
  hash: hash256,
  depends: v.array(count),
  fee: wideInteger,
  sigops: integer,
}

export const blockTemplate: Schema<BlockTemplate> = v.looseObject({
  capabilities: v.array(text),
  version: integer,
  previousblockhash: hash256,
  finalsaplingroothash: optional(hash256),
  transactions: v.array(v.looseObject(transactionMembers)),
  coinbasetxn: optional(
    v.looseObject({
      ...transactionMembers,
      coinbasevalue: units,
      foundersreward: optional(units),
      required: flag,
    }),
  ),
  longpollid: text,
  target: hash256,
  mintime: count,
  mutable: v.array(text),
  noncerange: hex,
  sigoplimit: count,
  sizelimit: count,
  curtime: count,
  bits: hex,
  height: count,
})

export const blockRefusal: Schema<string | null> = chosen<string | null>((value) =>
  value === null ? nothing : text,
)

/** A notary and the blocks that it mined. */
export interface NotaryBlocks extends Open {
  /** Absent, like `KMDaddress`, from the last item, which counts the blocks of all others. */
  readonly notaryid?: number
  readonly KMDaddress?: string
  /** Public key, or `external miners`. */
  readonly pubkey: string
  readonly blocks: number
}

export interface MinerIds extends Open {
  readonly mined?: readonly NotaryBlocks[]
  readonly numnotaries?: number
  /** The daemon has too few blocks to count. */
  readonly error?: string
}

export const minerIds: Schema<MinerIds> = v.looseObject({
  mined: optional(
    v.array(
      v.looseObject({
        notaryid: optional(count),
        KMDaddress: optional(text),
        pubkey: text,
        blocks: count,
      }),
    ),
  ),
  numnotaries: optional(count),
  error: optional(text),
})
