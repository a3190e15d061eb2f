// An index of coins that stays sorted between selections.

import type { Locate } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import type { NativeCoinIndex } from '../engine/native.ts'
import { holdingFirstId, holdingSize, holdingTotal } from '../engine/records.ts'
import { argumentError, isUint32Array } from '../primitives/arguments.ts'
import {
  type InputBytes,
  locateCoin,
  nativeInputBytes,
  readInputBytes,
  requireValues,
  sizesOf,
} from './coin-arrays.ts'

/**
 * Coins that stay sorted between selections.
 *
 * An index belongs to the thread that made it; another thread makes its own. Its memory is released
 * when it is garbage-collected, or at once by `free`.
 */
export interface CoinIndex {
  /** Number of coins in the index. */
  readonly size: number
  /** Sum of their values. */
  readonly total: bigint
  /** Number of ids given out: the length of an array with a value for each id. */
  readonly ids: number
  /**
   * Adds coins. Their ids continue after the last one, like positions in a growing array.
   *
   * @param inputBytes - if absent, the size that the index was made with; 148 if that was an array
   * @returns the id of the first added coin
   * @throws {AntaraError} as `createCoinIndex`; the index is then unchanged
   */
  add(values: BigInt64Array, inputBytes?: InputBytes): number
  /**
   * Removes coins, such as spent ones. Their ids are never given out again.
   *
   * @throws {AntaraError} `unknown_coin` for an id that is not in the index or occurs twice; the index
   *   is then unchanged
   */
  remove(ids: Uint32Array | readonly number[]): void
  /** Releases the memory. Any later use of the index is a TypeError. */
  free(): void
}

interface IndexState {
  handle: NativeCoinIndex | undefined
  size: number
  total: bigint
  ids: number
  readonly usualBytes: number
}

const states = new WeakMap<object, IndexState>()

/**
 * Sorts coins once for many selections. A selection among a million coins then takes less than a
 * millisecond.
 *
 * A coin's id is its position in `values`. Call `add` for new coins and `remove` for spent ones.
 *
 * @param values - satoshis, or token units
 * @param inputBytes - bytes that spending each coin adds to a transaction; 148 if absent
 * @returns the index; call `free` to release its memory at once
 * @throws {AntaraError} `coin_value_out_of_range` for a value that is not from 1 to 2^62,
 *   `coin_sum_out_of_range`, `input_bytes_out_of_range`; `path` names the coin
 * @throws {TypeError} if memory is shared or detached
 * @example
 * const index = createCoinIndex(BigInt64Array.of(50_000n, 70_000n))
 * index.add(BigInt64Array.of(20_000n)) // 2
 * index.remove([0])
 * index.total // 90_000n
 */
export function createCoinIndex(values: BigInt64Array, inputBytes?: InputBytes): CoinIndex {
  requireValues(values, 'values')
  const bytes = readInputBytes(inputBytes, values, 'inputBytes', nativeInputBytes)
  const { each, same } = sizesOf(bytes)
  const handle = engine.createCoinIndex(values, each, { inputBytes: same }, locateIn(values, bytes))
  const usualBytes = typeof bytes === 'number' ? bytes : nativeInputBytes
  const state: IndexState = { handle, size: 0, total: 0n, ids: values.length, usualBytes }
  readSize(state)
  const index: CoinIndex = Object.freeze({
    get size() {
      return state.size
    },
    get total() {
      return state.total
    },
    get ids() {
      return state.ids
    },
    add: (added: BigInt64Array, addedBytes?: InputBytes) => addCoins(state, added, addedBytes),
    remove: (ids: Uint32Array | readonly number[]) => removeCoins(state, ids),
    free: () => freeCoins(state),
  })
  states.set(index, state)
  return index
}

/** The engine's handle of the index. */
export function handleOf(index: unknown, path: string): NativeCoinIndex {
  const state = typeof index === 'object' && index !== null ? states.get(index) : undefined
  if (state === undefined) throw argumentError(path, 'what createCoinIndex returned', index)
  return handleIn(state)
}

function handleIn({ handle }: IndexState): NativeCoinIndex {
  if (handle === undefined) throw new TypeError('the index has been freed')
  return handle
}

function addCoins(state: IndexState, values: BigInt64Array, inputBytes?: InputBytes): number {
  requireValues(values, 'values')
  const bytes = readInputBytes(inputBytes, values, 'inputBytes', state.usualBytes)
  const { each, same } = sizesOf(bytes)
  const locate: Locate = (context, code) => {
    const isSum = code === 'coin_sum_out_of_range'
    const place = isSum ? { offset: overflowIn(values, state.total) } : context
    return locateCoin(place, code, values, bytes, '')
  }
  engine.addCoins(handleIn(state), values, each, { inputBytes: same }, locate)
  const first = holdingFirstId()
  readSize(state)
  state.ids = first + values.length
  return first
}

const totalMax = 1n << 62n

/** Returns the position of the first coin with which a total of coins exceeds 2^62. */
function overflowIn(values: BigInt64Array, total: bigint): number {
  let sum = total
  return values.findIndex((value) => {
    sum += value
    return sum > totalMax
  })
}

function removeCoins(state: IndexState, ids: Uint32Array | readonly number[]): void {
  const handle = handleIn(state)
  const numbers = isUint32Array(ids) ? ids : readIds(ids)
  engine.removeCoins(handle, numbers, ({ offset = 0 }) => ({
    path: `ids[${offset}]`,
    actual: ids[offset],
  }))
  readSize(state)
}

/** Maps a number that cannot be an id to an id that no coin has, so that the engine names it. */
function readIds(ids: readonly number[]): Uint32Array {
  if (!Array.isArray(ids)) throw argumentError('ids', 'an array of numbers', ids)
  return Uint32Array.from(ids, (id: unknown, at) => {
    if (typeof id !== 'number') throw argumentError(`ids[${at}]`, 'a number', id)
    return id >>> 0 === id ? id : 0xffffffff
  })
}

function freeCoins(state: IndexState): void {
  if (state.handle !== undefined) engine.freeCoinIndex(state.handle)
  state.handle = undefined
  state.size = 0
  state.total = 0n
}

function readSize(state: IndexState): void {
  state.size = holdingSize()
  state.total = holdingTotal()
}

function locateIn(coins: BigInt64Array, inputBytes: InputBytes): Locate {
  return (context, code) => locateCoin(context, code, coins, inputBytes, '')
}
