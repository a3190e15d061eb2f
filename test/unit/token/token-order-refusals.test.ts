// The reasons for which komodod's assets module refuses to spend an order. Each rule of
// src/cc/assets.cpp is tested on both sides of its limits, on orders that are made up here. The
// file test/unit/token/token-orders.test.ts has the recorded ones.

import { describe, expect, test } from 'vitest'

import { tokenScript } from '../../../src/index.ts'
import { orderRefusal } from '../../../src/token/rules/orders.ts'
import type { Transaction, TransactionOutput } from '../../../src/transaction/types.ts'
import { a, b, c } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'

// Published in komodo src/cc/CCcustom.cpp
const assets = '02adf84e0e075cf90868bd4e3d34a03420e034719649c41f371fc70d8e33aa2702'
const held = (pubkey: string, ...evalCodes: number[]) => tokenScript(pubkey, { evalCodes })
const p2pk = (pubkey: string) => `21${pubkey}ac`
const i64 = (value: bigint) => Buffer.from(BigInt64Array.of(value).buffer).toString('hex')
const vec = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex
const letter = (text: string) => Buffer.from(text).toString('hex')
const id = (digit: string) => digit.repeat(64)

const token = id('1')
const nft = id('2')
const otherToken = id('3')
const notCreated = id('4')
const bids = held(assets, 0xe3)
const asks = held(assets, 0xe3, 0xf2)

type Output = [value: bigint, script: string]
const says = (tokenid: string, order: string): Output => [
  0n,
  `6a${push(`f274${tokenid}0012${vec(order)}`)}`,
]
const terms = (action: string, price: bigint, origin: string) =>
  `e3${letter(action)}${i64(price)}${vec(origin)}`
const swap = (action: string, other: string) => `e3${letter(action)}${other}${i64(5n)}${vec(a)}`
const creates = (extras = ''): Output => [0n, `6a${push(`f263${vec(a)}015400${extras}`)}`]
const outputsOf = (all: readonly Output[]): TransactionOutput[] =>
  all.map(([value, script]) => ({ value, script }))

const key = ''
const module = '06af038001e301'
const tokens = '06af038001f201'
type Input = [txid: string, vout: number, scriptSig: string]

interface Step {
  readonly inputs: readonly Input[]
  readonly outputs: readonly Output[]
  /** Transactions that are there besides. */
  readonly chain?: Readonly<Record<string, readonly Output[]>>
  /** Units that the tokens module counts in the inputs. */
  readonly tokensIn?: bigint
}

const created: Readonly<Record<string, readonly Output[]>> = {
  [token]: [[100n, held(a, 0xf2)], creates()],
  [nft]: [[1n, held(a, 0xf1, 0xf2)], creates('1102f1aa')],
  [otherToken]: [[100n, held(a, 0xf2)], creates()],
  // a transaction that creates nothing has no data that count
  [notCreated]: [
    [1n, held(a, 0xf2)],
    [0n, `6a${push(`f274${token}001102f1aa`)}`],
  ],
}

function refusal({ inputs, outputs, chain = {}, tokensIn = 0n }: Step): string | undefined {
  const known: Readonly<Record<string, readonly Output[]>> = { ...created, ...chain }
  const transaction = {
    txid: id('f'),
    inputs: inputs.map(([txid, vout, scriptSig]) => ({ txid, vout, scriptSig, sequence: 0 })),
    outputs: outputsOf(outputs),
  } as never as Transaction
  return orderRefusal(transaction, {
    find: (txid) => {
      const found = known[txid]
      return found && ({ txid, inputs: [], outputs: outputsOf(found) } as never as Transaction)
    },
    tokensIn: () => tokensIn,
  })
}

const coin: Input = [id('a'), 0, key]
const order = id('b')
const spent: Input = [order, 0, module]

/** 100 for 1000. */
const ask = (price = 1000n, tokenid = token): readonly Output[] => [
  [100n, asks],
  [10_000n, held(a, 0xe3)],
  says(tokenid, terms('s', price, a)),
]
/** 10 for 1000. */
const bid = (price = 10n, tokenid = token): readonly Output[] => [
  [1000n, bids],
  [10_000n, held(b, 0xe3)],
  says(tokenid, terms('b', price, b)),
]

