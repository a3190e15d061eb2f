import type { Form } from '../request/forms.ts'
import { passes } from '../request/report.ts'
import { verifyCase } from '../verification/case.ts'
import { formatReport } from '../verification/format-report.ts'
import { operations } from '../verification/operations/catalogue.ts'
import { parseCase } from '../verification/parse-case.ts'
import { type Command, exitAgrees, exitFindings, jsonText, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import type { LineJob } from './lines/job.ts'
import { linesNotes, linesOptions, linesUsage, requireNoLines } from './lines/options.ts'
import { readCaseText } from './read.ts'

/** Lists each operation with the members of its intent; optional ones stand in brackets. */
function operationHelp(): string {
  const lines = Object.values(operations).map(({ name, members }) => {
    const names = Object.entries<Form<unknown>>(members).map(([member, { isOptional }]) =>
      isOptional === true ? `[${member}]` : member,
    )
    return wrapped(`  ${name.padEnd(14)} ${names.join(', ')}`)
  })
  return lines.join('\n')
}

const columns = 100

/** Wraps a line below the first of its names. */
function wrapped(line: string): string {
  if (line.length <= columns) return line
  const at = line.lastIndexOf(' ', columns)
  return `${line.slice(0, at)}\n${wrapped(' '.repeat(17) + line.slice(at + 1))}`
}

export const verify: Command = {
  usage: ['[CASE.json | -]', linesUsage],
  about: `Verifies the transaction in a case file: shows what it does, and every difference from the request.
Exit status 0 if the transaction agrees, 1 if a finding rejects it, 2 if the case file is
malformed.`,
  options: [
    { name: 'json', about: 'print the report, with amounts as decimal strings' },
    { name: 'strict', about: 'exit with 1 for a warning too, or if the decision is left to you' },
    ...linesOptions,
  ],
  notes: `A case file:
  { "operation": "tokentransfer", "network": "assetChain",
    "intent": { "tokenid": "…", "destination": "…", "amount": "100", "from": "…" },
    "hex": "…", "previousTransactions": ["…"], "tokenCreate": "…", "tipHeight": 223 }
Operations and the members of their intents, optional ones in brackets:
${operationHelp()}
${linesNotes}`,
  async run(parsed, terminal) {
    const isStrict = parsed.flags.has('strict')
    if (parsed.flags.has('lines')) {
      const { runLines } = await import('./lines/run.ts')
      const job: LineJob = { command: 'verify', ...(isStrict && { isStrict }) }
      return runLines(job, onePositional(parsed), parsed, terminal)
    }
    requireNoLines(parsed)
    const text = await readCaseText(onePositional(parsed), terminal)
    const given = readAs(['a case file'], text, parseCase)
    const report = verifyCase(given)
    const color = terminal.hasColor
    terminal.print(
      parsed.flags.has('json') ? jsonText(report) : formatReport(report, { given, color }),
    )
    return passes(report, { isStrict }) ? exitAgrees : exitFindings
  },
}
