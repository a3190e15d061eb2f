import * as record from '../engine/records.ts'
import { noHashType, resultBase, verdictWords } from '../engine/words.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { type ScriptType, scriptTypes } from '../script/types.ts'

/** The verdict on one input. */
export interface InputVerdict {
  /** Tells whether the input is validly signed. */
  readonly ok: boolean
  /** The first error; absent when `ok`. */
  readonly code?: ErrorCode
  /** Type of the output that the input spends. */
  readonly type: ScriptType
  /** Hash type of all its signatures; absent if there are none, or if they differ. */
  readonly hashType?: number
  /** The keys whose signatures verify, as the transaction encodes them; empty unless `ok`. */
  readonly publicKeys: readonly string[]
  /** The fulfillment, without its hash type; absent unless the input spends a condition. */
  readonly fulfillment?: string
}

/** Returns the length of the next public key, which its first byte determines. */
function keyCharacters(keys: string, start: number): number {
  return keys[start + 1] === '4' ? 130 : 66
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] }

/**
 * Reads the verdicts on `count` inputs from the words.
 *
 * @param keys - all public keys that signed, one after another
 */
export function readVerdicts(
  source: string | Uint8Array,
  count: number,
  keys: string,
): InputVerdict[] {
  const verdicts: InputVerdict[] = []
  let keyStart = 0
  for (let index = 0; index < count; index += 1) {
    const word = resultBase + verdictWords * index
    const publicKeys: string[] = []
    for (let key = record.verdictKeys(word); key > 0; key -= 1) {
      const end = keyStart + keyCharacters(keys, keyStart)
      publicKeys.push(keys.slice(keyStart, end))
      keyStart = end
    }
    const code = errorCodeOfNumber.get(record.verdictCode(word))
    const hashType = record.verdictHashType(word)
    const offset = record.verdictFulfillmentOffset(word)
    const length = record.verdictFulfillmentLength(word)
    const type = scriptTypes[record.verdictScriptType(word)]!
    // Members are set one by one: spreading objects takes longer than everything else here.
    const verdict: Writable<InputVerdict> = { ok: code === undefined, type, publicKeys }
    if (code !== undefined) verdict.code = code
    if (hashType !== noHashType) verdict.hashType = hashType
    if (length !== 0) verdict.fulfillment = hexSlice(source, offset, length)
    verdicts.push(verdict)
  }
  return verdicts
}

function hexSlice(source: string | Uint8Array, offset: number, length: number): string {
  if (typeof source !== 'string') return hexFromBytes(source.subarray(offset, offset + length))
  return source.slice(2 * offset, 2 * (offset + length)).toLowerCase()
}
