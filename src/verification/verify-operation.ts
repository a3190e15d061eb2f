import { defaultNetwork, type Network } from '../chain/network.ts'
import { requireObject } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { snapshot } from '../primitives/snapshot.ts'
import { finish, inSlices, type SliceOptions, type Steps } from '../primitives/steps.ts'
import type { Evidence, OperationName } from '../request/case.ts'
import { contradictionsOf, withLowerCaseHeights } from '../request/heights.ts'
import type { IntentTerms } from '../request/intent.ts'
import { termMembers } from '../request/members.ts'
import type { Finding, Known, Report, SpentAmount } from '../request/report.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import type { InputVerdict } from '../signing/verdict.ts'
import { verifyInputs, verifyInputsAsync } from '../signing/verify.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import {
  checkAncestorSignatures,
  checkAncestorSignaturesAsync,
  type SignedAncestor,
} from './ancestor-signatures.ts'
import { checkAncestry } from './ancestry.ts'
import { checkDescent } from './chain-binding.ts'
import { requireEvidence } from './check-intent.ts'
import { checkSpendable } from './check-terms.ts'
import { checkEnvelope, checkLimits, checkValues } from './envelope.ts'
import { indexEvidence } from './evidence.ts'
import { checkSupply } from './family.ts'
import { checkFee, checkShare } from './fee.ts'
import {
  type CheckedInputs,
  checkConfirmed,
  checkInputs,
  checkNeeded,
  knownOf,
  prepareTokens,
  resolveInputs,
  type SpentOutput,
} from './inputs.ts'
import { openTransaction } from './open.ts'
import type {
  CheckedTransaction,
  Operation,
  OperationRules,
  Roles,
  Signed,
  Signer,
  VerificationContext,
} from './operation.ts'
import {
  checkConservation,
  checkNativeChange,
  checkZeroTokens,
  type ExpectedOutput,
  matchOutputs,
  nativeChange,
} from './outputs.ts'
import { contradictionFinding } from './reward.ts'
import { seal } from './sealed.ts'
import { checkSignatures } from './signatures.ts'
import { typeFinder } from './type-finder.ts'

/** Everything that is known of a transaction before its signatures are looked at. */
interface Verification extends Omit<CheckedTransaction, 'feeKnown'> {
  readonly operation: OperationName
  readonly hex: string
  /** Absent when the hex is no transaction. */
  readonly tx?: Transaction
  readonly feeKnown?: Known
  readonly spends?: readonly SpentAmount[]
  /** Ancestors whose signatures are checked too. */
  readonly ancestors?: readonly SignedAncestor[]
}

/**
 * Judges a transaction by an operation's rules.
 *
 * @throws {TypeError} for arguments of the wrong type; anything else is a finding
 */
export function verifyOperation<Intent extends IntentTerms>(
  operation: Operation<Intent>,
  hex: string,
  intent: Intent,
  evidence: Evidence,
): Report {
  return settle(finish(check(operation, hex, ...taken(intent, evidence))))
}

/**
 * As `verifyOperation`, in slices between which others have their turn, and with its signatures
 * checked on the threads of Node's pool.
 */
export async function verifyOperationAsync<Intent extends IntentTerms>(
  operation: Operation<Intent>,
  hex: string,
  intent: Intent,
  evidence: Evidence,
  options: SliceOptions,
): Promise<Report> {
  requireObject(options, 'options')
  requireKnownMembers(options, ['signal'], 'options')
  const { signal } = options
  const steps = check(operation, hex, ...taken(intent, evidence))
  return settleAsync(await inSlices(steps, { signal }), { signal })
}

/** Copies the arguments, so that later changes by the caller do not reach the verification. */
function taken<Intent>(intent: Intent, evidence: Evidence): [Intent, Evidence] {
  return [snapshot(intent, 'intent'), snapshot(evidence, 'evidence')]
}

/**
 * Judges in steps: one for each transaction that was given, and for each visit to one of them. What
 * is left is bounded by the transaction itself.
 */
