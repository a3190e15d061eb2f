// Results about unspent outputs and about addresses.

import * as v from 'valibot'
import {
  chosen,
  count,
  flag,
  hash256,
  hex,
  integer,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  text,
  units,
} from '../fields.ts'

/** One entry of the address index. */
export interface AddressUtxo extends Open {
  readonly address: string
  readonly txid: string
  readonly outputIndex: number
  readonly script: string
  readonly satoshis: bigint
  readonly height: number
}

const addressUtxoList = v.pipe(
  v.array(
    v.looseObject({
      address: text,
      txid: hash256,
      outputIndex: count,
      script: hex,
      satoshis: units,
      height: count,
    }),
  ),
  // A repeated output would be counted twice.
  v.check((entries) => {
    const outpoints = entries.map(({ txid, outputIndex }) => `${txid}:${outputIndex}`)
    return new Set(outpoints).size === entries.length
  }),
)

export interface AddressUtxosWithTip extends Open {
  readonly utxos: readonly AddressUtxo[]
  /** Best block at the time of the answer. */
  readonly hash: string
  readonly height: number
}

const addressUtxosWithTip: Schema<AddressUtxosWithTip> = v.looseObject({
  utxos: addressUtxoList,
  hash: hash256,
  height: count,
})

/** A list; with `chainInfo: true`, an object with the list and the tip. */
export type AddressUtxosReply = readonly AddressUtxo[] | AddressUtxosWithTip

export const addressUtxos: Schema<AddressUtxosReply> = chosen<AddressUtxosReply>((value) =>
  Array.isArray(value) ? addressUtxoList : addressUtxosWithTip,
)

/** One of the wallet's own unspent outputs. */
export interface WalletUtxo extends Open {
  readonly txid: string
  readonly vout: number
  readonly generated?: boolean
  readonly address?: string
  readonly segid?: number
  readonly account?: string
  readonly redeemScript?: string
  /** Satoshis; so is the interest. */
  readonly amount: bigint
  readonly interest?: bigint
  readonly scriptPubKey: string
  readonly rawconfirmations?: number
  readonly confirmations: number
  readonly spendable: boolean
}

export const walletUtxos: Schema<readonly WalletUtxo[]> = v.array(
  v.looseObject({
    txid: hash256,
    vout: count,
    generated: optional(flag),
    address: optional(text),
    segid: optional(integer),
    account: optional(text),
    redeemScript: optional(hex),
    amount: satsFromCoins,
    interest: optional(satsFromCoins),
    scriptPubKey: hex,
    rawconfirmations: optional(integer),
    confirmations: integer,
    spendable: flag,
  }),
)

/**
 * The result for an address. An invalid one has only `isvalid: false`. A CC address looks like any
 * other.
 */
export interface AddressValidation extends Open {
  readonly isvalid: boolean
  readonly address?: string
  readonly scriptPubKey?: string
  readonly segid?: number
  readonly ismine?: boolean
  readonly iswatchonly?: boolean
  readonly isscript?: boolean
  readonly pubkey?: string
  readonly iscompressed?: boolean
  readonly account?: string
}

export const addressValidation: Schema<AddressValidation> = v.looseObject({
  isvalid: flag,
  address: optional(text),
  scriptPubKey: optional(hex),
  segid: optional(integer),
  ismine: optional(flag),
  iswatchonly: optional(flag),
  isscript: optional(flag),
  pubkey: optional(hex),
  iscompressed: optional(flag),
  account: optional(text),
})
