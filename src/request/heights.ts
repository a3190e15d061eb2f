import type { Contradiction } from '../chain/reward.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import type { Evidence } from './evidence.ts'

/** The same with the txids of its heights in lower case, as transactions have them. */
export function withLowerCaseHeights<Given extends Pick<Evidence, 'heights'>>(given: Given): Given {
  const { heights } = given
  if (heights === undefined) return given
  const rows = Object.entries(heights).map(([txid, height]) => [txid.toLowerCase(), height])
  return { ...given, heights: Object.fromEntries(rows) as Record<string, number> }
}

/** Returns 0 for a transaction in no block; `undefined` if the evidence has no height of it. */
export function heightIn(
  { heights = {} }: Pick<Evidence, 'heights'>,
  txid: string,
): number | undefined {
  return Object.hasOwn(heights, txid) ? heights[txid] : undefined
}

/** Returns contradictions between the given heights and times, whatever the transactions are. */
export function contradictionsOf({
  heights = {},
  tipTime,
  medianTime,
}: Pick<Evidence, 'heights' | 'tipTime' | 'medianTime'>): Contradiction[] {
  const found: Contradiction[] = []
  const seen = new Map<string, number>()
  for (const [spelled, height] of Object.entries(heights)) {
    const txid = spelled.toLowerCase()
    const other = seen.get(txid) ?? height
    seen.set(txid, other)
    if (other === height) continue
    const actual = `${other} and ${height}`
    found.push({
      member: 'heights',
      ...(isHex32(txid) && { txid }),
      expected: 'one height of a transaction',
      actual,
    })
  }
  // a block's time is above the median of those before it, so the median with it is not above it
  if (tipTime !== undefined && medianTime !== undefined && medianTime > tipTime) {
    found.push({
      member: 'medianTime',
      expected: `at most ${tipTime}, tipTime`,
      actual: medianTime,
    })
  }
  return found
}
