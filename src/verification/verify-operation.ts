// Runs the checks of an operation, and makes the report.

import { requireObject } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { snapshot } from '../primitives/snapshot.ts'
import { finish, inSlices, type SliceOptions, type Steps } from '../primitives/steps.ts'
import type { OperationName } from '../request/case.ts'
import type { Evidence } from '../request/evidence.ts'
import { withLowerCaseHeights } from '../request/heights.ts'
import { conclude, type Finding, type Report, type SpentAmount } from '../request/report.ts'
import type { IntentTerms } from '../request/terms.ts'
import { verifyInputs, verifyInputsWhereFaster } from '../signing/verify.ts'
import type { Transaction } from '../transaction/types.ts'
import {
  checkAncestorSignatures,
  checkAncestorSignaturesAsync,
  type SignedAncestor,
} from './ancestor-signatures.ts'
import { checkAncestry } from './ancestry.ts'
import { type Checked, requireEvidence } from './check-intent.ts'
import { type CheckedTransaction, checkTransaction } from './checks.ts'
import { checkLimits } from './envelope.ts'
import { indexEvidence } from './evidence.ts'
import { checkInputs } from './inputs.ts'
import { openTransaction } from './open.ts'
import type { Operation, ReadyRequest } from './operation.ts'
import { countSignatures } from './partly-signed.ts'
import { resolveInputs } from './previous-outputs.ts'
import { type InclusionCheck, noInclusion } from './rules.ts'
import { seal } from './sealed.ts'
import { checkSignatures } from './signatures.ts'

/** The result of all checks but those of signatures. */
interface Verification {
  readonly operation: OperationName
  readonly hex: string
  readonly findings: readonly Finding[]
  /** Absent when the hex is not a transaction. */
  readonly tx?: Transaction
  readonly spends?: readonly SpentAmount[]
  /** Ancestors whose signatures are checked too. */
  readonly ancestors?: readonly SignedAncestor[]
  /** Absent where nothing was checked. */
  readonly checked?: CheckedTransaction
}

/**
 * Verifies a transaction by an operation's rules.
 *
 * @param inclusionOf - absent where a case has no proofs of inclusion
 * @throws {TypeError} for arguments of the wrong type; anything else is a finding
 */
export function verifyOperation<Intent extends IntentTerms>(
  operation: Operation<Intent>,
  hex: string,
  intent: Intent,
  evidence: Evidence,
  inclusionOf: InclusionCheck | undefined,
): Report {
  return verifyCopied(operation, hex, ...copied(intent, evidence), inclusionOf)
}

/** `verifyOperation` of an intent and evidence that no caller can change any more. */
export function verifyCopied<Intent extends IntentTerms>(
  operation: Operation<Intent>,
  hex: string,
  intent: Intent,
  evidence: Evidence,
  inclusionOf: InclusionCheck | undefined,
): Report {
  const steps = check(inclusionOf, operation, hex, () => operation.validate(intent), evidence)
  return settle(finish(steps))
}

/**
 * `verifyOperation` in slices, between which timers and other work run. The signatures of a large
 * transaction are checked on the threads of Node's pool.
 */
export async function verifyOperationAsync<Intent extends IntentTerms>(
  operation: Operation<Intent>,
  hex: string,
  intent: Intent,
  evidence: Evidence,
  options: SliceOptions,
  inclusionOf: InclusionCheck | undefined,
): Promise<Report> {
  return verifyCopiedAsync(operation, hex, ...copied(intent, evidence), options, inclusionOf)
}

/** `verifyOperationAsync` of an intent and evidence that no caller can change any more. */
export async function verifyCopiedAsync<Intent extends IntentTerms>(
  operation: Operation<Intent>,
  hex: string,
  intent: Intent,
  evidence: Evidence,
  options: SliceOptions,
  inclusionOf: InclusionCheck | undefined,
): Promise<Report> {
  requireObject(options, 'options')
  requireKnownMembers(options, ['signal'], 'options')
  const steps = check(inclusionOf, operation, hex, () => operation.validate(intent), evidence)
  return finishInSlices(steps, options)
}

/** `verifyCopiedAsync` for an intent that its operation has already validated. */
export async function verifyValidatedAsync(
  operation: Operation<never>,
  hex: string,
  request: Checked<ReadyRequest>,
  evidence: Evidence,
  options: SliceOptions,
  inclusionOf: InclusionCheck | undefined,
): Promise<Report> {
  return finishInSlices(
    check(inclusionOf, operation, hex, () => request, evidence),
    options,
  )
}

