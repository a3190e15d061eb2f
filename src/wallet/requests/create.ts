import { createForms } from '../../request/create.ts'
import { member, optional, type RequestForms } from '../../request/form-table.ts'
import { type FeeTerms, feeForms } from './common.ts'

export interface CreateRequest extends FeeTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description?: string
  /** Makes the token non-fungible: hex. */
  readonly data?: string
  /** On tokeld's chains: the module of tokens, 1 or 2. Default 2. */
  readonly version?: 1 | 2
}

export const createTokenForms: RequestForms<CreateRequest> = {
  name: createForms.name,
  supply: createForms.supply,
  description: member(createForms.description.about, optional(createForms.name)),
  data: createForms.data,
  version: createForms.version,
  ...feeForms,
}
