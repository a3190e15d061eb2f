// Orders with random terms are built and signed here. A second opinion, written from komodo's
// src/cc/CCassetstx.cpp and assets.cpp alone, computes what each output must be. The module's own
// rules are a third: they decide whether a chain accepts the order.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenFillAsk,
  buildTokenFillBid,
  createTokenProver,
  decodeTransaction,
  encodeTransaction,
  type SpentCoin,
  signTransaction,
  type TokenOrderIntent,
  type Transaction,
  tokenScript,
  transactionId,
  verifyTokenOrder,
} from '../../src/index.ts'
import { fulfillmentsOf } from '../../src/token/rules/fulfillment.ts'
import { orderRefusal } from '../../src/token/rules/orders.ts'
import { repriced } from '../support/built-orders.ts'
import { keys } from '../support/komodod.ts'
import { assetsKey, chainHexes, circumstancesOf, madeOrders, orderKeys } from '../support/orders.ts'
import { share } from '../support/share.ts'

const a = keys.A.pubkey
const b = keys.B.pubkey
const made = (kind: TokenOrderIntent['kind']) => madeOrders.find((it) => it.kind === kind)!
const tokenid = made('bid').params[1]!
const tipHeight = 102

/** One great coin for each, and 1000 units for who asks. */
function coinOf(pubkey: string, salt: number): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [
      {
        txid: '77'.repeat(32),
        vout: 2 * salt + (pubkey === a ? 0 : 1),
        scriptSig: '00',
        sequence: 0xffffffff,
      },
    ],
    outputs: [{ value: 10n ** 15n, script: `21${pubkey}ac` }],
    lockTime: 0,
  })
}

const { tokenCoins } = circumstancesOf(made('ask'))
const heldUnits = 1000n

function signed(built: { hex: string; coins: readonly SpentCoin[] }): string {
  const { hex, complete } = signTransaction(built.hex, orderKeys, built.coins)
  expect(complete).toBe(true)
  return hex
}

/** Returns the refusal of a komodod's assets module. */
function refusalOf(hex: string, known: readonly string[]): string | undefined {
  const byId = new Map([...known, hex].map((it) => [transactionId(it), decodeTransaction(it)]))
  const prover = createTokenProver([...known])
  const tokensIn = (tx: Transaction, id: string) =>
    tx.inputs.reduce((sum, { txid, vout }, at) => {
      if (!fulfillmentsOf(tx)[at]?.evalCodes.includes('f2')) return sum
      const proof = prover.prove(txid, vout, id)
      return proof.verdict === 'proven' ? sum + proof.amount : sum
    }, 0n)
  const tx = decodeTransaction(hex)
  return orderRefusal(tx, { find: (txid) => byId.get(txid), tokensIn: (id) => tokensIn(tx, id) })
}

const terms = fc.record({
  units: fc.bigInt({ min: 1n, max: heldUnits }),
  price: fc.bigInt({ min: 57n, max: 10n ** 12n }),
  share: fc.bigInt({ min: 1n, max: heldUnits }),
  salt: fc.nat(1000),
})

const outputsOf = (hex: string) => decodeTransaction(hex).outputs
const values = (hex: string, count: number) =>
  outputsOf(hex)
    .slice(0, count)
    .map(({ value }) => value)

/** Returns true if a finding reports that the chain does not enforce a price. */
const isOfPrice = (code: string) => /^(?:ask|bid)_price_unenforced$/.test(code)

/** The verdict on what was built, and on the same with one satoshi moved between two outputs. */
function agrees(hex: string, intent: TokenOrderIntent, known: readonly string[]): void {
  const evidence = { previousTransactions: known, tipHeight }
  const report = verifyTokenOrder(hex, intent, evidence)
  const reported = report.findings.filter(
    // the recorded chain spends the same tokens elsewhere
    ({ severity, code }) => severity !== 'info' && !isOfPrice(code) && code !== 'output_contested',
  )
  expect(reported).toEqual([])
  const tx = decodeTransaction(hex)
  const last = tx.outputs.length - 1
  for (let from = 0; from < last; from += 1) {
    const to = (from + 1) % last
    if (tx.outputs[from]!.value === 0n || from === to) continue
    const outputs = tx.outputs.map((it, at) => ({
      ...it,
      value: it.value + (at === to ? 1n : 0n) - (at === from ? 1n : 0n),
    }))
    const moved = encodeTransaction({ ...tx, outputs })
    const { findings } = verifyTokenOrder(moved, intent, evidence)
    const rejects = findings.filter(
      ({ severity, code }) => severity === 'reject' && code !== 'signature',
    )
    expect(rejects).not.toEqual([])
  }
}

