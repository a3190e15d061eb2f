import { member, optional, type RequestForms } from '../../request/form-table.ts'
import { list, record } from '../../request/forms.ts'
import { paymentForms, satsOrMax } from '../../request/payment.ts'
import { type FeeTerms, feeForms, payee } from './common.ts'

export interface PaidOutput {
  /** An address of the network, or a compressed public key, whose address is paid. */
  readonly to: string
  /** Satoshis; `max` for everything that the wallet can spend, less the fee. */
  readonly amount: bigint | 'max'
}

export interface PayRequest extends FeeTerms {
  readonly to?: string
  readonly amount?: bigint | 'max'
  /** Instead of `to` and `amount`: several at once. */
  readonly recipients?: readonly PaidOutput[]
  /** Satoshis per 1000 bytes, instead of `fee`. */
  readonly feeRate?: bigint
  /** Data of one nulldata output, hex. */
  readonly nulldata?: string
}

const paidOutput = record<PaidOutput>({ to: payee, amount: satsOrMax })

export const payForms: RequestForms<PayRequest> = {
  to: member('an address, or a compressed public key', optional(payee)),
  amount: member('satoshis; max for all that can be spent, less the fee', optional(satsOrMax)),
  recipients: member(
    'several payees, each with its amount',
    optional(list('recipients', paidOutput)),
  ),
  ...feeForms,
  feeRate: paymentForms.feeRate,
  nulldata: paymentForms.nulldata,
}
