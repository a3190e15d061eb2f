import { requireString } from '../../primitives/arguments.ts'
import { type Form, member, optional, type RequestForms, unless } from '../../request/form-table.ts'
import { keySet, list, record, units } from '../../request/forms.ts'
import type { KeySet } from '../../token/rules/key-set.ts'
import { type FeeTerms, feeForms, payee, tokenid, tokenUnits } from './common.ts'

export interface TokenPayee {
  /** A compressed public key, or of tokens v2 an address of one. */
  readonly to: string
  /** Token units. */
  readonly amount: bigint
}

export interface TransferRequest extends FeeTerms {
  readonly tokenid: string
  /**
   * A compressed public key. Of tokens v2 an address of one will do, or several keys, of which
   * `required` must sign together.
   */
  readonly to?: string | KeySet
  /** Token units. */
  readonly amount?: bigint
  /**
   * Instead of `to` and `amount`: several at once. Tokens v1 allow two keys besides your own, because
   * the payload of a transfer names no more.
   */
  readonly recipients?: readonly TokenPayee[]
}

export type BurnRequest = Omit<TransferRequest, 'to' | 'recipients'>

const receiver: Form<string | KeySet> = {
  ...payee,
  requireType(value, path) {
    if (typeof value === 'object') keySet.requireType(value, path)
    else requireString(value, path)
  },
}

const paid = record<TokenPayee>({ to: payee, amount: units })

export const transferForms: RequestForms<TransferRequest> = {
  tokenid,
  to: member(
    'a compressed public key; of tokens v2, its address too',
    unless('recipients', receiver),
  ),
  amount: member(tokenUnits.about, unless('recipients', tokenUnits)),
  recipients: member('several payees, each with its units', optional(list('recipients', paid))),
  ...feeForms,
}
