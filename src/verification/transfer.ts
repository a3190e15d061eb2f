import type { Evidence } from '../intent/case.ts'
import { namedKeys, type TransferIntent } from '../intent/intent.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { TokenRules } from '../token/rules/rules.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import { type Tokens, tokensOf } from './family.ts'
import { judgeTransferIntent, type ReadyTransfer } from './judge-intent.ts'
import { type Asked, judge, settle, settleAsync } from './judgement.ts'
import { checkNulldata } from './nulldata.ts'
import type { ExpectedOutput } from './outputs.ts'
import { type Finding, finding, type Report } from './report.ts'

/**
 * Judges whether a transaction transfers exactly what was asked for, and does nothing else.
 *
 * Everything is read from the bytes given: amounts and scripts that are spent come from whole
 * previous transactions, which are hashed. All findings are reported, in a fixed order; nothing
 * is thrown for data, however malformed. On networks of tokeld, tokens are tokens v2.
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
  return settle(judge(hex, evidence, () => ask(intent)))
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
  return settleAsync(judge(hex, evidence, () => ask(intent)))
}

function ask(given: TransferIntent): Asked {
  const { intent, findings } = judgeTransferIntent(given)
  const { tokenid, from, terms } = intent
  return {
    findings,
    tokenid,
    operation(known, prevouts) {
      const rules = rulesOf(terms.network)
      const tokens = tokensOf(rules, tokenid, from, known, prevouts)
      return {
        terms,
        pubkey: from,
        tokens,
        marker: rules.marker,
        findings: creationFindings(tokens, known),
        inputFindings: ({ coins }) => checkTokenInputs(coins.tokens.length),
        expectedOutputs: (tokensIn) => expectedOutputs(intent, tokens, tokensIn),
        judgePayload: (tx) => judgePayload(tx, intent, rules),
      }
    },
  }
}

/** The time that nodes take to validate grows with the square of these: 105 took 15 s of a CPU. */
const tokenInputsMany = 100

function checkTokenInputs(count: number): Finding[] {
  if (count <= tokenInputsMany) return []
  const details = { expected: `at most ${tokenInputsMany}`, actual: count }
  return [finding('many_token_inputs', 'inputs', details)]
}

function creationFindings({ tokenid, history }: Tokens, { byTxid }: KnownTransactions): Finding[] {
  if (history.created !== undefined) return []
  const path = 'evidence.tokenCreate'
  if (!byTxid.has(tokenid)) return [finding('token_create_missing', path)]
  const details = { expected: tokenid, actual: 'no creation' }
  return [finding('token_create_malformed', path, details)]
}

function expectedOutputs(
  { recipients, from }: ReadyTransfer,
  tokens: Tokens,
  tokensIn: bigint,
): ExpectedOutput[] {
  const expected = recipients.map(({ pubkey, amount }): ExpectedOutput => {
    return {
      role: 'destination',
      script: tokens.scriptOf(pubkey),
      value: amount,
      codes: { missing: 'destination', value: 'amount', lookalike: 'destination_condition' },
      isLookalike: (script) => tokens.isLookalike(script, pubkey),
    }
  })
  const change = recipients.reduce((rest, { amount }) => rest - amount, tokensIn)
  if (change > 0n) {
    expected.push({
      role: 'token-change',
      script: tokens.scriptOf(from),
      value: change,
      codes: { missing: 'token_change_destination', value: 'token_change' },
    })
  }
  return expected
}

function judgePayload(
  tx: Transaction,
  { tokenid, recipients, from, terms }: ReadyTransfer,
  { layout }: TokenRules,
): Finding[] {
  const { payload, findings, path } = checkNulldata(tx, { kind: 'transfer', layout }, terms.network)
  if (payload === undefined) return [...findings]
  const checked = [...findings]
  const where = `${path}.script`
  if (payload.tokenid !== tokenid) {
    checked.push(finding('tokenid', where, { expected: tokenid, actual: payload.tokenid }))
  }
  const expected = layout === 'komodo-v1' ? namedKeys(recipients, from) : []
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
