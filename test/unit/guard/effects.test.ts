// Effects name what a verified transaction takes from the wallet, also where there are several
// payees.

import { describe, expect, test } from 'vitest'
import type { GuardedPayment } from '../../../src/guard/decision.ts'
import { effectsOf } from '../../../src/guard/effects.ts'
import { checkPayment, consumedBy } from '../../../src/guard/policy/check-payment.ts'
import { readPolicy } from '../../../src/guard/policy/read-policy.ts'
import {
  decodeTransaction,
  networks,
  type TokenOrderIntent,
  transactionId,
  verifyTokenOrder,
} from '../../../src/index.ts'
import type { AskedFor } from '../../../src/request/case.ts'
import type { Report } from '../../../src/request/report.ts'
import { hashOfKey } from '../../../src/script/public-key.ts'
import { orderBaselines } from '../../support/tokel-baselines.ts'
import {
  asks,
  bids,
  hashTokens,
  keyTokens,
  markerOf,
  p2pk,
  prevoutsOf,
} from '../../support/tokel-market.ts'
import { tokeldCases } from '../../support/tokeld-cases.ts'

const pubkey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const other = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'
const tokenid = 'aa'.repeat(32)
const terms = { network: networks.tokel, pubkey }

const reportOf = (amounts: readonly bigint[]): Report => ({
  ok: true,
  broadcast: 'yes',
  findings: [],
  hex: '',
  inputsMinusOutputs: 10_000n,
  effects: amounts.map((value, output) => ({
    output,
    role: 'destination',
    value,
    script: `51${output}0`,
    known: 'proven',
  })),
})

const transferTo = (intent: object): AskedFor => ({
  operation: 'tokentransfer',
  intent: { tokenid, destination: pubkey, amount: 5n, from: pubkey, ...intent },
})

test('a transfer to itself takes nothing but the fee', () => {
  expect(effectsOf(transferTo({}), reportOf([5n]), terms)).toEqual({ outflows: [], fee: 10_000n })
})

test('a second recipient is not a transfer to itself, and each output names both', () => {
  const recipients = [pubkey, other].map((it) => ({ pubkey: it, amount: 5n }))
  const outflows = effectsOf(transferTo({ recipients }), reportOf([5n, 5n]), terms)?.outflows
  const keyHashes = [hashOfKey(pubkey), hashOfKey(other)]
  expect(outflows).toMatchObject([
    { asset: tokenid, amount: 5n, keyHashes },
    { asset: tokenid, amount: 5n, keyHashes },
  ])
})

test('keys that hold tokens together are all named, in upper case too', () => {
  const destinationKeys = { required: 1, pubkeys: [pubkey, other.toUpperCase()] }
  const outflows = effectsOf(transferTo({ destinationKeys }), reportOf([5n]), terms)?.outflows
  expect(outflows).toMatchObject([{ keyHashes: [hashOfKey(pubkey), hashOfKey(other)] }])
})

test('an output of several tokens that names none has no token that a policy could allow', () => {
  const tokenids = [tokenid, 'bb'.repeat(32)]
  const asked = transferTo({ destination: other, tokenids })
  expect(effectsOf(asked, reportOf([5n]), terms)?.outflows).toMatchObject([{ asset: '' }])
})

test('an order that a case makes for another key is marked as such', () => {
  const orderOf = (from: string): AskedFor => ({
    operation: 'tokencancelask',
    intent: { kind: 'cancelAsk', tokenid, order: tokenid, from },
  })
  const tradeOf = (from: string) => effectsOf(orderOf(from), reportOf([]), terms)?.trade
  expect(tradeOf(pubkey.toUpperCase())).not.toHaveProperty('isForOther')
  expect(tradeOf(other)).toMatchObject({ kind: 'cancelAsk', isForOther: true })
})

