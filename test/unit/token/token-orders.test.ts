import { describe, expect, test } from 'vitest'
import { createTokenProver, decodeTransaction, encodeTransaction } from '../../../src/index.ts'
import type { AssetOrder } from '../../../src/token/payload/asset-order.ts'
import { encodeAssetOrder } from '../../../src/token/payload/asset-order.ts'
import { encodeTokenPayload } from '../../../src/token/payload/encode.ts'
import type { KomodoTransferPayload } from '../../../src/token/payload/payload.ts'
import { fulfillmentsOf } from '../../../src/token/rules/fulfillment.ts'
import { lastPayload } from '../../../src/token/rules/komodo.ts'
import { orderRefusal } from '../../../src/token/rules/orders.ts'
import type { Transaction, TransactionOutput } from '../../../src/transaction/types.ts'
import { readVectors } from '../../support/komodod.ts'

const { transactions } = readVectors<{ transactions: { txid: string; hex: string }[] }>(
  'komodod/90-chain-dump.json',
)
const chain = new Map(transactions.map(({ txid, hex }) => [txid, decodeTransaction(hex)]))
const prover = createTokenProver(transactions.map(({ hex }) => hex))

/** As a node would: what the chain has, and what the tokens module counts. */
function refusal(transaction: Transaction, tokensIn = tokensOf(transaction)) {
  return orderRefusal(transaction, {
    find: (txid) => chain.get(txid),
    tokensIn: (tokenid) => tokensIn(tokenid),
  })
}

const tokensOf =
  (tx: Transaction) =>
  (tokenid: string): bigint =>
    tx.inputs.reduce((sum, { txid, vout }, at) => {
      if (!fulfillmentsOf(tx)[at]?.evalCodes.includes('f2')) return sum
      const proof = prover.prove(txid, vout, tokenid)
      return proof.verdict === 'proven' ? sum + proof.amount : sum
    }, 0n)

const spendsOrder = (tx: Transaction) =>
  fulfillmentsOf(tx).some((it) => it?.evalCodes.includes('e3'))
const orderOf = ({ outputs }: Transaction) =>
  lastPayload(outputs)?.extras.find(({ kind }) => kind === 'assets')?.order
const actionOf = (tx: Transaction) => orderOf(tx)?.action

// rec 29 and what was mined before it
const mined = [...chain.values()].filter(spendsOrder)

test('every order that a komodod let spend keeps the rules', () => {
  const actions = mined.map((it) => `${actionOf(it)}`)
  expect(new Set(actions)).toEqual(new Set(['fillAsk', 'fillBid', 'cancelAsk']))
  for (const it of mined) expect(refusal(it), it.txid).toBeUndefined()
})

const find = (action: string) => mined.findLast((it) => actionOf(it) === action)!
const fillAsk = find('fillAsk')
const fillBid = find('fillBid')
const cancelAsk = find('cancelAsk')
const bid = chain.get(fillBid.inputs[1]!.txid)!
const spentBid = bid.outputs[0]!
const bidder = (orderOf(bid) as { origin: string }).origin
/** The recorded fill as if its inputs had held no more tokens than it sells. */
const exactFill = decodeTransaction(
  encodeTransaction({ ...fillBid, outputs: fillBid.outputs.filter((_, at) => at !== 4) }),
)
const ask = [...chain.values()].find((it) => actionOf(it) === 'ask')!
const stranger = `21${'02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'}ac`
const condition = ask.outputs[0]!.script

type Change = (tx: Transaction) => Partial<Transaction>
const changed = (tx: Transaction, change: Change): Transaction =>
  decodeTransaction(encodeTransaction({ ...tx, ...change(tx) }))

const output =
  (at: number, change: Partial<TransactionOutput>): Change =>
  ({ outputs }) => ({
    outputs: outputs.map((it, index) => (index === at ? { ...it, ...change } : it)),
  })
/** Moves value between two outputs. */
const move =
  (from: number, to: number, value: bigint): Change =>
  ({ outputs }) => ({
    outputs: outputs.map((it, at) => {
      const by = (at === to ? value : 0n) - (at === from ? value : 0n)
      return { ...it, value: it.value + by }
    }),
  })
