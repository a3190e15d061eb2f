// The codes of warnings that a caller allows. The table of findings is text that a page without an
// engine does not need, so callers load this file when they have such a list.

import { requireArray, requireString } from '../primitives/arguments.ts'
import { didYouMean } from '../primitives/closest.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type FindingCode, findingCodes, findingRow, isFindingCode } from './finding-table.ts'

const warnings: readonly FindingCode[] = findingCodes().filter(
  (code) => findingRow(code)[0] === 'warn',
)

/**
 * Refuses what is no warning: a misspelt code would allow nothing, and nobody would be told.
 *
 * @param name - of the list, for the message
 * @throws {TypeError} that names the code, and the warning that was probably meant
 */
export function requireWarnings(list: unknown, name: string): void {
  requireArray(list, name)
  for (const [at, code] of list.entries()) {
    const path = `${name}[${at}]`
    requireString(code, path)
    if (warnings.includes(code as FindingCode)) continue
    if (isFindingCode(code)) {
      const [severity] = findingRow(code)
      throw new TypeError(`${path}: expected a warning, but ${code} is of severity ${severity}`)
    }
    throw new TypeError(`${path}: no warning ${redactKey(code)}${didYouMean(code, warnings)}`)
  }
}
