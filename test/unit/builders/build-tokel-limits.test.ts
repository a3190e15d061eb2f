// Limits of transfers of tokeld's tokens: recipients, number of keys, several tokens at once.

import { Point } from '@noble/secp256k1'
import { describe, expect, test } from 'vitest'

import {
  addressOf,
  buildTokenTransfer,
  decodeTransaction,
  networks,
  signTransaction,
  transactionId,
  type UnsignedTransfer,
} from '../../../src/index.ts'
import { refusal, request } from '../../support/bobs-tokens.ts'
import { keys } from '../../support/komodod.ts'
import { madeByTokeld, rebuilt, tokelKeys } from '../../support/tokeld-made.ts'

const network = networks.tokel
const by = (method: string) => madeByTokeld.find((it) => it.method === method)!
const transfer = madeByTokeld.find(({ note }) => note === 'v2 A->B by pubkey')!
const { A, B, C } = keys
const amount = 1n
const sent = (changes: object) => rebuilt(transfer, changes) as UnsignedTransfer
const reported = (changes: object) => refusal(() => sent(changes))
const to = (pubkey: string) => ({ recipients: [{ pubkey, amount }] })
const toKeys = (required: number, pubkeys: readonly string[]) => ({
  recipients: [{ keys: { required, pubkeys }, amount }],
})
const path = 'recipients[0].pubkey'
// published in komodo and tokel src/cc/CCinclude.h, CC_BURNPUBKEY and its later form
const burnKeys = {
  komodo: `02${'deaddead'.repeat(8)}`,
  tokel: `02${'deaddead'.repeat(7)}deaddeaa`,
}
const third = Point.BASE.multiply(3n).toHex()

describe('keys that hold units together', () => {
  test('are some of those named, and all of them at most', () => {
    for (const [required, pubkeys] of [
      [1, [A.pubkey]],
      [1, [A.pubkey, B.pubkey]],
      [2, [A.pubkey, B.pubkey]],
      [3, [A.pubkey, B.pubkey, C.pubkey]],
    ] as const) {
      const { intent } = sent(toKeys(required, pubkeys))
      expect(intent.destinationKeys).toEqual({ required, pubkeys })
      expect(intent.destination).toBe(A.pubkey)
    }
    const many = Array.from({ length: 15 }, (_, at) => Point.BASE.multiply(BigInt(at + 5)).toHex())
    const most = many.slice(0, 10)
    expect(sent(toKeys(1, most)).intent.destinationKeys?.pubkeys).toHaveLength(10)
    expect(reported(toKeys(1, [...many, A.pubkey]))).toMatchObject({
      actual: '1 of 16, 16 of them different',
    })
  })

  test.each([
    [5, 5],
    [2, 10],
    [15, 15],
  ])(
    'are refused if no node relays the push that spends from them: %d of %d',
    (required, count) => {
      const keys = Array.from({ length: count }, (_, at) =>
        Point.BASE.multiply(BigInt(at + 5)).toHex(),
      )
      const refused = () => sent(toKeys(required, keys))
      const context = expect.objectContaining({ path: 'recipients[0].keys' })
      expect(refused).toThrow(expect.objectContaining({ code: 'size_out_of_range', context }))
    },
  )

  test.each<[required: number, pubkeys: readonly string[]]>([
    [0, [A.pubkey]],
    [2, [A.pubkey]],
    [1, []],
    [1, [A.pubkey, A.pubkey]],
    [3, [A.pubkey, B.pubkey]],
  ])('are not %i of %o', (required, pubkeys) => {
    expect(reported(toKeys(required, pubkeys))).toEqual({
      code: 'pubkey_count',
      path: 'recipients[0].keys',
      expected: 'some of 1 to 15 different keys',
      actual: `${required} of ${pubkeys.length}, ${new Set(pubkeys).size} of them different`,
    })
  })

  test('may hold the units that are sent, as the intent states', () => {
    const bothOf = madeByTokeld.find(({ params }) => String(params[0]).includes('ccaddressMofN'))!
    const both = { required: 2, pubkeys: [A.pubkey, B.pubkey] }
    expect((rebuilt(bothOf) as UnsignedTransfer).intent.fromKeys).toEqual(both)
  })

  test('are for tokeld’s chains alone', () => {
    const fromKeys = { required: 1, pubkeys: [A.pubkey] }
    expect(refusal(() => buildTokenTransfer({ ...request, fromKeys }))).toEqual({
      code: 'unsupported_network',
      path: 'fromKeys',
      expected: "a chain with tokeld's tokens",
      actual: networks.assetChain.name,
    })
  })

  test('get all of a transfer', () => {
    const expected = 'one holder of several keys, or keys alone'
    const both = [...toKeys(1, [A.pubkey]).recipients, ...to(B.pubkey).recipients]
    const count = { code: 'recipient_count', path: 'recipients', expected }
    expect(reported({ recipients: both })).toEqual({ ...count, actual: 2 })
    expect(reported({ recipients: both.toReversed() })).toEqual({ ...count, actual: 2 })
    expect(reported({ recipients: [] })).toEqual({ ...count, actual: 0 })
  })
})

