// Tokeld's tokens v2: eval code f5, keys not in the payload but in the conditions themselves.

import { markerSats } from '../../chain/limits.ts'
import { tokensV2EvalCode, tokensV2GlobalPubkey } from '../../chain/modules.ts'
import { networks } from '../../chain/network.ts'
import { hash160 } from '../../engine/hash160.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import {
  conditionScript,
  decodeConditionScript,
  moduleCondition,
} from '../../script/condition-script.ts'
import { pushOf } from '../../script/push.ts'
import { decodeTokenPayload } from '../payload/decode.ts'
import type { TokenPayload } from '../payload/payload.ts'
import { throughCondition } from './komodo.ts'
import type { Held, ProofRule, Seen, TokenRules } from './rules.ts'

const evalCode = 'f5'
const evalCodes = [tokensV2EvalCode]

/**
 * Where a creation puts the supply, and a burn what it burns: the key's condition hidden, the key
 * beside it in data that are dropped.
 *
 * @see tokel src/cc/CCtokenutils.cpp, MakeTokensCC1voutMixed
 */
export function keyScriptV2(pubkey: string): string {
  return conditionScript(moduleCondition([pubkey], { evalCodes }), {
    form: 'M',
    params: paramsOf(1, [pubkey]),
  })
}

/** Where a transfer puts what it gives to a key, and what is left over: the key's hash. */
export function hashScriptV2(pubkey: string): string {
  return conditionScript(moduleCondition([hash160(pubkey)], { evalCodes }), {
    form: 'N',
    params: paramsOf(0, []),
  })
}

function paramsOf(n: number, pubkeys: readonly string[]) {
  return { version: 2, evalCode: tokensV2EvalCode, m: 1, n, pubkeys, data: [] }
}

/** Where each creation leaves 10000 satoshis, by which wallets find tokens; nothing is dropped here. */
export const markerScriptV2: string = conditionScript(
  moduleCondition([tokensV2GlobalPubkey], { evalCodes }),
  { form: 'M' },
)

/** Tells the scripts of a key's tokens, whatever they drop after the condition. */
export function tokenFinderV2(pubkey: string): (script: string) => boolean {
  const own = [keyScriptV2(pubkey), hashScriptV2(pubkey)].map(throughCondition)
  return (script) => own.includes(throughCondition(script))
}

/** What tokeld holds for true of tokens v2. */
export const rulesV2: TokenRules = {
  evalCode,
  payloadOf: (outputs) => payloadIn(outputs.at(-1)?.script ?? ''),
  ruleAgainst(seen, vout, tokenid): ProofRule | undefined {
    const output = seen.transaction.outputs[vout]
    if (output === undefined) return 'no_such_output'
    const condition = readCondition(output.script)
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
    for (const [at, { value, script }] of seen.transaction.outputs.entries()) {
      const condition = value > 0n ? readCondition(script) : undefined
      const named = condition && nameOf(seen, condition)
      if (named?.kind === 'transfer' && named.tokenid === tokenid) amounts.set(at, value)
    }
    return { amounts }
  },
  issued(outputs) {
    const amounts = new Map<number, bigint>()
    const markers: bigint[] = []
    for (const [at, { value, script }] of outputs.entries()) {
      if (throughCondition(script) === markerScriptV2) markers.push(value)
      else if (value > 0n && readCondition(script) !== undefined) amounts.set(at, value)
    }
    const isSingle = amounts.size === 1 && markers.length === 1 && markers[0] === markerSats
    const held: Held = isSingle ? { amounts } : { amounts, rule: 'creation_not_single' }
    // one input of the owner's is enough here
    return { ...held, required: 1n }
  },
}

/** What an output drops after its condition, if that is one of tokens v2. */
interface ConditionV2 {
  /** Data beside keys; the first may be a payload of its own. */
  readonly data: readonly string[]
}

function readCondition(script: string): ConditionV2 | undefined {
  const { tree, params } = decodeConditionScript(script, networks.tokel) ?? {}
  if (tree?.type !== 'threshold-sha-256') return undefined
  const isToken = tree.subconditions.some(
    (it) => it.type === 'eval-sha-256' && it.code === evalCode,
  )
  return isToken ? { data: params?.data ?? [] } : undefined
}

/** The token that an output holds: by what it drops, else by what the transaction says at its end. */
function nameOf(
  { txid, payload }: Seen,
  { data: [own] }: ConditionV2,
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
