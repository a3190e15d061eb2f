// Pools of coins to select among, for the tasks that time it.

import { createRequire } from 'node:module'
import { randomSource } from '../selection/core-model.mjs'

/** Satoshis per 1000 bytes, and bytes: pay to public key hash, as npm coinselect counts it. */
export const terms = {
  feeRate: 20_000,
  longTermFeeRate: 10_000,
  baseBytes: 44,
  changeBytes: 34,
  changeSpendBytes: 148,
}
export const inputBytes = 148
// Loaded where it chooses: to list the tasks no peer is needed.
const requirePeer = createRequire(import.meta.url)
const satsPerByte = terms.feeRate / 1000
const longTermPerByte = terms.longTermFeeRate / 1000
/** Few out of the largest pools: proving a peer runs each payment several times. */
const paymentsOutOf = (/** @type {number} */ count) => (count < 1_000_000 ? 16 : 4)

/** Values over four magnitudes, each as likely: what wallets hold. @param {number} count */
function poolOf(count) {
  const random = randomSource(count)
  return Array.from({ length: count }, () =>
    Math.floor(10_000 * 10_000 ** (random.below(1e9) / 1e9)),
  )
}

/** @typedef {{ pool: number[], target: number }} Item payments out of one pool */

/** @param {number[]} counts */
export const coinCases = (counts) =>
  counts.map((count) => {
    const random = randomSource(1 + count)
    const pool = poolOf(count)
    const total = pool.reduce((sum, value) => sum + value, 0)
    // A few coins' worth to a part of the pool, but never thousands of inputs.
    const most = Math.min(total / 10, 4e8)
    const payments = paymentsOutOf(count)
    const items = Array.from({ length: payments }, () => ({
      pool,
      target: Math.floor(100_000 * (most / 100_000) ** (random.below(1e9) / 1e9)),
    }))
    return {
      name: `coins-${count}`,
      description: `${payments} payments, one at a time, out of ${count.toLocaleString('en')} coins`,
      items,
    }
  })

/** Objects as npm coinselect takes them; one list for each pool. */
const lists = new WeakMap()
/** @param {number[]} pool */
export function coinObjects(pool) {
  const list = lists.get(pool) ?? pool.map((value, at) => ({ value, at }))
  lists.set(pool, list)
  return list
}

/** @param {{ coins: object[], target: number }} input */
export const runCoinselect = ({ coins, target }) =>
  requirePeer('coinselect')(coins, [{ value: target }], satsPerByte)

/**
 * Bitcoin Core's waste of a selection that pays, or an error for one that does not.
 *
 * @param {{ item: Item, picked: number[], change: number }} selection positions in the pool
 * @returns {number} satoshis
 */
export function wasteOf({ item: { pool, target }, picked, change }) {
  if (new Set(picked).size !== picked.length) throw new Error('a coin is spent twice')
  const bytes = terms.baseBytes + inputBytes * picked.length + (change > 0 ? terms.changeBytes : 0)
  const fee = picked.reduce((sum, at) => sum + pool[at], 0) - target - change
  const overpaid = fee - satsPerByte * bytes
  if (overpaid < 0) throw new Error(`the fee is ${-overpaid} satoshis short`)
  const inputWaste = (satsPerByte - longTermPerByte) * inputBytes * picked.length
  const changeCost = satsPerByte * terms.changeBytes + longTermPerByte * terms.changeSpendBytes
  return inputWaste + (change > 0 ? changeCost : overpaid)
}

/** Returns the waste of npm coinselect's choice. @param {Item} item */
export function wasteOfCoinselect(item) {
  const { inputs, outputs } = runCoinselect({ coins: coinObjects(item.pool), target: item.target })
  return wasteOf({ item, picked: inputs.map(({ at }) => at), change: outputs[1]?.value ?? 0 })
}

/**
 * How our library selects, on either engine, out of what `coinsOf` makes of a pool once.
 *
 * @param {any} library @param {(values: BigInt64Array) => object} coinsOf
 */
function ours({ selectCoins }, coinsOf) {
  const made = new WeakMap()
  return {
    /** @param {Item} item */
    prepare: (item) => {
      const coins = made.get(item.pool) ?? coinsOf(BigInt64Array.from(item.pool, BigInt))
      made.set(item.pool, coins)
      return { item, coins, payment: { ...terms, target: BigInt(item.target) } }
    },
    /** @param {{ item: Item, coins: object, payment: object }} input */
    run: ({ item, coins, payment }) => ({ item, selection: selectCoins(coins, payment) }),
    /** @param {{ item: Item, selection: { picked: Uint32Array, change: bigint } }} answer */
    answer: ({ item, selection: { picked, change } }) =>
      wasteOf({ item, picked: [...picked], change: Number(change) }),
  }
}

/** @param {any} library */
export const fromArrays = (library) => ours(library, (values) => ({ values, inputBytes }))

/** @param {any} library */
export const fromIndexes = (library) =>
  ours(library, (values) => ({ index: library.createCoinIndex(values, inputBytes) }))

/** No peer may waste more than npm coinselect. @param {number} expected @param {number} actual */
export const noMoreWaste = (expected, actual) =>
  actual <= expected ? undefined : `wastes ${actual} satoshis, npm coinselect ${expected}`
