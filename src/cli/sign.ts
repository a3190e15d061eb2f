import { defaultNetwork } from '../chain/network.ts'
import { parseJson } from '../primitives/json-fields.ts'
import type { Case } from '../request/case.ts'
import { conclude, type Report } from '../request/report.ts'
import { stepsOf } from '../script/template.ts'
import { addressOf, publicKeyOf } from '../signing/key.ts'
import { readName, redactName } from '../signing/own-scripts.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { joinSignatures, signCase, signsInput, verifyCase } from '../verification/case.ts'
import { lacksOnlySignatures, scriptSigsBy } from '../verification/case-signing.ts'
import { formatReport } from '../verification/format-report.ts'
import { checkHeld } from '../verification/held-change.ts'
import { parseCase } from '../verification/parse-case.ts'
import {
  type Command,
  exitAgrees,
  exitFindings,
  jsonText,
  onePositional,
  type Terminal,
  UsageError,
} from './command.ts'
import { readAs } from './kind-of-file.ts'
import { type GivenKey, givenKey, keyFileOption, namingKey } from './private-key.ts'
import { readCaseText } from './read.ts'
import { isColored } from './style.ts'

export const sign: Command = {
  usage: [
    '[CASE.json | -] [--key-file FILE] [--own NAMES] [--partly]',
    '[CASE.json | -] --join FILES [--key-file FILE] [--partly]',
  ],
  about: `Verifies the transaction in a case file. If only signatures are missing, signs it and verifies it
again. Prints the case file with the signed hex; standard error shows what the transaction does.
Opens no connection, so you can use it on an offline machine.`,
  options: [
    keyFileOption,
    {
      name: 'own',
      value: 'NAMES',
      about:
        'further keys, addresses and scripts of yours, with commas between them, to\n' +
        'which change may go. Take them from your own records, never from the file.',
    },
    {
      name: 'join',
      value: 'FILES',
      about:
        'copies of the case file that other keys have signed, with commas between them.\n' +
        'Their signatures are added. Without --key-file, no key is asked for.',
    },
    {
      name: 'partly',
      about: 'print the case file even if other keys must still sign it',
    },
    { name: 'json', about: 'print the report on standard error as JSON' },
  ],
  notes: `Exit status 0: signed, or with --partly signed by this key; 1: not signed, with the findings on
standard error. If the key made only some of the signatures, standard error adds "partly signed",
with --json in the member "signing".

Change, orders and tokens that you create or buy must go to this key, or to a name of --own;
otherwise nothing is signed. The "own" of the file is not enough, because the machine that wrote it
may be hostile. Another signer may get back at most what its own coins were worth.`,
  async run(parsed, terminal) {
    const { flags, options } = parsed
    const text = await readCaseText(onePositional(parsed), terminal)
    const copies = options.get('join')?.split(',') ?? []
    const read = readAs('a case file', text, parseCase)
    const given = await withJoined(read, copies, terminal)
    const [isJson, isPartly] = [flags.has('json'), flags.has('partly')]
    const printReport = (report: Report, more: object = {}): void => {
      const color = isColored(terminal, 'errors')
      const text = isJson
        ? jsonText({ ...more, ...report })
        : formatReport(report, { given, color })
      terminal.printError(text)
    }
    const hint = (words: string): void => {
      if (!isJson) terminal.printError(words)
    }
    const printCase = (hex: string): number => {
      terminal.print(withHex(text, hex))
      return exitAgrees
    }
    const before = verifyCase(given)
    if (!before.ok && !lacksOnlySignatures(before)) {
      printReport(before)
      return exitFindings
    }
    if (copies.length > 0 && !options.has('key-file')) {
      printReport(before)
      const isJoined = given.hex.toLowerCase() !== read.hex.toLowerCase()
      const isPrinted = before.ok || (isJoined && isPartly)
      const about = isPrinted ? partlyPrinted : notWhole
      if (!before.ok) hint(isJoined ? about : nothingJoined)
      return isPrinted ? printCase(before.hex) : exitFindings
    }
    const key = await givenKey(options.get('key-file'), terminal)
    const own = ownNames(options.get('own'), given.intent.network)
    const owner = () => ownerOf(key, given.intent.network)
    // With all signatures there, this key hands out nothing that the file did not have.
    const unheld = before.ok
      ? []
      : namingKey(key.source, () => checkHeld(before, given, { keys: [key.text], own }))
    if (unheld.length > 0) {
      // A wrong key file is the likely cause otherwise, and --own would not help then.
      const isOfInput = signsInput(given, before.hex, key.text)
      printReport(isOfInput ? { ...before, ...conclude([...before.findings, ...unheld]) } : before)
      hint(`${owner()} ${isOfInput ? notSigned : needsAnotherKey}`)
      return exitFindings
    }
    const report = namingKey(key.source, () => signCase(given, [key.text], { own }))
    if (report.ok) {
      printReport(report)
      return printCase(report.hex)
    }
    const isIncomplete = lacksOnlySignatures(report)
    const isPartlySigned =
      report.hex !== before.hex || (isIncomplete && hasSigned(given, before.hex, key.text))
    // Programs take `hex` for the signed transaction, so one that lacks signatures is labelled.
    printReport(report, isPartlySigned ? { signing: 'partly signed' } : {})
    if (!isIncomplete) return exitFindings
    if (isPartlySigned && isPartly) {
      hint(partlyPrinted)
      return printCase(report.hex)
    }
    if (isPartlySigned) hint(partlySigned)
    hint(`${owner()} ${needsAnotherKey}`)
    if (!isPartlySigned && given.operation.startsWith('token')) hint(severalAtOnce)
    return exitFindings
  },
}

