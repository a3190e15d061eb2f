import { createTokenHistory, type TokenHistory } from '../token/proof/history.ts'
import { fungible, type TokenPlaces, type TokenRules } from '../token/rules/rules.ts'
import type { TransactionOutput } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'

/** The tokens of one id and one owner, as far as the given transactions tell. */
export interface Tokens extends Pick<TokenPlaces, 'scriptOf' | 'isLookalike'> {
  readonly tokenid: string
  readonly history: TokenHistory
  /** Whether an output that pays `script` would be the owner's. */
  isOwn(script: string): boolean
}

type Prevouts = readonly (Pick<TransactionOutput, 'script'> | undefined)[]

/** @param prevouts - what the transaction spends, as far as it is known */
export function tokensOf(
  rules: TokenRules,
  tokenid: string,
  owner: string,
  { byTxid }: KnownTransactions,
  prevouts: Prevouts,
): Tokens {
  const scripts = prevouts.flatMap((it) => it?.script ?? [])
  const assumed = byTxid.has(tokenid) ? fungible : rules.assumedCreation(owner, scripts)
  const history = createTokenHistory(tokenid, byTxid, rules, { assumed })
  const { scriptOf, finderOf, isLookalike } = rules.placesOf(history.created ?? assumed)
  return { tokenid, history, scriptOf, isLookalike, isOwn: finderOf(owner) }
}
