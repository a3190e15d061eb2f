// These tests cover prices that komodod does not enforce. They compute what a taker can take by its
// rules, and expect errors and findings before an offer is made. Sources: komodo src/cc/assets.cpp,
// AssetsValidate; src/cc/CCassetsCore.cpp, ValidateBidRemainder, ValidateAskRemainder.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTransaction,
  type Finding,
  formatCase,
  formatReport,
  parseCase,
  signTransaction,
  type TokenOrderIntent,
  type TransactionFields,
  transactionId,
  verifyTokenOrder,
} from '../../../src/index.ts'
import { type DaemonClient, tradeToken } from '../../../src/rpc/index.ts'
import { unenforcedSats } from '../../../src/token/rules/order-price.ts'
import { createTokenValidator } from '../../../src/token/rules/validation.ts'
import { refusal } from '../../support/bobs-tokens.ts'
import { askFor, build, made } from '../../support/built-orders.ts'
import { keys } from '../../support/komodod.ts'
import { chainHexes, circumstancesOf, intentOf, orderKeys } from '../../support/orders.ts'
import { madeByTokeld, rebuilt } from '../../support/tokeld-made.ts'

const b = keys.B.pubkey
const p2pk = (key: string) => `21${key}ac`

/** A coin of a key, as rich as is needed. */
function richCoin(key: string): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '55'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: 10n ** 10n, script: p2pk(key) }],
    lockTime: 0,
  })
}

const coinOfB = richCoin(b)
const rich = {
  coins: [{ txid: transactionId(coinOfB), vout: 0 }],
  previousTransactions: [...chainHexes, coinOfB],
}
const bidFor = (units: bigint, price: bigint) =>
  build(made('bid'), { units, price, allowUnenforcedPrice: true, ...rich })

/** Returns the chain's refusal of a transaction that spends known outputs. */
function refusalOfChain(hex: string, known: readonly string[]): string | undefined {
  const byTxid = new Map(known.map((it) => [transactionId(it), decodeTransaction(it)]))
  const tx = decodeTransaction(hex)
  const validator = createTokenValidator()
  const find = (txid: string) => byTxid.get(txid)
  return validator.refusal(tx, find) ?? validator.orderRefusal(tx, find)
}

function resigned(tx: TransactionFields, known: readonly string[]): string {
  const byTxid = new Map(known.map((it) => [transactionId(it), decodeTransaction(it)]))
  const inputs = tx.inputs.map((it) => ({ ...it, scriptSig: '' }))
  const prevouts = inputs.map(({ txid, vout }) => byTxid.get(txid)!.outputs[vout]!)
  return signTransaction(encodeTransaction({ ...tx, inputs }), orderKeys, prevouts).hex
}

const i64 = (value: bigint) => Buffer.from(BigInt64Array.of(value).buffer).toString('hex')

/** Another split of what is taken, with what it leaves stated in the payload. */
function taken(hex: string, values: readonly bigint[], left: bigint): TransactionFields {
  const { outputs, ...rest } = decodeTransaction(hex)
  const changed = outputs.map((it, at) => ({ ...it, value: values[at] ?? it.value }))
  const { script } = changed.at(-1)!
  const stated = script.replace(/(2ce3[45][23]).{16}(21)/, `$1${i64(left)}$2`)
  return { ...rest, outputs: [...changed.slice(0, -1), { value: 0n, script: stated }] }
}

describe('the chain lets a seller take', () => {
  // A holds 1000 units, and gets the rest of them as token change
  const { tokenCoins } = circumstancesOf(made('ask'))
  test.each([
    ['all coins of a bid for 1000 units for one', 1000n, 1n],
    ['all coins of a bid for 1000 units for none', 1000n, 0n],
    ['all coins of a bid for one unit for none', 1n, 0n],
  ])('%s', (_, units, given) => {
    const offer = bidFor(units, 50_000_000n)
    const bid = signTransaction(offer.hex, orderKeys, offer.coins).hex
    const known = [...rich.previousTransactions, bid]
    const fill = build(made('fillBid'), {
      order: transactionId(bid),
      units: 1n,
      price: 50_000_000n / units,
      previousTransactions: known,
      tokenCoins,
    })
    const honest = signTransaction(fill.hex, orderKeys, fill.coins).hex
    expect(refusalOfChain(honest, known)).toBeUndefined()
    const all = [0n, 50_000_000n, given, 10_000n, 1000n - given]
    expect(refusalOfChain(resigned(taken(honest, all, units - 1n), known), known)).toBeUndefined()
  })
})

