import { conclude, finding, type Report } from '../request/report.ts'

/**
 * Adds to a report what no bytes prove: only the chain source reports that the spent outputs are
 * unspent.
 *
 * @param source - the name of the chain source
 */
export function withClaims(report: Report, source: string): Report {
  const claimed = finding('claimed_unspent', 'inputs', { actual: `reported by ${source}` })
  return { ...report, ...conclude([...report.findings, claimed]) }
}
