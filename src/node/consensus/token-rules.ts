// TokensValidate and IsTokensvout, made of the rules that the prover uses: the only file of the
// node that knows them.

import { paysKey } from '../../script/key-script.ts'
import type { KomodoCreatePayload } from '../../token/payload/payload.ts'
import { fulfillmentOf } from '../../token/rules/fulfillment.ts'
import { komodoRules, lastPayload } from '../../token/rules/komodo.ts'
import type { Amounts, CreatedData } from '../../token/rules/rules.ts'
import type { StoredTransaction } from '../state/stored-transaction.ts'

/** Transactions that the chain or the mempool has. */
export type FindTransaction = (txid: string) => StoredTransaction | undefined

export interface TokenLedger {
  /** Why the tokens module refuses a transaction that spends its coins; undefined if it does not. */
  refusal(transaction: StoredTransaction, find: FindTransaction): string | undefined
  /** Units of a token in an output of a transaction that is there, ancestors one level deep. */
  amountIn(outpoint: TokenOutpoint, tokenid: string, find: FindTransaction): bigint
  /** What the transaction that creates a token says; undefined if it is not there, or creates none. */
  creationOf(tokenid: string, find: FindTransaction): KomodoCreatePayload | undefined
  /** Units that a creation issued and that count. */
  supplyOf(tokenid: string, find: FindTransaction): bigint
}

interface TokenOutpoint {
  readonly txid: string
  readonly vout: number
}

const rememberedMax = 20_000
const none: Amounts = new Map()

/** @see komodo src/cc/CCtokens.cpp, TokensValidate, TokensExactAmounts, IsTokensvout */
export function createTokenLedger(): TokenLedger {
  /** By transaction and token: neither ever changes. */
  const remembered = new Map<string, Amounts>()
  return {
    refusal,
    amountIn,
    creationOf,
    supplyOf(tokenid, find) {
      const stored = find(tokenid)
      return stored === undefined ? 0n : total(held(stored, tokenid, find))
    },
  }

  function refusal(stored: StoredTransaction, find: FindTransaction): string | undefined {
    const { outputs } = stored.transaction
    if (outputs.length === 0) return 'no vouts'
    const payload = lastPayload(outputs)
    if (payload === undefined) return 'TokenValidate: invalid opreturn payload'
    // a creation names no token, so none is found
    const tokenid = payload.kind === 'transfer' ? payload.tokenid : ''
    if (find(tokenid) === undefined) return 'cant find token create txid'
    let inputs = 0n
    for (const outpoint of tokenInputs(stored)) inputs += amountIn(outpoint, tokenid, find)
    if (inputs !== total(held(stored, tokenid, find))) return 'tokens cc inputs != cc outputs'
    if (spendsMarkerAndBurns(stored, tokenid, find)) {
      return 'spending cc marker not supported for fungible tokens'
    }
    return inputs === 0n ? 'no token inputs for transfer' : undefined
  }

  function amountIn({ txid, vout }: TokenOutpoint, tokenid: string, find: FindTransaction): bigint {
    const stored = find(txid)
    if (stored === undefined) return 0n
    const amount = held(stored, tokenid, find).get(vout) ?? 0n
    if (amount === 0n || txid === tokenid || isExact(stored, tokenid, find)) return amount
    return 0n
  }

  function isExact(stored: StoredTransaction, tokenid: string, find: FindTransaction): boolean {
    let inputs = 0n
    for (const { txid, vout } of tokenInputs(stored)) {
      const parent = find(txid)
      if (parent !== undefined) inputs += held(parent, tokenid, find).get(vout) ?? 0n
    }
    return inputs === total(held(stored, tokenid, find))
  }

  /** Outputs that hold the token, by the transaction alone. */
  function held(stored: StoredTransaction, tokenid: string, find: FindTransaction): Amounts {
    const key = stored.txid + tokenid
    const known = remembered.get(key)
    if (known !== undefined) return known
    const amounts = newlyHeld(stored, tokenid, find)
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, amounts)
    return amounts
  }

  function newlyHeld(stored: StoredTransaction, tokenid: string, find: FindTransaction): Amounts {
    const { txid, transaction } = stored
    const payload = lastPayload(transaction.outputs)
    if (payload?.kind === 'transfer') {
      if (payload.tokenid !== tokenid) return none
      const seen = { txid, transaction, payload }
      const keys = inputKeys(stored)
      return komodoRules.transferred(seen, tokenid, keys, createdData(tokenid, find)).amounts
    }
    if (payload === undefined || txid !== tokenid) return none
    const { amounts, required } = komodoRules.issued(transaction.outputs)
    return paidByOwner(stored, payload.owner, find) >= required ? amounts : none
  }
}

function spendsMarkerAndBurns(
  stored: StoredTransaction,
  tokenid: string,
  find: FindTransaction,
): boolean {
  const { txid, transaction } = stored
  const payload = lastPayload(transaction.outputs)
  if (payload?.kind !== 'transfer') return false
  const seen = { txid, transaction, payload }
  const data = createdData(tokenid, find)
  const { rule } = komodoRules.transferred(seen, tokenid, inputKeys(stored), data)
  return rule === 'marker_spent_with_burn'
}

function creationOf(tokenid: string, find: FindTransaction): KomodoCreatePayload | undefined {
  const payload = lastPayload(find(tokenid)?.transaction.outputs ?? [])
  return payload?.kind === 'create' ? payload : undefined
}

/** What transfers have to know of their token's creation; of what is none, nothing. */
function createdData(tokenid: string, find: FindTransaction): CreatedData {
  return creationOf(tokenid, find) ?? { extras: [] }
}

/** Satoshis that a creation's owner put into it as ordinary coins. */
function paidByOwner(
  { transaction }: StoredTransaction,
  owner: string,
  find: FindTransaction,
): bigint {
  let paid = 0n
  for (const { txid, vout, scriptSig } of transaction.inputs) {
    if (fulfillmentOf(scriptSig) !== undefined) continue
    const output = find(txid)?.transaction.outputs[vout]
    if (output !== undefined && paysKey(output.script, owner)) paid += output.value
  }
  return paid
}

/** Inputs whose fulfillments name the tokens module. */
function tokenInputs({ transaction }: StoredTransaction): readonly TokenOutpoint[] {
  return transaction.inputs.filter(({ scriptSig }) =>
    fulfillmentOf(scriptSig)?.evalCodes.includes(komodoRules.evalCode),
  )
}

/** First key of each token input. */
function inputKeys({ transaction }: StoredTransaction): string[] {
  const keys = transaction.inputs.flatMap(({ scriptSig }) => {
    const fulfillment = fulfillmentOf(scriptSig)
    if (!fulfillment?.evalCodes.includes(komodoRules.evalCode)) return []
    return [fulfillment.pubkeys[0] ?? '']
  })
  return [...new Set(keys)]
}

function total(amounts: Amounts): bigint {
  let sum = 0n
  for (const amount of amounts.values()) sum += amount
  return sum
}
