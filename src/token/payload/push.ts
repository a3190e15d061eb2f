import { byteHex, type Cursor, readByte, readUnsigned, remaining } from '../../primitives/wire.ts'
import { type PushForm, pushForms } from '../../script/push.ts'

interface Push {
  readonly form: PushForm
  readonly length: number
}

/** Reads a push opcode and its length. Returns `undefined` for an opcode that pushes no bytes. */
export function readPush(script: Cursor): Push | undefined {
  if (remaining(script) === 0) return undefined
  const opcode = readByte(script, 'push')
  if (opcode >= 0x01 && opcode <= 0x4b) return { form: 'direct', length: opcode }
  for (const form of ['pushdata1', 'pushdata2', 'pushdata4'] as const) {
    const { opcode: wanted, width } = pushForms[form]
    if (byteHex(opcode) !== wanted || width > remaining(script)) continue
    return { form, length: Number(readUnsigned(script, width, 'push')) }
  }
  return undefined
}