// tokel src/cc/CCassetstx_impl.h, FillBuyOffer: the royalty is taken from what the bid pays.
test.each([
  ['fillBid', 360_000n],
  ['fillBid, whole', 900_000n],
  ['fillAsk', 300_000n],
])(
  'the price of %s is what the guard gets or pays, and a seller gets no royalty',
  (name, price) => {
    const { intent, made, evidence } = orderBaselines.find((it) => it.name === name)!
    const order = intent as TokenOrderIntent
    const report = verifyTokenOrder(made.hex, order, evidence)
    expect(report.ok).toBe(true)
    const asked = { operation: `token${order.kind.toLowerCase()}`, intent: order } as AskedFor
    const { from } = order
    expect(effectsOf(asked, report, { ...terms, pubkey: from })?.trade?.price).toBe(price)
  },
)

test('the owner of a royalty is a recipient of a filled bid, and can be denied', () => {
  const { intent, made, evidence } = orderBaselines.find((it) => it.name === 'fillBid')!
  const order = intent as TokenOrderIntent
  const report = verifyTokenOrder(made.hex, order, evidence)
  const royalty = report.effects.find(({ role }) => role === 'royalty')!
  const asked = { operation: 'tokenfillbid', intent: order } as AskedFor
  const effects = effectsOf(asked, report, { ...terms, pubkey: order.from })!
  expect(effects.outflows).toContainEqual(
    expect.objectContaining({ amount: royalty.value, script: royalty.script, isOfBid: true }),
  )
  const rules = readPolicy(
    `{ "coins": "any", "tokens": "any", "recipients": { "deny": ["${royalty.script.slice(2, -2)}"] } }`,
  )
  const payment = { effects, bytes: 1 } as GuardedPayment
  expect(checkPayment(rules, payment, '', 0)).toMatchObject({ rule: 'recipients.deny' })
})

describe('the count of an order', () => {
  const orders = [
    ...orderBaselines.map(({ name, made, intent, evidence }) => ({
      ...{ name, hex: made.hex, intent: intent as TokenOrderIntent, evidence },
      spent: prevoutsOf(made.tx),
    })),
    ...tokeldCases.flatMap(({ name, hex, operation, intent, evidence }) => {
      if (operation !== 'order') return []
      const known = new Map(
        evidence.previousTransactions!.map((it) => [transactionId(it), decodeTransaction(it)]),
      )
      const { inputs } = decodeTransaction(hex)
      const spent = inputs.map(({ txid, vout }) => known.get(txid)!.outputs[vout]!)
      return [{ name, hex, intent, evidence, spent }]
    }),
  ]

  type Outputs = readonly { readonly value: bigint; readonly script: string }[]

  const sumOf = (outputs: Outputs, scripts: readonly string[]) =>
    outputs.reduce((sum, { value, script }) => sum + (scripts.includes(script) ? value : 0n), 0n)

  test.each(orders)('$name is all that its key loses, and no more', (order) => {
    const { hex, intent, evidence, spent } = order
    const { kind, from } = intent
    const report = verifyTokenOrder(hex, intent, evidence)
    expect(report.ok).toBe(true)
    const asked = { operation: `token${kind.toLowerCase()}`, intent } as AskedFor
    const consumed = consumedBy(effectsOf(asked, report, { ...terms, pubkey: from })!)

    // The sums of the key's own inputs and outputs, by scripts that are written out by hand.
    const { outputs } = decodeTransaction(hex)
    const coins = [p2pk(from), `76a914${hashOfKey(from)}88ac`]
    const units = [keyTokens(from), hashTokens(from)]
    const lostCoins = sumOf(spent, coins) - sumOf(outputs, coins)
    const lostUnits = sumOf(spent, units) - sumOf(outputs, units)
    // The key loses nothing by what it gets of the order.
    const isCancelled = kind === 'cancelAsk' || kind === 'cancelBid'
    const released = isCancelled ? sumOf(spent, [bids, markerOf(from)]) : 0n
    const earned = kind === 'fillBid' ? outputs[1]!.value : released
    const bought = intent.kind === 'fillAsk' ? intent.units : 0n
    const taken = kind === 'cancelAsk' ? sumOf(spent, [asks]) : bought
    expect(consumed.get('coins')).toBe(lostCoins + earned)
    expect(consumed.get(intent.tokenid) ?? 0n).toBe(lostUnits + taken)
  })
})
