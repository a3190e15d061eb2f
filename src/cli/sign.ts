import { defaultNetwork } from '../chain/network.ts'
import { parseJson } from '../primitives/json-fields.ts'
import type { Case } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import { addressOf, publicKeyOf } from '../signing/key.ts'
import { signTransaction } from '../signing/sign.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import { signCase, verifyCase } from '../verification/case.ts'
import { lacksOnlySignatures, prevoutsOf } from '../verification/case-signing.ts'
import { formatReport } from '../verification/format-report.ts'
import { parseCase } from '../verification/parse-case.ts'
import { type Command, exitAgrees, exitFindings, jsonText, onePositional } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { type GivenKey, givenKey, keyFileOption, namingKey } from './private-key.ts'
import { readCaseText } from './read.ts'
import { isColored } from './style.ts'

export const sign: Command = {
  usage: ['[CASE.json | -] [--key-file FILE] [--partly]'],
  about: `Verifies the transaction in a case file. If only signatures are missing, signs it and verifies it
again. Prints the case file with the signed hex; standard error shows what the transaction does.
Opens no connection, so you can use it on an offline machine.`,
  options: [
    keyFileOption,
    {
      name: 'partly',
      about: 'print the case file even if keys of other inputs must still sign it',
    },
    { name: 'json', about: 'print the report on standard error as JSON' },
  ],
  notes: `Exit status 0: signed, or with --partly signed by this key; 1: not signed, with the findings on
standard error. If the key made only some of the signatures, standard error adds "partly signed",
with --json in the member "signing".`,
  async run(parsed, terminal) {
    const { flags, options } = parsed
    const text = await readCaseText(onePositional(parsed), terminal)
    const given = readAs(['a case file'], text, parseCase)
    const isJson = flags.has('json')
    const printReport = (report: Report, more: object = {}): void => {
      const color = isColored(terminal, 'errors')
      const text = isJson
        ? jsonText({ ...more, ...report })
        : formatReport(report, { given, color })
      terminal.printError(text)
    }
    const before = verifyCase(given)
    if (!before.ok && !lacksOnlySignatures(before)) {
      printReport(before)
      return exitFindings
    }
    const key = await givenKey(options.get('key-file'), terminal)
    const report = namingKey(key.source, () => signCase(given, [key.text]))
    if (!report.ok) {
      // Programs take `hex` for the signed transaction, so one that lacks signatures is labelled.
      const isRepeated =
        flags.has('partly') && lacksOnlySignatures(report) && hasSigned(given, before.hex, key.text)
      const isPartlySigned = report.hex !== before.hex || isRepeated
      printReport(report, isPartlySigned ? { signing: 'partly signed' } : {})
      if (flags.has('partly') && isPartlySigned && lacksOnlySignatures(report)) {
        if (!isJson) terminal.printError(partlyPrinted)
        terminal.print(withHex(text, report.hex))
        return exitAgrees
      }
      if (!isJson && isPartlySigned) terminal.printError(partlySigned)
      if (!isJson && lacksOnlySignatures(report)) {
        terminal.printError(`${whoseKey(key, given.intent.network)}\n`)
      }
      return exitFindings
    }
    printReport(report)
    terminal.print(withHex(text, report.hex))
    return exitAgrees
  },
}

/**
 * Returns true if the key made a signature that the transaction has. Signing is deterministic, so the
 * key makes it again.
 */
function hasSigned(given: Case, hex: string, key: string): boolean {
  const { inputs, ...rest } = decodeTransaction(hex)
  const unsigned = encodeTransaction({
    ...rest,
    inputs: inputs.map((input) => ({ ...input, scriptSig: '' })),
  })
  const again = signTransaction(unsigned, [key], prevoutsOf(hex, given), given.intent.network)
  const made = decodeTransaction(again.hex).inputs.map(({ scriptSig }) => scriptSig)
  return inputs.some(({ scriptSig }, at) => scriptSig !== '' && scriptSig === made[at])
}

/** Returns the text of a case file with other hex. */
function withHex(text: string, hex: string): string {
  return jsonText({ ...(parseJson(text) as object), hex })
}

const partlySigned = `Partly signed: this key made some of the signatures, and others are missing. No node accepts the
transaction, so the case file is not printed. Sign with all keys that it needs: signCase takes
several. If the missing signatures belong to other inputs, use --partly.
`

const partlyPrinted = 'Partly signed: keys of other inputs must still sign this case file.\n'

/** Returns the error text for a key that no input needs; it contains no secret. */
function whoseKey({ text, source }: GivenKey, network = defaultNetwork): string {
  const publicKey = publicKeyOf(text, network)
  const address = addressOf(publicKey, network)
  return `The key from ${source} is that of ${address} (${publicKey}). These inputs need another key.`
}
