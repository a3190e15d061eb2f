// These tests cover the requests of the safe flow that no recording has: orders of komodod, and the
// method of a transfer on Tokel, which the token's creation decides.

import { describe, expect, test } from 'vitest'

import { decodeTransaction, networks } from '../../../src/index.ts'
import type { TokenOrderIntent } from '../../../src/request/order.ts'
import {
  createToken,
  type DaemonClient,
  RpcError,
  tradeToken,
  transferToken,
} from '../../../src/rpc/index.ts'
import { coinsPerUnitOf } from '../../../src/rpc/safe-flow/order-call.ts'
import { madeOrders } from '../../support/orders.ts'
import { transferIntent } from '../../support/resigned.ts'
import { chain } from '../../support/vectors.ts'

const enough = new Error('enough')
const refusal = new RpcError('daemon', 'no', { code: -8, codeName: '' })
const unusable = new RpcError('shape', 'no', { reason: 'unusable_hex' })
const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })

/** Returns the method and parameters of the first request, which the client then rejects. */
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

/** The price of an order, in satoshis: recording 29, tokenorders, totalrequired 0.01000000. */
const price = 1_000_000n

function intentOf({ kind, params, from }: Omit<(typeof madeOrders)[number], 'hex' | 'method'>) {
  if (kind === 'ask' || kind === 'bid') {
    const [units, tokenid] = params as [string, string]
    const isOpen = kind === 'bid' && { allowUnenforcedPrice: true }
    return { kind, tokenid, units: BigInt(units), price, ...isOpen, from } as TokenOrderIntent
  }
  const [tokenid, order, units] = params as [string, string, string?]
  // any price will do here: what it comes to is for the verifier
  const bound = kind === 'fillAsk' ? { priceMax: price } : { priceMin: 57n }
  const filled = units === undefined ? {} : { units: BigInt(units), ...bound }
  return { kind, tokenid, order, ...filled, from } as TokenOrderIntent
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

// A bid spends coins alone: what binds it to its chain is that they are there, and what it is for
// is told by the creation. All else spends tokens, or an order.
test.each(madeOrders)('the daemon is asked what a $kind needs', async (made) => {
  const intent = intentOf(made)
  const fetched: string[] = []
  let outputs = 0
  const client = {
    call: async () => ({ hex: made.hex }),
    getblockcount: async () => 1,
    getrawtransaction: async ({ txid }: { txid: string }) => {
      fetched.push(txid)
      const known = chain.find((it) => it.txid === txid)
      if (known === undefined) throw refusal
      return known.hex
    },
    gettxout: async () => {
      outputs += 1
      return {}
    },
    validateaddress: async () => ({ ismine: false }),
  } as unknown as DaemonClient
  await tradeToken(client, intent, { dryRun: true, ancestorsMax: 0 })
  const { inputs } = decodeTransaction(made.hex)
  const spent = inputs.map(({ txid }) => txid)
  expect(new Set(fetched)).toEqual(new Set([...spent, intent.tokenid]))
  expect(outputs).toBe(made.kind === 'bid' ? inputs.length : 0)
})

test('an order that cannot be is rejected, whatever would come of asking', async () => {
  const { params, from } = madeOrders.find(({ kind }) => kind === 'ask')!
  const intent = { ...intentOf({ kind: 'ask', params, from }), units: 0n } as TokenOrderIntent
  const result = await tradeToken({} as DaemonClient, intent)
  expect(result).toMatchObject({ held: 'rejected', report: { ok: false } })
})

// komodo src/rpc/tokensrpc.cpp, tokenask: atof(price) * COIN * numtokens + 0.0000000049999, cut;
// the texts are the shortest for which the same doubles elsewhere (Python) come to the price
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

  // 2^53 + 1 is not a double
  test.each([
    [1n, 9_007_199_254_740_994n],
    [7n, 9_007_199_254_740_988n],
  ])('coins for a unit that no text has are reported, for %i units', (units, actual) => {
    const expected = 9_007_199_254_740_993n
    const context = { path: 'intent.price', expected, actual }
    const reported = expect.objectContaining({ code: 'order_price', context })
    expect(() => coinsPerUnitOf(expected, units)).toThrow(reported)
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
  ])('an offer on Tokel with %j ends then', async (more, ends) => {
    const intent = { ...offer, ...more } as TokenOrderIntent
    const asked = await askedFirst((client) => tradeToken(client, intent))
    expect(asked.slice(0, 3)).toEqual(['tokenv2ask', units, tokenid])
    expect(Number(asked[3])).toBe(0.0001)
    expect(asked.slice(4)).toEqual(ends)
  })
})

// tokens.md 2.1: properties are f7 01, and each its number and its value; tokencreate takes them as
// such bytes, tokenv2createtokel as JSON
describe('a creation with properties on Tokel', () => {
  const intent = {
    name: 'ART',
    supply: 1n,
    description: '',
    owner: transferIntent.from,
    network: networks.tokel,
    properties: { id: 1, url: 'https://a.b/c', royalty: 25, arbitrary: '00ff' },
  }
  const bytes = 'f7010101020d68747470733a2f2f612e622f630319040200ff'

  test.each([
    [1, 'tokencreate', bytes],
    [2, 'tokenv2createtokel', JSON.stringify(intent.properties)],
  ] as const)(
    'a creation of version %i with properties is asked of %s',
    async (version, method, claimed) => {
      const asked = await askedFirst((client) => createToken(client, { ...intent, version }))
      expect(asked).toEqual([method, 'ART', '0.00000001', '', claimed])
    },
  )
})

describe('a token whose creation Tokel does not show', () => {
  const intent = { ...transferIntent, network: networks.tokel }
  const { tokenid, destination, amount } = intent

  test.each([
    ['refuses', refusal],
    ['cannot tell', unusable],
    ['shows what is none', 'abcd'],
  ])('a token is taken for one of v2 if the daemon %s', async (_, error) => {
    const asked = await askedFirst((client) => transferToken(client, intent), error)
    expect(asked).toEqual(['tokenv2transfer', tokenid, destination, `${amount}`])
  })

  test('a token is asked for no more if the daemon is gone', async () => {
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
