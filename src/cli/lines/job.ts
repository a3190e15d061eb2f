/** The work for every line; threads receive it unchanged. */
export type LineJob =
  | { readonly command: 'verify' }
  | { readonly command: 'txid' }
  | {
      readonly command: 'decode'
      /** `fields` are ours, the others the daemon's. */
      readonly form: 'fields' | 'current' | 'legacy'
      /** A member of `networks`. */
      readonly network: string
    }
  | { readonly command: 'condition'; readonly action: 'decode' | 'encode' | 'uri' }

/** How many lines were answered, and how. */
export interface Tally {
  lines: number
  /** Transactions that do something else than was asked. */
  findings: number
  malformed: number
  /** Lines on which antara-tx itself failed. */
  failed: number
}

export function emptyTally(): Tally {
  return { lines: 0, findings: 0, malformed: 0, failed: 0 }
}

export function addTally(sum: Tally, more: Tally): void {
  sum.lines += more.lines
  sum.findings += more.findings
  sum.malformed += more.malformed
  sum.failed += more.failed
}

/** The JSON text that answers one line, which is trimmed; counts what was found in it. */
export type Answerer = (line: string, tally: Tally) => string
