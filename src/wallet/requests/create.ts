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
  /** On chains that tokeld runs: by which of its modules. Default 2. */
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
