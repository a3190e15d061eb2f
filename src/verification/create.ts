import { pubkeyHashScript, pubkeyScript } from '../token/keys.ts'
import { markerScript, tokenScript } from '../token/token-script.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkEnvelope, checkValues } from './envelope.ts'
import { evalCodesOfData, indexEvidence } from './evidence.ts'
import { checkFee, feeBounds } from './fee.ts'
import { judgeInputs, resolveInputs } from './inputs.ts'
import { type CreateIntent, judgeCreateIntent, requireEvidence } from './intent.ts'
import { allKnown, type Judgement, settle, settleAsync } from './judgement.ts'
import { checkNulldata } from './nulldata.ts'
import { openTransaction } from './open.ts'
import { checkDust, type ExpectedOutput, matchOutputs } from './outputs.ts'
import { type Evidence, type Finding, finding, type Report } from './report.ts'
import { checkChangeForm, feeOf, nativeChange } from './transfer.ts'

/** komodo src/cc/CCtokens.cpp, CreateToken: the marker holds one fee. */
const markerValue = 10_000n

/**
 * Judges whether a transaction creates exactly the token that was asked for, and does nothing else.
 *
 * The chain itself checks next to nothing of a creation; what is wrong shows only when the tokens
 * are spent.
 *
 * @param hex - what the daemon returned
 * @param intent - what was asked for; the supply in token units
 * @param evidence - the transactions that are spent from
 * @throws {TypeError} for arguments of the wrong type
 * @see spec/verify-checklist.md; komodo src/cc/CCtokens.cpp, CreateToken
 * @example
 * const intent = { name: 'GOLD', supply: 100_000_000n, description: '', owner }
 * verifyTokenCreate(hex, intent, { previousTransactions, tipHeight }).ok
 */
export function verifyTokenCreate(hex: string, intent: CreateIntent, evidence: Evidence): Report {
  return settle(judge(hex, intent, evidence))
}

/**
 * `verifyTokenCreate` with its signatures checked on the threads of Node's pool.
 *
 * @throws {TypeError} by rejection, for arguments of the wrong type
 * @example
 * const report = await verifyTokenCreateAsync(hex, intent, evidence)
 */
export async function verifyTokenCreateAsync(
  hex: string,
  intent: CreateIntent,
  evidence: Evidence,
): Promise<Report> {
  return settleAsync(judge(hex, intent, evidence))
}

function judge(source: string, given: CreateIntent, evidence: Evidence): Judgement {
  const opened = openTransaction(source)
  const { intent, findings } = judgeCreateIntent(given)
  requireEvidence(evidence)
  const { hex } = opened
  if ('failure' in opened) return { hex, findings: [...findings, opened.failure], effects: [] }
  const { tx } = opened
  if (findings.length > 0) return { hex, tx, findings, effects: [] }
  return { hex, tx, ...judgeCreate(tx, intent, evidence) }
}

type ReadyIntent = ReturnType<typeof judgeCreateIntent>['intent']

function judgeCreate(
  tx: Transaction,
  intent: ReadyIntent,
  evidence: Evidence,
): Omit<Judgement, 'hex' | 'tx'> {
  const { owner, network } = intent
  const known = indexEvidence(evidence)
  const resolved = resolveInputs(tx, known)
  const own = { pubkey: owner, native: [pubkeyScript(owner), pubkeyHashScript(owner)] }
  const inputs = judgeInputs(resolved.prevouts, own, undefined, markerScript)
  const outputs = matchOutputs(tx, expectedOutputs(intent, own.native))
  const fee = feeOf(tx, inputs.total)
  const hasChange = outputs.effects.some(({ role }) => role === 'native-change')
  const prevouts = allKnown(resolved.prevouts)
  const findings = [
    ...known.findings,
    ...checkEnvelope(tx, evidence.tipHeight),
    ...checkValues(tx, network),
    ...resolved.findings,
    ...inputs.findings,
    ...outputs.findings,
    ...checkChangeForm(outputs.effects, own.native),
    ...checkDust(outputs.effects),
    ...checkCreatePayload(tx, intent),
    ...checkEvalCode(intent),
    ...checkFee(fee, feeBounds(intent), hasChange),
  ]
  return {
    findings,
    effects: outputs.effects,
    ...(fee !== undefined && { fee }),
    ...(prevouts !== undefined && { signed: { tx, prevouts, network, pubkey: owner } }),
  }
}

function expectedOutputs(
  { owner, supply, data = '' }: ReadyIntent,
  native: readonly string[],
): ExpectedOutput[] {
  return [
    {
      role: 'marker',
      script: markerScript,
      value: markerValue,
      codes: { missing: 'marker', value: 'marker' },
    },
    {
      role: 'issuance',
      script: tokenScript(owner, { evalCodes: evalCodesOfData(data) }),
      value: supply,
      codes: { missing: 'issuance', value: 'supply' },
    },
    ...nativeChange(native),
  ]
}

function checkCreatePayload(tx: Transaction, intent: ReadyIntent): Finding[] {
  const { payload, findings, path } = checkNulldata(tx, 'create', intent.network)
  if (payload === undefined) return [...findings]
  const checked = [...findings]
  const where = `${path}.script`
  if (payload.owner !== intent.owner) {
    checked.push(finding('owner', where, { expected: intent.owner, actual: payload.owner }))
  }
  if (payload.nameHex !== utf8Hex(intent.name)) {
    checked.push(finding('name', where, { expected: intent.name, actual: payload.name }))
  }
  if (payload.descriptionHex !== utf8Hex(intent.description)) {
    const details = { expected: intent.description, actual: payload.description }
    checked.push(finding('description', where, details))
  }
  const data = payload.extras.find(({ kind }) => kind === 'nonFungible')
  if ((data?.data ?? '') !== (intent.data ?? '')) {
    const details = { expected: intent.data ?? '', actual: data?.data ?? '' }
    checked.push(finding('data', where, details))
  }
  for (const extra of payload.extras) {
    if (extra === data) continue
    checked.push(finding('nulldata_extra', where, { actual: `${extra.kind} ${extra.data}` }))
  }
  return checked
}

/**
 * On a chain with no module of its own only these two leave transfers of a non-fungible token
 * alone; recorded for every first byte. See docs/verify.md.
 */
const transferableEvalCodes = [0xf1, 0xf3]

function checkEvalCode({ data }: ReadyIntent): Finding[] {
  if (data === undefined) return []
  const code = Number.parseInt(data.slice(0, 2), 16)
  if (transferableEvalCodes.includes(code)) return []
  return [
    finding('data_eval_code', 'intent.data', { expected: 'f1 or f3', actual: data.slice(0, 2) }),
  ]
}

function utf8Hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}
