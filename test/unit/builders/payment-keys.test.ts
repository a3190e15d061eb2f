// The same payment has one key, however its intent is spelled: attempts are remembered by it.

import { describe, expect, test } from 'vitest'
import { burnPublicKeys } from '../../../src/chain/modules.ts'
import {
  addressOf,
  type CreateIntent,
  networks,
  type PaymentIntent,
  type TokenOrderIntent,
  type TransferIntent,
  type WithdrawIntent,
} from '../../../src/index.ts'
import { createDaemonClient, transferToken } from '../../../src/rpc/index.ts'
import {
  createKey,
  orderKey,
  paymentKey,
  transferKey,
  withdrawKey,
} from '../../../src/rpc/safe-flow/payment-keys.ts'
import { encodeTokelData } from '../../../src/token/payload/tokel-data.ts'
import { tokenCreate } from '../../../src/verification/operations/create.ts'
import { checkOrderIntent } from '../../../src/verification/order-intent.ts'
import { checkTransferIntent } from '../../../src/verification/transfer-intent.ts'
import { p2pkh } from '../../support/payments.ts'
import { a, b, c, transferHex, transferIntent } from '../../support/resigned.ts'

const network = networks.tokel
const { tokenid } = transferIntent
const other = '12'.repeat(32)

const keyOfTransfer = (more: Partial<TransferIntent>) =>
  transferKey(checkTransferIntent({ ...transferIntent, network, ...more }).intent)
const keysOf = (required: number, ...pubkeys: string[]) => ({
  destination: pubkeys[0]!,
  destinationKeys: { required, pubkeys },
})

describe('a transfer', () => {
  test.each<[string, Partial<TransferIntent>, Partial<TransferIntent>]>([
    ['by a key and by its address', { destination: b }, { destination: addressOf(b, network) }],
    ['by keys in another order', keysOf(2, a, b, c), keysOf(2, c, b, a)],
    ['by one key of one', { destination: b }, keysOf(1, b)],
    ['in capitals', { destination: b }, { destination: b.toUpperCase(), from: a.toUpperCase() }],
    ['by keys in capitals', keysOf(2, b, c), keysOf(2, c.toUpperCase(), b.toUpperCase())],
    ['by a tokenid in capitals', {}, { tokenid: tokenid.toUpperCase() }],
    ['with its one token in a list', {}, { tokenids: [tokenid] }],
    [
      'with its tokens in another order',
      { tokenids: [tokenid, other] },
      { tokenid: other, tokenids: [other, tokenid] },
    ],
    ['with its recipient in a list', {}, { recipients: [{ pubkey: b, amount: 100n }] }],
    [
      'with that one as an address',
      {},
      {
        destination: addressOf(b, network),
        recipients: [{ pubkey: addressOf(b, network), amount: 100n }],
      },
    ],
    ['with another fee', { fee: 10_000n }, { maxFee: 30_000n }],
    [
      'burned by key and by its address',
      { destination: burnPublicKeys.tokel, burn: true },
      { destination: addressOf(burnPublicKeys.tokel, network), burn: true },
    ],
  ])('%s is the same payment', (_, one, two) => {
    expect(keyOfTransfer(two)).toBe(keyOfTransfer(one))
  })

  test.each<[string, Partial<TransferIntent>, Partial<TransferIntent>]>([
    ['another recipient', { destination: b }, { destination: c }],
    ['another amount', { amount: 1n }, { amount: 2n }],
    ['another token', {}, { tokenid: other }],
    ['another sender', { from: a }, { from: b }],
    ['other keys', keysOf(2, a, b), keysOf(2, a, c)],
    ['another number of keys that must sign', keysOf(1, a, b), keysOf(2, a, b)],
    ['one of two keys', keysOf(1, a, b), { destination: a }],
    ['two signatures of one key', { destination: b }, keysOf(2, b)],
    ['tokens of which one is another', { tokenids: [tokenid, other] }, { tokenids: [tokenid] }],
    ['keys that hold what is spent', {}, { fromKeys: { required: 1, pubkeys: [a, b] } }],
  ])('a transfer with %s is another payment', (_, one, two) => {
    expect(keyOfTransfer(two)).not.toBe(keyOfTransfer(one))
  })

  test('has a key even if its intent is wrong', () => {
    expect(keyOfTransfer({ destination: 'x' })).not.toBe(keyOfTransfer({ destination: 'y' }))
    const noKeys = { destination: b, destinationKeys: { required: 1, pubkeys: [] } }
    expect(keyOfTransfer(noKeys)).not.toBe(keyOfTransfer({ destination: b }))
  })

  test('keeps recipients and amounts together', () => {
    const paid = (...all: [string, bigint][]) =>
      keyOfTransfer({
        destination: all[0]![0],
        amount: all[0]![1],
        recipients: all.map(([pubkey, amount]) => ({ pubkey, amount })),
      })
    expect(paid([b, 1n], [c, 2n])).toBe(paid([c, 2n], [b, 1n]))
    expect(paid([b, 1n], [c, 2n])).not.toBe(paid([b, 2n], [c, 1n]))
  })
})

