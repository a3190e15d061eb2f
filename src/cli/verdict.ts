import type { Case } from '../request/case.ts'
import { passes } from '../request/report.ts'
import { verifyCase } from '../verification/case.ts'
import { formatReport } from '../verification/format-report.ts'
import { parseCase } from '../verification/parse-case.ts'
import {
  exitAgrees,
  exitFindings,
  jsonText,
  type Option,
  onePositional,
  type ParsedArguments,
  type Terminal,
} from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readCaseText } from './read.ts'

/** The options of a verdict, with or without a server of evidence. */
export const verdictOptions: readonly Option[] = [
  { name: 'json', about: 'print the report, with amounts as decimal strings' },
  { name: 'strict', about: 'exit with 1 for a warning too, or if the decision is left to you' },
]

/**
 * Verifies the case in a file and prints the report.
 *
 * @param complete - returns the case with more evidence
 * @returns the exit status
 */
export async function printVerdict(
  parsed: ParsedArguments,
  terminal: Terminal,
  complete: (given: Case) => Case | Promise<Case> = (given) => given,
): Promise<number> {
  const text = await readCaseText(onePositional(parsed), terminal)
  const given = await complete(readAs('a case file', text, parseCase))
  const report = verifyCase(given)
  const color = terminal.hasColor
  terminal.print(
    parsed.flags.has('json') ? jsonText(report) : formatReport(report, { given, color }),
  )
  return passes(report, { isStrict: parsed.flags.has('strict') }) ? exitAgrees : exitFindings
}
