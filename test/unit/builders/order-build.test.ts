import { describe, expect, test } from 'vitest'
import {
  decodeTransaction,
  encodeTransaction,
  networks,
  transactionId,
} from '../../../src/index.ts'
import { failure } from '../../support/bobs-tokens.ts'
import { askFor, build, cancelBid, fillOf, made } from '../../support/built-orders.ts'
import { keys } from '../../support/komodod.ts'
import { circumstancesOf, madeOrders } from '../../support/orders.ts'

/** Returns the transaction of the daemon without its signatures. */
function unsigned(hex: string): string {
  const { inputs, ...rest } = decodeTransaction(hex)
  return encodeTransaction({ ...rest, inputs: inputs.map((it) => ({ ...it, scriptSig: '' })) })
}

describe('orders of a komodod', () => {
  test('was recorded of every step but a cancelled bid', () => {
    expect(madeOrders.map(({ kind }) => kind).toSorted()).toEqual(
      ['ask', 'bid', 'cancelAsk', 'fillAsk', 'fillBid'].toSorted(),
    )
  })

  test.each(madeOrders)('$method $params is made alike', (made) => {
    expect(build(made).hex).toBe(unsigned(made.hex))
    expect(build(made, { nativeChange: 'daemon' }).hex).toBe(unsigned(made.hex))
  })
})

const outputsOf = (hex: string) => decodeTransaction(hex).outputs
describe('mistakes of komodod are not repeated', () => {
  test('an ask of all that there is has no change', () => {
    const ask = made('ask')
    const [order, , change] = outputsOf(ask.hex)
    const units = order!.value + change!.value
    const { outputs } = decodeTransaction(build(ask, { units }).hex)
    expect(outputs.map(({ value }) => value)).toEqual([units, 10_000n, expect.anything(), 0n])
  })

  test('a cancelled bid gives its marker back', () => {
    const { hex, coins } = cancelBid()
    const { inputs, outputs } = decodeTransaction(hex)
    const bid = decodeTransaction(made('bid').hex)
    expect(inputs.slice(1).map(({ txid, vout }) => [txid, vout])).toEqual([
      [bid.txid, 0],
      [bid.txid, 1],
    ])
    expect(coins.map(({ role }) => role)).toEqual(['native', 'order', 'order'])
    const own = `21${made('bid').from}ac`
    expect(outputs.slice(0, 2)).toEqual([
      { value: bid.outputs[0]!.value, script: own },
      { value: 10_000n, script: own },
    ])
    // the fee is paid by the native coin alone
    expect(outputs[2]!.value).toBe(coins[0]!.value - 10_000n)
  })

  // 100 units for 1,000,000 satoshis divide evenly; the same for 1,000,003 do not
  test.each([
    [30n, 1_000_003n, 300_001n],
    [1n, 1_000_003n, 10_001n],
    [99n, 1_000_003n, 990_003n],
    [50n, 1_000_000n, 500_000n],
    [100n, 1_000_003n, 1_000_003n],
  ])('%i units of an ask for %i cost %i, and are as many', (units, price, coins) => {
    const filled = fillOf(askFor(price), { units })
    const [left, bought, paid] = outputsOf(filled.hex)
    expect([left!.value, bought!.value, paid!.value]).toEqual([100n - units, units, coins])
    expect(filled.intent).toMatchObject({ units, price: coins })
  })
})