/** C buys 30 of 100 for 300. */
const fillAsk: Step = {
  inputs: [coin, spent],
  outputs: [
    [70n, asks],
    [30n, held(c, 0xf2)],
    [300n, p2pk(a)],
    [10_000n, held(a, 0xe3)],
    says(token, terms('S', 700n, a)),
  ],
  chain: { [order]: ask() },
}
const fillAskWhole: Step = {
  ...fillAsk,
  outputs: [
    [0n, p2pk(c)],
    [100n, held(c, 0xf2)],
    [1000n, p2pk(a)],
    [10_000n, held(a, 0xe3)],
    says(token, terms('S', 0n, a)),
  ],
}
/** C sells 3 of 10 for 300, and brings no more than these. */
const fillBid: Step = {
  inputs: [coin, spent, [id('c'), 0, tokens]],
  outputs: [
    [700n, bids],
    [300n, p2pk(c)],
    [3n, held(b, 0xf2)],
    [10_000n, held(b, 0xe3)],
    says(token, terms('B', 7n, b)),
  ],
  chain: { [order]: bid() },
  tokensIn: 3n,
}
/** The same out of 8. */
const fillBidChange: Step = {
  ...fillBid,
  outputs: [...fillBid.outputs.slice(0, 4), [5n, held(c, 0xf2)], says(token, terms('B', 7n, b))],
  tokensIn: 8n,
}
const fillBidWhole: Step = {
  ...fillBid,
  outputs: [
    [0n, p2pk(c)],
    [1000n, p2pk(c)],
    [10n, held(b, 0xf2)],
    [10_000n, held(b, 0xe3)],
    says(token, terms('B', 0n, b)),
  ],
  tokensIn: 10n,
}
const cancelAsk: Step = {
  inputs: [coin, spent, [order, 1, module]],
  outputs: [[100n, held(a, 0xf2)], [10_000n, p2pk(a)], says(token, 'e378')],
  chain: { [order]: ask() },
}
const cancelBid: Step = {
  inputs: [coin, spent],
  outputs: [[1000n, p2pk(b)], [10_000n, p2pk(b)], says(token, 'e36f')],
  chain: { [order]: bid() },
}

type Change = (step: Step) => Step
const output =
  (at: number, value: bigint | undefined, script?: string): Change =>
  (step) => ({
    ...step,
    outputs: step.outputs.map((it, index): Output => {
      return index === at ? [value ?? it[0], script ?? it[1]] : it
    }),
  })
const last =
  (tokenid: string, claimed: string): Change =>
  (step) => ({ ...step, outputs: [...step.outputs.slice(0, -1), says(tokenid, claimed)] })
const before =
  (...more: Output[]): Change =>
  (step) => ({ ...step, outputs: [...step.outputs.slice(0, -1), ...more, step.outputs.at(-1)!] })
const inputs =
  (...all: Input[]): Change =>
  (step) => ({ ...step, inputs: all })
const parent =
  (...all: readonly Output[]): Change =>
  (step) => ({ ...step, chain: { [order]: all } })
const first =
  (count: number): Change =>
  (step) => ({ ...step, outputs: [...step.outputs.slice(0, count), step.outputs.at(-1)!] })
const brings =
  (tokensIn: bigint): Change =>
  (step) => ({ ...step, tokensIn })
const all =
  (...changes: Change[]): Change =>
  (step) =>
    changes.reduce((changed, change) => change(changed), step)
const same: Change = (step) => step

