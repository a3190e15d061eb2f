// The rules of tokens and orders, asked of what the node keeps: the only file of it that knows
// them.

import type { KomodoCreatePayload } from '../../token/payload/payload.ts'
import type { FindTransaction as Find } from '../../token/rules/funding.ts'
import { createTokenValidator as createValidator } from '../../token/rules/validation.ts'
import type { Outpoint } from '../../transaction/types.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'
import { type OrderPoisoning, poisonedRefusal } from './order-poisoning.ts'

/** Transactions that the chain or the mempool has. */
export type FindTransaction = (txid: string) => StoredTransaction | undefined

export interface TokenValidator {
  /**
   * Why the tokens module refuses a transaction that spends its coins; undefined if it does not.
   */
  refusal(transaction: StoredTransaction, find: FindTransaction): string | undefined
  /** The same of the assets module and orders. */
  orderRefusal(transaction: StoredTransaction, find: FindTransaction): string | undefined
  readonly poisoning: OrderPoisoning
  /** Units of a token in an output of a transaction that is there, ancestors one level deep. */
  amountIn(outpoint: Outpoint, tokenid: string, find: FindTransaction): bigint
  /** Reads the creation of a token; undefined if it is missing or creates no token. */
  creationOf(tokenid: string, find: FindTransaction): KomodoCreatePayload | undefined
  /** Units that a creation issued and that count. */
  supplyOf(tokenid: string, find: FindTransaction): bigint
}

export function createTokenValidator(): TokenValidator {
  const validator = createValidator()
  const poisoning: OrderPoisoning = { isOn: false, isPoisoned: false }
  return {
    poisoning,
    refusal: ({ transaction }, find) => validator.refusal(transaction, decoded(find)),
    orderRefusal({ transaction }, find) {
      const creationOf = (tokenid: string) => validator.creationOf(tokenid, decoded(find))
      return (
        poisonedRefusal(poisoning, transaction, creationOf) ??
        validator.orderRefusal(transaction, decoded(find))
      )
    },
    amountIn: (outpoint, tokenid, find) => validator.amountIn(outpoint, tokenid, decoded(find)),
    creationOf: (tokenid, find) => validator.creationOf(tokenid, decoded(find)),
    supplyOf: (tokenid, find) => validator.supplyOf(tokenid, decoded(find)),
  }
}

function decoded(find: FindTransaction): Find {
  return (txid) => find(txid)?.transaction
}
