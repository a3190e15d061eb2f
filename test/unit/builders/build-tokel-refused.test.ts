// The builder refuses, with a reason, what tokeld would build but nobody should send or could
// spend.

import { describe, expect, test } from 'vitest'

import { addressOf, isAntaraError, networks } from '../../../src/index.ts'
import { keys } from '../../support/komodod.ts'
import { assetsV2Key, madeByTokeld, rebuilt } from '../../support/tokeld-made.ts'

const made = (note: string) => madeByTokeld.find((it) => it.note === note)!
const by = (method: string) => madeByTokeld.find((it) => it.method === method)!
const transfer = made('v2 A->B by pubkey')
const { A, B, C } = keys
const amount = 1n
const scriptHash = 'bFFxjhquJ1Gzj4Pof4SdbMVXEJhrkENBvn'
const conditionAddress = 'CZJGcu9qRTLQBoWGhNRKaU7r3RFKYU49Qr'
const many = Array.from({ length: 16 }, () => A.pubkey)

function failure(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (isAntaraError(error)) return { code: error.code, path: error.context.path }
    if (error instanceof TypeError) return { code: 'TypeError', path: error.message.split(':')[0] }
    throw error
  }
  throw new Error('nothing was thrown')
}

const to = (pubkey: string) => ({ recipients: [{ pubkey, amount }] })
const toKeys = (required: number, pubkeys: string[]) => {
  return { recipients: [{ keys: { required, pubkeys }, amount }] }
}

describe('a transfer', () => {
  test.each<[string, object, string, string]>([
    ['to the address of a script', to(scriptHash), 'unknown_address', 'recipients[0].pubkey'],
    [
      'to the address of a condition',
      to(conditionAddress),
      'unknown_address',
      'recipients[0].pubkey',
    ],
    [
      'to the address of a module',
      to(addressOf(assetsV2Key, networks.tokel)),
      'module_key',
      'recipients[0].pubkey',
    ],
    ['to what is not an address', to('R'), 'unknown_address', 'recipients[0].pubkey'],
    [
      'to a key off the curve',
      to(`02${'11'.repeat(32)}`),
      'invalid_pubkey',
      'recipients[0].pubkey',
    ],
    [
      'to fewer keys than must sign',
      toKeys(3, [A.pubkey, B.pubkey]),
      'pubkey_count',
      'recipients[0].keys',
    ],
    [
      'to keys of which none must sign',
      toKeys(0, [A.pubkey]),
      'pubkey_count',
      'recipients[0].keys',
    ],
    ['to one key twice', toKeys(1, [A.pubkey, A.pubkey]), 'pubkey_count', 'recipients[0].keys'],
    ['to more keys than a script holds', toKeys(1, many), 'pubkey_count', 'recipients[0].keys'],
    [
      'to keys and somebody else',
      { recipients: [...toKeys(1, [A.pubkey]).recipients, ...to(B.pubkey).recipients] },
      'recipient_count',
      'recipients',
    ],
    ['to nobody', { recipients: [] }, 'recipient_count', 'recipients'],
    [
      'of coins that keys do not hold',
      { fromKeys: { required: 1, pubkeys: [A.pubkey, C.pubkey] } },
      'foreign_coin',
      'tokenCoins[0]',
    ],
    [
      'burnt by mistake',
      to(`02${'deaddead'.repeat(7)}deaddeaa`),
      'burn_key',
      'recipients[0].pubkey',
    ],
    ['not burnt', { burn: true }, 'not_burn_key', 'recipients[0].pubkey'],
    [
      'of several tokens to an address',
      { tokenids: [transfer.params[0]], ...to('RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtK') },
      'recipient_count',
      'recipients',
    ],
    [
      'of several tokens, this not the first',
      { tokenids: ['11'.repeat(32)] },
      'TypeError',
      'tokenids',
    ],
    [
      'of tokens that komodod has not',
      { network: networks.assetChain },
      'token_create_missing',
      'tokenCreate',
    ],
  ])('%s', (_, changes, code, path) => {
    expect(failure(() => rebuilt(transfer, changes))).toEqual({ code, path })
  })

  test('refuses recipients of tokens v1 that only tokens v2 can pay', () => {
    const v1 = by('tokentransfer')
    const address = to('RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtK')
    for (const changes of [address, toKeys(1, [B.pubkey])]) {
      expect(failure(() => rebuilt(v1, changes))).toEqual({
        code: 'unsupported_network',
        path: 'tokenid',
      })
    }
  })
})

describe('a creation', () => {
  const creation = made('v2 fungible 1000')
  test.each<[string, object, string, string | undefined]>([
    [
      'whose data a module would have to know',
      { data: '010203', dataCodes: undefined },
      'untransferable_data',
      'data',
    ],
    ['whose data are not properties', { data: 'f70105' }, 'unknown_property', undefined],
    ['with a royalty of all', { properties: { royalty: 1000 } }, 'royalty_over_limit', undefined],
    ['with data and properties', { data: '00', properties: {} }, 'TypeError', 'properties'],
    ['of a third version', { version: 3 }, 'TypeError', 'version'],
    [
      'with properties that komodod has not',
      { properties: {}, network: networks.assetChain },
      'TypeError',
      'properties',
    ],
  ])('%s', (_, changes, code, path) => {
    expect(failure(() => rebuilt(creation, changes))).toEqual({ code, path })
  })
})

describe('an order', () => {
  test.each<[string, string, object, string, string]>([
    [
      'tokenv2ask',
      'whose price does not divide',
      { price: 1_000_001n },
      'amount_out_of_range',
      'price',
    ],
    ['tokenv2ask', 'that costs dust', { price: 50_000n }, 'amount_out_of_range', 'price'],
    [
      'tokenv2bid',
      'that ends before it is mined',
      { orderExpiryHeight: 47 },
      'expiry_height',
      'orderExpiryHeight',
    ],
    [
      'tokenv2bid',
      'that no order can say the end of',
      { orderExpiryHeight: 2 ** 31 },
      'expiry_height',
      'orderExpiryHeight',
    ],
    ['tokenv2fillask', 'that has ended', { tipHeight: 40_362 }, 'expiry_height', 'order'],
    ['tokenv2fillask', 'for more than there is', { units: 101n }, 'order_fill', 'units'],
    ['tokenv2fillask', 'for another price', { price: 300_001n }, 'order_price', 'price'],
    ['tokenv2fillbid', 'for more than is wanted', { units: 11n }, 'order_fill', 'units'],
    ['tokenv2cancelask', 'of somebody else', { from: B.pubkey }, 'order_not_own', 'order'],
  ])('%s %s', (method, _, changes, code, path) => {
    expect(failure(() => rebuilt(by(method), changes))).toEqual({ code, path })
  })
})
