import { native, run, trimWords, words } from '../engine/engine.ts'
import * as at from '../engine/words.ts'

export interface ScriptStep {
  readonly opcode: number
  /** What a push pushes, hex; empty for anything else. */
  readonly data: string
}

/**
 * The steps of a script.
 *
 * @param script - lower-case hex
 * @throws {AntaraError} `truncated` for a push that reaches over the end
 */
export function splitScript(script: string): ScriptStep[] {
  run(native.splitScript, script)
  const steps: ScriptStep[] = []
  const count = words[at.resultBase]!
  let word = at.resultBase + at.scriptSteps
  for (let index = 0; index < count; index += 1) {
    const start = 2 * words[word + at.stepOffset]!
    const data = script.slice(start, start + 2 * words[word + at.stepLength]!)
    steps.push({ opcode: words[word + at.stepOpcode]!, data })
    word += at.stepWords
  }
  trimWords()
  return steps
}

/**
 * What a step of parameters stands for: its data, or the one byte of a small number. Undefined for
 * a step that pushes nothing.
 *
 * @see komodo src/script/script.cpp, CScript::GetBalancedData
 */
export function pushedData({ opcode, data }: ScriptStep): string | undefined {
  if (data !== '') return data
  if (opcode === 0) return '00'
  if (opcode < 0x51 || opcode > 0x60) return undefined
  return (opcode - 0x50).toString(16).padStart(2, '0')
}

/**
 * The shortest push of data that keeps it a push of bytes, as daemons write it: a single byte
 * becomes no number opcode.
 *
 * @param data - hex, up to 65535 bytes
 * @see komodo src/script/script.h, CScript::operator<<
 */
export function pushOf(data: string): string {
  const bytes = data.length / 2
  if (bytes < 0x4c) return `${hexByte(bytes)}${data}`
  if (bytes <= 0xff) return `4c${hexByte(bytes)}${data}`
  return `4d${hexByte(bytes & 0xff)}${hexByte(bytes >> 8)}${data}`
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}
