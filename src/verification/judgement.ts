import type { Network } from '../chain/network.ts'
import type { Evidence, OperationName } from '../intent/case.ts'
import type { IntentTerms } from '../intent/intent.ts'
import { requireObject } from '../primitives/misuse.ts'
import { finish, inSlices, type SliceOptions, type Steps } from '../primitives/steps.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import type { InputVerdict } from '../signing/verdict.ts'
import { verifyInputs, verifyInputsAsync } from '../signing/verify.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import { checkEnvelope, checkLimits, checkValues } from './envelope.ts'
import { indexEvidence, type KnownTransactions } from './evidence.ts'
import { checkFee } from './fee.ts'
import {
  checkNeeded,
  type JudgedInputs,
  judgeInputs,
  prepareTokens,
  type ResolvedInputs,
  resolveInputs,
  type SpentOutput,
} from './inputs.ts'
import { requireEvidence } from './judge-intent.ts'
import { checkSpendable } from './judge-terms.ts'
import { openTransaction } from './open.ts'
import type { Operation, OperationRules, Roles } from './operation.ts'
import {
  checkConservation,
  checkNativeChange,
  checkZeroTokens,
  type ExpectedOutput,
  matchOutputs,
  nativeChange,
} from './outputs.ts'
import type { Effect, Finding, Report } from './report.ts'
import { seal } from './sealed.ts'
import { judgeSignatures } from './signatures.ts'

/** Everything that is known of a transaction before its signatures are looked at. */
interface Judgement {
  readonly operation: OperationName
  readonly hex: string
  /** Absent when the hex is no transaction. */
  readonly tx?: Transaction
  readonly findings: readonly Finding[]
  readonly effects: readonly Effect[]
  readonly fee?: bigint
  /** What is needed to check signatures; absent when not all that is spent is known. */
  readonly signed?: Signed
}

interface Signed {
  readonly tx: Transaction
  readonly prevouts: readonly TransactionOutput[]
  readonly network: Network
  /** The key, or its address, that must have signed each input; none where no signature is looked at. */
  readonly signers: readonly (string | undefined)[]
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
  return settle(finish(judge(operation, hex, intent, evidence)))
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
  const judgement = await inSlices(judge(operation, hex, intent, evidence), options)
  return settleAsync(judgement, options)
}

/**
 * Judges in steps: one for each transaction that was given, and for each visit to one of them. What
 * is left is bounded by the transaction itself.
 */
function* judge<Intent extends IntentTerms>(
  { name: operation, roles, ask }: Operation<Intent>,
  source: string,
  intent: Intent,
  evidence: Evidence,
): Steps<Judgement> {
  const opened = openTransaction(source)
  const { findings, tokenid, rules } = ask(intent)
  requireEvidence(evidence)
  const { hex } = opened
  const none = { operation, hex, effects: [] }
  if ('failure' in opened) return { ...none, findings: [...findings, opened.failure] }
  const { tx } = opened
  const limits = [...findings, ...checkLimits(tx)]
  if (limits.length > 0) return { ...none, tx, findings: limits }
  const known = yield* indexEvidence(evidence, tokenid)
  const resolved = resolveInputs(tx, known)
  const asked = { roles, ...rules(known, resolved.prevouts) }
  yield* prepareTokens(resolved.prevouts, asked.tokens)
  const judged = judgeByRules(tx, asked, { known, resolved }, evidence.tipHeight)
  return { operation, hex, tx, ...judged }
}

