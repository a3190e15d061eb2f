// Locking scripts that no scriptSig can satisfy, and those that any scriptSig can. A scriptSig only
// pushes data below those of the locking script, so a step that fails whatever is below it always
// fails.

import { pushBytesMax, scriptBytesMax } from '../chain/limits.ts'
import { byteHex } from '../primitives/wire.ts'
import { numberOf, type ScriptStep } from './push.ts'
import { canKeySign, isBurnKey } from './usable-key.ts'

/** komodo src/script/interpreter.cpp, EvalScript */
const operationsMax = 201

/**
 * OP_CAT to OP_RIGHT, OP_INVERT to OP_XOR, OP_2MUL, OP_2DIV, OP_MUL to OP_RSHIFT: they fail
 * anywhere.
 */
const disabled = new Set([
  0x7e, 0x7f, 0x80, 0x81, 0x83, 0x84, 0x85, 0x86, 0x8d, 0x8e, 0x95, 0x96, 0x97, 0x98, 0x99,
])
/** OP_VERIF and OP_VERNOTIF fail even in a branch that is not taken. */
const neverAllowed = new Set([0x65, 0x66])
/** OP_RESERVED, OP_VER, OP_RETURN, OP_RESERVED1, OP_RESERVED2: they fail when executed. */
const failing = new Set([0x50, 0x62, 0x6a, 0x89, 0x8a])
const lastKnownOpcode = 0xb9
const conditionOpcodes = new Set([0xcc, 0xcd])

/**
 * Returns why no scriptSig satisfies a script, in words; `undefined` if one may.
 *
 * @see komodo src/script/interpreter.cpp, EvalScript
 */
export function whyStepsFail(steps: readonly ScriptStep[], bytes: number): string | undefined {
  if (bytes > scriptBytesMax) return `${bytes} bytes, over ${scriptBytesMax}`
  if (steps.filter(({ opcode }) => opcode > 0x60).length > operationsMax) {
    return `over ${operationsMax} operations`
  }
  let depth = 0
  for (const [at, step] of steps.entries()) {
    const { opcode, data } = step
    if (data.length / 2 > pushBytesMax) return `a push of over ${pushBytesMax} bytes`
    if (disabled.has(opcode) || neverAllowed.has(opcode)) {
      return `a disabled opcode: ${byteHex(opcode)}`
    }
    if (opcode === 0x63 || opcode === 0x64) depth += 1
    if (opcode === 0x67 && depth === 0) return 'OP_ELSE without OP_IF'
    if (opcode === 0x68) depth -= 1
    if (depth < 0) return 'OP_ENDIF without OP_IF'
    const why = depth > 0 ? undefined : whyStepFails(steps, at)
    if (why !== undefined) return why
  }
  return depth > 0 ? 'OP_IF without OP_ENDIF' : undefined
}

/** Returns why a step fails that every execution reaches; `undefined` if it may succeed. */
function whyStepFails(steps: readonly ScriptStep[], at: number): string | undefined {
  const { opcode } = steps[at]!
  const before = steps[at - 1]
  const isUnknown = opcode > lastKnownOpcode && !conditionOpcodes.has(opcode)
  if (failing.has(opcode) || isUnknown) return `opcode ${byteHex(opcode)}, which fails`
  const isLast = at === steps.length - 1
  if (isLast && isFalse(steps[at]!)) return 'a result that is false'
  if (before === undefined) return undefined
  if (opcode === 0x69 && isFalse(before)) return 'a result that is false'
  if (opcode === 0xb1) return whyLockFails(before)
  if (opcode === 0x88 || (isLast && opcode === 0x87)) return whyHashFails(steps[at - 2], before)
  const mustHold = isLast || opcode === 0xad || opcode === 0xaf
  if (!mustHold) return undefined
  if (opcode === 0xac || opcode === 0xad) return whySignatureFails(before)
  if (opcode === 0xae || opcode === 0xaf) return whySignaturesFail(steps.slice(0, at))
  return undefined
}

function isPush({ opcode }: ScriptStep): boolean {
  return opcode <= 0x60 && opcode !== 0x50
}

/**
 * Returns whether a step does nothing: OP_NOP, and OP_NOP1 to OP_NOP10 except
 * OP_CHECKLOCKTIMEVERIFY.
 */
function isNothing({ opcode }: ScriptStep): boolean {
  return opcode === 0x61 || (opcode >= 0xb0 && opcode <= 0xb9 && opcode !== 0xb1)
}

/**
 * Returns whether a script only pushes a true value. This includes segregated witness outputs,
 * which have no other rules here.
 */
export function isOpen(steps: readonly ScriptStep[]): boolean {
  const last = steps.findLast(isPush)
  return last !== undefined && !isFalse(last) && steps.every((it) => isPush(it) || isNothing(it))
}

/** Returns whether a step pushes a value that counts as false: no bytes, zero, or minus zero. */
function isFalse(step: ScriptStep): boolean {
  return isPush(step) && step.opcode <= 0x4e && /^(?:00)*(?:80)?$/.test(step.data)
}

/** Returns why a lock never opens: no transaction has a lock time below 0 or beyond 32 bits. */
function whyLockFails(step: ScriptStep): string | undefined {
  if (!isPush(step)) return undefined
  const time = step.data.length > 10 ? -1n : numberOf(step)
  return time < 0n || time > 0xffffffffn ? 'a lock time that no transaction has' : undefined
}

/**
 * Sizes of the results of OP_RIPEMD160, OP_SHA1, OP_SHA256, OP_HASH160 and OP_HASH256, in bytes.
 */
const hashBytes: ReadonlyMap<number, number> = new Map([
  [0xa6, 20],
  [0xa7, 20],
  [0xa8, 32],
  [0xa9, 20],
  [0xaa, 32],
])

function whyHashFails(hashed: ScriptStep | undefined, wanted: ScriptStep): string | undefined {
  const bytes = hashBytes.get(hashed?.opcode ?? 0)
  const actual = wanted.opcode <= 0x4e ? wanted.data.length / 2 : 1
  if (bytes === undefined || !isPush(wanted) || actual === bytes) return undefined
  return `a hash of ${actual} bytes, where one has ${bytes}`
}

function whySignatureFails(key: ScriptStep): string | undefined {
  if (!isPush(key) || canKeySign(key.data)) return undefined
  return isBurnKey(key.data) ? 'a key that burns' : 'a key that is not a point of the curve'
}

/** Checks M, the keys and N that are pushed right before OP_CHECKMULTISIG. */
function whySignaturesFail(steps: readonly ScriptStep[]): string | undefined {
  const last = steps.at(-1)
  if (last === undefined || !isPush(last)) return undefined
  const count = Number(numberOf(last))
  if (last.data.length > 8 || count < 0 || count > 20) return `${count} keys`
  const first = steps.length - 1 - count
  // Otherwise the scriptSig pushes some of the keys, and the required number.
  const need = steps[first - 1]
  const keys = steps.slice(first, -1)
  if (need === undefined || ![need, ...keys].every(isPush)) return undefined
  const required = Number(numberOf(need))
  if (need.data.length > 8 || required < 0) return 'a number of signatures that is none'
  const able = keys.filter(({ data }) => canKeySign(data)).length
  return required > able ? `${required} signatures of ${able} keys that can sign` : undefined
}
