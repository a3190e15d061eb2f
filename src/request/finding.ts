import { type FindingCode, findingRow, type Severity } from './finding-table.ts'

export type { FindingCode, Severity } from './finding-table.ts'

/** One observation of a verifier. */
export interface Finding {
  /** Codes never change their meaning; docs/findings.md lists them. */
  readonly code: FindingCode
  readonly severity: Severity
  /** The member concerned: `outputs[0].script`, `intent.destination`. */
  readonly path: string
  readonly expected?: unknown
  readonly actual?: unknown
  readonly message: string
}

interface Details {
  readonly expected?: unknown
  readonly actual?: unknown
}

export function finding(code: FindingCode, path: string, details: Details = {}): Finding {
  const [severity, message] = findingRow(code)
  return { code, severity, path, ...details, message }
}
