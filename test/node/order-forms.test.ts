// Orders of any form that the chain takes: nobody validates an order before it is spent. Texts and
// forms are those of komodo src/cc/CCassetstx.cpp, AssetOrders, CancelBuyOffer, CancelSell.

import { beforeEach, describe, expect, test } from 'vitest'
import {
  decodeTransaction,
  encodeTokenPayload,
  encodeTransaction,
  signTransaction,
  type TransactionOutput,
} from '../../src/index.ts'
import { useDevNode } from '../../src/node/vitest.ts'

const node = useDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
const ask = (method: string, ...params: readonly unknown[]) =>
  node().request(method, params as never)
const made = async (method: string, ...params: readonly unknown[]) =>
  (await ask(method, ...params)) as { readonly hex: string }
let tokenid = ''

beforeEach(async () => {
  const { hex } = await made('tokencreate', 'GOLD', '0.00001')
  tokenid = (await ask('sendrawtransaction', hex)) as string
  node().mine()
})

interface Form {
  readonly funcid?: string
  readonly price?: bigint
  readonly origin?: string
  readonly outputs?: (all: readonly TransactionOutput[]) => readonly TransactionOutput[]
}

/** Mines an order that pays as a bid does and says something else. */
async function placed({ funcid = 'b', price = 10n, origin = '', outputs }: Form): Promise<string> {
  const { hex } = await made('tokenbid', '10', tokenid, '0.001')
  const bid = decodeTransaction(hex)
  const amount = Buffer.alloc(8)
  amount.writeBigInt64LE(price)
  const data = [
    'e3',
    Buffer.from(funcid).toString('hex'),
    amount.toString('hex'),
    Buffer.of(origin.length / 2).toString('hex'),
    origin,
  ].join('')
  const script = encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid,
    pubkeys: [],
    extras: [{ kind: 'assets', id: 0x12, data }],
  })
  const all = [...bid.outputs.slice(0, -1), { value: 0n, script }]
  const inputs = bid.inputs.map((input) => ({ ...input, scriptSig: '' }))
  const prevouts = await Promise.all(
    inputs.map(async ({ txid, vout }) => {
      const spent = (await ask('getrawtransaction', txid)) as string
      return decodeTransaction(spent).outputs[vout]!
    }),
  )
  const changed = encodeTransaction({ ...bid, inputs, outputs: outputs?.(all) ?? all })
  const keys = [node().identities[0]!.wif]
  const signed = signTransaction(changed, keys, prevouts, node().network)
  const txid = (await ask('sendrawtransaction', signed.hex, true)) as string
  node().mine()
  return txid
}

const listed = async () => (await ask('tokenorders')) as Readonly<Record<string, unknown>>[]

describe('an order whose maker has', () => {
  test.each([0, 20, 32, 65])(
    '%i bytes is listed without addresses, and a fill of it is built',
    async (size) => {
      const txid = await placed({ origin: '04'.repeat(size) })
      const [order] = await listed()
      expect(order).toMatchObject({ txid, totalrequired: 10, price: '0.00100000' })
      expect(Object.keys(order!)).not.toContain('origaddress')
      expect(Object.keys(order!)).not.toContain('origtokenaddress')
      for (const method of ['tokenfillbid', 'tokenfillask']) {
        expect(await ask(method, tokenid, txid, '1')).toMatchObject({
          result: 'success',
          hex: expect.stringMatching(/^0400008085202f89/),
        })
      }
    },
  )

  test('33 bytes is listed with both addresses', async () => {
    const { pubkey } = node().identities[0]!
    await placed({ origin: pubkey })
    const [assets, tokens] = await Promise.all(
      ['assetsaddress', 'tokenaddress'].map((method) => ask(method, pubkey)),
    )
    expect(await listed()).toMatchObject([
      {
        origaddress: (assets as Record<string, string>)['PubkeyCCaddress(Assets)'],
        origtokenaddress: (tokens as Record<string, string>)['PubkeyCCaddress(Tokens)'],
      },
    ])
  })
})

test.each([0n, -5n])('an order at the price %i is listed without it', async (price) => {
  const txid = await placed({ price, origin: node().identities[0]!.pubkey })
  const [order] = await listed()
  expect(order).toMatchObject({ txid, origaddress: expect.any(String) })
  expect(Object.keys(order!)).not.toContain('price')
  expect(Object.keys(order!)).not.toContain('totalrequired')
})

test.each([
  ['S', 2],
  ['s', 1],
])('an order %s of %i outputs has no marker, so nobody can cancel it', async (funcid, count) => {
  const txid = await placed({
    funcid,
    outputs: (all) => [...all.slice(0, count - 1), all.at(-1)!],
  })
  for (const kind of ['bid', 'ask']) {
    expect(await ask(`tokencancel${kind}`, tokenid, txid)).toEqual({
      result: 'error',
      error: `couldnt cancel ${kind}`,
    })
  }
})

describe('mytokenorders', () => {
  test('lists asks of a non-fungible token for its eval code alone', async () => {
    const created = await made('tokencreate', 'ART', '0.00000001', 'a picture', 'f10102')
    const art = await ask('sendrawtransaction', created.hex)
    node().mine()
    const { hex } = await made('tokenask', '1', art, '0.01')
    const txid = await ask('sendrawtransaction', hex)
    node().mine()
    for (const code of ['0xf1', '241', '0361', ' 0xF1x', '-15']) {
      expect(await ask('mytokenorders', code)).toMatchObject([{ funcid: 's', txid }])
    }
    for (const params of [[], ['0xf3'], ['f1'], ['0']]) {
      expect(await ask('mytokenorders', ...params)).toEqual([])
    }
  })

  test('lists an ask that has no marker, wherever its coins are', async () => {
    const origin = node().identities[0]!.pubkey
    const txid = await placed({ funcid: 's', origin, outputs: (all) => [all[0]!, all.at(-1)!] })
    expect(await ask('mytokenorders')).toMatchObject([{ funcid: 's', txid, vout: 0 }])
    await placed({ funcid: 's', origin: node().identities[1]!.pubkey })
    expect(await ask('mytokenorders')).toHaveLength(1)
  })
})

test('an ask may cost more than a double counts in satoshis', async () => {
  expect(await ask('tokenask', '1', tokenid, '90071993')).toMatchObject({ result: 'success' })
  expect(await ask('tokenask', '1', tokenid, '92233720368.54775808')).toEqual({
    result: 'error',
    error: 'invalid parameter',
  })
})

test('a bid for what is no creation of a token is refused', async () => {
  const [coin] = (await ask('listunspent')) as { txid: string }[]
  for (const id of ['ab'.repeat(32), coin!.txid]) {
    expect(await ask('tokenbid', '1', id, '1')).toEqual({
      result: 'error',
      error: 'couldnt create bid',
    })
  }
})
