// Encodes a transaction.

import { isStillReserved, reserve } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import {
  type Memory,
  ownMemory,
  share,
  sharedMemory,
  writeCounts,
  writeHeader,
  writeInput,
  writeScriptLength,
  writesValue,
} from '../engine/transaction-lists.ts'
import {
  headerWords,
  inputWords,
  joinSplitWords,
  outputWords,
  overwinteredFlag,
  resultBase,
} from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { satsMax } from '../primitives/amount.ts'
import {
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { joinSplitFields, shieldedOutputFields, shieldedSpendFields } from './shielded.ts'
import type { TransactionFields } from './types.ts'

/**
 * Encodes a transaction to the hex that a daemon accepts.
 *
 * The inverse of `decodeTransaction`: `encodeTransaction(decodeTransaction(hex)) === hex`. A `txid`
 * among the fields is ignored, so you can spread a decoded transaction and change it. The proofs of
 * JoinSplits are not checked: in versions 2 and 3, a proof that `decodeTransaction` refuses with
 * `malformed_proof` is encoded.
 *
 * @param tx - values in satoshis, txids in display order, scripts in hex
 * @returns hex
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`, `wrong_length`, with the path of the
 *   field; `amount_out_of_range`; `unknown_transaction_format`; `field_not_in_version`, also
 *   for a signature of shielded parts that are absent; `input_over_limit`
 * @throws {TypeError} if a member is missing or of the wrong type
 * @see komodo src/primitives/transaction.h, CTransaction::SerializationOp
 * @example
 * encodeTransaction({ ...decodeTransaction(hex), expiryHeight: 0 })
 */
export function encodeTransaction(tx: TransactionFields): string {
  requireObject(tx, 'tx')
  return engine.encodeTransaction(gather(tx), ({ offset: _, ...context }) => {
    explainHex(tx)
    return context
  })
}

/** Writes all numbers to the engine's words and returns the hex of all bytes, in wire order. */
function gather(tx: TransactionFields): string {
  const count = wordsNeeded(tx)
  const reservation = reserve(count)
  const joined = gatherTo(sharedMemory(), tx)
  return isStillReserved(reservation) ? joined : gatherApart(tx, count)
}

/** Handles a `tx` whose getters run the engine, which would overwrite the gathered words. */
function gatherApart(tx: TransactionFields, count: number): string {
  const memory = ownMemory(count)
  const joined = gatherTo(memory, tx)
  reserve(count)
  share(memory)
  return joined
}

type ShieldedLists = Pick<TransactionFields, 'joinSplits' | 'shieldedSpends' | 'shieldedOutputs'>

/**
 * Looks for the fault in a list after an error only, because the check takes a fiftieth of an
 * encode.
 */
function wordsNeeded({ inputs, outputs, joinSplits }: TransactionFields): number {
  if (!Array.isArray(inputs)) requireArray(inputs, 'inputs')
  if (!Array.isArray(outputs)) requireArray(outputs, 'outputs')
  const transparent = inputWords * inputs.length + outputWords * outputs.length
  return headerWords + transparent + joinSplitWords * count(joinSplits)
}

function count(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0
}

/** Reads every list once, so that the lists agree with the counts in the header. */
function gatherTo(memory: Memory, tx: TransactionFields): string {
  const { numbers, amounts } = memory
  const { inputs, outputs, joinSplits, shieldedSpends, shieldedOutputs } = tx
  gatherHeader(memory, tx)
  writeCounts(
    numbers,
    inputs.length,
    outputs.length,
    count(joinSplits),
    count(shieldedSpends),
    count(shieldedOutputs),
  )
  let joined = ''
  let word = resultBase + headerWords
  for (let index = 0; index < inputs.length; index += 1) {
    if (!inputs[index]) requireItem(inputs, 'inputs', index)
    const { txid, vout, scriptSig, sequence } = inputs[index]!
    if (!isUint32(vout)) requireUint32(vout, `inputs[${index}].vout`)
    if (!isUint32(sequence)) requireUint32(sequence, `inputs[${index}].sequence`)
    if (typeof txid !== 'string' || txid.length !== 64) wrongTxid(txid, index)
    const scriptLength = hexBytes(scriptSig, 'inputs', index, 'scriptSig')
    writeInput(numbers, word, vout, sequence, scriptLength)
    joined += txid + scriptSig
    word += inputWords
  }
  for (let index = 0; index < outputs.length; index += 1) {
    if (!outputs[index]) requireItem(outputs, 'outputs', index)
    const { value, script } = outputs[index]!
    if (typeof value !== 'bigint' || !writesValue(amounts, word, value)) {
      requireInt64(value, `outputs[${index}].value`)
    }
    writeScriptLength(numbers, word, hexBytes(script, 'outputs', index, 'script'))
    joined += script
    word += outputWords
  }
  if (isFilled(joinSplits) || isFilled(shieldedSpends) || isFilled(shieldedOutputs)) {
    const lists = { joinSplits, shieldedSpends, shieldedOutputs } as ShieldedLists
    joined += gatherShielded(amounts, tx, lists, word)
  } else {
    for (const name of shieldedSignatures) requireAbsent(tx, name)
  }
  return joined
}

const joinSplitSignatures = ['joinSplitPubKey', 'joinSplitSig'] as const
const shieldedSignatures = [...joinSplitSignatures, 'bindingSig'] as const

/** @throws {AntaraError} `field_not_in_version` for a member without the parts that it signs */
function requireAbsent(
  tx: TransactionFields,
  name: 'joinSplitPubKey' | 'joinSplitSig' | 'bindingSig',
): void {
  if (tx[name] === undefined) return
  const parts = name === 'bindingSig' ? 'shielded spends or outputs' : 'JoinSplits'
  throw new AntaraError('field_not_in_version', {
    path: name,
    expected: `no ${name} without ${parts}`,
  })
}

/** @throws {TypeError} for a hole, and for an element that has no members */
function requireItem(list: readonly unknown[], name: string, index: number): void {
  requireArray(list, name)
  requireObject(list[index], `${name}[${index}]`)
}

/** A value without a length is left to the checks that name the error. */
function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list?.length !== 0
}

