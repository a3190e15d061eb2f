import { AntaraError } from '../../errors/antara-error.ts'
import { byteHex, type Cursor, integerHex, readByte, readUnsigned, remaining } from './bytes.ts'

export type PushForm = 'direct' | 'pushdata1' | 'pushdata2' | 'pushdata4'

const pushOpcodes: { [Form in PushForm]: readonly [opcode: number | undefined, width: number] } = {
  direct: [undefined, 1],
  pushdata1: [0x4c, 1],
  pushdata2: [0x4d, 2],
  pushdata4: [0x4e, 4],
}

export interface Push {
  readonly form: PushForm
  readonly length: number
}

/** Reads the push opcode and its length; undefined for an opcode that pushes no bytes. */
export function readPush(script: Cursor): Push | undefined {
  if (remaining(script) === 0) return undefined
  const opcode = readByte(script, 'push')
  if (opcode >= 0x01 && opcode <= 0x4b) return { form: 'direct', length: opcode }
  const width = opcode === 0x4c ? 1 : opcode === 0x4d ? 2 : opcode === 0x4e ? 4 : 0
  if (width === 0 || width > remaining(script)) return undefined
  const form = width === 1 ? 'pushdata1' : width === 2 ? 'pushdata2' : 'pushdata4'
  return { form, length: Number(readUnsigned(script, width, 'push')) }
}

export function shortestForm(length: number): PushForm {
  if (length <= 0x4b) return 'direct'
  if (length <= 0xff) return 'pushdata1'
  return length <= 0xffff ? 'pushdata2' : 'pushdata4'
}

export function pushHex(blob: string, wanted: PushForm | undefined): string {
  const length = blob.length / 2
  const form = wanted ?? shortestForm(length)
  const [opcode, width] = pushOpcodes[form]
  if (length >= (form === 'direct' ? 0x4c : 256 ** width)) {
    throw new AntaraError('push_too_short', { path: 'push', actual: length })
  }
  return (opcode === undefined ? '' : byteHex(opcode)) + integerHex(BigInt(length), width) + blob
}
