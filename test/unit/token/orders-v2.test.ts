// tokeld's rules for making and cancelling orders of tokens v2, called directly on transactions that are made
// up here. Source: tokel src/cc/assets.cpp, AssetsValidateInternal; src/cc/CCassetsCore_impl.h.

import { describe, expect, test } from 'vitest'

import type { Transaction, TransactionOutput } from '../../../src/index.ts'
import { encodeTokelData } from '../../../src/token/payload/tokel-data.ts'
import { orderRefusalV2 } from '../../../src/token/rules/orders-v2.ts'
import { a, b, c } from '../../support/resigned.ts'
import {
  type Input,
  id,
  made,
  out,
  payloadOutput,
  shows as showsEval,
  vec,
} from '../../support/rules-made.ts'
import { asks, bids, keyTokens, markerOf, p2pk } from '../../support/tokel-market.ts'

const [tokenid, coins, anAsk, aBid, rest, other] = ['1', '2', '3', '4', '5', '6'].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const i64 = (value: bigint) => Buffer.from(BigInt64Array.of(value).buffer).toString('hex')
const i32 = (value: number) => Buffer.from(Int32Array.of(value).buffer).toString('hex')
const says = (order: string, of = tokenid) =>
  payloadOutput(`f57401${of}${order === '' ? '' : vec(order)}`)
const terms = (action: string, unitPrice = 1000n, origin = a, end = 50) =>
  `f6${Buffer.from(action).toString('hex')}01${i64(unitPrice)}${vec(origin)}${i32(end)}`
const [cancelAsk, cancelBid] = ['f67801', 'f66f01']
/** A fulfillment that shows a key, and the eval code of assets v2 unless another is given. */
const shows = (pubkey: string, evalCode = 'f6') => showsEval(pubkey, evalCode)

const marker = out(10_000n, markerOf(a))
const askOutputs = [out(7n, asks), marker, says(terms('s'))]
const bidOutputs = [out(7000n, bids), marker, says(terms('b'))]
const coin: Input = [coins, 0]
const usual: readonly Transaction[] = [
  made(coins, [[other, 0]], [out(100_000n, p2pk(a)), out(100_000n, p2pk(b))]),
  made(anAsk, [coin], askOutputs),
  made(aBid, [coin], bidOutputs),
  made(rest, [[anAsk, 0, shows(c)]], [out(3n, asks), out(4n, keyTokens(b)), says(terms('S'))]),
]

interface Given {
  readonly inputs?: readonly Input[]
  readonly outputs?: readonly TransactionOutput[]
  readonly height?: number
  /** Transactions that replace those of the same id. */
  readonly chain?: readonly Transaction[]
  /** The token that output 0 claims to hold. */
  readonly holds?: string | undefined
}
function refusal({ inputs = [coin], outputs = [], height = 10, chain = [], ...given }: Given) {
  const known = new Map([...usual, ...chain].map((it) => [it.txid, it]))
  const holds = 'holds' in given ? given.holds : tokenid
  return orderRefusalV2(made(id('9'), inputs, outputs), {
    height,
    find: (txid) => known.get(txid),
    tokenidAt: (_, vout) => (vout === 0 ? holds : tokenid),
  })
}

describe('a transaction of the module', () => {
  test('has inputs, outputs and an order of a token', () => {
    expect(refusal({ inputs: [] })).toBe('AssetValidate: no vins')
    expect(refusal({})).toBe('AssetValidate: no vouts')
    const noOrder = 'AssetValidate: invalid opreturn payload'
    expect(refusal({ outputs: [out(1n, p2pk(a))] })).toBe(noOrder)
    expect(refusal({ outputs: [out(1n, asks), says('')] })).toBe(noOrder)
    const ofV1 = says(`e3${terms('s').slice(2)}`)
    expect(refusal({ outputs: [out(1n, asks), ofV1] })).toBe(noOrder)
    expect(refusal({ outputs: [says(terms('s'))] })).toBe('too few vouts')
    expect(refusal({ outputs: [says(cancelBid)] })).toBe('too few vouts')
    expect(refusal({ outputs: [out(1n, asks), says(terms('s'), id('0'))] })).toBe(
      'illegal opreturn assetid',
    )
    const creates = payloadOutput(`f56301${vec(a)}015400${vec(terms('s'))}`)
    expect(refusal({ outputs: [out(1n, asks), creates] })).toBe(noOrder)
  })
})

