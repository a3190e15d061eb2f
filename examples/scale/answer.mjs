// The name of a case, and a worker's answer to it: the part of this example that needs no server.

import { createHash } from 'node:crypto'

// In a project of your own: from 'antara-tx'.
import {
  isAntaraError,
  parseCase,
  reportToJson,
  transactionId,
  verifyCase,
} from '../../dist/index.js'

/** A worker gives up on a case that was delivered so often and never answered. */
export const deliveriesMax = 10

/**
 * The same for the same transaction and intent, however the case is written; a line that is not a
 * case is named by its bytes. Evidence is not in it: to have a case verified again with more, name
 * it anew.
 *
 * @param {string} text one line
 */
export function caseKey(text) {
  return sha256(identityOf(text))
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex')
}

function identityOf(text) {
  try {
    const { operation, hex, intent } = parseCase(text)
    return JSON.stringify([operation, transactionId(hex), sorted(intent)])
  } catch {
    return text
  }
}

/** Members in one order, amounts as text. */
function sorted(value) {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]))
}

/**
 * The answer to one message, whatever is in it, and the subject under which it is stored.
 *
 * A report is stored under the key that this worker computes. The subject of the message is only
 * compared. With a key that the publisher chose, the report of one case would take the place of
 * another's, and the true report would be refused as a second one.
 *
 * @param {{ subject: string, text: string, deliveries: number }} message
 * @returns {{ subject: string, body: object }}
 * @throws {AntaraError} `engine_unavailable`: the message is then for another worker
 */
export function answerOf({ subject, text, deliveries }) {
  if (deliveries > deliveriesMax) {
    return dead(subject, text, { reason: 'delivered too often' })
  }
  const key = caseKey(text)
  if (subject !== `cases.${key}`) {
    return dead(subject, text, { reason: 'misnamed', subject, expected: `cases.${key}` })
  }
  try {
    return { subject: `reports.${key}`, body: reportToJson(verifyCase(parseCase(text))) }
  } catch (error) {
    if (isAntaraError(error, 'engine_unavailable')) throw error
    if (!isAntaraError(error)) return dead(subject, text, { reason: 'internal_error' })
    const { code, message } = error
    return dead(subject, text, { reason: 'malformed', error: { code, message } })
  }
}

/** Names a dead letter by subject and text, so that a wrong subject does not replace another. */
function dead(subject, text, body) {
  return { subject: `dead.${sha256(`${subject}\n${text}`)}`, body: { ...body, case: text } }
}
