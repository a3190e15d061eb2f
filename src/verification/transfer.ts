import { pubkeyHashScript, pubkeyScript } from '../token/keys.ts'
import { createTokenProver } from '../token/prove.ts'
import { markerScript, tokenScript } from '../token/token-script.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkEnvelope, checkValues } from './envelope.ts'
import { findCreation, indexEvidence } from './evidence.ts'
import { checkFee, feeBounds } from './fee.ts'
import { judgeInputs, type Prevout, resolveInputs } from './inputs.ts'
import { judgeTransferIntent, namedKeys, requireEvidence, type TransferIntent } from './intent.ts'
import { allKnown, type Judgement, settle, settleAsync } from './judgement.ts'
import { checkNulldata } from './nulldata.ts'
import { openTransaction } from './open.ts'
import { checkDust, type ExpectedOutput, matchOutputs } from './outputs.ts'
import { type Effect, type Evidence, type Finding, finding, type Report } from './report.ts'

/**
 * Judges whether a transaction transfers exactly what was asked for, and does nothing else.
 *
 * Everything is read from the bytes given: amounts and scripts that are spent come from whole
 * previous transactions, which are hashed. All findings are reported, in a fixed order; nothing
 * is thrown for data, however malformed.
 *
 * @param hex - what the daemon returned
 * @param intent - what was asked for; amounts in token units
 * @param evidence - the transactions that are spent from, and more
 * @throws {TypeError} for arguments of the wrong type
 * @see spec/verify-checklist.md; komodo src/cc/CCtokens.cpp, TokenTransfer
 * @example
 * const report = verifyTokenTransfer(hex, { tokenid, destination, amount: 100n, from }, evidence)
 * if (report.ok) await broadcast(report.hex)
 */
export function verifyTokenTransfer(
  hex: string,
  intent: TransferIntent,
  evidence: Evidence,
): Report {
  return settle(judge(hex, intent, evidence))
}

/**
 * `verifyTokenTransfer` with its signatures checked on the threads of Node's pool.
 *
 * @throws {TypeError} by rejection, for arguments of the wrong type
 * @example
 * const report = await verifyTokenTransferAsync(hex, intent, evidence)
 */
export async function verifyTokenTransferAsync(
  hex: string,
  intent: TransferIntent,
  evidence: Evidence,
): Promise<Report> {
  return settleAsync(judge(hex, intent, evidence))
}

function judge(source: string, given: TransferIntent, evidence: Evidence): Judgement {
  const opened = openTransaction(source)
  const { intent, findings } = judgeTransferIntent(given)
  requireEvidence(evidence)
  const { hex } = opened
  if ('failure' in opened) return { hex, findings: [...findings, opened.failure], effects: [] }
  const { tx } = opened
  if (findings.length > 0) return { hex, tx, findings, effects: [] }
  return { hex, tx, ...judgeTransfer(tx, intent, evidence) }
}

type ReadyIntent = ReturnType<typeof judgeTransferIntent>['intent']

function judgeTransfer(
  tx: Transaction,
  intent: ReadyIntent,
  evidence: Evidence,
): Omit<Judgement, 'hex' | 'tx'> {
  const { tokenid, from, network } = intent
  const known = indexEvidence(evidence)
  const { creation, findings: creationFindings } = findCreation(tokenid, evidence, known)
  const resolved = resolveInputs(tx, known)
  const own = {
    pubkey: from,
    native: [pubkeyScript(from), pubkeyHashScript(from)],
    token: tokenScript(from, creation),
  }
  const inputs = judgeInputs(resolved.prevouts, own, tokenid, markerScript)
  const expected = expectedOutputs(intent, own, inputs.tokens, creation.evalCodes)
  const outputs = matchOutputs(tx, expected)
  const fee = feeOf(tx, inputs.total)
  const hasChange = outputs.effects.some(({ role }) => role === 'native-change')
  const prevouts = allKnown(resolved.prevouts)
  const transactions = creation.source ? [...known.sources, creation.source] : known.sources
  const findings = [
    ...known.findings,
    ...creationFindings,
    ...checkEnvelope(tx, evidence.tipHeight),
    ...checkValues(tx, network),
    ...resolved.findings,
    ...inputs.findings,
    ...proveParents(tx, resolved.prevouts, own.token, tokenid, transactions),
    ...outputs.findings,
    ...checkConservation(inputs.tokens, outputs.effects),
    ...checkChangeForm(outputs.effects, own.native),
    ...checkDust(outputs.effects),
    ...checkTransferPayload(tx, intent),
    ...checkFee(fee, feeBounds(intent), hasChange),
  ]
  return {
    findings,
    effects: outputs.effects,
    ...(fee !== undefined && { fee }),
    ...(prevouts !== undefined && { signed: { tx, prevouts, network, pubkey: from } }),
  }
}

