import { isAntaraError } from '../errors/antara-error.ts'
import { argumentError } from '../primitives/arguments.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { Case, OperationName } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { signTransaction } from '../signing/sign.ts'
import type { PrevoutToSign } from '../signing/task.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import { isOperation, operationNames, operations } from './operations/catalogue.ts'
import { verifyOperation, verifyOperationAsync } from './verify-operation.ts'

/**
 * Verifies a case by its operation.
 *
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

/** `verifyCase` in slices, with signatures checked on the threads of Node's pool. */
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
  return verifyOperationAsync(operations[name], hex, intent, evidence, options)
}

function verifyNamed<Name extends OperationName>(
  name: Name,
  { hex, intent, evidence }: Case<Name>,
): Report {
  return verifyOperation(operations[name], hex, intent, evidence)
}

/** Returns true if missing signatures are the only rejects of a report. */
export function lacksOnlySignatures({ ok, findings }: Report): boolean {
  return !ok && findings.every(({ severity, code }) => severity !== 'reject' || code === 'unsigned')
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

/** Returns the spent outputs; all are present, because the report found each of them. */
function prevoutsOf(hex: string, { evidence, intent }: Case): PrevoutToSign[] {
  const { previousTransactions, tokenCreate } = evidence
  const given = [...previousTransactions, ...(tokenCreate === undefined ? [] : [tokenCreate])]
  const known = new Map(given.flatMap(outputsById))
  const redeemScripts = 'redeemScripts' in intent ? (intent.redeemScripts ?? []) : []
  return decodeTransaction(hex).inputs.map(({ txid, vout }) => {
    const output = known.get(txid)![vout]!
    const redeemScript = redeemScripts.find((it) => scriptHashOf(it) === output.script)
    return redeemScript === undefined ? output : { ...output, redeemScript }
  })
}

/** Returns `undefined` for hex that is not a transaction; the report then has a warning. */
function outputsById(previous: string): [txid: string, outputs: readonly TransactionOutput[]][] {
  try {
    const { txid, outputs } = decodeTransaction(previous)
    return [[txid, outputs]]
  } catch (error) {
    if (isAntaraError(error)) return []
    throw error
  }
}
