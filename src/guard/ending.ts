// How a payment of a call ended, and the words for one that was held.

import type { Finding } from '../request/report.ts'
import type { SafeFlowResult } from '../rpc/safe-flow/flow.ts'
import type { PolicyRefusal } from './decision.ts'
import type { FormerTransaction } from './former-users.ts'
import { heldFormer, policyWords, type Refusal, refusedSend, withSamePayment } from './refusals.ts'

/** How a payment of a call ended. */
export type Ending = SafeFlowResult & {
  /** The reason of the policy, if it held the payment. */
  readonly refusal?: Pick<PolicyRefusal, 'rule' | 'reason'> | undefined
  /** The warnings that held it, if `held` is `warned`. */
  readonly warnings?: readonly Finding[]
  /** The transaction that held it: the same payment by a former user or a former key. */
  readonly former?: FormerTransaction | undefined
  /** If other attempts held it, a text that names them and the way out. */
  readonly reserving?: string | undefined
  /** The transactions that held it, and that the operator named as those of other calls. */
  readonly misnamed?: readonly string[]
}

export function rejecting({ findings }: Ending['report']): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'reject')
}

/** Returns the refusal that says why nothing was handed over or sent. */
export function refusalOf(ending: Ending): Refusal {
  const { former } = ending
  return former === undefined ? refusedSend(wordsOf(ending)) : heldFormer(former)
}

function wordsOf(ending: Ending): string {
  const { held, reserving, unsettled = [] } = ending
  const txids = unsettled.map(({ txid }) => txid)
  if (held === 'different-inputs' && reserving === undefined && txids.length > 0) {
    return `held: ${txids.join(', ')} may be the same payment. If so, do not repeat this call: once a block has it and --repeat is over, this call pays again`
  }
  const others = txids.filter((txid) => reserving?.startsWith(txid) !== true)
  return withSamePayment(reasonOf(ending), others)
}

function reasonOf(ending: Ending): string {
  const { held, report, refusal, reserving, unrecorded, misnamed, txid, warnings = [] } = ending
  if (refusal !== undefined) return policyWords(refusal)
  switch (held) {
    case 'rejected':
      return `rejected: ${findingsText(rejecting(report))}`
    case 'warned':
      return `held, as a warning could cost money: ${findingsText(warnings)}`
    case 'declined':
      return 'declined'
    case 'under-way':
      return 'the same payment is under way in another call; wait for its answer. Without an Idempotency-Key, a later call may pay again'
    case 'unrecorded-spends':
      return `held: the chain has the same payment, and the journal has not: ${unrecorded?.join(', ')}. If it made this payment, the operator can start the guard with --paid-by. If this is another payment, acknowledge these transactions${misnamedText(misnamed)}`
    case undefined:
      return `this payment was made as ${txid}, and its bytes are no longer kept`
    default: {
      const reason = reserving ?? findingsText(rejecting(report))
      return `held (${held})${reason === '' ? '' : `: ${reason}`}`
    }
  }
}

/** The names of other calls may be those of other users, so they are not shown. */
function misnamedText(txids: readonly string[] = []): string {
  return txids.length === 0
    ? ''
    : `. --paid-by names ${txids.join(', ')} for another call: if it made that one, make that call first`
}

const findingsMax = 5

/** Names what was expected and what the transaction does; never its bytes. */
function findingsText(findings: readonly Finding[]): string {
  return findings.slice(0, findingsMax).map(findingText).join('; ')
}

function findingText({ code, path, expected, actual }: Finding): string {
  const parts = [
    path === undefined || path === '' ? code : `${code} at ${path}`,
    ...(expected === undefined ? [] : [`expected ${brief(expected)}`]),
    ...(actual === undefined ? [] : [`actual ${brief(actual)}`]),
  ]
  return parts.join(', ')
}

/** Shortens what could be signed hex. */
function brief(value: unknown): string {
  const text = String(value)
  return text.length > 160 ? `${text.slice(0, 80)}…` : text
}
