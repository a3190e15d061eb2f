// The tokens that a transaction moves: their kind, their histories, and the scripts of their
// owners.

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
import type { KnownTransactions } from './evidence.ts'
import type { SpentOutput } from './previous-outputs.ts'

/** The tokens of one owner, with one tokenid or several, as the given transactions show them. */
export interface Tokens extends Pick<TokenPlaces, 'isLookalike'> {
  /** The tokenid, or the first of several. */
  readonly tokenid: string
  /** Histories by tokenid, for each that may be spent. */
  readonly histories: ReadonlyMap<string, TokenHistory>
  /**
   * Returns the script of a transfer's output to the owner or to a recipient.
   *
   * @param naming - the tokenid, where outputs name their token themselves
   */
  scriptOf(holder: Holder, naming?: string): string
  /** Returns the tokenid that an output counts as. */
  tokenidOf(spent: Pick<SpentOutput, 'txid' | 'vout' | 'transaction'>): string
  readonly rules: TokenRules
  /** The creation's data; if the creation is not given, the data that it must have. */
  readonly created: CreatedToken
  /** Returns true if the owner could spend an output that pays `script`. */
  isOwn(script: string): boolean
}

type Prevouts = readonly (Pick<SpentOutput, 'script' | 'transaction'> | undefined)[]

interface Holders {
  readonly owner: Holder
  readonly recipients: readonly Holder[]
  /** True if only tokens v2 have this form. */
  readonly isV2: boolean
}

/**
 * Reads the tokens that a transaction moves.
 *
 * @param tokenids - one, or several that move at once
 * @param prevouts - the spent outputs, as far as they are known
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
  // Each transaction is read once, however many inputs spend from it.
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

/** Finds the kind of a token on tokeld's chains by its creation, or else by the spent outputs. */
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

/**
 * The time that nodes take to validate grows with the square of token inputs: 105 took 15 s of a
 * CPU.
 */
const tokenInputsMany = 100

export function checkTokenInputs(count: number): Finding[] {
  if (count <= tokenInputsMany) return []
  const details = { expected: `at most ${tokenInputsMany}`, actual: count }
  return [finding('many_token_inputs', 'inputs', details)]
}

/**
 * Reports more spent units than the creation issued, because then some are counted twice.
 *
 * @param units - spent, by tokenid
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
