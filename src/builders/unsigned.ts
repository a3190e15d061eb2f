import type { CreateIntent } from '../request/create.ts'
import { type Evidence, evidenceIn } from '../request/evidence.ts'
import type { orderOperations, TokenOrderIntent } from '../request/order.ts'
import type { PaymentIntent } from '../request/payment.ts'
import type { SpelledOut } from '../request/terms.ts'
import type { TransferIntent } from '../request/transfer.ts'
import type { Outpoint } from '../transaction/types.ts'
import type { LeftOutCoin } from './economy.ts'

/** A coin that an unsigned transaction spends, as its own transaction has it. */
export interface SpentCoin extends Outpoint {
  /** `order` for the output that an order offers, and for the marker beside it. */
  readonly role: 'native' | 'token' | 'order'
  /** Satoshis; token units for a token, and for what an ask offers. */
  readonly value: bigint
  readonly script: string
}

interface Unsigned {
  /** The members below that verifiers read: with it the whole is a case, for `signCase`. */
  readonly evidence: Evidence
  /** The transaction with empty scriptSigs. */
  readonly hex: string
  /** Raw transactions of everything that is spent, and what else was given. */
  readonly previousTransactions: readonly string[]
  readonly tipHeight?: number
  /** In the order of the inputs. */
  readonly coins: readonly SpentCoin[]
  /** Satoshis. */
  readonly fee: bigint
}

export interface UnsignedTransfer extends Unsigned {
  readonly operation: 'tokentransfer'
  readonly intent: SpelledOut<TransferIntent>
  /** The transaction that created the token. */
  readonly tokenCreate: string
  /**
   * Token coins whose history is not among the transactions given, so that nothing shows them to be
   * real.
   */
  readonly unproven: readonly Outpoint[]
}

export interface UnsignedCreate extends Unsigned {
  readonly operation: 'tokencreate'
  readonly intent: SpelledOut<CreateIntent>
}

export interface UnsignedPayment extends Unsigned {
  readonly operation: 'payment'
  readonly intent: SpelledOut<PaymentIntent>
  /** Coins that cost more than they bring at the fee rate, so that they are not spent. */
  readonly leftOut?: readonly LeftOutCoin[]
  /** As given, where coins of KMD claim their reward. */
  readonly tipTime?: number
  readonly medianTime?: number
  readonly heights?: Readonly<Record<string, number>>
}

/** Makes a case of a built transaction: moves its evidence into the member `evidence`. */
export function withEvidence<Built extends Evidence>(
  built: Built,
): Built & { readonly evidence: Evidence } {
  return { ...built, evidence: evidenceIn(built) }
}

type OrderOperations = typeof orderOperations

/** A step of an order, of one kind or any. */
export type UnsignedOrder<Kind extends TokenOrderIntent['kind'] = TokenOrderIntent['kind']> = {
  readonly [One in Kind]: Unsigned & {
    readonly operation: OrderOperations[One]
    readonly intent: SpelledOut<Extract<TokenOrderIntent, { readonly kind: One }>>
    /** The transaction that created the token; not needed to cancel a bid. */
    readonly tokenCreate?: string
    /** Token coins, and the units of an ask, that the given transactions do not prove. */
    readonly unproven: readonly Outpoint[]
  }
}[Kind]

/**
 * A transaction ready to be verified and signed, here or on another machine.
 *
 * It is a `Case`: `signCase`, `verifyCase` and `formatCase` take it as it is.
 */
export type UnsignedTransaction =
  | UnsignedTransfer
  | UnsignedCreate
  | UnsignedPayment
  | UnsignedOrder