const cc = held(c, 0xf2)
const elsewhere: Input = [id('d'), 0, module]
const rows: [string, Step, Change, string | undefined][] = [
  ['a filled ask', fillAsk, same, undefined],
  ['all of an ask', fillAskWhole, same, undefined],
  ['a filled bid', fillBid, same, undefined],
  ['a filled bid with change', fillBidChange, same, undefined],
  ['all of a bid', fillBidWhole, same, undefined],
  ['a cancelled ask', cancelAsk, same, undefined],
  ['a cancelled bid', cancelBid, same, undefined],

  ['no payload', fillAsk, output(4, 0n, '6a00'), 'AssetValidate: invalid opreturn payload'],
  [
    'a fill of no token',
    fillAsk,
    last(id('9'), terms('S', 700n, a)),
    'cant find asset create txid',
  ],
  [
    'a cancel of no token, which is not looked for',
    cancelAsk,
    last(id('9'), 'e378'),
    'invalid missing CC vout0 for sellvin',
  ],
  [
    'a swap of an unknown token',
    fillAsk,
    last(token, swap('e', id('9'))),
    'cant find asset2 create txid',
  ],
  ['a swap', fillAsk, last(token, swap('e', otherToken)), 'unexpected assets funcid'],
  [
    'a filled swap',
    fillAsk,
    last(token, swap('E', otherToken)),
    'unexpected assets fillexchange funcid',
  ],
  [
    'an order after other data',
    fillAsk,
    output(4, 0n, `6a${push(`f274${token}001302abcd12${vec(terms('S', 700n, a))}`)}`),
    undefined,
  ],
  ['a condition first', fillAsk, inputs(spent, coin), 'illegal asset vin0'],
  ['one output', cancelAsk, first(0), 'too few vouts'],
  ['two outputs are not too few', cancelBid, first(1), undefined],
  ['a cancel that names no token', cancelAsk, last(id('0'), 'e378'), 'illegal assetid'],
  [
    'a cancel in a creation',
    cancelAsk,
    output(2, 0n, creates(`12${vec('e378')}`)[1]),
    'illegal assetid',
  ],
  [
    'a cancel that names zeros and one',
    cancelAsk,
    last(`${'0'.repeat(63)}1`, 'e378'),
    'invalid missing CC vout0 for sellvin',
  ],
  [
    'a cancel that names one and zeros',
    cancelAsk,
    last(`1${'0'.repeat(63)}`, 'e378'),
    'invalid missing CC vout0 for sellvin',
  ],

  ['one input', fillAsk, inputs(coin), 'not enough for CC vins'],
  [
    'another output of the order',
    fillAsk,
    inputs(coin, [order, 1, module]),
    'vin1 needs to be buyvin.vout[0]',
  ],
  ['an unknown order', fillAsk, inputs(coin, elsewhere), 'always should find CCvin, but didnt'],
  ['an order without outputs', fillAsk, parent(), 'invalid vin assets CCaddr'],
  ['a bid as an ask', fillAsk, parent(...bid()), 'invalid vin assets CCaddr'],
  ['an ask as a bid', fillBid, parent(...ask()), 'invalid vin assets CCaddr'],
  [
    'an ask that drops data, which its address does not show',
    fillAsk,
    parent([100n, `${asks}02010275`], ...ask().slice(1)),
    undefined,
  ],
  [
    'an order that says nothing',
    fillAsk,
    parent([100n, asks], [10_000n, held(a, 0xe3)]),
    'couldnt get origaddr for buyvin',
  ],
  [
    'an order that names nobody',
    fillAsk,
    parent([100n, asks], says(token, 'e378')),
    'couldnt get origaddr for buyvin',
  ],
  [
    'an order that is a swap',
    fillAsk,
    parent([100n, asks], says(token, swap('e', otherToken))),
    'couldnt get origaddr for buyvin',
  ],
  ['an order of nothing', fillAsk, parent([0n, asks], ...ask().slice(1)), 'null value CCvin'],
  [
    'an ask of another token',
    fillAsk,
    parent(...ask(1000n, otherToken)),
    'invalid missing CC vout0 for sellvin',
  ],
  [
    'a bid for another token',
    fillBid,
    parent(...bid(10n, otherToken)),
    'invalid assetid for buyvin',
  ],
  [
    'a bid without a marker',
    fillBid,
    parent([1000n, bids], [10_000n, p2pk(b)], bid()[2]!),
    'invalid normal vout1 for buyvin',
  ],
  [
    'what is left of a bid needs none',
    fillBid,
    parent([1000n, bids], [300n, p2pk(b)], says(token, terms('B', 10n, b))),
    undefined,
  ],
  [
    'what says it is an ask among bids',
    fillBid,
    parent([1000n, bids], bid()[1]!, says(token, terms('s', 10n, b))),
    'invalid opreturn for buyvin',
  ],
  [
    'what is left of an ask',
    fillAsk,
    parent([100n, asks], says(token, terms('S', 1000n, a))),
    undefined,
  ],

  ['a refund to another', cancelBid, output(0, 1000n, p2pk(c)), 'invalid refund for cancelbuy'],
  ['a refund of less', cancelBid, output(0, 999n), 'invalid refund for cancelbuy'],
  ['a refund of more', cancelBid, output(0, 1001n), 'invalid refund for cancelbuy'],
  [
    'a refund by condition',
    cancelBid,
    output(0, 1000n, held(b, 0xe3)),
    'invalid refund for cancelbuy',
  ],
  [
    'a condition in the third input of a cancelled bid',
    cancelBid,
    inputs(coin, spent, elsewhere),
    undefined,
  ],
  [
    'a condition in the fourth input of a cancelled bid',
    cancelBid,
    inputs(coin, spent, coin, elsewhere),
    'invalid CC vin',
  ],
  ['a coin in the fourth input', cancelBid, inputs(coin, spent, coin, coin), undefined],
  ['a condition out of a cancelled bid', cancelBid, output(1, undefined, cc), 'invalid CC vout'],
  ['tokens to another', cancelAsk, output(0, 100n, held(b, 0xf2)), 'invalid vout for cancel'],
  ['fewer tokens back', cancelAsk, output(0, 99n), 'invalid vout for cancel'],
  ['tokens as coins', cancelAsk, output(0, 100n, p2pk(a)), 'invalid vout for cancel'],
  ['tokens that drop data', cancelAsk, output(0, 100n, `${held(a, 0xf2)}02010275`), undefined],
  [
    'a condition in the fourth input of a cancelled ask',
    cancelAsk,
    inputs(coin, spent, coin, elsewhere),
    'invalid CC vin',
  ],
  ['a condition out of a cancelled ask', cancelAsk, output(1, undefined, cc), 'invalid CC vout'],
  [
    'nobody’s tokens to nobody',
    cancelAsk,
    all(parent([100n, asks], says(token, terms('s', 1000n, 'abcd'))), output(0, 100n, p2pk(a))),
    'invalid vout for cancel',
  ],

  ['three outputs', fillAsk, first(2), 'not enough vouts for fillask'],
  ['four outputs', fillAsk, first(3), 'invalid marker for original pubkey'],
  [
    'another seller',
    fillAsk,
    last(token, terms('S', 700n, c)),
    'mismatched origpubkeys for fillask',
  ],
  ['tokens lost', fillAsk, output(1, 29n), 'locked value doesnt match vout0+1 fillask'],
  ['tokens made', fillAsk, output(0, 71n), 'locked value doesnt match vout0+1 fillask'],
  [
    'less for each',
    fillAsk,
    all(output(2, 299n), last(token, terms('S', 701n, a))),
    'mismatched remainder for fillask',
  ],
  [
    'all units but one for less than a satoshi each',
    fillAsk,
    all(
      parent(...ask(99n)),
      output(0, 1n),
      output(1, 99n),
      output(2, 57n),
      last(token, terms('S', 42n, a)),
    ),
    undefined,
  ],
  [
    'all units but one at the price of one, cut',
    fillAsk,
    all(
      parent(...ask(199n)),
      output(0, 1n),
      output(1, 99n),
      output(2, 99n),
      last(token, terms('S', 100n, a)),
    ),
    undefined,
  ],
  [
    'all units but one at the price of one, cut, of an even price',
    fillAsk,
    all(
      parent(...ask(200n)),
      output(0, 1n),
      output(1, 99n),
      output(2, 99n),
      last(token, terms('S', 101n, a)),
    ),
    'mismatched remainder for fillask',
  ],
  ['more for each', fillAsk, all(output(2, 301n), last(token, terms('S', 699n, a))), undefined],
  [
    'another price for the rest',
    fillAsk,
    last(token, terms('S', 701n, a)),
    'mismatched remainder for fillask',
  ],
  [
    'none taken',
    fillAsk,
    all(output(0, 100n), output(1, 0n), output(2, 300n)),
    'mismatched remainder for fillask',
  ],
  [
    'nothing given',
    fillAsk,
    all(output(2, 0n), last(token, terms('S', 1000n, a))),
    'mismatched remainder for fillask',
  ],
  [
    'an ask for nothing',
    fillAsk,
    all(parent(...ask(0n)), output(2, 300n), last(token, terms('S', -300n, a))),
    'mismatched remainder for fillask',
  ],
  ['coins for the buyer', fillAsk, output(1, 30n, p2pk(c)), 'normal vout1 for fillask'],
  ['tokens for anybody', fillAsk, output(1, 30n, held(b, 0xe3)), undefined],
  ['coins for another', fillAsk, output(2, 300n, p2pk(c)), 'normal vout1 for fillask'],
  ['coins by condition', fillAsk, output(2, 300n, held(a, 0xe3)), 'normal vout1 for fillask'],
  [
    'another’s marker',
    fillAsk,
    output(3, undefined, held(c, 0xe3)),
    'invalid marker for original pubkey',
  ],
  ['less for the marker', fillAsk, output(3, 9_999n), 'invalid marker for original pubkey'],
  [
    'the rest elsewhere',
    fillAsk,
    output(0, 70n, held(c, 0xe3, 0xf2)),
    'mismatched vout0 assets dual unspendable CCaddr for fill sell',
  ],

  ['three outputs', fillBid, first(2), 'not enough vouts for fillbuy'],
  ['four outputs', fillBid, first(3), 'invalid marker for original pubkey'],
  ['another buyer', fillBid, last(token, terms('B', 7n, c)), 'mismatched origpubkeys for fillbuy'],
  ['coins lost', fillBid, output(1, 299n), 'locked value doesnt match vout0+1 fillbuy'],
  ['tokens to another', fillBid, output(2, 3n, cc), 'vout2 doesnt match inputs fillbuy'],
  ['more tokens in than out', fillBid, brings(4n), 'vout2 doesnt match inputs fillbuy'],
  ['coins by condition', fillBid, output(1, 300n, held(c, 0xe3)), 'vout1 is CC for fillbuy'],
  [
    'another’s marker',
    fillBid,
    output(3, undefined, held(c, 0xe3)),
    'invalid marker for original pubkey',
  ],
  ['less for the marker', fillBid, output(3, 9_999n), 'invalid marker for original pubkey'],
  [
    'the seller takes more than a unit is worth',
    fillBid,
    all(output(0, 699n), output(1, 301n)),
    undefined,
  ],
  [
    'the seller takes less than a unit is worth',
    fillBid,
    all(output(0, 701n), output(1, 299n)),
    'mismatched remainder for fillbuy',
  ],
  ['another rest', fillBid, last(token, terms('B', 8n, b)), 'mismatched remainder for fillbuy'],
  [
    'no coins taken',
    fillBid,
    all(output(0, 1000n), output(1, 0n)),
    'mismatched remainder for fillbuy',
  ],
  [
    'no tokens given',
    fillBid,
    all(output(2, 0n), brings(0n), last(token, terms('B', 10n, b))),
    'mismatched remainder for fillbuy',
  ],
  [
    'a bid for none',
    fillBid,
    all(parent(...bid(0n)), last(token, terms('B', -3n, b))),
    'mismatched remainder for fillbuy',
  ],
  [
    'the rest elsewhere',
    fillBid,
    output(0, 700n, held(c, 0xe3)),
    'mismatched vout0 AssetsCCaddr for fillbuy',
  ],
  ['a plain output after the marker', fillBid, before([9n, p2pk(c)]), undefined],
  [
    'a condition after what is not change',
    fillBid,
    before([9n, p2pk(c)], [9n, cc]),
    'invalid CC vout',
  ],
  [
    'a marker that is a condition of none',
    fillBidWhole,
    output(3, undefined, p2pk(b)),
    'invalid marker for original pubkey',
  ],
  ['all, and tokens to the module', fillBidWhole, output(0, 0n, held(c, 0xe3)), undefined],

  // with token change komodod looks at nothing else
  [
    'tokens to another, with change',
    fillBidChange,
    output(2, 3n, cc),
    'vout2 doesnt go to origpubkey fillbuy',
  ],
  [
    'tokens lost in change',
    fillBidChange,
    output(4, 4n),
    'asset inputs doesnt match vout2+3 fillbuy',
  ],
  [
    'tokens made in change',
    fillBidChange,
    output(4, 6n),
    'asset inputs doesnt match vout2+3 fillbuy',
  ],
  [
    'no units for all coins, with change',
    fillBidChange,
    all(output(0, 0n), output(1, 1000n), output(2, 0n), output(4, 8n)),
    undefined,
  ],
  [
    'no unit for all coins of a bid for one, with change',
    fillBidChange,
    all(
      parent(...bid(1n)),
      output(0, 0n),
      output(1, 1000n),
      output(2, 0n),
      output(4, 8n),
      last(token, terms('B', 0n, b)),
    ),
    undefined,
  ],
  [
    'one unit for all coins but one, without change',
    fillBid,
    all(output(0, 1n), output(1, 999n), output(2, 1n), brings(1n), last(token, terms('B', 9n, b))),
    undefined,
  ],
  ['another’s marker, with change', fillBidChange, output(3, undefined, p2pk(c)), undefined],
  ['a condition after change', fillBidChange, before([9n, cc]), 'invalid CC vout'],
  ['a plain output after change', fillBidChange, before([9n, p2pk(c)]), undefined],
]