describe('a creation', () => {
  const properties = { id: 1, url: 'u', royalty: 5, arbitrary: 'AB' }
  const keyOfCreate = (more: Partial<CreateIntent>) => {
    const intent = { name: 'T', supply: 1n, description: '', owner: a, network, ...more }
    return createKey(tokenCreate.validate(intent).intent)
  }

  test.each<[string, Partial<CreateIntent>, Partial<CreateIntent>]>([
    ['of properties in another order', { properties }, { properties: reversed(properties) }],
    ['of properties as data', { properties }, { data: encodeTokelData(properties) }],
    ['of data in another order', { properties }, { data: encodeTokelData(reversed(properties)) }],
    ['of data in capitals', { data: 'f7ab' }, { data: 'F7AB' }],
    ['of the usual version', {}, { version: 2 }],
    [
      'where there is one version',
      { network: networks.assetChain },
      {
        network: networks.assetChain,
        version: 1,
      },
    ],
    ['of an owner in capitals', {}, { owner: a.toUpperCase() }],
  ])('%s is the same', (_, one, two) => {
    expect(keyOfCreate(two)).toBe(keyOfCreate(one))
  })

  test.each<[string, Partial<CreateIntent>]>([
    ['name', { name: 'U' }],
    ['supply', { supply: 2n }],
    ['description', { description: 'd' }],
    ['owner', { owner: b }],
    ['version', { version: 1 }],
    ['data', { data: 'ab' }],
    ['properties', { properties: { id: 2 } }],
  ])('a creation with another %s is another payment', (_, more) => {
    expect(keyOfCreate(more)).not.toBe(keyOfCreate({}))
  })

  test('is distinguished by each property', () => {
    const keys = Object.keys(properties).map((name) => {
      const { [name as 'id']: _left, ...rest } = properties
      return keyOfCreate({ properties: rest })
    })
    expect(new Set([...keys, keyOfCreate({ properties })]).size).toBe(5)
  })

  test('a creation with data that imitate properties has a key by its bytes', () => {
    const data = ['f7010201ff', 'f7010201fe']
    expect(keyOfCreate({ data: data[0]! })).not.toBe(keyOfCreate({ data: data[1]! }))
  })
})

function reversed<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).reverse()) as T
}

