import type { CreateIntent } from './create.ts'
import type { Evidence } from './evidence.ts'
import type { TokenCancelIntent, TokenFillIntent, TokenOfferIntent } from './order.ts'
import type { PaymentIntent } from './payment.ts'
import type { TransferIntent } from './transfer.ts'

/** The intent of each operation. `src/verification/operations` has the rest of its description. */
export interface Intents {
  readonly tokentransfer: TransferIntent
  readonly tokencreate: CreateIntent
  readonly payment: PaymentIntent
  readonly tokenask: TokenOfferIntent<'ask'>
  readonly tokenbid: TokenOfferIntent<'bid'>
  readonly tokenfillask: TokenFillIntent<'fillAsk'>
  readonly tokenfillbid: TokenFillIntent<'fillBid'>
  readonly tokencancelask: TokenCancelIntent<'cancelAsk'>
  readonly tokencancelbid: TokenCancelIntent<'cancelBid'>
}

export type OperationName = keyof Intents

/** An operation with its intent. */
export type AskedFor<Name extends OperationName = OperationName> = {
  readonly [One in Name]: { readonly operation: One; readonly intent: Intents[One] }
}[Name]

/** A case to verify: the request, the hex that came back, and the evidence. */
export type Case<Name extends OperationName = OperationName> = AskedFor<Name> & {
  readonly hex: string
  readonly evidence: Evidence
}
