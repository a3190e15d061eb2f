/** @typedef {import('./strategies.mjs').Strategy} Strategy */

/** Pay-to-witness-key-hash, as the published simulations have it; satoshis and bytes. */
export const paymentSizes = {
  inputBytes: 68,
  baseBytes: 41,
  changeBytes: 31,
  changeSpendBytes: 68,
  dust: 294,
}
/** Bitcoin Core's long-term fee rate; also what emptying the wallet is counted at. */
export const longTermFeeRate = 10_000

const bytesOf = (inputs, hasChange) =>
  paymentSizes.baseBytes +
  paymentSizes.inputBytes * inputs +
  (hasChange ? paymentSizes.changeBytes : 0)

/** Removes what was spent and adds what came back. */
export function spend(pool, picked, change) {
  const spent = new Set(picked)
  const left = pool.filter((_, at) => !spent.has(at))
  if (change > 0) left.push(change)
  return left
}

/**
 * Replays a scenario with one strategy.
 *
 * @param {{ value: number, feeRate: number }[]} operations
 * @param {Strategy} strategy
 * @param {{ initial?: number, wholeRates?: boolean }} [options] `initial`: a first receipt in
 *   satoshis; `wholeRates`: fee rates rounded up to satoshis per byte, for those that know no other
 */
export function simulate(operations, strategy, { initial, wholeRates = false } = {}) {
  let pool = initial === undefined ? [] : [initial]
  const total = { paid: 0, failed: 0, failedThoughFunded: 0, underpaid: 0, fees: 0, overpaid: 0 }
  const count = { changeless: 0, inputs: 0, inputsMax: 0, pools: 0 }
  const poolSizes = []
  const sampleEvery = Math.ceil(operations.length / 200)
  let waste = 0
  for (const [at, { value, feeRate: exactRate }] of operations.entries()) {
    if (value > 0) pool.push(value)
    else pay(-value, wholeRates ? 1000 * Math.ceil(exactRate / 1000) : exactRate)
    count.pools += pool.length
    if (at % sampleEvery === 0) poolSizes.push(pool.length)
  }
  const emptying = (pool.length * longTermFeeRate * paymentSizes.inputBytes) / 1000
  return {
    ...total,
    feesAndEmptying: total.fees + emptying,
    meanCoins: count.pools / operations.length,
    finalCoins: pool.length,
    changelessShare: count.changeless / total.paid,
    meanInputs: count.inputs / total.paid,
    inputsMax: count.inputsMax,
    waste,
    poolSizes,
  }

  function pay(target, feeRate) {
    const terms = { target, feeRate, longTermFeeRate, ...paymentSizes }
    const selection = strategy(pool, terms)
    if (selection === undefined) {
      total.failed += 1
      if (isFunded(pool, terms)) total.failedThoughFunded += 1
      return
    }
    const { picked, change } = selection
    const fee = picked.reduce((sum, at) => sum + pool[at], 0) - target - change
    const needed = Math.ceil((feeRate * bytesOf(picked.length, change > 0)) / 1000)
    total.paid += 1
    total.fees += fee
    if (fee < needed) total.underpaid += 1
    else total.overpaid += fee - needed
    if (change === 0) count.changeless += 1
    count.inputs += picked.length
    count.inputsMax = Math.max(count.inputsMax, picked.length)
    waste += wasteOf(picked.length, change, fee - needed, feeRate)
    pool = spend(pool, picked, change)
  }
}

/** Returns true if all coins, spent at once, would have paid. */
function isFunded(pool, { target, feeRate, inputBytes, baseBytes }) {
  const inputFee = (feeRate * inputBytes) / 1000
  const worth = pool.reduce((sum, value) => sum + Math.max(value - inputFee, 0), 0)
  return worth >= target + Math.ceil((feeRate * baseBytes) / 1000)
}

/** Bitcoin Core's: inputs above the long-term rate, and change or what is paid too much. */
export function wasteOf(inputs, change, overpaid, feeRate) {
  const { inputBytes, changeBytes, changeSpendBytes } = paymentSizes
  const inputWaste = ((feeRate - longTermFeeRate) * inputBytes * inputs) / 1000
  const changeCost = (feeRate * changeBytes + longTermFeeRate * changeSpendBytes) / 1000
  return inputWaste + (change > 0 ? changeCost : overpaid)
}
