// The scripts that hold tokens for one key, or for either of two.

import { sha256 } from '@noble/hashes/sha2.js'
import { tokensEvalCode } from '../../chain/modules.ts'
import type { Condition, ConditionTree } from '../../condition/types.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { batchMax, detached } from '../../primitives/cache.ts'
import { bytesFromHex, hexFromBytes } from '../../primitives/hex.ts'
import { conditionScript, conditionScripts, conditionTree } from '../../script/condition-script.ts'
import { tokenConditionTree } from './token-script.ts'

/** One key, or two of which either can sign. */
type SlotKeys = readonly [string] | readonly [string, string]

/**
 * Returns the key as a condition holds it; `undefined` if the daemon reads no key from the bytes.
 */
export function conditionKey(bytes: string): string | undefined {
  const length = pubkeyLengths[bytes.slice(0, 2)]
  // The daemon reads up to 65 bytes and takes the length from the first; komodo src/pubkey.h.
  if (length === undefined || bytes.length < 2 * length || bytes.length > 2 * 65) return undefined
  return bytes.slice(0, 66)
}

const pubkeyLengths: { readonly [firstByte: string]: number } = {
  '02': 33,
  '03': 33,
  '04': 65,
  '06': 65,
  '07': 65,
}

/** Returns the eval codes of a token condition, in the daemon's order; a code may occur twice. */
export function tokenEvalCodes(code: number, second = 0): number[] {
  const codes = code === tokensEvalCode ? [code] : [code, tokensEvalCode]
  return second === 0 ? codes : [...codes, second]
}

/** The keys that a condition pays, and the modules that validate it. */
export interface Slot {
  readonly pubkeys: SlotKeys
  readonly evalCodes: readonly number[]
}

/**
 * Returns the script of a slot, as `tokenScript` does, but also for bytes that are not a key. The
 * daemon puts the first 33 bytes of whatever a payload lists into a condition, and counts the
 * tokens paid to it, although nobody can ever spend them.
 *
 * Scripts are cached, because wallets are paid by the same keys again and again.
 */
export function slotScript(pubkeys: SlotKeys, evalCodes: readonly number[]): string {
  return cachedScript(pubkeys, evalCodes) ?? slotScripts([{ pubkeys, evalCodes }])[0]!
}

/** Does the same for several slots; one call of the native core makes all that are not cached. */
export function slotScripts(slots: readonly Slot[]): string[] {
  const found = slots.map(({ pubkeys, evalCodes }) => cachedScript(pubkeys, evalCodes))
  const unknown = slots.filter((_, at) => found[at] === undefined)
  const made: string[] = []
  for (let at = 0; at < unknown.length; at += batchMax) {
    made.push(...newSlotScripts(unknown.slice(at, at + batchMax)))
  }
  for (const [at, slot] of unknown.entries()) cacheScript(slot, made[at]!)
  let next = 0
  return found.map((script) => script ?? made[next++]!)
}

/**
 * Keyed by codes and then by keys: the text of a key is hashed only once, a joined text each time.
 */
const cached = new Map<number, Map<string, string>>()
const cachedMax = 10_000
let cachedCount = 0

function cachedScript(pubkeys: SlotKeys, evalCodes: readonly number[]): string | undefined {
  return cached.get(numberOf(evalCodes))?.get(textOf(pubkeys))
}

function cacheScript({ pubkeys, evalCodes }: Slot, script: string): void {
  if (cachedCount === cachedMax) {
    cached.clear()
    cachedCount = 0
  }
  const codes = numberOf(evalCodes)
  const scripts = cached.get(codes) ?? new Map<string, string>()
  cached.set(codes, scripts.set(detached(textOf(pubkeys)), script))
  cachedCount += 1
}

function numberOf(evalCodes: readonly number[]): number {
  return evalCodes.reduce((all, code) => 257 * all + code + 1, 0)
}

function textOf(pubkeys: SlotKeys): string {
  return pubkeys.length === 1 ? pubkeys[0] : pubkeys.join()
}

function newSlotScripts(slots: readonly Slot[]): string[] {
  try {
    return conditionScripts(slots.map((slot) => ({ tree: treeOf(slot) })))
  } catch (error) {
    if (!isAntaraError(error, 'condition_public_key')) throw error
    // For valid keys this makes the same script.
    return slots.map(keylessScript)
  }
}

function treeOf({ pubkeys, evalCodes }: Slot): ConditionTree {
  const [one, other] = pubkeys
  return tokenConditionTree(other === undefined ? one : [one, other], { evalCodes })
}

function keylessScript({ pubkeys, evalCodes }: Slot): string {
  return conditionScript(conditionTree(evalCodes, pubkeys.map(keyCondition)))
}

/** Returns the key's condition, whose fingerprint is SHA-256 of a sequence that holds the key. */
function keyCondition(pubkey: string): Condition {
  return {
    type: 'condition',
    conditionType: 'secp256k1-sha-256',
    fingerprint: hexFromBytes(sha256(bytesFromHex(`30238021${pubkey}`))),
    cost: 131072n,
    subtypes: [],
  }
}
