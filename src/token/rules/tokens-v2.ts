// Tokeld's tokens v2: eval code f5, with the keys in the conditions instead of the payload.

import { markerSats } from '../../chain/limits.ts'
import { burnPublicKeys, tokensV2EvalCode } from '../../chain/modules.ts'
import type { ConditionTree } from '../../condition/types.ts'
import { createCache } from '../../primitives/cache.ts'
import { isCompressedKey } from '../../primitives/hex-forms.ts'
import {
  type ConditionScriptOptions,
  conditionScripts,
  moduleCondition,
} from '../../script/condition-script.ts'
import { hashOfKey } from '../../script/public-key.ts'
import { pushOf } from '../../script/push.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { encodeTokenPayload } from '../payload/encode.ts'
import type { TokenPayload } from '../payload/payload.ts'
import {
  type ConditionScript,
  conditionKeys,
  conditionPart,
  conditionScriptsOf,
  keysCondition,
  leadingCondition,
  readConditionScript,
} from './condition-script.ts'
import type { KeySet } from './key-set.ts'
import { paysKeyOtherwise } from './lookalike.ts'
import {
  type Amounts,
  fungible,
  type Holder,
  type ProofRule,
  type Seen,
  type TokenAmounts,
  type TokenRules,
} from './rules.ts'
import { tokelPayload } from './tokel-payload.ts'

const evalCode = 'f5'
const evalCodes = [tokensV2EvalCode]

/**
 * Scripts that hold tokens, by form, because wallets need the same ones again and again. A key has
 * two forms. Creations and burns pay the form that hides the key's condition and names the key in
 * dropped data; transfers and token change pay the form with the key's hash. Several keys have only
 * the first form.
 *
 * @see tokel src/cc/CCtokenutils.cpp, MakeTokensCC1voutMixed
 */
const formScripts = createCache<string>(2048)

/**
 * Returns scripts. A form is `1/KEY,KEY` for keys, or the hash of a key, 20 bytes; `@` precedes the
 * token that the script names.
 */
function scriptsOfForms(forms: readonly string[]): string[] {
  return formScripts.getAll(forms, (missing) => conditionScripts(missing.map(scriptOfForm)))
}

function scriptOfForm(form: string): ConditionScriptOptions & { readonly tree: ConditionTree } {
  const [holder, tokenid] = form.split('@') as [string, string?]
  const [count, keys] = holder.split('/') as [string, string?]
  const pubkeys = keys?.split(',') ?? []
  const required = keys === undefined ? 1 : Number(count)
  const tree = moduleCondition(keys === undefined ? [count] : pubkeys, { evalCodes, required })
  const data = tokenid === undefined ? [] : [namingPayload(tokenid)]
  const params = { version: 2, evalCode: tokensV2EvalCode, m: required, n: pubkeys.length, pubkeys }
  return { tree, form: keys === undefined ? 'N' : 'M', params: { ...params, data } }
}

/** Returns the payload that an output drops to name its token itself. */
function namingPayload(tokenid: string): string {
  const script = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'transfer',
    tokenid,
    pubkeys: [],
  })
  // cuts off the opcode and the length of the push
  return script.slice(4)
}

function keysForm({ required, pubkeys }: KeySet): string {
  return `${required}/${pubkeys.join()}`
}

function hashForm(keyOrHash: string): string {
  return isCompressedKey(keyOrHash) ? hashOfKey(keyOrHash) : keyOrHash
}

/**
 * Returns the form to which a transfer pays a holder. tokenv2burn and tokenv2transfermany name the
 * key, tokenv2transfer its hash. An output that names its token always takes the form of the key,
 * with the token in its dropped data.
 */
function transferForm(holder: Holder, naming: string | undefined): string {
  if (typeof holder !== 'string') return keysForm(holder)
  if (naming !== undefined) return `${keysForm(single(holder))}@${naming}`
  return holder === burnPublicKeys.tokel ? keysForm(single(holder)) : hashForm(holder)
}

