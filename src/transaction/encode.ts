import { isNarrow, native, outcomeError, reserveWords, words as scratch } from '../engine/engine.ts'
import * as at from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { normalizeHex } from '../primitives/hex.ts'
import {
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/misuse.ts'
import { joinSplitFields, shieldedOutputFields, shieldedSpendFields } from './shielded.ts'
import type { TransactionFields } from './types.ts'

/**
 * Encodes a transaction to the hex that a daemon accepts.
 *
 * The mirror of `decodeTransaction`: `encodeTransaction(decodeTransaction(hex)) === hex`. A `txid`
 * among the fields is ignored, so a decoded transaction can be spread and changed.
 *
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`, `wrong_length`, with the path of the
 *   field; `amount_out_of_range`; `unknown_transaction_format`; `field_not_in_version`; `input_over_limit`
 * @throws {TypeError} if a member is missing or of the wrong type
 * @see komodo src/primitives/transaction.h, CTransaction::SerializationOp
 * @example
 * encodeTransaction({ ...decodeTransaction(hex), expiryHeight: 0 })
 */
export function encodeTransaction(tx: TransactionFields): string {
  requireObject(tx, 'tx')
  const joined = gather(tx)
  const text = native.encodeTransaction(joined)
  // Asked after the call, which has made one flat string of the pieces: that halves the cost.
  if (text !== undefined && isNarrow(joined)) return text
  explainHex(tx)
  throw outcomeError(({ offset: _, ...context }) => context)
}

/** Words on their way to the scratch, and the same memory as 64-bit values. */
interface Staging {
  readonly words: Uint32Array
  readonly values: BigInt64Array
}

const stagingWordsKept = 1 << 16
let spareStaging: Staging | undefined

/** The spare one if it will do; none is spare while a getter of `tx` encodes something else. */
function takeStaging(count: number): Staging {
  const spare = spareStaging
  spareStaging = undefined
  if (spare !== undefined && count <= spare.words.length) return spare
  const buffer = new ArrayBuffer(8 * count)
  return { words: new Uint32Array(buffer), values: new BigInt64Array(buffer) }
}

/**
 * Writes the numbers to the scratch and returns the hex of all bytes, in wire order.
 *
 * Nothing is in the scratch before all of `tx` has been read: a getter may run the engine.
 */
function gather(tx: TransactionFields): string {
  const { inputs, outputs, joinSplits = [], shieldedSpends = [], shieldedOutputs = [] } = tx
  requireArray(inputs, 'inputs')
  requireArray(outputs, 'outputs')
  requireArray(joinSplits, 'joinSplits')
  requireArray(shieldedSpends, 'shieldedSpends')
  requireArray(shieldedOutputs, 'shieldedOutputs')
  const count =
    at.headerWords +
    at.inputWords * inputs.length +
    at.outputWords * outputs.length +
    at.joinSplitWords * joinSplits.length
  const staging = takeStaging(count)
  const { words } = staging
  writeHeader(tx, staging)
  words[at.headerInputs] = inputs.length
  words[at.headerOutputs] = outputs.length
  words[at.headerJoinSplits] = joinSplits.length
  words[at.headerSpends] = shieldedSpends.length
  words[at.headerShieldedOutputs] = shieldedOutputs.length

  let text = ''
  let word = at.headerWords
  for (let index = 0; index < inputs.length; index += 1) {
    const { txid, vout, scriptSig, sequence } = inputs[index]!
    if (!isUint32(vout)) requireUint32(vout, `inputs[${index}].vout`)
    if (!isUint32(sequence)) requireUint32(sequence, `inputs[${index}].sequence`)
    if (typeof txid !== 'string' || txid.length !== 64) wrongTxid(txid, index)
    words[word + at.inputPrevIndex] = vout
    words[word + at.inputSequence] = sequence
    words[word + at.inputScriptLength] = hexBytes(scriptSig, 'inputs', index, 'scriptSig')
    text += txid + scriptSig
    word += at.inputWords
  }
  for (let index = 0; index < outputs.length; index += 1) {
    const { value, script } = outputs[index]!
    writeValue(staging, word, value, 'outputs', index, 'value')
    words[word + at.outputScriptLength] = hexBytes(script, 'outputs', index, 'script')
    text += script
    word += at.outputWords
  }
  for (const [index, item] of shieldedSpends.entries()) {
    for (const [name, bytes] of shieldedSpendFields) {
      text += fixedHex(item[name], bytes, `shieldedSpends[${index}].${name}`)
    }
  }
  for (const [index, item] of shieldedOutputs.entries()) {
    for (const [name, bytes] of shieldedOutputFields) {
      text += fixedHex(item[name], bytes, `shieldedOutputs[${index}].${name}`)
    }
  }
  for (const [index, item] of joinSplits.entries()) {
    writeValue(staging, word, item.vpubOld, 'joinSplits', index, 'vpubOld')
    writeValue(staging, word + 2, item.vpubNew, 'joinSplits', index, 'vpubNew')
    for (const [name, bytes, repeat] of joinSplitFields(tx.overwintered, tx.version)) {
      const parts = repeat === 1 ? [item[name]] : item[name]
      requireArray(parts, `joinSplits[${index}].${name}`)
      if (parts.length !== repeat) {
        throw new TypeError(`joinSplits[${index}].${name}: expected two, got ${parts.length}`)
      }
      for (let part = 0; part < repeat; part += 1) {
        text += fixedHex(parts[part], bytes, `joinSplits[${index}].${name}`)
      }
    }
    word += at.joinSplitWords
  }
  if (joinSplits.length > 0) {
    text += fixedHex(tx.joinSplitPubKey, 32, 'joinSplitPubKey')
    text += fixedHex(tx.joinSplitSig, 64, 'joinSplitSig')
  }
  if (shieldedSpends.length + shieldedOutputs.length > 0) {
    text += fixedHex(tx.bindingSig, 64, 'bindingSig')
  }
  copyToScratch(words, count)
  if (words.length <= stagingWordsKept) spareStaging = staging
  return text
}

function copyToScratch(staged: Uint32Array, count: number): void {
  reserveWords(at.resultBase + count)
  for (let index = 0; index < count; index += 1) scratch[at.resultBase + index] = staged[index]!
}

function isUint32(value: unknown): boolean {
  return typeof value === 'number' && value >>> 0 === value
}

function writeHeader(tx: TransactionFields, staging: Staging): void {
  const { version, overwintered, versionGroupId = 0, lockTime, expiryHeight = 0 } = tx
  const { valueBalance = 0n } = tx
  requireUint32(version, 'version')
  if (version >= at.overwinteredFlag) {
    throw new TypeError(`version: expected at most 2^31 - 1, got ${version}`)
  }
  if (typeof overwintered !== 'boolean') {
    throw new TypeError('overwintered: expected true or false')
  }
  requireUint32(versionGroupId, 'versionGroupId')
  requireUint32(lockTime, 'lockTime')
  requireUint32(expiryHeight, 'expiryHeight')
  const { words } = staging
  words[at.headerVersion] = version + (overwintered ? at.overwinteredFlag : 0)
  words[at.headerGroupId] = versionGroupId
  words[at.headerLockTime] = lockTime
  words[at.headerExpiryHeight] = expiryHeight
  writeInt64(staging, at.headerValueBalance, valueBalance, 'valueBalance')
}

function writeInt64({ values }: Staging, word: number, value: bigint, path: string): void {
  requireBigint(value, path)
  values[word >> 1] = value
  if (values[word >> 1] !== value) {
    throw new AntaraError('amount_out_of_range', { path, actual: value })
  }
}

function writeValue(
  staging: Staging,
  word: number,
  value: bigint,
  list: string,
  index: number,
  name: string,
): void {
  const { values } = staging
  if (typeof value === 'bigint') values[word >> 1] = value
  if (values[word >> 1] !== value) writeInt64(staging, word, value, `${list}[${index}].${name}`)
}

function hexBytes(text: string, list: string, index: number, name: string): number {
  if (typeof text !== 'string') requireString(text, `${list}[${index}].${name}`)
  if (text.length % 2 !== 0) normalizeHex(text, `${list}[${index}].${name}`)
  return text.length / 2
}

function wrongTxid(txid: unknown, index: number): never {
  const path = `inputs[${index}].txid`
  requireString(txid, path)
  throw new AntaraError('wrong_length', {
    path,
    expected: '32 bytes',
    actual: `${txid.length / 2} bytes`,
  })
}

function fixedHex(text: unknown, bytes: number, path: string): string {
  requireString(text, path)
  if (text.length === 2 * bytes) return text
  normalizeHex(text, path)
  throw new AntaraError('wrong_length', {
    path,
    expected: `${bytes} bytes`,
    actual: `${text.length / 2} bytes`,
  })
}

/** The engine saw all bytes as one text; find the field whose hex is at fault. */
function explainHex(tx: TransactionFields): void {
  const { inputs, outputs, joinSplits = [], shieldedSpends = [], shieldedOutputs = [] } = tx
  for (const [index, { txid, scriptSig }] of inputs.entries()) {
    normalizeHex(txid, `inputs[${index}].txid`)
    normalizeHex(scriptSig, `inputs[${index}].scriptSig`)
  }
  for (const [index, { script }] of outputs.entries()) {
    normalizeHex(script, `outputs[${index}].script`)
  }
  const explain = (list: string, items: readonly object[], names: readonly string[]) => {
    for (const [index, item] of items.entries()) {
      for (const name of names) {
        const value = item[name as keyof typeof item] as string | readonly string[]
        for (const text of [value].flat()) normalizeHex(text, `${list}[${index}].${name}`)
      }
    }
  }
  const namesOf = (fields: readonly (readonly [string, ...unknown[]])[]) =>
    fields.map(([name]) => name)
  explain('shieldedSpends', shieldedSpends, namesOf(shieldedSpendFields))
  explain('shieldedOutputs', shieldedOutputs, namesOf(shieldedOutputFields))
  explain('joinSplits', joinSplits, namesOf(joinSplitFields(tx.overwintered, tx.version)))
  for (const name of ['joinSplitPubKey', 'joinSplitSig', 'bindingSig'] as const) {
    normalizeHex(tx[name] ?? '', name)
  }
}
