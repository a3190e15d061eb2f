// What the safe flow asks a daemon for, beside what real ones were asked: orders of komodod, and the
// method of a transfer on Tokel, which the token's creation decides.

import { describe, expect, test } from 'vitest'

import { networks } from '../../src/index.ts'
import type { TokenOrderIntent } from '../../src/intent/order.ts'
import { type DaemonClient, RpcError, tradeToken, transferToken } from '../../src/rpc/index.ts'
import { coinsPerUnitOf } from '../../src/rpc/safe-flow/order-call.ts'
import { madeOrders } from '../support/orders.ts'
import { transferIntent } from '../support/resigned.ts'

const enough = new Error('enough')
const refusal = new RpcError('daemon', 'no', { code: -8, codeName: '' })
const unusable = new RpcError('shape', 'no', { reason: 'unusable_hex' })
const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })

/** What is asked for first; nothing comes of it. */
async function askedFirst(
  ask: (client: DaemonClient) => Promise<unknown>,
  creation: RpcError | string = refusal,
): Promise<readonly unknown[]> {
  const asked: unknown[] = []
  const client = {
    getrawtransaction: async () => {
      if (typeof creation === 'string') return creation
      throw creation
    },
    call: (method: string, params: readonly unknown[]) => {
      asked.push(method, ...params)
      return Promise.reject(enough)
    },
  } as unknown as DaemonClient
  await expect(ask(client)).rejects.toBe(enough)
  return asked
}

/** What an order was to cost: recording 29, tokenorders, totalrequired 0.01000000. */
const price = 1_000_000n

function intentOf({ kind, params, from }: Omit<(typeof madeOrders)[number], 'hex' | 'method'>) {
  if (kind === 'ask' || kind === 'bid') {
    const [units, tokenid] = params as [string, string]
    return { kind, tokenid, units: BigInt(units), price, from } as TokenOrderIntent
  }
  const [tokenid, order, units = '0'] = params as [string, string, string?]
  return { kind, tokenid, order, units: BigInt(units), from } as TokenOrderIntent
}

describe('an order of komodod', () => {
  test.each(madeOrders)('is asked for as it was: $method', async (made) => {
    const asked = await askedFirst((client) => tradeToken(client, intentOf(made)))
    expect(asked).toEqual([made.method, ...made.params])
  })

  test('was made in each step but one', () => {
    const kinds = new Set(madeOrders.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(['ask', 'bid', 'cancelAsk', 'fillAsk', 'fillBid'])
  })

  // rpc-daemon.md, tokens module: `tokencancelbid tokenid bidtxid`
  test('is taken back by its id', async () => {
    const { params, from } = madeOrders.find(({ kind }) => kind === 'cancelAsk')!
    const intent = intentOf({ kind: 'cancelBid', params, from })
    const asked = await askedFirst((client) => tradeToken(client, intent))
    expect(asked).toEqual(['tokencancelbid', ...params])
  })
})

// komodo src/rpc/tokensrpc.cpp, tokenask: atof(price) * COIN * numtokens + 0.0000000049999, cut; the
// texts are the shortest for which the same doubles elsewhere (Python) come to the price
describe('coins for a unit', () => {
  test.each([
    [1_000_000n, 100n, '0.0001'],
    [1_000_000n, 10n, '0.001'],
    [1_000_003n, 100n, '0.0001000003'],
    [1000n, 3n, '0.000003334'],
    [300_000_000n, 3n, '1'],
    [12_345_678_900_000_000n, 1n, '123456789'],
    // 28.999999999999996 before what is added
    [29n, 1n, '0.00000029'],
    [132_762_829_600_804n, 657_331_168_196n, '0.00000201972515566488'],
  ])('%i satoshis for %i units: %s', (total, units, text) => {
    expect(coinsPerUnitOf(total, units)).toBe(text)
  })

  // 2^53 + 1 is no double
  test.each([
    [1n, 9_007_199_254_740_994n],
    [7n, 9_007_199_254_740_988n],
  ])('that no text has are told, for %i units', (units, actual) => {
    const expected = 9_007_199_254_740_993n
    const context = { path: 'intent.price', expected, actual }
    const told = expect.objectContaining({ code: 'order_price', context })
    expect(() => coinsPerUnitOf(expected, units)).toThrow(told)
  })
})

// tokel src/rpc/tokensrpc.cpp, tokenv2ask: numtokens tokenid price [expiryHeight]
describe('an offer on Tokel', () => {
  const { params, from } = madeOrders.find(({ kind }) => kind === 'ask')!
  const offer = { ...intentOf({ kind: 'ask', params, from }), network: networks.tokel }
  const [units, tokenid] = params

  test.each([
    [{ expiryHeight: 500 }, ['500']],
    [{}, []],
  ])('with %j ends then', async (more, ends) => {
    const intent = { ...offer, ...more } as TokenOrderIntent
    const asked = await askedFirst((client) => tradeToken(client, intent))
    expect(asked.slice(0, 3)).toEqual(['tokenv2ask', units, tokenid])
    expect(Number(asked[3])).toBe(0.0001)
    expect(asked.slice(4)).toEqual(ends)
  })
})

describe('a token whose creation Tokel does not show', () => {
  const intent = { ...transferIntent, network: networks.tokel }
  const { tokenid, destination, amount } = intent

  test.each([
    ['refuses', refusal],
    ['cannot tell', unusable],
    ['shows what is none', 'abcd'],
  ])('as the daemon %s, is taken for one of v2', async (_, error) => {
    const asked = await askedFirst((client) => transferToken(client, intent), error)
    expect(asked).toEqual(['tokenv2transfer', tokenid, destination, `${amount}`])
  })

  test('as the daemon is gone, is asked for no more', async () => {
    const asked: string[] = []
    const client = {
      getrawtransaction: () => Promise.reject(lost),
      call: (method: string) => {
        asked.push(method)
        return Promise.reject(enough)
      },
    } as unknown as DaemonClient
    await expect(transferToken(client, intent)).rejects.toBe(lost)
    expect(asked).toEqual([])
  })
})