function single(pubkey: string): KeySet {
  return { required: 1, pubkeys: [pubkey] }
}

/** Returns the script that creations issue to, and that steps of orders pay. */
export function keyScriptV2(pubkey: string): string {
  return scriptsOfForms([keysForm(single(pubkey))])[0]!
}

/**
 * The script of the marker: each creation pays 10000 satoshis to it, by which wallets find tokens.
 * It drops no data, and is spelled out as `markerScript` is.
 */
export const markerScriptV2 =
  '3e4da23ba00aa003800102af038001f5a12da22b802096fec31e85a06720706ef9214c9c8b2df26940aac250e1d80f23a772b18b5a4a810302040082020204cc'

/** Returns a function that recognizes a holder's scripts, whatever data follow the condition. */
export function tokenFinderV2(holder: Holder): (script: string) => boolean {
  const forms =
    typeof holder !== 'string'
      ? [keysForm(holder)]
      : isCompressedKey(holder)
        ? [keysForm(single(holder)), hashForm(holder)]
        : [holder]
  const own = scriptsOfForms(forms)
  const parts = own.map((script) => leadingCondition(script)!)
  return (script) => own.includes(script) || parts.some((part) => holds(script, part))
}

/** Returns whether a script pays a condition, whatever data it drops after it. */
function holds(script: string, part: string): boolean {
  return script.startsWith(part) && conditionPart(script) === part
}

/**
 * Returns whether a script resembles a holder's: it has the right condition but drops other data,
 * or it pays one of the keys in another way.
 */
function isLookalike(script: string, holder: Holder): boolean {
  const keys = typeof holder === 'string' ? [holder] : holder.pubkeys
  const shown = readConditionScript(script)
  if (shown === undefined) {
    return keys.some((key) => isCompressedKey(key) && paysKeyOtherwise(script, key))
  }
  const { pubkeys, keyHashes, keysCondition: hidden } = conditionKeys(shown)
  if (keys.some((key) => pubkeys?.includes(key) || keyHashes.includes(hashForm(key)))) return true
  if (hidden === undefined) return false
  const { required } = typeof holder === 'string' ? single(holder) : holder
  return hidden === keysCondition(keys, required)
}

/** The rules that tokeld applies to tokens v2. */
export const rulesV2: TokenRules = {
  layout: 'tokens-v2',
  evalCode,
  marker: markerScriptV2,
  issuanceScript: keyScriptV2,
  // One satoshi is enough, because tokeld only requires that the owner has an input.
  paidByOwner: () => 1n,
  placesOf: () => ({
    scriptsOf: (holders, naming) => scriptsOfForms(holders.map((it) => transferForm(it, naming))),
    finderOf: tokenFinderV2,
    isLookalike,
  }),
  assumedCreation: () => fungible,
  payloadOf: (outputs) => tokelPayload(outputs.at(-1)?.script ?? '', 'tokens-v2'),
  tokenOf(seen, vout) {
    const condition = tokenAt(seen.transaction.outputs, vout)
    return condition && nameOf(seen, condition)?.tokenid
  },
  ruleAgainst(seen, vout, tokenid): ProofRule | undefined {
    const output = seen.transaction.outputs[vout]
    if (output === undefined) return 'no_such_output'
    const condition = tokenAt(seen.transaction.outputs, vout)
    if (condition === undefined) return 'not_a_condition'
    const named = nameOf(seen, condition)
    if (named === undefined) return 'no_payload'
    if (named.tokenid !== tokenid) return 'other_token'
    return output.value > 0n ? undefined : 'no_amount'
  },
  tokensMoved(seen) {
    // These bytes occur wherever a transfer is named.
    if (!seen.transaction.outputs.some(({ script }) => script.includes(transferBytes))) return []
    const named = seen.payload?.kind === 'transfer' ? [seen.payload.tokenid] : []
    return [...new Set([...named, ...transferredIn(seen).keys()])]
  },
  transferred: (seen, tokenid) => ({ amounts: transferredIn(seen).get(tokenid) ?? noAmounts }),
  issued(outputs) {
    const amounts = new Map<number, bigint>()
    const markers: bigint[] = []
    const conditions = tokensIn(outputs)
    // Dropped data replace the payload, so such an output would hold another token, or none.
    let isNamed = false
    for (const [at, { value, script }] of outputs.entries()) {
      const condition = conditions[at]
      if (holds(script, markerScriptV2)) markers.push(value)
      else if (value > 0n && condition !== undefined) {
        amounts.set(at, value)
        isNamed ||= condition.data.length > 0
      }
    }
    const isSingle =
      amounts.size === 1 && !isNamed && markers.length === 1 && markers[0] === markerSats
    const found: TokenAmounts = isSingle ? { amounts } : { amounts, rule: 'creation_not_single' }
    return { ...found, required: rulesV2.paidByOwner(0n) }
  },
}

