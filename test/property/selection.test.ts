import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  createCoinIndex,
  type PaymentTerms,
  type SelectedCoins,
  selectCoins,
  selectTokenCoins,
  type TransferTerms,
} from '../../src/index.ts'
import { least, share } from '../support/share.ts'

interface Coin {
  readonly value: bigint
  readonly bytes: number
}

/** Sizes of inputs as they occur, or one for all. */
const inputBytes = fc.constantFrom(68, 114, 148, 164)
/** Values from dust to whole coins, and such that repeat. */
const value = fc.oneof(
  fc.bigInt(1n, 60_000n),
  fc.bigInt(1n, 100_000_000n),
  fc.constantFrom(10_000n, 20_000n, 50_000n, 100_000n),
)
const coin: fc.Arbitrary<Coin> = fc.record({ value, bytes: inputBytes })
const sizes = {
  baseBytes: fc.integer({ min: 10, max: 200 }),
  changeBytes: fc.integer({ min: 31, max: 57 }),
  changeSpendBytes: inputBytes,
}

/** Part of what the coins are worth; now and then more than all of it. */
const shareOf = (coins: readonly Coin[], share: number): bigint => {
  const total = coins.reduce((sum, it) => sum + it.value, 0n)
  const part = (total * BigInt(Math.round(share * 1000))) / 1000n
  return part > 0n ? part : 1n
}

interface Payment {
  readonly coins: readonly Coin[]
  readonly terms: PaymentTerms
}

const paymentOf = (count: number): fc.Arbitrary<Payment> =>
  fc
    .record({
      coins: fc.array(coin, { minLength: 1, maxLength: count }),
      share: fc.double({ min: 0.001, max: 1.05, noNaN: true }),
      feeRate: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.constant(1139.25)),
      longTermFeeRate: fc.constantFrom(0, 1000, 10_000, 30_000),
      dust: fc.bigInt(0n, 2000n),
      fixedFee: fc.option(fc.bigInt(0n, 20_000n), { nil: undefined, freq: 4 }),
      maxInputs: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 3 }),
      maxBytes: fc.option(fc.integer({ min: 100, max: 2000 }), { nil: undefined, freq: 3 }),
      ...sizes,
    })
    .map(({ coins, share, fixedFee, maxInputs, maxBytes, ...terms }) => ({
      coins,
      terms: {
        ...terms,
        target: shareOf(coins, share),
        ...(fixedFee !== undefined && { fixedFee }),
        ...(maxInputs !== undefined && { maxInputs }),
        ...(maxBytes !== undefined && { maxBytes }),
      },
    }))

const arraysOf = (coins: readonly Coin[]) => ({
  values: BigInt64Array.from(coins, (it) => it.value),
  inputBytes: Uint32Array.from(coins, (it) => it.bytes),
})
const select = ({ coins, terms }: Payment) => selectCoins(arraysOf(coins), terms)

const feeOf = (rate: number, bytes: number) => Math.max(0, Math.ceil((rate * bytes) / 1000 - 1e-9))

/** The least change that is made: no dust, and worth spending. */
function changeMin({ dust, longTermFeeRate, changeSpendBytes }: PaymentTerms): number {
  return Math.max(Number(dust!), feeOf(longTermFeeRate!, changeSpendBytes) + 1)
}

function neededFee({ fixedFee, feeRate }: PaymentTerms, bytes: number): number {
  return fixedFee === undefined ? feeOf(feeRate!, bytes) : Number(fixedFee)
}

/** Expects the properties that hold for any selection, whatever it chose. */
function expectSound({ coins, terms }: Payment, selection: SelectedCoins): void {
  const picked = [...selection.picked]
  expect(new Set(picked).size).toBe(picked.length)
  expect(picked.toSorted((a, b) => a - b)).toEqual(picked)
  const sum = picked.reduce((total, at) => total + coins[at]!.value, 0n)
  expect(sum).toBe(terms.target + selection.fee + selection.change)
  const inputs = picked.reduce((total, at) => total + coins[at]!.bytes, 0)
  const bytes = terms.baseBytes + inputs + (selection.change > 0n ? terms.changeBytes : 0)
  expect(selection.bytes).toBe(bytes)
  expect(bytes).toBeLessThanOrEqual(terms.maxBytes ?? Number.POSITIVE_INFINITY)
  expect(picked.length).toBeLessThanOrEqual(terms.maxInputs ?? Number.POSITIVE_INFINITY)
  if (selection.change > 0n) {
    expect(Number(selection.change)).toBeGreaterThanOrEqual(changeMin(terms))
    expect(Number(selection.fee)).toBe(neededFee(terms, bytes))
  } else {
    const over = Number(selection.fee) - neededFee(terms, bytes)
    const changeFee = terms.fixedFee === undefined ? feeOf(terms.feeRate!, terms.changeBytes) : 0
    expect(over).toBeGreaterThanOrEqual(0)
    expect(over).toBeLessThan(changeFee + changeMin(terms))
  }
}

