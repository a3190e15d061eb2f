import { native, outcomeError, requireNarrow, run, values, words } from '../engine/engine.ts'
import * as at from '../engine/words.ts'
import { isUint8Array, misuse } from '../primitives/misuse.ts'
import { joinSplitFields, shieldedOutputFields, shieldedSpendFields } from './shielded.ts'
import type {
  JoinSplit,
  ShieldedOutput,
  ShieldedSpend,
  Transaction,
  TransactionInput,
  TransactionOutput,
} from './types.ts'

/** Of this module, because V8 folds no constant that is imported: it halves the time of a decode. */
const {
  headerBindingSigOffset,
  headerExpiryHeight,
  headerGroupId,
  headerInputs,
  headerJoinSplitKeyOffset,
  headerJoinSplits,
  headerLockTime,
  headerOutputs,
  headerShieldedOutputs,
  headerShieldedOutputsOffset,
  headerSpends,
  headerSpendsOffset,
  headerValueBalance,
  headerVersion,
  headerWords,
  inputPrevIndex,
  inputScriptLength,
  inputScriptOffset,
  inputSequence,
  inputWords,
  joinSplitRestOffset,
  joinSplitWords,
  outcomeDetail,
  outputScriptLength,
  outputScriptOffset,
  outputWords,
  overwinteredFlag,
  resultBase,
} = at
const decodeNative = native.decodeTransaction

/**
 * Decodes a raw transaction without touching the network.
 *
 * Strict where the daemon is lax: bytes after the transaction are an error. Bytes come back as
 * hex, amounts as bigint; nothing refers to `source` afterwards.
 *
 * @param source - wire bytes, or the hex a daemon prints
 * @returns header, inputs, outputs, shielded parts; values in satoshis, txids in display order
 * @throws {AntaraError} `truncated`, `trailing_bytes`, `count_over_input`, `non_canonical_length`,
 *   `length_over_limit`, `unknown_transaction_format`, `malformed_proof`, `segwit_unsupported`,
 *   `malformed_hex`, `odd_length_hex`, `empty_input`, `input_over_limit`, with the byte offset
 * @throws {TypeError} if `source` is neither, or its memory is shared or detached
 * @see komodo src/primitives/transaction.h, CTransaction::SerializationOp
 * @example
 * const { outputs } = decodeTransaction(hex)
 * outputs[0].value // 100n
 */
export function decodeTransaction(source: string | Uint8Array): Transaction {
  requireSource(source, 'source')
  const text = run(decodeNative, source)
  if (typeof source === 'string') {
    const hex = words[outcomeDetail] === 1 ? source.toLowerCase() : source
    return readTransaction(text, 0, hex, resultBase)
  }
  const txidCharacters = 64 * words[resultBase + headerInputs]!
  return readTransaction(text, 0, text.slice(txidCharacters), resultBase)
}

/**
 * The txid of a raw transaction: double SHA-256 of all its bytes, displayed in reverse.
 *
 * The bytes must be one whole transaction, so that a txid never names something else.
 *
 * @throws {AntaraError} as `decodeTransaction`
 * @see komodo src/primitives/transaction.cpp, CTransaction::UpdateHash
 * @example
 * transactionId(hex) // '6fafa939e3f2...'
 */
export function transactionId(source: string | Uint8Array): string {
  requireSource(source, 'source')
  return run(native.transactionId, source)
}

/**
 * The transaction that `source` starts with, without whatever follows it.
 *
 * Only for those who must see what the daemon sees, which ignores the rest.
 */
export function leadingTransaction(source: string | Uint8Array): string | Uint8Array {
  requireSource(source, 'source')
  const bytes = native.leadingTransactionBytes(source)
  if (bytes === undefined) throw outcomeError()
  return typeof source === 'string' ? source.slice(0, 2 * bytes) : source.subarray(0, bytes)
}

/** What most transactions have instead of shielded parts. */
const none: readonly never[] = Object.freeze([])

/**
 * Built from the engine's words in one pass. A class, because the lazy txid of an object literal
 * costs five times the whole decode; `toJSON` and spreading give plain data. What a decode
 * allocates is most of its time, so fields are declared rather than defined first, arrays are made
 * as long as they will be, and nothing empty is made anew.
 */
class DecodedTransaction implements Transaction {
  declare version: number
  declare overwintered: boolean
  declare versionGroupId: number
  declare inputs: readonly TransactionInput[]
  declare outputs: readonly TransactionOutput[]
  declare lockTime: number
  declare expiryHeight: number
  declare valueBalance: bigint
  declare shieldedSpends: readonly ShieldedSpend[]
  declare shieldedOutputs: readonly ShieldedOutput[]
  declare joinSplits: readonly JoinSplit[]
  declare joinSplitPubKey?: string
  declare joinSplitSig?: string
  declare bindingSig?: string
  /** One private field: each costs a twentieth of the decode of a small transaction. */
  readonly #hex: string

  constructor(hex: string) {
    this.#hex = hex
  }

