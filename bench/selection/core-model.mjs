// A model of Bitcoin Core's coin selection (v29: src/wallet/coinselection.cpp and spend.cpp), to
// compare with. It has branch and bound, knapsack, single random draw, and CoinGrinder above three
// times the long-term fee rate. The least waste wins; ties go to more inputs.
// Written from the algorithms' description, checked against Core's own unit cases by
// bench/test/core-model.test.mjs. Amounts are numbers: every scenario stays below 2^53.

const changeLower = 50_000
const changeUpper = 1_000_000
const triesMax = 100_000
const knapsackRounds = 1000

/** A seeded xorshift generator, so that every run of a simulation is the same. */
export function randomSource(seed) {
  let state = seed >>> 0 || 0x9e3779b9
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state
  }
  return {
    bit: () => (next() & 0x10000) !== 0,
    below: (bound) => Math.floor((next() / 0x100000000) * bound),
  }
}

function shuffled(items, random) {
  const copy = items.slice()
  for (let i = copy.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const swapped = copy[i]
    copy[i] = copy[j]
    copy[j] = swapped
  }
  return copy
}

/**
 * Changeless selection of least waste.
 *
 * @param pool - coins `{ amount, weight, fee, longTermFee }`, `amount` being the effective value
 * @returns the coins, or undefined where none fits or `tries` ran out
 */
export function branchAndBound(pool, target, costOfChange, weightMax = Infinity, tries = triesMax) {
  const coins = pool
    .slice()
    .sort(
      (a, b) =>
        b.amount - a.amount ||
        a.fee - a.longTermFee - (b.fee - b.longTermFee) ||
        a.weight - b.weight,
    )
  let available = coins.reduce((sum, coin) => sum + coin.amount, 0)
  if (coins.length === 0 || available < target) return undefined
  const feeRateIsHigh = coins[0].fee > coins[0].longTermFee
  const chosen = []
  let value = 0
  let waste = 0
  let weight = 0
  let best
  let bestWaste = Infinity
  for (let attempt = 0, index = 0; attempt < tries; attempt++, index++) {
    let backtrack = false
    if (
      value + available < target ||
      value > target + costOfChange ||
      (waste > bestWaste && feeRateIsHigh) ||
      weight > weightMax
    ) {
      backtrack = true
    } else if (value >= target) {
      const total = waste + value - target
      if (total <= bestWaste) {
        best = chosen.slice()
        bestWaste = total
      }
      backtrack = true
    }
    if (backtrack) {
      if (chosen.length === 0) break
      const last = chosen[chosen.length - 1]
      for (index--; index > last; index--) available += coins[index].amount
      const coin = coins[last]
      value -= coin.amount
      waste -= coin.fee - coin.longTermFee
      weight -= coin.weight
      chosen.pop()
      continue
    }
    const coin = coins[index]
    available -= coin.amount
    const previous = coins[index - 1]
    if (
      chosen.length === 0 ||
      index - 1 === chosen[chosen.length - 1] ||
      coin.amount !== previous.amount ||
      coin.fee !== previous.fee
    ) {
      chosen.push(index)
      value += coin.amount
      waste += coin.fee - coin.longTermFee
      weight += coin.weight
    }
  }
  return best?.map((index) => coins[index])
}

/**
 * Selection of least weight that leaves at least `changeTarget`; among equals the least amount.
 *
 * @returns `{ coins, attempts }`, or `{ error }`
 */