function expectedOutputs(
  { recipients }: ReadyIntent,
  own: { native: readonly string[]; token: string },
  tokensIn: bigint,
  evalCodes: readonly number[],
): ExpectedOutput[] {
  const expected = recipients.map(({ pubkey, amount }): ExpectedOutput => {
    return {
      role: 'destination',
      script: tokenScript(pubkey, { evalCodes }),
      value: amount,
      codes: { missing: 'destination', value: 'amount', lookalike: 'destination_condition' },
      lookalikes: () => lookalikesOf(pubkey),
    }
  })
  const change = recipients.reduce((rest, { amount }) => rest - amount, tokensIn)
  if (change > 0n) {
    expected.push({
      role: 'token-change',
      script: own.token,
      value: change,
      codes: { missing: 'token_change_destination', value: 'token_change' },
    })
  }
  return [...expected, ...nativeChange(own.native)]
}

/** Native change in either form, which may be absent; its value follows from the fee. */
export function nativeChange(scripts: readonly string[]): ExpectedOutput[] {
  return scripts.map((script) => ({
    role: 'native-change',
    script,
    codes: { missing: 'native_change_destination', value: 'native_change_destination' },
    isOptional: true,
  }))
}

/**
 * Scripts that pay the destination's key without being a token: its plain addresses, and the
 * conditions of every module. source: komodo src/cc/eval.h, FOREACH_EVAL, codes e1 to f7
 */
function lookalikesOf(pubkey: string): string[] {
  const modules = Array.from({ length: 0xf7 - 0xe1 + 1 }, (_, index) => 0xe1 + index)
  return [
    pubkeyScript(pubkey),
    pubkeyHashScript(pubkey),
    ...modules.map((code) => tokenScript(pubkey, { evalCodes: [code] })),
  ]
}

/** All values count: a token's units are satoshis of its output. */
export function feeOf({ outputs }: Transaction, total: bigint | undefined): bigint | undefined {
  if (total === undefined) return undefined
  return outputs.reduce((rest, { value }) => rest - value, total)
}

/** Whether the tokens that are spent descend from their creation, by what was given. */
function proveParents(
  { inputs }: Transaction,
  prevouts: readonly (Prevout | undefined)[],
  tokenScriptOfOwner: string,
  tokenid: string,
  transactions: readonly string[],
): Finding[] {
  const prover = createTokenProver(transactions)
  return inputs.flatMap(({ txid, vout }, index) => {
    if (prevouts[index]?.script !== tokenScriptOfOwner) return []
    const path = `inputs[${index}]`
    const proof = prover.prove(txid, vout, tokenid)
    if (proof.verdict === 'proven') return []
    if (proof.verdict === 'incomplete') {
      const actual = `missing ${proof.missing.join(', ')}`
      return [finding('token_parent_unproven', path, { actual })]
    }
    const actual = `${proof.rule} in ${proof.txid}`
    return [finding('fake_token_input', path, { expected: tokenid, actual })]
  })
}

function checkConservation(tokensIn: bigint, effects: readonly Effect[]): Finding[] {
  const tokenRoles: readonly Effect['role'][] = ['destination', 'token-change']
  const tokensOut = effects
    .filter(({ role }) => tokenRoles.includes(role))
    .reduce((sum, { value }) => sum + value, 0n)
  if (tokensOut === tokensIn) return []
  return [finding('token_imbalance', 'outputs', { expected: tokensIn, actual: tokensOut })]
}

/** At most one native change, and that in the daemon's form. */
export function checkChangeForm(effects: readonly Effect[], native: readonly string[]): Finding[] {
  const changes = effects.filter(({ role }) => role === 'native-change')
  return changes.flatMap(({ output, script, value }, position) => {
    const path = `outputs[${output}]`
    if (position > 0) {
      const actual = `${value} to ${script}`
      return [finding('unexpected_output', path, { actual })]
    }
    if (script === native[0]) return []
    const details = { expected: native[0], actual: script }
    return [finding('native_change_form', `${path}.script`, details)]
  })
}

function checkTransferPayload(tx: Transaction, intent: ReadyIntent): Finding[] {
  const { tokenid, recipients, from, network } = intent
  const { payload, findings, path } = checkNulldata(tx, 'transfer', network)
  if (payload === undefined) return [...findings]
  const checked = [...findings]
  const where = `${path}.script`
  if (payload.tokenid !== tokenid) {
    checked.push(finding('tokenid', where, { expected: tokenid, actual: payload.tokenid }))
  }
  const expected = namedKeys(recipients, from)
  const isSame =
    payload.pubkeys.length === expected.length &&
    expected.every((pubkey) => payload.pubkeys.includes(pubkey))
  if (!isSame) {
    const details = { expected: expected.join(', '), actual: payload.pubkeys.join(', ') }
    checked.push(finding('nulldata_pubkeys', where, details))
  }
  for (const extra of payload.extras) {
    checked.push(finding('nulldata_extra', where, { actual: `${extra.kind} ${extra.data}` }))
  }
  return checked
}
