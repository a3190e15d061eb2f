// The tokens in one output, as tokeld's modules read them.

import { markerSats } from '../../chain/limits.ts'
import {
  tokensEvalCode,
  tokensGlobalPubkey,
  tokensV2EvalCode,
  tokensV2GlobalPubkey,
} from '../../chain/modules.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { isCoinImport } from '../../transaction/coinbase.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { TokelCreatePayload, TokenPayload } from '../payload/payload.ts'
import { conditionPart } from './condition-script.ts'
import { type TokenInputOutpoint, tokenInputs } from './fulfillment.ts'
import { type FindTransaction, fundingOf } from './funding.ts'
import { fungible, type Seen, type TokenRules } from './rules.ts'
import { payloadsOfOutputsV1, rulesTokelV1 } from './tokel-v1.ts'
import { payloadOfOutputV2, rulesV2 } from './tokens-v2.ts'

/** The version of a module of tokens. */
export type TokenVersion = 1 | 2

/** The parts of the chain that the rules read. */
export interface TokelChain {
  readonly find: FindTransaction
  /** Returns why another module refuses a transaction, if it does. */
  refusalBy(evalCode: number, transaction: Transaction): string | undefined
}

export const rulesOfVersion: { readonly [Version in TokenVersion]: TokenRules } = {
  1: rulesTokelV1,
  2: rulesV2,
}
const evalCodeOfVersion: { readonly [Version in TokenVersion]: number } = {
  1: tokensEvalCode,
  2: tokensV2EvalCode,
}

/** An output as its module of tokens reads it. */
export interface TokenOutput {
  readonly kind: TokenPayload['kind']
  readonly tokenid: string
  /** 0 for a marker, and in version 1 for an output that the rules do not count. */
  readonly amount: bigint
}

/** The daemon's words for what it refuses. */
export interface Refusal {
  readonly words: string
}

export function isRefusal(read: object | undefined): read is Refusal {
  return read !== undefined && 'words' in read
}

/** Returns the payload of a transaction that creates tokens of a version. */
export function creationIn(
  { outputs }: Pick<Transaction, 'outputs'>,
  version: TokenVersion,
): TokelCreatePayload | undefined {
  const payload = rulesOfVersion[version].payloadOf(outputs)
  return payload?.kind === 'create' ? (payload as TokelCreatePayload) : undefined
}

/** @see tokel src/cc/CCtokens.cpp, TokensV1::CheckTokensvout, TokensV2::CheckTokensvout */
export function readOutput(
  transaction: Transaction,
  vout: number,
  version: TokenVersion,
  chain: TokelChain,
): TokenOutput | Refusal | undefined {
  if (transaction.outputs[vout] === undefined) return { words: 'out of bounds' }
  return version === 1
    ? readOutputV1(transaction, vout, chain)
    : readOutputV2(transaction, vout, chain)
}

function readOutputV2(
  transaction: Transaction,
  vout: number,
  chain: TokelChain,
): TokenOutput | Refusal | undefined {
  const found = payloadOfOutputV2(seenOf[2](transaction), vout)
  if (found === undefined) return undefined
  const { payload } = found
  if (payload === undefined) return { words: "can't decode opreturn data" }
  const refused = dataRefusal(transaction, payload, 2, chain)
  if (refused !== undefined) return refused
  const tokenid = payload.kind === 'create' ? transaction.txid : payload.tokenid
  if (/^0*$/.test(tokenid)) return { words: 'null tokenid' }
  const isItsMarker = isMarkerScript(transaction, vout, 2)
  if (isItsMarker && !isMarker(transaction, vout, 2)) return { words: 'invalid marker value' }
  const amount = isItsMarker ? 0n : transaction.outputs[vout]!.value
  return { kind: payload.kind, tokenid, amount }
}

function readOutputV1(
  transaction: Transaction,
  vout: number,
  chain: TokelChain,
): TokenOutput | Refusal | undefined {
  const seen = seenOf[1](transaction)
  const payload = payloadsOfOutputsV1(seen)[vout]
  if (payload === undefined) return undefined
  const isDropped = payload !== seen.payload
  const spendsTokens = ownInputs(transaction, 1).length > 0
  if (payload.kind === 'create') {
    if (spendsTokens) return { words: 'tokenbase tx cannot have cc vins' }
    const refused = dataRefusal(transaction, payload, 1, chain)
    if (refused !== undefined) return refused
    return issuedV1(transaction, vout, isDropped, chain)
  }
  if (!spendsTokens) {
    return { words: 'no token cc vin in token transaction (and not tokenbase tx)' }
  }
  if (isDropped) {
    if (payload.pubkeys.includes(tokensGlobalPubkey)) {
      return { words: 'cannot send tokens to global pk' }
    }
    if (payload.pubkeys.length === 0) return { words: 'pubkeys size should be 1 or 2' }
  }
  const { tokenid } = payload
  const keys = new Set(ownInputs(transaction, 1).map(({ key }) => key))
  const { amounts } = rulesTokelV1.transferred(seen, tokenid, [...keys], fungible)
  return { kind: 'transfer', tokenid, amount: amounts.get(vout) ?? 0n }
}

function issuedV1(
  transaction: Transaction,
  vout: number,
  isDropped: boolean,
  { find }: TokelChain,
): TokenOutput | Refusal {
  const none = { kind: 'create', tokenid: transaction.txid, amount: 0n } as const
  const payload = creationIn(transaction, 1)
  if (payload === undefined || isCoinImport(transaction)) return none
  if (!isDropped && payload.owner === tokensGlobalPubkey) {
    return { words: 'cannot create tokens with token shared pubkey' }
  }
  const { amounts, required } = rulesTokelV1.issued(transaction.outputs)
  if (fundingOf(transaction, payload.owner, find).paid < required) {
    return isDropped ? { words: 'tokenbase tx issued by not pubkey in opret' } : none
  }
  return { ...none, amount: amounts.get(vout) ?? 0n }
}

/** Asks the modules to which the data of a new token belong. */
function dataRefusal(
  transaction: Transaction,
  { kind, extras }: TokenPayload,
  version: TokenVersion,
  chain: TokelChain,
): Refusal | undefined {
  if (kind !== 'create') return undefined
  for (const { data } of extras) {
    const code = data === '' ? 0 : Number.parseInt(data.slice(0, 2), 16)
    if (code === 0 || code === evalCodeOfVersion[version]) continue
    const words = chain.refusalBy(code, transaction)
    if (words !== undefined) return { words }
  }
  return undefined
}

export function ownInputs(transaction: Transaction, version: TokenVersion): TokenInputOutpoint[] {
  return tokenInputs(transaction, rulesOfVersion[version].evalCode)
}

export function moduleKeyOf(version: TokenVersion): string {
  return version === 1 ? tokensGlobalPubkey : tokensV2GlobalPubkey
}

export function isMarkerScript(
  { outputs }: Transaction,
  vout: number,
  version: TokenVersion,
): boolean {
  return conditionPart(outputs[vout]!.script) === rulesOfVersion[version].marker
}

export function isMarker(transaction: Transaction, vout: number, version: TokenVersion): boolean {
  return (
    isMarkerScript(transaction, vout, version) && transaction.outputs[vout]!.value === markerSats
  )
}

/** Kept, because the rules keep what they read of a transaction by this object. */
const seenOf = { 1: seenUnder(1), 2: seenUnder(2) } as const

function seenUnder(version: TokenVersion): (transaction: Transaction) => Seen {
  return oncePerObject((transaction) => {
    const { txid, outputs } = transaction
    return { txid, transaction, payload: rulesOfVersion[version].payloadOf(outputs) }
  })
}
