import { markerSats } from '../chain/limits.ts'
import { tokelDataEvalCode, transferableDataCodes } from '../chain/modules.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import type { Evidence } from '../intent/case.ts'
import type { CreateIntent } from '../intent/intent.ts'
import { byteHex } from '../token/payload/bytes.ts'
import { decodeTokelData } from '../token/payload/tokel-data.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { TokenRules } from '../token/rules/rules.ts'
import type { Transaction } from '../transaction/types.ts'
import type { JudgedInputs } from './inputs.ts'
import { judgeCreateIntent, type ReadyCreate } from './judge-intent.ts'
import type { ReadyTerms } from './judge-terms.ts'
import { type Asked, judge, settle, settleAsync } from './judgement.ts'
import { checkNulldata } from './nulldata.ts'
import type { ExpectedOutput } from './outputs.ts'
import { type Finding, finding, type Report } from './report.ts'

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
  return settle(judge(hex, evidence, () => ask(intent)))
}

/**
 * `verifyTokenCreate` with its signatures checked on the threads of Node's pool.
 *
 * @throws {TypeError} by rejection, for arguments of the wrong type
 * @example
 * const intent = { name: 'GOLD', supply: 100_000_000n, description: '', owner }
 * const report = await verifyTokenCreateAsync(hex, intent, evidence)
 */
export async function verifyTokenCreateAsync(
  hex: string,
  intent: CreateIntent,
  evidence: Evidence,
): Promise<Report> {
  return settleAsync(judge(hex, evidence, () => ask(intent)))
}

function ask(given: CreateIntent): Asked {
  const { intent, findings } = judgeCreateIntent(given)
  const { owner, terms } = intent
  return {
    findings,
    operation() {
      const rules = rulesOf(terms.network)
      return {
        terms,
        pubkey: owner,
        marker: rules.marker,
        findings: [
          ...checkChain(terms),
          ...checkEvalCode(intent, rules),
          ...checkTokelData(intent, rules),
        ],
        inputFindings: (inputs) => checkFunding(inputs, intent, rules),
        expectedOutputs: () => expectedOutputs(intent, rules),
        judgePayload: (tx) => judgePayload(tx, intent, rules),
      }
    },
  }
}

/** A transfer is bound by its token, which is on one chain; nothing in a creation is. */
function checkChain({ spendable }: ReadyTerms): Finding[] {
  return spendable === undefined ? [finding('chain_unbound', 'intent.spendable')] : []
}

/** The tokens are worth nothing unless the owner that the payload names put in what they are worth. */
function checkFunding(
  { coins }: JudgedInputs,
  { supply }: ReadyCreate,
  { paidByOwner }: TokenRules,
): Finding[] {
  const expected = paidByOwner(supply)
  const actual = coins.native.reduce((sum, { value, isMain }) => (isMain ? sum + value : sum), 0n)
  if (actual >= expected) return []
  return [finding('creation_not_funded', 'inputs', { expected, actual })]
}

function expectedOutputs(
  { owner, supply, data }: ReadyCreate,
  { marker, issuanceScript }: TokenRules,
): ExpectedOutput[] {
  return [
    {
      role: 'marker',
      script: marker,
      value: markerSats,
      codes: { missing: 'marker', value: 'marker' },
    },
    {
      role: 'issuance',
      script: issuanceScript(owner, data),
      value: supply,
      codes: { missing: 'issuance', value: 'supply' },
    },
  ]
}

function judgePayload(tx: Transaction, intent: ReadyCreate, { layout }: TokenRules): Finding[] {
  const { payload, findings, path } = checkNulldata(
    tx,
    { kind: 'create', layout },
    intent.terms.network,
  )
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
  // empty data are none, and yet more than was asked for
  const data = payload.extras.find(({ kind, data }) => kind === 'nonFungible' && data !== '')
  if ((data?.data ?? '') !== intent.data) {
    const details = { expected: intent.data, actual: data?.data ?? '' }
    checked.push(finding('data', where, details))
  }
  for (const extra of payload.extras) {
    if (extra === data) continue
    checked.push(finding('nulldata_extra', where, { actual: `${extra.kind} ${extra.data}` }))
  }
  return checked
}

function checkEvalCode({ data }: ReadyCreate, { layout }: TokenRules): Finding[] {
  if (data === '' || layout !== 'komodo-v1') return []
  const code = Number.parseInt(data.slice(0, 2), 16)
  if (transferableDataCodes.includes(code)) return []
  return [
    finding('data_eval_code', 'intent.data', { expected: 'f1 or f3', actual: data.slice(0, 2) }),
  ]
}

/** tokeld mines no token whose data claim to be properties and are not, though it builds it. */
function checkTokelData({ data }: ReadyCreate, { layout }: TokenRules): Finding[] {
  if (layout === 'komodo-v1' || !data.startsWith(byteHex(tokelDataEvalCode))) return []
  try {
    decodeTokelData(data)
    return []
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return [finding('tokel_data', 'intent.data', { actual: error.message })]
  }
}

function utf8Hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}
