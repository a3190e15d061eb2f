// The rules of tokeld's module of token properties, eval code f7.

import type { ErrorCode } from '../../errors/codes.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { PayloadExtra } from '../payload/payload.ts'
import type { FindTransaction } from './funding.ts'
import { payloadsOfOutputsV1, rulesTokelV1 } from './tokel-v1.ts'
import { rulesV2 } from './tokens-v2.ts'

const noData = 'no tkl data in opreturn'

/**
 * Returns why the module refuses a transaction, in the daemon's words; `undefined` if it accepts
 * it.
 *
 * It reads the properties where they are created in version 2, and where a token of version 1
 * leaves its creation, because no module sees that creation.
 *
 * @see tokel src/cc/CCTokelData.cpp, TokelDataValidate
 */
export function tokelDataRefusal(
  transaction: Transaction,
  find: FindTransaction,
): string | undefined {
  const { outputs } = transaction
  if (outputs.length === 0) return 'no vouts'
  const payload = rulesV2.payloadOf(outputs)
  if (payload !== undefined) {
    return payload.kind === 'create' ? refusalOf(payload.extras[0]) : undefined
  }
  const last = rulesTokelV1.payloadOf(outputs)
  const dropped = payloadsOfOutputsV1({ transaction, payload: last })
  for (const named of new Set([...dropped, last])) {
    if (named?.kind !== 'transfer') continue
    const refused = leavingRefusal(transaction, named.tokenid, find)
    if (refused !== undefined) return refused
  }
  return undefined
}

function leavingRefusal(
  { inputs }: Transaction,
  tokenid: string,
  find: FindTransaction,
): string | undefined {
  if (!inputs.some(({ txid }) => txid === tokenid)) return undefined
  const created = rulesTokelV1.payloadOf(find(tokenid)?.outputs ?? [])
  if (created?.kind !== 'create') return 'could not decode token create tx opreturn'
  return refusalOf(created.extras[0])
}

function refusalOf(extra: PayloadExtra | undefined): string | undefined {
  if (extra === undefined) return noData
  if (extra.properties !== undefined) return undefined
  return `tkl data invalid: ${wordsOf(extra)}`
}

/** @see tokel src/cc/CCTokelData.cpp, UnmarshalTokelVData, CheckTokelData */
function wordsOf({ data, problem }: PayloadExtra): string {
  // The daemon wants two bytes before it looks at the version.
  if (problem === undefined || data.length < 4) return 'invalid tokel data'
  return propertyProblem(problem.code)
}

/** Returns the daemon's words for properties that it cannot read. */
export function propertyProblem(code: ErrorCode): string {
  return problemWords[code] ?? 'could not parse tokel token data'
}

const problemWords: { readonly [Code in ErrorCode]?: string } = {
  unknown_data_version: 'invalid tkl data version',
  unknown_property: 'invalid tokel data property type',
  duplicate_property: 'duplicate tokel data property type',
  royalty_over_limit: 'invalid tokel royalty value (must be in 0...999)',
}
