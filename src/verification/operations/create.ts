// The operation `tokencreate`: its rules, and its verifier.

import { markerSats } from '../../chain/limits.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import type { SliceOptions } from '../../primitives/steps.ts'
import { utf8Hex } from '../../primitives/utf8.ts'
import { type CreateIntent, createForms, type TokelProperties } from '../../request/create.ts'
import { createProblems, tokenDataProblems } from '../../request/create-problems.ts'
import type { Evidence } from '../../request/evidence.ts'
import { requireIntent } from '../../request/members.ts'
import { problemFindings } from '../../request/problem.ts'
import { type Finding, finding, type Report } from '../../request/report.ts'
import { checkTerms, type ReadyTerms } from '../../request/terms.ts'
import type { PayloadExtra } from '../../token/payload/payload.ts'
import { encodeTokelData } from '../../token/payload/tokel-data.ts'
import { rulesOfNew } from '../../token/rules/network.ts'
import type { TokenRules } from '../../token/rules/rules.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { Checked } from '../check-intent.ts'
import { checkInclusion } from '../inclusion.ts'
import type { CheckedInputs } from '../inputs.ts'
import { checkNulldata, type ReportScript } from '../nulldata.ts'
import type { Operation, RequestLine } from '../operation.ts'
import type { ExpectedOutput } from '../outputs.ts'
import { commonRoles } from '../roles.ts'
import type { OperationRules } from '../rules.ts'
import { tokenRules } from '../token-rules.ts'
import { verifyOperation, verifyOperationAsync } from '../verify-operation.ts'

/**
 * Verifies that a transaction creates exactly the requested token, and does nothing else.
 *
 * The chain itself checks next to nothing of a creation; a fault shows only when the tokens are
 * spent.
 *
 * @param hex - the daemon's answer
 * @param intent - the request; the supply in token units
 * @param evidence - the transactions that are spent from
 * @returns the report: `ok`, `broadcast`, the findings, and the fee in satoshis
 * @throws {TypeError} for arguments of the wrong type
 * @see docs/verify.md; komodo src/cc/CCtokens.cpp, CreateToken
 * @example
 * const intent = { name: 'GOLD', supply: 100_000_000n, owner }
 * verifyTokenCreate(hex, intent, { previousTransactions, tipHeight }).ok
 */
export function verifyTokenCreate(hex: string, intent: CreateIntent, evidence: Evidence): Report {
  return verifyOperation(tokenCreate, hex, intent, evidence, checkInclusion)
}

/**
 * Runs `verifyTokenCreate` in slices of some milliseconds, between which timers, signals and other
 * work have their turn. The signatures of a large transaction are checked on the threads of Node's
 * pool.
 *
 * @param options - a signal that stops the verification
 * @returns as `verifyTokenCreate`
 * @throws {TypeError} by rejection, for arguments of the wrong type; the reason of `signal`, if that
 *   is aborted
 * @example
 * const intent = { name: 'GOLD', supply: 100_000_000n, owner }
 * const report = await verifyTokenCreateAsync(hex, intent, evidence)
 */
export async function verifyTokenCreateAsync(
  hex: string,
  intent: CreateIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  return verifyOperationAsync(tokenCreate, hex, intent, evidence, options, checkInclusion)
}

export const tokenCreate: Operation<CreateIntent, ReadyCreate> = {
  name: 'tokencreate',
  about: 'creates a token and gives all of its units to its owner',
  members: createForms,
  roles: {
    marker: { text: 'marker of the token', holds: 'coins' },
    issuance: { text: 'units issued to the owner', holds: 'units' },
    'native-change': commonRoles['native-change'],
    nulldata: commonRoles.nulldata,
  },
  lines,
  validate: checkCreateIntent,
  rules,
}