function gatherShielded(
  amounts: BigInt64Array,
  tx: TransactionFields,
  { joinSplits = [], shieldedSpends = [], shieldedOutputs = [] }: ShieldedLists,
  joinSplitsWord: number,
): string {
  requireArray(joinSplits, 'joinSplits')
  requireArray(shieldedSpends, 'shieldedSpends')
  requireArray(shieldedOutputs, 'shieldedOutputs')
  let text = ''
  let word = joinSplitsWord
  for (const [index, item] of shieldedSpends.entries()) {
    if (!item) requireItem(shieldedSpends, 'shieldedSpends', index)
    for (const [name, bytes] of shieldedSpendFields) {
      text += fixedHex(item[name], bytes, `shieldedSpends[${index}].${name}`)
    }
  }
  for (const [index, item] of shieldedOutputs.entries()) {
    if (!item) requireItem(shieldedOutputs, 'shieldedOutputs', index)
    for (const [name, bytes] of shieldedOutputFields) {
      text += fixedHex(item[name], bytes, `shieldedOutputs[${index}].${name}`)
    }
  }
  for (const [index, item] of joinSplits.entries()) {
    if (!item) requireItem(joinSplits, 'joinSplits', index)
    const { vpubOld, vpubNew } = item
    requireInt64(vpubOld, `joinSplits[${index}].vpubOld`)
    requireInt64(vpubNew, `joinSplits[${index}].vpubNew`)
    writesValue(amounts, word, vpubOld)
    writesValue(amounts, word + 2, vpubNew)
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
  } else {
    for (const name of joinSplitSignatures) requireAbsent(tx, name)
  }
  if (shieldedSpends.length + shieldedOutputs.length > 0) {
    text += fixedHex(tx.bindingSig, 64, 'bindingSig')
  } else {
    requireAbsent(tx, 'bindingSig')
  }
  return text
}

function isUint32(value: unknown): boolean {
  return typeof value === 'number' && value >>> 0 === value
}

function gatherHeader(memory: Memory, tx: TransactionFields): void {
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
  if (valueBalance !== 0n) requireInt64(valueBalance, 'valueBalance')
  const flagged = overwintered ? version + overwinteredFlag : version
  writeHeader(memory, flagged, versionGroupId, lockTime, expiryHeight, valueBalance)
}

const satsMin = -(1n << 63n)

function requireInt64(value: unknown, path: string): void {
  requireBigint(value, path)
  if (value <= satsMax && value >= satsMin) return
  throw new AntaraError('amount_out_of_range', { path, actual: value })
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

/** Finds the field with malformed hex; the engine saw all bytes as one text. */
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