function* check<Intent extends IntentTerms>(
  { name: operation, members, roles, ask }: Operation<Intent>,
  source: string,
  intent: Intent,
  given: Evidence,
): Steps<Verification> {
  const opened = openTransaction(source)
  const asked = ask(intent)
  requireKnownMembers(intent, ['network', ...termMembers, ...Object.keys(members)], 'intent')
  const { findings, tokenid } = asked
  requireEvidence(given)
  const evidence = withLowerCaseHeights(given)
  const { hex } = opened
  const none = { operation, hex, effects: [] }
  if ('failure' in opened) return { ...none, findings: [...findings, opened.failure] }
  const { tx } = opened
  const limits = [...findings, ...checkLimits(tx)]
  if (limits.length > 0) return { ...none, tx, findings: limits }
  const indexed = yield* indexEvidence(evidence, tokenid)
  const contradictions = contradictionsOf(given).map(contradictionFinding)
  const known = { ...indexed, findings: [...indexed.findings, ...contradictions] }
  const resolved = resolveInputs(tx, known)
  const { spends } = resolved
  const ancestry = yield* checkAncestry(tx, known, evidence, intent.network ?? defaultNetwork)
  const context = { known, resolved, evidence, bytes: hex.length / 2 }
  const settled = (checked: CheckedTransaction): Verification => {
    const all = [...checked.findings, ...ancestry.findings]
    const ancestors = ancestry.signed
    return { operation, hex, tx, spends, ancestors, ...checked, findings: all }
  }
  if ('check' in asked) return settled(asked.check(tx, context))
  const rules = asked.rules(known, resolved.prevouts, { tx, tipHeight: evidence.tipHeight })
  yield* prepareTokens(resolved.prevouts, rules)
  return settled(checkByRules(tx, { roles, ...rules }, context))
}

function checkByRules(
  tx: Transaction,
  operation: OperationRules & { readonly roles: Roles },
  { known, resolved, evidence }: VerificationContext,
): CheckedTransaction {
  const { terms, pubkey, tokens, marker, lent, roles } = operation
  const native = [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]
  const further = terms.ownScripts
  const own = { native, further, marker, ...(tokens && { tokens }), ...(lent && { lent }) }
  const inputs = checkInputs(resolved.prevouts, own)
  const outputs = operation.expectedOutputs(inputs.tokens, inputs.units)
  const expected = [...outputs, ...nativeChange(native)]
  const typeOf = typeFinder(() => tx.outputs.map(({ script }) => script))
  const { effects, findings: outputFindings } = matchOutputs(tx, expected, { typeOf })
  const fee = feeOf(tx, inputs.total)
  const signer = ({ txid, vout, script }: SpentOutput): Signer => {
    const key = lent?.get(`${txid}:${vout}`)?.signer ?? terms.ownScripts.get(script)
    if (key !== undefined) return { key }
    return operation.tokenKeys && tokens?.isOwn(script) ? operation.tokenKeys : { key: pubkey }
  }
  const signed =
    tx.version === signedVersion
      ? toBeSigned(tx, resolved.prevouts, { network: terms.network, inputs, signer })
      : undefined
  const hasChange = effects.some(({ role }) => role === 'native-change')
  const isPaidByLent = inputs.lentCoins > 0n && inputs.coins.native.length === 0
  const findings = [
    ...known.findings,
    ...operation.findings,
    ...checkEnvelope(tx, terms, evidence.tipHeight),
    ...checkValues(tx, terms.network),
    ...checkSpendable(tx.inputs, terms, lent),
    ...checkDescent(tx.inputs, terms, known),
    ...resolved.findings,
    ...checkConfirmed(tx, evidence.heights),
    ...inputs.findings,
    ...operation.inputFindings(inputs),
    ...checkNeeded(inputs.coins, neededCoins(expected, inputs, operation)),
    ...outputFindings,
    ...checkZeroTokens(effects, typeOf),
    ...(tokens === undefined ? [] : checkConservation(inputs.tokens, effects, roles)),
    ...(tokens === undefined ? [] : checkSupply(tokens, inputs.units, known)),
    ...checkNativeChange(effects, native),
    ...operation.payloadFindings(tx, inputs.tokens),
    ...checkFee(fee, terms.bounds, {
      hasChange,
      isLowWithoutChange: operation.isLowWithoutChange,
    }),
    // what cancels an order of tokeld pays with the marker, and spends no coin of its own
    ...checkShare(fee, isPaidByLent ? undefined : inputs.total, inputs.total),
  ]
  return {
    findings,
    effects,
    feeKnown: knownOf(resolved.spends),
    ...(fee !== undefined && { fee, inputsMinusOutputs: fee }),
    ...(signed !== undefined && { signed }),
  }
}

