// Anybody can put an order on a chain that names anything as its maker: komodod and tokeld read the
// bytes of komodo src/cc/CCassetsCore.cpp, origpk, without looking at them. No key can fill or
// cancel it, and the report names that.

import { expect, test } from 'vitest'

import {
  buildTokenCancelAsk,
  buildTokenFillAsk,
  buildTokenFillBid,
  decodeTransaction,
  encodeTransaction,
  networks,
  type TokenOrderIntent,
  transactionId,
  verifyTokenOrder,
} from '../../../src/index.ts'
import { chainTransaction, previousTransactions } from '../../support/komodod.ts'
import { circumstancesOf, intentOf, madeOrders } from '../../support/orders.ts'
import { push } from '../../support/sign.ts'
import { a, b } from '../../support/sign-tokel.ts'
import * as market from '../../support/tokel-market.ts'

const makers: [string, string][] = [
  ['nothing', ''],
  ['two bytes', 'abcd'],
  ['a hash', '11'.repeat(20)],
  ['a key of 65 bytes', `04${'ab'.repeat(64)}`],
  ['a key and more', `${a}00`],
  ['as many zeros', '00'.repeat(33)],
  ['a coordinate beyond the field', `02${'ff'.repeat(32)}`],
  ['what is not a point of the curve', `02${'00'.repeat(31)}05`],
]
const vec = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex
const refused = (order: { maker: string; path?: string }) =>
  expect.objectContaining({
    code: 'order_malformed',
    path: order.path ?? 'intent.order',
    expected: 'a public key',
    actual: order.maker,
  })
const thrown = (maker: string) =>
  expect.objectContaining({
    code: 'order_malformed',
    context: expect.objectContaining({ path: 'order', expected: 'a public key', actual: maker }),
  })

type Taken = TokenOrderIntent & { readonly order: string }
const taken = madeOrders.filter(({ kind }) => kind !== 'ask' && kind !== 'bid')

/** The recorded step, of an order like the recorded one but for its maker. */
function komodoStep(made: (typeof taken)[number], maker: string) {
  const intent = intentOf(made) as Taken
  const parent = decodeTransaction(chainTransaction(intent.order))
  const last = parent.outputs.at(-1)!
  // 6a, 4c and the length
  const blob = last.script.slice(6)
  const at = blob.lastIndexOf('e3')
  const order = `${blob.slice(at, at + 20)}${vec(maker)}`
  const script = `6a${push(`${blob.slice(0, at - 4)}12${vec(order)}`)}`
  const hexOfOrder = encodeTransaction({
    ...parent,
    outputs: [...parent.outputs.slice(0, -1), { ...last, script }],
  })
  const txid = transactionId(hexOfOrder)
  const tx = decodeTransaction(made.hex)
  const inputs = tx.inputs.map((it) => (it.txid === intent.order ? { ...it, txid } : it))
  const hex = encodeTransaction({ ...tx, inputs })
  return { hex, intent: { ...intent, order: txid }, given: hexOfOrder }
}

test('steps of each kind are tried', () => {
  expect(taken.map(({ kind }) => kind).sort()).toEqual(['cancelAsk', 'fillAsk', 'fillBid'])
  // Only the maker differs from a real order.
  const { hex, intent, given } = komodoStep(taken[0]!, a)
  const evidence = { previousTransactions: [...previousTransactions(taken[0]!.hex), given] }
  const codes = verifyTokenOrder(hex, intent, evidence).findings.map(({ code }) => code)
  expect(codes).not.toContain('order_malformed')
})

test.each(makers)('the maker of an order is found on komodod’s chains: %s', (_, maker) => {
  for (const made of taken) {
    const { hex, intent, given } = komodoStep(made, maker)
    const evidence = {
      previousTransactions: [...previousTransactions(made.hex), given],
      tokenCreate: chainTransaction(intent.tokenid),
    }
    const report = verifyTokenOrder(hex, intent, evidence)
    expect(report.ok).toBe(false)
    expect(report.findings).toContainEqual(refused({ maker }))
    const { coins, tokenCoins, tipHeight, ...known } = circumstancesOf(made)
    const request = {
      tokenid: intent.tokenid,
      order: intent.order,
      from: made.from,
      coins,
      previousTransactions: [...known.previousTransactions, given],
      tipHeight,
    }
    const { units, price } = intent as { units: bigint; price: bigint }
    const build = {
      fillAsk: () => buildTokenFillAsk({ ...request, units, price }),
      fillBid: () => buildTokenFillBid({ ...request, units, price, tokenCoins }),
      cancelAsk: () => buildTokenCancelAsk(request),
    }
    expect(build[made.kind as keyof typeof build]).toThrow(thrown(maker) as never)
  }
})

test.each(makers)('the maker of an order is found on tokeld’s chains: %s', (_, maker) => {
  const terms = (letter: string) =>
    `f6${Buffer.from(letter).toString('hex')}011027000000000000${vec(maker)}889d0000`
  const ask = market.make(
    [market.spare.a(0), [market.given, 0]],
    [
      { value: 100n, script: market.asks },
      { value: 10_000n, script: market.markerOf(a) },
      market.nulldata(market.tokenid, terms('s')),
    ],
  )
  const bid = market.make(
    [market.spare.b(0)],
    [
      { value: 1_000_000n, script: market.bids },
      { value: 10_000n, script: market.markerOf(b) },
      market.nulldata(market.tokenid, terms('b')),
    ],
  )
  const steps = [
    { kind: 'fillAsk', made: market.fillAsk, order: ask, units: 30n, price: 300_000n, from: b },
    { kind: 'cancelAsk', made: market.cancelAsk, order: ask, from: a },
    { kind: 'fillBid', made: market.fillBid, order: bid, units: 4n, price: 400_000n, from: a },
    { kind: 'cancelBid', made: market.cancelBid, order: bid, from: b },
  ] as const
  for (const { order, made, ...step } of steps) {
    const { hex } = made
    const evidence = market.evidenceOf(hex, market.token.hex)
    const report = verifyTokenOrder(
      hex,
      { ...step, order: order.txid, tokenid: market.tokenid, network: networks.tokel },
      { ...evidence, previousTransactions: [...evidence.previousTransactions, order.hex] },
    )
    expect(report.ok).toBe(false)
    expect(report.findings).toContainEqual(refused({ maker }))
  }
})
