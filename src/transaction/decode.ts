// Decodes raw transactions, and computes txids.

import { answerDetail, type Locate } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import * as record from '../engine/records.ts'
import { readInputs, readOutputs } from '../engine/transaction-lists.ts'
import {
  headerWords,
  inputWords,
  joinSplitWords,
  outputWords,
  overwinteredFlag,
  resultBase,
} from '../engine/words.ts'
import { argumentError, isUint8Array, requireArray } from '../primitives/arguments.ts'
import { joinSplitFields, shieldedOutputFields, shieldedSpendFields } from './shielded.ts'
import type {
  JoinSplit,
  ShieldedOutput,
  ShieldedSpend,
  Transaction,
  TransactionInput,
  TransactionOutput,
} from './types.ts'

/**
 * Decodes a raw transaction without touching the network.
 *
 * The decoder is stricter than the daemon: bytes after the transaction are an error. Bytes are
 * returned as hex, amounts as bigint. The result does not refer to `source`.
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
  return decode(source)
}

function decode(source: string | Uint8Array, locate?: Locate): Transaction {
  const text = engine.decodeTransaction(source, locate)
  return readTransaction(text, hexOf(source, text))
}

/** Returns the hex of a source; that of bytes is in the answer, after the txids of the inputs. */
function hexOf(source: string | Uint8Array, text: string, end?: number): string {
  if (typeof source !== 'string') return text.slice(64 * record.headerInputs(), end)
  return answerDetail() === 1 ? source.toLowerCase() : source
}

/** Decodes like `decodeTransaction` and computes the txid in the same call. */
export function decodeWithTxid(source: string | Uint8Array): Transaction {
  requireSource(source, 'source')
  const text = engine.decodeWithTxid(source)
  return readTransaction(text, hexOf(source, text, -64), text.slice(-64))
}

/**
 * Decodes many raw transactions.
 *
 * @param sources - hex of one transaction each
 * @returns the transactions, in the order of `sources`
 * @throws {AntaraError} as `decodeTransaction`, for the first that is malformed; `path` names it
 * @see komodo src/primitives/transaction.h, CTransaction::SerializationOp
 * @example
 * decodeTransactions([hex, hex]).length // 2
 */
export function decodeTransactions(sources: readonly string[]): Transaction[] {
  return eachOf(sources, (source, locate) => decode(source, locate))
}

/**
 * Computes the txids of many raw transactions.
 *
 * @param sources - hex of one transaction each
 * @returns 64 hex digits in display order for each
 * @throws {AntaraError} as `decodeTransaction`, for the first that is malformed; `path` names it
 * @see komodo src/primitives/transaction.cpp, CTransaction::UpdateHash
 * @example
 * transactionIds([hex, hex]) // ['6fafa939e3f2...', '6fafa939e3f2...']
 */
export function transactionIds(sources: readonly string[]): string[] {
  return eachOf(sources, (source, locate) => engine.transactionId(source, locate))
}

/** Calls the engine once per source, because joining the sources costs more than the calls. */
function eachOf<Result>(
  sources: readonly string[],
  read: (source: string, locate: Locate) => Result,
): Result[] {
  requireArray(sources, 'sources')
  for (const [index, source] of sources.entries()) {
    if (typeof source !== 'string') throw argumentError(`sources[${index}]`, 'a string', source)
  }
  let index = 0
  const locate: Locate = (context) => ({ ...context, path: `sources[${index}]` })
  const results: Result[] = []
  for (; index < sources.length; index += 1) results.push(read(sources[index]!, locate))
  return results
}

/**
 * Computes the txid of a raw transaction: the double SHA-256 of its bytes, in reverse byte order.
 *
 * The bytes must be one whole transaction, so that a txid never names anything else.
 *
 * @param source - wire bytes, or hex
 * @returns 64 hex digits in display order
 * @throws {AntaraError} as `decodeTransaction`
 * @see komodo src/primitives/transaction.cpp, CTransaction::UpdateHash
 * @example
 * transactionId(hex) // '6fafa939e3f2...'
 */
export function transactionId(source: string | Uint8Array): string {
  requireSource(source, 'source')
  return engine.transactionId(source)
}

/**
 * Returns the transaction at the start of `source`, without the bytes after it.
 *
 * Use it only where the result must match a daemon that ignores those bytes.
 */
