// The same scenarios as token transfers: receipts and payments are token units, a native coin pays
// the family's fixed fee.

import { selectTokenCoins } from '../../dist/index.js'
import { spend } from './simulate.mjs'
import { walletOrder } from './strategies.mjs'

/** Bytes of a komodod transfer without inputs and change, and of what may be added; satoshis. */
const sizes = { base: 169, tokenInput: 164, tokenChange: 57, nativeInput: 114, nativeChange: 44 }
const fee = 10_000

/** @typedef {(tokens: number[], native: number[], amount: number) => { tokens: number[], native: number[] } | undefined} TokenStrategy */

/** @param {number} sweep @returns {TokenStrategy} */
const ours = (sweep) => (tokens, native, amount) => {
  const selection = selectTokenCoins(
    { values: BigInt64Array.from(tokens, BigInt), inputBytes: sizes.tokenInput },
    { values: BigInt64Array.from(native, BigInt), inputBytes: sizes.nativeInput },
    {
      amount: BigInt(amount),
      fixedFee: BigInt(fee),
      baseBytes: sizes.base,
      tokenChangeBytes: sizes.tokenChange,
      changeBytes: sizes.nativeChange,
      changeSpendBytes: sizes.nativeInput,
      sweep,
    },
  )
  if (!selection.ok) return undefined
  return { tokens: [...selection.tokens.picked], native: [...selection.coins.picked] }
}

const komodoTokensMax = 60

/**
 * komodod's rule, src/cc/CCtokens.cpp, AddTokenCCInputs: coins of a sixtieth of the amount or more
 * as they come, until they suffice, sixty at most.
 *
 * @type {TokenStrategy}
 */
function komodod(tokens, _native, amount) {
  const picked = []
  let sum = 0
  for (const at of walletOrder(tokens)) {
    if (tokens[at] < Math.floor(amount / komodoTokensMax)) continue
    picked.push(at)
    sum += tokens[at]
    if (sum >= amount) return { tokens: picked, native: [0] }
    if (picked.length === komodoTokensMax) break
  }
  return undefined
}

/** @type {TokenStrategy} */
function largestFirst(tokens, _native, amount) {
  const positions = [...tokens.keys()].sort((a, b) => tokens[b] - tokens[a])
  let sum = 0
  const end = positions.findIndex((at) => {
    sum += tokens[at]
    return sum >= amount
  })
  return end < 0 ? undefined : { tokens: positions.slice(0, end + 1), native: [0] }
}

/** @type {Record<string, TokenStrategy>} */
export const tokenStrategies = {
  'antara-tx': ours(0),
  'antara-tx, sweep 3': ours(3),
  komodod,
  'largest first': largestFirst,
}

/**
 * Replays a scenario as token transfers.
 *
 * @param {{ value: number }[]} operations
 * @param {TokenStrategy} strategy
 * @param {{ satsPerUnit?: number }} [options] amounts of the scenario are divided by this
 */
export function simulateTokens(operations, strategy, { satsPerUnit = 1 } = {}) {
  let tokens = []
  let native = [1e10]
  const total = { paid: 0, failed: 0, failedThoughFunded: 0 }
  const count = { bytes: 0, exact: 0, inputs: 0, inputsMax: 0, pools: 0 }
  for (const { value } of operations) {
    const units = Math.max(1, Math.trunc(Math.abs(value) / satsPerUnit))
    if (value > 0) tokens.push(units)
    else transfer(units)
    count.pools += tokens.length
  }
  return {
    ...total,
    bytesPerTransfer: count.bytes / total.paid,
    exactShare: count.exact / total.paid,
    meanInputs: count.inputs / total.paid,
    inputsMax: count.inputsMax,
    meanCoins: count.pools / operations.length,
    finalCoins: tokens.length,
  }

  function transfer(amount) {
    const selection = strategy(tokens, native, amount)
    if (selection === undefined) {
      total.failed += 1
      if (tokens.reduce((sum, value) => sum + value, 0) >= amount) total.failedThoughFunded += 1
      return
    }
    const change = selection.tokens.reduce((sum, at) => sum + tokens[at], 0) - amount
    const nativeChange = selection.native.reduce((sum, at) => sum + native[at], 0) - fee
    if (change < 0 || nativeChange < 0) throw new Error('a selection does not cover its transfer')
    total.paid += 1
    if (change === 0) count.exact += 1
    count.inputs += selection.tokens.length
    count.inputsMax = Math.max(count.inputsMax, selection.tokens.length)
    count.bytes +=
      sizes.base +
      sizes.tokenInput * selection.tokens.length +
      sizes.nativeInput * selection.native.length +
      (change > 0 ? sizes.tokenChange : 0) +
      (nativeChange > 0 ? sizes.nativeChange : 0)
    tokens = spend(tokens, selection.tokens, change)
    native = spend(native, selection.native, nativeChange)
  }
}
