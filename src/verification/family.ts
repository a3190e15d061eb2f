import { createTokenHistory, type TokenHistory } from '../token/proof/history.ts'
import {
  type CreatedData,
  fungible,
  type TokenPlaces,
  type TokenRules,
} from '../token/rules/rules.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import { type Finding, finding } from './report.ts'

/** The tokens of one id and one owner, as far as the given transactions tell. */
export interface Tokens extends Pick<TokenPlaces, 'isLookalike'> {
  readonly tokenid: string
  /** Where a transfer puts what it gives to the owner, or to a recipient. */
  scriptOf(pubkey: string): string
  readonly history: TokenHistory
  /** What the creation says, or if it was not given, what it must have said. */
  readonly created: CreatedData
  /** Whether an output that pays `script` would be the owner's. */
  isOwn(script: string): boolean
}

type Prevouts = readonly (Pick<TransactionOutput, 'script'> | undefined)[]

interface Holders {
  readonly owner: string
  readonly recipients: readonly { readonly pubkey: string }[]
}

/** @param prevouts - what the transaction spends, as far as it is known */
export function tokensOf(
  rules: TokenRules,
  tokenid: string,
  { owner, recipients }: Holders,
  { byTxid }: KnownTransactions,
  prevouts: Prevouts,
): Tokens {
  const spent = prevouts.flatMap((it) => it?.script ?? [])
  const assumed = byTxid.has(tokenid) ? fungible : rules.assumedCreation(owner, spent)
  const history = createTokenHistory(tokenid, byTxid, rules, { assumed })
  const created = history.created ?? assumed
  const { scriptsOf, finderOf, isLookalike } = rules.placesOf(created)
  const holders = [owner, ...recipients.map(({ pubkey }) => pubkey)]
  const scripts = scriptsOf(holders)
  const known = new Map(holders.map((pubkey, at) => [pubkey, scripts[at]!]))
  return {
    tokenid,
    history,
    created,
    scriptOf: (pubkey) => known.get(pubkey) ?? scriptsOf([pubkey])[0]!,
    isLookalike,
    isOwn: finderOf(owner),
  }
}

/** The time that nodes take to validate grows with the square of these: 105 took 15 s of a CPU. */
const tokenInputsMany = 100

export function checkTokenInputs(count: number): Finding[] {
  if (count <= tokenInputsMany) return []
  const details = { expected: `at most ${tokenInputsMany}`, actual: count }
  return [finding('many_token_inputs', 'inputs', details)]
}

/** What is to be said of the creation that was given, or was not. */
export function creationFindings(
  { tokenid, history }: Tokens,
  { byTxid }: KnownTransactions,
): Finding[] {
  if (history.created !== undefined) return []
  const path = 'evidence.tokenCreate'
  if (!byTxid.has(tokenid)) return [finding('token_create_missing', path)]
  const details = { expected: tokenid, actual: 'no creation' }
  return [finding('token_create_malformed', path, details)]
}