test('asks on any terms are built, bought from and taken back as the rules say', () => {
  fc.assert(
    fc.property(terms, ({ units, price, share, salt }) => {
      const [own, other] = [coinOf(a, salt), coinOf(b, salt)]
      const known = [...chainHexes, own, other]
      const common = { tokenid, previousTransactions: known, tipHeight }
      const coins = [{ txid: transactionId(own), vout: 0 }]
      const even = price - (price % units) + 57n * units
      const built = buildTokenAsk({ ...common, units, price: even, from: a, tokenCoins, coins })
      agrees(signed(built), built.intent, known)
      // another wallet may ask a price that its units do not share
      const ask = signed({ ...built, hex: repriced(built.hex, price) })
      const change = heldUnits - units
      const expected = [units, 10_000n, ...(change > 0n ? [change] : [])]
      expect(values(ask, expected.length)).toEqual(expected)
      expect(outputsOf(ask)[0]!.script).toBe(tokenScript(assetsKey, { evalCodes: [0xe3, 0xf2] }))

      const later = [...known, ask]
      const order = transactionId(ask)
      const wanted = share > units ? units : share
      // The cost of units: rounded up, and the whole price for all units.
      const cost = wanted === units ? price : (price * wanted + units - 1n) / units
      const isTraded = cost >= 57n && (wanted === units || price - cost >= 57n)
      const asked = {
        ...common,
        previousTransactions: later,
        order,
        units: wanted,
        price: cost,
        from: b,
        coins: [{ txid: transactionId(other), vout: 0 }],
      }
      if (isTraded) {
        const bought = buildTokenFillAsk(asked)
        const fill = signed(bought)
        agrees(fill, bought.intent, later)
        expect(values(fill, 4)).toEqual([units - wanted, wanted, cost, 10_000n])
        expect(outputsOf(fill)[2]!.script).toBe(`21${a}ac`)
        expect(refusalOf(fill, later)).toBeUndefined()
        // No buyer pays a satoshi more than the rounded price of the bought units.
        expect(cost * units - price * wanted < units).toBe(true)
      } else {
        expect(() => buildTokenFillAsk(asked)).toThrow(cost < 57n ? 'at least 57' : 'order')
      }
      // change of the ask pays for taking it back
      const coin = outputsOf(ask).findIndex(({ script }) => script === `21${a}ac`)
      const back = buildTokenCancelAsk({
        ...common,
        previousTransactions: later,
        order,
        from: a,
        coins: [{ txid: order, vout: coin }],
      })
      const cancel = signed(back)
      agrees(cancel, back.intent, later)
      expect(values(cancel, 2)).toEqual([units, 10_000n])
      expect(refusalOf(cancel, later)).toBeUndefined()
    }),
    { numRuns: share(20) },
  )
})

test('bids on any terms are built, sold to and taken back as the rules say', () => {
  fc.assert(
    fc.property(terms, ({ units, price, share, salt }) => {
      const [own, other] = [coinOf(a, salt), coinOf(b, salt)]
      const known = [...chainHexes, own, other]
      const common = { tokenid, previousTransactions: known, tipHeight }
      const coins = [{ txid: transactionId(other), vout: 0 }]
      const built = buildTokenBid({
        ...common,
        units,
        price,
        allowUnenforcedPrice: true,
        from: b,
        coins,
      })
      const bid = signed(built)
      agrees(bid, built.intent, known)
      expect(values(bid, 2)).toEqual([price, 10_000n])

      const later = [...known, bid]
      const order = transactionId(bid)
      const sold = share > units ? units : share
      // whole satoshis per unit, and the whole for the whole
      const paid = sold === units ? price : sold * (price / units)
      const isTraded = paid >= 57n && (sold === units || price - paid >= 57n)
      const asked = {
        ...common,
        previousTransactions: later,
        order,
        units: sold,
        price: paid,
        from: a,
        tokenCoins,
        coins: [{ txid: transactionId(own), vout: 0 }],
      }
      if (isTraded) {
        const filled = buildTokenFillBid(asked)
        const fill = signed(filled)
        agrees(fill, filled.intent, later)
        const change = heldUnits - sold
        const expected = [price - paid, paid, sold, 10_000n, ...(change > 0n ? [change] : [])]
        expect(values(fill, expected.length)).toEqual(expected)
        expect(refusalOf(fill, later)).toBeUndefined()
      } else {
        // a price that no node relays is refused before the order is looked at
        expect(() => buildTokenFillBid(asked)).toThrow(paid < 57n ? 'at least 57' : 'order')
      }
      const coin = outputsOf(bid).findIndex(({ script }) => script === `21${b}ac`)
      const back = buildTokenCancelBid({
        ...common,
        previousTransactions: later,
        order,
        from: b,
        coins: [{ txid: order, vout: coin }],
      })
      const cancel = signed(back)
      agrees(cancel, back.intent, later)
      expect(values(cancel, 2)).toEqual([price, 10_000n])
      expect(refusalOf(cancel, later)).toBeUndefined()
    }),
    { numRuns: share(20) },
  )
})
