// Where the limits of what is built lie, to the satoshi, the byte and the block, and what is said
// of the first thing beyond them.

import { Point } from '@noble/secp256k1'
import { describe, expect, test } from 'vitest'

import {
  buildTokenCreate,
  buildTokenTransfer,
  decodeTransaction,
  defineNetwork,
  networks,
  signTransaction,
} from '../../src/index.ts'
import { inputBytesMax } from '../../src/token/build/assemble.ts'
import type { SpentCoin } from '../../src/token/build/unsigned.ts'
import {
  alice,
  atBlock,
  bob,
  carol,
  coins,
  coinsOf,
  create,
  refusal,
  request,
  tokenid,
  worth,
} from '../support/bobs-tokens.ts'
import { keys } from '../support/komodod.ts'
import { madeByTokeld, rebuilt, tokelKeys } from '../support/tokeld-made.ts'

const transfer = (changes: object) => buildTokenTransfer({ ...request, ...changes })
const creation = (changes: object) => buildTokenCreate({ ...create, ...changes })
const heightOf = (hex: string) => decodeTransaction(hex).expiryHeight

describe('the expiry', () => {
  test.each<[changes: object, height: number]>([
    // komodod: the next block and 200 more
    [{ tipHeight: 39 }, 240],
    [{ tipHeight: 0 }, 201],
    [{ expiryHeight: 0 }, 0],
    [{ expiryHeight: 40 }, 40],
    [{ expiryHeight: 439 }, 439],
    [{ tipHeight: undefined, expiryHeight: 1 }, 1],
    // komodo src/consensus/consensus.h, TX_EXPIRY_HEIGHT_THRESHOLD
    [{ tipHeight: undefined, expiryHeight: 499_999_999 }, 499_999_999],
    [{ tipHeight: 499_999_700, expiryHeight: 499_999_999 }, 499_999_999],
    [{ tipHeight: 499_999_798 }, 499_999_999],
  ])('of %o is %i', (changes, height) => {
    expect(heightOf(transfer(changes).hex)).toBe(height)
  })

  test.each<[changes: object, expected: string, actual: number]>([
    [{ expiryHeight: 39 }, 'over 39, at most 439', 39],
    [{ expiryHeight: 440 }, 'over 39, at most 439', 440],
    [{ tipHeight: 0, expiryHeight: 401 }, 'over 0, at most 400', 401],
    [{ tipHeight: undefined, expiryHeight: 500_000_000 }, 'over 0, at most 499999999', 500_000_000],
    [{ tipHeight: 499_999_799 }, 'over 499999799, at most 499999999', 500_000_000],
  ])('of %o is refused', (changes, expected, actual) => {
    const details = { path: 'expiryHeight', expected, actual }
    expect(refusal(() => transfer(changes))).toEqual({ code: 'expiry_height', ...details })
  })
})

describe('the fee', () => {
  test('may be all that it is bounded by, and nothing over it', () => {
    // 10,056 over the token's change: too little to be a coin of its own
    const little = { ...worth(10_056n), maxFee: 10_056n }
    expect(transfer(little).fee).toBe(10_056n)
    const beyond = { path: 'fee', expected: 10_055n, actual: 10_056n }
    expect(refusal(() => transfer({ ...little, maxFee: 10_055n }))).toEqual({
      code: 'fee_over_limit',
      ...beyond,
    })
    expect(transfer({ fee: 20_000n, maxFee: 20_000n }).fee).toBe(20_000n)
    expect(transfer({ fee: 20_000n }).fee).toBe(20_000n)
  })

  test.each(['needed', 'all'] as const)('is not paid by coins that are too few: %s', (spend) => {
    // enough for nodes to relay it, not for the fee
    expect(refusal(() => transfer({ ...worth(9_999n), spend }))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 10_000n,
      actual: 9_999n,
    })
  })
})