async function finishInSlices(
  steps: Steps<Verification>,
  { signal }: SliceOptions,
): Promise<Report> {
  return settleAsync(await inSlices(steps, { signal }), { signal })
}

/** Copies the arguments, so that later changes by the caller do not reach the verification. */
function copied<Intent>(intent: Intent, evidence: Evidence): [Intent, Evidence] {
  return [snapshot(intent, 'intent'), snapshot(evidence, 'evidence')]
}

/**
 * Checks in steps: one for each given transaction, and for each visit to one of them. The work of
 * the rest is bounded by the transaction itself.
 */
function* check(
  inclusionOf: InclusionCheck | undefined,
  { name: operation, roles, rules: rulesFor }: Operation<never>,
  source: string,
  validated: () => Checked<ReadyRequest>,
  given: Evidence,
): Steps<Verification> {
  const opened = openTransaction(source)
  const { intent, findings } = validated()
  requireEvidence(given)
  const { hex } = opened
  const none = { operation, hex }
  if ('failure' in opened) return { ...none, findings: [...findings, opened.failure] }
  const { tx } = opened
  const limits = [...findings, ...checkLimits(tx)]
  if (limits.length > 0) return { ...none, tx, findings: limits }
  const evidence = withLowerCaseHeights(given)
  const known = yield* indexEvidence(given, intent.tokenid)
  const resolved = resolveInputs(tx, known)
  const ancestry = yield* checkAncestry(tx, known, evidence, intent.terms.network)
  const context = { tx, bytes: hex.length / 2, evidence, known, resolved }
  const rules = rulesFor(intent, context)
  const inputs = yield* checkInputs(resolved.prevouts, rules.own)
  const { terms } = rules
  const isBound = terms.chain !== undefined || evidence.inclusion !== undefined
  // Without the check, nothing is bound to a chain that the request names.
  const inclusion =
    inclusionOf !== undefined && isBound
      ? yield* inclusionOf(evidence, terms, known, tx.inputs)
      : noInclusion
  const checked = checkTransaction(context, rules, roles, inputs, inclusion)
  return {
    operation,
    hex,
    tx,
    spends: resolved.spends,
    ancestors: ancestry.signed,
    findings: [...checked.findings, ...ancestry.findings],
    checked,
  }
}

function settle(verification: Verification): Report {
  const { checked, hex, ancestors = [] } = verification
  const signatures = checked?.signatures
  const inherited = checkAncestorSignatures(ancestors)
  if (signatures === undefined) return reportOf(verification, inherited)
  const verdicts = verifyInputs(hex, signatures.prevouts, signatures.network)
  const counts = finish(countSignatures(signatures, verdicts))
  return reportOf(verification, [...inherited, ...checkSignatures(signatures, verdicts, counts)])
}

async function settleAsync(verification: Verification, options: SliceOptions): Promise<Report> {
  const { checked, hex, ancestors = [] } = verification
  const signatures = checked?.signatures
  const inherited = await checkAncestorSignaturesAsync(ancestors, options)
  if (signatures === undefined) return reportOf(verification, inherited)
  const verdicts = await verifyInputsWhereFaster(
    hex,
    signatures.prevouts,
    signatures.network,
    options,
  )
  const counts = await inSlices(countSignatures(signatures, verdicts), options)
  return reportOf(verification, [...inherited, ...checkSignatures(signatures, verdicts, counts)])
}

function reportOf(verification: Verification, signatures: readonly Finding[]): Report {
  const { operation, hex, tx, spends, checked } = verification
  const {
    effects = [],
    fee,
    feeKnown,
    inputsMinusOutputs,
  }: Partial<CheckedTransaction> = checked ?? {}
  const all = [...verification.findings, ...signatures]
  const { ok, broadcast, findings } = conclude(all)
  // Members are set one by one: spreading an object for each takes longer than a check.
  const report: Writable<Report> = { ok, broadcast, findings, operation, hex, effects }
  if (tx !== undefined) report.txid = tx.txid
  if (tx !== undefined && ok) report.verified = seal(hex, tx.txid)
  if (fee !== undefined) report.fee = fee
  if (inputsMinusOutputs !== undefined) report.inputsMinusOutputs = inputsMinusOutputs
  if (feeKnown !== undefined) report.feeKnown = feeKnown
  if (spends !== undefined) report.spends = spends
  return report
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }
