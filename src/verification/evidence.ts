import { transactionBytesMax } from '../chain/limits.ts'
import type { Contradiction } from '../chain/reward.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import { append } from '../primitives/append.ts'
import { detached } from '../primitives/cache.ts'
import { recentValues } from '../primitives/recent.ts'
import type { Steps } from '../primitives/steps.ts'
import type { ClaimedAmount, Evidence } from '../request/evidence.ts'
import { contradictionsOf } from '../request/heights.ts'
import { type Finding, finding } from '../request/report.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import { tooManyBytes } from './open.ts'

/** The given transactions, each by the txid that its bytes hash to. */
export interface KnownTransactions {
  readonly byTxid: ReadonlyMap<string, Transaction>
  /** The first place of each in the evidence, by txid. */
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
 * Hashes and decodes the given transactions, one after the other.
 *
 * @param tokenid - of the token whose creation `evidence.tokenCreate` should be
 */
export function* indexEvidence(
  evidence: Evidence,
  tokenid: string | undefined,
): Steps<KnownTransactions> {
  const { previousTransactions, tokenCreate, amounts = [] } = evidence
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
  const decode = (hex: string, code: Finding['code'], path: string) =>
    hex === tokenCreate
      ? creationOr(hex, code, path, findings)
      : decodeOr(hex, code, path, findings)
  for (const [index, hex] of previousTransactions.entries()) {
    const path = `evidence.previousTransactions[${index}]`
    const transaction = decode(hex, 'previous_transaction_malformed', path)
    if (transaction !== undefined) add(transaction, { path, hex })
    previous.push(transaction)
    yield
  }
  if (tokenid !== undefined && tokenCreate !== undefined) {
    const path = 'evidence.tokenCreate'
    // a creation whose tokens never moved may be given as a previous transaction too
    const creation =
      previous[previousTransactions.indexOf(tokenCreate)] ??
      decode(tokenCreate, 'token_create_malformed', path)
    if (creation?.txid === tokenid) add(creation, { path, hex: tokenCreate })
    else if (creation !== undefined) {
      const details = { expected: tokenid, actual: creation.txid }
      findings.push(finding('token_create_malformed', path, details))
    }
  }
  append(findings, contradictionsOf(evidence).map(contradictionFinding))
  return { byTxid, givenAt, findings, claims: claimsOf(amounts) }
}

/** Returns the finding for an impossible height or time in the evidence. */
export function contradictionFinding({ member, txid, expected, actual }: Contradiction): Finding {
  const at = txid === undefined ? '' : `.${txid}`
  return finding('evidence_contradicts', `evidence.${member}${at}`, { expected, actual })
}

function claimsOf(amounts: readonly ClaimedAmount[]): Map<string, bigint[]> {
  const claims = new Map<string, bigint[]>()
  for (const { txid, vout, value } of amounts) {
    const outpoint = `${txid.toLowerCase()}:${vout}`
    const others = claims.get(outpoint)
    if (others === undefined) claims.set(outpoint, [value])
    // two values are enough to show that sources differ
    else if (others.length < 2 && others[0] !== value) others.push(value)
  }
  return claims
}

/**
 * Creations that cases named lately, by their hex. Many cases move one token, and rules keep what they
 * read from a transaction with it. The same hex is the same transaction, so no case changes another.
 */
const creations = recentValues<Transaction>(1 << 20)
/**
 * Longer hex is not kept. V8 hashes a string of over 16,383 characters by its length alone, so many
 * could share one place. Source: V8's src/strings/string.h, kMaxHashCalcLength.
 */
const keptCharactersMax = 1 << 13

function creationOr(
  hex: string,
  code: Finding['code'],
  path: string,
  findings: Finding[],
): Transaction | undefined {
  if (hex.length > keptCharactersMax) return decodeOr(hex, code, path, findings)
  const known = creations.get(hex)
  if (known !== undefined) return known
  const own = detached(hex)
  // Text with half of a character differs from its copy, and its error shows that half.
  if (own !== hex) return decodeOr(hex, code, path, findings)
  const transaction = decodeOr(own, code, path, findings)
  if (transaction !== undefined) creations.add(own, transaction, own.length)
  return transaction
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
