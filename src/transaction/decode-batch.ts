import { native, requireNarrow, reserveWords, run, trimWords, words } from '../engine/engine.ts'
import {
  headerInputs,
  headerJoinSplits,
  headerOutputs,
  headerWords,
  inputWords,
  joinSplitWords,
  outcomeDetail,
  outputWords,
  resultBase,
} from '../engine/words.ts'
import { misuse, requireArray } from '../primitives/misuse.ts'
import { readTransaction } from './decode.ts'
import type { Transaction } from './types.ts'

/**
 * Decodes many raw transactions, as many in one native call as suit the processor's caches.
 *
 * @param sources - hex of one transaction each
 * @throws {AntaraError} as `decodeTransaction`, for the first that is malformed; `path` names it
 * @example
 * decodeTransactions([hex, hex]).length // 2
 */
export function decodeTransactions(sources: readonly string[]): Transaction[] {
  requireSources(sources)
  const transactions: Transaction[] = []
  for (const batch of batchesOf(sources)) {
    const text = runBatch(native.decodeTransactions, batch)
    readBatch(text, batch, transactions)
  }
  trimWords()
  return transactions
}

function readBatch(text: string, { sources }: Batch, transactions: Transaction[]): void {
  const hasUpperCase = words[outcomeDetail] === 1
  let base = resultBase
  let textOffset = 0
  for (const source of sources) {
    const hex = hasUpperCase ? source.toLowerCase() : source
    transactions.push(readTransaction(text, textOffset, hex, base))
    const inputs = words[base + headerInputs]!
    textOffset += 64 * inputs
    base +=
      headerWords +
      inputWords * inputs +
      outputWords * words[base + headerOutputs]! +
      joinSplitWords * words[base + headerJoinSplits]!
  }
}

/**
 * The txids of many raw transactions; their hashes are computed side by side.
 *
 * @throws {AntaraError} as `decodeTransaction`, for the first that is malformed; `path` names it
 * @example
 * transactionIds([hex, hex]) // ['6fafa939e3f2...', '6fafa939e3f2...']
 */
export function transactionIds(sources: readonly string[]): string[] {
  requireSources(sources)
  const txids: string[] = []
  for (const batch of batchesOf(sources)) {
    const text = runBatch(native.transactionIds, batch)
    for (let start = 0; start < text.length; start += 64) txids.push(text.slice(start, start + 64))
  }
  trimWords()
  return txids
}

function requireSources(sources: unknown): asserts sources is readonly string[] {
  requireArray(sources, 'sources')
  for (const [index, source] of sources.entries()) {
    if (typeof source !== 'string') throw misuse(`sources[${index}]`, 'a string', source)
    requireNarrow(source, `sources[${index}]`)
  }
}

/** Sources that cross to the engine together. */
interface Batch {
  readonly sources: readonly string[]
  /** Of its first in the list of all. */
  readonly index: number
}

/** As much as stays in the processor's caches on its way through; larger batches take longer. */
const batchCharacters = 1 << 16

function* batchesOf(sources: readonly string[]): Generator<Batch> {
  for (let index = 0; index < sources.length; ) {
    let end = index + 1
    let characters = sources[index]!.length
    while (end < sources.length && characters + sources[end]!.length <= batchCharacters) {
      characters += sources[end]!.length
      end += 1
    }
    yield { sources: sources.slice(index, end), index }
    index = end
  }
}

function runBatch(
  call: (joinedHex: string, count: number) => string | undefined,
  { sources, index }: Batch,
): string {
  return run(
    (hex) => {
      writeLengths(sources)
      return call(hex, sources.length)
    },
    sources.join(''),
    (context) => ({ ...context, path: `sources[${index + words[outcomeDetail]!}]` }),
  )
}

function writeLengths(sources: readonly string[]): void {
  reserveWords(resultBase + sources.length)
  for (let index = 0; index < sources.length; index += 1) {
    words[resultBase + index] = sources[index]!.length
  }
}
