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
 * Judges a case by its operation.
 *
 * @throws {TypeError} as the verifiers: anything in a case is data, and ends up in the report
 * @example
 * verifyCase(parseCase(text)).ok // false, and the only rejects are unsigned inputs
 */
export function verifyCase(given: Case): Report {
  const taken = snapshot(given, 'case')
  const { operation } = taken
  if (!isOperation(operation)) throw argumentError('operation', operationNames, operation)
  return verifyNamed(operation, taken)
}

/** `verifyCase` in slices, its signatures checked on the threads of Node's pool. Misuse rejects. */
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

/** Returns true if the only objection to a transaction is that it is not signed yet. */
export function lacksOnlySignatures({ ok, findings }: Report): boolean {
  return !ok && findings.every(({ severity, code }) => severity !== 'reject' || code === 'unsigned')
}

/**
 * Signs what a case holds, if it does exactly what was asked.
 *
 * It is judged before, and nothing is signed while anything but missing signatures speaks against
 * it; then it is judged again. Hex and intent may have been changed together: show a person whom
 * it pays.
 *
 * @param keys - as for `signTransaction`
 * @returns the last verdict; when `ok`, its `hex` is the signed transaction
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

/** The report found every one of them, so they are all here. */
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
