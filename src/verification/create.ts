import { markerScript, tokenScript } from '../token/token-script.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkEnvelope, checkValues } from './envelope.ts'
import { evalCodesOfData, indexEvidence } from './evidence.ts'
import { checkFee, feeBounds } from './fee.ts'
import { judgeInputs, resolveInputs } from './inputs.ts'
import { type CreateIntent, judgeCreateIntent, requireEvidence } from './intent.ts'
import { pubkeyHashScript, pubkeyScript } from './keys.ts'
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
  const opened = openTransaction(hex)
  const judged = judgeCreateIntent(intent)
  requireEvidence(evidence)
  if ('failure' in opened) {
    const findings = [...judged.findings, opened.failure]
    return { ok: false, findings, hex: opened.hex, effects: [] }
  }
  const { tx } = opened
  if (judged.findings.length > 0) {
    return { ok: false, findings: judged.findings, txid: tx.txid, hex: opened.hex, effects: [] }
  }

  const { owner, network } = judged.intent
  const known = indexEvidence(evidence)
  const resolved = resolveInputs(tx, known)
  const own = { pubkey: owner, native: [pubkeyScript(owner), pubkeyHashScript(owner)] }
  const inputs = judgeInputs(resolved.prevouts, own, undefined, markerScript)
  const outputs = matchOutputs(tx, expectedOutputs(judged.intent, own.native), network)
  const fee = feeOf(tx, inputs.total)
  const hasChange = outputs.effects.some(({ role }) => role === 'native-change')
  const findings = [
    ...known.findings,
    ...checkEnvelope(tx, evidence.tipHeight),
    ...checkValues(tx, network),
    ...resolved.findings,
    ...inputs.findings,
    ...outputs.findings,
    ...checkChangeForm(outputs.effects, own.native),
    ...checkDust(outputs.effects),
    ...checkCreatePayload(tx, judged.intent),
    ...checkEvalCode(judged.intent),
    ...checkFee(fee, feeBounds(judged.intent), hasChange),
    finding('signatures_not_checked', 'inputs'),
  ]
  return {
    ok: findings.every(({ severity }) => severity !== 'reject'),
    findings,
    txid: tx.txid,
    hex: opened.hex,
    effects: outputs.effects,
    ...(fee !== undefined && { fee }),
  }
}

type ReadyIntent = ReturnType<typeof judgeCreateIntent>['intent']

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
