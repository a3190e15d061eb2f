import { describe, expect, test } from 'vitest'

import {
  type CoinArrays,
  type Coins,
  createCoinIndex,
  type PaymentTerms,
  selectCoins,
  selectTokenCoins,
  type TransferTerms,
} from '../../../src/index.ts'
import { refusalOf } from '../../support/refusal.ts'

const payment: PaymentTerms = {
  target: 80_600n,
  feeRate: 1000,
  longTermFeeRate: 1000,
  baseBytes: 44,
  changeBytes: 34,
  changeSpendBytes: 148,
}
const three: Coins = { values: BigInt64Array.of(50_000n, 70_000n, 31_000n), inputBytes: 148 }

const transfer: TransferTerms = {
  amount: 100n,
  fixedFee: 10_000n,
  baseBytes: 169,
  tokenChangeBytes: 57,
  changeBytes: 44,
  changeSpendBytes: 114,
}
const native: CoinArrays = { values: BigInt64Array.of(50_000n), inputBytes: 114 }
const tokensOf = (...values: number[]): CoinArrays => ({
  values: BigInt64Array.from(values, BigInt),
  inputBytes: 164,
})

/** Every result is looked at as what it should be; anything else fails where it is used. */
function selected(coins: Coins, changed: Partial<PaymentTerms> = {}) {
  const selection = selectCoins(coins, { ...payment, ...changed })
  if (!selection.ok) throw new Error(selection.code)
  return selection
}

