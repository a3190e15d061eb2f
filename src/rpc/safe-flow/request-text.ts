import type { AskedFor } from '../../request/case.ts'
import { formatCase } from '../../request/format-case.ts'

/** A request as a journal keeps it: a case file without what a server answered. */
export function requestText(requested: AskedFor): string {
  const text = formatCase({ ...requested, hex: '', previousTransactions: [] })
  const { hex: _hex, previousTransactions: _previous, ...request } = JSON.parse(text)
  return JSON.stringify(request)
}
