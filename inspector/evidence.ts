// Evidence that the page's own server fetches, if it was started for that.

import { type Case, formatCase, parseCase } from '../src/index.ts'

interface Answer {
  readonly error?: string
  readonly case: string
  readonly missing: readonly unknown[]
}

/** A case with the evidence of the server, as text, and a sentence about what is missing. */
export interface Fetched {
  readonly text: string
  readonly note: string
}

/**
 * Asks the page's server for the evidence of a case. Request and hex stay as they were, whatever the
 * server answers.
 *
 * @throws {Error} with the reason if the server gives none
 */
export async function fetchEvidence(
  given: Case,
  source: string,
  ask: typeof fetch = fetch,
): Promise<Fetched> {
  const response = await ask('evidence', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: formatCase(given),
  })
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(`No evidence from ${source}: ${answer.error}`)
  const { evidence } = parseCase(answer.case)
  const missing = answer.missing.length
  const rest = missing === 0 ? '' : ` Transactions that it did not give: ${missing}.`
  return {
    text: formatCase({ ...given, evidence } as Case),
    note: `Evidence fetched from ${source}.${rest}`,
  }
}
