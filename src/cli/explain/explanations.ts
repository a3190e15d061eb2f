import { type ErrorCode, errorSummaries } from '../../errors/codes.ts'
import { findingTable } from '../../request/finding-table.ts'
import type { FindingCode, Severity } from '../../request/report.ts'
import { nextSteps } from '../../verification/next-steps.ts'
import { byteErrors } from './byte-errors.ts'
import type { Explanation, Rows } from './explanation.ts'
import { heldPayments } from './held-payments.ts'
import { inputFindings } from './input-findings.ts'
import { orderFindings } from './order-findings.ts'
import { otherErrors } from './other-errors.ts'
import { outputFindings } from './output-findings.ts'
import { policyRules } from './policy-rules.ts'
import { requestFindings } from './request-findings.ts'
import { serverFailures } from './server-failures.ts'
import { signingErrors } from './signing-errors.ts'
import { tokenErrors } from './token-errors.ts'

type Other = 'failure of a server' | 'result of a payment' | 'rule of a policy'

/** A code with all that is known about it. */
export interface Explained extends Explanation {
  readonly code: string
  readonly kind: 'error' | 'finding' | Other
  /** The severity of a finding. */
  readonly severity?: Severity
  /** The line of docs/errors.md or docs/findings.md; absent for other kinds. */
  readonly meaning?: string
}

const errorRows: Rows = { ...byteErrors, ...signingErrors, ...tokenErrors, ...otherErrors }
const findingRows: Rows = {
  ...requestFindings,
  ...inputFindings,
  ...outputFindings,
  ...orderFindings,
}

/** Every code with its explanation, errors first; a code may be both an error and a finding. */
export function allExplained(): Explained[] {
  return [
    ...(Object.keys(errorSummaries) as ErrorCode[]).map((code) =>
      explained({ code, kind: 'error', meaning: errorSummaries[code] }, errorRows),
    ),
    ...(Object.keys(findingTable) as FindingCode[]).map((code) => {
      const [severity, meaning] = findingTable[code]
      // The codes of hex that is not a transaction are explained as errors.
      const rows = Object.hasOwn(findingRows, code) ? findingRows : errorRows
      return explained({ code, kind: 'finding', severity, meaning }, rows)
    }),
    ...others('failure of a server', serverFailures),
    ...others('result of a payment', heldPayments),
    ...others('rule of a policy', policyRules),
  ]
}

function others(kind: Other, rows: Rows): Explained[] {
  return Object.keys(rows).map((code) => explained({ code, kind }, rows))
}

/** Returns a rule of a policy without the user and the token that a refusal names. */
export function ruleOf(code: string): string {
  return code
    .replace(/^users\.[^.]+\./, '')
    .replace(/^tokens\.[0-9a-f]{64}\./, 'tokens.')
    .replace(/^tokens\.price\..*/, 'tokens.price')
}

type Known = Omit<Explained, keyof Explanation>

function explained(known: Known, rows: Rows): Explained {
  const [cause, example, remedy = sentence(nextSteps[known.code as keyof typeof nextSteps])] =
    rows[known.code]!
  return { ...known, cause, example, remedy }
}

function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}

/** The codes of the tables, for the test that none is left over. */
export const rowCodes: readonly string[] = [
  ...[errorRows, findingRows, serverFailures, heldPayments, policyRules],
].flatMap(Object.keys)
