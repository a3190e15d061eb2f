import { member, optional, type RequestForms } from '../../request/form-table.ts'
import { count, units } from '../../request/forms.ts'
import { type FeeTerms, feeForms, tokenid } from './common.ts'

export interface MergeRequest extends FeeTerms {
  /** Coins that are merged at most, the smallest first. Default 500. */
  readonly maxInputs?: number
}

/** Merges in as many transactions as it takes. */
export interface MergeAllRequest extends FeeTerms {
  /** The token whose coins are merged; plain coins if absent. */
  readonly tokenid?: string
  /**
   * Satoshis or units that one transaction shall be able to send. If absent, one coin of each key
   * is left of a token, and one of all plain coins.
   */
  readonly amount?: bigint
  /** Coins that one transaction merges at most. Default 500; 60 of a token, which is the most. */
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
