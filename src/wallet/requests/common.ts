// Rows that several requests to the wallet have. Amounts are bigint satoshis or token units.

import { type Form, type Member, member, type RequestForms } from '../../request/form-table.ts'
import { pubkey, txid, units } from '../../request/forms.ts'
import { termForms } from '../../request/terms.ts'

/** Fees, in satoshis. */
export interface FeeTerms {
  /** The exact fee; default 10,000. */
  readonly fee?: bigint
  readonly maxFee?: bigint
}

export const feeForms: RequestForms<FeeTerms> = { fee: termForms.fee, maxFee: termForms.maxFee }

export const tokenid: Member<string> = member('the token', txid)
export const tokenUnits: Member<bigint> = member('token units', units)

/** An address, or a compressed public key. */
export const payee: Form<string> = { ...pubkey, shown: '"PAYEE"' }
