// Coins that arrive in parts. The other party is the source: it may fail, never end, never answer,
// or give what is not a coin.

import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'

import {
  type CoinIndex,
  type CoinPart,
  createCoinIndex,
  createCoinIndexFrom,
  type PaymentTerms,
  selectCoins,
} from '../../../src/index.ts'

const terms: PaymentTerms = {
  target: 9_000_000n,
  feeRate: 1000,
  longTermFeeRate: 1000,
  baseBytes: 44,
  changeBytes: 34,
  changeSpendBytes: 148,
}

/** Values from 1,000 to 100,999, in no order. */
const valuesOf = (count: number) =>
  BigInt64Array.from({ length: count }, (_, at) => BigInt(1000 + ((at * 7919) % 100_000)))

const contents = ({ size, total, ids }: CoinIndex) => ({ size, total, ids })
const chosen = (coins: CoinIndex) => selectCoins({ index: coins }, terms)

async function* slowly(parts: Iterable<CoinPart>) {
  for (const part of parts) {
    await Promise.resolve()
    yield part
  }
}

/** Splits values into parts of growing lengths, an empty one among them. */
function* inParts(values: BigInt64Array): Generator<CoinPart> {
  yield new BigInt64Array(0)
  for (let from = 0, length = 1; from < values.length; from += length, length += 13) {
    const some = values.slice(from, from + length)
    if (length % 3 === 0) yield* some
    else if (length % 3 === 1) yield some
    else yield { values: some }
  }
}

describe.each([1, 500, 8192, 8193, 60_000])('an index of %i coins', (count) => {
  const values = valuesOf(count)
  const whole = createCoinIndex(values)

  test.each([
    ['values one by one', () => values],
    ['one array', () => [values]],
    ['parts of each kind', () => inParts(values)],
    ['parts that arrive later', () => slowly(inParts(values))],
  ])('is the same from %s', async (_, coins) => {
    const index = await createCoinIndexFrom(coins())
    expect(contents(index)).toEqual(contents(whole))
    expect(chosen(index)).toEqual(chosen(whole))
  })
})

test('sizes are those of the options, or of a chunk', async () => {
  const values = valuesOf(30)
  const sizes = Uint32Array.from({ length: 20 }, (_, at) => 100 + at)
  const expected = createCoinIndex(values.subarray(0, 10), 114)
  expected.add(values.subarray(10), sizes)
  const parts = [values.subarray(0, 10), { values: values.subarray(10), inputBytes: sizes }]
  const index = await createCoinIndexFrom(parts, { inputBytes: 114 })
  const small = { ...terms, target: 200_000n }
  expect(selectCoins({ index }, small)).toEqual(selectCoins({ index: expected }, small))
})

test('no coins make an empty index', async () => {
  expect(contents(await createCoinIndexFrom([]))).toEqual({ size: 0, total: 0n, ids: 0 })
})

test('a part that changes after it was given changes nothing', async () => {
  const page = BigInt64Array.of(5n, 6n)
  function* reused() {
    yield page
    page.fill(9n)
    yield page
  }
  expect((await createCoinIndexFrom(reused())).total).toBe(29n)
})

describe('a bad part is refused, and the source is closed:', () => {
  const big = Uint32Array.of(148, 4_000_001)
  test.each([
    ['no coin', 5, { name: 'TypeError' }],
    ['nothing', null, { name: 'TypeError' }],
    ['a list', [5n], { name: 'TypeError' }],
    ['an unknown member', { values: valuesOf(1), inputByte: 1 }, { name: 'TypeError' }],
    ['sizes of other coins', { values: valuesOf(1), inputBytes: big }, { name: 'TypeError' }],
    ['worth nothing', 0n, { code: 'coin_value_out_of_range', context: { path: 'coins[9002]' } }],
    ['a debt', -1n, { code: 'coin_value_out_of_range', context: { path: 'coins[9002]' } }],
    [
      'too large for 64 bits',
      1n << 64n,
      { code: 'coin_value_out_of_range', context: { path: 'coins[9002]' } },
    ],
    [
      'in an array',
      BigInt64Array.of(1n, 0n),
      { code: 'coin_value_out_of_range', context: { path: 'coins[9003]' } },
    ],
    [
      'too long',
      { values: valuesOf(2), inputBytes: big },
      { code: 'input_bytes_out_of_range', context: { path: 'coins[9003].inputBytes' } },
    ],
    ['more than all coins', 1n << 62n, { code: 'coin_sum_out_of_range' }],
  ])('%s', async (_, part, expected) => {
    let isClosed = false
    function* source() {
      try {
        yield valuesOf(9002)
        yield part as CoinPart
        yield 1n
      } finally {
        isClosed = true
      }
    }
    await expect(createCoinIndexFrom(source())).rejects.toMatchObject(expected)
    expect(isClosed).toBe(true)
  })
})

test('an error of the source is passed on', async () => {
  async function* failing() {
    yield 1n
    throw new Error('the database is gone')
  }
  await expect(createCoinIndexFrom(failing())).rejects.toThrow('the database is gone')
})

describe('an abort ends', () => {
  test('a source without end, while other work runs', async () => {
    const controller = new AbortController()
    let isClosed = false
    function* endless() {
      try {
        for (;;) yield new BigInt64Array(0)
      } finally {
        isClosed = true
      }
    }
    const index = createCoinIndexFrom(endless(), { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')))
    await expect(index).rejects.toThrow('enough')
    expect(isClosed).toBe(true)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  test('a source that never answers', async () => {
    const controller = new AbortController()
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
    const index = createCoinIndexFrom(silent, { signal: controller.signal })
    await sleep(0)
    controller.abort(new Error('enough'))
    await expect(index).rejects.toThrow('enough')
  })

  test('a reading that has not begun', async () => {
    const signal = AbortSignal.abort(new Error('before'))
    await expect(createCoinIndexFrom([1n], { signal })).rejects.toThrow('before')
  })
})

test.each([
  [undefined, {}, /^coins: expected/],
  [{}, {}, /^coins: expected an iterable/],
  [[], null, /^options: expected/],
  [[], { inputByte: 1 }, /did you mean/i],
  [[], { inputBytes: '148' }, /^options.inputBytes: expected a number/],
])('wrong arguments are refused at once: %o, %o', (coins, options, message) => {
  expect(() => createCoinIndexFrom(coins as never, options as never)).toThrow(message)
})
