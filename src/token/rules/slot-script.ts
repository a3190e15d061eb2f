import { sha256 } from '@noble/hashes/sha2.js'
import { tokensEvalCode } from '../../chain/modules.ts'
import type { Condition } from '../../condition/types.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { bytesFromHex, hexFromBytes } from '../../primitives/hex.ts'
import { utf8Bytes } from '../../primitives/utf8.ts'
import { conditionScript, conditionTree } from '../../script/condition-script.ts'
import { tokenScript } from './token-script.ts'

/** One key, or two of which either can sign. */
export type SlotKeys = readonly [string] | readonly [string, string]

/** The key as a condition holds it, or undefined when the daemon reads no key from the bytes. */
export function conditionKey(bytes: string): string | undefined {
  const length = pubkeyLengths[bytes.slice(0, 2)]
  // the daemon reads what is there into 65 bytes and believes the first of them; komodo src/pubkey.h
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

/** The eval codes of a token condition, in the daemon's order; a code may stand twice. */
export function tokenEvalCodes(code: number, second = 0): number[] {
  const codes = code === tokensEvalCode ? [code] : [code, tokensEvalCode]
  return second === 0 ? codes : [...codes, second]
}

/**
 * As `tokenScript`, also for what is no key at all: the daemon puts the first 33 bytes of whatever
 * a payload lists into a condition, and counts what it then pays, though nobody can ever spend it.
 *
 * Remembered, because wallets are paid by the same keys again and again.
 */
export function slotScript(pubkeys: SlotKeys, evalCodes: readonly number[]): string {
  const codes = evalCodes.reduce((all, code) => 257 * all + code + 1, 0)
  const keys = pubkeys.length === 1 ? pubkeys[0] : pubkeys.join()
  const remembered = slotScripts.get(codes)?.get(keys)
  if (remembered !== undefined) return remembered
  if (rememberedScripts === rememberedScriptsMax) {
    slotScripts.clear()
    rememberedScripts = 0
  }
  const script = newSlotScript(pubkeys, evalCodes)
  const scripts = slotScripts.get(codes) ?? new Map<string, string>()
  slotScripts.set(codes, scripts.set(detached(keys), script))
  rememberedScripts += 1
  return script
}

/** By codes and then by keys, because a key's text is hashed once and a new text each time. */
const slotScripts = new Map<number, Map<string, string>>()
const rememberedScriptsMax = 10_000
let rememberedScripts = 0

const decoder = new TextDecoder()

/** The same text by itself: a slice would keep alive the whole transaction that it was cut from. */
function detached(text: string): string {
  return decoder.decode(utf8Bytes(text))
}

function newSlotScript(pubkeys: SlotKeys, evalCodes: readonly number[]): string {
  const [one, other] = pubkeys
  try {
    return tokenScript(other === undefined ? one : [one, other], { evalCodes })
  } catch (error) {
    if (!isAntaraError(error, 'condition_public_key')) throw error
  }
  return conditionScript(conditionTree(evalCodes, pubkeys.map(keyCondition)))
}

/** SHA-256 of a sequence that holds the key. */
function keyCondition(pubkey: string): Condition {
  return {
    type: 'condition',
    conditionType: 'secp256k1-sha-256',
    fingerprint: hexFromBytes(sha256(bytesFromHex(`30238021${pubkey}`))),
    cost: 131072n,
    subtypes: [],
  }
}
