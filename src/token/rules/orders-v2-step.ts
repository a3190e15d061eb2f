// A transaction of tokeld's module of orders, as its rules read it.

import type { Transaction } from '../../transaction/types.ts'
import type { AssetOrder } from '../payload/asset-order.ts'
import type { FindTransaction } from './funding.ts'
import type { Royalty } from './order-layout-v2.ts'

/** The parts of the chain that the rules read. */
export interface OrderChainV2 {
  readonly find: FindTransaction
  /** The height of the block that is to hold the transaction. */
  readonly height: number
  /** Returns the id of the token that an output claims to hold, by the rules of tokens v2. */
  tokenidAt(transaction: Transaction, vout: number): string | undefined
}

/** The order that a transaction spends. */
export interface SpentOrderV2 {
  /** Its coins or units; -1 if the payload names another token, which no value matches. */
  readonly value: bigint
  /** Satoshis. */
  readonly unitPrice: bigint
  /** The public key of its maker. */
  readonly origin: string
  readonly expiryHeight: number
}

/** A transaction of the module, as its rules read it. */
export interface OrderStep {
  readonly transaction: Transaction
  readonly tokenid: string
  /** The order in its own payload. */
  readonly order: AssetOrder
  readonly royalty: Royalty
  readonly chain: OrderChainV2
}

/** The terms of an order in the payload of a step that makes or fills it. */
export type OfferTerms = Extract<AssetOrder, { expiryHeight: number }>

/** Numbers of conditions that a step may spend of the module, and pay; absent for any number. */
export interface ConditionCounts {
  readonly spent?: number
  readonly paid: number
}