/** Every set of the coins, with arithmetic of its own: the least waste, or nothing will do. */
function leastWaste({ coins, terms }: Payment): number | undefined {
  const rate = terms.feeRate! / 1000
  const isFixed = terms.fixedFee !== undefined
  const worth = coins.filter((it) => Number(it.value) > (isFixed ? 0 : rate * it.bytes))
  let least: number | undefined
  for (let set = 1; set < 1 << worth.length; set += 1) {
    const chosen = worth.filter((_, at) => (set >> at) & 1)
    const inputs = chosen.reduce((sum, it) => sum + it.bytes, 0)
    const sum = Number(chosen.reduce((total, it) => total + it.value, 0n))
    const fee = isFixed ? Number(terms.fixedFee) : rate * (terms.baseBytes + inputs)
    const excess = sum - Number(terms.target) - fee
    if (excess < 0) continue
    const changeFee = isFixed ? 0 : rate * terms.changeBytes
    const hasChange = excess - changeFee >= changeMin(terms)
    const bytes = terms.baseBytes + inputs + (hasChange ? terms.changeBytes : 0)
    if (chosen.length > (terms.maxInputs ?? 99) || bytes > (terms.maxBytes ?? 1e9)) continue
    const changeCost =
      rate * terms.changeBytes + feeOf(terms.longTermFeeRate!, terms.changeSpendBytes)
    const waste =
      (rate - terms.longTermFeeRate! / 1000) * inputs + (hasChange ? changeCost : excess)
    if (least === undefined || waste < least) least = waste
  }
  return least
}

test('chooses the set that wastes least, of up to nine coins', () => {
  let paid = 0
  fc.assert(
    fc.property(paymentOf(9), (payment) => {
      const least = leastWaste(payment)
      const selection = select(payment)
      expect(selection.ok).toBe(least !== undefined)
      if (!selection.ok) return
      paid += 1
      expectSound(payment, selection)
      expect(Math.abs(Number(selection.waste) - least!)).toBeLessThanOrEqual(1)
    }),
    { numRuns: share(3000) },
  )
  expect(paid).toBeGreaterThan(least(1000))
})

test('a selection among many coins is sound, and fails only where it must', () => {
  fc.assert(
    fc.property(paymentOf(300), (payment) => {
      const selection = select(payment)
      if (selection.ok) return expectSound(payment, selection)
      const { coins, terms } = payment
      const rate = terms.fixedFee === undefined ? terms.feeRate! : 0
      const worth = coins.reduce(
        (sum, it) => sum + Math.max(Number(it.value) - (rate * it.bytes) / 1000, 0),
        0,
      )
      const isPoor = worth < Number(terms.target) + neededFee(terms, terms.baseBytes)
      const isLimited = terms.maxInputs !== undefined || terms.maxBytes !== undefined
      expect(selection.code === 'insufficient_funds' ? isPoor : isLimited).toBe(true)
      return undefined
    }),
    { numRuns: share(1000) },
  )
})

test('the order of the coins changes nothing but their positions', () => {
  const shuffled = paymentOf(200).chain((payment) =>
    fc
      .shuffledSubarray([...payment.coins], {
        minLength: payment.coins.length,
        maxLength: payment.coins.length,
      })
      .map((coins) => ({ payment, other: { ...payment, coins } })),
  )
  const chosen = (payment: Payment) => {
    const selection = select(payment)
    if (!selection.ok) return selection
    const { picked, ...rest } = selection
    const coins = [...picked].map((at) => `${payment.coins[at]!.value}/${payment.coins[at]!.bytes}`)
    return { coins: coins.sort(), ...rest }
  }
  fc.assert(
    fc.property(shuffled, ({ payment, other }) => {
      expect(chosen(other)).toEqual(chosen(payment))
    }),
    { numRuns: share(500) },
  )
})

test('an index selects what the arrays do', () => {
  fc.assert(
    fc.property(paymentOf(100), fc.integer({ min: 0, max: 100 }), (payment, split) => {
      const { values, inputBytes: bytes } = arraysOf(payment.coins)
      const index = createCoinIndex(values.subarray(0, split), bytes.subarray(0, split))
      index.add(values.subarray(split), bytes.subarray(split))
      const one = selectCoins({ index, values }, payment.terms)
      const other = select(payment)
      expect({ ...one, picked: undefined }).toEqual({ ...other, picked: undefined })
    }),
    { numRuns: share(500) },
  )
})

interface Transfer {
  readonly tokens: readonly Coin[]
  readonly coins: readonly Coin[]
  readonly terms: TransferTerms
}

const transferOf = (tokenCount: number, units: number): fc.Arbitrary<Transfer> =>
  fc
    .record({
      tokens: fc.array(
        fc.record({ value: fc.bigInt(1n, BigInt(units)), bytes: fc.constant(164) }),
        { minLength: 1, maxLength: tokenCount },
      ),
      coins: fc.array(fc.record({ value: fc.bigInt(500n, 15_000n), bytes: inputBytes }), {
        minLength: 1,
        maxLength: 4,
      }),
      share: fc.double({ min: 0.001, max: 1.02, noNaN: true }),
      fixedFee: fc.bigInt(1n, 12_000n),
      dust: fc.bigInt(1n, 500n),
      maxTokenInputs: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined, freq: 4 }),
      sweep: fc.constantFrom(0, 0, 3),
    })
    .map(({ tokens, coins, share, maxTokenInputs, ...terms }) => ({
      tokens,
      coins,
      terms: {
        ...terms,
        amount: shareOf(tokens, share),
        baseBytes: 169,
        tokenChangeBytes: 57,
        changeBytes: 44,
        changeSpendBytes: 114,
        ...(maxTokenInputs !== undefined && { maxTokenInputs }),
      },
    }))