describe('native change', () => {
  const supply = 1000n
  // komodo src/cc/CCtokens.cpp, CreateToken: the marker's satoshis
  const spent = supply + 10_000n
  /** What comes back of a coin that has `over` more than is spent and the fee. */
  function changeOf(over: bigint, changes: { fee: bigint; [name: string]: unknown }) {
    const paid = { ...worth(spent + changes.fee + over), maxFee: changes.fee + over, supply }
    const { hex, fee } = creation({ ...paid, ...changes })
    const change = decodeTransaction(hex).outputs.find(({ script }) => script === `21${bob}ac`)
    expect(fee + (change?.value ?? 0n)).toBe(changes.fee + over)
    return change?.value
  }

  // komodo src/primitives/transaction.h, GetDustThreshold: 57 for a key
  test.each<[over: bigint, changes: { fee: bigint }, change: bigint | undefined]>([
    [56n, { fee: 50n }, undefined],
    [57n, { fee: 50n }, 57n],
    [99n, { fee: 100n }, undefined],
    [100n, { fee: 100n }, 100n],
  ])("of %i satoshis, by komodod's rule and %o: %s", (over, changes, change) => {
    expect(changeOf(over, { ...changes, nativeChange: 'daemon' })).toBe(change)
  })

  test.each<[over: bigint, change: bigint | undefined]>([
    [56n, undefined],
    [57n, 57n],
  ])("of %i satoshis, by tokeld's rule: %s", (over, change) => {
    const changes = { fee: 10_000n, nativeChange: 'daemon', network: networks.tokel }
    expect(changeOf(over, changes)).toBe(change)
  })
})

describe('the bytes of signed inputs, by which fees are judged', () => {
  const { A, B, C } = keys
  const owners = [A, B, C].map(({ pubkey }) => pubkey)
  /** What a scriptSig adds to an input without one: its bytes, and a longer length before them. */
  const addedBy = (scriptSig: string) => scriptSig.length / 2 + (scriptSig.length / 2 < 253 ? 0 : 2)
  const estimateOf = (coin: SpentCoin) => inputBytesMax(coin) - 41

  test('are never more than is reckoned with, and little less, as tokeld signed', () => {
    const most = new Map<number, number>()
    const count = (coin: SpentCoin, scriptSig: string) => {
      const before = most.get(estimateOf(coin)) ?? 0
      most.set(estimateOf(coin), Math.max(before, addedBy(scriptSig)))
    }
    for (const made of madeByTokeld.filter(({ method }) => method !== 'addccv2signature')) {
      // the second signature was added by another node
      const isPartial = made.note.includes('partial signature')
      const whole = madeByTokeld.find(({ method }) => method === 'addccv2signature')!
      const { inputs } = decodeTransaction(isPartial ? whole.hex : made.hex)
      for (const [at, coin] of rebuilt(made).coins.entries()) count(coin, inputs[at]!.scriptSig)
    }
    expect(most.size).toBeGreaterThan(5)
    for (const [estimate, bytes] of most) {
      expect(bytes).toBeLessThanOrEqual(estimate)
      expect(bytes).toBeGreaterThanOrEqual(estimate - 16)
    }
  })

  test.each([
    [1, 1, 5],
    [1, 2, 25],
    [2, 2, 25],
    [1, 3, 25],
    [2, 3, 25],
    [3, 3, 25],
  ])(
    'are never more than is reckoned with, and little less, of %i of %i keys',
    (required, of, less) => {
      const set = { required, pubkeys: owners.slice(0, of) }
      const made = madeByTokeld.find(({ method }) => method === 'tokenv2transfer')!
      const given = rebuilt(made, { recipients: [{ keys: set, amount: 1n }] })
      const first = signTransaction(given.hex, tokelKeys, given.coins, networks.tokel)
      const [, ...native] = decodeTransaction(first.hex).outputs.map(({ script }, vout) =>
        script.startsWith('21') ? { txid: first.txid, vout } : undefined,
      )
      const spending = rebuilt(made, {
        fromKeys: set,
        tokenCoins: [{ txid: first.txid, vout: 0 }],
        coins: native.filter((it) => it !== undefined),
        previousTransactions: [...given.previousTransactions, first.hex],
        recipients: [{ pubkey: A.pubkey, amount: 1n }],
      })
      const signed = signTransaction(spending.hex, tokelKeys, spending.coins, networks.tokel)
      expect(signed.complete).toBe(true)
      const at = spending.coins.findIndex(({ role }) => role === 'token')
      const bytes = addedBy(decodeTransaction(signed.hex).inputs[at]!.scriptSig)
      const estimate = estimateOf(spending.coins[at]!)
      expect([bytes <= estimate, bytes >= estimate - less]).toEqual([true, true])
    },
  )
})

