// The rules of komodod's tokens.

import { burnPublicKeys, tokensEvalCode, tokensGlobalPubkey } from '../../chain/modules.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { byteHex } from '../../primitives/wire.ts'
import { isNulldata } from '../../script/nulldata.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
import type {
  KomodoCreatePayload,
  KomodoTransferPayload,
  TransferPayload,
} from '../payload/payload.ts'
import { paysToCondition } from './condition-script.ts'
import { paysKeyOtherwise } from './lookalike.ts'
import {
  type Amounts,
  type CreatedData,
  fungible,
  type Holder,
  type ProofRule,
  type Seen,
  type TokenRules,
} from './rules.ts'
import { conditionKey, type Slot, slotScript, slotScripts, tokenEvalCodes } from './slot-script.ts'
import { markerScript, tokenScript } from './token-script.ts'

// Komodod's rules for tokens, as functions of one transaction and its token's creation. Source:
// komodo src/cc/CCtokens.cpp, IsTokensvout and TokensExactAmounts.

export const nonFungibleId = 0x11
const firstForeignId = 0x80

/**
 * Returns the eval code that a non-fungible token's data add to its conditions; `undefined` without
 * data.
 */
export function nonFungibleEvalCode({ extras }: CreatedData): number | undefined {
  const data = extras.find(({ kind }) => kind === 'nonFungible')?.data ?? ''
  return data === '' ? undefined : Number.parseInt(data.slice(0, 2), 16)
}

/** The keys, codes and role of an output that holds tokens in a transfer. */
export interface TokenSlot extends Slot {
  readonly role: 'destination' | 'token-change'
}

/**
 * Returns the scripts that hold tokens in a transfer: those with which IsTokensvout compares.
 *
 * @param dataEvalCode - eval code of the token's data, `undefined` for a fungible token
 * @param inputKeys - first key of every token input
 */
export function tokenSlots(
  payload: KomodoTransferPayload,
  dataEvalCode: number | undefined,
  inputKeys: readonly string[],
): Map<string, TokenSlot> {
  const slots: TokenSlot[] = []
  const add = (
    role: TokenSlot['role'],
    pubkeys: TokenSlot['pubkeys'],
    evalCodes: number[],
  ): void => {
    slots.push({ role, pubkeys, evalCodes })
  }
  const [first, second] = transferEvalCodes(payload, dataEvalCode)
  // Here a non-fungible token whose data begin with 00 counts as fungible.
  const plain = (dataEvalCode ?? 0) === 0
  const keys = payload.pubkeys.flatMap((it) => conditionKey(it) ?? []).filter(isNotGlobal)
  for (const key of keys) {
    // The daemon tries the codes in reverse order as well, which makes a script that is already
    // here.
    add('destination', [key], tokenEvalCodes(first, second))
    if (plain) add('destination', [key], [tokensEvalCode])
    if (first !== 0) add('destination', [key], tokenEvalCodes(first))
    if (second !== 0) add('destination', [key], tokenEvalCodes(second))
  }
  const [one, other] = keys
  if (other !== undefined) {
    add('destination', [one!, other], tokenEvalCodes(first, second))
    if (second !== 0) add('destination', [one!, other], tokenEvalCodes(second, first))
  }
  // An input without a key has no token change.
  for (const key of inputKeys.filter((it) => it !== '' && isNotGlobal(it))) {
    if (plain) add('token-change', [key], [tokensEvalCode])
    add('token-change', [key], tokenEvalCodes(first, second))
    if (second !== 0) add('token-change', [key], tokenEvalCodes(second, first))
  }
  const byScript = new Map<string, TokenSlot>()
  for (const [at, script] of slotScripts(slots).entries()) {
    if (!byScript.has(script)) byScript.set(script, slots[at]!)
  }
  return byScript
}

/**
 * Returns a tokeld payload as komodod's rules see it: all its extras count as extras of modules.
 */
export function asKomodo(payload: TransferPayload): KomodoTransferPayload {
  if (payload.layout === 'komodo-v1') return payload
  const extras = payload.extras.map((extra) => ({ ...extra, id: 0 }))
  return { ...payload, layout: 'komodo-v1', extras }
}

/** Applies row 5: the token's own eval code, and that of the first other module in the payload. */
function transferEvalCodes(
  payload: KomodoTransferPayload,
  dataEvalCode: number | undefined,
): [first: number, second: number] {
  const foreign = payload.extras.find((it) => it.id < firstForeignId)?.data ?? ''
  const second = foreign === '' ? 0 : Number.parseInt(foreign.slice(0, 2), 16)
  const first = dataEvalCode ?? tokensEvalCode
  return first === tokensEvalCode && second !== 0 ? [second, 0] : [first, second]
}

function isNotGlobal(pubkey: string): boolean {
  return pubkey !== tokensGlobalPubkey
}

/** Returns the payload of the last output if komodod accepts it; `undefined` if it is malformed. */
export function lastPayload(
  outputs: readonly TransactionOutput[],
): KomodoCreatePayload | KomodoTransferPayload | undefined {
  const script = outputs.at(-1)?.script
  if (script === undefined || !isNulldata(script)) return undefined
  const payload = unlessMalformed(() => decodeTokenPayload(script))
  // One remaining byte is an id without data, which the daemon skips.
  return payload?.layout === 'komodo-v1' && payload.rest.length <= 2 ? payload : undefined
}

