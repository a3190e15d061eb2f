import { type ErrorCode, errorSummaries } from '../../errors/codes.ts'
import { findingCodes, findingRow } from '../../request/finding-table.ts'
import type { Severity } from '../../request/report.ts'
import { nextSteps } from '../../verification/next-steps.ts'
import { byteErrors } from './byte-errors.ts'
import { headerFindings } from './header-findings.ts'
import { heldPayments } from './held-payments.ts'
import { inputFindings } from './input-findings.ts'
import { orderFindings } from './order-findings.ts'
import { otherErrors } from './other-errors.ts'
import { outputFindings } from './output-findings.ts'
import { policyRules } from './policy-rules.ts'
import { proofRules } from './proof-rules.ts'
import { requestFindings } from './request-findings.ts'
import { serverFailures } from './server-failures.ts'
import { signingErrors } from './signing-errors.ts'
import { tokenErrors } from './token-errors.ts'

/** A code with all that is known about it. */
export interface Explained {
  readonly code: string
  readonly kind: 'error' | 'finding' | OtherKind
  /** The severity of a finding. */
  readonly severity?: Severity
  /** The line of docs/errors.md or docs/findings.md; absent for other kinds. */
  readonly meaning?: string
  /** Why the code occurs: one or two sentences, like the remedy. */
  readonly cause: string
  /** A command if it begins with `antara-tx`; a test runs it. */
  readonly example: string
  readonly remedy: string
}

/**
 * Cause, example and remedy by code, each on a line. The remedy of a finding that leaves the decision
 * to you is in `nextSteps`, because verdicts show it too.
 */
type Rows = Readonly<Record<string, string>>

const errorRows: Rows = { ...byteErrors, ...signingErrors, ...tokenErrors, ...otherErrors }
const findingRows: Rows = {
  ...requestFindings,
  ...inputFindings,
  ...outputFindings,
  ...orderFindings,
}

type OtherKind =
  | 'failure of a server'
  | 'result of a payment'
  | 'rule of a policy'
  | 'rule of a proof'
  | 'finding about headers'

const otherRows: Readonly<Record<OtherKind, Rows>> = {
  'failure of a server': serverFailures,
  'result of a payment': heldPayments,
  'rule of a policy': policyRules,
  'rule of a proof': proofRules,
  'finding about headers': headerFindings,
}

/** Every code with its explanation, errors first; a code may be both an error and a finding. */
export function allExplained(): Explained[] {
  return [
    ...(Object.keys(errorSummaries) as ErrorCode[]).map((code) =>
      explained({ code, kind: 'error', meaning: errorSummaries[code] }, errorRows),
    ),
    ...findingCodes().map((code) => {
      const [severity, meaning] = findingRow(code)
      // The codes of hex that is not a transaction are explained as errors.
      const rows = Object.hasOwn(findingRows, code) ? findingRows : errorRows
      return explained({ code, kind: 'finding', severity, meaning }, rows)
    }),
    ...(Object.keys(otherRows) as OtherKind[]).flatMap((kind) =>
      Object.keys(otherRows[kind]).map((code) => explained({ code, kind }, otherRows[kind])),
    ),
  ]
}

type Known = Omit<Explained, 'cause' | 'example' | 'remedy'>

function explained(known: Known, rows: Rows): Explained {
  const [cause = '', example = '', remedy] = rows[known.code]!.split(/\n */)
  const nextStep = nextSteps[known.code as keyof typeof nextSteps]
  return { ...known, cause, example, remedy: remedy ?? sentence(nextStep) }
}

function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}
