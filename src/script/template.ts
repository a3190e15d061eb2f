// Classifies locking scripts by what spending them requires. Own coins, change, payees and own
// names share this classifier. types.ts has the types of scripts that daemons print.

import { isAntaraError } from '../errors/antara-error.ts'
import { addressedScript } from './addressed-script.ts'
import { isNulldata } from './nulldata.ts'
import { numberOf, type ScriptStep, splitScript } from './push.ts'
import { isOpen, whyStepsFail } from './unspendable.ts'
import { isUsableKey } from './usable-key.ts'

/** A locking script that this library can sign for, given the keys. */
export type SignableTemplate =
  | {
      readonly type: 'pubkey' | 'multisig'
      /** Lower-case hex, each a point of the curve. */
      readonly keys: readonly string[]
      /** The number of keys that must sign. */
      readonly required: number
    }
  /** `hash` is the hash of the key. */
  | { readonly type: 'pubkeyhash'; readonly hash: string }

export type ScriptTemplate =
  /** The lock opens at `until`, a height or a time; with several locks, that of the first. */
  | { readonly type: 'locked'; readonly until: bigint; readonly inner: UnlockedTemplate }
  | { readonly type: 'unspendable'; readonly why: string }
  | UnlockedTemplate

/** The template of a script after its locks. */
export type UnlockedTemplate =
  | SignableTemplate
  /** `hash` is the hash of the redeem script, whose template decides. */
  | { readonly type: 'scripthash'; readonly hash: string }
  /** `open` requires no signature, so anyone can spend it. */
  | { readonly type: 'condition' | 'nulldata' | 'open' | 'unknown' }

const checkMultisig = 0xae
const checkLockTime = 0xb1
const checkCondition = 0xcc

/** Returns whether this library can sign for a template. */
export function isSignable(template: ScriptTemplate): template is SignableTemplate {
  return ['pubkey', 'pubkeyhash', 'multisig'].includes(template.type)
}

/** @param script - lower-case hex */
export function templateOf(script: string): ScriptTemplate {
  const usual = usualTemplate(script)
  if (usual !== undefined) return usual
  if (isNulldata(script)) return { type: 'nulldata' }
  const steps = stepsOf(script)
  if (steps === undefined) return unspendable('a push that reaches over its end')
  const why = whyStepsFail(steps, script.length / 2)
  if (why !== undefined) return unspendable(why)
  const { until, count, bytes } = locksOf(steps)
  if (until === undefined) return templateOfSteps(steps)
  const inner = usualTemplate(script.slice(2 * bytes)) ?? templateOfSteps(steps.slice(count))
  return { type: 'locked', until, inner }
}

/** Returns the template of a script that pays a key, its hash, or the hash of a script. */
function usualTemplate(script: string): UnlockedTemplate | undefined {
  const usual = addressedScript(script)
  if (usual?.type !== 'pubkey') return usual
  return isUsableKey(usual.key) ? { type: 'pubkey', keys: [usual.key], required: 1 } : undefined
}

function templateOfSteps(steps: readonly ScriptStep[]): UnlockedTemplate {
  if (steps[1]?.opcode === checkCondition) return { type: 'condition' }
  if (isOpen(steps)) return { type: 'open' }
  return steps.at(-1)?.opcode === checkMultisig ? multisigTemplate(steps) : { type: 'unknown' }
}

function unspendable(why: string): ScriptTemplate {
  return { type: 'unspendable', why }
}

/** Returns the steps of a script; `undefined` if a push reaches over its end. */
export function stepsOf(script: string): ScriptStep[] | undefined {
  try {
    return splitScript(script)
  } catch (error) {
    if (isAntaraError(error, 'truncated')) return undefined
    throw error
  }
}

/**
 * Matches as komodo src/script/standard.cpp, MatchMultisig, does, except for keys that cannot sign.
 */
function multisigTemplate(steps: readonly ScriptStep[]): UnlockedTemplate {
  const required = smallNumber(steps[0])
  const count = smallNumber(steps.at(-2))
  const keySteps = steps.slice(1, -2)
  const keys = keySteps.map(({ data }) => data)
  const isWhole = keySteps.every(
    ({ opcode, data }) => opcode === data.length / 2 && isUsableKey(data),
  )
  if (required === undefined || count !== keys.length || required > count || !isWhole) {
    return { type: 'unknown' }
  }
  return { type: 'multisig', keys, required }
}

/**
 * Returns true for pushes and OP_CHECKMULTISIG that fail with an empty scriptSig: the script lacks the
 * signatures, or the unused item that OP_CHECKMULTISIG takes below them.
 *
 * @see komodo src/script/interpreter.cpp, EvalScript, OP_CHECKMULTISIG
 */
export function lacksSignatures(script: string): boolean {
  const steps = stepsOf(script) ?? []
  const pushes = steps.slice(0, -1)
  const keys = smallNumber(pushes.at(-1))
  if (steps.at(-1)?.opcode !== checkMultisig || keys === undefined) return false
  if (pushes.some(({ opcode }) => opcode > 0x60)) return false
  const required = smallNumber(pushes.at(-2 - keys))
  if (required === undefined) return pushes.length < keys + 2
  return pushes.length < keys + required + 3
}

/** Returns the number that OP_1 to OP_16 pushes. */
function smallNumber(step: ScriptStep | undefined): number | undefined {
  if (step === undefined || step.opcode < 0x51 || step.opcode > 0x60) return undefined
  return step.opcode - 0x50
}

/**
 * Returns the locks before a script, each `time OP_CHECKLOCKTIMEVERIFY OP_DROP`: the time of the
 * first, and the number of their steps and bytes.
 */
function locksOf(steps: readonly ScriptStep[]) {
  let until: bigint | undefined
  let count = 0
  let bytes = 0
  while (steps[count + 1]?.opcode === checkLockTime && isDrop(steps[count + 2])) {
    const time = steps[count]!
    until ??= numberOf(time)
    bytes += pushedBytes(time) + 2
    count += 3
  }
  return { until, count, bytes }
}

/** Returns whether a step is OP_DROP, or OP_2DROP, which daemons match too. */
function isDrop(step: ScriptStep | undefined): boolean {
  return step?.opcode === 0x75 || step?.opcode === 0x6d
}

function pushedBytes({ opcode, data }: ScriptStep): number {
  const prefix = opcode < 0x4c || opcode > 0x4e ? 1 : 1 + 2 ** (opcode - 0x4c)
  return prefix + data.length / 2
}
