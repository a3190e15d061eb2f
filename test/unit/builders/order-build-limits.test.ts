// Where the limits of orders lie, by the rules of both daemons, and what is said of the first thing
// beyond them.

import { describe, expect, test } from 'vitest'

import {
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  transactionId,
  type UnsignedTransaction,
} from '../../../src/index.ts'
import { refusal, request, worth } from '../../support/bobs-tokens.ts'
import { build, cancelBid, made } from '../../support/built-orders.ts'
import { keys } from '../../support/komodod.ts'
import { chainHexes, circumstancesOf } from '../../support/orders.ts'
import { madeByTokeld, rebuilt } from '../../support/tokeld-made.ts'

const by = (method: string) => madeByTokeld.find((it) => it.method === method)!
const ofTokel = (method: string, changes: object) => rebuilt(by(method), changes)
const tipOf = (method: string) => decodeTransaction(by(method).hex).expiryHeight - 201
const valuesOf = ({ hex }: Pick<UnsignedTransaction, 'hex'>) =>
  decodeTransaction(hex).outputs.map(({ value }) => value)
const messageOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (!isAntaraError(error)) return (error as Error).message.split(', got')[0]
  }
  throw new Error('no misuse')
}

describe('the price', () => {
  // komodo src/primitives/transaction.h, GetDustThreshold: 57 of what pays a key
  test('is at least what nodes of komodod relay', () => {
    for (const kind of ['ask', 'bid'] as const) {
      expect(build(made(kind), { units: 1n, price: 57n }).intent).toMatchObject({ price: 57n })
      expect(refusal(() => build(made(kind), { units: 1n, price: 56n }))).toEqual({
        code: 'amount_out_of_range',
        path: 'price',
        expected: 'at least 57',
        actual: 56n,
      })
    }
  })

  // tokel src/cc/CCassets.h, ASSETS_NORMAL_DUST: over 500
  test('is over 500 for each unit on tokeld, and the same for each', () => {
    for (const method of ['tokenv2ask', 'tokenv2bid']) {
      expect(ofTokel(method, { units: 10n, price: 5010n }).intent).toMatchObject({ price: 5010n })
      for (const price of [5000n, 5011n, 10_005n]) {
        expect(refusal(() => ofTokel(method, { units: 10n, price }))).toEqual({
          code: 'amount_out_of_range',
          path: 'price',
          expected: 'a multiple of 10, at least 501 for each',
          actual: price,
        })
      }
    }
  })

  test('refuses another price than the part of an order costs', () => {
    const fills = [
      ['fillAsk', 30n, 300_000n],
      ['fillBid', 4n, 400_000n],
    ] as const
    for (const [kind, units, price] of fills) {
      expect(build(made(kind), { units, price }).intent).toMatchObject({ units, price })
      expect(refusal(() => build(made(kind), { units, price: price + 1n }))).toEqual({
        code: 'order_price',
        path: 'price',
        expected: price + 1n,
        actual: price,
      })
    }
  })

  test.each([
    ['fillAsk', 101n, 'a part of 100 units for 1000000 satoshis'],
    ['fillBid', 11n, 'a part of 10 units for 1000000 satoshis'],
  ] as const)('%s of %i units is more than there is', (kind, units, expected) => {
    expect(refusal(() => build(made(kind), { units }))).toEqual({
      code: 'order_fill',
      path: 'units',
      expected,
      actual: units,
    })
  })
})

