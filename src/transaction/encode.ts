import {
  isNarrow,
  isStillReserved,
  native,
  outcomeError,
  reserveWords,
  values as scratchValues,
  words as scratchWords,
} from '../engine/engine.ts'
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

/** Of this module, because V8 folds no constant that is imported. */
const {
  headerExpiryHeight,
  headerGroupId,
  headerInputs,
  headerJoinSplits,
  headerLockTime,
  headerOutputs,
  headerShieldedOutputs,
  headerSpends,
  headerValueBalance,
  headerVersion,
  headerWords,
  inputPrevIndex,
  inputScriptLength,
  inputSequence,
  inputWords,
  joinSplitWords,
  outputScriptLength,
  outputWords,
  overwinteredFlag,
  resultBase,
} = at
const encodeNative = native.encodeTransaction

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
  const text = encodeNative(joined)
  // Asked after the call, which has made one flat string of the pieces: that halves the cost.
  if (text !== undefined && isNarrow(joined)) return text
  explainHex(tx)
  throw outcomeError(({ offset: _, ...context }) => context)
}

/** Writes all numbers to the scratch and returns the hex of all bytes, in wire order. */
function gather(tx: TransactionFields): string {
  const reservation = reserveWords(wordsNeeded(tx))
  const text = gatherTo(scratchWords, scratchValues, tx)
  if (isStillReserved(reservation)) return text
  // A getter of `tx` ran the engine, which wrote over the scratch.
  const buffer = new ArrayBuffer(4 * wordsNeeded(tx))
  const words = new Uint32Array(buffer)
  const textAgain = gatherTo(words, new BigInt64Array(buffer), tx)
  reserveWords(words.length)
  scratchWords.set(words)
  return textAgain
}

function wordsNeeded({ inputs, outputs, joinSplits }: TransactionFields): number {
  requireArray(inputs, 'inputs')
  requireArray(outputs, 'outputs')
  const transparent = inputWords * inputs.length + outputWords * outputs.length
  const needed = resultBase + headerWords + transparent + joinSplitWords * count(joinSplits)
  return needed + (needed % 2)
}

function count(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0
}

function gatherTo(words: Uint32Array, values: BigInt64Array, tx: TransactionFields): string {
  const { inputs, outputs } = tx
  writeHeader(words, values, tx)
  words[resultBase + headerInputs] = inputs.length
  words[resultBase + headerOutputs] = outputs.length
  let text = ''
  let word = resultBase + headerWords
  for (let index = 0; index < inputs.length; index += 1) {
    const { txid, vout, scriptSig, sequence } = inputs[index]!
    if (!isUint32(vout)) requireUint32(vout, `inputs[${index}].vout`)
    if (!isUint32(sequence)) requireUint32(sequence, `inputs[${index}].sequence`)
    if (typeof txid !== 'string' || txid.length !== 64) wrongTxid(txid, index)
    words[word + inputPrevIndex] = vout
    words[word + inputSequence] = sequence
    words[word + inputScriptLength] = hexBytes(scriptSig, 'inputs', index, 'scriptSig')
    text += txid + scriptSig
    word += inputWords
  }
  for (let index = 0; index < outputs.length; index += 1) {
    const { value, script } = outputs[index]!
    writeValue(values, word, value, 'outputs', index, 'value')
    words[word + outputScriptLength] = hexBytes(script, 'outputs', index, 'script')
    text += script
    word += outputWords
  }
  if (hasShieldedParts(tx)) return text + gatherShielded(words, values, tx, word)
  words[resultBase + headerJoinSplits] = 0
  words[resultBase + headerSpends] = 0
  words[resultBase + headerShieldedOutputs] = 0
  return text
}

function hasShieldedParts(tx: TransactionFields): boolean {
  const { joinSplits, shieldedSpends, shieldedOutputs } = tx
  return isFilled(joinSplits) || isFilled(shieldedSpends) || isFilled(shieldedOutputs)
}

/** Whatever has no length is left to those who say what is wrong with it. */
function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list?.length !== 0
}

function gatherShielded(
  words: Uint32Array,
  values: BigInt64Array,
  tx: TransactionFields,
  joinSplitsWord: number,
): string {
  const { joinSplits = [], shieldedSpends = [], shieldedOutputs = [] } = tx
  requireArray(joinSplits, 'joinSplits')
  requireArray(shieldedSpends, 'shieldedSpends')
  requireArray(shieldedOutputs, 'shieldedOutputs')
  words[resultBase + headerJoinSplits] = joinSplits.length
  words[resultBase + headerSpends] = shieldedSpends.length
  words[resultBase + headerShieldedOutputs] = shieldedOutputs.length
  let text = ''
  let word = joinSplitsWord
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
    writeValue(values, word, item.vpubOld, 'joinSplits', index, 'vpubOld')
    writeValue(values, word + 2, item.vpubNew, 'joinSplits', index, 'vpubNew')
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
    word += joinSplitWords
  }
  if (joinSplits.length > 0) {
    text += fixedHex(tx.joinSplitPubKey, 32, 'joinSplitPubKey')
    text += fixedHex(tx.joinSplitSig, 64, 'joinSplitSig')
  }
  if (shieldedSpends.length + shieldedOutputs.length > 0) {
    text += fixedHex(tx.bindingSig, 64, 'bindingSig')
  }
  return text
}

function isUint32(value: unknown): boolean {
  return typeof value === 'number' && value >>> 0 === value
}

function writeHeader(words: Uint32Array, values: BigInt64Array, tx: TransactionFields): void {
  const { version, overwintered, versionGroupId = 0, lockTime, expiryHeight = 0 } = tx
  const { valueBalance = 0n } = tx
  if (!isUint32(version)) requireUint32(version, 'version')
  if (version >= overwinteredFlag) {
    throw new TypeError(`version: expected at most 2^31 - 1, got ${version}`)
  }
  if (typeof overwintered !== 'boolean') {
    throw new TypeError('overwintered: expected true or false')
  }
  if (!isUint32(versionGroupId)) requireUint32(versionGroupId, 'versionGroupId')
  if (!isUint32(lockTime)) requireUint32(lockTime, 'lockTime')
  if (!isUint32(expiryHeight)) requireUint32(expiryHeight, 'expiryHeight')
  words[resultBase + headerVersion] = overwintered ? version + overwinteredFlag : version
  words[resultBase + headerGroupId] = versionGroupId
  words[resultBase + headerLockTime] = lockTime
  words[resultBase + headerExpiryHeight] = expiryHeight
  writeInt64(values, resultBase + headerValueBalance, valueBalance, 'valueBalance')
}

function writeInt64(values: BigInt64Array, word: number, value: bigint, path: string): void {
  requireBigint(value, path)
  values[word >> 1] = value
  if (values[word >> 1] !== value) {
    throw new AntaraError('amount_out_of_range', { path, actual: value })
  }
}

function writeValue(
  values: BigInt64Array,
  word: number,
  value: bigint,
  list: string,
  index: number,
  name: string,
): void {
  if (typeof value === 'bigint') values[word >> 1] = value
  if (values[word >> 1] !== value) writeInt64(values, word, value, `${list}[${index}].${name}`)
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
