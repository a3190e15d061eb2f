// Makes an index of coins that arrive in parts.

import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, isBigInt64Array, requireObject } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { startSlices } from '../primitives/steps.ts'
import { type InputBytes, nativeInputBytes, readBytes } from './coin-arrays.ts'
import { type CoinIndex, createCoinIndex } from './coin-index.ts'

/** The value of one coin, or the values of several. */
export type CoinPart = bigint | BigInt64Array | CoinChunk

/** Coins whose sizes differ from the usual one. */
export interface CoinChunk {
  readonly values: BigInt64Array
  /** Bytes that spending each coin adds; if absent, those of `options`. */
  readonly inputBytes?: InputBytes
}

export interface CoinStreamOptions {
  /** Bytes that spending a coin adds to a transaction; 148 if absent. */
  readonly inputBytes?: number
  /** A signal that ends the reading with its reason. */
  readonly signal?: AbortSignal
}

/** Values that wait until they are sorted in: at first this many, later a quarter of the index. */
const waitingMin = 1 << 13

/**
 * Makes an index of coins that arrive one after the other, such as the rows of a database or the
 * pages of an answer. Besides the index, it keeps a quarter of the values at most, so the coins are
 * not necessarily in memory twice.
 *
 * A coin's id is its place in the order of arrival. Other work runs every 15 milliseconds. If the
 * reading fails, the memory of the index is released and the source is closed.
 *
 * @param coins - parts: a value, an array of values, or a chunk with the sizes of its coins
 * @param options - bytes for each input, 148 if absent; a signal that ends the reading
 * @returns the index of all coins
 * @throws {TypeError} at once for wrong arguments, and while reading for a part of a wrong type
 * @throws {AntaraError} as `createCoinIndex`; `path` names the coin by its id
 * @example
 * const index = await createCoinIndexFrom([50_000n, BigInt64Array.of(70_000n, 20_000n)])
 * index.total // 140_000n
 */
export function createCoinIndexFrom(
  coins: Iterable<CoinPart> | AsyncIterable<CoinPart>,
  options: CoinStreamOptions = {},
): Promise<CoinIndex> {
  requireObject(coins, 'coins')
  if (!(Symbol.asyncIterator in coins) && !(Symbol.iterator in coins)) {
    throw argumentError('coins', 'an iterable', coins)
  }
  requireObject(options, 'options')
  requireKnownMembers(options, ['inputBytes', 'signal'], 'options')
  const { inputBytes = nativeInputBytes, signal } = options
  return read(coins, readBytes(inputBytes, 'options.inputBytes'), signal)
}

async function read(
  coins: Iterable<CoinPart> | AsyncIterable<CoinPart>,
  usualBytes: number,
  signal: AbortSignal | undefined,
): Promise<CoinIndex> {
  signal?.throwIfAborted()
  const index = createCoinIndex(new BigInt64Array(0), usualBytes)
  const collector = collectorFor(index)
  const pause = startSlices()
  const iterator =
    Symbol.asyncIterator in coins ? coins[Symbol.asyncIterator]() : coins[Symbol.iterator]()
  let hasEnded = false
  try {
    for (;;) {
      const next = iterator.next()
      const { done, value } = 'then' in next ? await unlessAborted(next, signal) : next
      if (done === true) {
        hasEnded = true
        collector.sortIn()
        return index
      }
      collector.take(value)
      const others = pause()
      if (others !== undefined) await others
      signal?.throwIfAborted()
    }
  } catch (error) {
    index.free()
    // The source may still be reading, so its end is not awaited.
    if (!hasEnded) void (async () => iterator.return?.())().catch(() => undefined)
    throw error
  }
}

/** Settles like `work`, unless the signal aborts first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    const leave = (): void => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(leave)
  })
}

interface Collector {
  take(part: CoinPart): void
  /** Adds the waiting values to the index. */
  sortIn(): void
}

/** Collects values before they are sorted in, because each sorting goes through the whole index. */
function collectorFor(index: CoinIndex): Collector {
  let waiting = new BigInt64Array(waitingMin)
  let count = 0
  const sortIn = (): void => {
    addTo(index, waiting.subarray(0, count))
    count = 0
    if (index.size >> 2 > waiting.length) waiting = new BigInt64Array(waiting.length * 2)
  }
  const takeValues = (values: BigInt64Array): void => {
    for (let from = 0; from < values.length; ) {
      const some = values.subarray(from, from + waiting.length - count)
      waiting.set(some, count)
      count += some.length
      from += some.length
      if (count === waiting.length) sortIn()
    }
  }
  return {
    take(part) {
      if (typeof part === 'bigint') {
        // A BigInt64Array would truncate it to another value.
        if (BigInt.asIntN(64, part) !== part) throw outOfRange(part, index.ids + count)
        waiting[count] = part
        count += 1
        if (count === waiting.length) sortIn()
      } else if (isBigInt64Array(part)) takeValues(part)
      else {
        const { values, inputBytes } = chunkOf(part)
        if (inputBytes === undefined) return takeValues(values)
        sortIn()
        addTo(index, values, inputBytes)
      }
    },
    sortIn,
  }
}

function outOfRange(value: bigint, id: number): AntaraError {
  return new AntaraError('coin_value_out_of_range', { path: `coins[${id}]`, actual: value })
}

function chunkOf(part: CoinPart): CoinChunk {
  const expected = 'a bigint, a BigInt64Array or a chunk of them'
  if (typeof part !== 'object' || part === null) throw argumentError('coins', expected, part)
  const chunk = part as CoinChunk
  if (!isBigInt64Array(chunk.values)) throw argumentError('coins', expected, part)
  requireKnownMembers(chunk, ['values', 'inputBytes'], 'coins')
  return chunk
}

/** Adds coins. An error names a coin by its id, because the caller does not know this array. */
function addTo(index: CoinIndex, values: BigInt64Array, inputBytes?: InputBytes): void {
  if (values.length === 0) return
  const first = index.ids
  try {
    index.add(values, inputBytes)
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    const path = error.context.path?.replace(
      /^(?:values|(inputBytes))\[(\d+)\]/,
      (_: string, member: string | undefined, at: string) =>
        `coins[${first + Number(at)}]${member === undefined ? '' : `.${member}`}`,
    )
    throw new AntaraError(error.code, { ...error.context, ...(path && { path }) } as never)
  }
}
