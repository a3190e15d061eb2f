// Proves that outputs hold tokens.

import { networks } from '../../chain/network.ts'
import { within } from '../../errors/within.ts'
import {
  requireArray,
  requireObject,
  requireString,
  requireUint32,
} from '../../primitives/arguments.ts'
import { requireKnownMembers } from '../../primitives/known-members.ts'
import { finish } from '../../primitives/steps.ts'
import { decodeTransaction, transactionId } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'
import { rulesOf } from '../rules/network.ts'
import { createTokenHistory, type TokenHistory, type TransactionSource } from './history.ts'
import type { ProofOptions, TokenProof } from './proof.ts'

/** Proves outputs from one set of transactions, which is indexed once. */
export interface TokenProver {
  prove(txid: string, vout: number, tokenid: string): TokenProof
}

/**
 * Proves that an output holds tokens, from raw transactions alone.
 *
 * The proof walks back from the output to the token's creation and applies komodod's rules at every
 * step. They decide which outputs hold tokens. They demand equal amounts in and out, and that the
 * creation was paid for by the owner that it names. On a chain that tokeld runs (`options.network`), the creation
 * decides between tokens v2 and v1.
 *
 * The proof does not show that the chain holds these transactions. Signatures are checked only with
 * `options.signatures`: set it for coins that somebody offers you.
 *
 * @param txid - transaction of the output, display order
 * @param vout - its index
 * @param tokenid - display order
 * @param transactions - raw hex of every ancestor that may be needed, in any order
 * @returns `proven`, `disproven` with the rule and the place, or `incomplete` with the txids that
 *   are missing
 * @throws {AntaraError} as `decodeTransaction`, for the first malformed one; `path` names it
 * @see komodo src/cc/CCtokens.cpp, IsTokensvout, TokensExactAmounts
 * @example
 * proveTokenOutput(txid, 0, tokenid, [transfer, create, funding]).verdict // 'proven'
 */
export function proveTokenOutput(
  txid: string,
  vout: number,
  tokenid: string,
  transactions: readonly string[],
  options: ProofOptions = {},
): TokenProof {
  return createTokenProver(transactions, options).prove(txid, vout, tokenid)
}

/**
 * Prepares proofs from one set of transactions. Each transaction is then checked once per token,
 * however many outputs you prove.
 *
 * @param transactions - raw hex of every ancestor that may be needed, in any order
 * @returns a prover; `prove` takes what `proveTokenOutput` takes before the transactions
 * @throws {AntaraError} as `proveTokenOutput`
 * @see komodo src/cc/CCtokens.cpp, IsTokensvout, TokensExactAmounts
 * @example
 * const prover = createTokenProver(transactions)
 * prover.prove(txid, 0, tokenid).verdict // 'proven'
 */
export function createTokenProver(
  transactions: readonly string[],
  options: ProofOptions = {},
): TokenProver {
  requireArray(transactions, 'transactions')
  requireObject(options, 'options')
  requireKnownMembers(options, ['signatures', 'network'], 'options')
  const sources = new Map<string, string>()
  for (const [at, source] of transactions.entries()) sources.set(idOf(source, at), source)
  // Sources stay text until they are needed: many fit in memory, and a proof needs few.
  const met = new Map<string, Transaction>()
  const known: TransactionSource = {
    has: (txid) => sources.has(txid),
    get: (txid) => {
      const source = sources.get(txid)
      if (source === undefined || met.has(txid)) return met.get(txid)
      const transaction = decodeTransaction(source)
      met.set(txid, transaction)
      return transaction
    },
  }
  const network = options.network ?? networks.assetChain
  const histories = new Map<string, TokenHistory>()
  return {
    prove(txid, vout, tokenid) {
      requireString(txid, 'txid')
      requireUint32(vout, 'vout')
      requireString(tokenid, 'tokenid')
      const id = tokenid.toLowerCase()
      const target = txid.toLowerCase()
      const rules = rulesOf(network, known.get(id)?.outputs, known.get(target)?.outputs)
      const named = `${id} ${rules.layout}`
      let history = histories.get(named)
      if (history === undefined) {
        history = createTokenHistory(id, known, rules, { ...options, candidates: sources.keys() })
        histories.set(named, history)
      }
      const proof = finish(history.prove([{ txid: target, vout }]))[0]!
      if (proof.verdict !== 'incomplete') return proof
      return { ...proof, missing: finish(history.missingFor([target])) }
    },
  }
}

function idOf(source: unknown, at: number): string {
  const path = `transactions[${at}]`
  requireString(source, path)
  return within(path, () => transactionId(source))
}
