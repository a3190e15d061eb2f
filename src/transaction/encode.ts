import {
  native,
  outcomeError,
  requireNarrow,
  reserveWords,
  values,
  words,
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

/**
 * Encodes a transaction to the hex that a daemon accepts.
 *
 * The mirror of `decodeTransaction`: `encodeTransaction(decodeTransaction(hex)) === hex`. A `txid`
 * among the fields is ignored, so a decoded transaction can be spread and changed.
 *
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`, `wrong_length`, with the path of the
 *   field; `amount_out_of_range`; `unknown_transaction_format`; `field_not_in_version`
 * @throws {TypeError} if a member is missing or of the wrong type
 * @see komodo src/primitives/transaction.h, CTransaction::SerializationOp
 * @example
 * encodeTransaction({ ...decodeTransaction(hex), expiryHeight: 0 })
 */
export function encodeTransaction(tx: TransactionFields): string {
  requireObject(tx, 'tx')
  const joined = writeWords(tx)
  requireNarrow(joined)
  const text = native.encodeTransaction(joined)
  if (text !== undefined) return text
  explainHex(tx)
  throw outcomeError(({ offset: _, ...context }) => context)
}

/** Writes the numbers to the scratch and returns the hex of all bytes, in wire order. */
function writeWords(tx: TransactionFields): string {
  const { inputs, outputs, joinSplits = [], shieldedSpends = [], shieldedOutputs = [] } = tx
  requireArray(inputs, 'inputs')
  requireArray(outputs, 'outputs')
  requireArray(joinSplits, 'joinSplits')
  requireArray(shieldedSpends, 'shieldedSpends')
  requireArray(shieldedOutputs, 'shieldedOutputs')
  const base = at.resultBase
  reserveWords(
    base +
      at.headerWords +
      at.inputWords * inputs.length +
      at.outputWords * outputs.length +
      at.joinSplitWords * joinSplits.length,
  )
  writeHeader(tx, base)
  words[base + at.headerInputs] = inputs.length
  words[base + at.headerOutputs] = outputs.length
  words[base + at.headerJoinSplits] = joinSplits.length
  words[base + at.headerSpends] = shieldedSpends.length
  words[base + at.headerShieldedOutputs] = shieldedOutputs.length

  let text = ''
  let word = base + at.headerWords
  for (let index = 0; index < inputs.length; index += 1) {
    const { txid, vout, scriptSig, sequence } = inputs[index]!
    if (vout >>> 0 !== vout) requireUint32(vout, `inputs[${index}].vout`)
    if (sequence >>> 0 !== sequence) requireUint32(sequence, `inputs[${index}].sequence`)
    if (typeof txid !== 'string' || txid.length !== 64) wrongTxid(txid, index)
    words[word + at.inputPrevIndex] = vout
    words[word + at.inputSequence] = sequence
    words[word + at.inputScriptLength] = hexBytes(scriptSig, 'inputs', index, 'scriptSig')
    text += txid + scriptSig
    word += at.inputWords
  }
  for (let index = 0; index < outputs.length; index += 1) {
    const { value, script } = outputs[index]!
    writeValue(word, value, 'outputs', index, 'value')
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
    writeValue(word, item.vpubOld, 'joinSplits', index, 'vpubOld')
    writeValue(word + 2, item.vpubNew, 'joinSplits', index, 'vpubNew')
    for (const [name, bytes, repeat] of joinSplitFields(tx.overwintered, tx.version)) {
      const parts = repeat === 1 ? [item[name]] : item[name]
      requireArray(parts, `joinSplits[${index}].${name}`)
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
  return text
}

function writeHeader(tx: TransactionFields, base: number): void {
  const { version, overwintered, versionGroupId = 0, lockTime, expiryHeight = 0 } = tx
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
  words[base + at.headerVersion] = version + (overwintered ? at.overwinteredFlag : 0)
  words[base + at.headerGroupId] = versionGroupId
  words[base + at.headerLockTime] = lockTime
  words[base + at.headerExpiryHeight] = expiryHeight
  writeInt64(base + at.headerValueBalance, tx.valueBalance ?? 0n, 'valueBalance')
}

function writeInt64(word: number, value: bigint, path: string): void {
  requireBigint(value, path)
  values[word >> 1] = value
  if (values[word >> 1] !== value) {
    throw new AntaraError('amount_out_of_range', { path, actual: value })
  }
}

function writeValue(word: number, value: bigint, list: string, index: number, name: string): void {
  if (typeof value !== 'bigint') requireBigint(value, `${list}[${index}].${name}`)
  values[word >> 1] = value
  if (values[word >> 1] !== value) writeInt64(word, value, `${list}[${index}].${name}`)
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
  for (const [index, input] of tx.inputs.entries()) {
    normalizeHex(input.txid, `inputs[${index}].txid`)
    normalizeHex(input.scriptSig, `inputs[${index}].scriptSig`)
  }
  for (const [index, { script }] of tx.outputs.entries()) {
    normalizeHex(script, `outputs[${index}].script`)
  }
}
