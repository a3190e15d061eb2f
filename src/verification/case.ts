import { argumentError } from '../primitives/arguments.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { Case, OperationName } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import { signTransaction } from '../signing/sign.ts'
import { lacksOnlySignatures, prevoutsOf } from './case-signing.ts'
import { checkInclusion } from './inclusion.ts'
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
  const taken = snapshot(given, 'case')
  const { operation } = taken
  if (!isOperation(operation)) throw argumentError('operation', operationNames, operation)
  return verifyNamed(operation, taken)
}

/** `verifyCase` of a case that `parseCase` has just made, and that nobody else can change. */
export function verifyParsed(given: Case): Report {
  return verifyNamed(given.operation, given)
}

/**
 * `verifyCase` in slices. Signatures of a large transaction are checked on the threads of Node's
 * pool.
 */
export async function verifyCaseAsync(given: Case, options: SliceOptions): Promise<Report> {
  const taken = snapshot(given, 'case')
  const { operation } = taken
  if (!isOperation(operation)) throw argumentError('operation', operationNames, operation)
  return verifyNamedAsync(operation, taken, options)
}

function verifyNamedAsync<Name extends OperationName>(
  name: Name,
  { hex, intent, evidence }: Case<Name>,
  options: SliceOptions,
): Promise<Report> {
  return verifyCopiedAsync(operations[name], hex, intent, evidence, options, checkInclusion)
}

function verifyNamed<Name extends OperationName>(
  name: Name,
  { hex, intent, evidence }: Case<Name>,
): Report {
  return verifyCopied(operations[name], hex, intent, evidence, checkInclusion)
}

/**
 * Signs the transaction of a case, if it does exactly what was requested.
 *
 * The case is verified first, and signed only if missing signatures are the only rejects. The
 * result is verified again. Hex and intent may have been changed together: show a person the
 * payees.
 *
 * @param keys - as for `signTransaction`
 * @returns the last report; when `ok`, its `hex` is the signed transaction
 * @throws {AntaraError} `malformed_private_key`
 * @example
 * const report = signCase(parseCase(text), [wif])
 * report.ok // true
 */
export function signCase(given: Case, keys: readonly string[]): Report {
  return signTaken(snapshot(given, 'case'), keys)
}

function signTaken(given: Case, keys: readonly string[]): Report {
  const before = verifyCase(given)
  if (!before.ok && !lacksOnlySignatures(before)) return before
  const { network } = given.intent
  const { moduleKeys = [] } = operations[given.operation]
  const signers = [...keys, ...moduleKeys]
  const { hex } = signTransaction(before.hex, signers, prevoutsOf(before.hex, given), network)
  return verifyCase({ ...given, hex })
}
