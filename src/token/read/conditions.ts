// Reads the roles of outputs with conditions in a token transaction.

import {
  assetsEvalCode,
  assetsGlobalPubkey,
  assetsV2EvalCode,
  assetsV2GlobalPubkey,
  tokensEvalCode,
  tokensV2EvalCode,
} from '../../chain/modules.ts'
import { hashOfKey } from '../../script/public-key.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import type { KomodoTransferPayload, TokenPayload } from '../payload/payload.ts'
import {
  type ConditionKeys,
  type ConditionScript,
  conditionKeysOf,
  conditionPart,
  conditionScriptsOf,
  keysCondition,
} from '../rules/condition-script.ts'
import { asKomodo, nonFungibleEvalCode, type TokenSlot, tokenSlots } from '../rules/komodo.ts'
import { conditionKey, slotScript, tokenEvalCodes } from '../rules/slot-script.ts'
import { markerScript, tokenScript } from '../rules/token-script.ts'
import { markerScriptV2 } from '../rules/tokens-v2.ts'
import type { TokenInput, TokenOutput } from './token-transaction.ts'

export type Found = Pick<TokenOutput, 'role' | 'pubkeys' | 'required' | 'evalCodes'>
type Reader = (script: string) => Found | undefined

/**
 * Returns a function that reads the role of an output with a condition, and `undefined` for others.
 */
export function conditionReader(
  payload: TokenPayload,
  inputs: readonly TokenInput[],
  outputs: readonly TransactionOutput[],
): Reader {
  if (payload.layout === 'tokens-v2') return mixedReader(payload, inputs, outputs)
  const read = payload.kind === 'create' ? creationReader(payload) : transferReader(payload, inputs)
  return (script) => {
    const part = conditionPart(script)
    if (part === undefined) return undefined
    // tokeld allows data after the condition, and reads only the part before them
    const condition = payload.layout === 'tokel-v1' ? part : script
    return condition === markerScript ? { role: 'marker' } : read(condition)
  }
}

function creationReader(payload: Extract<TokenPayload, { kind: 'create' }>): Reader {
  const code = payload.layout === 'komodo-v1' ? nonFungibleEvalCode(payload) : undefined
  const owner = conditionKey(payload.owner)
  const known = new Map<string, Found>()
  for (const evalCodes of [[tokensEvalCode], tokenEvalCodes(code ?? tokensEvalCode)]) {
    if (owner === undefined) break
    known.set(slotScript([owner], evalCodes), {
      role: 'issuance',
      pubkeys: [owner],
      evalCodes,
    })
  }
  return (script) => known.get(script) ?? { role: 'issuance' }
}

function transferReader(
  payload: Extract<TokenPayload, { kind: 'transfer' }>,
  inputs: readonly TokenInput[],
): Reader {
  const spenders = inputs.filter(({ role }) => role === 'token' || role === 'order')
  const keys = [...new Set(spenders.flatMap(({ pubkeys = [] }) => pubkeys.slice(0, 1)))]
  const slots = slotsByCode(asKomodo(payload), keys, codesToTry(spenders))
  const orders = orderScripts(payload, keys)
  return (script) => {
    const order = orders.get(script)
    if (order !== undefined) return order
    const slot = slots(script)
    if (slot === undefined) return { role: 'unexpected' }
    const { role, pubkeys, evalCodes } = slot
    const isOrder = pubkeys.some((it) => it === assetsGlobalPubkey)
    return { role: isOrder ? 'order' : role, pubkeys, evalCodes }
  }
}

/**
 * The token's own code, f2 and another module's: komodo src/cc/CCtokenutils.cpp, MakeTokensCCcond1.
 */
const tokenCodesMax = 3

/** An eval code, and the keys that spend outputs with this code in the condition. */
type CodeToTry = readonly [code: number, keys: readonly string[]]

/**
 * Returns the eval codes that a non-fungible token may have put into the conditions. An unsigned
 * transaction allows every code; a signed one only the codes that its inputs show, each for the
 * keys that show it. Trying every code for every key would cost more than the transaction's size
 * justifies.
 */
function codesToTry(spenders: readonly TokenInput[]): readonly CodeToTry[] {
  if (spenders.length === 0) return Array.from({ length: 256 }, (_, code) => [code, []])
  const shown = new Map<number, Set<string>>()
  for (const { pubkeys = [], evalCodes = [] } of spenders) {
    if (evalCodes.length > tokenCodesMax) continue
    for (const code of evalCodes) {
      const keys = shown.get(code) ?? new Set()
      for (const key of pubkeys.slice(0, 1)) keys.add(key)
      shown.set(code, keys)
    }
  }
  shown.delete(tokensEvalCode)
  return [...shown].map(([code, keys]) => [code, [...keys]])
}

/**
 * Returns a function that finds a script's slot: for a fungible token first, then for each code.
 */