export function leadingTransaction(source: string | Uint8Array): string | Uint8Array {
  requireSource(source, 'source')
  engine.leadingTransactionBytes(source)
  const bytes = record.leadingBytes()
  return typeof source === 'string' ? source.slice(0, 2 * bytes) : source.subarray(0, bytes)
}

/** A character that no hex contains, which marks a computed txid. */
const known = '='

/** The shared value for transactions without shielded parts. */
const none: readonly never[] = Object.freeze([])

/**
 * A transaction, built from the engine's words in one pass. It is a class because a lazy txid in an
 * object literal costs five times the whole decode. `toJSON` gives plain data; spreading and
 * `structuredClone` lose the txid. Allocation is most of a decode's time, so fields are declared
 * before they are defined, arrays get their final length, and empty values are shared.
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
  /**
   * The hex to hash; once the txid is known, the marker and the txid. One field holds both, because
   * each private field costs a twentieth of the decode of a small transaction.
   */
  #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  get txid(): string {
    if (!this.#origin.startsWith(known)) this.#origin = known + engine.transactionId(this.#origin)
    return this.#origin.slice(known.length)
  }

  toJSON(): Transaction {
    return Object.assign({ txid: this.txid }, this)
  }
}

/** Reads the transaction that the engine has just decoded. */
function readTransaction(txids: string, hex: string, txid?: string): Transaction {
  const header = record.headerVersion()
  const tx = new DecodedTransaction(txid === undefined ? hex : known + txid)
  tx.version = header & 0x7fffffff
  tx.overwintered = header >= overwinteredFlag
  tx.versionGroupId = record.headerGroupId()
  tx.inputs = readInputs(txids, hex)
  tx.outputs = readOutputs(hex)
  tx.lockTime = record.headerLockTime()
  tx.expiryHeight = record.headerExpiryHeight()
  tx.valueBalance = record.headerValueBalance()
  tx.shieldedSpends = none
  tx.shieldedOutputs = none
  tx.joinSplits = none
  if (hasShieldedParts()) {
    const transparent = inputWords * record.headerInputs() + outputWords * record.headerOutputs()
    Object.assign(tx, readShieldedParts(hex, resultBase + headerWords + transparent))
  }
  return tx
}

function hasShieldedParts(): boolean {
  return (record.headerSpends() | record.headerShieldedOutputs() | record.headerJoinSplits()) !== 0
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

/** Separate from the constructor, which V8 inlines only up to 460 bytes of bytecode. */
function readShieldedParts(hex: string, joinSplitsBase: number): ShieldedParts {
  const spends = readFixedItems<ShieldedSpend>(
    hex,
    record.headerSpendsOffset(),
    record.headerSpends(),
    shieldedSpendFields,
  )
  const outputs = readFixedItems<ShieldedOutput>(
    hex,
    record.headerShieldedOutputsOffset(),
    record.headerShieldedOutputs(),
    shieldedOutputFields,
  )
  const joinSplits = readJoinSplits(hex, joinSplitsBase)
  const keyOffset = 2 * record.headerJoinSplitKeyOffset()
  const sigOffset = 2 * record.headerBindingSigOffset()
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

function readJoinSplits(hex: string, joinSplitsBase: number): JoinSplit[] {
  const header = record.headerVersion()
  const members = joinSplitFields(header >= overwinteredFlag, header & 0x7fffffff)
  const count = record.headerJoinSplits()
  const joinSplits: JoinSplit[] = []
  for (let index = 0; index < count; index += 1) {
    const start = joinSplitsBase + joinSplitWords * index
    const item: Record<string, unknown> = {
      vpubOld: record.joinSplitVpubOld(start),
      vpubNew: record.joinSplitVpubNew(start),
    }
    let offset = 2 * record.joinSplitRestOffset(start)
    for (const [name, bytes, repeat] of members) {
      const first = hex.slice(offset, offset + 2 * bytes)
      item[name] = repeat === 1 ? first : [first, hex.slice(offset + 2 * bytes, offset + 4 * bytes)]
      offset += 2 * bytes * repeat
    }
    joinSplits.push(item as unknown as JoinSplit)
  }
  return joinSplits
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
  if (typeof source !== 'string' && !isUint8Array(source)) {
    throw argumentError(name, 'hex or a Uint8Array', source)
  }
}