describe('an order is spent by', () => {
  test.each(rows)('%s', (_, step, change, words) => {
    expect(refusal(change(step))).toBe(words)
  })
})

// komodo src/cc/CCassetstx.cpp, CreateSell: MakeTokensCC1vout(e3, nft2, ...)
describe('tokens with data lie under their own code too', () => {
  const claimed = (tokenid: string, action: string, price: bigint) =>
    says(tokenid, terms(action, price, a))
  const step = (tokenid: string, ...codes: number[]): Step => ({
    inputs: [coin, spent],
    outputs: [
      [0n, p2pk(c)],
      [1n, held(c, ...codes, 0xf2)],
      [1000n, p2pk(a)],
      [10_000n, held(a, 0xe3)],
      claimed(tokenid, 'S', 0n),
    ],
    chain: { [order]: [[1n, held(assets, 0xe3, 0xf2, ...codes)], claimed(tokenid, 's', 1000n)] },
  })
  const cancel = (tokenid: string, ...codes: number[]): Step => ({
    ...step(tokenid, ...codes),
    outputs: [
      [1n, tokenScript(a, { evalCodes: [0xf2, ...codes] })],
      [10_000n, p2pk(a)],
      says(tokenid, 'e378'),
    ],
  })

  test('tokens with data lie under their own code in a filled and in a cancelled ask', () => {
    expect(refusal(step(nft, 0xf1))).toBeUndefined()
    expect(refusal(step(nft))).toBe('invalid vin assets CCaddr')
    expect(refusal(cancel(nft, 0xf1))).toBeUndefined()
    const back = output(0, 1n, held(a, 0xf2))(cancel(nft, 0xf1))
    expect(refusal(back)).toBe('invalid vout for cancel')
  })

  test('tokens of a transaction that creates none are not refused by their code', () => {
    expect(refusal(step(notCreated))).toBeUndefined()
    expect(refusal(step(notCreated, 0xf1))).toBe('invalid vin assets CCaddr')
    // a cancel does not ask for the creation
    const unknown = id('9')
    expect(refusal(cancel(unknown))).toBeUndefined()
  })
})