describe('a step of an order', () => {
  const keyOfOrder = (intent: object) =>
    orderKey(checkOrderIntent({ tokenid, from: a, network, ...intent } as TokenOrderIntent).intent)
  const fill = { kind: 'fillAsk', order: other, units: 3n, price: 6_000n }
  const ask = { kind: 'ask', units: 4n, price: 4_000n }

  test('a step of an order that fills an order has one key for all bounds of its price', () => {
    expect(keyOfOrder({ ...fill, price: 9_000n })).toBe(keyOfOrder(fill))
    const { price: priceMax, ...rest } = fill
    expect(keyOfOrder({ ...rest, priceMax })).toBe(keyOfOrder(fill))
    expect(keyOfOrder({ ...fill, order: other.toUpperCase() })).toBe(keyOfOrder(fill))
  })

  test('is another with other units, another order, price, end or kind', () => {
    const keys = [
      fill,
      { ...fill, units: 4n },
      { ...fill, order: tokenid },
      { ...fill, kind: 'fillBid' },
      ask,
      { ...ask, kind: 'bid' },
      { ...ask, kind: 'bid', price: 8_000n },
      { ...ask, price: 8_000n },
      { ...ask, units: 2n },
      { ...ask, expiryHeight: 500 },
      { ...ask, from: b },
      { ...ask, tokenid: other },
      { kind: 'cancelAsk', order: other },
    ].map(keyOfOrder)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('a withdrawal', () => {
  const intent: WithdrawIntent = {
    coin: 'KMD',
    to: addressOf(b, networks.komodo),
    amount: 5n,
    own: [a],
    network: networks.komodo,
  }

  test('is the same with its network left out, another fee, or a note in capitals', () => {
    const { network: _, ...bare } = intent
    expect(withdrawKey(bare)).toBe(withdrawKey(intent))
    expect(withdrawKey({ ...intent, fee: 1n, nulldata: '' })).toBe(withdrawKey(intent))
    expect(withdrawKey({ ...intent, nulldata: 'AB' })).toBe(
      withdrawKey({ ...intent, nulldata: 'ab' }),
    )
  })

  test('is another with another coin, address, amount or note', () => {
    const keys = [
      intent,
      { ...intent, coin: 'TOKTEST' },
      { ...intent, to: addressOf(c, networks.komodo) },
      { ...intent, to: 'no address' },
      { ...intent, to: 'no other address' },
      { ...intent, amount: 6n },
      { ...intent, amount: 'max' as const },
      { ...intent, nulldata: 'ab' },
    ].map(withdrawKey)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('a payment in coins', () => {
  const [toB, toC] = [addressOf(b, networks.assetChain), addressOf(c, networks.assetChain)]
  const both: PaymentIntent = {
    recipients: [
      { address: toB, amount: 5n },
      { address: toC, amount: 6n },
    ],
    own: [a],
  }
  const [first, second] = [both.recipients[0]!, both.recipients[1]!]

  test('is the same with its recipients in another order, as scripts, or with another fee', () => {
    const spelled: PaymentIntent[] = [
      { ...both, recipients: [second, first] },
      { ...both, recipients: [{ script: p2pkh(b), amount: 5n }, second] },
      { ...both, fee: 10_000n, own: [b, a], network: networks.assetChain },
      { ...both, nulldata: '' },
    ]
    for (const intent of spelled) expect(paymentKey(intent)).toBe(paymentKey(both))
    const noted = (nulldata: string) => paymentKey({ ...both, nulldata })
    expect(noted('6A01AB')).toBe(noted('6a01ab'))
  })

  test('is another with other recipients, amounts or data, or with amounts exchanged', () => {
    const keys = [
      both,
      { ...both, recipients: [first] },
      { ...both, recipients: [first, second, second] },
      { ...both, recipients: [first, { ...second, address: toB }] },
      { ...both, recipients: [first, { ...second, amount: 7n }] },
      { ...both, recipients: [first, { ...second, amount: 'max' as const }] },
      {
        ...both,
        recipients: [
          { address: toB, amount: 6n },
          { address: toC, amount: 5n },
        ],
      },
      { ...both, nulldata: '6a01ab' },
      { ...both, nulldata: '6a01ac' },
    ].map(paymentKey)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test('a flow takes up the attempts at a payment that is spelled otherwise', async () => {
  const fetch = () => Promise.reject(new Error('unreachable'))
  const client = createDaemonClient({
    url: 'http://127.0.0.1:1',
    user: 'user',
    password: 'pass',
    fetch: fetch as never,
    retry: false,
  })
  const paid = (destination: string, earlier: readonly string[]) =>
    transferToken(client, { ...transferIntent, network, destination }, { earlier }).catch(
      (error) => error,
    )
  await paid(b, [transferHex])
  expect((await paid(addressOf(b, network), [])).unsettled).toMatchObject([{ hex: transferHex }])
  expect((await paid(addressOf(c, network), [])).unsettled).toBeUndefined()
})
