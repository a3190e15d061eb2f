// Requests that are read from steps of orders. They are compared with what real daemons of both
// kinds were asked for, and with amounts by hand. Hostile transactions name what they do not do.

import { expect, test } from 'vitest'

import { networks } from '../../../src/chain/network.ts'
import { observedRequest } from '../../../src/cli/cases/observed.ts'
import {
  type Case,
  decodeTransaction,
  encodeTokenPayload,
  encodeTransaction,
  isAntaraError,
  parseCase,
  type TokenOrderIntent,
  verifyCase,
} from '../../../src/index.ts'
import { formatCase } from '../../../src/request/format-case.ts'
import { ancestors, tipHeightOf } from '../../support/komodod.ts'
import { intentOf, madeOrders } from '../../support/orders.ts'
import { a, b } from '../../support/sign-tokel.ts'
import * as market from '../../support/tokel-market.ts'
import { tokelAncestors, tokelChain } from '../../support/tokeld.ts'
import { tokeldCases } from '../../support/tokeld-cases.ts'
import { chain } from '../../support/vectors.ts'

type Hexes = ReadonlyMap<string, string>
const hexesOf = (made: readonly { txid: string; hex: string }[]): Hexes =>
  new Map(made.map(({ txid, hex }) => [txid, hex]))
const ofKomodod = hexesOf(chain)
const ofTokeld = hexesOf(tokelChain)
const ofMarket = hexesOf(
  market.everything().map((hex) => ({ txid: decodeTransaction(hex).txid, hex })),
)
const { assetChain, tokel } = networks

const verdictOn = (
  asked: ReturnType<typeof observedRequest>,
  hex: string,
  previousTransactions: readonly string[],
  tipHeight = tipHeightOf(hex),
) => {
  // As the daemons have it, which take the lock time from their last block.
  const tipTime = decodeTransaction(hex).lockTime + 1
  const evidence = { previousTransactions, tipHeight, tipTime }
  return verifyCase({ ...asked, hex, evidence } as unknown as Case)
}

test.each(madeOrders)('reads what komodod was asked for: $method', (made) => {
  const asked = observedRequest(made.hex, ofKomodod, assetChain)
  expect(asked).toMatchObject({ operation: made.method, intent: intentOf(made) })
  expect(verdictOn(asked, made.hex, ancestors(made.hex)).ok).toBe(true)
})

const steps = tokeldCases.flatMap((it) => (it.operation === 'order' ? [it] : []))

test.each(steps)('reads what tokeld was asked for: $name', ({ method, hex, intent }) => {
  const asked = observedRequest(hex, ofTokeld, tokel)
  const { spendable: _, ...wanted } = intent
  expect(asked).toMatchObject({ operation: method.replace('v2', ''), intent: wanted })
  expect(verdictOn(asked, hex, tokelAncestors(hex)).ok).toBe(true)
})

const { ask, bid } = market
const byHand: Record<string, [market.Made, Partial<TokenOrderIntent>]> = {
  'an ask, with its end': [
    ask,
    { kind: 'ask', units: 100n, price: 1_000_000n, from: a, expiryHeight: market.orderEnd },
  ],
  'a bid, with its end': [
    bid,
    { kind: 'bid', units: 10n, price: 1_000_000n, from: b, expiryHeight: market.orderEnd },
  ],
  'a purchase with a royalty': [
    market.fillAsk,
    { kind: 'fillAsk', order: ask.txid, units: 30n, price: 300_000n, from: b },
  ],
  'a purchase of all units, beside change': [
    market.fillAskWhole,
    { kind: 'fillAsk', order: ask.txid, units: 100n, price: 1_000_000n, from: b },
  ],
  'a sale with a royalty': [
    market.fillBid,
    { kind: 'fillBid', order: bid.txid, units: 4n, price: 400_000n, from: a },
  ],
  'a sale of all units': [
    market.fillBidWhole,
    { kind: 'fillBid', order: bid.txid, units: 10n, price: 1_000_000n, from: a },
  ],
  'the end of an ask': [market.cancelAsk, { kind: 'cancelAsk', order: ask.txid, from: a }],
  'the end of what is left of an ask': [
    market.cancelRest,
    { kind: 'cancelAsk', order: market.fillAsk.txid, from: a },
  ],
  'the end of a bid': [market.cancelBid, { kind: 'cancelBid', order: bid.txid, from: b }],
}

