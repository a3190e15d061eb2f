// Validates token transactions as a chain does, with TokensValidate and IsTokensvout: all ancestors
// are known.

import { isCoinImport } from '../../transaction/coinbase.ts'
import type { Outpoint, Transaction } from '../../transaction/types.ts'
import type { KomodoCreatePayload } from '../payload/payload.ts'
import { tokenInputs } from './fulfillment.ts'
import { type FindTransaction, fundingOf } from './funding.ts'
import { komodoRules, lastPayload } from './komodo.ts'
import { orderRefusal } from './orders.ts'
import { fungible, type TokenAmounts, total } from './rules.ts'

/**
 * The answers of komodod's modules about transactions of a chain, in which `find` looks them up.
 */
interface TokenValidator {
  /** Returns why the tokens module refuses a transaction that spends its coins, if it does. */
  refusal(transaction: Transaction, find: FindTransaction): string | undefined
  /** Returns why the assets module refuses a transaction that spends an order, if it does. */
  orderRefusal(transaction: Transaction, find: FindTransaction): string | undefined
  /** Returns the units of a token in an output, checking ancestors one level deep. */
  amountIn(outpoint: Outpoint, tokenid: string, find: FindTransaction): bigint
  /**
   * Returns the payload of a token's creation; `undefined` if it is unknown or creates no token.
   */
  creationOf(tokenid: string, find: FindTransaction): KomodoCreatePayload | undefined
  /** Returns the units that a creation issued and that count. */
  supplyOf(tokenid: string, find: FindTransaction): bigint
}

const cachedMax = 20_000
const none: TokenAmounts = { amounts: new Map() }

/**
 * @see komodo src/cc/CCtokens.cpp, TokensValidate, TokensExactAmounts,
 *   IsTokensvout
 */
export function createTokenValidator(): TokenValidator {
  /** Amounts by transaction and token, neither of which ever changes. */
  const cached = new Map<string, TokenAmounts>()
  return {
    refusal,
    amountIn,
    creationOf,
    orderRefusal: (transaction, find) =>
      orderRefusal(transaction, {
        find,
        tokensIn: (tokenid) => tokensIn(transaction, (it) => amountOf(it, tokenid, find)),
      }),
    supplyOf(tokenid, find) {
      const transaction = find(tokenid)
      return transaction === undefined
        ? 0n
        : total(tokenAmounts(transaction, tokenid, find).amounts)
    },
  }

  function refusal(transaction: Transaction, find: FindTransaction): string | undefined {
    const { outputs } = transaction
    if (outputs.length === 0) return 'no vouts'
    const payload = lastPayload(outputs)
    if (payload === undefined) return 'TokenValidate: invalid opreturn payload'
    // A creation names no token, so the lookup finds none.
    const tokenid = payload.kind === 'transfer' ? payload.tokenid : ''
    if (find(tokenid) === undefined) return 'cant find token create txid'
    const inputs = tokensIn(transaction, (it) => amountIn(it, tokenid, find))
    const { amounts, rule } = tokenAmounts(transaction, tokenid, find)
    if (inputs !== total(amounts)) return 'tokens cc inputs != cc outputs'
    if (rule === 'marker_spent_with_burn') {
      return 'spending cc marker not supported for fungible tokens'
    }
    return inputs === 0n ? 'no token inputs for transfer' : undefined
  }

  function amountIn(outpoint: Outpoint, tokenid: string, find: FindTransaction): bigint {
    const amount = amountOf(outpoint, tokenid, find)
    if (amount === 0n || outpoint.txid === tokenid) return amount
    const transaction = find(outpoint.txid)!
    const inputs = tokensIn(transaction, (it) => amountOf(it, tokenid, find))
    return inputs === total(tokenAmounts(transaction, tokenid, find).amounts) ? amount : 0n
  }

  /** Returns the units in an output, by its own transaction alone. */
  function amountOf({ txid, vout }: Outpoint, tokenid: string, find: FindTransaction): bigint {
    const transaction = find(txid)
    if (transaction === undefined) return 0n
    return tokenAmounts(transaction, tokenid, find).amounts.get(vout) ?? 0n
  }

  /** Returns the amounts that a transaction's outputs hold of the token, by itself alone. */
  function tokenAmounts(
    transaction: Transaction,
    tokenid: string,
    find: FindTransaction,
  ): TokenAmounts {
    const key = transaction.txid + tokenid
    const known = cached.get(key)
    if (known !== undefined) return known
    const now = readTokenAmounts(transaction, tokenid, find)
    if (cached.size >= cachedMax) cached.clear()
    cached.set(key, now)
    return now
  }
}

function readTokenAmounts(
  transaction: Transaction,
  tokenid: string,
  find: FindTransaction,
): TokenAmounts {
  const { txid, outputs } = transaction
  const payload = lastPayload(outputs)
  if (payload?.kind === 'transfer') {
    if (payload.tokenid !== tokenid) return none
    const keys = new Set(tokenInputs(transaction, komodoRules.evalCode).map(({ key }) => key))
    const created = creationOf(tokenid, find) ?? fungible
    return komodoRules.transferred({ txid, transaction, payload }, tokenid, [...keys], created)
  }
  if (payload === undefined || txid !== tokenid) return none
  const { amounts, required } = komodoRules.issued(outputs)
  const isFunded =
    isCoinImport(transaction) || fundingOf(transaction, payload.owner, find).paid >= required
  return isFunded ? { amounts } : none
}

function creationOf(tokenid: string, find: FindTransaction): KomodoCreatePayload | undefined {
  const payload = lastPayload(find(tokenid)?.outputs ?? [])
  return payload?.kind === 'create' ? payload : undefined
}

function tokensIn(transaction: Transaction, amountOf: (outpoint: Outpoint) => bigint): bigint {
  const inputs = tokenInputs(transaction, komodoRules.evalCode)
  return inputs.reduce((sum, outpoint) => sum + amountOf(outpoint), 0n)
}