describe.each([
  ['ask', askOutputs, 'invalid vout0 global two eval address for sell'],
  ['bid', bidOutputs, 'invalid funding for bid'],
] as const)('an offer, here an %s', (kind, offer, wrongScript) => {
  const letter = kind === 'ask' ? 's' : 'b'
  const word = kind === 'ask' ? 'originator' : 'original'
  const refused = (outputs: readonly TransactionOutput[], given: Given = {}) =>
    refusal({ ...given, outputs })

  test('has the offer, the marker and its payload', () => {
    expect(refused(offer)).toBeUndefined()
    expect(refused(offer.toSpliced(1, 1))).toBe('too few vouts')
    expect(refused(offer.with(0, out(7000n, p2pk(a))))).toBe(wrongScript)
    const noMarker = `invalid vout1 marker for ${word} pubkey`
    expect(refused(offer.with(1, out(10_000n, markerOf(b))))).toBe(noMarker)
    expect(refused(offer.with(1, out(9999n, markerOf(a))))).toBe(noMarker)
  })

  test('is paid for by its maker', () => {
    const unpaid = `not the originator pubkey signed for ${kind}`
    expect(refused(offer, { inputs: [[coins, 1]] })).toBe(unpaid)
    expect(refused(offer, { inputs: [[coins, 1], coin] })).toBeUndefined()
  })

  test('has a price for each unit over the dust', () => {
    const priced = (unitPrice: bigint) => refused(offer.with(-1, says(terms(letter, unitPrice))))
    expect(priced(501n)).toBeUndefined()
    expect(priced(500n)).toBe('invalid or too low unit price')
  })

  test('spends no order', () => {
    expect(refused(offer, { inputs: [coin, [aBid, 0, shows(c)]] })).toBe(
      'could not have cc assets vin for creation tx',
    )
  })

  test('pays no further conditions', () => {
    expect(refused(offer.toSpliced(2, 0, out(1n, p2pk(a)), out(1n, keyTokens(a))))).toBe(
      'invalid cc vin or vout count',
    )
  })
})

test('a bid is for one unit at least', () => {
  const of = (value: bigint) => refusal({ outputs: bidOutputs.with(0, out(value, bids)) })
  expect(of(1000n)).toBeUndefined()
  expect(of(999n)).toBe('invalid bid amount too low')
})

test('an ask offers units of its token, and may have change of it', () => {
  expect(refusal({ outputs: askOutputs, holds: other })).toBe(
    'invalid tokenid in output for tokenask',
  )
  const change = (script: string) =>
    refusal({ outputs: askOutputs.toSpliced(2, 0, out(3n, script)) })
  expect(change(keyTokens(a))).toBeUndefined()
  expect(change(p2pk(a))).toBeUndefined()
  expect(change('03020104cc')).toBeUndefined()
  expect(change(markerOf(a))).toBe('invalid cc vin or vout count')
})

