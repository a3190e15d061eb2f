import { unlessMalformed } from '../errors/malformed.ts'
import type { Evidence } from '../request/evidence.ts'
import { decodeTokenTransaction } from '../token/read/read.ts'
import { transactionId } from '../transaction/decode.ts'
import type { RequestLine } from './operation.ts'

/**
 * Returns the token's supply, creator and name from its creation, if given. Names are not unique.
 */
export function creationLines(
  tokenid: string,
  { tokenCreate, previousTransactions }: Evidence,
): RequestLine[] {
  const given = tokenCreate === undefined ? previousTransactions : [tokenCreate]
  for (const hex of given) {
    const created = creationIn(hex, tokenid)
    if (created === undefined) continue
    const { supply, payload } = created
    return [
      ['of', `${supply} in all, made by ${payload.owner}`],
      ['named', `"${payload.name}"`],
    ]
  }
  return []
}

function creationIn(hex: string, tokenid: string) {
  // The report has a finding about malformed hex.
  if (unlessMalformed(() => transactionId(hex)) !== tokenid) return undefined
  const read = unlessMalformed(() => decodeTokenTransaction(hex))
  return read?.payload.kind === 'create' ? { ...read, payload: read.payload } : undefined
}