/** The rules that komodod applies to its tokens. */
export const komodoRules: TokenRules = {
  layout: 'komodo-v1',
  evalCode: 'f2',
  marker: markerScript,
  issuanceScript(owner, data) {
    const code = data === '' ? tokensEvalCode : Number.parseInt(data.slice(0, 2), 16)
    return tokenScript(owner, { evalCodes: tokenEvalCodes(code) })
  },
  paidByOwner: (supply) => supply,
  placesOf(created) {
    const evalCodes = tokenEvalCodes(nonFungibleEvalCode(created) ?? tokensEvalCode)
    return {
      scriptsOf: (holders) =>
        slotScripts(holders.map((holder) => ({ pubkeys: [keyOf(holder)], evalCodes }))),
      finderOf(owner) {
        const own = slotScript([keyOf(owner)], evalCodes)
        return (script) => script === own
      },
      isLookalike: (script, holder) => paysKeyOtherwise(script, keyOf(holder)),
    }
  },
  assumedCreation,
  payloadOf: lastPayload,
  tokenOf: ({ txid, payload }) => (payload?.kind === 'create' ? txid : payload?.tokenid),
  ruleAgainst,
  tokensMoved: ({ payload }) => (payload?.kind === 'transfer' ? [payload.tokenid] : []),
  transferred({ transaction: { outputs }, payload }, _, inputKeys, created) {
    const transfer = payload as KomodoTransferPayload
    const dataEvalCode = nonFungibleEvalCode(created)
    const slots = tokenSlots(transfer, dataEvalCode, inputKeys)
    const amounts = amountsIn(outputs, slots)
    const spendsMarker = dataEvalCode === undefined && inputKeys.includes(tokensGlobalPubkey)
    if (!spendsMarker || !burns(outputs, transfer)) return { amounts }
    return { amounts, rule: 'marker_spent_with_burn' }
  },
  issued: issuanceOutputs,
}

/** Returns the one key of a holder: only tokens v2 have holders with several keys. */
function keyOf(holder: Holder): string {
  if (typeof holder === 'string') return holder
  throw new TypeError('holder: several keys hold tokens v2 only')
}

/**
 * Deduces a creation from the owner's coins: the first data byte is the extra eval code in their
 * conditions.
 */
function assumedCreation(owner: string, scripts: readonly string[]): CreatedData {
  const conditions = new Set(scripts.filter(paysToCondition))
  const fungibleScript = slotScript([owner], tokenEvalCodes(tokensEvalCode))
  if (conditions.size === 0 || conditions.has(fungibleScript)) return fungible
  const slots = Array.from({ length: 256 }, (_, code) => {
    return { pubkeys: [owner] as const, evalCodes: tokenEvalCodes(code) }
  })
  const code = slotScripts(slots).findIndex((script) => conditions.has(script))
  if (code < 0) return fungible
  return { extras: [{ kind: 'nonFungible', id: nonFungibleId, data: byteHex(code) }] }
}

/** Applies rows 1, 2 and 4, and refuses outputs whose value is zero or negative. */
function ruleAgainst(
  { txid, transaction: { outputs }, payload }: Seen,
  vout: number,
  tokenid: string,
): ProofRule | undefined {
  const output = outputs[vout]
  if (output === undefined) return 'no_such_output'
  if (vout === outputs.length - 1) return 'last_output'
  if (!paysToCondition(output.script)) return 'not_a_condition'
  if (payload === undefined) return 'no_payload'
  const named = payload.kind === 'create' ? txid : payload.tokenid
  if (named !== tokenid) return 'other_token'
  return output.value > 0n ? undefined : 'no_amount'
}

function amountsIn(
  outputs: readonly TransactionOutput[],
  slots: ReadonlyMap<string, unknown>,
): Amounts {
  const amounts = new Map<number, bigint>()
  const last = outputs.length - 1
  outputs.forEach(({ value, script }, at) => {
    if (at !== last && value > 0n && slots.has(script)) amounts.set(at, value)
  })
  return amounts
}

/** Returns whether a transfer burns a fungible token, by komodod's test: HasBurnedTokensvouts. */
function burns(outputs: readonly TransactionOutput[], payload: KomodoTransferPayload): boolean {
  const [first, second] = transferEvalCodes(payload, undefined)
  const scripts = [
    tokenScript(burnPublicKeys.komodo),
    tokenScript(burnPublicKeys.komodo, { evalCodes: tokenEvalCodes(first, second) }),
  ]
  return outputs.some(({ value, script }) => value > 0n && scripts.includes(script))
}

/** Returns the outputs of a creation that hold tokens, and the sum that must fund them. */
function issuanceOutputs(outputs: readonly TransactionOutput[]): {
  amounts: Amounts
  required: bigint
} {
  const amounts = new Map<number, bigint>()
  let required = 0n
  for (const [at, { value, script }] of outputs.entries()) {
    if (value <= 0n || !paysToCondition(script) || script === markerScript) continue
    required += value
    if (at < outputs.length - 1) amounts.set(at, value)
  }
  return { amounts, required }
}
