import { sha256 } from '@noble/hashes/sha2.js'
import { burnPublicKeys, tokensEvalCode, tokensGlobalPubkey } from '../../chain/modules.ts'
import type { Condition } from '../../condition/types.ts'
import { AntaraError, isAntaraError } from '../../errors/antara-error.ts'
import { bytesFromHex, hexFromBytes } from '../../primitives/hex.ts'
import { conditionScript, conditionTree } from '../../script/condition-script.ts'
import { pushedData, type ScriptStep, splitScript } from '../../script/push.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
import type { KomodoCreatePayload, KomodoTransferPayload } from '../payload/payload.ts'
import type { Amounts, CreatedData, ProofRule, Seen, TokenRules } from './rules.ts'
import { markerScript, tokenScript } from './token-script.ts'

// Komodod's rules for tokens, as functions of what one transaction and its token's creation say.
// Names in capitals and the row numbers are those of spec/tokens.md 4.

export const nonFungibleId = 0x11
const firstForeignId = 0x80
const opReturn = '6a'

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

/** The eval code that a non-fungible token's data put into all its conditions; undefined without data. */
export function nonFungibleEvalCode({ extras }: CreatedData): number | undefined {
  const data = extras.find(({ kind }) => kind === 'nonFungible')?.data ?? ''
  return data === '' ? undefined : Number.parseInt(data.slice(0, 2), 16)
}

/** The eval codes of a token condition, in the daemon's order; a code may stand twice. */
export function tokenEvalCodes(code: number, second = 0): number[] {
  const codes = code === tokensEvalCode ? [code] : [code, tokensEvalCode]
  return second === 0 ? codes : [...codes, second]
}

/** What an output of a transfer must look like to hold tokens, by script. */
export interface TokenSlot {
  readonly role: 'destination' | 'token-change'
  /** One key, or two of which either can sign. */
  readonly pubkeys: readonly [string] | readonly [string, string]
  readonly evalCodes: readonly number[]
}

/**
 * Scripts that hold tokens in a transfer: rows 5 to 8 of IsTokensvout.
 *
 * @param nonFungible - eval code of the token's data, undefined for a fungible token
 * @param inputKeys - first key of every token input
 */
export function tokenSlots(
  payload: KomodoTransferPayload,
  nonFungible: number | undefined,
  inputKeys: readonly string[],
): Map<string, TokenSlot> {
  const slots = new Map<string, TokenSlot>()
  const add = (
    role: TokenSlot['role'],
    pubkeys: TokenSlot['pubkeys'],
    evalCodes: number[],
  ): void => {
    const script = slotScript(pubkeys, evalCodes)
    if (!slots.has(script)) slots.set(script, { role, pubkeys, evalCodes })
  }
  const [first, second] = transferEvalCodes(payload, nonFungible)
  // a non-fungible token whose data begin with 00 counts as fungible here
  const plain = (nonFungible ?? 0) === 0
  const keys = payload.pubkeys.flatMap((it) => conditionKey(it) ?? []).filter(isNotGlobal)
  for (const key of keys) {
    add('destination', [key], tokenEvalCodes(first, second))
    if (second !== 0) add('destination', [key], tokenEvalCodes(second, first))
    if (plain) add('destination', [key], [tokensEvalCode])
    if (first !== 0) add('destination', [key], tokenEvalCodes(first))
    if (second !== 0) add('destination', [key], tokenEvalCodes(second))
  }
  const [one, other] = keys
  if (one !== undefined && other !== undefined) {
    add('destination', [one, other], tokenEvalCodes(first, second))
    if (second !== 0) add('destination', [one, other], tokenEvalCodes(second, first))
  }
  // an input without a key pays nobody back
  for (const key of inputKeys.filter((it) => it !== '' && isNotGlobal(it))) {
    if (plain) add('token-change', [key], [tokensEvalCode])
    add('token-change', [key], tokenEvalCodes(first, second))
    if (second !== 0) add('token-change', [key], tokenEvalCodes(second, first))
  }
  return slots
}

/**
 * As `tokenScript`, also for what is no key at all: the daemon puts the first 33 bytes of whatever
 * a payload lists into a condition, and counts what it then pays, though nobody can ever spend it.
 *
 * Remembered, because wallets are paid by the same keys again and again.
 */