describe('an order that cannot succeed is refused', () => {
  const token = made('ask').params[1]!
  const other = keys.txids.fungible!
  const b = keys.B.pubkey
  test.each<[string, () => unknown, string, string]>([
    ['no units', () => build(made('ask'), { units: 0n }), 'amount_out_of_range', 'units'],
    ['a price of nothing', () => build(made('ask'), { price: 0n }), 'amount_out_of_range', 'price'],
    [
      'a price that is dust',
      () => build(made('bid'), { price: 56n }),
      'amount_out_of_range',
      'price',
    ],
    [
      'units in text with a point',
      () => build(made('bid'), { units: '1.5' }),
      'malformed_amount',
      'units',
    ],
    [
      'more units than there are',
      () => build(made('ask'), { units: 1001n, price: 1_001_000n }),
      'insufficient_tokens',
      'tokenCoins',
    ],
    [
      'more coins than there are',
      () => build(made('bid'), { price: 1n << 50n }),
      'insufficient_coins',
      'coins',
    ],
    [
      'to buy more than is offered',
      () => build(made('fillAsk'), { units: 101n }),
      'order_fill',
      'units',
    ],
    [
      'to sell more than is wanted',
      () => build(made('fillBid'), { units: 11n }),
      'order_fill',
      'units',
    ],
    [
      'to buy for another price',
      () => build(made('fillAsk'), { price: 300_001n }),
      'order_price',
      'price',
    ],
    [
      'to sell for another price',
      () => build(made('fillBid'), { price: 400_001n }),
      'order_price',
      'price',
    ],
    [
      'to buy from a bid',
      () => build(made('fillAsk'), { order: transactionId(made('bid').hex) }),
      'order_malformed',
      'order',
    ],
    [
      'to sell to an ask',
      () => build(made('fillBid'), { order: transactionId(made('ask').hex) }),
      'order_malformed',
      'order',
    ],
    [
      'an order that is a transfer',
      () => build(made('fillAsk'), { order: token }),
      'order_malformed',
      'order',
    ],
    [
      'an order of another token',
      () => build(made('fillAsk'), { tokenid: other }),
      'order_malformed',
      'order',
    ],
    [
      'an order that was not given',
      () => build(made('fillAsk'), { order: '11'.repeat(32) }),
      'previous_transaction_missing',
      'order',
    ],
    [
      'an order that is not an id',
      () => build(made('fillAsk'), { order: '11' }),
      'wrong_length',
      'order',
    ],
    [
      'to cancel another’s ask',
      () => build(made('cancelAsk'), { from: b, coins: circumstancesOf(made('fillAsk')).coins }),
      'order_not_own',
      'order',
    ],
    [
      'to cancel another’s bid',
      () => cancelBid({ from: keys.A.pubkey, coins: circumstancesOf(made('ask')).coins }),
      'order_not_own',
      'order',
    ],
    [
      'a token without its creation',
      () => build(made('bid'), { previousTransactions: [], coins: [] }),
      'token_create_missing',
      'tokenCreate',
    ],
    [
      'coins of another key',
      () => build(made('bid'), { coins: circumstancesOf(made('ask')).coins }),
      'foreign_coin',
      'coins[0]',
    ],
    ['a fee over its bound', () => build(made('bid'), { maxFee: 9_999n }), 'fee_over_limit', 'fee'],
    [
      'a token of komodod on a chain of tokeld',
      () => build(made('bid'), { network: networks.tokel }),
      'token_create_missing',
      'tokenCreate',
    ],
    [
      'a chain without conditions',
      () => build(made('bid'), { network: networks.komodo }),
      'unsupported_network',
      'network',
    ],
  ])('%s', (_, run, code, path) => {
    expect(failure(run)).toEqual({ code, path })
  })

  test('a part that leaves what nobody could buy', () => {
    const ask = askFor(150n)
    // 57 satoshis are the least that is relayed
    expect(failure(() => fillOf(ask, { units: 1n })).code).toBe('order_fill')
    expect(failure(() => fillOf(ask, { units: 37n })).code).toBe('order_fill')
    expect(outputsOf(fillOf(ask, { units: 38n }).hex)[2]!.value).toBe(57n)
    expect(outputsOf(fillOf(ask, { units: 62n }).hex)[2]!.value).toBe(93n)
    expect(failure(() => fillOf(ask, { units: 63n })).code).toBe('order_fill')
    expect(outputsOf(fillOf(ask, { units: 100n }).hex)[2]!.value).toBe(150n)
  })

  test('units of an ask that another token’s coins make up', () => {
    const tx = decodeTransaction(made('ask').hex)
    const [order, marker] = tx.outputs
    const nulldata = tx.outputs.at(-1)!
    // without any input that brings units
    const inputs = tx.inputs.slice(0, 1)
    const fake = encodeTransaction({ ...tx, inputs, outputs: [order!, marker!, nulldata] })
    expect(failure(() => fillOf(fake))).toEqual({ code: 'token_disproven', path: 'order' })
  })

  test('a marker that is not the maker’s', () => {
    const tx = decodeTransaction(made('ask').hex)
    const outputs = tx.outputs.map((it, at) => (at === 1 ? { ...it, value: 9_999n } : it))
    const changed = encodeTransaction({ ...tx, outputs })
    const { previousTransactions } = circumstancesOf(made('cancelAsk'))
    const run = () =>
      build(made('cancelAsk'), {
        order: transactionId(changed),
        previousTransactions: [...previousTransactions, changed],
      })
    expect(failure(run)).toEqual({ code: 'order_malformed', path: 'order' })
  })
})