const first =
  (count: number): Change =>
  ({ outputs }) => ({ outputs: [...outputs.slice(0, count), outputs.at(-1)!] })

/** Rewrites what the transaction says. */
function says(change: (payload: KomodoTransferPayload, order: AssetOrder) => object): Change {
  return ({ outputs }) => {
    const last = outputs.at(-1)!
    const payload = lastPayload(outputs) as KomodoTransferPayload
    const { minimal, push, ...rest } = payload
    const order = payload.extras.find(({ kind }) => kind === 'assets')!.order!
    const script = encodeTokenPayload({ ...rest, ...change(payload, order) } as never)
    return { outputs: [...outputs.slice(0, -1), { ...last, script }] }
  }
}
const orders = (change: (order: AssetOrder) => object): Change =>
  says((_, order) => ({
    extras: [
      { id: 0x12, kind: 'assets', data: encodeAssetOrder({ ...order, ...change(order) } as never) },
    ],
  }))

// No bid was cancelled where these were recorded: this is laid out as komodo
// src/cc/CCassetstx.cpp, CancelBuyOffer, does.
const cancelBid = changed(
  changed(
    fillBid,
    orders(() => ({ action: 'cancelBid' })),
  ),
  ({ inputs, outputs }) => ({
    inputs: inputs.slice(0, 2),
    outputs: [
      { value: spentBid.value, script: `21${bidder}ac` },
      { value: 10_000n, script: `21${bidder}ac` },
      outputs.at(-1)!,
    ],
  }),
)

