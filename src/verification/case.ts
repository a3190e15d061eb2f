import { defaultNetwork } from '../chain/network.ts'
import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { argumentError, requireString } from '../primitives/arguments.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { SliceOptions } from '../primitives/steps.ts'
import type { Case, OperationName } from '../request/case.ts'
import type { Report } from '../request/report.ts'
import { scriptHashOf } from '../script/key-script.ts'
import { signBy, signTransaction, wantedSignatures } from '../signing/sign.ts'
import { readSigner } from '../signing/signer.ts'
import type { PrevoutToSign } from '../signing/task.ts'
import { verifySignature } from '../signing/verify.ts'
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

/** The facts that a signer may look at before it signs. */
export interface SigningContext {
  readonly case: Case
  /** The report on the unsigned transaction: missing signatures are its only rejects. */
  readonly report: Report
}

/** A key that signs somewhere else: on a device, in a key service, on another machine. */
export interface KeySigner {
  /** Compressed, hex. */
  readonly publicKey: string
  /**
   * Signs a hash.
   *
   * @param hash - 32 bytes, hex
   * @returns r and s, 64 bytes, hex; s in the lower half, as nodes want it
   */
  sign(hash: string, context: SigningContext): Promise<string>
}

/**
 * Signs as `signCase`, with signers whose answers take time. Each signature is verified natively
 * before it is used. The hashes come from this copy of the case: a signer that changes what it was
 * shown changes nothing.
 *
 * @throws {AntaraError} `signature_invalid` and the like, where a signer answers with anything but
 *   a signature of its key
 */
export async function signCaseWith(given: Case, signers: readonly KeySigner[]): Promise<Report> {
  const taken = snapshot(given, 'case')
  const before = verifyCase(taken)
  if (!before.ok && !lacksOnlySignatures(before)) return before
  const network = taken.intent.network ?? defaultNetwork
  const { moduleKeys = [] } = operations[taken.operation]
  const modules = moduleKeys.map((key, at) => readSigner(key, network, `moduleKeys[${at}]`))
  const prevouts = prevoutsOf(before.hex, taken)
  const publicKeys = signers.map(({ publicKey }) => publicKey)
  const signatures = new Map<string, string>()
  for (const { publicKey, hash } of wantedSignatures(
    publicKeys,
    modules,
    before.hex,
    prevouts,
    network,
  )) {
    const name = `${publicKey} ${hash}`
    if (signatures.has(name)) continue
    const signer = signers[publicKeys.indexOf(publicKey)]!
    const shown = { case: snapshot(taken, 'case'), report: snapshot(before, 'report') }
    const answered: unknown = await signer.sign(hash, shown)
    const path = `signature of ${publicKey}`
    requireString(answered, path)
    const signature = answered.toLowerCase()
    const { code } = verifySignature({ hash, publicKey, signature, encoding: 'compact' })
    if (code !== undefined) throw new AntaraError(code, { path })
    signatures.set(name, signature)
  }
  const ready = publicKeys.map((publicKey) => ({
    publicKeys: [publicKey, ''] as const,
    sign: (hash: string) => signatures.get(`${publicKey} ${hash}`)!,
  }))
  const { hex } = signBy([...ready, ...modules], before.hex, prevouts, network)
  return verifyCase({ ...taken, hex })
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