const transferred = ({ tokens, coins, terms }: Transfer) =>
  selectTokenCoins(arraysOf(tokens), arraysOf(coins), terms)

/** The fewest token coins that match exactly, and that reach the amount. */
function fewestTokens({ tokens, terms }: Transfer): { exact: number; reaching: number } {
  const fewest = { exact: Number.POSITIVE_INFINITY, reaching: Number.POSITIVE_INFINITY }
  for (let set = 1; set < 1 << tokens.length; set += 1) {
    const chosen = tokens.filter((_, at) => (set >> at) & 1)
    const sum = chosen.reduce((total, it) => total + it.value, 0n)
    if (chosen.length > (terms.maxTokenInputs ?? 99) || sum < terms.amount) continue
    fewest.reaching = Math.min(fewest.reaching, chosen.length)
    if (sum === terms.amount) fewest.exact = Math.min(fewest.exact, chosen.length)
  }
  return fewest
}

function expectSoundTransfer(transfer: Transfer): ReturnType<typeof transferred> {
  const { tokens, coins, terms } = transfer
  const result = transferred(transfer)
  if (!result.ok) return result
  const sumOf = (from: readonly Coin[], picked: Uint32Array) =>
    [...picked].reduce((sum, at) => sum + from[at]!.value, 0n)
  const bytesOf = (from: readonly Coin[], picked: Uint32Array) =>
    [...picked].reduce((sum, at) => sum + from[at]!.bytes, 0)
  expect(sumOf(tokens, result.tokens.picked)).toBe(terms.amount + result.tokens.change)
  expect(sumOf(coins, result.coins.picked)).toBe(result.fee + result.coins.change)
  expect(new Set(result.tokens.picked).size).toBe(result.tokens.picked.length)
  expect(result.bytes).toBe(
    terms.baseBytes +
      bytesOf(tokens, result.tokens.picked) +
      bytesOf(coins, result.coins.picked) +
      (result.tokens.change > 0n ? terms.tokenChangeBytes : 0) +
      (result.coins.change > 0n ? terms.changeBytes : 0),
  )
  expect(result.tokens.change).toBeGreaterThanOrEqual(0n)
  if (result.coins.change > 0n) {
    expect(result.coins.change).toBeGreaterThanOrEqual(terms.dust!)
    expect(result.fee).toBe(terms.fixedFee)
  } else {
    expect(result.fee - terms.fixedFee!).toBeLessThan(terms.dust!)
  }
  return result
}

test('chooses the fewest token coins that match, or else the fewest that suffice', () => {
  fc.assert(
    fc.property(transferOf(9, 15), (transfer) => {
      const result = expectSoundTransfer(transfer)
      const { exact, reaching } = fewestTokens(transfer)
      const fee = transfer.coins.reduce((sum, it) => sum + it.value, 0n)
      const isPossible = Number.isFinite(reaching) && fee >= transfer.terms.fixedFee!
      expect(result.ok).toBe(isPossible)
      if (!result.ok) return
      const count = result.tokens.picked.length
      if (Number.isFinite(exact)) {
        expect({ change: result.tokens.change, count }).toEqual({ change: 0n, count: exact })
      } else if (transfer.terms.sweep === 0) {
        expect(count).toBe(reaching)
      }
    }),
    { numRuns: share(2000) },
  )
})

test('sends any amount within the limits, from hundreds of small coins too', () => {
  fc.assert(
    fc.property(transferOf(400, 50), (transfer) => {
      const { tokens, coins, terms } = transfer
      const result = expectSoundTransfer(transfer)
      if (result.ok) return
      const byValue = tokens.toSorted((a, b) => Number(b.value - a.value))
      const largest = byValue.slice(0, terms.maxTokenInputs).reduce((sum, it) => sum + it.value, 0n)
      const native = coins.reduce((sum, it) => sum + it.value, 0n)
      expect(largest < terms.amount || native < terms.fixedFee!).toBe(true)
      if (result.code === 'selection_over_limits' && terms.maxTokenInputs! > 1) {
        expect(result.available).toBe(largest)
        // Each merge replaces as many coins as one transaction takes by one coin.
        const most = terms.maxTokenInputs!
        let needed = 0
        for (let sum = 0n; sum < terms.amount; needed += 1) sum += byValue[needed]!.value
        const merges = Math.ceil((needed - most) / (most - 1))
        const isPaid = native >= BigInt(merges + 1) * terms.fixedFee!
        expect(result.plan?.transactions.length).toBe(isPaid ? merges : undefined)
      }
    }),
    { numRuns: share(500) },
  )
})
