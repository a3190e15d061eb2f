// The model of Bitcoin Core's selection against Core's own unit cases.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import {
  branchAndBound,
  coinGrinder,
  knapsack,
  randomSource,
  singleRandomDraw,
  wasteOf,
} from '../selection/core-model.mjs'

const cases = JSON.parse(
  readFileSync(new URL('../../test/vectors/selection/core.json', import.meta.url), 'utf8'),
)

/** A list in which [x, n] stands for n times x. */
const spelledOut = (list) =>
  list.flatMap((item) => (Array.isArray(item) ? Array(item[1]).fill(item[0]) : [item]))

const sized = (utxos, satsPerByte) =>
  utxos.flatMap(([value, bytes, count]) =>
    Array.from({ length: count }, () => ({
      value,
      amount: value - satsPerByte * bytes,
      weight: 4 * bytes,
    })),
  )

const amounts = (coins) => coins.map(({ amount }) => amount)
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const descending = (numbers) => numbers.toSorted((a, b) => b - a)

// Without changeless selections there is no branch and bound to test.
for (const it of cases.bnb.filter(({ subtractFeeFromOutputs }) => !subtractFeeFromOutputs)) {
  test(`branch and bound: ${it.name}`, () => {
    const kept = it.preselected ?? []
    const pool = spelledOut(it.pool)
      .map((amount, at) => ({
        amount,
        fee: it.fee ?? 0,
        longTermFee: it.longTermFee ?? 0,
        weight: it.weights?.[at] ?? 0,
      }))
      .filter(({ amount }) => !kept.includes(amount))
    const target = it.target - sum(kept)
    const found = branchAndBound(pool, target, it.costOfChange ?? 0, it.maxWeight)
    if (it.expect === null) return assert.equal(found, undefined)
    if (it.expectTotal !== undefined) assert.equal(sum(amounts(found)), it.expectTotal)
    if (it.expect === 'any') return undefined
    const expected = it.expect.filter((amount) => !kept.includes(amount))
    return assert.deepEqual(descending(amounts(found)), descending(expected))
  })
}

for (const it of cases.knapsack.filter(({ property }) => property === undefined)) {
  test(`knapsack: ${it.name}`, () => {
    const pool = spelledOut(it.pool).map((amount) => ({ amount }))
    for (let seed = 1; seed <= 3; seed++) {
      const found = knapsack(pool, it.target, it.changeTarget, randomSource(seed))
      if (it.expectTotal === null) {
        assert.equal(found, undefined)
        continue
      }
      assert.equal(sum(amounts(found)), it.expectTotal)
      if (it.expectInputs !== undefined) assert.equal(found.length, it.expectInputs)
    }
  })
}

for (const it of cases.waste.filter(({ bumpFees }) => bumpFees === undefined)) {
  test(`waste: ${it.name}`, () => {
    const coins = it.inputs.map((value) => ({
      amount: value - it.fee,
      fee: it.fee,
      longTermFee: it.longTermFee,
    }))
    assert.equal(wasteOf(coins, it.target, it), it.expectWaste)
  })
}

for (const it of cases.coingrinder) {
  test(`CoinGrinder: ${it.name}`, () => {
    const pool = sized(it.utxos, it.feerateSatPerVb)
    const found = coinGrinder(pool, it.target, it.changeTarget, it.maxWeight)
    if (it.expect === null) return assert.equal(found.error, it.expectError)
    assert.equal(found.attempts, it.expectAttempts)
    if (it.expect === 'any') return undefined
    const values = found.coins.map(({ value }) => value)
    return assert.deepEqual(descending(values), descending(it.expect))
  })
}

for (const it of cases.srd) {
  test(`single random draw: ${it.name}`, () => {
    const pool = sized(it.utxos, 0)
    for (let seed = 1; seed <= 20; seed++) {
      const found = singleRandomDraw(pool, it.target, 0, randomSource(seed), it.maxWeight)
      if (it.expect === null) {
        assert.equal(found.error, it.expectError)
        continue
      }
      assert.ok(sum(amounts(found.coins)) >= it.target + 50_000)
      assert.ok(sum(found.coins.map(({ weight }) => weight)) <= it.maxWeight)
    }
  })
}