describe('selectCoins', () => {
  test('finds the coins that leave no change', () => {
    const { picked, fee, change, bytes, waste, algorithm } = selected(three)
    expect([...picked]).toEqual([0, 2])
    expect({ fee, change, bytes, waste, algorithm }).toEqual({
      fee: 400n,
      change: 0n,
      bytes: 340,
      waste: 60n,
      algorithm: 'branch-and-bound',
    })
  })

  test('shows what the choice was compared with, least waste first', () => {
    const { alternatives, algorithm } = selected(three)
    expect(alternatives[0]!.algorithm).toBe(algorithm)
    expect(alternatives.length).toBeGreaterThan(1)
    const wastes = alternatives.map(({ waste }) => waste)
    expect(wastes).toEqual(wastes.toSorted((a, b) => Number(a - b)))
  })

  test('charges a fixed fee whatever the size, and gives all the rest back', () => {
    const { feeRate: _, longTermFeeRate: __, ...terms } = payment
    const values = BigInt64Array.from({ length: 200 }, () => 1000n)
    const selection = selectCoins({ values }, { ...terms, fixedFee: 10_000n, target: 80_000n })
    expect(selection).toMatchObject({ ok: true, fee: 10_000n, change: 0n, inputs: 90 })
    expect(
      selectCoins({ values: BigInt64Array.of(100_000n) }, { ...terms, fixedFee: 10_000n }),
    ).toMatchObject({ fee: 10_000n, change: 9_400n })
  })

  test('spends many coins where bytes are cheap, few where they are dear', () => {
    const values = BigInt64Array.from({ length: 400 }, (_, at) => BigInt(20_000 + 37 * at))
    const inputs = (feeRate: number) =>
      selected({ values }, { target: 100_000n, feeRate, longTermFeeRate: 10_000 }).inputs
    expect(inputs(1000)).toBeGreaterThan(inputs(30_000))
  })

  test('tidies up a hundred coins at most, however cheap bytes are', () => {
    const values = new BigInt64Array(5000).fill(100_000n)
    const cheap = { target: 80_000n, feeRate: 0.001, longTermFeeRate: 10_000 }
    expect(selected({ values }, cheap).inputs).toBe(100)
    expect(selected({ values }, { ...cheap, target: 20_000_000n }).inputs).toBe(201)
  })

  test('leaves alone what costs more than it brings', () => {
    const values = BigInt64Array.of(100n, 148n, 90_000n)
    expect([...selected({ values }).picked]).toEqual([2])
    expect(selectCoins({ values: values.subarray(0, 2) }, { ...payment, target: 1n })).toEqual({
      ok: false,
      code: 'insufficient_funds',
      available: 0n,
    })
  })

  test('tells what it had when that is too little, or too much for the limits', () => {
    const failed = (coins: Coins, changed: Partial<PaymentTerms>) =>
      selectCoins(coins, { ...payment, ...changed })
    expect(failed(three, { target: 151_000n })).toEqual({
      ok: false,
      code: 'insufficient_funds',
      available: 151_000n,
    })
    expect(failed({ values: new BigInt64Array(0) }, {})).toEqual({
      ok: false,
      code: 'insufficient_funds',
      available: 0n,
    })
    expect(failed(three, { maxInputs: 1 })).toEqual({
      ok: false,
      code: 'selection_over_limits',
      available: 70_000n,
    })
    expect(failed(three, { maxBytes: 339 })).toMatchObject({ code: 'selection_over_limits' })
    expect(failed(three, { maxBytes: 340 })).toMatchObject({ ok: true })
  })

  test.each<[string, Partial<PaymentTerms>, object]>([
    [
      'the dust',
      { dust: 100_000_001n },
      { path: 'dust', expected: 'at most 100000000', actual: 100_000_001n },
    ],
    [
      'the cost of spending change',
      { changeSpendBytes: 1000, longTermFeeRate: 100_000_000 },
      {
        path: 'changeSpendBytes',
        expected: 'a size that costs less than 100000000 satoshis at the fee rate',
        actual: 100_000_000n,
      },
    ],
  ])('names %s if that is more than a coin, and no coin', (_, changed, context) => {
    expect(() => selectCoins(three, { ...payment, ...changed })).toThrow(
      expect.objectContaining({ code: 'payment_out_of_range', context }),
    )
    expect(selected(three, { dust: 100_000_000n }).ok).toBe(true)
  })

  test('the seed decides the draw and nothing else does', () => {
    const values = BigInt64Array.from({ length: 500 }, (_, at) =>
      BigInt(1000 + ((at * 7919) % 5003)),
    )
    const cheap = { target: 200_000n, feeRate: 1000, longTermFeeRate: 20_000 }
    const drawn = (seed?: string) =>
      selected({ values }, { ...cheap, ...(seed !== undefined && { seed }) }).alternatives.find(
        ({ algorithm }) => algorithm === 'random-draw',
      )
    expect(drawn()).toEqual(drawn())
    expect(drawn('a')).toEqual(drawn('a'))
    const changes = ['a', 'b', 'c', 'd'].map((seed) => drawn(seed)!.change)
    expect(new Set(changes).size).toBeGreaterThan(1)
  })

  test.each<[string, Coins, Partial<PaymentTerms>, object]>([
    ['a zero', { values: BigInt64Array.of(5n, 0n) }, {}, at('coin_value', 'coins.values[1]')],
    ['a negative', { values: BigInt64Array.of(-1n) }, {}, at('coin_value', 'coins.values[0]')],
    [
      '2^63 - 1',
      { values: BigInt64Array.of(2n ** 63n - 1n) },
      {},
      at('coin_value', 'coins.values[0]'),
    ],
    [
      'a sum over 2^62',
      { values: BigInt64Array.of(2n ** 62n, 1n) },
      {},
      at('coin_sum', 'coins.values[1]'),
    ],
    [
      'a huge coin',
      { values: BigInt64Array.of(1n), inputBytes: 5e6 },
      {},
      at('input_bytes', 'coins.inputBytes'),
    ],
    [
      'half a byte',
      { values: BigInt64Array.of(1n), inputBytes: 1.5 },
      {},
      at('input_bytes', 'coins.inputBytes'),
    ],
    [
      'a huge coin among others',
      { values: BigInt64Array.of(1n, 2n), inputBytes: Uint32Array.of(148, 4_000_001) },
      {},
      at('input_bytes', 'coins.inputBytes[1]'),
    ],
    ['a rate of NaN', three, { feeRate: Number.NaN }, at('fee_rate', 'feeRate')],
    ['an infinite rate', three, { feeRate: Number.POSITIVE_INFINITY }, at('fee_rate', 'feeRate')],
    ['a negative rate', three, { longTermFeeRate: -1 }, at('fee_rate', 'longTermFeeRate')],
    ['nothing to pay', three, { target: 0n }, at('payment', 'target')],
    ['a negative target', three, { target: -1n }, at('payment', 'target')],
    ['a target over 2^63', three, { target: 2n ** 63n }, at('payment', 'target')],
    ['a negative fee', three, { fixedFee: -1n }, at('payment', 'fixedFee')],
    ['a negative dust', three, { dust: -1n }, at('payment', 'dust')],
    ['a base of NaN', three, { baseBytes: Number.NaN }, at('input_bytes', 'baseBytes')],
    ['a negative size', three, { changeBytes: -1 }, at('input_bytes', 'changeBytes')],
    [
      'half an input',
      three,
      { maxInputs: 0.5 },
      { code: 'number_out_of_range', path: 'maxInputs' },
    ],
  ])('refuses %s', (_, coins, changed, expected) => {
    expect(refusalOf(() => selectCoins(coins, { ...payment, ...changed }))).toEqual(expected)
  })

  test('2^63 - 1 as a target is a sum that nobody has', () => {
    expect(selectCoins(three, { ...payment, target: 2n ** 63n - 1n })).toMatchObject({
      code: 'insufficient_funds',
    })
  })

  test('the largest amounts are added without overflow', () => {
    const values = BigInt64Array.of(2n ** 61n, 2n ** 61n)
    const { fee, change } = selected({ values }, { target: 2n ** 62n - 10_000n })
    expect(fee + change).toBe(10_000n)
  })

  test.each<[string, () => unknown]>([
    ['an array of numbers', () => selectCoins({ values: [1n] as never }, payment)],
    ['a Float64Array', () => selectCoins({ values: new Float64Array(1) as never }, payment)],
    ['no coins', () => selectCoins({}, payment)],
    ['no terms', () => selectCoins(three, undefined as never)],
    ['a number to pay', () => selectCoins(three, { ...payment, target: 5 as never })],
    ['a text as rate', () => selectCoins(three, { ...payment, feeRate: '5' as never })],
    ['no rate', () => selectCoins(three, { ...payment, feeRate: undefined as never })],
    ['a number as seed', () => selectCoins(three, { ...payment, seed: 5 as never })],
    [
      'too few sizes',
      () =>
        selectCoins({ values: BigInt64Array.of(1n, 2n), inputBytes: Uint32Array.of(1) }, payment),
    ],
    ['sizes as text', () => selectCoins({ ...three, inputBytes: '148' as never }, payment)],
    [
      'shared memory',
      () => selectCoins({ values: new BigInt64Array(new SharedArrayBuffer(8)) }, payment),
    ],
    [
      'memory that is gone',
      () => {
        const values = BigInt64Array.of(100_000n)
        structuredClone(values, { transfer: [values.buffer] })
        selectCoins({ values, inputBytes: new Uint32Array(values.length) }, payment)
      },
    ],
    ['another index', () => selectCoins({ index: { size: 1 } as never }, payment)],
  ])('%s is misuse', (_, call) => {
    expect(call).toThrow(TypeError)
  })
})

