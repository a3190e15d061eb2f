/** The work for every line; threads receive it unchanged. */
export type LineJob =
  | {
      readonly command: 'verify'
      readonly isStrict?: true
      /** The kind of server that evidence is fetched from. */
      readonly evidence?: 'daemon' | 'electrum'
    }
  | { readonly command: 'txid' }
  | {
      readonly command: 'decode'
      /** `fields` is this library's form, the others are the daemon's. */
      readonly form: 'fields' | 'current' | 'legacy'
      /** The member `network` of a case file. */
      readonly network: unknown
    }
  | { readonly command: 'condition'; readonly action: 'decode' | 'encode' | 'uri' }

/** Forms of answers that the native core writes. */
export type CoreForm = 'txid' | 'fields'

/** Returns the form of answers that the native core writes for a job; no member if it writes none. */
export function coreFormOf(job: LineJob): { readonly coreForm?: CoreForm } {
  if (job.command === 'txid') return { coreForm: 'txid' }
  return job.command === 'decode' && job.form === 'fields' ? { coreForm: 'fields' } : {}
}

/** Counts of the answered lines. */
export interface Tally {
  lines: number
  /** Number of transactions that differ from their request. */
  findings: number
  malformed: number
  /** Number of lines on which antara-tx itself failed. */
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

/** A function that answers one trimmed line with JSON text, and counts the result. */
export type Answerer = (line: string, tally: Tally) => string