describe("the end of tokeld's orders", () => {
  const tip = tipOf('tokenv2bid')
  const endOf = (changes: object) => ofTokel('tokenv2bid', changes).intent

  test.each<[changes: object, expiryHeight: number]>([
    // tokel src/cc/CCassetstx_impl.h: four weeks of blocks
    [{}, tip + 40_320],
    [{ orderExpiryHeight: tip + 2 }, tip + 2],
    [{ orderExpiryHeight: 2 ** 31 - 1 }, 2 ** 31 - 1],
    [{ tipHeight: undefined, expiryHeight: 0, orderExpiryHeight: 2 }, 2],
  ])('derives from %o the expiry height %i', (changes, expiryHeight) => {
    expect(endOf(changes)).toMatchObject({ expiryHeight })
  })

  test.each<[changes: object, expected: string, actual: number]>([
    [{ orderExpiryHeight: tip + 1 }, `over ${tip + 1}, at most 2147483647`, tip + 1],
    [{ orderExpiryHeight: 2 ** 31 }, `over ${tip + 1}, at most 2147483647`, 2 ** 31],
    [
      { tipHeight: undefined, expiryHeight: 0, orderExpiryHeight: 1 },
      'over 1, at most 2147483647',
      1,
    ],
  ])('refuses %o', (changes, expected, actual) => {
    const details = { path: 'orderExpiryHeight', expected, actual }
    expect(refusal(() => endOf(changes))).toEqual({ code: 'expiry_height', ...details })
  })

  test('is asked for where no tip says it', () => {
    const untold = { tipHeight: undefined, expiryHeight: 0 }
    expect(messageOf(() => endOf(untold))).toBe(
      'tipHeight: expected a number, or orderExpiryHeight instead',
    )
    expect(messageOf(() => endOf({ orderExpiryHeight: '50' }))).toBe(
      'orderExpiryHeight: expected a number',
    )
  })

  // tokel src/cc/assets.cpp, AssetsValidateInternal: not in the block of that height and later
  test('is where nobody fills them any more', () => {
    const tipHeight = decodeTransaction(by('tokenv2ask').hex).expiryHeight - 201 + 40_320 - 2
    expect(ofTokel('tokenv2fillask', { tipHeight }).tipHeight).toBe(tipHeight)
    const later = () => ofTokel('tokenv2fillask', { tipHeight: tipHeight + 1 })
    expect(refusal(later)).toEqual({
      code: 'expiry_height',
      path: 'order',
      expected: `over ${tipHeight + 2}`,
      actual: tipHeight + 2,
    })
    const untold = { tipHeight: undefined, expiryHeight: 0 }
    expect(ofTokel('tokenv2fillask', untold).tipHeight).toBeUndefined()
  })
})

describe('an order', () => {
  const id = (kind: 'ask' | 'bid') => transactionId(made(kind).hex)
  const reported = { code: 'order_malformed', path: 'order' }
  const markless = (kind: 'ask' | 'bid', change: object) => {
    const tx = decodeTransaction(made(kind).hex)
    const outputs = tx.outputs.map((it, at) => (at === 1 ? { ...it, ...change } : it))
    return encodeTransaction({ ...tx, outputs })
  }
  const cancelOf = (hex: string) => () =>
    cancelBid({ order: transactionId(hex), previousTransactions: [...chainHexes, hex] })

  test('reports a transaction that is not an order, or another order', () => {
    const token = made('ask').params[1]!
    expect(refusal(() => build(made('fillAsk'), { order: token }))).toEqual({
      ...reported,
      expected: 'ask',
      actual: 'no order',
    })
    expect(refusal(() => build(made('fillAsk'), { order: id('bid') }))).toEqual({
      ...reported,
      expected: 'ask',
      actual: 'bid',
    })
    expect(refusal(() => build(made('fillBid'), { order: id('ask') }))).toEqual({
      ...reported,
      expected: 'bid',
      actual: 'ask',
    })
    const other = keys.txids.fungible!
    expect(refusal(() => build(made('fillAsk'), { tokenid: other }))).toEqual({
      ...reported,
      expected: other,
      actual: token,
    })
  })

  test('lies where the module keeps it', () => {
    const tx = decodeTransaction(made('bid').hex)
    const script = `21${keys.A.pubkey}ac`
    const outputs = tx.outputs.map((it, at) => (at === 0 ? { ...it, script } : it))
    const hex = encodeTransaction({ ...tx, outputs })
    expect(refusal(cancelOf(hex))).toEqual({
      ...reported,
      expected: tx.outputs[0]!.script,
      actual: script,
    })
  })

  test.each([
    ['of less', { value: 9_999n }],
    ['of somebody else', { script: `21${keys.A.pubkey}ac` }],
  ])('has a marker, not one %s', (_, change) => {
    const hex = markless('bid', change)
    const { script } = decodeTransaction(hex).outputs[1]!
    const actual = 'value' in change ? change.value : script
    const details = { expected: 'a marker of 10000', actual }
    expect(refusal(cancelOf(hex))).toEqual({ ...reported, ...details })
  })

  test('an order of tokeld may have its marker at any output', () => {
    const from = by('tokenv2cancelask')
    const { previousTransactions, ...rest } = ofTokel('tokenv2cancelask', {})
    const order = String(from.params[1])
    const own = decodeTransaction(previousTransactions.find((it) => transactionId(it) === order)!)
    expect(rest.coins.filter(({ role }) => role === 'order')).toHaveLength(2)
    const outputs = own.outputs.map((it) => (it.value === 10_000n ? { ...it, value: 9_999n } : it))
    const hex = encodeTransaction({ ...own, outputs })
    const cancel = () =>
      ofTokel('tokenv2cancelask', {
        order: transactionId(hex),
        previousTransactions: [...previousTransactions, hex],
      })
    expect(refusal(cancel)).toEqual({
      ...reported,
      expected: 'a marker of 10000',
      actual: 9_999n,
    })
  })

  test('an order of tokeld has a marker beside an offer of the same value', () => {
    const { hex, previousTransactions } = ofTokel('tokenv2bid', { units: 10n, price: 10_000n })
    const bid = decodeTransaction(hex)
    const at = bid.outputs.findIndex(({ value }, vout) => vout > 0 && value === 10_000n)
    const cancel = (marker: bigint) => {
      const outputs = bid.outputs.map((it, vout) => (vout === at ? { ...it, value: marker } : it))
      const order = encodeTransaction({ ...bid, outputs })
      const params = [by('tokenv2bid').params[1], transactionId(order)]
      return rebuilt(
        { ...by('tokenv2bid'), method: 'tokenv2cancelbid', params },
        { previousTransactions: [...previousTransactions, order] },
      )
    }
    expect(bid.outputs[0]!.value).toBe(10_000n)
    expect(cancel(10_000n).coins.filter(({ role }) => role === 'order')).toHaveLength(2)
    expect(refusal(() => cancel(9_999n))).toEqual({
      ...reported,
      expected: 'a marker of 10000',
      actual: 9_999n,
    })
  })

  test('an order of another owner cannot be cancelled', () => {
    const cancel = () =>
      cancelBid({ from: keys.A.pubkey, coins: circumstancesOf(made('ask')).coins })
    expect(refusal(cancel)).toEqual({
      code: 'order_not_own',
      path: 'order',
      expected: keys.A.pubkey,
      actual: made('bid').from,
    })
  })

  test('is refused for a token that no chain moves', () => {
    expect(refusal(() => build(made('bid'), { tokenid: keys.txids.nft_f7 }))).toEqual({
      code: 'untransferable_data',
      path: 'tokenCreate',
      expected: 'f1 or f3',
      actual: 'f7',
    })
  })

  test('is refused for tokens v1 of tokeld', () => {
    const v1 = madeByTokeld.find(({ method }) => method === 'tokentransfer')!
    expect(refusal(() => ofTokel('tokenv2bid', { tokenid: v1.params[0] }))).toEqual({
      code: 'unsupported_network',
      path: 'tokenid',
      expected: 'tokens v2',
      actual: 'tokel-v1',
    })
  })
})