function judgeByRules(
  tx: Transaction,
  operation: OperationRules & Pick<Operation<never>, 'roles'>,
  { known, resolved }: { known: KnownTransactions; resolved: ResolvedInputs },
  tipHeight: number | undefined,
): Omit<Judgement, 'operation' | 'hex' | 'tx'> {
  const { terms, pubkey, tokens, marker, roles } = operation
  const native = [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]
  const further = terms.ownScripts
  const own = { native, further, marker, ...(tokens && { tokens }) }
  const inputs = judgeInputs(resolved.prevouts, own)
  const expected = [...operation.expectedOutputs(inputs.tokens), ...nativeChange(native)]
  const { effects, findings: outputFindings } = matchOutputs(tx, expected)
  const fee = feeOf(tx, inputs.total)
  const signed = toBeSigned(tx, resolved.prevouts, operation, inputs)
  const hasChange = effects.some(({ role }) => role === 'native-change')
  const findings = [
    ...known.findings,
    ...operation.findings,
    ...checkEnvelope(tx, terms, tipHeight),
    ...checkValues(tx, terms.network),
    ...checkSpendable(tx.inputs, terms),
    ...resolved.findings,
    ...inputs.findings,
    ...operation.inputFindings(inputs),
    ...checkNeeded(inputs.coins, neededCoins(expected, inputs.tokens, operation)),
    ...outputFindings,
    ...checkZeroTokens(effects),
    ...(tokens === undefined ? [] : checkConservation(inputs.tokens, effects, roles)),
    ...checkNativeChange(effects, native),
    ...operation.judgePayload(tx),
    ...checkFee(fee, terms.bounds, hasChange),
  ]
  return {
    findings,
    effects,
    ...(fee !== undefined && { fee }),
    ...(signed !== undefined && { signed }),
  }
}

/**
 * What there is to be checked of signatures: nothing in versions whose signatures commit to no
 * amounts, each coin once, and none that has room for more checks than signatures.
 */
function toBeSigned(
  tx: Transaction,
  prevouts: readonly (SpentOutput | undefined)[],
  { terms, pubkey }: OperationRules,
  { singlySigned }: JudgedInputs,
): Signed | undefined {
  if (tx.version !== signedVersion || prevouts.includes(undefined)) return undefined
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
    network: terms.network,
    signers: checked.map((isChecked, index) => {
      return isChecked ? (terms.ownScripts.get(prevouts[index]!.script) ?? pubkey) : undefined
    }),
  }
}

const signedVersion = 4
/** Stands for an output that is not looked at. */
const nothing: TransactionOutput = { value: 0n, script: '' }

/** What has to be spent for some outputs: tokens for recipients, coins for all else and the fee. */
function neededCoins(
  expected: readonly ExpectedOutput[],
  tokensIn: bigint,
  { terms, tokens: moved, roles }: Pick<OperationRules, 'terms' | 'tokens'> & { roles: Roles },
): { native: bigint; tokens: bigint } {
  let native = terms.bounds.fee - tokensIn
  let tokens = 0n
  for (const { role, value = 0n } of expected) {
    native += value
    if (moved && role !== 'token-change' && roles[role]?.holds === 'units') tokens += value
  }
  return { native, tokens }
}

/** All values count: a token's units are satoshis of its output. */
function feeOf({ outputs }: Transaction, total: bigint | undefined): bigint | undefined {
  if (total === undefined) return undefined
  return outputs.reduce((rest, { value }) => rest - value, total)
}

function settle(judgement: Judgement): Report {
  const { signed, hex } = judgement
  if (signed === undefined) return reportOf(judgement, [])
  const verdicts = verifyInputs(hex, signed.prevouts, signed.network)
  return reportOf(judgement, signatureFindings(signed, verdicts))
}

async function settleAsync(judgement: Judgement, options: SliceOptions): Promise<Report> {
  const { signed, hex } = judgement
  if (signed === undefined) return reportOf(judgement, [])
  const verdicts = await verifyInputsAsync(hex, signed.prevouts, signed.network, options)
  return reportOf(judgement, signatureFindings(signed, verdicts))
}

function signatureFindings({ tx, signers }: Signed, verdicts: readonly InputVerdict[]): Finding[] {
  return judgeSignatures(tx, verdicts, signers)
}

function reportOf(judgement: Judgement, signatures: readonly Finding[]): Report {
  const { operation, hex, tx, effects, fee } = judgement
  const findings = [...judgement.findings, ...signatures]
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
  }
}