/**
 * What there is to be checked of signatures: each coin once, and none that has room for more checks
 * than signatures. Nothing while an amount is not known.
 */
export function toBeSigned(
  tx: Transaction,
  prevouts: readonly (SpentOutput | undefined)[],
  {
    network,
    inputs: { singlySigned },
    signer,
  }: {
    readonly network: Network
    readonly inputs: CheckedInputs
    readonly signer: (spent: SpentOutput) => Signer
  },
): Signed | undefined {
  if (prevouts.includes(undefined)) return undefined
  const seen = new Set<TransactionOutput>()
  const checked = prevouts.map((prevout, index) => {
    const { output } = prevout!
    const isFirst = !seen.has(output)
    seen.add(output)
    return isFirst && singlySigned.has(index)
  })
  return {
    tx,
    prevouts: prevouts.map((prevout, index) => (checked[index] ? prevout!.output : nothing)),
    network,
    signers: checked.map((isChecked, index) => (isChecked ? signer(prevouts[index]!) : undefined)),
  }
}

/** The signatures of other versions commit to no amounts. */
const signedVersion = 4
/** Stands for an output that is not looked at. */
const nothing: TransactionOutput = { value: 0n, script: '' }

/** Returns the amounts that outputs need: tokens for recipients, coins for the rest and the fee. */
function neededCoins(
  expected: readonly ExpectedOutput[],
  { tokens: tokensIn, lentCoins }: CheckedInputs,
  { terms, tokens: moved, roles }: Pick<OperationRules, 'terms' | 'tokens'> & { roles: Roles },
): Parameters<typeof checkNeeded>[1] {
  let native = terms.bounds.fee - tokensIn - lentCoins
  let tokens = 0n
  for (const { role, value = 0n } of expected) {
    native += value
    if (moved && role !== 'token-change' && roles[role]?.holds === 'units') tokens += value
  }
  // tokeld takes all coins of an address: AddTokenCCInputs goes on when it has enough
  return moved?.rules.layout === 'komodo-v1' ? { native, tokens } : { native }
}

/** All values count: a token's units are satoshis of its output. */
export function feeOf({ outputs }: Transaction, total: bigint | undefined): bigint | undefined {
  if (total === undefined) return undefined
  return outputs.reduce((rest, { value }) => rest - value, total)
}

function settle(verification: Verification): Report {
  const { signed, hex, ancestors = [] } = verification
  const inherited = checkAncestorSignatures(ancestors)
  if (signed === undefined) return reportOf(verification, inherited)
  const verdicts = verifyInputs(hex, signed.prevouts, signed.network)
  return reportOf(verification, [...inherited, ...signatureFindings(signed, verdicts)])
}

async function settleAsync(verification: Verification, options: SliceOptions): Promise<Report> {
  const { signed, hex, ancestors = [] } = verification
  const inherited = await checkAncestorSignaturesAsync(ancestors, options)
  if (signed === undefined) return reportOf(verification, inherited)
  const verdicts = await verifyInputsAsync(hex, signed.prevouts, signed.network, options)
  return reportOf(verification, [...inherited, ...signatureFindings(signed, verdicts)])
}

function signatureFindings({ tx, signers }: Signed, verdicts: readonly InputVerdict[]): Finding[] {
  return checkSignatures(tx, verdicts, signers)
}

function reportOf(verification: Verification, signatures: readonly Finding[]): Report {
  const { operation, hex, tx, effects, fee, feeKnown, inputsMinusOutputs, spends } = verification
  const findings = [...verification.findings, ...signatures]
  const ok = findings.every(({ severity }) => severity !== 'reject')
  const txid = tx?.txid
  return {
    ok,
    findings,
    operation,
    hex,
    effects,
    ...(txid !== undefined && { txid }),
    ...(txid !== undefined && ok && { verified: seal(hex, txid) }),
    ...(fee !== undefined && { fee }),
    ...(inputsMinusOutputs !== undefined && { inputsMinusOutputs }),
    ...(feeKnown !== undefined && { feeKnown }),
    ...(spends !== undefined && { spends }),
  }
}