  get txid(): string {
    return run(native.transactionId, this.#hex)
  }

  toJSON(): Transaction {
    return Object.assign({ txid: this.txid }, this)
  }
}

/** The transaction whose words begin at `base`; its inputs' txids begin at `txidsOffset`. */
export function readTransaction(
  txids: string,
  txidsOffset: number,
  hex: string,
  base: number,
): Transaction {
  const inputsBase = base + headerWords
  const inputCount = words[base + headerInputs]!
  const outputsBase = inputsBase + inputWords * inputCount
  const outputCount = words[base + headerOutputs]!
  const header = words[base + headerVersion]!
  const tx = new DecodedTransaction(hex)
  tx.version = header & 0x7fffffff
  tx.overwintered = header >= overwinteredFlag
  tx.versionGroupId = words[base + headerGroupId]!
  tx.inputs = readInputs(txids, txidsOffset, hex, inputsBase, inputCount)
  tx.outputs = readOutputs(hex, outputsBase, outputCount)
  tx.lockTime = words[base + headerLockTime]!
  tx.expiryHeight = words[base + headerExpiryHeight]!
  tx.valueBalance = readValueBalance(base + headerValueBalance)
  tx.shieldedSpends = none
  tx.shieldedOutputs = none
  tx.joinSplits = none
  if (hasShieldedParts(base)) {
    Object.assign(tx, readShieldedParts(hex, base, outputsBase + outputWords * outputCount))
  }
  return tx
}

/** Zero without an allocation, as it nearly always is. */
function readValueBalance(word: number): bigint {
  return words[word] === 0 && words[word + 1] === 0 ? 0n : values[word >> 1]!
}

function hasShieldedParts(base: number): boolean {
  const spends = words[base + headerSpends]!
  const outputs = words[base + headerShieldedOutputs]!
  return (spends | outputs | words[base + headerJoinSplits]!) !== 0
}

type ShieldedParts = Pick<
  Transaction,
  | 'shieldedSpends'
  | 'shieldedOutputs'
  | 'joinSplits'
  | 'joinSplitPubKey'
  | 'joinSplitSig'
  | 'bindingSig'
>

/** Apart from the constructor, which V8 inlines up to 460 bytes of bytecode. */
function readShieldedParts(hex: string, base: number, joinSplitsBase: number): ShieldedParts {
  const spends = readShieldedSpends(hex, base)
  const outputs = readShieldedOutputs(hex, base)
  const joinSplits = readJoinSplits(hex, base, joinSplitsBase)
  const keyOffset = 2 * words[base + headerJoinSplitKeyOffset]!
  const sigOffset = 2 * words[base + headerBindingSigOffset]!
  return {
    shieldedSpends: spends,
    shieldedOutputs: outputs,
    joinSplits,
    ...(joinSplits.length > 0 && {
      joinSplitPubKey: hex.slice(keyOffset, keyOffset + 64),
      joinSplitSig: hex.slice(keyOffset + 64, keyOffset + 192),
    }),
    ...(spends.length + outputs.length > 0 && {
      bindingSig: hex.slice(sigOffset, sigOffset + 128),
    }),
  }
}

function readJoinSplits(hex: string, base: number, joinSplitsBase: number): JoinSplit[] {
  const header = words[base + headerVersion]!
  const members = joinSplitFields(header >= overwinteredFlag, header & 0x7fffffff)
  const count = words[base + headerJoinSplits]!
  const joinSplits: JoinSplit[] = []
  for (let index = 0; index < count; index += 1) {
    const start = joinSplitsBase + joinSplitWords * index
    const item: Record<string, unknown> = {
      vpubOld: values[start >> 1],
      vpubNew: values[(start >> 1) + 1],
    }
    let offset = 2 * words[start + joinSplitRestOffset]!
    for (const [name, bytes, repeat] of members) {
      const first = hex.slice(offset, offset + 2 * bytes)
      item[name] = repeat === 1 ? first : [first, hex.slice(offset + 2 * bytes, offset + 4 * bytes)]
      offset += 2 * bytes * repeat
    }
    joinSplits.push(item as unknown as JoinSplit)
  }
  return joinSplits
}

function readInputs(
  txids: string,
  txidsOffset: number,
  hex: string,
  base: number,
  count: number,
): TransactionInput[] {
  const inputs = new Array<TransactionInput>(count)
  let word = base
  let txid = txidsOffset
  for (let index = 0; index < count; index += 1) {
    const script = 2 * words[word + inputScriptOffset]!
    inputs[index] = {
      txid: txids.slice(txid, txid + 64),
      vout: words[word + inputPrevIndex]!,
      scriptSig: hex.slice(script, script + 2 * words[word + inputScriptLength]!),
      sequence: words[word + inputSequence]!,
    }
    word += inputWords
    txid += 64
  }
  return inputs
}

function readOutputs(hex: string, base: number, count: number): TransactionOutput[] {
  const outputs = new Array<TransactionOutput>(count)
  let word = base
  for (let index = 0; index < count; index += 1) {
    const script = 2 * words[word + outputScriptOffset]!
    outputs[index] = {
      value: values[word >> 1]!,
      script: hex.slice(script, script + 2 * words[word + outputScriptLength]!),
    }
    word += outputWords
  }
  return outputs
}

function readShieldedSpends(hex: string, base: number): ShieldedSpend[] {
  const count = words[base + headerSpends]!
  const offset = words[base + headerSpendsOffset]!
  return readFixedItems<ShieldedSpend>(hex, offset, count, shieldedSpendFields)
}

function readShieldedOutputs(hex: string, base: number): ShieldedOutput[] {
  const count = words[base + headerShieldedOutputs]!
  const offset = words[base + headerShieldedOutputsOffset]!
  return readFixedItems<ShieldedOutput>(hex, offset, count, shieldedOutputFields)
}

function readFixedItems<Item>(
  hex: string,
  startOffset: number,
  count: number,
  fields: readonly (readonly [string, number])[],
): Item[] {
  const items: Item[] = []
  let offset = 2 * startOffset
  for (let index = 0; index < count; index += 1) {
    const item: Record<string, string> = {}
    for (const [name, bytes] of fields) {
      item[name] = hex.slice(offset, offset + 2 * bytes)
      offset += 2 * bytes
    }
    items.push(item as Item)
  }
  return items
}

export function requireSource(
  source: unknown,
  name: string,
): asserts source is string | Uint8Array {
  if (typeof source === 'string') requireNarrow(source)
  else if (!isUint8Array(source)) throw misuse(name, 'hex or a Uint8Array', source)
}