function rules(intent: ReadyCreate): OperationRules {
  const { owner, data, version, terms } = intent
  const ofNew = rulesOfNew(terms.network, version)
  return tokenRules({
    terms,
    isUnbound: true,
    pubkey: owner,
    marker: ofNew.marker,
    findings: problemFindings(tokenDataProblems(data, ofNew.layout)),
    inputFindings: (inputs) => checkFunding(inputs, intent, ofNew),
    expectedOutputs: () => expectedOutputs(intent, ofNew),
    payloadFindings: ({ tx }) => payloadFindings(tx, intent, ofNew),
  })
}

/**
 * Requires that the owner's own coins pay for the supply: otherwise the chain does not count the
 * tokens.
 */
function checkFunding(
  { coins }: CheckedInputs,
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

function payloadFindings(tx: Transaction, intent: ReadyCreate, { layout }: TokenRules): Finding[] {
  const { name, owner, description, properties } = intent
  const wanted = { kind: 'create', layout } as const
  return checkNulldata(tx, wanted, intent.terms.network, (payload, report) => {
    if (payload.owner !== owner) report('owner', { expected: owner, actual: payload.owner })
    if (payload.nameHex !== utf8Hex(name, 'intent.name')) {
      report('name', { expected: name, actual: payload.name })
    }
    if (payload.descriptionHex !== utf8Hex(description, 'intent.description')) {
      report('description', { expected: description, actual: payload.description })
    }
    // Empty data count as no data, and are yet more than was requested.
    const data = payload.extras.find(({ kind, data }) => kind === 'nonFungible' && data !== '')
    if (properties !== undefined) checkProperties(properties, data, report)
    else if ((data?.data ?? '') !== intent.data) {
      report('data', { expected: intent.data, actual: data?.data ?? '' })
    }
    return data
  })
}

/** Compares each property by itself, because daemons write them in the order of the request. */
function checkProperties(
  asked: TokelProperties,
  extra: PayloadExtra | undefined,
  report: ReportScript,
): void {
  const read = extra?.properties
  if (read === undefined) {
    report('data', { expected: encodeTokelData(asked), actual: extra?.data ?? '' })
    return
  }
  // Bytes that are not text never equal a requested text.
  const { urlHex, ...actual } = read
  const wanted = { ...asked, ...(asked.arbitrary && { arbitrary: asked.arbitrary.toLowerCase() }) }
  for (const name of propertyNames) {
    if (actual[name] === wanted[name] && (name !== 'url' || urlHex === undefined)) continue
    const details = { expected: wanted[name] ?? 'none', actual: actual[name] ?? 'none' }
    report('property', details, `.${name}`)
  }
}

const propertyNames = ['id', 'url', 'royalty', 'arbitrary'] as const

/** A requested creation, normalized: every default is filled in. */
export interface ReadyCreate {
  readonly name: string
  readonly supply: bigint
  readonly description: string
  /** Hex, empty for a fungible token. */
  readonly data: string
  readonly properties?: TokelProperties
  readonly owner: string
  /** The version of tokeld's modules. */
  readonly version: 1 | 2
  readonly terms: ReadyTerms
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
function checkCreateIntent(given: CreateIntent): Checked<ReadyCreate> {
  requireIntent(given, createForms)
  const { name, supply, description = '', properties, version = 2 } = given
  const { terms, problems } = checkTerms(given)
  return {
    intent: {
      name,
      supply,
      description,
      data: given.data?.toLowerCase() ?? '',
      ...(properties !== undefined && { properties }),
      owner: given.owner.toLowerCase(),
      version,
      terms,
    },
    findings: problemFindings([...problems, ...createProblems(given, terms.network)]),
  }
}

function lines({ supply, name, description = '', owner, ...rest }: CreateIntent): RequestLine[] {
  const { data, properties, version } = rest
  return [
    ['create', `${supply} units of "${name}"`],
    ['saying', `"${description}"`],
    ['owner', redactKey(owner)],
    ...(data === undefined ? [] : [['data', data] as const]),
    ...Object.entries(properties ?? {}).map(([name, it]) => ['with', `${name} ${it}`] as const),
    ...(version === undefined ? [] : [['as', `tokens v${version}`] as const]),
  ]
}
