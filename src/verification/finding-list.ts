import type { Finding, FindingCode } from '../request/report.ts'

/** Findings, of each code only the first few: a hostile case may have thousands. */
interface FindingList {
  readonly all: readonly Finding[]
  add(more: readonly Finding[]): void
}

/** @param shownMax - the number of findings of one code */
export function createFindingList(shownMax: number): FindingList {
  const all: Finding[] = []
  const counts = new Map<FindingCode, number>()
  return {
    all,
    add(more) {
      for (const it of more) {
        const count = counts.get(it.code) ?? 0
        counts.set(it.code, count + 1)
        if (count < shownMax) all.push(it)
      }
    },
  }
}
