// Orders through the safe flow, against a node that validates: offered, bought, sold, taken back.

import { beforeEach, describe, expect, test } from 'vitest'
import type { TokenOrderIntent } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  createToken,
  type DaemonClient,
  type SafeFlowResult,
  tradeToken,
} from '../../src/rpc/index.ts'
import { coinsPerUnitOf } from '../../src/rpc/safe-flow/order-call.ts'

let node: DevNode
let clients: DaemonClient[]
let tokenid: string

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  clients = node.identities.map((identity) => createDaemonClient({ ...identity, retry: false }))
  const owner = node.identities[0]!.pubkey
  const creation = { name: 'GOLD', supply: 1000n, description: '', owner }
  ;({ txid: tokenid } = (await createToken(clients[0]!, creation)) as { txid: string })
  return () => node.close()
})

/** Leaves who and which token to be filled in. */
type Asked = WithoutOwner<TokenOrderIntent>
type WithoutOwner<Intent> = Intent extends TokenOrderIntent
  ? Omit<Intent, 'tokenid' | 'from'>
  : never

function trade(identity: number, asked: Asked): Promise<SafeFlowResult> {
  const intent = { ...asked, tokenid, from: node.identities[identity]!.pubkey } as TokenOrderIntent
  return tradeToken(clients[identity]!, intent)
}

async function done(identity: number, asked: Asked): Promise<string> {
  const { txid, report } = await trade(identity, asked)
  if (txid === undefined) throw new Error(report.findings.map(({ code }) => code).join(', '))
  return txid
}

/** An ask that another wallet makes, at a price that its units do not share. */
async function asked(count: bigint, price: bigint): Promise<string> {
  const params = [count.toString(), tokenid, coinsPerUnitOf(price, count)]
  const { hex } = await clients[0]!.call('tokenask', params)
  return clients[0]!.sendrawtransaction({ hex })
}

async function units(identity: number): Promise<bigint> {
  return (await clients[identity]!.tokenbalance({ tokenid })).balance
}

const bidForTen = {
  kind: 'bid',
  units: 10n,
  price: 1_000_000n,
  allowUnenforcedPrice: true,
} as const

test('an ask is bought from in parts, and taken back', async () => {
  const ask = await done(0, { kind: 'ask', units: 100n, price: 1_000_000n })
  expect(await clients[1]!.tokenorders({ tokenid })).toMatchObject([
    { funcid: 's', txid: ask, amount: 100n, totalrequired: 1_000_000n, price: 10_000n },
  ])
  const rest = await done(1, { kind: 'fillAsk', order: ask, units: 30n, price: 300_000n })
  expect(await units(1)).toBe(30n)
  expect(await clients[0]!.tokenorders({})).toMatchObject([{ funcid: 'S', amount: 70n }])
  await done(0, { kind: 'cancelAsk', order: rest })
  expect(await units(0)).toBe(970n)
  expect(await clients[0]!.tokenorders({})).toEqual([])
})

test('a bid is sold to in parts, and taken back with a warning', async () => {
  const bid = await done(1, bidForTen)
  const rest = await done(0, { kind: 'fillBid', order: bid, units: 4n, price: 400_000n })
  expect(await units(1)).toBe(4n)
  const { txid, report } = await trade(1, { kind: 'cancelBid', order: rest })
  expect(txid).toBeDefined()
  expect(report.findings.map(({ code }) => code)).toContain('order_marker_left')
})

test('a bid is bound to the chain, and to a token that is there', async () => {
  const { report } = await trade(1, bidForTen)
  const codes = report.findings.map(({ code }) => code)
  expect(codes).not.toContain('chain_unbound')
  expect(codes).not.toContain('bid_token_unknown')
})

describe('a trade that is not broadcast', () => {
  const pooled = () => node.request('getrawmempool', [])

  test('a fill that the daemon cuts is not broadcast', async () => {
    // 10 satoshis for each three units: komodod charges for two and gives one
    const ask = await asked(300n, 1000n)
    const result = await trade(1, { kind: 'fillAsk', order: ask, units: 20n, priceMax: 67n })
    expect(result).toMatchObject({ held: 'rejected' })
    expect(result.report.findings.map(({ code }) => code)).toContain('amount')
    expect(await pooled()).toEqual([])
  })

  test('an order that is another’s, or costs more, is not filled', async () => {
    const ask = await done(0, { kind: 'ask', units: 100n, price: 1_000_000n })
    const dear = await trade(1, { kind: 'fillAsk', order: ask, units: 30n, price: 299_999n })
    expect(dear.report.findings.map(({ code }) => code)).toContain('order_price')
    await expect(trade(1, { kind: 'cancelAsk', order: ask })).rejects.toThrow()
    const more = await trade(1, { kind: 'fillAsk', order: ask, units: 777n, priceMax: 10_000_000n })
    expect(more.report.findings.map(({ code }) => code)).toContain('order_fill')
    expect(await pooled()).toEqual([])
  })
})

test.each([
  [1_000_000n, 100n, '0.0001'],
  [1_000_000n, 10n, '0.001'],
  [1_000_003n, 100n, '0.0001000003'],
  [1000n, 3n, '0.000003334'],
  [1n << 40n, 7n, undefined],
  [435n, 1n, '0.00000435'],
])('%i satoshis for %i units are asked as %s each', (price, count, text) => {
  const each = coinsPerUnitOf(price, count)
  if (text !== undefined) expect(each.startsWith(text.slice(0, 12))).toBe(true)
  expect(BigInt(Math.trunc(Number(each) * Number(count) * 1e8 + 0.0000000049999))).toBe(price)
})
