import { defaultNetwork } from '../chain/network.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { Case, Intents, OperationName } from '../request/case.ts'
import { conclude, type Report } from '../request/report.ts'
import { signBy, signTransaction } from '../signing/sign.ts'
import { readSigner } from '../signing/signer.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { isMalleatedCopy } from '../transaction/malleated-copy.ts'
import { readableTransaction } from '../transaction/readable.ts'
import { lacksOnlySignatures, prevoutsOf, scriptSigsBy } from './case-signing.ts'
import { checkHeld } from './held-change.ts'
import { checkInclusion } from './inclusion.ts'
import type { Operation } from './operation.ts'
import { isOperation, operationNames, operations } from './operations/catalogue.ts'
import { verifyCopied, verifyCopiedAsync } from './verify-operation.ts'

/**
 * Verifies a case by its operation.
 *
 * @param given - what `parseCase` returned, or an object of that form
 * @returns the report of the operation's verifier
 * @throws {TypeError} for members of the wrong type; everything else that is wrong is a finding
 * @example
 * verifyCase(parseCase(text)).ok // false, and the only rejects are unsigned inputs
 */
export function verifyCase(given: Case): Report {
  return verifyParsed(snapshot(given, 'case'))
}

/** `verifyCase` of a case that nobody else can change, such as one that `parseCase` has just made. */
export function verifyParsed(given: Case): Report {
  const operation = operationOf(given)
  const { hex, intent, evidence } = given
  return verifyCopied(operation, hex, intent, evidence, checkInclusion)
}

/** @throws {TypeError} for what is no case, and for a name that no operation has */
function operationOf(given: Case): Operation<Intents[OperationName]> {
  requireObject(given, 'case')
  const { operation } = given
  if (!isOperation(operation)) throw argumentError('operation', operationNames, operation)
  return operations[operation] as Operation<Intents[OperationName]>
}

/**
 * `verifyCase` in slices. Signatures of a large transaction are checked on the threads of Node's
 * pool.
 */
export async function verifyCaseAsync(given: Case, options: SliceOptions): Promise<Report> {
  const taken = snapshot(given, 'case')
  const operation = operationOf(taken)
  const { hex, intent, evidence } = taken
  return verifyCopiedAsync(operation, hex, intent, evidence, options, checkInclusion)
}

/**
 * Signs the transaction of a case, if it does exactly what was requested.
 *
 * The case is verified first, and signed only if missing signatures are the only rejects. The
 * result is verified again. Hex and intent may have been changed together: show a person the
 * payees. The report warns of change to a key that is neither among `keys` nor in `options.own`.
 *
 * @param keys - as for `signTransaction`
 * @param options - further names of your own, to which change may go
 * @returns the last report; when `ok`, its `hex` is the signed transaction. Send it without asking
 *   only if `broadcast` is `'yes'`: with change to another key it is signed, and `broadcast` is
 *   `'your-decision'`.
 * @throws {AntaraError} `malformed_private_key`
 * @throws {TypeError} for an own name that is not a key, an address or a script, or is of a module
 * @example
 * const report = signCase(parseCase(text), [wif])
 * report.ok // true
 */
export function signCase(
  given: Case,
  keys: readonly string[],
  options: SignCaseOptions = {},
): Report {
  requireArray(keys, 'keys')
  requireKnownMembers(options, ['own'], 'options')
  const { own = [] } = options
  requireArray(own, 'options.own')
  for (const [at, name] of own.entries()) requireString(name, `options.own[${at}]`)
  const held = { keys, own: [...own] }
  const taken = snapshot(given, 'case')
  const before = verifyCase(taken)
  if (!before.ok && !lacksOnlySignatures(before)) return before
  const { moduleKeys = [] } = operations[taken.operation]
  const unheld = checkHeld(before, taken, held)
  const prevouts = prevoutsOf(before.hex, taken)
  const signers = [...keys, ...moduleKeys]
  const { hex } = signTransaction(before.hex, signers, prevouts, taken.intent.network)
  const report = verifyCase({ ...taken, hex })
  return unheld.length === 0 ? report : { ...report, ...conclude([...report.findings, ...unheld]) }
}

/**
 * Joins the signatures that several signers made for one transaction, each on a copy of its own.
 *
 * The first case is verified as it stands, and only its request and evidence count: the others give
 * nothing but signatures. Each signature is verified, so a file of a hostile signer adds nothing.
 *
 * @param cases - copies of one case, each with the hex that one signer returned
 * @returns the report of the first case with all signatures; when `ok`, its `hex` is signed
 * @throws {TypeError} for no case, and for hex of another transaction
 * @example
 * const unsigned = parseCase(text)
 * const { hex } = signCase(unsigned, [wif]) // another machine
 * joinSignatures([unsigned, { ...unsigned, hex }]).ok // true
 */
export function joinSignatures(cases: readonly Case[]): Report {
  requireArray(cases, 'cases')
  const [given, ...others] = snapshot(cases, 'cases')
  if (given === undefined) throw argumentError('cases', 'at least one case', 'none')
  const before = verifyCase(given)
  if (!before.ok && !lacksOnlySignatures(before)) return before
  const signed = decodeTransaction(before.hex)
  const copies = others.map((it, at) => {
    const path = `cases[${at + 1}].hex`
    requireString(it?.hex, path)
    const copy = readableTransaction(it.hex)
    if (copy !== undefined && isMalleatedCopy(signed, copy)) return copy
    const found = copy === undefined ? 'no transaction' : copy.txid
    throw new TypeError(`${path}: expected a signed copy of ${signed.txid}, found ${found}`)
  })
  const { network = defaultNetwork } = given.intent
  const { moduleKeys = [] } = operations[given.operation]
  const modules = moduleKeys.map((key, at) => readSigner(key, network, `moduleKeys[${at}]`))
  const prevouts = prevoutsOf(before.hex, given)
  const { hex } = signBy(modules, before.hex, prevouts, network, copies)
  return verifyCase({ ...given, hex })
}

/**
 * Returns true if a key signs an input of a case, whether or not the input has that signature.
 *
 * @param hex - the transaction, as in the report of the case
 */
export function signsInput(given: Case, hex: string, key: string): boolean {
  const { moduleKeys = [] } = operations[given.operation]
  const without = scriptSigsBy(moduleKeys, hex, given)
  return scriptSigsBy([key, ...moduleKeys], hex, given).some((it, at) => it !== without[at])
}

/** Own names that the signer does not learn from its keys. */
export interface SignCaseOptions {
  /**
   * Keys, addresses and scripts of your own besides those of the keys. Take them from your own
   * records, never from the case.
   */
  readonly own?: readonly string[] | undefined
}
