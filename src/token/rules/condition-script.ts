// Reads the condition in a script, for the rules of tokens.

import { networks } from '../../chain/network.ts'
import { encodeTrees } from '../../condition/codec.ts'
import type { ConditionTree } from '../../condition/types.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import type { ConditionParams } from '../../script/condition-params.ts'
import { pushedData, type ScriptStep, splitScript } from '../../script/push.ts'
import {
  type DecodedConditionScript,
  decodeConditionScripts,
} from '../../script/read-condition-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'

/**
 * Returns the part of a script that pays to a condition: a direct push and cc. Returns `undefined`
 * for other scripts. As in komodod, balanced pushes and drops may follow, and the pushed bytes may
 * be anything.
 *
 * @see komodo src/script/script.cpp, CScript::IsPayToCryptoCondition
 */
export function conditionPart(script: string): string | undefined {
  const part = leadingCondition(script)
  return part !== undefined && isBalanced(script.slice(part.length)) ? part : undefined
}

/** Returns the same part of a script, whatever follows it. */
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

/** The contents of a script in tokeld's forms 'M' and 'N'. Other scripts hold only a hash. */
export interface ConditionScript {
  readonly evalCodes: readonly number[]
  /** Data that the script drops; the first may be a payload of its own. */
  readonly data: readonly string[]
  readonly members: readonly ConditionTree[]
  /**
   * True if the tree requires all of its members, and one of them is not an eval: that of the keys,
   * as daemons make it. In another tree, a key that nothing names may be able to spend.
   */
  readonly isUsual: boolean
  readonly params?: ConditionParams
}

/** Reads a script in the forms 'M' and 'N'. Returns `undefined` for any other script. */
export function readConditionScript(script: string): ConditionScript | undefined {
  return shownIn(decodeConditionScripts([script], networks.tokel)[0])
}

/** Reads the scripts of all outputs of a transaction, once for several rules. */
export const conditionScriptsOf: (
  outputs: readonly TransactionOutput[],
) => readonly (ConditionScript | undefined)[] = oncePerObject((outputs) => {
  const scripts = outputs.map(({ script }) => script)
  return decodeConditionScripts(scripts, networks.tokel).map(shownIn)
})

function shownIn({
  tree,
  params,
}: Partial<DecodedConditionScript> = {}): ConditionScript | undefined {
  if (tree?.type !== 'threshold-sha-256') return undefined
  const members = tree.subconditions
  // A module's eval has one byte of code and nothing more.
  const evalCodes = members.flatMap((it) =>
    it.type === 'eval-sha-256' && it.code.length === 2 ? [Number.parseInt(it.code, 16)] : [],
  )
  const keys = members.filter(({ type }) => type !== 'eval-sha-256').length
  const isUsual = tree.threshold === members.length && keys === 1
  return { evalCodes, data: params?.data ?? [], members, isUsual, ...(params && { params }) }
}

/** The keys that can spend an output, as far as its script shows them. */
export interface ConditionKeys {
  /** Hashes of keys, if the form is 'N'. */
  readonly keyHashes: readonly string[]
  /** The condition of the keys, hex, if the form is 'M': the form shows nothing else of them. */
  readonly keysCondition?: string
  /** Keys that the parameters after the condition name, if these keys make the condition. */
  readonly pubkeys?: readonly string[]
}

export function conditionKeys(shown: ConditionScript): ConditionKeys {
  return conditionKeysOf([shown])[0]!
}

/**
 * Does the same for several scripts, in at most two calls of the native core if all keys are valid.
 */
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

/** Some keys, and how many of them must sign. */
interface RequiredKeys {
  readonly pubkeys: readonly string[]
  readonly m: number
}

function keysConditions(sets: readonly RequiredKeys[]): (string | undefined)[] {
  const trees = sets.map((keys) => ({ tree: keysTree(keys), form: 'condition' }) as const)
  const conditions = unlessMalformed(() => encodeTrees(trees))
  if (conditions !== undefined) return conditions
  // One of the sets holds an invalid key: encode each by itself.
  return sets.length === 1 ? [undefined] : sets.flatMap((keys) => keysConditions([keys]))
}

function keysTree({ pubkeys, m }: RequiredKeys): ConditionTree {
  return {
    type: 'threshold-sha-256',
    threshold: m,
    subconditions: pubkeys.map((publicKey) => ({ type: 'secp256k1-sha-256', publicKey })),
  }
}

/**
 * Returns the condition, hex, of some keys of which `required` must sign; `undefined` for invalid
 * keys.
 */
export function keysCondition(pubkeys: readonly string[], required: number): string | undefined {
  return keysConditions([{ pubkeys, m: required }])[0]
}
