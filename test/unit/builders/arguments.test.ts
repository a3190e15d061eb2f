// A builder throws a TypeError that begins with the member's name for an argument of a wrong type.

import { describe, expect, test } from 'vitest'

import {
  buildConsolidation,
  buildPayment,
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelBid,
  buildTokenCreate,
  buildTokenFillAsk,
  buildTokenTransfer,
  networks,
  planTokenTransfer,
} from '../../../src/index.ts'
import { bob, create, request, tokenid } from '../../support/bobs-tokens.ts'
import { keys } from '../../support/komodod.ts'
import { madeByTokeld, rebuilt } from '../../support/tokeld-made.ts'

/** A member, as an error names it, and what is not a value of it. */
type Row = [member: string, changes: object]

/** Wrong members of any request. */
const common: readonly Row[] = [
  ['tipHeight', { tipHeight: '39' }],
  ['tipHeight', { tipHeight: 39.5, expiryHeight: 100 }],
  ['tipHeight', { tipHeight: -1, expiryHeight: 100 }],
  ['tipHeight', { tipHeight: undefined, expiryHeight: undefined }],
  ['expiryHeight', { expiryHeight: '100' }],
  ['expiryHeight', { expiryHeight: 100.5 }],
  ['fee', { fee: 10_000 }],
  ['maxFee', { maxFee: 20_000 }],
  ['coins', { coins: 'all' }],
  ['coins[0]', { coins: [undefined] }],
  ['coins[0].txid', { coins: [{ txid: 1, vout: 0 }] }],
  ['coins[0].vout', { coins: [{ txid: '11'.repeat(32), vout: '0' }] }],
  ['coins[0].vout', { coins: [{ txid: '11'.repeat(32), vout: -1 }] }],
  ['network', { network: 'tokel' }],
  ['network', { network: null }],
  ['network.name', { network: {} }],
  ['network.conditions', { network: { ...networks.tokel, conditions: 'tokens' } }],
  ['previousTransactions', { previousTransactions: '00' }],
  ['previousTransactions[0]', { previousTransactions: [1] }],
]

/** Wrong members of any request for tokens. */
const ofTokens: readonly Row[] = [
  ...common,
  ['spend', { spend: 'most' }],
  ['spend', { spend: true }],
  ['nativeChange', { nativeChange: 'none' }],
]

const ofOneToken: readonly Row[] = [
  ...ofTokens,
  ['tokenid', { tokenid: 1 }],
  ['from', { from: 1 }],
  ['tokenCreate', { tokenCreate: 1 }],
]

function reported(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof TypeError) return error.message.split(':')[0]!
    throw error
  }
  throw new Error('nothing was thrown')
}

function wrong(build: (request: never) => unknown, asked: object, rows: readonly Row[]): void {
  test.each([undefined, null, 'a request', 1])('a request that is %s', (given) => {
    expect(reported(() => build(given as never))).toBe('request')
  })
  test.each(rows)('%s, in %o', (member, changes) => {
    expect(reported(() => build({ ...asked, ...changes } as never))).toBe(member)
  })
}

const recipient = { pubkey: bob, amount: 1n }
const transferRows: readonly Row[] = [
  ...ofOneToken,
  ['tokenCoins', { tokenCoins: {} }],
  ['recipients', { recipients: recipient }],
  ['recipients[0]', { recipients: [undefined] }],
  ['recipients[0].pubkey', { recipients: [{ amount: 1n }] }],
  ['recipients[0].amount', { recipients: [{ ...recipient, amount: 1 }] }],
  ['recipients[1]', { recipients: [recipient, null] }],
  ['tokenids', { tokenids: [tokenid] }],
]

describe('a transfer', () => {
  wrong(buildTokenTransfer, request, transferRows)
})

describe('a plan of transfers', () => {
  // which coins are spent is planned
  wrong(
    planTokenTransfer,
    request,
    transferRows.filter(([member]) => member !== 'spend'),
  )
})

describe("a transfer of tokeld's", () => {
  const made = madeByTokeld.find(({ note }) => note === 'v2 A->B by pubkey')!
  const own = String(made.params[0])
  const set = (keySet: unknown) => ({ recipients: [{ keys: keySet, amount: 1n }] })
  test.each<Row>([
    ['tokenids', { tokenids: own }],
    ['tokenids[0]', { tokenids: [1] }],
    ['tokenids', { tokenids: [] }],
    ['tokenids', { tokenids: ['11'.repeat(32), own] }],
    ['tokenids', { tokenids: [own, own] }],
    ['tokenids', { tokenids: [own], fromKeys: { required: 1, pubkeys: [keys.A.pubkey] } }],
    ['fromKeys', { fromKeys: 'both' }],
    ['recipients[0].pubkey', set(undefined)],
    [
      'recipients[0].pubkey',
      {
        recipients: [{ pubkey: own, keys: { required: 1, pubkeys: [keys.A.pubkey] }, amount: 1n }],
      },
    ],
    ['recipients[0].keys.required', set({ required: '1', pubkeys: [keys.A.pubkey] })],
    ['recipients[0].keys.pubkeys', set({ required: 1, pubkeys: keys.A.pubkey })],
    ['recipients[0].keys.pubkeys[0]', set({ required: 1, pubkeys: [1] })],
  ])('%s, in %o', (member, changes) => {
    expect(reported(() => rebuilt(made, changes))).toBe(member)
  })
})