function at(code: string, path: string) {
  return { code: `${code}_out_of_range`, path }
}

describe('createCoinIndex', () => {
  const values = BigInt64Array.from({ length: 300 }, (_, id) =>
    BigInt(1000 + ((id * 7919) % 50_021)),
  )

  test('selects as the array does, before and after coins come and go', () => {
    const index = createCoinIndex(values, 148)
    expect(selected({ index })).toEqual(selected({ values }))
    expect(selected({ index, values })).toEqual(selected({ values }))

    const fresh = BigInt64Array.of(81_000n, 12_345n)
    expect(index.add(fresh, Uint32Array.of(148, 114))).toBe(300)
    expect(index.size).toBe(302)
    index.remove([0, 7])
    index.remove(Uint32Array.of(299))
    expect({ size: index.size, ids: index.ids }).toEqual({ size: 299, ids: 302 })
    const left = [...values.keys()].filter((id) => id !== 0 && id !== 7 && id !== 299)
    const ids = [...left, 300, 301]
    const all = BigInt64Array.of(...values, ...fresh)
    const sizes = Uint32Array.from(ids, (id) => (id === 301 ? 114 : 148))
    const same = { values: BigInt64Array.from(ids, (id) => all[id]!), inputBytes: sizes }
    expect(index.total).toBe(same.values.reduce((sum, value) => sum + value))
    for (const target of [5_000n, 80_600n, 700_000n]) {
      const expected = selected(same, { target })
      const { picked, ...rest } = selected({ index, values: all }, { target })
      const sumOf = (positions: Iterable<number>, from: BigInt64Array) =>
        [...positions].reduce((sum, position) => sum + from[position]!, 0n)
      expect(sumOf(picked, all)).toBe(sumOf(expected.picked, same.values))
      expect(rest).toEqual({ ...expected, picked: undefined, ...rest })
    }
  })

  test('adds coins of the size that it was made with', () => {
    const index = createCoinIndex(BigInt64Array.of(1000n), 114)
    index.add(BigInt64Array.of(100_000n))
    expect(selected({ index }).bytes).toBe(payment.baseBytes + 114 + payment.changeBytes)
  })

  test('refuses coins that it cannot hold or does not have, and stays as it was', () => {
    const index = createCoinIndex(values)
    const refused = (call: () => unknown) => {
      const error = refusalOf(call)
      expect({ size: index.size, ids: index.ids }).toEqual({ size: 300, ids: 300 })
      return error
    }
    expect(refused(() => index.add(BigInt64Array.of(5n, 0n)))).toEqual({
      code: 'coin_value_out_of_range',
      path: 'values[1]',
    })
    expect(refused(() => index.add(BigInt64Array.of(2n ** 62n)))).toMatchObject({
      code: 'coin_sum_out_of_range',
    })
    expect(refused(() => index.remove([3, 300]))).toEqual({ code: 'unknown_coin', path: 'ids[1]' })
    expect(refused(() => index.remove([3, 3]))).toEqual({ code: 'unknown_coin', path: 'ids[1]' })
    expect(refused(() => index.remove([-1]))).toEqual({ code: 'unknown_coin', path: 'ids[0]' })
    expect(refusalOf(() => createCoinIndex(BigInt64Array.of(-5n)))).toEqual({
      code: 'coin_value_out_of_range',
      path: 'values[0]',
    })
    expect(() => index.remove('3' as never)).toThrow(TypeError)
    expect(() => index.add([5n] as never)).toThrow(TypeError)
  })

  test('names the coin with which the sum is too large', () => {
    const index = createCoinIndex(BigInt64Array.of(2n ** 62n - 10n))
    const added = [BigInt64Array.of(5n, 20n), BigInt64Array.of(5n, 5n, 1n)]
    expect(added.map((values) => refusalOf(() => index.add(values)).path)).toEqual([
      'values[1]',
      'values[2]',
    ])
    expect(index.size).toBe(1)
  })

  test('notices values that are not those it was made of', () => {
    const index = createCoinIndex(values)
    expect(refusalOf(() => selected({ index, values: values.slice(1) }))).toMatchObject({
      code: 'stale_coin_index',
    })
    const others = values.map((value) => value + 1n)
    expect(refusalOf(() => selected({ index, values: others }))).toMatchObject({
      code: 'stale_coin_index',
    })
  })

  test('is of no use once it was freed, and freeing it twice is nothing', () => {
    const index = createCoinIndex(values)
    index.free()
    index.free()
    expect({ size: index.size, total: index.total }).toEqual({ size: 0, total: 0n })
    for (const use of [
      () => selected({ index }),
      () => index.add(values),
      () => index.remove([1]),
    ]) {
      expect(use).toThrow(TypeError)
    }
  })

  test('cannot be sent to another thread', () => {
    expect(() => structuredClone(createCoinIndex(values))).toThrow(/could not be cloned/)
  })
})

