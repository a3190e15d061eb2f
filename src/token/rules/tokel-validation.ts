// Validates token transactions as tokeld's chains do, with TokensValidate and Tokensv2Validate: all
// ancestors are known.

import { isNulldata } from '../../script/nulldata.ts'
import type { Outpoint, Transaction } from '../../transaction/types.ts'
import { fundingOf } from './funding.ts'
import { markerRefusal } from './marker-spending.ts'
import {
  creationIn,
  isMarker,
  isMarkerScript,
  isRefusal,
  moduleKeyOf,
  ownInputs,
  type Refusal,
  readOutput,
  rulesOfVersion,
  type TokelChain,
  type TokenOutput,
  type TokenVersion,
} from './tokel-output.ts'

/**
 * Returns why a module of tokens refuses a transaction, in the daemon's words; `undefined` if it
 * accepts it.
 *
 * @see tokel src/cc/CCtokens.cpp, TokensValidate, Tokensv2Validate; src/cc/CCtokens_impl.h,
 *   TokensExactAmounts
 */
export function tokelRefusal(
  transaction: Transaction,
  version: TokenVersion,
  chain: TokelChain,
): string | undefined {
  const { outputs } = transaction
  if (outputs.length === 0) return 'no vouts'
  if (outputs.filter(({ script }) => isNulldata(script)).length > 1) {
    return 'only one opreturn supported'
  }
  const brought = tokensBrought(transaction, version, chain)
  if (isRefusal(brought)) return brought.words
  const paid = tokensPaid(transaction, version, chain)
  if (isRefusal(paid)) return paid.words
  if (paid.creates > 0 && paid.transfers > 0) return "can't have both create and transfer vouts"
  if (paid.creates > 0) return creationRefusal(transaction, version, paid.creates, chain)
  if (paid.transfers > 0) {
    if (paid.markers > 0) return 'tokentransfer cannot have markers'
    if (brought.size > 0 && brought.size === paid.amounts.size) {
      return transferRefusal(transaction, version, { brought, paid: paid.amounts }, chain)
    }
  }
  return 'no tokens cc vins or cc vouts'
}

type AmountsByToken = ReadonlyMap<string, bigint>

function tokensBrought(
  transaction: Transaction,
  version: TokenVersion,
  chain: TokelChain,
): AmountsByToken | Refusal {
  const amounts = new Map<string, bigint>()
  for (const { txid, vout } of ownInputs(transaction, version)) {
    const spent = chain.find(txid)
    if (spent === undefined) {
      const at = transaction.inputs.findIndex((it) => it.txid === txid && it.vout === vout)
      return { words: `could not load vin tx ${at}` }
    }
    const read = readOutput(spent, vout, version, chain)
    if (isRefusal(read)) return read
    if (isMarker(spent, vout, version)) continue
    if (read !== undefined) add(amounts, read)
  }
  return amounts
}

interface TokensPaid {
  readonly amounts: AmountsByToken
  readonly markers: number
  readonly creates: number
  readonly transfers: number
}

function tokensPaid(
  transaction: Transaction,
  version: TokenVersion,
  chain: TokelChain,
): TokensPaid | Refusal {
  const amounts = new Map<string, bigint>()
  const counts = { markers: 0, creates: 0, transfers: 0 }
  for (const vout of transaction.outputs.keys()) {
    const read = readOutput(transaction, vout, version, chain)
    if (isRefusal(read)) return read
    if (isMarkerScript(transaction, vout, version)) {
      if (!isMarker(transaction, vout, version)) return { words: 'invalid marker value' }
      counts.markers += 1
      if (read?.kind === 'create' && counts.markers > 1) {
        return { words: 'tokencreate cannot have more than one marker' }
      }
      continue
    }
    if (read === undefined) continue
    counts[read.kind === 'create' ? 'creates' : 'transfers'] += 1
    add(amounts, read)
  }
  return { amounts, ...counts }
}

function add(amounts: Map<string, bigint>, { tokenid, amount }: TokenOutput): void {
  if (amount > 0n) amounts.set(tokenid, (amounts.get(tokenid) ?? 0n) + amount)
}

/** Only creations of version 2 get here: those of version 1 spend no tokens, so nothing runs. */
function creationRefusal(
  transaction: Transaction,
  version: TokenVersion,
  creates: number,
  { find }: TokelChain,
): string | undefined {
  if (ownInputs(transaction, version).length > 0) return "creation tx can't have token vins"
  if (creates > 1) return "creation tx can't have several token vouts"
  // The daemon reads the creator by the layout of version 2, whichever module runs.
  const payload = creationIn(transaction, 2)
  const owner = payload?.owner ?? ''
  if (fundingOf(transaction, owner, find).paid === 0n) return 'no vins signed with creator pubkey'
  return owner === moduleKeyOf(version)
    ? 'cannot create tokens with token shared pubkey'
    : undefined
}

function transferRefusal(
  transaction: Transaction,
  version: TokenVersion,
  { brought, paid }: { readonly brought: AmountsByToken; readonly paid: AmountsByToken },
  chain: TokelChain,
): string | undefined {
  for (const [tokenid, amount] of brought) {
    if (amount !== (paid.get(tokenid) ?? 0n)) {
      return `cc inputs not equal outputs for tokenid=${tokenid}`
    }
    const created = chain.find(tokenid)
    const refused = markerRefusal(transaction, {
      rules: rulesOfVersion[version],
      tokenid,
      moduleKey: moduleKeyOf(version),
      data: created && creationIn(created, version)?.extras[0]?.data,
      supply: tokelSupply(tokenid, version, chain),
    })
    if (refused !== undefined) return refused
  }
  return undefined
}

/** Returns the units that a creation issued and that count. */
export function tokelSupply(tokenid: string, version: TokenVersion, chain: TokelChain): bigint {
  const created = chain.find(tokenid)
  if (created === undefined) return 0n
  let supply = 0n
  for (const vout of created.outputs.keys()) {
    const read = readOutput(created, vout, version, chain)
    if (read !== undefined && !isRefusal(read)) supply += read.amount
  }
  return supply
}

/**
 * Returns the token that an output holds, and how much; `undefined` for none.
 *
 * @see tokel src/cc/CCtokens_impl.h, IsTokensvout
 */
export function tokelTokensAt(
  { txid, vout }: Outpoint,
  version: TokenVersion,
  chain: TokelChain,
): { readonly tokenid: string; readonly amount: bigint } | undefined {
  const transaction = chain.find(txid)
  if (transaction === undefined) return undefined
  const read = readOutput(transaction, vout, version, chain)
  return read === undefined || isRefusal(read) || read.amount === 0n ? undefined : read
}