/** The eval code and `t`. */
const transferBytes = `${evalCode}74`
const noAmounts: Amounts = new Map()
const transferredBySeen = new WeakMap<Seen, ReadonlyMap<string, Amounts>>()

/** Returns the amounts that a transaction transfers, by token, read once for all tokens. */
function transferredIn(seen: Seen): ReadonlyMap<string, Amounts> {
  const before = transferredBySeen.get(seen)
  if (before !== undefined) return before
  const byToken = new Map<string, Map<number, bigint>>()
  const { outputs } = seen.transaction
  const conditions = tokensIn(outputs)
  for (const [at, { value }] of outputs.entries()) {
    const condition = value > 0n ? conditions[at] : undefined
    const named = condition && nameOf(seen, condition)
    if (named?.kind !== 'transfer') continue
    const amounts = byToken.get(named.tokenid) ?? new Map<number, bigint>()
    byToken.set(named.tokenid, amounts.set(at, value))
  }
  transferredBySeen.set(seen, byToken)
  return byToken
}

/** Returns the conditions of the outputs that belong to the module; `undefined` for the others. */
function tokensIn(outputs: readonly TransactionOutput[]): (ConditionScript | undefined)[] {
  return outputs.map((_, vout) => tokenAt(outputs, vout))
}

function tokenAt(outputs: readonly TransactionOutput[], vout: number): ConditionScript | undefined {
  const condition = conditionScriptsOf(outputs)[vout]
  return condition?.evalCodes.includes(tokensV2EvalCode) ? condition : undefined
}

/**
 * Returns the token that an output holds: the one named in its dropped data, or else in the
 * payload.
 */
function nameOf(
  { txid, payload }: Seen,
  condition: ConditionScript,
): (Pick<TokenPayload, 'kind'> & { tokenid: string }) | undefined {
  const named = namingPayloadOf(condition, payload)
  if (named === undefined) return undefined
  return { kind: named.kind, tokenid: named.kind === 'create' ? txid : named.tokenid }
}

/**
 * Returns the payload that names the token of an output; `undefined` for an output of another
 * module.
 */
export function payloadOfOutputV2(
  { transaction, payload }: Pick<Seen, 'transaction' | 'payload'>,
  vout: number,
): { readonly payload: TokenPayload | undefined } | undefined {
  const condition = tokenAt(transaction.outputs, vout)
  return condition && { payload: namingPayloadOf(condition, payload) }
}

function namingPayloadOf(
  condition: ConditionScript,
  payload: TokenPayload | undefined,
): TokenPayload | undefined {
  return condition.data.length === 0 ? payload : droppedPayload(condition)
}

/** Returns the payload that an output drops to name its token itself. */
export function droppedPayload({ data: [own] }: ConditionScript): TokenPayload | undefined {
  return own === undefined ? undefined : tokelPayload(`6a${pushOf(own)}`, 'tokens-v2')
}

/** Returns the token that a script names itself; `undefined` if it names none. */
export function tokenNamedBy(script: string): string | undefined {
  const condition = readConditionScript(script)
  const payload = condition && droppedPayload(condition)
  return payload?.kind === 'transfer' ? payload.tokenid : undefined
}
