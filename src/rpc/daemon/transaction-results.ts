// Results about raw transactions.

import * as v from 'valibot'
import {
  count,
  field,
  flag,
  hash256,
  hex,
  integer,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  success,
  text,
  units,
  wideInteger,
} from '../fields.ts'
import { type DecodedScriptReply, decodedScript } from './script-results.ts'

/** A raw transaction, not broadcast. */
export interface RawTransactionHex extends Open {
  readonly result: 'success'
  /** Lower-case hex of whole bytes. Verify it before it is broadcast. */
  readonly hex: string
}

// A "success" may come with the hex "0" (encoding failed) or "" (signing failed): komodo
// cc/CCtx.cpp, FinalizeCCTx and its callers.
export const usableHex: Schema<string> = field(
  'the hex of a transaction',
  (value) => {
    const digits = typeof value === 'string' ? value.toLowerCase() : ''
    return /^(?:[0-9a-f]{2}){2,}$/.test(digits) ? digits : undefined
  },
  'unusable_hex',
)

export const rawTransactionHex: Schema<RawTransactionHex> = v.looseObject({
  result: success,
  hex: usableHex,
})

export interface DecodedInput extends Open {
  /** Present in a coinbase input, in place of all members but `sequence`. */
  readonly coinbase?: string
  readonly txid?: string
  readonly vout?: number
  readonly scriptSig?: { readonly asm: string; readonly hex: string }
  readonly sequence: number
  /** `getrawtransaction` with the spent index only; satoshis. */
  readonly address?: string
  readonly value?: bigint
  readonly valueSat?: bigint
}

const decodedInput = v.pipe(
  v.looseObject({
    coinbase: optional(hex),
    txid: optional(hash256),
    vout: optional(count),
    scriptSig: optional(v.looseObject({ asm: text, hex })),
    sequence: count,
    address: optional(text),
    value: optional(satsFromCoins),
    valueSat: optional(units),
  }),
  v.check(
    ({ coinbase, txid, vout, scriptSig }) =>
      coinbase !== undefined ||
      (txid !== undefined && vout !== undefined && scriptSig !== undefined),
  ),
)

export interface DecodedOutput extends Open {
  /** Satoshis, as everywhere. */
  readonly value: bigint
  /** The same value: `valueZat` (decode) or `valueSat` (older daemons, and getrawtransaction). */
  readonly valueZat?: bigint
  readonly valueSat?: bigint
  /** KMD chain only, satoshis. */
  readonly interest?: bigint
  readonly n: number
  readonly scriptPubKey: DecodedScriptReply
  /** `getrawtransaction` with the spent index, once spent. */
  readonly spentTxId?: string
  readonly spentIndex?: number
  readonly spentHeight?: number
}

const decodedOutput = v.looseObject({
  // Negative values occur, because a decoded transaction need not be valid.
  value: satsFromCoins,
  valueZat: optional(wideInteger),
  valueSat: optional(wideInteger),
  interest: optional(satsFromCoins),
  n: count,
  scriptPubKey: decodedScript,
  spentTxId: optional(hash256),
  spentIndex: optional(count),
  spentHeight: optional(integer),
})

/** A decoded transaction, in the current daemon's form or an older one's. */
export interface DecodedTransactionReply extends Open {
  readonly txid: string
  /** Older daemons. */
  readonly size?: number
  /** Current daemons. */
  readonly overwintered?: boolean
  readonly version: number
  readonly versiongroupid?: string
  readonly locktime: number
  readonly expiryheight?: number
  readonly vin: readonly DecodedInput[]
  readonly vout: readonly DecodedOutput[]
  readonly vjoinsplit?: readonly JoinSplitReply[]
  /** Satoshis that leave the shielded pool; negative when they enter it. */
  readonly valueBalance?: bigint
  readonly vShieldedSpend?: readonly unknown[]
  readonly vShieldedOutput?: readonly unknown[]
  readonly bindingSig?: string
}

/** Satoshis into and out of the shielded pool; other members are unchanged. */
export interface JoinSplitReply extends Open {
  readonly vpub_old: bigint
  readonly vpub_new: bigint
}

const transactionMembers = {
  txid: hash256,
  size: optional(count),
  overwintered: optional(flag),
  version: integer,
  versiongroupid: optional(hex),
  locktime: count,
  expiryheight: optional(count),
  vin: v.array(decodedInput),
  vout: v.array(decodedOutput),
  vjoinsplit: optional(
    v.array(v.looseObject({ vpub_old: satsFromCoins, vpub_new: satsFromCoins })),
  ),
  valueBalance: optional(satsFromCoins),
  vShieldedSpend: optional(v.array(v.unknown())),
  vShieldedOutput: optional(v.array(v.unknown())),
  bindingSig: optional(hex),
}

export const decodedTransaction: Schema<DecodedTransactionReply> = v.looseObject(transactionMembers)

export interface TransactionReply extends DecodedTransactionReply {
  readonly hex: string
  readonly last_notarized_height?: number
  /** Present, like the members that follow, once the transaction is in a block. */
  readonly blockhash?: string
  /** Height of the block; -1 if the block is not in the best chain. */
  readonly height?: number
  /** Confirmations; stays at 1 until the block is notarised. */
  readonly confirmations?: number
  readonly rawconfirmations?: number
  readonly time?: number
  readonly blocktime?: number
}

/** The result of `getrawtransaction` with `verbose: 1`; without, it is hex. */
export const transaction: Schema<TransactionReply> = v.looseObject({
  ...transactionMembers,
  hex: usableHex,
  last_notarized_height: optional(integer),
  blockhash: optional(hash256),
  height: optional(integer),
  confirmations: optional(integer),
  rawconfirmations: optional(integer),
  time: optional(count),
  blocktime: optional(count),
})

export interface UnspentOutput extends Open {
  readonly bestblock: string
  readonly confirmations: number
  readonly rawconfirmations?: number
  /** Satoshis. */
  readonly value: bigint
  readonly interest?: bigint
  readonly scriptPubKey: DecodedScriptReply
  readonly version: number
  readonly coinbase: boolean
}

/** `null` for an output that is spent or unknown. */
export const unspentOutput: Schema<UnspentOutput | null> = v.nullable(
  v.looseObject({
    bestblock: hash256,
    confirmations: integer,
    rawconfirmations: optional(integer),
    value: satsFromCoins,
    interest: optional(satsFromCoins),
    scriptPubKey: decodedScript,
    version: integer,
    coinbase: flag,
  }),
)
