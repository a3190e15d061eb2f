import type { Network } from '../chain/network.ts'
import { type Finding, finding } from '../request/report.ts'
import { createTokenHistory, type TokenHistory } from '../token/proof/history.ts'
import { paysToCondition } from '../token/rules/condition-script.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { CreatedToken } from '../token/rules/order-layout.ts'
import {
  fungible,
  type Holder,
  type Seen,
  type TokenPlaces,
  type TokenRules,
} from '../token/rules/rules.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import type { SpentOutput } from './previous-outputs.ts'

/** Tokens of one owner, of one id or of several, as far as the given transactions tell. */
export interface Tokens extends Pick<TokenPlaces, 'isLookalike'> {
  /** The one, or the first. */
  readonly tokenid: string
  /** By the tokenids that may be spent. */
  readonly histories: ReadonlyMap<string, TokenHistory>
  /**
   * Where a transfer puts what it gives to the owner, or to a recipient.
   *
   * @param naming - the token, where outputs name theirs themselves
   */
  scriptOf(holder: Holder, naming?: string): string
  /** The token that an output is taken for. */
  tokenidOf(spent: SpentToken): string
  readonly rules: TokenRules
  /** The creation's data; if the creation is not given, the data that it must have. */
  readonly created: CreatedToken
  /** Returns true if the owner could spend an output that pays `script`. */
  isOwn(script: string): boolean
}

/** An output whose token is in question, with its transaction. */
interface SpentToken {
  readonly txid: string
  readonly vout: number
  readonly transaction: Transaction
}

type Prevouts = readonly (Pick<SpentOutput, 'script' | 'transaction'> | undefined)[]

interface Holders {
  readonly owner: Holder
  readonly recipients: readonly Holder[]
  /** True if only tokens v2 have this form. */
  readonly isV2: boolean
}

/**
 * @param tokenids - the one that is moved, or several at once
 * @param prevouts - what the transaction spends, as far as it is known
 */
export function tokensOf(
  network: Network,
  tokenids: readonly [string, ...string[]],
  { owner, recipients, isV2 }: Holders,
  { byTxid }: KnownTransactions,
  prevouts: Prevouts,
): Tokens {
  const [tokenid] = tokenids
  const rules = isV2 ? rulesOf(network) : rulesOfTokens(network, tokenid, byTxid, prevouts)
  const assumed =
    byTxid.has(tokenid) || typeof owner !== 'string'
      ? fungible
      : rules.assumedCreation(
          owner,
          prevouts.flatMap((it) => it?.script ?? []),
        )
  // however many inputs spend from a transaction, and of whatever tokens, it is read once
  const seen = new Map<string, Seen>()
  const histories = new Map(
    tokenids.map((it) => [it, createTokenHistory(it, byTxid, rules, { assumed, seen })]),
  )
  const created = histories.get(tokenid)!.created ?? assumed
  const { scriptsOf, finderOf, isLookalike } = rules.placesOf(created)
  const holders = [owner, ...recipients]
  const scripts = scriptsOf(holders)
  const known = new Map(holders.map((holder, at) => [holder, scripts[at]!]))
  return {
    tokenid,
    histories,
    rules,
    created,
    scriptOf: (holder, naming) =>
      (naming === undefined ? known.get(holder) : undefined) ?? scriptsOf([holder], naming)[0]!,
    tokenidOf({ txid, vout, transaction }) {
      if (histories.size === 1) return tokenid
      const known = seen.get(txid) ?? {
        txid,
        transaction,
        payload: rules.payloadOf(transaction.outputs),
      }
      seen.set(txid, known)
      const named = rules.tokenOf(known, vout)
      return named !== undefined && histories.has(named) ? named : tokenid
    },
    isLookalike,
    isOwn: finderOf(owner),
  }
}

/** On tokeld's chains the creation tells, else what is spent, of which kind a token is. */
function rulesOfTokens(
  network: Network,
  tokenid: string,
  byTxid: KnownTransactions['byTxid'],
  prevouts: Prevouts,
): TokenRules {
  const creation = byTxid.get(tokenid)
  if (creation !== undefined) return rulesOf(network, creation.outputs)
  const spent = prevouts.flatMap((it) =>
    it !== undefined && paysToCondition(it.script) ? [it.transaction.outputs] : [],
  )
  return rulesOf(network, ...new Set(spent))
}

/** The time that nodes take to validate grows with the square of these: 105 took 15 s of a CPU. */
const tokenInputsMany = 100

export function checkTokenInputs(count: number): Finding[] {
  if (count <= tokenInputsMany) return []
  const details = { expected: `at most ${tokenInputsMany}`, actual: count }
  return [finding('many_token_inputs', 'inputs', details)]
}

/**
 * More units spent than the creation issued: some are counted twice, wherever that happened.
 *
 * @param units - what is spent, by tokenid
 */
export function checkSupply(
  { histories, rules }: Tokens,
  units: ReadonlyMap<string, bigint>,
  { byTxid }: KnownTransactions,
): Finding[] {
  return [...units].flatMap(([tokenid, actual]) => {
    if (histories.get(tokenid)!.created === undefined) return []
    const issued = rules.issued(byTxid.get(tokenid)!.outputs).amounts
    const expected = [...issued.values()].reduce((sum, amount) => sum + amount, 0n)
    if (actual <= expected) return []
    return [finding('token_supply', 'inputs', { expected: `at most ${expected}`, actual })]
  })
}

/** Returns findings about creations that are given, or missing. */
export function creationFindings(
  { histories, rules }: Tokens,
  { byTxid }: KnownTransactions,
): Finding[] {
  const path = 'evidence.tokenCreate'
  return [...histories].flatMap(([tokenid, { created }]) => {
    if (created !== undefined) {
      const { problem, data } = created.extras[0] ?? {}
      if (rules.layout !== 'tokens-v2' || problem === undefined) return []
      return [finding('tokel_data', path, { actual: data })]
    }
    if (!byTxid.has(tokenid)) return [finding('token_create_missing', path)]
    const details = { expected: tokenid, actual: 'no creation' }
    return [finding('token_create_malformed', path, details)]
  })
}
