import { parseJson } from '../primitives/json-fields.ts'
import { lacksOnlySignatures, signCase, verifyCase } from '../verification/case.ts'
import { parseCase } from '../verification/case-file.ts'
import type { Report } from '../verification/report.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  jsonText,
  onePositional,
  parseArguments,
  type Terminal,
  UsageError,
} from './command.ts'
import { readCaseText, readTextFile } from './read.ts'
import { styleFor } from './style.ts'
import { reportText } from './verify.ts'

export const sign: Command = {
  name: 'sign',
  summary: 'signs a case file, if it does exactly what was asked',
  help: `Usage: antara-tx sign [CASE.json | -] [--key-file FILE]

Judges the transaction in a case file; if nothing speaks against it but missing signatures, signs
it and judges it again. Prints the case file with the signed hex, and on standard error what the
transaction does. Opens no connection, so it can be used on a machine that has none.

  --key-file FILE  the private key, in wallet import format. Without it the key is taken from the
                   environment variable ANTARA_TX_KEY, or asked for. Never from the command line,
                   where others could read it.
  --json           what goes to standard error is the report

Exit status 0: signed; 1: not signed, with the findings on standard error.`,
  async run(args, terminal) {
    const { positionals, flags, options } = parseArguments(args, {
      flags: ['json'],
      options: ['key-file'],
    })
    const text = await readCaseText(onePositional(positionals), terminal)
    const given = parseCase(text)
    const tell = (report: Report): void => {
      const isJson = flags.has('json')
      terminal.printError(isJson ? jsonText(report) : reportText(given, report, styleFor(terminal)))
    }
    const before = verifyCase(given)
    if (!before.ok && !lacksOnlySignatures(before)) {
      tell(before)
      return exitFindings
    }
    const key = await readKey(options.get('key-file'), terminal)
    const report = signCase(given, [key])
    tell(report)
    if (!report.ok) return exitFindings
    terminal.print(jsonText({ ...(parseJson(text) as object), hex: report.hex }))
    return exitAgrees
  },
}

async function readKey(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return (await readTextFile(file)).trim()
  const fromEnvironment = process.env.ANTARA_TX_KEY
  if (fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment.trim()
  if (terminal.ask === undefined || !terminal.isInteractive) {
    throw new UsageError('no private key: give --key-file or set ANTARA_TX_KEY')
  }
  return (await terminal.ask('private key: ', true)).trim()
}
