// Results of methods that make, fund and sign transactions without sending them.

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
import { usableHex } from './transaction-results.ts'

/** A transaction with inputs and change that the wallet added. */
export interface FundedTransaction extends Open {
  readonly hex: string
  /** Satoshis. */
  readonly fee: bigint
  /** Position of the change among the outputs; -1 if there is none. */
  readonly changepos: number
}

export const fundedTransaction: Schema<FundedTransaction> = v.looseObject({
  hex: usableHex,
  fee: satsFromCoins,
  changepos: integer,
})

/** An input that is not signed, or not rightly. */
export interface SigningFault extends Open {
  readonly txid: string
  readonly vout: number
  readonly scriptSig: string
  readonly sequence: number
  readonly error: string
}

export interface SignedTransaction extends Open {
  readonly hex: string
  /** True if every input is signed. It says nothing about what the transaction pays. */
  readonly complete: boolean
  readonly errors?: readonly SigningFault[]
}

export const signedTransaction: Schema<SignedTransaction> = v.looseObject({
  hex: usableHex,
  complete: flag,
  errors: optional<readonly SigningFault[]>(
    v.array(
      v.looseObject({ txid: hash256, vout: count, scriptSig: hex, sequence: count, error: text }),
    ),
  ),
})

export interface MultisigReply extends Open {
  readonly address: string
  readonly redeemScript: string
}

export const multisig: Schema<MultisigReply> = v.looseObject({ address: text, redeemScript: hex })

/** The development node's verdict on a transaction that it does not keep. */
export interface AcceptanceVerdict extends Open {
  readonly txid?: string
  readonly allowed: boolean
  /** Satoshis; present if the transaction is allowed. */
  readonly fee?: bigint
  /** The daemon's code; present, as the words are, if the transaction is refused. */
  readonly code?: number
  readonly 'reject-reason'?: string
}

const verdict: Schema<AcceptanceVerdict> = v.looseObject({
  txid: optional(hash256),
  allowed: flag,
  fee: optional(units),
  code: optional(integer),
  'reject-reason': optional(text),
})

type Verdicts = AcceptanceVerdict | readonly AcceptanceVerdict[]

const verdicts = v.array(verdict)

/** One verdict, or a list of them for a list of transactions. */
export const acceptance: Schema<Verdicts> = chosen<Verdicts>((value) =>
  Array.isArray(value) ? verdicts : verdict,
)