export function slotScript(pubkeys: TokenSlot['pubkeys'], evalCodes: readonly number[]): string {
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

/** The same text by itself: a slice would keep alive the whole transaction that it was cut from. */
function detached(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

function newSlotScript(pubkeys: TokenSlot['pubkeys'], evalCodes: readonly number[]): string {
  const [one, other] = pubkeys
  try {
    return tokenScript(other === undefined ? one : [one, other], { evalCodes })
  } catch (error) {
    if (!isAntaraError(error, 'condition_public_key')) throw error
  }
  return conditionScript(conditionTree(evalCodes, pubkeys.map(keyCondition)))
}

/** spec/cryptoconditions.md 3: SHA-256 of a sequence that holds the key. */
function keyCondition(pubkey: string): Condition {
  return {
    type: 'condition',
    conditionType: 'secp256k1-sha-256',
    fingerprint: hexFromBytes(sha256(bytesFromHex(`30238021${pubkey}`))),
    cost: 131072n,
    subtypes: [],
  }
}

/** Row 5: the token's own eval code, and that of the first further module in the payload. */
function transferEvalCodes(
  payload: KomodoTransferPayload,
  nonFungible: number | undefined,
): [first: number, second: number] {
  const foreign = payload.extras.find((it) => it.id < firstForeignId)?.data ?? ''
  const second = foreign === '' ? 0 : Number.parseInt(foreign.slice(0, 2), 16)
  const first = nonFungible ?? tokensEvalCode
  return first === tokensEvalCode && second !== 0 ? [second, 0] : [first, second]
}

function isNotGlobal(pubkey: string): boolean {
  return pubkey !== tokensGlobalPubkey
}

/** The payload of a transaction's last output, if komodod reads it: undefined also when it is malformed. */
export function lastPayload(
  outputs: readonly TransactionOutput[],
): KomodoCreatePayload | KomodoTransferPayload | undefined {
  const script = outputs.at(-1)?.script
  if (script === undefined || !script.startsWith(opReturn)) return undefined
  try {
    const payload = decodeTokenPayload(script)
    // one byte left over is an id without data, which the daemon skips
    return payload?.layout === 'komodo-v1' && payload.rest.length <= 2 ? payload : undefined
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}

/**
 * Whether a script is a condition's by its shape, as komodod looks at it: a direct push, cc, and
 * whatever else is pushed and dropped again. Whether there is a condition in it does not matter.
 *
 * @see komodo src/script/script.cpp, CScript::IsPayToCryptoCondition
 */
export function paysToCondition(script: string): boolean {
  const pushed = Number.parseInt(script.slice(0, 2), 16)
  if (!(pushed >= 0x01 && pushed <= 0x4b)) return false
  const end = 2 + 2 * pushed
  if (script.slice(end, end + 2) !== checkCryptoCondition) return false
  return isBalanced(script.slice(end + 2))
}

/** A script through OP_CHECKCRYPTOCONDITION, which is what makes its address; its push is a direct one. */
export function throughCondition(script: string): string {
  return script.slice(0, 4 + 2 * Number.parseInt(script.slice(0, 2), 16))
}

const checkCryptoCondition = 'cc'
const opDrop = 0x75

/** komodo src/script/script.cpp, CScript::GetBalancedData */
function isBalanced(script: string): boolean {
  if (script === '') return true
  let steps: ScriptStep[]
  try {
    steps = splitScript(script)
  } catch (error) {
    if (isAntaraError(error, 'truncated')) return false
    throw error
  }
  let depth = 0
  for (const step of steps) {
    if (step.opcode !== opDrop && pushedData(step) === undefined) return false
    depth += step.opcode === opDrop ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** What komodod holds for true of its tokens. */
export const komodoRules: TokenRules = {
  evalCode: 'f2',
  payloadOf: lastPayload,
  ruleAgainst,
  moves: ({ payload }, tokenid) => payload?.kind === 'transfer' && payload.tokenid === tokenid,
  transferred({ transaction: { outputs }, payload }, _, inputKeys, created) {
    const transfer = payload as KomodoTransferPayload
    const nonFungible = nonFungibleEvalCode(created)
    const slots = tokenSlots(transfer, nonFungible, inputKeys)
    const amounts = heldAmounts(outputs, slots)
    const spendsMarker = nonFungible === undefined && inputKeys.includes(tokensGlobalPubkey)
    if (!spendsMarker || !burns(outputs, transfer)) return { amounts }
    return { amounts, rule: 'marker_spent_with_burn' }
  },
  issued: issuanceOutputs,
}

/** Rows 1, 2 and 4, and that nothing is no amount, nor is less, which no chain takes in. */
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

function heldAmounts(
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

/** Whether tokens of a fungible kind are burned, as komodod looks for that: HasBurnedTokensvouts. */
function burns(outputs: readonly TransactionOutput[], payload: KomodoTransferPayload): boolean {
  const [first, second] = transferEvalCodes(payload, undefined)
  const scripts = [
    tokenScript(burnPublicKeys.komodo),
    tokenScript(burnPublicKeys.komodo, { evalCodes: tokenEvalCodes(first, second) }),
  ]
  return outputs.some(({ value, script }) => value > 0n && scripts.includes(script))
}

/** Outputs of a creation that hold tokens if it is funded, with the sum that funds them: row 9. */
function issuanceOutputs(outputs: readonly TransactionOutput[]): {
  amounts: Amounts
  required: bigint
} {
  const amounts = new Map<number, bigint>()
  let required = 0n
  for (const [at, { value, script }] of outputs.entries()) {
    if (value < 0n || !paysToCondition(script) || script === markerScript) continue
    required += value
    if (at < outputs.length - 1) amounts.set(at, value)
  }
  return { amounts, required }
}
