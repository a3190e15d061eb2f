// Tokeld's tokens v2: eval code f5, keys not in the payload but in the conditions themselves.

import { markerSats } from '../../chain/limits.ts'
import { burnPublicKeys, tokensV2EvalCode } from '../../chain/modules.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { createMemory } from '../../primitives/memory.ts'
import { conditionScripts, moduleCondition } from '../../script/condition-script.ts'
import { hashOfKey } from '../../script/public-key.ts'
import { pushOf } from '../../script/push.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
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
import { paysKeyOtherwise } from './lookalike.ts'
import { fungible, type Held, type ProofRule, type Seen, type TokenRules } from './rules.ts'

const evalCode = 'f5'
const evalCodes = [tokensV2EvalCode]

/** Where tokens of a key may lie, which wallets ask for again and again. */
interface KeyScripts {
  /**
   * Where a creation puts the supply, and a burn what it burns: the key's condition hidden, the key
   * beside it in data that are dropped.
   *
   * @see tokel src/cc/CCtokenutils.cpp, MakeTokensCC1voutMixed
   */
  readonly ofKey: string
  /** Where a transfer puts what it gives to a key, and what is left over: the key's hash. */
  readonly ofHash: string
}

const remembered = createMemory<KeyScripts>(1024)

function keyScripts(pubkeys: readonly string[]): KeyScripts[] {
  return remembered.recall(pubkeys, (unknown) => {
    const scripts = conditionScripts(
      unknown.flatMap((pubkey) => [keyForm(pubkey), hashForm(pubkey)]),
    )
    return unknown.map((_, at) => ({ ofKey: scripts[2 * at]!, ofHash: scripts[2 * at + 1]! }))
  })
}

function keyForm(pubkey: string) {
  const tree = moduleCondition([pubkey], { evalCodes })
  return { tree, form: 'M', params: paramsOf(1, [pubkey]) } as const
}

function hashForm(pubkey: string) {
  const tree = moduleCondition([hashOfKey(pubkey)], { evalCodes })
  return { tree, form: 'N', params: paramsOf(0, []) } as const
}

function paramsOf(n: number, pubkeys: readonly string[]) {
  return { version: 2, evalCode: tokensV2EvalCode, m: 1, n, pubkeys, data: [] }
}

/**
 * Where each creation leaves 10000 satoshis, by which wallets find tokens; nothing is dropped here.
 * Written out, as `markerScript` is.
 */
export const markerScriptV2 =
  '3e4da23ba00aa003800102af038001f5a12da22b802096fec31e85a06720706ef9214c9c8b2df26940aac250e1d80f23a772b18b5a4a810302040082020204cc'

/** Tells the scripts of a key's tokens, whatever they drop after the condition. */
export function tokenFinderV2(pubkey: string): (script: string) => boolean {
  const { ofKey, ofHash } = keyScripts([pubkey])[0]!
  const own = [ofKey, ofHash]
  const parts = own.map((script) => leadingCondition(script)!)
  return (script) => own.includes(script) || parts.some((part) => holds(script, part))
}

/** Whether a script pays a condition, whatever it drops after it. */
function holds(script: string, part: string): boolean {
  return script.startsWith(part) && conditionPart(script) === part
}

/** The right condition is one too: something else may be dropped after it, or nothing. */
function isLookalike(script: string, pubkey: string): boolean {
  const shown = readConditionScript(script)
  if (shown === undefined) return paysKeyOtherwise(script, pubkey)
  const { pubkeys, keyHashes, keysCondition: keys } = conditionKeys(shown)
  if (pubkeys?.includes(pubkey) || keyHashes.includes(hashOfKey(pubkey))) return true
  return keys !== undefined && keys === keysCondition([pubkey], 1)
}

/** What tokeld holds for true of tokens v2. */
export const rulesV2: TokenRules = {
  layout: 'tokens-v2',
  evalCode,
  marker: markerScriptV2,
  issuanceScript: (owner) => keyScripts([owner])[0]!.ofKey,
  // one input of the owner's is enough here
  paidByOwner: () => 1n,
  placesOf: () => ({
    // tokenv2burn names the key that it burns with
    scriptsOf: (pubkeys) =>
      keyScripts(pubkeys).map(({ ofKey, ofHash }, at) =>
        pubkeys[at] === burnPublicKeys.tokel ? ofKey : ofHash,
      ),
    finderOf: tokenFinderV2,
    isLookalike,
  }),
  assumedCreation: () => fungible,
  payloadOf: (outputs) => payloadIn(outputs.at(-1)?.script ?? ''),
  ruleAgainst(seen, vout, tokenid): ProofRule | undefined {
    const output = seen.transaction.outputs[vout]
    if (output === undefined) return 'no_such_output'
    const condition = tokensIn(seen.transaction.outputs)[vout]
    if (condition === undefined) return 'not_a_condition'
    const named = nameOf(seen, condition)
    if (named === undefined) return 'no_payload'
    if (named.tokenid !== tokenid) return 'other_token'
    return output.value > 0n ? undefined : 'no_amount'
  },
  // wherever the payload is, it holds the id as it is written
  moves: ({ transaction }, tokenid) =>
    transaction.outputs.some(({ script }) => script.includes(tokenid)),
  transferred(seen, tokenid) {
    const amounts = new Map<number, bigint>()
    const { outputs } = seen.transaction
    const conditions = tokensIn(outputs)
    for (const [at, { value }] of outputs.entries()) {
      const condition = value > 0n ? conditions[at] : undefined
      const named = condition && nameOf(seen, condition)
      if (named?.kind === 'transfer' && named.tokenid === tokenid) amounts.set(at, value)
    }
    return { amounts }
  },
  issued(outputs) {
    const amounts = new Map<number, bigint>()
    const markers: bigint[] = []
    const conditions = tokensIn(outputs)
    for (const [at, { value, script }] of outputs.entries()) {
      if (holds(script, markerScriptV2)) markers.push(value)
      else if (value > 0n && conditions[at] !== undefined) amounts.set(at, value)
    }
    const isSingle = amounts.size === 1 && markers.length === 1 && markers[0] === markerSats
    const held: Held = isSingle ? { amounts } : { amounts, rule: 'creation_not_single' }
    return { ...held, required: rulesV2.paidByOwner(0n) }
  },
}

/** What those outputs hold that are of the module. */
function tokensIn(outputs: readonly TransactionOutput[]): (ConditionScript | undefined)[] {
  return conditionScriptsOf(outputs).map((it) =>
    it?.evalCodes.includes(tokensV2EvalCode) ? it : undefined,
  )
}

/** The token that an output holds: by what it drops, else by what the transaction says at its end. */
function nameOf(
  { txid, payload }: Seen,
  { data: [own] }: ConditionScript,
): (Pick<TokenPayload, 'kind'> & { tokenid: string }) | undefined {
  const named = own === undefined ? payload : payloadIn(`6a${pushOf(own)}`)
  if (named === undefined) return undefined
  return { kind: named.kind, tokenid: named.kind === 'create' ? txid : named.tokenid }
}

/** A payload of tokens v2 that tokeld reads: it takes none with anything left over. */
function payloadIn(script: string): TokenPayload | undefined {
  try {
    const payload = decodeTokenPayload(script)
    return payload?.layout === 'tokens-v2' && payload.rest === '' ? payload : undefined
  } catch (error) {
    if (error instanceof AntaraError) return undefined
    throw error
  }
}