test('the chain lets a buyer take nearly all units of an uneven ask at the price, cut', () => {
  // 100 units for 199 satoshis
  const ask = askFor(199n)
  const known = [...rich.previousTransactions, ask]
  const fill = build(made('fillAsk'), {
    ...rich,
    order: transactionId(ask),
    units: 50n,
    price: 100n,
    previousTransactions: known,
  })
  const hex = signTransaction(fill.hex, orderKeys, fill.coins).hex
  expect(refusalOfChain(hex, known)).toBeUndefined()
  const rest = decodeTransaction(hex)
    .outputs.slice(3)
    .map(({ value }) => value)
  const cheap = resigned(taken(hex, [1n, 99n, 99n, ...rest], 100n), known)
  expect(refusalOfChain(cheap, known)).toBeUndefined()
})

// the same rules, played through: every order of fills that the chain takes
test.each([
  [1n, 6n],
  [2n, 6n],
  [5n, 7n],
  [10n, 4n],
  [3n, 3n],
  [3n, 1n],
])('an even ask of %i each for %i units loses the reported amount, and no more', (each, units) => {
  const seen = new Map<string, bigint>()
  /** The most that can be had for less than the price, in satoshis. */
  const gain = (left: bigint, price: bigint): bigint => {
    const key = `${left} ${price}`
    const known = seen.get(key)
    if (known !== undefined) return known
    let most = 0n
    for (let take = 1n; take <= left; take += 1n) {
      for (let paid = 1n; paid <= price; paid += 1n) {
        if (paid / take < price / left) continue
        const isAll = paid === price
        const rest = isAll || take === left ? 0n : gain(left - take, price - paid)
        const won = each * (isAll ? left : take) - paid + rest
        if (won > most) most = won
      }
    }
    seen.set(key, most)
    return most
  }
  const bound = unenforcedSats({ kind: 'ask', units, price: each * units }, { ends: false })
  const most = gain(units, each * units)
  expect(most <= bound).toBe(true)
  // at one satoshi each a taker has to pay one satoshi more
  expect(bound - most).toBe(units === 1n ? 0n : each === 1n ? 2n : 1n)
})

describe('a builder', () => {
  test.each([
    [10_000_000n, 9_999_999n],
    [10_000n, 19_999n],
    [100n, 57n],
    [100n, 99n],
    [100n, 1_000_001n],
  ])('refuses an ask of %i units for %i', (units, price) => {
    expect(refusal(() => build(made('ask'), { units, price }))).toEqual({
      code: 'amount_out_of_range',
      path: 'price',
      expected: `a multiple of ${units}`,
      actual: price,
    })
  })

  test('makes an ask with an even price', () => {
    for (const price of [100n, 200n, 1_000_000n]) {
      expect(build(made('ask'), { units: 100n, price }).intent).toMatchObject({ price })
    }
  })

  test('refuses a bid for more than one unit that does not say so', () => {
    for (const allowUnenforcedPrice of [undefined, false]) {
      const offer = { units: 2n, price: 1000n, allowUnenforcedPrice, ...rich }
      expect(refusal(() => build(made('bid'), offer))).toEqual({
        code: 'amount_out_of_range',
        path: 'units',
        expected: '1, or allowUnenforcedPrice: true',
        actual: 2n,
      })
    }
  })

  test('makes a bid for one unit, and for more where that is allowed', () => {
    const one = build(made('bid'), { units: 1n, price: 1000n, allowUnenforcedPrice: undefined })
    expect(one.intent).not.toHaveProperty('allowUnenforcedPrice')
    expect(bidFor(2n, 1000n).intent).toMatchObject({ units: 2n, allowUnenforcedPrice: true })
  })

  test('takes nothing but true and false', () => {
    for (const allowUnenforcedPrice of ['true', 1, null]) {
      expect(() => build(made('bid'), { allowUnenforcedPrice })).toThrow(
        /^allowUnenforcedPrice: expected true or false/,
      )
    }
  })

  test("asks nothing of a bid on tokeld's chains, which enforce the price", () => {
    const bid = madeByTokeld.find(({ method }) => method === 'tokenv2bid')!
    const { intent } = rebuilt(bid, { units: 10n, price: 10_000n })
    expect(intent).not.toHaveProperty('allowUnenforcedPrice')
  })
})

