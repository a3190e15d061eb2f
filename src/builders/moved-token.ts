// The token that a transaction moves: which it is, by whose rules, and whether coins hold it.

import type { Network } from '../chain/network.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { within } from '../errors/within.ts'
import { finish } from '../primitives/steps.ts'
import { createdProblems } from '../request/create-problems.ts'
import { throwFirst } from '../request/problem.ts'
import type { CreatePayload } from '../token/payload/payload.ts'
import { createTokenHistory } from '../token/proof/history.ts'
import { rulesOf } from '../token/rules/network.ts'
import type { Holder, TokenRules } from '../token/rules/rules.ts'
import { decodeTransaction, transactionId } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import type { CoinSources } from './coins.ts'
import type { SpentCoin } from './unsigned.ts'

interface CreationSource {
  readonly tokenCreate?: string
  readonly previousTransactions: readonly string[]
}

export interface FoundCreation {
  readonly transaction: Transaction
  readonly hex: string
  readonly payload: CreatePayload
  readonly rules: TokenRules
}

export function findCreation(
  { tokenCreate, previousTransactions }: CreationSource,
  tokenid: string,
  sources: CoinSources,
  network: Network,
): FoundCreation {
  const transaction =
    tokenCreate === undefined
      ? sources.get(tokenid)
      : within('tokenCreate', () => decodeTransaction(tokenCreate))
  const rules = rulesOf(network, transaction?.outputs)
  const payload = transaction === undefined ? undefined : rules.payloadOf(transaction.outputs)
  if (transaction?.txid !== tokenid || payload?.kind !== 'create') {
    throw new AntaraError('token_create_missing', {
      path: 'tokenCreate',
      expected: tokenid,
      actual:
        transaction === undefined
          ? undefined
          : `${payload?.kind ?? 'no token'} ${transaction.txid}`,
    })
  }
  const hex = tokenCreate ?? previousTransactions.find((it) => transactionId(it) === tokenid)!
  return { transaction, hex: hex.toLowerCase(), payload, rules }
}

/** Refuses a token whose data ask a module that no chain has. */
export function requireMovable({ payload }: FoundCreation, dataCodes?: readonly number[]): void {
  throwFirst(createdProblems(payload, 'tokenCreate', dataCodes))
}

/** Where tokens of one creation lie, and where a holder's do. */
interface HeldTokens {
  readonly creation: FoundCreation
  /** The script in which the holder keeps what is left. */
  readonly own: string
  isOwn(script: string): boolean
}

export function heldBy(holder: Holder, creation: FoundCreation): HeldTokens {
  const { scriptsOf, finderOf } = creation.rules.placesOf(creation.payload)
  return { creation, own: scriptsOf([holder])[0]!, isOwn: finderOf(holder) }
}

/**
 * Refuses coins that are not of the token. Returns those that could not be proven because ancestors
 * are missing.
 *
 * @param pathOf - the member of the request that names the coin at a position
 */
export function checkTokens(
  coins: readonly SpentCoin[],
  { creation, own, isOwn }: HeldTokens,
  sources: CoinSources,
  pathOf = (at: number): string => `tokenCoins[${at}]`,
): SpentCoin[] {
  const { transaction, rules } = creation
  const tokenid = transaction.txid
  // A prover would also compute the missing ancestors of every coin, which nobody needs here.
  const known = new Map([...sources, [tokenid, transaction]])
  const history = createTokenHistory(tokenid, known, rules)
  const proofs = finish(history.prove(coins))
  return coins.filter(({ script }, at) => {
    const path = pathOf(at)
    if (!isOwn(script)) {
      throw new AntaraError('foreign_coin', { path, expected: own, actual: script })
    }
    const proof = proofs[at]!
    if (proof.verdict === 'disproven') {
      const actual = `${proof.rule} in ${proof.txid}`
      throw new AntaraError('token_disproven', { path, expected: tokenid, actual })
    }
    return proof.verdict === 'incomplete'
  })
}