test.each(Object.entries(byHand))('reads %s', (_, [{ hex }, intent]) => {
  const asked = observedRequest(hex, ofMarket, tokel)
  expect(asked).toMatchObject({ intent: { tokenid: market.tokenid, ...intent } })
  const { previousTransactions } = market.evidenceOf(hex)
  const report = verdictOn(asked, hex, previousTransactions, market.tipHeight)
  expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
})

/** Returns what became of a transaction of tokeld's recorded chain. */
function outcomeOf({ hex, height }: (typeof tokelChain)[number]): string {
  try {
    const asked = observedRequest(hex, ofTokeld, tokel)
    if ('reason' in asked) return asked.reason
    const { ok } = verdictOn(asked, hex, tokelAncestors(hex), height - 1)
    return `${asked.operation} ${ok ? 'agrees' : 'breaks a rule'}`
  } catch (error) {
    if (!isAntaraError(error)) throw error
    return error.code
  }
}

test('each transaction of a chain of tokeld gets a case or a reason', () => {
  const counts: Record<string, number> = {}
  for (const made of tokelChain) {
    const outcome = outcomeOf(made)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  expect(counts).toEqual({
    'it does not show the key of a recipient': 1,
    'it makes new coins': 48,
    'it moves tokens of several keys, or to nobody else': 1,
    'it moves tokens that several keys hold together': 1,
    'its outputs name their tokens themselves': 1,
    'payment agrees': 2,
    'tokenask agrees': 1,
    'tokenbid agrees': 1,
    'tokencancelask agrees': 1,
    'tokencreate agrees': 11,
    'tokenfillask agrees': 1,
    'tokenfillbid agrees': 1,
    'tokentransfer agrees': 16,
    // Transactions that were changed for the recording, to see what the daemon accepts.
    'tokentransfer breaks a rule': 5,
  })
})

test('no answer of tokeld breaks a rule', () => {
  const answered = new Set(tokeldCases.map(({ hex }) => hex))
  const made = tokelChain.filter(({ hex }) => answered.has(hex))
  expect(made.length).toBeGreaterThan(20)
  expect(made.filter((it) => outcomeOf(it).endsWith('breaks a rule'))).toEqual([])
})

/** Returns a transaction of the market with other outputs. Its inputs keep what they show. */
function changed(
  { hex }: market.Made,
  change: (outputs: readonly market.Output[]) => readonly market.Output[],
): string {
  const tx = decodeTransaction(hex)
  return encodeTransaction({ ...tx, outputs: change(tx.outputs) })
}

/** Returns a transaction that names another step, or other terms. */
const named = (made: market.Made, order: string, tokenid = market.tokenid) =>
  changed(made, (outputs) => [...outputs.slice(0, -1), market.nulldata(tokenid, order)])
const observed = (hex: string, previous = ofMarket) => observedRequest(hex, previous, tokel)
const unitPrice = 10_000n

/** Terms as the maker of an order may write them. */
const terms = (letter: string, price: bigint, origin: string) =>
  `f6${Buffer.from(letter).toString('hex')}01${Buffer.from(BigInt64Array.of(price).buffer).toString('hex')}${(
    origin.length / 2
  )
    .toString(16)
    .padStart(2, '0')}${origin}00000000`

test.each([
  ['text in place of the key of its maker', named(ask, terms('s', unitPrice, '1b5b324a'))],
  ['a key that no curve has', named(ask, terms('s', unitPrice, '05'.padEnd(66, '0')))],
])('gives no case of an order with %s', (_, hex) => {
  expect(observed(hex)).toEqual({ reason: 'it does not show the key that takes the step' })
})

test.each([
  ['no price', named(ask, terms('s', 0n, a))],
  ['a negative price', named(ask, terms('s', -1n, a))],
  ['a price above its coins', named(bid, terms('b', 2_000_000n, b))],
  ['no units', changed(ask, ([offer, ...rest]) => [{ ...offer!, value: 0n }, ...rest])],
])('gives no case of an order with %s', (_, hex) => {
  expect(observed(hex)).toEqual({ reason: expect.stringMatching(/no amount|no chain accepts/) })
})

test('gives no case of a step that spends no order', () => {
  for (const letter of ['S', 'B']) {
    const hex = named(ask, market.orderBytes(letter, unitPrice, a))
    expect(observed(hex)).toEqual({ reason: 'it spends no order' })
  }
  for (const letters of ['78', '6f']) {
    expect(observed(named(ask, `f6${letters}01`))).toEqual({ reason: 'it spends no order' })
  }
})

test('gives no case of an order that is spent and not named', () => {
  const reason = 'it moves what orders hold, and names no step'
  expect(observed(named(market.fillAsk, ''))).toEqual({ reason })
})

test('gives no case of a step with too few outputs', () => {
  for (const made of [market.fillAsk, market.fillBid]) {
    const short = changed(made, (outputs) => [outputs[0]!, outputs.at(-1)!])
    expect(observed(short)).toEqual({
      reason: expect.stringMatching(/too few outputs|the key that/),
    })
  }
})

test('gives no case of a swap, nor of an order of the other kind of daemon', () => {
  const { hex } = madeOrders.find(({ kind }) => kind === 'ask')!
  const reason = 'its order has a form of other chains'
  expect(observed(hex, ofKomodod)).toEqual({ reason })
  const { outputs, ...tx } = decodeTransaction(hex)
  const swap = encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid: market.tokenid,
    pubkeys: [],
    extras: [
      { kind: 'assets', id: 0x12, data: `e365${'ab'.repeat(32)}${'01'.padEnd(16, '0')}21${a}` },
    ],
  })
  const swapping = { ...tx, outputs: [...outputs.slice(0, -1), { value: 0n, script: swap }] }
  expect(observedRequest(encodeTransaction(swapping), ofKomodod, assetChain)).toEqual({
    reason: 'it swaps tokens for tokens',
  })
})

