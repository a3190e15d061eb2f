// Tokeld's tokens v2: eval code f5, with the keys in the conditions instead of the payload.

import { markerSats } from '../../chain/limits.ts'
import { burnPublicKeys, tokensV2EvalCode } from '../../chain/modules.ts'
import type { ConditionTree } from '../../condition/types.ts'
import { createCache } from '../../primitives/cache.ts'
import { isCompressedKey } from '../../primitives/hex-forms.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
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
 * The scripts that hold tokens, by their spec. Wallets need the same ones again and again.
 *
 * A key has two scripts. The one of tokeld's form M hides the condition of the key, and names the
 * key in dropped data: creations and burns pay to it. The one of form N shows the hash of the key:
 * transfers and token change pay to it. Several keys have only a script of form M.
 *
 * @see tokel src/cc/CCtokenutils.cpp, MakeTokensCC1voutMixed
 */
const scriptsBySpec = createCache<string>(2048)

/**
 * Returns the scripts of specs. A spec is text, so that it can be the key of a cache. For form M it
 * is `1/KEY,KEY`: the number of required keys, and the keys. For form N it is the hash of a key, 20
 * bytes in hex. `@TOKENID` follows if the script names its token itself.
 */
function scriptsOf(specs: readonly string[]): string[] {
  return scriptsBySpec.getAll(specs, (missing) => conditionScripts(missing.map(readSpec)))
}

function readSpec(spec: string): ConditionScriptOptions & { readonly tree: ConditionTree } {
  const [holder, tokenid] = spec.split('@') as [string, string?]
  const [count, keys] = holder.split('/') as [string, string?]
  const pubkeys = keys?.split(',') ?? []
  const required = keys === undefined ? 1 : Number(count)
  const tree = moduleCondition(keys === undefined ? [count] : pubkeys, { evalCodes, required })
  const data = tokenid === undefined ? [] : [namingPayload(tokenid)]
  const params = { version: 2, evalCode: tokensV2EvalCode, m: required, n: pubkeys.length, pubkeys }
  return { tree, form: keys === undefined ? 'N' : 'M', params: { ...params, data } }
}

/** Makes the payload that an output drops to name its token itself, hex. */
function namingPayload(tokenid: string): string {
  const script = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'transfer',
    tokenid,
    pubkeys: [],
  })
  // Four digits are the opcode OP_RETURN and the length of the push.
  return script.slice(4)
}

function keysSpec({ required, pubkeys }: KeySet): string {
  return `${required}/${pubkeys.join()}`
}

function hashSpec(keyOrHash: string): string {
  return isCompressedKey(keyOrHash) ? hashOfKey(keyOrHash) : keyOrHash
}

/**
 * Returns the spec of the script to which a transfer pays a holder. tokenv2transfer pays form N.
 * tokenv2burn and tokenv2transfermany pay form M. An output that names its token has form M too,
 * because the token is in its dropped data.
 *
 * @param naming - the token that the output names itself
 */
function transferSpec(holder: Holder, naming: string | undefined): string {
  if (typeof holder !== 'string') return keysSpec(holder)
  if (naming !== undefined) return `${keysSpec(single(holder))}@${naming}`
  return holder === burnPublicKeys.tokel ? keysSpec(single(holder)) : hashSpec(holder)
}

function single(pubkey: string): KeySet {
  return { required: 1, pubkeys: [pubkey] }
}

/** Returns the script of a key, of form M, to which creations and orders pay. */
export function keyScriptV2(pubkey: string): string {
  return scriptsOf([keysSpec(single(pubkey))])[0]!
}

/**
 * The script of the marker. Each creation pays 10000 satoshis to it, by which wallets find tokens.
 * It drops no data. The bytes stand here so that no call of the native core is needed to load this
 * file.
 */
export const markerScriptV2 =
  '3e4da23ba00aa003800102af038001f5a12da22b802096fec31e85a06720706ef9214c9c8b2df26940aac250e1d80f23a772b18b5a4a810302040082020204cc'

/** Returns a function that recognizes a holder's scripts, whatever data follow the condition. */
export function tokenFinderV2(holder: Holder): (script: string) => boolean {
  const specs =
    typeof holder !== 'string'
      ? [keysSpec(holder)]
      : isCompressedKey(holder)
        ? [keysSpec(single(holder)), hashSpec(holder)]
        : [holder]
  const own = scriptsOf(specs)
  const parts = own.map((script) => leadingCondition(script)!)
  return (script) => own.includes(script) || parts.some((part) => holds(script, part))
}

/** Returns whether a script pays a condition, whatever data it drops after it. */
function holds(script: string, part: string): boolean {
  return script.startsWith(part) && conditionPart(script) === part
}

/**
 * Returns true if a script pays one of the holder's keys in any way. It may have the right condition
 * and drop any data, or another condition of the keys, or none.
 */
function isLookalike(script: string, holder: Holder): boolean {
  const keys = typeof holder === 'string' ? [holder] : holder.pubkeys
  const shown = readConditionScript(script)
  if (shown === undefined) {
    return keys.some((key) => isCompressedKey(key) && paysKeyOtherwise(script, key))
  }
  const { pubkeys, keyHashes, keysCondition: hidden } = conditionKeys(shown)
  if (keys.some((key) => pubkeys?.includes(key) || keyHashes.includes(hashSpec(key)))) return true
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
    scriptsOf: (holders, naming) => scriptsOf(holders.map((it) => transferSpec(it, naming))),
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
    // Decoding conditions takes long, and a payload of a transfer has these bytes.
    if (!seen.transaction.outputs.some(({ script }) => script.includes(transferBytes))) return []
    const named = seen.payload?.kind === 'transfer' ? [seen.payload.tokenid] : []
    return [...new Set([...named, ...transferredIn(seen).keys()])]
  },
  transferred: (seen, tokenid) => ({ amounts: transferredIn(seen).get(tokenid) ?? noAmounts }),
  issued(outputs) {
    const amounts = new Map<number, bigint>()
    const markers: bigint[] = []
    const conditions = tokensIn(outputs)
    // An output that drops data names its token there, and the payload of the creation does not
    // count for it: it would hold another token, or none.
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

/** The first bytes of the payload of a transfer: the eval code and the letter `t`. */
const transferBytes = `${evalCode}74`
const noAmounts: Amounts = new Map()

/** Returns the amounts that a transaction transfers, by token, read once for all tokens. */
const transferredIn = oncePerObject((seen: Seen): ReadonlyMap<string, Amounts> => {
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
  return byToken
})

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
 * Returns the payload that names the token of an output, in an object: `payload` is undefined if
 * the output has none. Returns `undefined` for an output of another module.
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

/** Reads the payload that an output drops to name its token itself. */
export function droppedPayload({ data: [own] }: ConditionScript): TokenPayload | undefined {
  return own === undefined ? undefined : tokelPayload(`6a${pushOf(own)}`, 'tokens-v2')
}

/** Returns the token that a script names itself; `undefined` if it names none. */
export function tokenNamedBy(script: string): string | undefined {
  const condition = readConditionScript(script)
  const payload = condition && droppedPayload(condition)
  return payload?.kind === 'transfer' ? payload.tokenid : undefined
}
