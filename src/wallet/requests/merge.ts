import { member, optional, type RequestForms } from '../../request/form-table.ts'
import { count, units } from '../../request/forms.ts'
import { type FeeTerms, feeForms, tokenid } from './common.ts'

export interface MergeRequest extends FeeTerms {
  /** The most coins to merge, the smallest first. Default 500. */
  readonly maxInputs?: number
}

/** Merges in as many transactions as it takes. */
export interface MergeAllRequest extends FeeTerms {
  /** The token whose coins are merged; plain coins if absent. */
  readonly tokenid?: string
  /**
   * Satoshis or units that one transaction shall be able to send afterwards. If absent, everything
   * is merged: into one plain coin, or into one coin of the token for each key.
   */
  readonly amount?: bigint
  /**
   * The most coins that one transaction merges. Default 500; for a token 60, which is also the
   * limit.
   */
  readonly maxInputs?: number
}

export const mergeForms: RequestForms<MergeRequest> = {
  maxInputs: member(
    'coins that are merged at most, the smallest first; 500 if absent',
    optional(count),
  ),
  ...feeForms,
}

export const mergeAllForms: RequestForms<MergeAllRequest> = {
  tokenid: member(tokenid.about, optional(tokenid)),
  amount: member('what one transaction shall be able to send', optional(units)),
  ...mergeForms,
}
