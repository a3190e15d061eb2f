import { transactionBytesMax } from '../chain/limits.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import type { Steps } from '../primitives/steps.ts'
import type { ClaimedAmount, Evidence } from '../request/case.ts'
import { type Finding, finding } from '../request/report.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import { tooManyBytes } from './open.ts'

/** The transactions that a verifier was given, each under the txid that its bytes hash to. */
export interface KnownTransactions {
  readonly byTxid: ReadonlyMap<string, Transaction>
  /** Where each was given first, and its bytes in hex. */
  readonly givenAt: ReadonlyMap<string, GivenAt>
  readonly findings: readonly Finding[]
  /** Claimed values of outputs, by `txid:vout`; two values where sources differ. */
  readonly claims: ReadonlyMap<string, readonly bigint[]>
}

interface GivenAt {
  /** The path in the case, for example `evidence.previousTransactions[0]`. */
  readonly path: string
  readonly hex: string
}

/**
 * Hashes and decodes what was given, one after the other.
 *
 * @param tokenid - of the token whose creation `evidence.tokenCreate` should be
 */
export function* indexEvidence(
  { previousTransactions, tokenCreate, amounts = [] }: Evidence,
  tokenid: string | undefined,
): Steps<KnownTransactions> {
  const byTxid = new Map<string, Transaction>()
  const givenAt = new Map<string, GivenAt>()
  const add = (transaction: Transaction, given: GivenAt): void => {
    const { txid } = transaction
    if (byTxid.has(txid)) return
    byTxid.set(txid, transaction)
    givenAt.set(txid, given)
  }
  const findings: Finding[] = []
  const previous: (Transaction | undefined)[] = []
  for (const [index, hex] of previousTransactions.entries()) {
    const path = `evidence.previousTransactions[${index}]`
    const transaction = decodeOr(hex, 'previous_transaction_malformed', path, findings)
    if (transaction !== undefined) add(transaction, { path, hex })
    previous.push(transaction)
    yield
  }
  const claims = claimsOf(amounts)
  const known = { byTxid, givenAt, findings, claims }
  if (tokenid === undefined || tokenCreate === undefined) return known
  const path = 'evidence.tokenCreate'
  // tokens that never moved are spent from their creation, which then is given twice
  const creation =
    previous[previousTransactions.indexOf(tokenCreate)] ??
    decodeOr(tokenCreate, 'token_create_malformed', path, findings)
  if (creation !== undefined) {
    const { txid } = creation
    if (txid === tokenid) add(creation, { path, hex: tokenCreate })
    else findings.push(finding('token_create_malformed', path, { expected: tokenid, actual: txid }))
  }
  return known
}

function claimsOf(amounts: readonly ClaimedAmount[]): Map<string, bigint[]> {
  const claims = new Map<string, bigint[]>()
  for (const { txid, vout, value } of amounts) {
    const outpoint = `${txid.toLowerCase()}:${vout}`
    const said = claims.get(outpoint)
    if (said === undefined) claims.set(outpoint, [value])
    // two tell that sources differ, however many there are
    else if (said.length < 2 && said[0] !== value) said.push(value)
  }
  return claims
}

function decodeOr(
  hex: string,
  code: Finding['code'],
  path: string,
  findings: Finding[],
): Transaction | undefined {
  if (hex.length > 2 * transactionBytesMax) {
    findings.push(finding(code, path, tooManyBytes(hex)))
    return undefined
  }
  try {
    return decodeWithTxid(hex)
  } catch (error) {
    if (!isAntaraError(error)) throw error
    findings.push(finding(code, path, { actual: sentenceOf(error) }))
    return undefined
  }
}
