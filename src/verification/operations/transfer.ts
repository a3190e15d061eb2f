import type { Network } from '../../chain/network.ts'
import type { Evidence } from '../../intent/case.ts'
import { flag, optional, pubkey, recipients, txid, units } from '../../intent/forms.ts'
import {
  namedKeys,
  namedKeysMax,
  type Recipient,
  type TransferIntent,
} from '../../intent/intent.ts'
import {
  misuse,
  requireArray,
  requireBigint,
  requireObject,
  requireString,
} from '../../primitives/misuse.ts'
import type { SliceOptions } from '../../primitives/steps.ts'
import { tellableKey } from '../../primitives/tellable-key.ts'
import { learnPublicKeys } from '../../script/public-key.ts'
import { rulesOf } from '../../token/rules/network.ts'
import type { TokenRules } from '../../token/rules/rules.ts'
import type { Transaction } from '../../transaction/types.ts'
import { checkTokenInputs, creationFindings, type Tokens, tokensOf } from '../family.ts'
import {
  type Judged,
  judgeAmount,
  judgeDestination,
  judgeOwnKey,
  judgeTokenid,
} from '../judge-intent.ts'
import { judgeTerms, type ReadyTerms } from '../judge-terms.ts'
import { verifyOperation, verifyOperationAsync } from '../judgement.ts'
import { checkNulldata } from '../nulldata.ts'
import { type Asked, type AskedLine, commonRoles, type Operation } from '../operation.ts'
import type { ExpectedOutput } from '../outputs.ts'
import { type Finding, finding, type Report } from '../report.ts'
import { creationLines } from '../token-lines.ts'

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
 * @see docs/verify.md; komodo src/cc/CCtokens.cpp, TokenTransfer
 * @example
 * const report = verifyTokenTransfer(hex, { tokenid, destination, amount: 100n, from }, evidence)
 * if (report.ok) await broadcast(report.hex)
 */
export function verifyTokenTransfer(
  hex: string,
  intent: TransferIntent,
  evidence: Evidence,
): Report {
  return verifyOperation(tokenTransfer, hex, intent, evidence)
}

/**
 * `verifyTokenTransfer` in slices of some milliseconds, between which timers, signals and other work
 * have their turn, and with its signatures checked on the threads of Node's pool.
 *
 * @param options - a signal that stops the judgement
 * @throws {TypeError} by rejection, for arguments of the wrong type; the reason of `signal`, if that
 *   is aborted
 * @example
 * const report = await verifyTokenTransferAsync(hex, intent, evidence)
 */
export async function verifyTokenTransferAsync(
  hex: string,
  intent: TransferIntent,
  evidence: Evidence,
  options: SliceOptions = {},
): Promise<Report> {
  return verifyOperationAsync(tokenTransfer, hex, intent, evidence, options)
}

export const tokenTransfer: Operation<TransferIntent> = {
  name: 'tokentransfer',
  about: 'moves units of one token to public keys',
  members: {
    tokenid: txid,
    destination: pubkey,
    amount: units,
    recipients: optional(recipients),
    from: pubkey,
    burn: optional(flag),
  },
  roles: {
    destination: { text: 'units to the destination', holds: 'units' },
    ...commonRoles,
  },
  lines,
  ask,
}

function ask(given: TransferIntent): Asked {
  const { intent, findings } = judgeTransferIntent(given)
  const { tokenid, from, terms } = intent
  return {
    findings,
    tokenid,
    rules(known, prevouts) {
      const rules = rulesOf(terms.network)
      const tokens = tokensOf(
        rules,
        tokenid,
        { owner: from, recipients: intent.recipients },
        known,
        prevouts,
      )
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

/** A transfer that was asked for, spelled out: keys in lower case, nothing left to defaults. */
export interface ReadyTransfer {
  readonly tokenid: string
  readonly recipients: readonly Recipient[]
  readonly from: string
  readonly terms: ReadyTerms
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function judgeTransferIntent(given: TransferIntent): Judged<ReadyTransfer> {
  requireObject(given, 'intent')
  requireString(given.tokenid, 'intent.tokenid')
  requireString(given.destination, 'intent.destination')
  requireBigint(given.amount, 'intent.amount')
  requireString(given.from, 'intent.from')
  if (given.burn !== undefined && typeof given.burn !== 'boolean') {
    throw misuse('intent.burn', 'true or false', given.burn)
  }
  const { amount, burn = false } = given
  const { terms, findings } = judgeTerms(given)
  const { network } = terms
  const tokenid = given.tokenid.toLowerCase()
  const destination = given.destination.toLowerCase()
  const from = given.from.toLowerCase()
  const recipients = readRecipients(given)
  learnPublicKeys([destination, from, ...recipients.map(({ pubkey }) => pubkey)])
  return {
    intent: { tokenid, recipients, from, terms },
    findings: [
      ...findings,
      ...judgeTokenid(tokenid),
      ...judgeDestination(given.destination, 'intent.destination', { burn, network }),
      ...judgeOwnKey(given.from, 'intent.from'),
      ...judgeAmount(amount, 'intent.amount'),
      ...judgeRecipients(recipients, {
        first: { pubkey: destination, amount },
        from,
        burn,
        network,
      }),
    ],
  }
}

function readRecipients({ recipients, destination, amount }: TransferIntent): Recipient[] {
  if (recipients === undefined) return [{ pubkey: destination.toLowerCase(), amount }]
  requireArray(recipients, 'intent.recipients')
  return recipients.map((recipient, index) => {
    const path = `intent.recipients[${index}]`
    requireObject(recipient, path)
    requireString(recipient.pubkey, `${path}.pubkey`)
    requireBigint(recipient.amount, `${path}.amount`)
    return { pubkey: recipient.pubkey.toLowerCase(), amount: recipient.amount }
  })
}

function judgeRecipients(
  recipients: readonly Recipient[],
  { first, from, ...terms }: { first: Recipient; from: string; burn: boolean; network: Network },
): Finding[] {
  const path = 'intent.recipients'
  const [named, ...others] = recipients
  if (named?.pubkey !== first.pubkey || named.amount !== first.amount) {
    const details = { expected: `${first.amount} to ${first.pubkey}` }
    return [finding('intent_recipients', `${path}[0]`, details)]
  }
  const findings = others.flatMap(({ pubkey, amount: units }, index) => [
    ...judgeDestination(pubkey, `${path}[${index + 1}].pubkey`, terms),
    ...judgeAmount(units, `${path}[${index + 1}].amount`),
  ])
  const keys = namedKeys(recipients, from).length
  if (keys <= namedKeysMax || terms.network.conditions === 'tokel') return findings
  const details = { expected: `at most ${namedKeysMax} keys`, actual: keys }
  return [...findings, finding('intent_recipients', path, details)]
}

function lines(intent: TransferIntent, evidence: Evidence): AskedLine[] {
  const { amount, tokenid, destination, from, burn } = intent
  const to = intent.recipients ?? [{ pubkey: destination, amount }]
  const total = to.reduce((sum, it) => sum + it.amount, 0n)
  return [
    [burn === true ? 'burn' : 'transfer', `${total} units of token ${tokenid}`],
    ...creationLines(tokenid.toLowerCase(), evidence),
    ...to.map((it): AskedLine => {
      const share = to.length === 1 ? '' : `, ${it.amount} units`
      return ['to', `${tellableKey(it.pubkey)}${share}`]
    }),
    ['from', tellableKey(from)],
  ]
}
