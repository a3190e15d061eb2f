import * as engine from '../engine/calls.ts'
import { stepLength, stepOffset, stepOpcode, stepsCount } from '../engine/records.ts'
import { resultBase, stepsWords, stepWords } from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { reverseHex } from '../primitives/hex.ts'
import { byteHex } from '../primitives/wire.ts'

export interface ScriptStep {
  readonly opcode: number
  /** The pushed data, hex; empty for other opcodes. */
  readonly data: string
}

/**
 * Splits a script into its steps.
 *
 * @param script - lower-case hex
 * @throws {AntaraError} `truncated` for a push that reaches beyond the end
 */
export function splitScript(script: string): ScriptStep[] {
  engine.splitScript(script)
  const steps: ScriptStep[] = []
  const count = stepsCount()
  let word = resultBase + stepsWords
  for (let index = 0; index < count; index += 1) {
    const start = 2 * stepOffset(word)
    const data = script.slice(start, start + 2 * stepLength(word))
    steps.push({ opcode: stepOpcode(word), data })
    word += stepWords
  }
  return steps
}

/**
 * Returns the value of a step of parameters: its data, or the one byte of a small number. Returns
 * `undefined` for a step that pushes nothing.
 *
 * @see komodo src/script/script.cpp, CScript::GetBalancedData
 */
export function pushedData({ opcode, data }: ScriptStep): string | undefined {
  if (data !== '') return data
  if (opcode === 0) return '00'
  if (opcode < 0x51 || opcode > 0x60) return undefined
  return byteHex(opcode - 0x50)
}

/**
 * Returns the number that a step pushes: little-endian, with the sign in the highest bit.
 *
 * @see komodo src/script/script.h, CScriptNum
 */
export function numberOf({ opcode, data }: ScriptStep): bigint {
  if (opcode === 0x4f) return -1n
  if (opcode > 0x50 && opcode <= 0x60) return BigInt(opcode - 0x50)
  const bytes = data.match(/../g)?.reverse() ?? []
  if (bytes.length === 0) return 0n
  const highest = Number.parseInt(bytes[0]!, 16)
  const magnitude = BigInt(`0x${(highest & 0x7f).toString(16)}${bytes.slice(1).join('')}`)
  return highest > 0x7f ? -magnitude : magnitude
}

/** The way in which a push gives its length. */
export type PushForm = 'direct' | 'pushdata1' | 'pushdata2' | 'pushdata4'

/** The opcode, and the bytes of the length after it: komodo src/script/script.h, opcodetype. */
export const pushForms: {
  readonly [Form in PushForm]: { readonly opcode: string; readonly width: number }
} = {
  direct: { opcode: '', width: 1 },
  pushdata1: { opcode: '4c', width: 1 },
  pushdata2: { opcode: '4d', width: 2 },
  pushdata4: { opcode: '4e', width: 4 },
}

/** Returns the form that daemons write. @param length - in bytes */
export function shortestForm(length: number): PushForm {
  if (length < 0x4c) return 'direct'
  if (length <= 0xff) return 'pushdata1'
  return length <= 0xffff ? 'pushdata2' : 'pushdata4'
}

/**
 * Returns a push of data as daemons write it; a single byte does not become a number opcode.
 *
 * @param data - hex
 * @param form - default: the shortest
 * @throws {AntaraError} `push_too_short` if the data are too long for the form
 * @see komodo src/script/script.h, CScript::operator<<
 */
export function pushOf(data: string, form: PushForm = shortestForm(data.length / 2)): string {
  const length = data.length / 2
  const { opcode, width } = pushForms[form]
  if (length >= (form === 'direct' ? 0x4c : 256 ** width)) {
    throw new AntaraError('push_too_short', { path: 'push', actual: length })
  }
  return opcode + reverseHex(length.toString(16).padStart(2 * width, '0')) + data
}