describe('the recipients of a transfer', () => {
  test('several, by keys and addresses', () => {
    const address = addressOf(C.pubkey, network)
    const recipients = [
      { pubkey: B.pubkey, amount },
      { pubkey: address, amount },
      { pubkey: A.pubkey, amount },
      { pubkey: third, amount },
    ]
    const { intent } = sent({ recipients })
    expect(intent.recipients).toEqual(recipients)
    expect(sent(to(B.pubkey)).intent).not.toHaveProperty('recipients')
    expect(sent(to(B.pubkey)).intent).not.toHaveProperty('burn')
    expect(sent(to(B.pubkey)).intent).not.toHaveProperty('destinationKeys')
    expect(sent(to(B.pubkey)).intent).not.toHaveProperty('fromKeys')
    expect(sent(to(B.pubkey)).intent).not.toHaveProperty('tokenids')
  })

  test('all together no more than coins may be worth', () => {
    const most = 2n ** 63n - 1n
    const recipients = [
      { pubkey: B.pubkey, amount: most },
      { pubkey: C.pubkey, amount },
    ]
    expect(reported({ recipients })).toEqual({
      code: 'amount_out_of_range',
      path: 'recipients',
      expected: `at most ${most}`,
      actual: most + 1n,
    })
  })

  test('refuses a text of 64 characters as an address, and a longer one as a key', () => {
    expect(reported(to('1'.repeat(64)))).toMatchObject({ code: 'unknown_address', path })
    expect(reported(to('1'.repeat(65)))).toMatchObject({ code: 'invalid_pubkey', path })
  })

  test('the holders of a burn key where that is wished, and nobody else then', () => {
    for (const key of Object.values(burnKeys)) {
      // komodod's is not a point, so that no address is made of it here
      for (const name of key === burnKeys.tokel ? [key, addressOf(key, network)] : [key]) {
        expect(reported(to(name))).toEqual({ code: 'burn_key', path, actual: name })
        expect(sent({ ...to(name), burn: true }).intent).toMatchObject({
          burn: true,
          destination: name,
        })
      }
      expect(sent({ ...to(key.toUpperCase()), burn: true }).intent.destination).toBe(key)
    }
    const expected = [burnKeys.tokel, burnKeys.komodo]
    for (const name of [B.pubkey, addressOf(B.pubkey, network)]) {
      const { code, expected: wanted, actual } = reported({ ...to(name), burn: true })
      expect(code).toBe('not_burn_key')
      expect(String(wanted).split(' or ').toSorted()).toEqual(expected)
      expect(actual).toContain(name)
    }
    const byKomodo = { ...request, recipients: [{ pubkey: burnKeys.tokel, amount }], burn: true }
    expect(refusal(() => buildTokenTransfer(byKomodo))).toEqual({
      code: 'not_burn_key',
      path,
      expected: burnKeys.komodo,
      actual: burnKeys.tokel,
    })
  })

  // tokel src/cc/CCcustom.cpp, TokensCCaddr: it looks like the address of a key
  test('refuses the address of a condition', () => {
    expect(reported(to('RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2'))).toEqual({
      code: 'burn_key',
      path,
      actual: 'RAMvUfoyURBRxAdVeTMHxn3giJZCFWeha2: the condition of TOKENS',
    })
  })

  test('pays as many keys of tokens v1 as a payload has room for', () => {
    const v1 = by('tokentransfer')
    const others = [B, C].map(({ pubkey }) => ({ pubkey, amount }))
    const more = [...others, { pubkey: third, amount }]
    expect(rebuilt(v1, { recipients: others, from: A.pubkey }).coins.length).toBeGreaterThan(1)
    expect(refusal(() => rebuilt(v1, { recipients: more, from: A.pubkey }))).toEqual({
      code: 'recipient_count',
      path: 'recipients',
      expected: "1 to 2 keys besides one's own",
      actual: 3,
    })
    expect(refusal(() => rebuilt(v1, to(addressOf(B.pubkey, network))))).toEqual({
      code: 'unsupported_network',
      path: 'tokenid',
      expected: 'tokens v2',
      actual: 'tokel-v1',
    })
  })
})

