import * as v from 'valibot'
import {
  count,
  hashName,
  hex,
  type Open,
  optional,
  type Schema,
  success,
  text,
  units,
} from '../fields.ts'
import type { PartialSignature } from './tokens-v2-parameters.ts'
import { usableHex } from './transaction-results.ts'

/** A raw transaction of tokens v2, not broadcast. */
export interface TokenV2Hex extends Open {
  /** Absent from the replies of some methods. */
  readonly result?: 'success'
  /** Lower-case hex of whole bytes. Verify it before it is broadcast. */
  readonly hex: string
  /** Inputs that lack signatures of others, for `addccv2signature`. */
  readonly PartiallySigned?: readonly PartialSignature[]
}

const partialSignature = v.looseObject({
  vin: count,
  ccaddress: text,
  condition: v.looseObject({}),
})

export const tokenV2Hex: Schema<TokenV2Hex> = v.looseObject({
  result: optional(success),
  hex: usableHex,
  PartiallySigned: optional(v.array(partialSignature)),
})

/** Token units by id of the token. */
export type TokenBalances = Readonly<Record<string, bigint>>

/** One object for each token that the key has. */
export const tokenBalances: Schema<readonly TokenBalances[]> = v.array(v.record(hashName, units))

/** A transaction with inputs that another party completes. */
export interface TokenV2Inputs extends Open {
  readonly txhex: string
  /** Whole transactions that the inputs spend from, hex. */
  readonly previousTxns: readonly string[]
}

export const tokenV2Inputs: Schema<TokenV2Inputs> = v.looseObject({
  txhex: usableHex,
  previousTxns: v.array(hex),
})