/** Returns true if the key made a signature that the transaction has. */
function hasSigned(given: Case, hex: string, key: string): boolean {
  const made = scriptSigsBy([key], hex, given).map(pushesOf)
  const { inputs } = decodeTransaction(hex)
  return inputs.some(({ scriptSig }, at) => {
    // Beside the signature of the key there may be those of other keys.
    const pushes = new Set(pushesOf(scriptSig))
    return made[at]!.length > 0 && made[at]!.every((it) => pushes.has(it))
  })
}

function pushesOf(scriptSig: string): string[] {
  return (stepsOf(scriptSig) ?? []).map(({ data }) => data)
}

/**
 * Returns the case with the signatures that copies of it have.
 *
 * @throws {UsageError} for a copy of another transaction
 */
async function withJoined(
  given: Case,
  paths: readonly string[],
  terminal: Terminal,
): Promise<Case> {
  let hex = given.hex
  for (const path of paths) {
    const copy = readAs('a case file', await readCaseText(path, terminal), parseCase)
    try {
      hex = joinSignatures([{ ...given, hex }, copy]).hex
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new UsageError(`--join: ${path} has another transaction than the case file`)
    }
  }
  return { ...given, hex }
}

/** Returns the text of a case file with other hex. */
function withHex(text: string, hex: string): string {
  return jsonText({ ...(parseJson(text) as object), hex })
}

const needsAnotherKey = 'These inputs need another key.\n'

const severalAtOnce = 'A token of several keys needs them at once: signCase takes several.\n'

const notSigned = `Not signed: change, an order or tokens go to a key that this signer does not hold.
Only the file calls that key yours, and another machine may have changed the file. If your own
records have the key, repeat this with --own. For a script of several keys, name its address there.
`

/** @throws {UsageError} for a name that is not a key, an address or a script, or is of a module */
function ownNames(text: string | undefined, network = defaultNetwork): string[] {
  const names = text === undefined ? [] : text.split(',').map((it) => it.trim())
  for (const name of names) {
    const { scripts, module } = readName(name, network)
    if (module !== undefined) {
      throw new UsageError(
        `--own: ${redactName(name)} has the published key of ${module}, which anyone can use`,
      )
    }
    if (scripts.length > 0) continue
    throw new UsageError(`--own: ${redactName(name)} is not a key, an address or a script`)
  }
  return names
}

const partlySigned = `Partly signed: this key made some of the signatures, and others are missing. No node accepts the
transaction, so the case file is not printed. To hand it to the next signer, use --partly.
`

const nothingJoined = `The copies have no valid signature that the case file lacks, so it is not printed.
`

const notWhole = `Signatures are missing, so no node accepts the transaction, and the case file is not printed. To
hand it to the next signer, use --partly.
`

const partlyPrinted = 'Partly signed: other keys must still sign this case file.\n'

/** Names the key in a sentence that contains no secret. */
function ownerOf({ text, source }: GivenKey, network = defaultNetwork): string {
  const publicKey = publicKeyOf(text, network)
  return `The key from ${source} is that of ${addressOf(publicKey, network)} (${publicKey}).`
}
