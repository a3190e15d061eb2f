import assert from 'node:assert/strict'
import { test } from 'node:test'

import { lineChart } from '../lib/chart.mjs'
import { simulate } from '../selection/simulate.mjs'

/** Spends the last coin, whatever it is, and gives the rest back. */
const lastCoin = (pool, { target, feeRate }) => {
  const rest = pool.at(-1) - target - (feeRate * 140) / 1000
  return rest < 0 ? undefined : { picked: [pool.length - 1], change: rest >= 294 ? rest : 0 }
}

test('a wallet is replayed, and what it paid is counted', () => {
  const operations = [
    { value: 50_000 },
    { value: -20_000, feeRate: 1000 },
    { value: 7000 },
    { value: -6700, feeRate: 1000 },
    { value: -900_000, feeRate: 1000 },
  ]
  const result = simulate(operations, lastCoin)
  assert.deepEqual(
    { paid: result.paid, failed: result.failed, funded: result.failedThoughFunded },
    { paid: 2, failed: 1, funded: 0 },
  )
  // 140 bytes with change; then 300 satoshis for 109 bytes without
  assert.equal(result.fees, 440)
  assert.equal(result.overpaid, 191)
  assert.equal(result.underpaid, 0)
  assert.equal(result.changelessShare, 0.5)
  assert.equal(result.finalCoins, 1)
  assert.equal(result.feesAndEmptying, 440 + 680)
  assert.equal(result.meanCoins, (1 + 1 + 2 + 1 + 1) / 5)
  // two inputs at 9 sat/B below the long-term rate; change of 31 bytes, spent for 680 later
  assert.equal(result.waste, -2 * 68 * 9 + 31 + 680 + 191)
})

test('a payment that all coins could have made is a failure of the strategy', () => {
  const operations = [{ value: 5000 }, { value: 5000 }, { value: -8000, feeRate: 1000 }]
  assert.equal(simulate(operations, lastCoin).failedThoughFunded, 1)
})

test('rates are rounded up for those who know whole ones only', () => {
  const rates = []
  const operations = [{ value: 5000 }, { value: -100, feeRate: 1139 }]
  simulate(operations, (_, { feeRate }) => void rates.push(feeRate), { wholeRates: true })
  assert.deepEqual(rates, [2000])
})

test('a line chart draws a line for each series', () => {
  const lines = [
    { label: 'one & only', values: [0, 5, 10] },
    { label: 'other', values: [10, 10, 10] },
  ]
  const svg = lineChart({ title: 'T', subtitle: '', xMax: 3, xLabel: 'x', lines })
  assert.equal(svg.match(/<polyline/g).length, 2)
  assert.match(svg, /points="60\.0,390\.0 380\.0,230\.0 700\.0,70\.0"/)
  assert.match(svg, /one &amp; only/)
})
