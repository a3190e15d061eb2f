// The text of a request in a record. A journal that the caller implements may return any text.

import { AntaraError } from '../errors/antara-error.ts'

/**
 * Reads the text of a recorded request.
 *
 * @param revive - makes a value of each member, as for `JSON.parse`; an error of it is one of the text
 * @throws {AntaraError} `malformed_case`
 */
export function requestIn(
  text: string,
  revive?: (name: string, member: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text, revive)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // The text is not JSON, or `revive` refused a member.
  }
  throw new AntaraError('malformed_case', { path: 'request', expected: 'an object in JSON' })
}