test('native coins stand before token coins', () => {
  // tokel src/cc/CCtx.cpp, FinalizeCCV2Tx: nothing is put behind anything else
  const coins = madeByTokeld
    .flatMap((made) => (made.method.startsWith('token') ? rebuilt(made).coins : []))
    .filter((it) => it.role === 'native' && it.script === `21${A.pubkey}ac`)
    .filter(
      (it, at, all) =>
        all.findIndex(({ txid, vout }) => it.txid === txid && it.vout === vout) === at,
    )
    .slice(0, 3)
  const roles = sent({ coins }).coins.map(({ role }) => role)
  expect(roles.slice(0, 4)).toEqual(['native', 'native', 'native', 'token'])
})

describe('several tokens at once', () => {
  const made = by('tokenv2transfermany')
  /** A token of A's, as it may be created with the coin that the daemon took. */
  function created(name: string, supply: bigint, changes: object = {}) {
    const { hex, coins } = rebuilt(by('tokenv2create'), {
      name,
      supply,
      data: undefined,
      ...changes,
    })
    const signed = signTransaction(hex, tokelKeys, coins, network)
    return { hex: signed.hex, tokenid: signed.txid, coin: { txid: signed.txid, vout: 1 } }
  }
  const recorded = () => {
    const { coins, intent, previousTransactions } = rebuilt(made) as UnsignedTransfer
    const [native, token] = coins
    return { native: native!, token: token!, tokenid: intent.tokenid, previousTransactions }
  }
  function many(units: bigint, changes: object = {}, supply = 7n) {
    const { tokenid, token, previousTransactions } = recorded()
    const other = created('OTHER', supply)
    return rebuilt(made, {
      tokenids: [tokenid, other.tokenid],
      tokenCoins: [token, other.coin].map(({ txid, vout }) => ({ txid, vout })),
      previousTransactions: [...previousTransactions, other.hex],
      recipients: [{ pubkey: B.pubkey, amount: units }],
      ...changes,
    }) as UnsignedTransfer
  }
  const allValuesOf = ({ hex }: UnsignedTransfer) =>
    decodeTransaction(hex).outputs.map(({ value }) => value)
  const valuesOf = ({ hex }: UnsignedTransfer) =>
    decodeTransaction(hex)
      .outputs.filter(({ script }) => script.includes('cc'))
      .map(({ value }) => value)

  test('give of each what is asked, then what is left of it', () => {
    // the daemon's coin has 385 units
    expect(valuesOf(many(5n)).slice(0, 4)).toEqual([5n, 380n, 5n, 2n])
    expect(valuesOf(many(7n)).slice(0, 3)).toEqual([7n, 378n, 7n])
    for (const units of [5n, 7n]) expect(allValuesOf(many(units))).not.toContain(0n)
    const { intent, coins, tokenCreate } = many(5n)
    const { tokenid } = recorded()
    expect(intent).toMatchObject({ tokenid, tokenids: [tokenid, created('OTHER', 7n).tokenid] })
    expect(coins.map(({ role }) => role)).toEqual(['native', 'token', 'token'])
    expect(transactionId(tokenCreate)).toBe(tokenid)
  })

  test('burn what says its token', () => {
    const built = many(5n, { recipients: [{ pubkey: burnKeys.tokel, amount: 5n }], burn: true })
    const { outputs } = decodeTransaction(built.hex)
    const { tokenids } = built.intent
    const named = [0, 2].map((at) => tokenids!.map((id) => outputs[at]!.script.includes(id)))
    expect(named).toEqual([
      [true, false],
      [false, true],
    ])
    expect([0, 2].map((at) => outputs[at]!.script.includes(burnKeys.tokel))).toEqual([true, true])
    expect(built.intent).toMatchObject({ burn: true, destination: burnKeys.tokel })
  })

  test('come to what is asked of each', () => {
    expect(refusal(() => many(8n))).toEqual({
      code: 'insufficient_tokens',
      path: 'tokenCoins',
      expected: 8n,
      actual: 7n,
    })
    expect(refusal(() => many(386n))).toMatchObject({ expected: 386n, actual: 385n })
  })

  test('are reported where nothing shows them to be real', () => {
    const { previousTransactions, token } = recorded()
    const parents = new Set([token.txid, recorded().tokenid, recorded().native.txid])
    const other = created('OTHER', 7n)
    const given = previousTransactions.filter((it) => parents.has(transactionId(it)))
    const { unproven } = many(5n, { previousTransactions: [...given, other.hex] })
    expect(unproven.map(({ txid }) => txid)).toContain(token.txid)
    expect(many(5n).unproven).toEqual([])
  })

  test('are of creations that the last transactions show, or of the one that is given', () => {
    const { tokenid, previousTransactions } = recorded()
    const other = created('OTHER', 7n)
    const creation = previousTransactions.find((it) => transactionId(it) === tokenid)!
    const ancestors = previousTransactions.filter((it) => it !== creation)
    const given = many(5n, {
      previousTransactions: [...ancestors, other.hex],
      tokenCreate: creation.toUpperCase(),
    })
    expect(given.hex).toBe(many(5n).hex)
    expect([given.tokenCreate, given.unproven]).toEqual([creation, []])
  })

  /** Spends two coins of each token: of the first 3 and 382 units, of the other 3 and 4. */
  function spending(changes: object) {
    const { tokenid, token, previousTransactions } = recorded()
    const other = created('OTHER', 7n)
    const { hex, coins } = rebuilt(made, {
      tokenids: [tokenid, other.tokenid],
      tokenCoins: [token, other.coin].map(({ txid, vout }) => ({ txid, vout })),
      previousTransactions: [...previousTransactions, other.hex],
      recipients: [{ pubkey: A.pubkey, amount: 3n }],
    })
    const signed = signTransaction(hex, tokelKeys, coins, network)
    const creation = previousTransactions.find((it) => transactionId(it) === tokenid)!
    const parents = [creation, other.hex, signed.hex]
    const built = many(2n, {
      tokenids: [tokenid, other.tokenid],
      tokenCoins: [0, 1, 2, 3].map((vout) => ({ txid: signed.txid, vout })),
      coins: [{ txid: signed.txid, vout: 4 }],
      previousTransactions: [...previousTransactions, ...parents],
      ...changes,
    })
    return { built, parents, tokens: built.coins.filter(({ role }) => role === 'token') }
  }

  test('spend the first coins that suffice, or all', () => {
    const valuesWith = (spend?: string) => spending({ spend }).tokens.map(({ value }) => value)
    expect(valuesWith()).toEqual([3n, 3n])
    expect(valuesWith('all')).toEqual([3n, 382n, 3n, 4n])
  })

  test('report unproven coins that are spent, and no others', () => {
    const { parents } = spending({})
    const vouts = (spend?: string) =>
      spending({ previousTransactions: parents, spend }).built.unproven.map(({ vout }) => vout)
    // one transaction moved both tokens, and what it spent of the first is not there
    expect(vouts()).toEqual([0, 2])
    expect(vouts('all')).toEqual([0, 1, 2, 3])
  })

  test('refuse a coin of none of them, and a token that is not there', () => {
    const { tokenid, token, previousTransactions } = recorded()
    const other = created('OTHER', 7n)
    const third = created('THIRD', 7n)
    expect(
      refusal(() =>
        many(5n, {
          tokenCoins: [token, third.coin].map(({ txid, vout }) => ({ txid, vout })),
          previousTransactions: [...previousTransactions, other.hex, third.hex],
        }),
      ),
    ).toEqual({
      code: 'foreign_coin',
      path: 'tokenCoins[1]',
      expected: `${tokenid} or ${other.tokenid}`,
      actual: third.tokenid,
    })
    expect(refusal(() => many(5n, { tokenCoins: [recorded().native] }))).toEqual({
      code: 'foreign_coin',
      path: 'tokenCoins[0]',
      expected: `${tokenid} or ${other.tokenid}`,
    })
    expect(refusal(() => many(5n, { tokenids: [tokenid, '11'.repeat(32)] })).code).toBe(
      'foreign_coin',
    )
    const unknown = { tokenids: [tokenid, '11'.repeat(32)], tokenCoins: [token] }
    expect(refusal(() => many(5n, unknown))).toEqual({
      code: 'token_create_missing',
      path: 'tokenCreate',
      expected: '11'.repeat(32),
    })
  })

  test('are of tokens v2, and can be moved', () => {
    const { tokenid, token, previousTransactions } = recorded()
    for (const [changes, code] of [
      [{ version: 1 }, 'foreign_coin'],
      [{ data: 'e3ff', dataCodes: [0xe3] }, 'untransferable_data'],
      // f2 is the module of tokens v1, not of v2
      [{ data: 'f2ff', dataCodes: [0xf2] }, 'untransferable_data'],
    ] as const) {
      const other = created('OTHER', 7n, changes)
      const asked = {
        tokenids: [tokenid, other.tokenid],
        tokenCoins: [token, other.coin].map(({ txid, vout }) => ({ txid, vout })),
        previousTransactions: [...previousTransactions, other.hex],
      }
      expect(refusal(() => many(5n, asked)).code).toBe(code)
    }
  })

  test('pay one key, and the fee by coins', () => {
    const count = {
      code: 'recipient_count',
      path: 'recipients',
      expected: 'one key for several tokens',
    }
    const recipients = [B, C].map(({ pubkey }) => ({ pubkey, amount }))
    expect(refusal(() => many(5n, { recipients }))).toEqual({ ...count, actual: 2 })
    expect(refusal(() => many(5n, toKeys(1, [A.pubkey])))).toEqual({ ...count, actual: 1 })
    expect(refusal(() => many(5n, { fee: 0n, spend: 'selected' })).code).toBe('fee_below_relay')
    expect(refusal(() => many(5n, { coins: [] })).code).toBe('insufficient_coins')
  })
})