export function coinGrinder(pool, target, changeTarget, weightMax, tries = triesMax) {
  const coins = pool.slice().sort((a, b) => b.amount - a.amount || a.weight - b.weight)
  const count = coins.length
  const ahead = new Float64Array(count)
  const lightestAhead = new Float64Array(count)
  let total = 0
  let lightest = Infinity
  for (let i = count - 1; i >= 0; i--) {
    ahead[i] = total
    lightestAhead[i] = lightest
    total += coins[i].amount
    lightest = Math.min(lightest, coins[i].weight)
  }
  const wanted = target + changeTarget
  if (total < wanted || count === 0) return { error: 'insufficient funds' }

  const chosen = []
  let amount = 0
  let weight = 0
  let best
  let bestAmount = Infinity
  let bestWeight = weightMax
  let weightExceeded = false
  let next = 0
  let attempts = 0
  const dropLast = () => {
    const coin = coins[chosen.pop()]
    amount -= coin.amount
    weight -= coin.weight
  }
  for (let done = false; !done; ) {
    let shift = false
    let cut = false
    const coin = coins[next]
    amount += coin.amount
    weight += coin.weight
    chosen.push(next)
    next++
    attempts++
    const tail = chosen[chosen.length - 1]
    if (amount + ahead[tail] < wanted) {
      cut = true
    } else if (weight > bestWeight) {
      if (weight > weightMax) weightExceeded = true
      if (coins[tail].weight <= lightestAhead[tail]) cut = true
      else shift = true
    } else if (amount >= wanted) {
      shift = true
      if (weight < bestWeight || (weight === bestWeight && amount < bestAmount)) {
        best = chosen.slice()
        bestWeight = weight
        bestAmount = amount
      }
    } else if (
      best !== undefined &&
      weight + lightestAhead[tail] * Math.ceil((wanted - amount) / coins[tail].amount) > bestWeight
    ) {
      if (coins[tail].weight <= lightestAhead[tail]) cut = true
      else shift = true
    }
    if (attempts >= tries) break
    if (next === count) cut = true
    if (cut) {
      dropLast()
      shift = true
    }
    while (shift) {
      if (chosen.length === 0) {
        done = true
        break
      }
      next = chosen[chosen.length - 1] + 1
      dropLast()
      shift = false
      while (coins[next - 1].amount === coins[next].amount) {
        if (next >= count - 1) {
          shift = true
          break
        }
        next++
      }
    }
  }
  if (best === undefined) {
    return { error: weightExceeded ? 'max weight exceeded' : 'no solution' }
  }
  return { coins: best.map((index) => coins[index]), attempts }
}

/** Random coins until the target and a useful change are reached; the least valuable yield to the weight limit. */
export function singleRandomDraw(pool, target, changeFee, random, weightMax = Infinity) {
  const wanted = target + changeLower + changeFee
  const chosen = []
  let amount = 0
  let weight = 0
  let weightExceeded = false
  for (const coin of shuffled(pool, random)) {
    chosen.push(coin)
    amount += coin.amount
    weight += coin.weight
    while (weight > weightMax && chosen.length > 0) {
      weightExceeded = true
      let least = 0
      for (let i = 1; i < chosen.length; i++) if (chosen[i].amount < chosen[least].amount) least = i
      const [dropped] = chosen.splice(least, 1)
      amount -= dropped.amount
      weight -= dropped.weight
    }
    if (amount >= wanted) return { coins: chosen }
  }
  return { error: weightExceeded ? 'max weight exceeded' : 'insufficient funds' }
}

function closestSubset(amounts, total, target, random) {
  const count = amounts.length
  let best = new Uint8Array(count).fill(1)
  let bestTotal = total
  const included = new Uint8Array(count)
  for (let round = 0; round < knapsackRounds && bestTotal !== target; round++) {
    included.fill(0)
    let sum = 0
    let reached = false
    for (let pass = 0; pass < 2 && !reached; pass++) {
      for (let i = 0; i < count; i++) {
        // The second pass takes what the first left out.
        if (!(pass === 0 ? random.bit() : included[i] === 0)) continue
        sum += amounts[i]
        included[i] = 1
        if (sum < target) continue
        reached = true
        if (sum < bestTotal) {
          bestTotal = sum
          best = included.slice()
        }
        sum -= amounts[i]
        included[i] = 0
      }
    }
  }
  return { best, bestTotal }
}

/** Closest random subset to the target, or to the target plus change, or the least larger coin. */
export function knapsack(pool, target, changeTarget, random) {
  let larger
  const smaller = []
  let smallerTotal = 0
  for (const coin of shuffled(pool, random)) {
    if (coin.amount === target) return [coin]
    if (coin.amount < target + changeTarget) {
      smaller.push(coin)
      smallerTotal += coin.amount
    } else if (larger === undefined || coin.amount < larger.amount) {
      larger = coin
    }
  }
  if (smallerTotal === target) return smaller.length > 0 ? smaller : undefined
  if (smallerTotal < target) return larger === undefined ? undefined : [larger]
  smaller.sort((a, b) => b.amount - a.amount)
  const amounts = Float64Array.from(smaller, (coin) => coin.amount)
  let { best, bestTotal } = closestSubset(amounts, smallerTotal, target, random)
  if (bestTotal !== target && smallerTotal >= target + changeTarget) {
    ;({ best, bestTotal } = closestSubset(amounts, smallerTotal, target + changeTarget, random))
  }
  const misses = bestTotal !== target && bestTotal < target + changeTarget
  if (larger !== undefined && (misses || larger.amount <= bestTotal)) return [larger]
  return smaller.filter((_, index) => best[index] === 1)
}