const otherOwner = stranger.slice(2, -2)
const cases: [string, Transaction, Change, string][] = [
  ['nothing is paid', fillAsk, () => ({ outputs: [] }), 'AssetValidate: no vouts'],
  [
    'no order is named',
    fillAsk,
    says(() => ({ extras: [] })),
    'AssetValidate: invalid opreturn payload',
  ],
  [
    'the token is unknown',
    fillAsk,
    says(() => ({ tokenid: 'ab'.repeat(32) })),
    'cant find asset create txid',
  ],
  [
    'a condition comes first',
    fillAsk,
    ({ inputs }) => ({ inputs: [inputs[1]!, inputs[0]!] }),
    'illegal asset vin0',
  ],
  ['nothing but words', fillAsk, first(0), 'too few vouts'],
  [
    'a cancel names no token',
    cancelAsk,
    says(() => ({ tokenid: '00'.repeat(32) })),
    'illegal assetid',
  ],
  ['it makes a bid', fillBid, orders(() => ({ action: 'bid' })), 'invalid asset funcid (b)'],
  ['it asks', fillAsk, orders(() => ({ action: 'ask' })), 'invalid asset funcid (s)'],
  [
    'no order is spent',
    fillAsk,
    ({ inputs }) => ({ inputs: inputs.slice(0, 1) }),
    'not enough for CC vins',
  ],
  [
    'another output is spent',
    fillAsk,
    ({ inputs }) => ({ inputs: inputs.map((it, at) => (at === 1 ? { ...it, vout: 1 } : it)) }),
    'vin1 needs to be buyvin.vout[0]',
  ],
  [
    'a bid is filled as an ask',
    fillBid,
    orders(() => ({ action: 'fillAsk' })),
    'invalid vin assets CCaddr',
  ],
  [
    'a bid is cancelled as an ask',
    cancelBid,
    orders(() => ({ action: 'cancelAsk' })),
    'invalid vin assets CCaddr',
  ],
  [
    'an ask is cancelled as a bid',
    cancelAsk,
    orders(() => ({ action: 'cancelBid' })),
    'invalid vin assets CCaddr',
  ],
  [
    'another pays itself back',
    cancelBid,
    output(0, { script: stranger }),
    'invalid refund for cancelbuy',
  ],
  ['less is paid back', cancelBid, move(0, 1, 1n), 'invalid refund for cancelbuy'],
  [
    'a cancelled bid makes a condition',
    cancelBid,
    output(1, { script: condition }),
    'invalid CC vout',
  ],
  [
    'another takes the tokens back',
    cancelAsk,
    output(0, { script: condition }),
    'invalid vout for cancel',
  ],
  ['fewer tokens come back', cancelAsk, move(0, 1, 1n), 'invalid vout for cancel'],
  [
    'a cancelled ask makes a condition',
    cancelAsk,
    output(1, { script: condition }),
    'invalid CC vout',
  ],
  ['too few outputs', fillAsk, first(2), 'not enough vouts for fillask'],
  [
    'the seller is another',
    fillAsk,
    orders(() => ({ origin: otherOwner })),
    'mismatched origpubkeys for fillask',
  ],
  ['tokens get lost', fillAsk, move(1, 2, 1n), 'locked value doesnt match vout0+1 fillask'],
  ['less is paid for more', fillAsk, move(0, 1, 1n), 'mismatched remainder for fillask'],
  [
    'what is left asks another price',
    fillAsk,
    orders((it) => ({ price: (it as { price: bigint }).price - 1n })),
    'mismatched remainder for fillask',
  ],
  ['the buyer takes coins', fillAsk, output(1, { script: stranger }), 'normal vout1 for fillask'],
  [
    'the price goes elsewhere',
    fillAsk,
    output(2, { script: stranger }),
    'normal vout1 for fillask',
  ],
  [
    'the marker is another',
    fillAsk,
    output(3, { script: condition }),
    'invalid marker for original pubkey',
  ],
  ['the marker is worth less', fillAsk, move(3, 4, 1n), 'invalid marker for original pubkey'],
  [
    'what is left goes elsewhere',
    fillAsk,
    output(0, { script: fillAsk.outputs[3]!.script }),
    'mismatched vout0 assets dual unspendable CCaddr for fill sell',
  ],
  ['too few outputs', fillBid, first(2), 'not enough vouts for fillbuy'],
  [
    'the buyer is another',
    fillBid,
    orders(() => ({ origin: otherOwner })),
    'mismatched origpubkeys for fillbuy',
  ],
  ['coins get lost', fillBid, move(1, 3, 1n), 'locked value doesnt match vout0+1 fillbuy'],
  [
    'the tokens go elsewhere',
    fillBid,
    output(2, { script: condition }),
    'vout2 doesnt go to origpubkey fillbuy',
  ],
  ['token change gets lost', fillBid, move(4, 3, 1n), 'asset inputs doesnt match vout2+3 fillbuy'],
]

const exactCases: [string, Change, string][] = [
  [
    'the tokens go elsewhere',
    output(2, { script: condition }),
    'vout2 doesnt match inputs fillbuy',
  ],
  ['the seller is paid by condition', output(1, { script: condition }), 'vout1 is CC for fillbuy'],
  ['the marker is another', output(3, { script: condition }), 'invalid marker for original pubkey'],
  ['the marker is worth less', move(3, 4, 1n), 'invalid marker for original pubkey'],
  ['more coins are taken', move(0, 1, -1n), 'mismatched remainder for fillbuy'],
  ['more is left to buy', orders(() => ({ price: 7n })), 'mismatched remainder for fillbuy'],
  [
    'what is left goes elsewhere',
    output(0, { script: fillBid.outputs[3]!.script }),
    'mismatched vout0 AssetsCCaddr for fillbuy',
  ],
]

test('an order that is cancelled, or filled exactly, keeps the rules', () => {
  expect(refusal(cancelBid)).toBeUndefined()
  expect(refusal(exactFill, () => 4n)).toBeUndefined()
})

describe('a bid that is filled exactly is refused where', () => {
  test.each(exactCases)('%s', (_, change, words) => {
    expect(refusal(changed(exactFill, change), () => 4n)).toBe(words)
  })
})

describe('an order is refused where', () => {
  test.each(cases)('%s', (_, tx, change, words) => {
    expect(refusal(changed(tx, change))).toBe(words)
  })
})
