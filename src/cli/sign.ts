import { defaultNetwork } from '../chain/network.ts'
import { parseJson } from '../primitives/json-fields.ts'
import { addressOf, publicKeyOf } from '../signing/key.ts'
import { lacksOnlySignatures, signCase, verifyCase } from '../verification/case.ts'
import { formatReport } from '../verification/format-report.ts'
import { parseCase } from '../verification/parse-case.ts'
import type { Report } from '../verification/report.ts'
import { type Command, exitAgrees, exitFindings, jsonText, onePositional } from './command.ts'
import { type GivenKey, givenKey, keyFileOption, namingKey } from './private-key.ts'
import { readCaseText } from './read.ts'
import { isColored } from './style.ts'

export const sign: Command = {
  usage: ['[CASE.json | -] [--key-file FILE]'],
  about: `Judges the transaction in a case file; if nothing speaks against it but missing signatures, signs
it and judges it again. Prints the case file with the signed hex, and on standard error what the
transaction does. Opens no connection, so it can be used on a machine that has none.`,
  options: [keyFileOption, { name: 'json', about: 'what goes to standard error is the report' }],
  notes: 'Exit status 0: signed; 1: not signed, with the findings on standard error.',
  async run(parsed, terminal) {
    const { flags, options } = parsed
    const text = await readCaseText(onePositional(parsed), terminal)
    const given = parseCase(text)
    const tell = (report: Report): void => {
      const isJson = flags.has('json')
      const color = isColored(terminal, 'errors')
      terminal.printError(isJson ? jsonText(report) : formatReport(report, { given, color }))
    }
    const before = verifyCase(given)
    if (!before.ok && !lacksOnlySignatures(before)) {
      tell(before)
      return exitFindings
    }
    const key = await givenKey(options.get('key-file'), terminal)
    const report = namingKey(key.source, () => signCase(given, [key.text]))
    tell(report)
    if (!report.ok) {
      if (!flags.has('json') && lacksOnlySignatures(report)) {
        terminal.printError(`${whoseKey(key, given.intent.network)}\n`)
      }
      return exitFindings
    }
    terminal.print(jsonText({ ...(parseJson(text) as object), hex: report.hex }))
    return exitAgrees
  },
}

/** Of a key that is not the one that was wanted; it can be shown to anybody. */
function whoseKey({ text, source }: GivenKey, network = defaultNetwork): string {
  const publicKey = publicKeyOf(text, network)
  const address = addressOf(publicKey, network)
  return `The key from ${source} is that of ${address} (${publicKey}): it is not the one that these inputs ask for.`
}