describe('native coins', () => {
  const { recipients: _, ...order } = request
  const offer = { ...order, units: 10n, price: 1000n }
  const ask = (changes: object) => build(made('ask'), { ...offer, ...changes })
  const bid = (changes: object) => build(made('bid'), { ...offer, ...changes })

  test('pay for an ask its marker and the fee, and no less', () => {
    for (const spend of ['selected', 'needed', 'all'] as const) {
      expect(valuesOf(ask({ ...worth(20_000n), spend })).at(1)).toBe(10_000n)
      expect(refusal(() => ask({ ...worth(19_999n), spend })).code).toBe('insufficient_coins')
    }
    expect(refusal(() => ask({ ...worth(19_999n), spend: 'selected' }))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 20_000n,
      actual: 19_999n,
    })
  })

  test('pay for a bid what is offered besides', () => {
    const { intent, fee } = bid(worth(21_000n)) as ReturnType<typeof bid>
    expect(fee).toBe(10_000n)
    expect(intent).toMatchObject({ spendable: worth(21_000n).coins })
    expect(refusal(() => bid(worth(20_999n)))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 21_000n,
      actual: 20_999n,
    })
  })

  test('are named with what a bid needs in all, however they are spent', () => {
    const priced = { units: 10n, price: 10n ** 15n, ...worth(21_000n) }
    for (const spend of ['selected', 'needed', 'all'] as const) {
      expect(refusal(() => bid({ ...priced, spend }))).toEqual({
        code: 'insufficient_coins',
        path: 'coins',
        expected: 10n ** 15n + 20_000n,
        actual: 21_000n,
      })
    }
  })

  test('pay for a purchase what it costs besides', () => {
    // 30 of 100 units for a million
    const { coins: __, previousTransactions, ...rest } = circumstancesOf(made('fillAsk'))
    const buy = (value: bigint) => {
      const of = ownedBy(made('fillAsk').from, value)
      return build(made('fillAsk'), {
        ...rest,
        ...of,
        previousTransactions: [...previousTransactions, ...of.previousTransactions],
      })
    }
    expect(buy(320_000n).fee).toBe(10_000n)
    expect(refusal(() => buy(319_999n))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 320_000n,
      actual: 319_999n,
    })
  })

  test("pay the fee where an order is taken back, unless tokeld's marker pays it", () => {
    const { from } = made('bid')
    const back = (changes: object, ...values: bigint[]) => {
      const of = ownedBy(from, ...values)
      return cancelBid({
        ...of,
        previousTransactions: [...chainHexes, ...of.previousTransactions],
        ...changes,
      })
    }
    expect(back({}, 10_000n).fee).toBe(10_000n)
    expect(refusal(() => back({}, 9_999n)).code).toBe('insufficient_coins')
    expect(refusal(() => back({ spend: 'needed' }, 9_999n)).code).toBe('insufficient_coins')
    // a coin more than the fee needs is not taken
    expect(back({ spend: 'needed' }, 10_000n, 10_000n).coins).toHaveLength(3)
    expect(back({ spend: 'all' }, 10_000n, 10_000n).coins).toHaveLength(4)
    expect(back({}, 10_000n, 10_000n).coins).toHaveLength(3)
    expect(refusal(() => back({ fee: 0n }, 10_000n)).code).toBe('fee_below_relay')
    const ofMarker = ofTokel('tokenv2cancelask', { fee: 10_000n })
    expect(ofMarker.coins.map(({ role }) => role)).toEqual(['order', 'order'])
    // over the marker's 10000 the rest is paid by native coins
    const unpaid = { fee: 10_001n, coins: [], spend: 'selected' }
    expect(refusal(() => ofTokel('tokenv2cancelask', unpaid))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 1n,
      actual: 0n,
    })
    const { previousTransactions } = ofMarker
    const spending = (fee: bigint, spend: string) => {
      const own = ownedBy(keys.A.pubkey, 10_000n)
      const sources = [...previousTransactions, ...own.previousTransactions]
      const changes = { ...own, previousTransactions: sources, fee, spend }
      return ofTokel('tokenv2cancelask', changes).coins.map(({ role }) => role)
    }
    for (const spend of ['selected', 'needed', 'all']) {
      expect(spending(9_999n, spend)).toEqual(['order', 'order'])
      expect(spending(10_000n, spend)).toEqual(['order', 'order'])
      expect(spending(10_001n, spend)).toEqual(['native', 'order', 'order'])
    }
  })

  test('native coins that are too small for the fee of a cancellation are left if others suffice', () => {
    const of = ownedBy(made('bid').from, 9_999n, 10_000n)
    const { coins } = cancelBid({
      ...of,
      previousTransactions: [...chainHexes, ...of.previousTransactions],
    })
    const native = coins.filter(({ role }) => role === 'native')
    expect(native.map(({ value }) => value)).toEqual([10_000n])
  })
})

