// The rules of tokens and orders, asked of what the node keeps: the only file of it that knows them.

import type { KomodoCreatePayload } from '../../token/payload/payload.ts'
import type { FindTransaction as Find } from '../../token/rules/funding.ts'
import { createTokenLedger as createLedger } from '../../token/rules/ledger.ts'
import type { Outpoint } from '../../transaction/types.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'

/** Transactions that the chain or the mempool has. */
export type FindTransaction = (txid: string) => StoredTransaction | undefined

export interface TokenLedger {
  /** Why the tokens module refuses a transaction that spends its coins; undefined if it does not. */
  refusal(transaction: StoredTransaction, find: FindTransaction): string | undefined
  /** The same of the assets module and orders. */
  orderRefusal(transaction: StoredTransaction, find: FindTransaction): string | undefined
  /** Units of a token in an output of a transaction that is there, ancestors one level deep. */
  amountIn(outpoint: Outpoint, tokenid: string, find: FindTransaction): bigint
  /** What the transaction that creates a token says; undefined if it is not there, or creates none. */
  creationOf(tokenid: string, find: FindTransaction): KomodoCreatePayload | undefined
  /** Units that a creation issued and that count. */
  supplyOf(tokenid: string, find: FindTransaction): bigint
}

export function createTokenLedger(): TokenLedger {
  const ledger = createLedger()
  return {
    refusal: ({ transaction }, find) => ledger.refusal(transaction, decoded(find)),
    orderRefusal: ({ transaction }, find) => ledger.orderRefusal(transaction, decoded(find)),
    amountIn: (outpoint, tokenid, find) => ledger.amountIn(outpoint, tokenid, decoded(find)),
    creationOf: (tokenid, find) => ledger.creationOf(tokenid, decoded(find)),
    supplyOf: (tokenid, find) => ledger.supplyOf(tokenid, decoded(find)),
  }
}

function decoded(find: FindTransaction): Find {
  return (txid) => find(txid)?.transaction
}
