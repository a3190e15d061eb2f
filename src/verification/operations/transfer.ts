// The operation `tokentransfer`: its rules.

import { redactKey } from '../../primitives/redact-key.ts'
import type { Evidence } from '../../request/evidence.ts'
import { namedKeysProblems } from '../../request/holders.ts'
import { problemFindings } from '../../request/problem.ts'
import type { Finding } from '../../request/report.ts'
import {
  namedKeys,
  type Recipient,
  recipientsOf,
  type TransferIntent,
  transferForms,
} from '../../request/transfer.ts'
import { isNulldata } from '../../script/nulldata.ts'
import type { TokenLayout } from '../../token/payload/payload.ts'
import type { KeySet } from '../../token/rules/key-set.ts'
import type { Transaction } from '../../transaction/types.ts'
import { checkTokenInputs, creationFindings, type Tokens, tokensOf } from '../family.ts'
import { checkNulldata } from '../nulldata.ts'
import type { Operation, RequestLine } from '../operation.ts'
import { type ExpectedOutput, unexpectedOutput } from '../outputs.ts'
import { checkSpends } from '../relayed-spends.ts'
import { commonRoles } from '../roles.ts'
import type { Context, OperationRules } from '../rules.ts'
import { creationLines } from '../token-lines.ts'
import { tokenRules } from '../token-rules.ts'
import { checkTransferIntent, needsV2, type ReadyTransfer } from '../transfer-intent.ts'

export const tokenTransfer: Operation<TransferIntent, ReadyTransfer> = {
  name: 'tokentransfer',
  about: 'moves units of one token to public keys',
  members: transferForms,
  roles: {
    destination: { text: 'units to the destination', holds: 'units' },
    ...commonRoles,
  },
  lines,
  validate: checkTransferIntent,
  rules,
}

function rules(intent: ReadyTransfer, { known, resolved }: Context): OperationRules {
  const { tokenid, from, owner, terms } = intent
  const recipients = intent.recipients.map(({ holder }) => holder)
  const tokenids = intent.tokenids as [string, ...string[]] | undefined
  const tokens = tokensOf(
    terms.network,
    tokenids ?? [tokenid],
    { owner, recipients, isV2: needsV2(intent) },
    known,
    resolved.prevouts,
  )
  const { marker, layout } = tokens.rules
  return tokenRules({
    terms,
    pubkey: from,
    tokens,
    tokenKeys: typeof owner === 'string' ? undefined : owner,
    marker,
    findings: [
      ...creationFindings(tokens, known),
      ...checkLayout(intent, layout),
      ...checkSpends(recipients),
    ],
    inputFindings: ({ coins }) => checkTokenInputs(coins.tokens.length),
    expectedOutputs: ({ units }) => expectedOutputs(intent, tokens, units),
    payloadFindings: ({ tx }) => payloadFindings(tx, intent, layout),
  })
}

/** Reports members that tokeld has for tokens v2 only. */
function checkLayout(intent: ReadyTransfer, layout: TokenLayout): Finding[] {
  if (layout !== 'tokel-v1') return []
  return problemFindings(namedKeysProblems(keysOf(intent), intent.from))
}

function expectedOutputs(
  { tokenid: one, tokenids, recipients, owner }: ReadyTransfer,
  tokens: Tokens,
  units: ReadonlyMap<string, bigint>,
): ExpectedOutput[] {
  const expected: ExpectedOutput[] = []
  for (const tokenid of tokenids ?? [one]) {
    const naming = tokenids && tokenid
    let change = units.get(tokenid) ?? 0n
    for (const { holder, amount } of recipients) {
      change -= amount
      expected.push({
        role: 'destination',
        script: tokens.scriptOf(holder, naming),
        value: amount,
        codes: { missing: 'destination', value: 'amount', lookalike: 'destination_condition' },
        isLookalike: (script) => tokens.isLookalike(script, holder),
      })
    }
    if (change > 0n) {
      expected.push({
        role: 'token-change',
        script: tokens.scriptOf(owner, naming),
        value: change,
        codes: { missing: 'token_change_destination', value: 'token_change' },
      })
    }
  }
  return expected
}

function payloadFindings(tx: Transaction, intent: ReadyTransfer, layout: TokenLayout): Finding[] {
  if (intent.tokenids !== undefined) return checkNoNulldata(tx)
  const { tokenid, from, terms } = intent
  const wanted = { kind: 'transfer', layout } as const
  return checkNulldata(tx, wanted, terms.network, (payload, report) => {
    const { tokenid: actual, pubkeys } = payload
    if (actual !== tokenid) report('tokenid', { expected: tokenid, actual })
    const expected = layout === 'tokens-v2' ? [] : namedKeys(keysOf(intent), from)
    if (pubkeys.length !== expected.length || !expected.every((key) => pubkeys.includes(key))) {
      report('nulldata_pubkeys', { expected: expected.join(', '), actual: pubkeys.join(', ') })
    }
    return undefined
  })
}

/** Recipients of tokens v1, which are keys. */
function keysOf({ recipients }: ReadyTransfer): Recipient[] {
  return recipients.map(({ holder, amount }) => ({ pubkey: String(holder), amount }))
}

/** If each output names its token itself, no payload names a token. */
function checkNoNulldata({ outputs }: Transaction): Finding[] {
  return outputs.flatMap(({ script, value }, output) =>
    isNulldata(script) ? [unexpectedOutput({ output, script, value })] : [],
  )
}

function lines(intent: TransferIntent, evidence: Evidence): RequestLine[] {
  const { tokenid, from, burn, destinationKeys, fromKeys, tokenids } = intent
  const to = recipientsOf(intent)
  const total = to.reduce((sum, it) => sum + it.amount, 0n)
  const [, ...others] = tokenids ?? []
  return [
    [burn === true ? 'burn' : 'transfer', `${total} units of token ${tokenid}`],
    ...creationLines(tokenid.toLowerCase(), evidence),
    ...others.map((it): RequestLine => ['and', `${total} units of token ${it}`]),
    ...to.map((it): RequestLine => {
      if (destinationKeys !== undefined) return ['to', keysLine(destinationKeys)]
      const share = to.length === 1 ? '' : `, ${it.amount} units`
      return ['to', `${redactKey(it.pubkey)}${share}`]
    }),
    ...(fromKeys === undefined ? [] : [['owned by', keysLine(fromKeys)] as const]),
    ['from', redactKey(from)],
  ]
}

function keysLine({ required, pubkeys }: KeySet): string {
  return `${required} of ${pubkeys.map(redactKey).join(', ')}`
}