/** Native coins of a key. */
function ownedBy(pubkey: string, ...values: readonly bigint[]) {
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: values.map((value) => ({ value, script: `21${pubkey}ac` })),
    lockTime: 0,
  })
  return {
    coins: values.map((_, vout) => ({ txid: transactionId(hex), vout })),
    previousTransactions: [hex],
  }
}

describe('the description of a built transaction', () => {
  test('reports the request, and the evidence that verifies it', () => {
    const built = build(made('ask'))
    expect(built).toMatchObject({ operation: 'tokenask', unproven: [] })
    expect(built.tipHeight).toBe(circumstancesOf(made('ask')).tipHeight)
    expect(Object.keys(built.intent)).not.toContain('expiryHeight')
    expect(build(made('ask'), { tipHeight: undefined, expiryHeight: 0 }).tipHeight).toBeUndefined()
    const upper = circumstancesOf(made('ask')).previousTransactions.map((it) => it.toUpperCase())
    expect(build(made('ask'), { previousTransactions: upper }).previousTransactions).toEqual(
      built.previousTransactions,
    )
    // taking back a bid in coins needs no creation
    expect(cancelBid()).not.toHaveProperty('tokenCreate')
    expect(build(made('cancelAsk'))).toHaveProperty('tokenCreate')
  })

  test('a built transaction names the token coins that are not shown to be real', () => {
    const { hex } = made('ask')
    const parents = new Set(decodeTransaction(hex).inputs.map(({ txid }) => txid))
    const token = made('ask').params[1]!
    const given = chainHexes.filter((it) => {
      const txid = transactionId(it)
      return parents.has(txid) || txid === token
    })
    const { unproven, coins } = build(made('ask'), { previousTransactions: given })
    const spent = coins.filter(({ role }) => role === 'token')
    expect(unproven).toEqual(spent.map(({ txid, vout }) => ({ txid, vout })))
    const filled = build(made('fillAsk'), {
      previousTransactions: chainHexes.filter((it) => {
        const inputs = decodeTransaction(made('fillAsk').hex).inputs.map(({ txid }) => txid)
        const txid = transactionId(it)
        return inputs.includes(txid) || txid === token
      }),
    })
    const order = filled.coins.filter(({ role }) => role === 'order')
    expect(filled.unproven).toEqual(order.map(({ txid, vout }) => ({ txid, vout })))
    expect(build(made('fillAsk')).unproven).toEqual([])
  })
})
