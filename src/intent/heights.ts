import type { Evidence } from './case.ts'

/** The same with the txids of its heights in lower case, as transactions have them. */
export function withLowerCaseHeights<Given extends Pick<Evidence, 'heights'>>(given: Given): Given {
  const { heights } = given
  if (heights === undefined) return given
  const rows = Object.entries(heights).map(([txid, height]) => [txid.toLowerCase(), height])
  return { ...given, heights: Object.fromEntries(rows) as Record<string, number> }
}