describe('selectTokenCoins', () => {
  const send = (tokens: CoinArrays, changed: Partial<TransferTerms> = {}, coins = native) =>
    selectTokenCoins(tokens, coins, { ...transfer, ...changed })

  test('prefers an exact match to fewer coins', () => {
    expect(send(tokensOf(70, 110, 30, 20))).toEqual({
      ok: true,
      tokens: { picked: Uint32Array.of(0, 2), change: 0n },
      coins: { picked: Uint32Array.of(0), change: 40_000n },
      fee: 10_000n,
      bytes: 169 + 2 * 164 + 114 + 44,
    })
  })

  test('takes the best fit where nothing matches', () => {
    expect(send(tokensOf(500, 101, 99, 120))).toMatchObject({
      tokens: { picked: Uint32Array.of(1), change: 1n },
      bytes: 169 + 164 + 57 + 114 + 44,
    })
  })

  test('sweeps small coins along if asked to', () => {
    expect(send(tokensOf(500, 101, 3, 2, 3), { sweep: 2 })).toMatchObject({
      tokens: { picked: Uint32Array.of(1, 2, 3), change: 6n },
    })
  })

  test('sweeps with a fee by rate only if that costs no more', () => {
    const { fixedFee: _, ...byRate } = { ...transfer, sweep: 2 }
    const swept = (feeRate: number) => {
      const result = selectTokenCoins(tokensOf(500, 101, 3, 2, 3), native, { ...byRate, feeRate })
      return result.ok && result.tokens.picked
    }
    expect(swept(0)).toEqual(Uint32Array.of(1, 2, 3))
    expect(swept(1000)).toEqual(Uint32Array.of(1))
  })

  test('sends a hundred equal coins, which komodod cannot', () => {
    const tokens = tokensOf(...Array<number>(100).fill(10))
    const all = send(tokens, { amount: 1000n })
    expect(all).toMatchObject({ ok: true, tokens: { change: 0n }, bytes: 169 + 16_400 + 114 + 44 })
    if (all.ok) expect(all.tokens.picked.length).toBe(100)
  })

  test('plans what to merge when the limits forbid a transfer', () => {
    const tokens = tokensOf(...Array<number>(100).fill(10))
    const result = send(tokens, { amount: 1000n, maxTokenInputs: 60 })
    expect(result).toMatchObject({ ok: false, code: 'selection_over_limits', available: 600n })
    if (result.ok) return
    expect(result.plan!.fee).toBe(10_000n)
    const [merge, ...others] = result.plan!.transactions
    expect(others).toEqual([])
    expect(merge).toMatchObject({ amount: 410n, merged: [], fee: 10_000n })
    expect(new Set(merge!.tokens).size).toBe(41)
  })

  test('limits the size by default, also for members that are undefined', () => {
    const tokens = tokensOf(...Array<number>(2000).fill(10))
    for (const limits of [{}, { maxBytes: undefined as never }]) {
      expect(send(tokens, { amount: 20_000n, ...limits })).toMatchObject({
        ok: false,
        code: 'selection_over_limits',
      })
    }
  })

  test('a plan merges what it merged when it must', () => {
    const tokens = tokensOf(...Array<number>(16).fill(1))
    const funds = { values: BigInt64Array.of(150_000n) }
    const result = send(tokens, { amount: 16n, maxTokenInputs: 2 }, funds)
    if (result.ok) throw new Error('a transfer of two coins cannot send sixteen')
    const made: bigint[] = []
    const spent = new Set<string>()
    for (const { tokens: ids, merged, amount } of result.plan!.transactions) {
      for (const coin of [
        ...[...ids].map((id) => `coin ${id}`),
        ...merged.map((id) => `made ${id}`),
      ]) {
        expect(spent.has(coin)).toBe(false)
        spent.add(coin)
      }
      expect(amount).toBe(BigInt(ids.length) + merged.reduce((sum, id) => sum + made[id]!, 0n))
      expect(ids.length + merged.length).toBeLessThanOrEqual(2)
      made.push(amount)
    }
    expect(made.length).toBe(14)
    expect(spent.size).toBe(28)
  })

  test.each<[string, number[], object]>([
    ['no native coins', [], {}],
    ['too few native coins for the fees of the merges', [29_999], {}],
    ['too few native coins for the merges and the transfer', [39_999], {}],
    ['one input', [40_000], { maxInputs: 1 }],
    ['no inputs', [40_000], { maxInputs: 0 }],
  ])('has no plan with %s', (_, values, limits) => {
    const tokens = tokensOf(20, 20, 20, 20, 20)
    const terms = { maxTokenInputs: 2, ...limits }
    const paying = { values: BigInt64Array.from(values, BigInt) }
    const result = send(tokens, terms, paying)
    expect(result).toMatchObject({ ok: false, code: 'selection_over_limits' })
    expect(result).not.toHaveProperty('plan')
    const enough = send(tokens, { maxTokenInputs: 2 }, { values: BigInt64Array.of(40_000n) })
    expect(enough).toMatchObject({ plan: { fee: 30_000n } })
  })

  test('has no plan with coins that cost more than they bring', () => {
    const { fixedFee: _, ...byRate } = { ...transfer, feeRate: 1000, maxTokenInputs: 2 }
    const tokens = tokensOf(20, 20, 20, 20, 20)
    const planned = (value: bigint) => {
      const coins = { values: new BigInt64Array(1000).fill(value) }
      const result = selectTokenCoins(tokens, coins, byRate)
      return 'plan' in result
    }
    expect([planned(148n), planned(149n)]).toEqual([false, true])
  })

  test('tells which asset is missing', () => {
    expect(send(tokensOf(60, 39))).toEqual({
      ok: false,
      code: 'insufficient_tokens',
      available: 99n,
    })
    expect(send(tokensOf(100), { fixedFee: 50_001n })).toEqual({
      ok: false,
      code: 'insufficient_funds',
      available: 50_000n,
    })
    expect(send(tokensOf())).toMatchObject({ code: 'insufficient_tokens', available: 0n })
  })

  test('tells all tokens if they are too few, and enough if the native inputs do not fit', () => {
    const many = tokensOf(...Array<number>(2000).fill(1))
    expect(send(many, { amount: 2001n })).toMatchObject({
      code: 'insufficient_tokens',
      available: 2000n,
    })
    const halves = { values: BigInt64Array.of(6000n, 6000n) }
    const limited = send(tokensOf(100), { maxInputs: 2 }, halves)
    expect(limited).toEqual({ ok: false, code: 'selection_over_limits', available: 100n })
    expect(send(tokensOf(100), { maxInputs: 3 }, halves)).toMatchObject({ ok: true })
  })

  test('a fee by rate is what the size costs', () => {
    const { fixedFee: _, ...terms } = transfer
    const result = selectTokenCoins(tokensOf(100), native, { ...terms, feeRate: 2000 })
    expect(result).toMatchObject({ ok: true, fee: 982n, bytes: 491 })
  })

  test.each([0, 114])('a free transfer keeps no room for a native input, %i bytes', (bytes) => {
    const none = { values: new BigInt64Array(0), inputBytes: 114 }
    const coins = bytes === 0 ? none : native
    const free = { fixedFee: 0n, maxInputs: 1, maxBytes: 169 + 164 }
    expect(send(tokensOf(100), free, coins)).toEqual({
      ok: true,
      tokens: { picked: Uint32Array.of(0), change: 0n },
      coins: { picked: new Uint32Array(0), change: 0n },
      fee: 0n,
      bytes: 169 + 164,
    })
    const { fixedFee: _, ...byRate } = { ...transfer, ...free, feeRate: 0 }
    expect(selectTokenCoins(tokensOf(100), coins, byRate)).toMatchObject({ ok: true, fee: 0n })
  })

  test('a plan of free merges needs no native coins', () => {
    const none = { values: new BigInt64Array(0) }
    const free = { fixedFee: 0n, maxInputs: 2, maxBytes: 169 + 2 * 164 + 57 }
    expect(send(tokensOf(30, 30, 40), free, none)).toMatchObject({
      code: 'selection_over_limits',
      available: 70n,
      plan: { fee: 0n, transactions: [{ amount: 60n, bytes: 169 + 2 * 164, fee: 0n }] },
    })
  })

  test('says whose coins are absurd', () => {
    expect(refusalOf(() => send(tokensOf(100, -3)))).toEqual(at('coin_value', 'tokens.values[1]'))
    expect(refusalOf(() => send(tokensOf(100), {}, { values: BigInt64Array.of(1n, 0n) }))).toEqual(
      at('coin_value', 'coins.values[1]'),
    )
    expect(refusalOf(() => send(tokensOf(100), { amount: 0n }))).toEqual(at('payment', 'amount'))
    expect(refusalOf(() => send(tokensOf(100), { sweep: -1 }))).toMatchObject({ path: 'sweep' })
    expect(() => send(tokensOf(100), { amount: 5 as never })).toThrow(TypeError)
    expect(() => send({ values: [5n] as never })).toThrow(TypeError)
  })
})