describe.each([
  ['ask', anAsk, askOutputs, cancelAsk, out(7n, keyTokens(a)), 'invalid vout0 for cancelask'],
  ['bid', aBid, bidOutputs, cancelBid, out(7000n, p2pk(a)), 'invalid refund for cancelbid'],
] as const)('a cancellation of an %s', (kind, order, offer, payload, refund, wrong) => {
  const spends: readonly Input[] = [coin, [order, 0, shows(c)], [order, 1, shows(a)]]
  const cancels = (given: Given = {}) =>
    refusal({ inputs: spends, outputs: [refund, says(payload)], ...given })
  const otherwise = (outputs: readonly TransactionOutput[], inputs: readonly Input[] = [coin]) =>
    cancels({ chain: [made(order, inputs, outputs)] })
  const letter = kind === 'ask' ? 's' : 'b'
  const rested = kind === 'ask' ? 'S' : 'B'
  const [script, otherScript] = kind === 'ask' ? [asks, bids] : [bids, asks]

  test('gives back what it holds', () => {
    expect(cancels()).toBeUndefined()
    expect(cancels({ outputs: [{ ...refund, value: refund.value - 1n }, says(payload)] })).toBe(
      wrong,
    )
    const foreign = kind === 'ask' ? keyTokens(b) : p2pk(b)
    expect(cancels({ outputs: [{ ...refund, script: foreign }, says(payload)] })).toBe(wrong)
  })

  test('spends the marker right after the order, unless the order is over', () => {
    const not = `not the originator pubkey signed for cancel${kind} for not yet expired orders`
    const [first, second, third] = spends as [Input, Input, Input]
    expect(cancels({ inputs: [first, second] })).toBe('marker vin not found')
    expect(cancels({ inputs: [first, second, [order, 1, shows(b)]] })).toBe(not)
    expect(cancels({ inputs: [second, first, third] })).toBe(not)
    expect(cancels({ inputs: [first, second, [coins, 1], third] })).toBe(not)
    const late = { inputs: [first, second, [order, 1, shows(b)]] as const }
    expect(cancels({ ...late, height: 49 })).toBe(not)
    expect(cancels({ ...late, height: 50 })).toBeUndefined()
  })

  test('spends nothing else of the module, and pays no further conditions', () => {
    const counts = 'invalid cc vin or vout count'
    for (const more of [
      [coins, 1],
      [coins, 9],
      [other, 0],
    ] as const) {
      expect(cancels({ inputs: [...spends, [...more, shows(c)]] })).toBe(counts)
    }
    const more = [refund, out(1n, keyTokens(a)), says(payload)]
    expect(cancels({ outputs: more })).toBe(counts)
  })

  test('spends an order', () => {
    const notFound = kind === 'ask' ? 'cc vin not found' : 'cc vin not found in tx'
    expect(cancels({ inputs: [coin, [coins, 1]] })).toBe(notFound)
    expect(cancels({ inputs: [spends[1]!] })).toBe('not enough vins')
    expect(cancels({ inputs: [coin, [order, 1, shows(a)]] })).toBe(
      'asset cc vin must refer bid vintx.vout[0]',
    )
    expect(cancels({ inputs: [coin, [other, 0, shows(c)]] })).toBe(
      'could not load previous tx or it has too few vouts',
    )
    expect(otherwise([out(7n, script), marker])).toBe(
      'could not find assets opreturn in previous tx',
    )
    expect(otherwise(offer.with(0, out(7n, otherScript)))).toBe('invalid vin assets CCaddr')
    expect(otherwise(offer.with(-1, says(payload)))).toBe('couldnt get origaddr for vin tx')
  })

  test('spends the rest of an order, which has spent the order itself', () => {
    const left = offer.with(-1, says(terms(rested)))
    expect(otherwise(left)).toBe('no assets cc vins in previous fillbuy or fillsell tx')
    expect(otherwise(left, [coin, [other, 0, shows(c)]])).toBeUndefined()
    expect(otherwise(left, [coin, [other, 0, shows(c, 'f5')]])).toBe(
      'no assets cc vins in previous fillbuy or fillsell tx',
    )
  })

  test('spends one order', () => {
    const twice = made(other, [coin], [out(5n, script), marker, says(terms(letter))])
    const inputs = [...spends, [other, 0, shows(c)] as const]
    expect(cancels({ inputs, chain: [twice] })).toBe('invalid assets cc vins found')
    expect(otherwise(offer.with(0, out(0n, script)))).toBe('null value in previous tx CC vout0')
  })
})

test('a cancellation of an ask gives back units of the token', () => {
  const inputs: readonly Input[] = [coin, [anAsk, 0, shows(c)], [anAsk, 1, shows(a)]]
  const outputs = [out(7n, keyTokens(a)), says(cancelAsk)]
  expect(refusal({ inputs, outputs, holds: other })).toBe('invalid tokenid in vout0 for cancelask')
  const foreign = made(anAsk, [coin], askOutputs.with(-1, says(terms('s'), other)))
  expect(refusal({ inputs, outputs, chain: [foreign] })).toBe('invalid vout0 for cancelask')
})

