import { networks } from '../../chain/network.ts'
import { encodeTrees } from '../../condition/codec.ts'
import type { ConditionTree } from '../../condition/types.ts'
import { AntaraError, isAntaraError } from '../../errors/antara-error.ts'
import type { ConditionParams } from '../../script/condition-params.ts'
import { pushedData, type ScriptStep, splitScript } from '../../script/push.ts'
import {
  type DecodedConditionScript,
  decodeConditionScripts,
} from '../../script/read-condition-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'

/**
 * The part of a script that pays to a condition: a direct push and cc. Undefined unless that is its
 * shape, as komodod looks at it, with nothing after it but what is pushed and dropped again.
 * Whether there is a condition in it does not matter.
 *
 * @see komodo src/script/script.cpp, CScript::IsPayToCryptoCondition
 */
export function conditionPart(script: string): string | undefined {
  const part = leadingCondition(script)
  return part !== undefined && isBalanced(script.slice(part.length)) ? part : undefined
}

/** The same, whatever comes after it. */
export function leadingCondition(script: string): string | undefined {
  const pushed = Number.parseInt(script.slice(0, 2), 16)
  if (!(pushed >= 0x01 && pushed <= 0x4b)) return undefined
  const end = 4 + 2 * pushed
  return script.slice(end - 2, end) === checkCryptoCondition ? script.slice(0, end) : undefined
}

export function paysToCondition(script: string): boolean {
  return conditionPart(script) !== undefined
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

/** What a script in tokeld's forms 'M' and 'N' shows. Other scripts hold a hash, which shows nothing. */
export interface ConditionScript {
  readonly evalCodes: readonly number[]
  /** What is dropped beside keys; the first may be a payload of its own. */
  readonly data: readonly string[]
  readonly members: readonly ConditionTree[]
  readonly params?: ConditionParams
}

/** Reads the forms 'M' and 'N'; undefined for any other script. */
export function readConditionScript(script: string): ConditionScript | undefined {
  return shownIn(decodeConditionScripts([script], networks.tokel)[0])
}

const read = new WeakMap<readonly TransactionOutput[], readonly (ConditionScript | undefined)[]>()

/** `readConditionScript` of all outputs of a transaction, which several rules look at. */
export function conditionScriptsOf(
  outputs: readonly TransactionOutput[],
): readonly (ConditionScript | undefined)[] {
  const before = read.get(outputs)
  if (before !== undefined) return before
  const decoded = decodeConditionScripts(
    outputs.map(({ script }) => script),
    networks.tokel,
  )
  const now = decoded.map(shownIn)
  read.set(outputs, now)
  return now
}

function shownIn({
  tree,
  params,
}: Partial<DecodedConditionScript> = {}): ConditionScript | undefined {
  if (tree?.type !== 'threshold-sha-256') return undefined
  const members = tree.subconditions
  // no module takes more than its code
  const evalCodes = members.flatMap((it) =>
    it.type === 'eval-sha-256' && it.code.length === 2 ? [Number.parseInt(it.code, 16)] : [],
  )
  return { evalCodes, data: params?.data ?? [], members, ...(params && { params }) }
}

/** Who can spend, as far as a script shows it. */
export interface ConditionKeys {
  /** Hashes of keys, which the form 'N' holds. */
  readonly keyHashes: readonly string[]
  /** Condition of the keys, hex, which is all that the form 'M' holds of them. */
  readonly keysCondition?: string
  /** Keys that the parameters after the condition name, if they make the keys' condition. */
  readonly pubkeys?: readonly string[]
}

export function conditionKeys(shown: ConditionScript): ConditionKeys {
  return conditionKeysOf([shown])[0]!
}

/** `conditionKeys` of several, in at most two calls of the engine unless what names keys names none. */
export function conditionKeysOf(shown: readonly ConditionScript[]): ConditionKeys[] {
  const hidden = shown.map(({ members }) => members.find((it) => it.type === 'condition'))
  const conditions = encodeTrees(
    hidden.flatMap((tree) => (tree === undefined ? [] : [{ tree, form: 'condition' }])),
  )
  const named = keysConditions(
    shown.flatMap(({ params }, at) =>
      hidden[at] !== undefined && params !== undefined && params.pubkeys.length > 0 ? [params] : [],
    ),
  )
  return shown.map(({ members, params }, at) => {
    const keyHashes = keyHashesIn(members)
    if (hidden[at] === undefined) return { keyHashes }
    const condition = conditions.shift()!
    const isNamed = params !== undefined && params.pubkeys.length > 0
    const pubkeys = isNamed && named.shift() === condition ? params.pubkeys : undefined
    return { keyHashes, keysCondition: condition, ...(pubkeys && { pubkeys }) }
  })
}

function keyHashesIn(members: readonly ConditionTree[]): string[] {
  return members
    .flatMap((it) => (it.type === 'threshold-sha-256' ? it.subconditions : []))
    .flatMap((it) => {
      if (it.type === 'secp256k1hash-sha-256') return [it.publicKeyHash]
      const isHash = it.type === 'condition' && it.conditionType === 'secp256k1hash-sha-256'
      return isHash ? [it.fingerprint] : []
    })
}

/** A number of keys out of several. */
interface RequiredKeys {
  readonly pubkeys: readonly string[]
  readonly m: number
}

function keysConditions(sets: readonly RequiredKeys[]): (string | undefined)[] {
  try {
    return encodeTrees(sets.map((keys) => ({ tree: keysTree(keys), form: 'condition' })))
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    // One of them is none: each by itself then.
    return sets.length === 1 ? [undefined] : sets.flatMap((keys) => keysConditions([keys]))
  }
}

function keysTree({ pubkeys, m }: RequiredKeys): ConditionTree {
  return {
    type: 'threshold-sha-256',
    threshold: m,
    subconditions: pubkeys.map((publicKey) => ({ type: 'secp256k1-sha-256', publicKey })),
  }
}

/** The condition, hex, of a number of keys out of several; undefined for what are no keys. */
export function keysCondition(pubkeys: readonly string[], required: number): string | undefined {
  return keysConditions([{ pubkeys, m: required }])[0]
}