/** Core's waste: what the inputs cost above the long-term rate, plus change or what is thrown away. */
export function wasteOf(coins, target, { minViableChange, changeCost, changeFee }) {
  let waste = 0
  let amount = 0
  for (const coin of coins) {
    waste += coin.fee - coin.longTermFee
    amount += coin.amount
  }
  const excess = amount - target
  return waste + (excess - changeFee >= minViableChange ? changeCost : excess)
}

function changeTargetOf(payment, changeFee, random) {
  if (payment <= changeLower / 2) return changeFee + changeLower
  const upper = Math.min(payment * 2, changeUpper)
  return changeFee + random.below(upper - changeLower) + changeLower
}

const feeAt = (feeRate, bytes) => Math.ceil((feeRate * bytes) / 1000)

/**
 * Core's current mix for one payment.
 *
 * @param pool - amounts of the coins
 * @param o - see the simulator: payment, feeRate and longTermFeeRate in sat per 1000 bytes, sizes
 * @param use - which algorithms take part: `bnb`, `knapsack`, `srd`, `coingrinder`
 * @returns indices into `pool`, change (0 for none) and the algorithm, or undefined
 */
export function selectLikeCore(pool, o, random, use = ['bnb', 'knapsack', 'srd', 'coingrinder']) {
  const fee = feeAt(o.feeRate, o.inputBytes)
  const longTermFee = feeAt(o.longTermFeeRate, o.inputBytes)
  const weight = o.inputBytes * 4
  const target = o.target + feeAt(o.feeRate, o.baseBytes)
  const changeFee = feeAt(o.feeRate, o.changeBytes)
  const changeSpendFee = feeAt(o.discardFeeRate ?? o.longTermFeeRate, o.changeSpendBytes)
  const changeCost = changeFee + changeSpendFee
  const minViableChange = Math.max(changeSpendFee + 1, o.dust)
  const changeTarget = changeTargetOf(o.target, changeFee, random)
  const weightMax = (o.weightMax ?? 400_000) - o.baseBytes * 4
  const mixed = []
  for (let index = 0; index < pool.length; index++) {
    mixed.push({ index, amount: pool[index] - fee, fee, longTermFee, weight })
  }
  const positive = mixed.filter((coin) => coin.amount > 0)

  const candidates = []
  const consider = (algorithm, coins) => {
    if (coins === undefined || coins.length === 0) return
    const waste = wasteOf(coins, target, { minViableChange, changeCost, changeFee })
    candidates.push({ algorithm, coins, waste })
  }
  if (use.includes('bnb')) {
    consider('bnb', branchAndBound(positive, target, changeCost, weightMax))
  }
  const weightMaxWithChange = weightMax - o.changeBytes * 4
  if (use.includes('knapsack')) consider('knapsack', knapsack(mixed, target, changeTarget, random))
  if (use.includes('coingrinder') && o.feeRate > 3 * o.longTermFeeRate) {
    consider('coingrinder', coinGrinder(positive, target, changeTarget, weightMaxWithChange).coins)
  }
  if (use.includes('srd')) {
    consider(
      'srd',
      singleRandomDraw(positive, target, changeFee, random, weightMaxWithChange).coins,
    )
  }
  let best
  for (const candidate of candidates) {
    if (
      best === undefined ||
      candidate.waste < best.waste ||
      (candidate.waste === best.waste && candidate.coins.length > best.coins.length)
    ) {
      best = candidate
    }
  }
  if (best === undefined) return undefined
  const excess = best.coins.reduce((sum, coin) => sum + coin.amount, 0) - target
  const change = excess - changeFee >= minViableChange ? excess - changeFee : 0
  return { picked: best.coins.map((coin) => coin.index), change, algorithm: best.algorithm }
}
