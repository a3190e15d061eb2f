import { randomSource } from './core-model.mjs'
import { longTermFeeRate, paymentSizes, wasteOf } from './simulate.mjs'

const instances = 3000
const coinsMax = 16
/** Rounding to whole satoshis may cost so much. */
const toleranceSats = 2

/** How the values of an instance's coins come about. */
const families = [
  (random) => 10_000 + random.below(1_000_000),
  (random) => 2 ** (8 + random.below(24)),
  () => 100_000,
  (random) => 10_000 * (1 + random.below(20)),
  (random) => (1 + random.below(200)) * 2 ** random.below(20),
  (random) => 1 + random.below(50_000),
  (random) => 50_000 + random.below(300),
]

/** @returns {{ pool: number[], terms: import('./strategies.mjs').Terms }[]} always the same ones */
function randomInstances() {
  const random = randomSource(20_261_121)
  return Array.from({ length: instances }, (_, at) => {
    const family = families[at % families.length]
    const pool = Array.from({ length: 1 + random.below(coinsMax) }, () => family(random))
    const total = pool.reduce((sum, value) => sum + value, 0)
    const target = 1 + Math.floor((total * random.below(1000)) / 1050)
    const feeRate = 1000 + random.below(60_000)
    return { pool, terms: { target, feeRate, longTermFeeRate, ...paymentSizes } }
  })
}

const feeOf = (rate, bytes) => (rate * bytes) / 1000

/** The least waste of any set of coins worth spending; infinite if none pays. */
function leastWaste(pool, terms) {
  const { target, feeRate, inputBytes, baseBytes } = terms
  const inputFee = feeOf(feeRate, inputBytes)
  const worth = pool.filter((value) => value > inputFee)
  let least = Number.POSITIVE_INFINITY
  const search = (next, count, sum) => {
    const excess = sum - target - feeOf(feeRate, baseBytes)
    if (count > 0 && excess >= 0) least = Math.min(least, wasteOfSet(count, excess, terms))
    for (let at = next; at < worth.length; at++)
      search(at + 1, count + 1, sum + worth[at] - inputFee)
  }
  search(0, 0, 0)
  return least
}

/** With change where that is allowed and costs less than giving the excess away. */
function wasteOfSet(count, excess, { feeRate, changeBytes, dust }) {
  const without = wasteOf(count, 0, excess, feeRate)
  const change = excess - feeOf(feeRate, changeBytes)
  return change >= dust ? Math.min(without, wasteOf(count, change, 0, feeRate)) : without
}

/**
 * How often each strategy reaches the least possible waste.
 *
 * @param {Record<string, () => import('./strategies.mjs').Strategy>} strategies
 * @returns {{ name: string, solvable: number, reached: number, failed: number, meanGap: number }[]}
 */
export function measureOptimality(strategies) {
  const cases = randomInstances()
    .map((it) => ({ ...it, least: leastWaste(it.pool, it.terms) }))
    .filter(({ least }) => Number.isFinite(least))
  return Object.entries(strategies).map(([name, create]) => {
    const strategy = create()
    const result = { name, solvable: cases.length, reached: 0, failed: 0, meanGap: 0 }
    let gaps = 0
    for (const { pool, terms, least } of cases) {
      const selection = strategy(pool, terms)
      if (selection === undefined) {
        result.failed += 1
        continue
      }
      const gap = wasteOfSelection(pool, selection, terms) - least
      if (gap <= toleranceSats) result.reached += 1
      gaps += Math.max(gap, 0)
    }
    return { ...result, meanGap: gaps / (cases.length - result.failed) }
  })
}

function wasteOfSelection(pool, { picked, change }, { target, feeRate, ...sizes }) {
  const bytes =
    sizes.baseBytes + sizes.inputBytes * picked.length + (change > 0 ? sizes.changeBytes : 0)
  const fee = picked.reduce((sum, at) => sum + pool[at], 0) - target - change
  return wasteOf(picked.length, change, fee - feeOf(feeRate, bytes), feeRate)
}
