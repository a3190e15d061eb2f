import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePeer } from '../lib/define.mjs'
import { measure } from '../lib/measure.mjs'
import { ratioSpread, spread } from '../lib/statistics.mjs'

/** @param {number} ms */
const busy = (ms) => {
  const end = process.hrtime.bigint() + BigInt(ms) * 1_000_000n
  while (process.hrtime.bigint() < end);
}

test('medians and quartiles are interpolated and ignore the order of the rounds', () => {
  assert.deepEqual(spread([4, 1, 3, 2]), { median: 2.5, q1: 1.75, q3: 3.25, min: 1, max: 4 })
  assert.deepEqual(spread([7]), { median: 7, q1: 7, q3: 7, min: 7, max: 7 })
  assert.throws(() => spread([]), RangeError)
})

test('ratios pair the samples of one round, so that a slow round cancels out', () => {
  assert.equal(ratioSpread([20, 200, 20], [10, 100, 10]).median, 2)
})

test('every peer is timed once a round and per unit', async () => {
  const calls = []
  const peer = (/** @type {string} */ name, /** @type {number} */ ms) => ({
    peer: definePeer({
      name,
      run: () => {
        calls.push(name)
        busy(ms)
      },
    }),
    inputs: [0],
  })
  const options = { rounds: 4, sampleMs: 8, warmUpMs: 50, unitsPerItem: 2, clock: 'wall' }
  const [fast, slow] = await measure([peer('fast', 2), peer('slow', 4)], options)
  assert.equal(fast.length, 4)
  assert.equal(slow.length, 4)
  // A run of 2 ms is 2 units of 1 ms.
  assert.ok(spread(fast.map(({ wallNs }) => wallNs)).min >= 1e6)
  assert.ok(spread(slow.map(({ wallNs }) => wallNs)).min >= 2e6)
  const ends = calls.slice(-20).join(' ')
  assert.match(ends, /fast( fast)* slow|slow( slow)* fast/)
})

test('work that ends later is waited for', async () => {
  const later = definePeer({
    name: 'later',
    run: () => new Promise((resolve) => setTimeout(resolve, 3)),
  })
  const [samples] = await measure([{ peer: later, inputs: [0] }], {
    rounds: 2,
    sampleMs: 6,
    warmUpMs: 50,
    unitsPerItem: 1,
    clock: 'wall',
  })
  assert.ok(samples.every(({ wallNs }) => wallNs >= 2e6))
})
