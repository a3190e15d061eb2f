import { requireString } from '../../primitives/arguments.ts'
import { type Form, member, type RequestForms } from '../../request/form-table.ts'
import { keySet } from '../../request/forms.ts'
import type { KeySet } from '../../token/rules/key-set.ts'
import { type FeeTerms, feeForms, payee, tokenid, tokenUnits } from './common.ts'

export interface TransferRequest extends FeeTerms {
  readonly tokenid: string
  /**
   * A compressed public key. Of tokens v2 an address of one will do, or several keys, of which
   * `required` must sign together.
   */
  readonly to: string | KeySet
  /** Token units. */
  readonly amount: bigint
}

const receiver: Form<string | KeySet> = {
  ...payee,
  requireType(value, path) {
    if (typeof value === 'object') keySet.requireType(value, path)
    else requireString(value, path)
  },
}

export const transferForms: RequestForms<TransferRequest> = {
  tokenid,
  to: member('a compressed public key; of tokens v2, its address too', receiver),
  amount: tokenUnits,
  ...feeForms,
}