describe('a cancellation of a bid', () => {
  const inputs: readonly Input[] = [coin, [aBid, 0, shows(c)], [aBid, 1, shows(a)]]
  const of = (outputs: readonly TransactionOutput[], refund = out(7000n, p2pk(a))) =>
    refusal({
      inputs,
      outputs: [refund, says(cancelBid)],
      chain: [made(aBid, [coin], outputs)],
    })

  test('leaves dust with the module', () => {
    const dust = (value: bigint) => bidOutputs.with(0, out(value, bids))
    expect(of(dust(500n), out(500n, bids))).toBeUndefined()
    expect(of(dust(500n), out(500n, p2pk(a)))).toBe('invalid dust refund for cancelbid')
    expect(of(dust(501n), out(501n, p2pk(a)))).toBeUndefined()
    expect(of(dust(501n), out(501n, bids))).toBe('invalid refund for cancelbid')
    expect(of(dust(499n), out(498n, bids))).toBe('invalid dust refund for cancelbid')
  })

  test('spends a bid for the token', () => {
    expect(of(bidOutputs.with(1, out(10_000n, p2pk(a))))).toBe('invalid not cc vout1 for buyvin')
    expect(of(bidOutputs.with(-1, says(terms('s'))))).toBe('invalid opreturn funcid for buyvin')
    // Output 1 of what is left of a bid is the coins that were paid for a part of it.
    const left = bidOutputs.with(1, out(10_000n, p2pk(b))).with(-1, says(terms('B')))
    const chain = [made(aBid, [coin, [other, 0, shows(c)]], left)]
    const outputs = [out(7000n, p2pk(a)), says(cancelBid)]
    expect(refusal({ inputs, outputs, chain })).toBeUndefined()
    expect(of(bidOutputs.with(-1, says(terms('b'), other)))).toBe('invalid assetid for buyvin')
  })
})

describe('a fill', () => {
  const creation = (royalty: string) =>
    made(tokenid, [coin], [out(9n, keyTokens(c)), payloadOutput(`f56301${vec(c)}015400${royalty}`)])
  const spends = (order: string): readonly Input[] => [coin, [order, 0, shows(c)]]
  const filledAsk = [
    out(3n, asks),
    out(4n, keyTokens(b)),
    out(4000n, p2pk(a)),
    marker,
    says(terms('S')),
  ]
  const filledBid = [
    out(5000n, bids),
    out(2000n, p2pk(b)),
    out(2n, keyTokens(a)),
    marker,
    says(terms('B')),
  ]
  const given = { inputs: [...spends(aBid), [coins, 0, shows(b, 'f5')] as const] }
  const units = made(coins, [[other, 0]], [out(2n, keyTokens(b))])

  test('is by the terms of its order', () => {
    expect(refusal({ inputs: spends(anAsk), outputs: filledAsk })).toBeUndefined()
    expect(refusal({ ...given, chain: [units], outputs: filledBid })).toBeUndefined()
    const dear = says(terms('S', 1001n))
    expect(refusal({ inputs: spends(anAsk), outputs: filledAsk.with(-1, dear) })).toBe(
      'mismatched unit price for fillask',
    )
    const cheap = says(terms('B', 999n))
    expect(refusal({ ...given, outputs: filledBid.with(-1, cheap) })).toBe(
      'mismatched unit price for fillbid',
    )
  })

  test('spends an order of its kind', () => {
    expect(refusal({ outputs: filledAsk })).toBe('cc vin not found')
    expect(refusal({ outputs: filledBid })).toBe('cc vin not found in tx')
    expect(refusal({ inputs: spends(aBid), outputs: filledAsk })).toBe('invalid vin assets CCaddr')
    expect(refusal({ inputs: spends(anAsk), outputs: filledBid })).toBe('invalid vin assets CCaddr')
  })

  test('pays the royalty that the creation of the token names', () => {
    const chain = [creation(vec(encodeTokelData({ royalty: 100 })))]
    const inputs = spends(anAsk)
    expect(refusal({ inputs, outputs: filledAsk, chain })).not.toBeUndefined()
    const shared = filledAsk.with(2, out(3600n, p2pk(a))).toSpliced(3, 0, out(400n, p2pk(c)))
    expect(refusal({ inputs, outputs: shared, chain })).toBeUndefined()
    expect(refusal({ inputs, outputs: filledAsk, chain: [creation('')] })).toBeUndefined()
  })
})
