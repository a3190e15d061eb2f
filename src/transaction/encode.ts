import { isStillReserved, reserve } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import * as records from '../engine/records.ts'
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
const { headerWords, inputWords, joinSplitWords, outputWords, overwinteredFlag, resultBase } = at

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
  const { header, joined } = gather(tx)
  return engine.encodeTransaction(joined, header, ({ offset: _, ...context }) => {
    explainHex(tx)
    return context
  })
}

/** What the engine takes besides the words of inputs, outputs and JoinSplits. */
interface Gathered {
  readonly header: records.Header
  /** Hex of all bytes, in wire order. */
  readonly joined: string
}

function gather(tx: TransactionFields): Gathered {
  const reservation = reserve(wordsNeeded(tx))
  const gathered = gatherTo(records, tx)
  if (isStillReserved(reservation)) return gathered
  // A getter of `tx` ran the engine, which wrote over the words: they are written when all is read.
  const writes: (() => void)[] = []
  const gatheredAgain = gatherTo(
    {
      writeInput: (word, input) => writes.push(() => records.writeInput(word, input)),
      writeOutput: (word, output) => writes.push(() => records.writeOutput(word, output)),
      writeJoinSplit: (word, item) => writes.push(() => records.writeJoinSplit(word, item)),
    },
    tx,
  )
  reserve(wordsNeeded(tx))
  for (const write of writes) write()
  return gatheredAgain
}

/** The lists of a transaction, read once: they and the header's numbers go together. */
type Lists = Pick<
  TransactionFields,
  'inputs' | 'outputs' | 'joinSplits' | 'shieldedSpends' | 'shieldedOutputs'
>

/** Takes the records that are gathered. */
interface Sink {
  readonly writeInput: (word: number, input: records.Input) => void
  readonly writeOutput: (word: number, output: records.Output) => void
  readonly writeJoinSplit: (word: number, item: records.JoinSplit) => void
}

function wordsNeeded({ inputs, outputs, joinSplits }: TransactionFields): number {
  requireArray(inputs, 'inputs')
  requireArray(outputs, 'outputs')
  const transparent = inputWords * inputs.length + outputWords * outputs.length
  return headerWords + transparent + joinSplitWords * count(joinSplits)
}

function count(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0
}

function gatherTo(sink: Sink, tx: TransactionFields): Gathered {
  const { inputs, outputs, joinSplits, shieldedSpends, shieldedOutputs } = tx
  const lists = { inputs, outputs, joinSplits, shieldedSpends, shieldedOutputs } as Lists
  const header = headerOf(tx, lists)
  let joined = ''
  let word = resultBase + headerWords
  for (let index = 0; index < inputs.length; index += 1) {
    const { txid, vout, scriptSig, sequence } = inputs[index]!
    if (!isUint32(vout)) requireUint32(vout, `inputs[${index}].vout`)
    if (!isUint32(sequence)) requireUint32(sequence, `inputs[${index}].sequence`)
    if (typeof txid !== 'string' || txid.length !== 64) wrongTxid(txid, index)
    const scriptLength = hexBytes(scriptSig, 'inputs', index, 'scriptSig')
    sink.writeInput(word, { prevIndex: vout, sequence, scriptOffset: 0, scriptLength })
    joined += txid + scriptSig
    word += inputWords
  }
  for (let index = 0; index < outputs.length; index += 1) {
    const { value, script } = outputs[index]!
    if (typeof value !== 'bigint') requireBigint(value, `outputs[${index}].value`)
    const scriptLength = hexBytes(script, 'outputs', index, 'script')
    sink.writeOutput(word, { value, scriptOffset: 0, scriptLength })
    // What comes back differs unless it fits: that takes less than to compare it with both ends.
    if (records.outputValue(word) !== value) requireInt64(value, `outputs[${index}].value`)
    joined += script
    word += outputWords
  }
  if (hasShieldedParts(lists)) joined += gatherShielded(sink, tx, lists, word)
  return { header, joined }
}

function hasShieldedParts({ joinSplits, shieldedSpends, shieldedOutputs }: Lists): boolean {
  return isFilled(joinSplits) || isFilled(shieldedSpends) || isFilled(shieldedOutputs)
}

/** Whatever has no length is left to those who say what is wrong with it. */
function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list?.length !== 0
}

function gatherShielded(
  sink: Sink,
  tx: TransactionFields,
  { joinSplits = [], shieldedSpends = [], shieldedOutputs = [] }: Lists,
  joinSplitsWord: number,
): string {
  requireArray(joinSplits, 'joinSplits')
  requireArray(shieldedSpends, 'shieldedSpends')
  requireArray(shieldedOutputs, 'shieldedOutputs')
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
    const { vpubOld, vpubNew } = item
    requireInt64(vpubOld, `joinSplits[${index}].vpubOld`)
    requireInt64(vpubNew, `joinSplits[${index}].vpubNew`)
    sink.writeJoinSplit(word, { vpubOld, vpubNew, restOffset: 0, restLength: 0 })
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

function headerOf(tx: TransactionFields, lists: Lists): records.Header {
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
  return {
    version: overwintered ? version + overwinteredFlag : version,
    groupId: versionGroupId,
    lockTime,
    expiryHeight,
    valueBalance,
    inputs: lists.inputs.length,
    outputs: lists.outputs.length,
    joinSplits: count(lists.joinSplits),
    spends: count(lists.shieldedSpends),
    shieldedOutputs: count(lists.shieldedOutputs),
    // Offsets follow from the lengths: all bytes are there in wire order.
    spendsOffset: 0,
    shieldedOutputsOffset: 0,
    joinSplitKeyOffset: 0,
    bindingSigOffset: 0,
  }
}

const satsMax = (1n << 63n) - 1n
const satsMin = -(1n << 63n)

function isInt64(value: unknown): boolean {
  return typeof value === 'bigint' && value <= satsMax && value >= satsMin
}

function requireInt64(value: unknown, path: string): void {
  requireBigint(value, path)
  if (!isInt64(value)) throw new AntaraError('amount_out_of_range', { path, actual: value })
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