describe('a fill', () => {
  const bounds = { fillAsk: 'priceMax', fillBid: 'priceMin' } as const
  const fills = [
    ['fillAsk', 300_000n],
    ['fillBid', 400_000n],
  ] as const
  const without = { price: undefined }

  test.each(fills)('%s says what it may cost or must bring', (kind, price) => {
    const bound = bounds[kind]
    const other = kind === 'fillAsk' ? 'priceMin' : 'priceMax'
    const built = build(made(kind))
    const checked = (asked: object) => () =>
      verifyTokenOrder(built.hex, { ...built.intent, ...asked } as TokenOrderIntent, built)
    const builds = (asked: object) => () => build(made(kind), asked)
    for (const [run, path, wrong] of [
      [checked, 'intent.', `intent: unknown member ${other}; did you mean ${bound}?`],
      [builds, '', `request: unknown member ${other}; did you mean ${bound}?`],
    ] as const) {
      const expected = `${path}price: expected price or ${bound}, got undefined`
      expect(run(without)).toThrow(new TypeError(expected))
      const both = `${path}price: expected price or ${bound}, not both`
      expect(run({ price, [bound]: price })).toThrow(new TypeError(both))
      expect(run({ ...without, [other]: price })).toThrow(new TypeError(wrong))
    }
    expect(checked({ ...without, [bound]: '1' })).toThrow(
      new TypeError(`intent.${bound}: expected a bigint, got a string`),
    )
  })

  test.each(fills)('%s within its bound is built and agrees, by a satoshi', (kind, price) => {
    const bound = bounds[kind]
    const worse = kind === 'fillAsk' ? -1n : 1n
    for (const limit of [price, price - worse]) {
      const { hex, intent, ...given } = build(made(kind), { ...without, [bound]: limit })
      // the built case names its price, not its bound
      expect(intent).toMatchObject({ price })
      expect(intent).not.toHaveProperty(bound)
      const asked = { ...intent, ...without, [bound]: limit } as unknown as TokenOrderIntent
      const signed = signTransaction(hex, orderKeys, given.coins).hex
      expect(verifyTokenOrder(signed, asked, given)).toMatchObject({ ok: true })
    }
    const limit = price + worse
    const expected = kind === 'fillAsk' ? `at most ${limit}` : `at least ${limit}`
    const details = { expected, actual: price }
    expect(refusal(() => build(made(kind), { ...without, [bound]: limit }))).toEqual({
      code: 'order_price',
      path: bound,
      ...details,
    })
    const { hex, intent, ...given } = build(made(kind))
    const asked = { ...intent, ...without, [bound]: limit } as unknown as TokenOrderIntent
    const report = verifyTokenOrder(hex, asked, given)
    expect(report.ok).toBe(false)
    expect(report.findings.filter(({ code }) => code === 'order_price')).toMatchObject([
      { severity: 'reject', path: `intent.${bound}`, ...details },
    ])
  })

  test.each(fills)('%s is shown with its bound', (kind) => {
    const { hex, intent, ...given } = build(made(kind))
    const operation = `token${kind.toLowerCase()}` as 'tokenfillask'
    const shown = (asked: object) => {
      const one = { operation, hex, intent: { ...intent, ...without, ...asked } as never }
      const report = verifyTokenOrder(hex, one.intent, given)
      const text = formatReport(report, { given: { ...one, evidence: given } })
      return text.split('\n').filter((line) => /^ *for /.test(line))
    }
    const word = kind === 'fillAsk' ? 'at most' : 'at least'
    // 30 units do not have a whole price each, and 4 do.
    const each = kind === 'fillAsk' ? '' : ', 0.00250000 for each unit'
    expect(shown({ [bounds[kind]]: 1_000_000n })).toEqual([
      `  for      ${word} 0.01000000 coins in all${each}`,
    ])
    expect(shown({ price: 1_000_000n })).toEqual([`  for      0.01000000 coins in all${each}`])
  })

  test.each(fills)('%s with a bound that is dust, or beyond all coins, is rejected', (kind) => {
    const { hex, intent, ...given } = build(made(kind))
    for (const limit of [56n, 1n << 63n]) {
      const asked = { ...intent, ...without, [bounds[kind]]: limit } as unknown as TokenOrderIntent
      const { findings } = verifyTokenOrder(hex, asked, given)
      expect(findings).toMatchObject([
        { code: 'intent_price', path: `intent.${bounds[kind]}`, actual: limit },
      ])
    }
  })

  test('a fill without a price is asked of no daemon', async () => {
    const client = { call: () => Promise.reject(new Error('asked')) } as unknown as DaemonClient
    for (const [kind] of fills) {
      const { price: _, ...intent } = intentOf(made(kind)) as { price: bigint }
      const trade = tradeToken(client, intent as TokenOrderIntent)
      await expect(trade).rejects.toThrow(TypeError)
    }
  })

  test('a fill in a case file has exactly one of price and amount', () => {
    for (const [kind, price] of fills) {
      const { hex, intent, ...given } = build(made(kind))
      const bound = bounds[kind]
      const read = (asked: object) => {
        const operation = `token${kind.toLowerCase()}` as 'tokenfillask'
        const one = { operation, hex, intent: { ...intent, ...asked } as never, evidence: given }
        return parseCase(formatCase(one)).intent
      }
      expect(read({})).toMatchObject({ price })
      const bounded = read({ ...without, [bound]: price })
      expect(bounded).toMatchObject({ [bound]: price })
      expect(bounded).not.toHaveProperty('price')
      const expected = `either price or ${bound}`
      for (const asked of [without, { [bound]: price }]) {
        expect(refusal(() => read(asked))).toMatchObject({
          code: 'malformed_case',
          path: 'intent.price',
          expected,
        })
      }
    }
  })
})

