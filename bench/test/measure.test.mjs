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

test('every input is timed alike, where a sample is shorter than a pass', async () => {
  const counts = [0, 0, 0, 0, 0]
  const peer = definePeer({
    name: 'slow',
    run: (/** @type {number} */ input) => {
      counts[input] += 1
      busy(3)
    },
  })
  const inputs = counts.map((_, at) => at)
  const options = { rounds: 5, sampleMs: 6, warmUpMs: 20, unitsPerItem: 1, clock: 'wall' }
  await measure([{ peer, inputs }], options)
  // The first run, which tells whether the peer is asynchronous, is of the first input.
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, `${counts}`)
})

test('no run of an asynchronous peer is left running when its time begins', async () => {
  let running = 0
  let most = 0
  const later = definePeer({
    name: 'later',
    run: async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 3))
      running -= 1
    },
  })
  const options = { rounds: 1, sampleMs: 6, warmUpMs: 10, unitsPerItem: 1, clock: 'wall' }
  await measure([{ peer: later, inputs: [0] }], options)
  assert.equal(most, 1)
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