describe('what is wrong is told with what was expected', () => {
  const { hex: created } = atBlock.find(({ txid }) => txid === tokenid)!
  const another = atBlock.find(({ hex }) => hex !== created)!
  const third = Point.BASE.multiply(3n).toHex()
  const [first = ''] = request.previousTransactions
  test.each<[string, () => unknown, Record<string, unknown>]>([
    [
      'a previous transaction that is no hex',
      () => transfer({ previousTransactions: [first, 'zz'] }),
      { code: 'malformed_hex', path: 'previousTransactions[1]', offset: 0 },
    ],
    [
      'a previous transaction that is cut short',
      () => transfer({ previousTransactions: [first.slice(0, 8)] }),
      { code: 'truncated', path: 'previousTransactions[0]', offset: 4 },
    ],
    [
      'a creation that is cut short',
      () => transfer({ tokenCreate: created.slice(0, 8) }),
      { code: 'truncated', path: 'tokenCreate', offset: 4 },
    ],
    [
      'no creation',
      () => transfer({ tokenid: '11'.repeat(32) }),
      { code: 'token_create_missing', path: 'tokenCreate', expected: '11'.repeat(32) },
    ],
    [
      'a creation that is a coinbase',
      () => transfer({ tokenCreate: another.hex }),
      {
        code: 'token_create_missing',
        path: 'tokenCreate',
        expected: tokenid,
        actual: `no token ${another.txid}`,
      },
    ],
    [
      'a tokenid of nothing',
      () => transfer({ tokenid: '00'.repeat(32) }),
      { code: 'token_create_missing', path: 'tokenid', actual: '00'.repeat(32) },
    ],
    [
      'a tokenid that begins with nothing',
      () => transfer({ tokenid: `${'00'.repeat(31)}01` }),
      {
        code: 'token_create_missing',
        path: 'tokenCreate',
        expected: `${'00'.repeat(31)}01`,
      },
    ],
    [
      'nulldata over what nodes relay',
      () => transfer({ network: defineNetwork({ nulldataBytesMax: 70 }) }),
      { code: 'nulldata_too_large', path: 'nulldata', expected: 70, actual: 71 },
    ],
    [
      'data that no chain moves',
      () => creation({ supply: 1n, data: 'ee01' }),
      { code: 'untransferable_data', path: 'data', expected: 'f1 or f3', actual: 'ee' },
    ],
    [
      'data that this chain does not move',
      () => creation({ supply: 1n, data: 'f301', dataCodes: [0xf1] }),
      { code: 'untransferable_data', path: 'data', expected: 'f1', actual: 'f3' },
    ],
    [
      'a long name',
      () => creation({ name: `${'e'.repeat(33)}` }),
      { code: 'text_length', path: 'name', expected: '1 to 32 bytes', actual: 33 },
    ],
    [
      'a long description',
      () => creation({ description: 'd'.repeat(4097) }),
      { code: 'text_length', path: 'description', expected: '0 to 4096 bytes', actual: 4097 },
    ],
    [
      'long data',
      () => creation({ supply: 1n, data: 'f1'.repeat(10_002) }),
      { code: 'data_length', path: 'data', expected: '1 to 10001 bytes', actual: 10_002 },
    ],
    [
      'too few tokens',
      () => transfer({ recipients: [{ pubkey: alice, amount: 221n }] }),
      { code: 'insufficient_tokens', path: 'tokenCoins', expected: 221n, actual: 220n },
    ],
    [
      'too few tokens among those that are taken in order',
      () => transfer({ recipients: [{ pubkey: alice, amount: 221n }], spend: 'needed' }),
      { code: 'insufficient_tokens', path: 'tokenCoins', expected: 221n, actual: 220n },
    ],
    [
      'too few coins for a transfer',
      () => transfer({ ...worth(9_998n), spend: 'selected' }),
      { code: 'insufficient_coins', path: 'coins', expected: 10_000n, actual: 9_998n },
    ],
    [
      'too few coins for a creation',
      () => creation({ ...worth(100_019_999n) }),
      { code: 'insufficient_coins', path: 'coins', expected: 100_020_000n, actual: 100_019_999n },
    ],
    [
      'an output that there is not',
      () => transfer({ coins: [{ ...coins[0], vout: 9 }] }),
      { code: 'no_such_output', path: 'coins[0].vout', expected: 'below 2', actual: 9 },
    ],
    [
      'a coin of somebody else',
      () => transfer({ coins: coinsOf(`21${alice}ac`).slice(0, 1) }),
      {
        code: 'foreign_coin',
        path: 'coins[0]',
        expected: `21${bob}ac`,
        actual: `21${alice}ac`,
      },
    ],
    [
      'more keys than a payload has room for',
      () =>
        transfer({
          recipients: [alice, carol, third, bob].map((pubkey) => ({ pubkey, amount: 1n })),
        }),
      {
        code: 'recipient_count',
        path: 'recipients',
        expected: "1 to 2 keys besides one's own",
        actual: 3,
      },
    ],
  ])('%s', (_, run, told) => {
    expect(refusal(run)).toEqual(told)
  })
})
