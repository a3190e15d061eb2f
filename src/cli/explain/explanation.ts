/** Why a code occurs, when it occurs, and what to do. Each is one or two sentences. */
export interface Explanation {
  readonly cause: string
  /** A command if it begins with `antara-tx`; a test runs it. */
  readonly example: string
  readonly remedy: string
}

/** An explanation as the tables write it. */
export type Row = readonly [cause: string, example: string, remedy: string]

/**
 * Explanations by code. The remedy of a finding that leaves the decision to you is in `nextSteps`,
 * because verdicts show it too.
 */
export interface Rows {
  readonly [code: string]: Row | readonly [cause: string, example: string]
}