test.each([
  ['the order', market.fillAsk, ask.txid],
  ['the order that ends', market.cancelAsk, ask.txid],
  ['the creation of the token', market.fillBid, market.tokenid],
])('names what a server left out: %s', (_, { hex }, left) => {
  const others = new Map([...ofMarket].filter(([txid]) => txid !== left))
  expect(observed(hex, others)).toEqual({ reason: expect.stringContaining(left) })
})

const more = (at: number, by: bigint) => (outputs: readonly market.Output[]) =>
  outputs.map((it, index) => (index === at ? { ...it, value: it.value + by } : it))

test.each([
  ['takes more units than it leaves out', changed(market.fillAsk, more(1, 5n))],
  ['pays the seller less', changed(market.fillAsk, more(2, -1000n))],
  ['pays the creator less', changed(market.fillAsk, more(3, -1000n))],
  ['leaves less of a bid', changed(market.fillBid, more(0, -1000n))],
  ['gives the bidder fewer units', changed(market.fillBid, more(3, -1n))],
  ['ends an ask for another token', named(market.cancelAsk, 'f67801', market.otherTokenid)],
  ['ends a bid as if it were an ask', named(market.cancelBid, 'f67801')],
  ['buys from a bid', named(market.fillBid, market.orderBytes('S', 100_000n, b))],
  ['names another price than the order', named(market.fillAsk, market.orderBytes('S', 9_999n, a))],
])('a step that %s does not agree', (_, hex) => {
  const asked = observed(hex)
  if ('reason' in asked) return expect(asked.reason).not.toBe('')
  const { previousTransactions } = market.evidenceOf(hex)
  const { findings } = verdictOn(asked, hex, previousTransactions, market.tipHeight)
  // Its signatures are of the transaction before the change.
  const rejects = findings.filter((it) => it.severity === 'reject' && !/signature/.test(it.code))
  expect(rejects).not.toEqual([])
})

test('each case of a step can be read again from its file', () => {
  for (const [{ hex }] of Object.values(byHand)) {
    const asked = observed(hex)
    const made = { ...asked, hex, evidence: { previousTransactions: [] } } as unknown as Case
    const { intent } = parseCase(formatCase(made))
    expect(intent).toMatchObject((asked as Case).intent)
  }
})