describe('a creation', () => {
  wrong(buildTokenCreate, create, [
    ...ofTokens,
    ['owner', { owner: 1 }],
    ['name', { name: undefined }],
    ['description', { description: 1 }],
    ['supply', { supply: undefined }],
    ['supply', { supply: 1 }],
    ['supply', { supply: 1n, supplyCoins: '1' }],
    ['supplyCoins', { supply: undefined, supplyCoins: 1 }],
    ['data', { data: 1, supply: 1n }],
    ['properties', { properties: {} }],
    ['properties', { properties: {}, data: 'f100', supply: 1n }],
    ['version', { version: 1 }],
    ['version', { version: 3, network: networks.tokel }],
    ['version', { version: '2', network: networks.tokel }],
  ])
})

describe('orders', () => {
  const { recipients: _, tokenCoins, ...order } = request
  const offer = { ...order, units: 1n, price: 1000n }
  const offerRows: readonly Row[] = [
    ...ofOneToken,
    ['units', { units: 1 }],
    ['price', { price: undefined }],
    ['orderExpiryHeight', { orderExpiryHeight: 100 }],
  ]
  describe('an ask', () => {
    wrong(buildTokenAsk, { ...offer, tokenCoins }, [
      ...offerRows,
      ['tokenCoins', { tokenCoins: {} }],
    ])
  })
  describe('a bid', () => {
    wrong(buildTokenBid, offer, offerRows)
  })
  const taking: readonly Row[] = [...ofOneToken, ['order', { order: 1 }]]
  describe('a purchase', () => {
    wrong(buildTokenFillAsk, { ...order, order: tokenid, units: 1n }, taking)
  })
  describe('the cancellation of a bid', () => {
    wrong(
      buildTokenCancelBid,
      { ...order, order: tokenid },
      taking.filter(([member]) => member !== 'tokenCreate'),
    )
  })
})

describe('payments', () => {
  const { recipients: _, tokenCoins: __, tokenid: ___, from, spend: ____, ...plain } = request
  const spending = { ...plain, own: [from] }
  const ofCoins: readonly Row[] = [
    ...common,
    ['network', { network: 'KMD' }],
    ['own', { own: bob }],
    ['own', { own: [] }],
    ['own[0]', { own: [1] }],
    ['redeemScripts', { redeemScripts: '51' }],
    ['redeemScripts[0]', { redeemScripts: [1] }],
    ['lockTime', { lockTime: '0' }],
    // before anything is said of the coins
    ['lockTime', { lockTime: '0', coins: [] }],
    ['tipTime', { tipTime: 0.5 }],
    ['medianTime', { medianTime: 0.5 }],
    ['heights.0', { heights: [0.5] }],
    ['feeRate', { feeRate: 1000 }],
    ['feeRate', { feeRate: 1000n, fee: 10_000n }],
    ['maxFee', { feeRate: 1000n, maxFee: 1 }],
  ]
  const script = '51'
  describe('to somebody', () => {
    wrong(buildPayment, { ...spending, recipients: [{ script, amount: 1000n }] }, [
      ...ofCoins,
      ['spend', { spend: 'needed' }],
      ['nulldata', { nulldata: 1 }],
      ['recipients', { recipients: { script, amount: 1n } }],
      ['recipients', { recipients: [] }],
      ['recipients', { recipients: [1, 2].map(() => ({ script, amount: 'max' })) }],
      ['recipients[0].amount', { recipients: [{ script, amount: 1 }] }],
      ['recipients[0].script', { recipients: [{ amount: 1n }] }],
      ['recipients[0].address', { recipients: [{ address: 1, amount: 1n }] }],
      ['recipients[0]', { recipients: [{ address: 'R', script, amount: 1n }] }],
    ])
  })
  describe('to oneself', () => {
    wrong(buildConsolidation, spending, [
      ...ofCoins,
      ['maxInputs', { maxInputs: '500' }],
      ['to', { to: 1 }],
    ])
  })
})