function slotsByCode(
  payload: KomodoTransferPayload,
  keys: readonly string[],
  codes: readonly CodeToTry[],
): (script: string) => TokenSlot | undefined {
  const slots = new Map(tokenSlots(payload, undefined, keys))
  let tried = 0
  return (script) => {
    while (!slots.has(script) && tried < codes.length) {
      const [code, spenders] = codes[tried]!
      // a script that two codes share has the same slot under both
      for (const [other, slot] of tokenSlots(payload, code, spenders)) slots.set(other, slot)
      tried += 1
    }
    return slots.get(script)
  }
}

/**
 * Returns the scripts of coins that an order offers, and of markers by which wallets find orders.
 */
function orderScripts(
  payload: Extract<TokenPayload, { kind: 'transfer' }>,
  keys: readonly string[],
): Map<string, Found> {
  const evalCodes = [assetsEvalCode]
  const found = new Map<string, Found>()
  const extra = payload.extras.find(({ kind }) => kind === 'assets')
  if (extra === undefined) return found
  const origin = extra.order !== undefined && 'origin' in extra.order ? [extra.order.origin] : []
  for (const bytes of [...origin, ...payload.pubkeys, ...keys]) {
    const key = conditionKey(bytes)
    if (key === undefined) continue
    found.set(slotScript([key], evalCodes), {
      role: 'order-marker',
      pubkeys: [key],
      evalCodes,
    })
    const either = [key, assetsGlobalPubkey] as const
    found.set(slotScript(either, evalCodes), {
      role: 'order-marker',
      pubkeys: either,
      evalCodes,
    })
  }
  const pubkeys = [assetsGlobalPubkey]
  found.set(tokenScript(assetsGlobalPubkey, { evalCodes }), { role: 'order', pubkeys, evalCodes })
  return found
}

/**
 * Reads tokens v2, whose scripts show eval codes, and whose keys stand beside them or as hashes.
 */
function mixedReader(
  payload: TokenPayload,
  inputs: readonly TokenInput[],
  outputs: readonly TransactionOutput[],
): Reader {
  const keys = new Set(
    inputs.flatMap(({ role, pubkeys }) => (role === 'token' ? (pubkeys ?? []) : [])),
  )
  const hashes = new Set([...keys].map(hashOfKey))
  const known = shownBy(outputs)
  return (script) => {
    const shown = known.get(script)
    if (shown === undefined) {
      return conditionPart(script) === undefined ? undefined : { role: 'unexpected' }
    }
    const { evalCodes, isUsual, keyHashes, keysCondition: condition } = shown
    const pubkeys = isUsual ? shown.pubkeys : undefined
    const required = pubkeys === undefined ? 1 : shown.params!.m
    const found = {
      evalCodes,
      ...(pubkeys !== undefined && { pubkeys }),
      ...(required > 1 && { required }),
    }
    if (script === markerScriptV2) return { ...found, role: 'marker' }
    const isToken = evalCodes.includes(tokensV2EvalCode)
    if (evalCodes.includes(assetsV2EvalCode)) {
      const isOrder = isToken || condition === keysCondition([assetsV2GlobalPubkey], 1)
      return { ...found, role: isOrder ? 'order' : 'order-marker' }
    }
    if (!isToken) return { ...found, role: 'unexpected' }
    if (payload.kind === 'create') return { ...found, role: 'issuance' }
    const shares = (pubkeys ?? []).filter((it) => keys.has(it)).length
    const isOwnHash = keyHashes.length > 0 && keyHashes.every((it) => hashes.has(it))
    const isOwn = (shares > 0 && shares >= required) || (isUsual && isOwnHash)
    return { ...found, role: isOwn ? 'token-change' : 'destination' }
  }
}

type Shown = ConditionScript & ConditionKeys

/** Returns the contents of the outputs' scripts, by script. */
function shownBy(outputs: readonly TransactionOutput[]): ReadonlyMap<string, Shown> {
  const scripts = conditionScriptsOf(outputs)
  const found = outputs.flatMap(({ script }, at) => {
    const shown = scripts[at]
    return shown === undefined ? [] : [{ script, shown }]
  })
  const keys = conditionKeysOf(found.map(({ shown }) => shown))
  return new Map(found.map(({ script, shown }, at) => [script, { ...shown, ...keys[at]! }]))
}

/**
 * Returns a non-fungible token's eval code, from its own creation or from its outputs' conditions.
 */
export function nonFungibleCode(
  payload: TokenPayload,
  outputs: readonly TokenOutput[],
): number | undefined {
  if (payload.layout !== 'komodo-v1') return undefined
  if (payload.kind === 'create') return nonFungibleEvalCode(payload)
  const foreign = new Set(payload.extras.map(({ data }) => Number.parseInt(data.slice(0, 2), 16)))
  return outputs
    .filter(({ role }) => role === 'destination' || role === 'token-change' || role === 'order')
    .flatMap(({ evalCodes }) => evalCodes ?? [])
    .find((code) => code !== tokensEvalCode && !foreign.has(code))
}