describe('the verifier', () => {
  const reported = (built: ReturnType<typeof build>, changes: object) => {
    const { hex } = signTransaction(built.hex, orderKeys, built.coins)
    const report = verifyTokenOrder(hex, { ...built.intent, ...changes } as TokenOrderIntent, built)
    return report.findings.map(({ code, severity, path, expected, actual }) => {
      return { code, severity, path, expected, actual } as Partial<Finding>
    })
  }
  const ofPrice = (findings: readonly Partial<Finding>[]) =>
    findings.filter(({ code }) => code?.endsWith('_unenforced'))

  test('rejects a bid for more than one unit without consent', () => {
    for (const allowUnenforcedPrice of [undefined, false]) {
      const built = bidFor(1000n, 50_000_000n)
      const [first] = ofPrice(reported(built, { allowUnenforcedPrice }))
      expect(first).toEqual({
        code: 'intent_price_unenforced',
        severity: 'reject',
        path: 'intent.units',
        expected: '1, or allowUnenforcedPrice: true',
        actual: 1000n,
      })
    }
  })

  test('takes nothing but true and false for consent', () => {
    const { hex, intent, ...given } = bidFor(2n, 1000n)
    for (const allowUnenforcedPrice of ['true', 1, null]) {
      const asked = { ...intent, allowUnenforcedPrice } as unknown as TokenOrderIntent
      expect(() => verifyTokenOrder(hex, asked, given)).toThrow(
        /^intent\.allowUnenforcedPrice: expected true or false/,
      )
    }
  })

  test.each([
    [1000n, 50_000_000n],
    [1n, 1000n],
  ])('warns of a bid for %i units that all its %i satoshis can be lost', (units, price) => {
    expect(ofPrice(reported(bidFor(units, price), {}))).toEqual([
      {
        code: 'bid_price_unenforced',
        severity: 'warn',
        path: 'intent.price',
        expected: `${price} satoshis`,
        actual: `up to ${price} of them can be lost`,
      },
    ])
  })

  test('rejects an ask whose price its units do not share', () => {
    const built = build(made('ask'))
    for (const price of [99n, 199n, 1_000_001n]) {
      expect(ofPrice(reported(built, { price }))).toEqual([
        {
          code: 'intent_price_unenforced',
          severity: 'reject',
          path: 'intent.price',
          expected: 'a multiple of 100',
          actual: price,
        },
      ])
    }
  })

  test('warns of an ask of which over a hundredth can be lost', () => {
    const loss = (units: bigint, price: bigint) =>
      ofPrice(reported(build(made('ask'), { units, price }), {}))
    expect(loss(100n, 200n)).toEqual([
      {
        code: 'ask_price_unenforced',
        severity: 'warn',
        path: 'intent.price',
        expected: '200 satoshis',
        actual: 'up to 99 of them can be lost',
      },
    ])
    expect(loss(100n, 9_800n)).toHaveLength(1)
    expect(loss(100n, 9_900n)).toEqual([])
    expect(loss(2n, 100n)).toEqual([])
    expect(loss(3n, 99n)).toHaveLength(1)
    expect(loss(1n, 57n)).toEqual([])
  })

  test('tells a price that no tokeld takes from one that no komodod enforces', () => {
    const ask = madeByTokeld.find(({ method }) => method === 'tokenv2ask')!
    const built = rebuilt(ask, { units: 10n, price: 10_000n })
    for (const price of [5000n, 10_005n]) {
      const intent = { ...built.intent, price } as TokenOrderIntent
      const { findings } = verifyTokenOrder(built.hex, intent, built)
      expect(findings).toMatchObject([
        {
          code: 'intent_price',
          path: 'intent.price',
          expected: 'a multiple of 10, at least 501 for each',
          actual: price,
        },
      ])
    }
  })

  test('says nothing of the prices of fills', () => {
    for (const kind of ['fillAsk', 'fillBid'] as const) {
      expect(ofPrice(reported(build(made(kind)), {}))).toEqual([])
    }
  })
})
