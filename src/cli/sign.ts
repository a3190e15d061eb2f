import { isAntaraError } from '../errors/antara-error.ts'
import { signTransaction } from '../signing/sign.ts'
import { decodeTransaction, transactionId } from '../transaction/decode.ts'
import type { Report } from '../verification/report.ts'
import { type Case, parseCase } from './case-file.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  jsonText,
  onePositional,
  parseArguments,
  readCaseText,
  readTextFile,
  type Terminal,
  UsageError,
} from './command.ts'
import { parseJson } from './json-fields.ts'
import { styleFor } from './style.ts'
import { judge, lacksOnlySignatures, reportText } from './verify.ts'

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
    const tell = (judged: Case, report: Report): void => {
      const isJson = flags.has('json')
      terminal.printError(
        isJson ? jsonText(report) : reportText(judged, report, styleFor(terminal)),
      )
    }
    const text = readCaseText(onePositional(positionals), terminal)
    const given = parseCase(text)
    const before = judge(given)
    if (!before.ok && !lacksOnlySignatures(before)) {
      tell(given, before)
      return exitFindings
    }
    const key = await readKey(options.get('key-file'), terminal)
    const { network } = given.intent
    const { hex } = signTransaction(before.hex, [key], prevoutsOf(given), network)
    const signed = { ...given, hex }
    const after = judge(signed)
    tell(signed, after)
    if (!after.ok) return exitFindings
    terminal.print(jsonText({ ...(parseJson(text) as object), hex }))
    return exitAgrees
  },
}

/** The report found every one of them, so they are all here. */
function prevoutsOf({ hex, evidence }: Case): { value: bigint; script: string }[] {
  const { inputs } = decodeTransaction(hex)
  const spent = new Set(inputs.map(({ txid }) => txid))
  const known = new Map(
    evidence.previousTransactions.flatMap((previous) => {
      const txid = idOf(previous)
      return txid !== undefined && spent.has(txid) ? [[txid, decodeTransaction(previous)]] : []
    }),
  )
  return inputs.map(({ txid, vout }) => known.get(txid)!.outputs[vout]!)
}

/** Nothing for what is no transaction: the report has a warning, and no input spends it. */
function idOf(previous: string): string | undefined {
  try {
    return transactionId(previous)
  } catch (error) {
    if (isAntaraError(error)) return undefined
    throw error
  }
}

async function readKey(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return readTextFile(file).trim()
  const fromEnvironment = process.env.ANTARA_TX_KEY
  if (fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment.trim()
  if (terminal.ask === undefined || !terminal.isInteractive) {
    throw new UsageError('no private key: give --key-file or set ANTARA_TX_KEY')
  }
  return (await terminal.ask('private key: ', true)).trim()
}
