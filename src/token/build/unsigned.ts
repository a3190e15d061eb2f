import type {
  CreateIntent,
  PaymentIntent,
  SpelledOut,
  TransferIntent,
} from '../../intent/intent.ts'
import type { Outpoint } from '../../transaction/types.ts'

/** A coin that an unsigned transaction spends, as its own transaction has it. */
export interface SpentCoin extends Outpoint {
  readonly role: 'native' | 'token'
  /** Satoshis; token units for a token. */
  readonly value: bigint
  readonly script: string
}

interface Unsigned {
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
  /** Token coins whose history is not among the transactions given, so that nothing shows them to be real. */
  readonly unproven: readonly Outpoint[]
}

export interface UnsignedCreate extends Unsigned {
  readonly operation: 'tokencreate'
  readonly intent: SpelledOut<CreateIntent>
}

export interface UnsignedPayment extends Unsigned {
  readonly operation: 'payment'
  readonly intent: SpelledOut<PaymentIntent>
  /** As given, where coins of KMD claim their reward. */
  readonly tipTime?: number
  readonly heights?: Readonly<Record<string, number>>
}

/**
 * A transaction ready to be verified and signed, here or on another machine.
 *
 * `intent` and the whole object are what the verifier takes as intent and evidence.
 */
export type UnsignedTransaction = UnsignedTransfer | UnsignedCreate | UnsignedPayment
