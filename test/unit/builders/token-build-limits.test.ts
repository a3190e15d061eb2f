// Where the limits of what is built lie, to the satoshi, the byte and the block, and what is said
// of the first thing beyond them.

import { Point } from '@noble/secp256k1'
import { describe, expect, test } from 'vitest'
import { inputBytesMax } from '../../../src/builders/assemble.ts'
import type { SpentCoin } from '../../../src/builders/unsigned.ts'
import {
  buildTokenCreate,
  buildTokenTransfer,
  type CreateIntent,
  decodeTransaction,
  defineNetwork,
  encodeTokenPayload,
  encodeTransaction,
  networks,
  planTokenTransfer,
  signTransaction,
  tokenScript,
  transactionId,
} from '../../../src/index.ts'
import type { ExtraKind } from '../../../src/token/payload/payload.ts'
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
} from '../../support/bobs-tokens.ts'
import { keys } from '../../support/komodod.ts'
import { p2pkh } from '../../support/payments.ts'
import { madeByTokeld, rebuilt, tokelKeys } from '../../support/tokeld-made.ts'

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
  ])('derives from %o the height %i', (changes, height) => {
    expect(heightOf(transfer(changes).hex)).toBe(height)
  })

  test.each<[changes: object, expected: string, actual: number]>([
    [{ expiryHeight: 39 }, 'over 39, at most 439', 39],
    [{ expiryHeight: 440 }, 'over 39, at most 439', 440],
    [{ tipHeight: 0, expiryHeight: 401 }, 'over 0, at most 400', 401],
    [{ tipHeight: undefined, expiryHeight: 500_000_000 }, 'over 0, at most 499999999', 500_000_000],
    [{ tipHeight: 499_999_799 }, 'over 499999799, at most 499999999', 500_000_000],
  ])('refuses %o', (changes, expected, actual) => {
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
  /** Returns the change of a coin worth `over` more than the spent amount and the fee. */
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
  ])("follows komodod's rule for %i satoshis and %o: %s", (over, changes, change) => {
    expect(changeOf(over, { ...changes, nativeChange: 'daemon' })).toBe(change)
  })

  test.each<[over: bigint, change: bigint | undefined]>([
    [56n, undefined],
    [57n, 57n],
  ])("follows tokeld's rule for %i satoshis: %s", (over, change) => {
    const changes = { fee: 10_000n, nativeChange: 'daemon', network: networks.tokel }
    expect(changeOf(over, changes)).toBe(change)
  })
})

describe('the bytes of signed inputs, which decide about fees', () => {
  const { A, B, C } = keys
  const owners = [A, B, C].map(({ pubkey }) => pubkey)
  /** Returns the bytes that a scriptSig adds to an input without one, with its longer length. */
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

describe('an error names the expected value', () => {
  const { hex: created } = atBlock.find(({ txid }) => txid === tokenid)!
  const another = atBlock.find(({ hex }) => hex !== created)!
  const third = Point.BASE.multiply(3n).toHex()
  const [first = ''] = request.previousTransactions
  test.each<[string, () => unknown, Record<string, unknown>]>([
    [
      'a previous transaction that is not hex',
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
      'the creation of another token',
      () => transfer({ tokenCreate: creation({}).hex }),
      {
        code: 'token_create_missing',
        path: 'tokenCreate',
        expected: tokenid,
        actual: `create ${transactionId(creation({}).hex)}`,
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
        expected: `21${bob}ac or ${p2pkh(bob)}`,
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
  ])('%s', (_, run, reported) => {
    expect(refusal(run)).toEqual(reported)
  })
})

describe('a creation', () => {
  const roomy = defineNetwork({ nulldataBytesMax: 100_000 })
  const rich = { ...worth(10_000_000_000n), network: roomy, fee: 20_000n }

  test('has texts and data of as many bytes as komodod takes', () => {
    // komodo src/wallet/rpcwallet.cpp, tokencreate
    const name = 'é'.repeat(16)
    expect(creation({ name }).intent.name).toBe(name)
    const description = 'd'.repeat(4096)
    expect(creation({ ...rich, description }).intent.description).toBe(description)
    const data = `f1${'00'.repeat(10_000)}`
    expect(creation({ ...rich, supply: 1n, data }).intent.data).toBe(data)
    expect(creation({ supply: 1n, data: 'f1' }).intent.data).toBe('f1')
  })

  test('has a supply of all that coins may be worth, and of one unit at least', () => {
    expect(creation({ supply: '1' }).intent.supply).toBe(1n)
    expect(creation({ supply: undefined, supplyCoins: '0.00000001' }).intent.supply).toBe(1n)
    expect(refusal(() => creation({ supply: undefined, supplyCoins: '0' }))).toMatchObject({
      code: 'amount_out_of_range',
      path: 'supplyCoins',
    })
    // 2^63 - 1 is an amount, which nobody has
    expect(refusal(() => creation({ supply: 2n ** 63n - 1n })).code).toBe('insufficient_coins')
    expect(refusal(() => creation({ supply: 2n ** 63n })).code).toBe('amount_out_of_range')
  })

  test('takes coins that come to no more than it needs', () => {
    const exact = creation({ ...worth(100_020_000n), spend: 'selected' })
    expect([exact.fee, decodeTransaction(exact.hex).outputs.length]).toEqual([10_000n, 3])
    const given = creation({ ...worth(60_000_000n, 60_000_000n, 60_000_000n), spend: 'needed' })
    expect(given.coins.map(({ vout }) => vout)).toEqual([0, 1])
    const all = creation({ ...worth(60_000_000n, 60_000_000n, 60_000_000n), spend: 'all' })
    expect(all.coins).toHaveLength(3)
  })

  test('spends no coins that are worth nothing', () => {
    const { coins: spent } = creation(worth(0n, 200_000_000n))
    expect(spent.map(({ vout }) => vout)).toEqual([1])
  })

  test('has no more inputs than a transaction', () => {
    const little = Array.from({ length: 1100 }, () => 1000n)
    const many = { ...worth(...little), supply: 1_004_000n, fee: 20_000n }
    // 1034 coins for supply, marker and fee
    expect(refusal(() => creation(many))).toEqual({
      code: 'input_count',
      expected: 1024,
      actual: 1034,
    })
    expect(creation({ ...many, supply: 994_000n }).coins).toHaveLength(1024)
  })

  test('says of itself what was asked', () => {
    const { intent, ...built } = creation({})
    expect(Object.keys(intent)).not.toEqual(expect.arrayContaining(['version']))
    expect(Object.keys(intent)).not.toEqual(expect.arrayContaining(['data']))
    expect(built.tipHeight).toBe(39)
    const { tipHeight: _, ...untold } = create
    const later = buildTokenCreate({ ...untold, expiryHeight: 0 })
    expect(Object.keys(later)).not.toContain('tipHeight')
    const upper = request.previousTransactions.map((it) => it.toUpperCase())
    expect(creation({ previousTransactions: upper }).previousTransactions).toEqual(
      request.previousTransactions,
    )
    const made = madeByTokeld.find(({ method }) => method === 'tokencreate')!
    expect(rebuilt(made).intent).toMatchObject({ version: 1 })
    const v2 = madeByTokeld.find(({ method }) => method === 'tokenv2create')!
    const named = rebuilt(v2, { version: 2 })
    expect([named.hex, named.intent]).toEqual([
      rebuilt(v2).hex,
      { ...rebuilt(v2).intent, version: 2 },
    ])
    expect((intent as CreateIntent).spendable).toEqual(
      built.coins.map(({ txid, vout }) => ({ txid, vout })),
    )
  })

  test('a creation on chains of tokeld checks what claims to be properties, and nothing else', () => {
    const made = madeByTokeld.find(({ note }) => note === 'v2 fungible 1000')!
    expect(rebuilt(made, { data: '00ff' }).intent).toMatchObject({ data: '00ff' })
    expect(refusal(() => rebuilt(made, { data: 'f70105' })).code).toBe('unknown_property')
  })
})

describe('a transfer', () => {
  test('follows the data of a token that has other extras', () => {
    const claimed = {
      layout: 'komodo-v1',
      kind: 'create',
      owner: bob,
      name: 'N',
      description: '',
    } as const
    const sends = (...extras: readonly [id: number, kind: ExtraKind, data: string][]) => {
      const nulldata = encodeTokenPayload({
        ...claimed,
        extras: extras.map(([id, kind, data]) => ({ id, kind, data })),
      })
      const data = extras.find(([, kind]) => kind === 'nonFungible')?.[2] ?? ''
      const code = Number.parseInt(data.slice(0, 2), 16)
      const evalCodes = data === '' || code === 0xf2 ? [0xf2] : [code, 0xf2]
      const hex = encodeTransaction({
        version: 4,
        overwintered: true,
        versionGroupId: 0x892f2085,
        inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
        outputs: [
          { value: 1n, script: tokenScript(bob, { evalCodes }) },
          { value: 0n, script: nulldata },
        ],
        lockTime: 0,
      })
      const txid = transactionId(hex)
      return transfer({
        tokenid: txid,
        tokenCoins: [{ txid, vout: 0 }],
        recipients: [{ pubkey: alice, amount: 1n }],
        previousTransactions: [...request.previousTransactions, hex],
      })
    }
    // data are marked 0x11; 0x12 is for orders
    expect(sends([0x12, 'assets', 'ee00'], [0x11, 'nonFungible', 'f100']).coins).toHaveLength(2)
    expect(sends([0x12, 'assets', 'ee00']).coins).toHaveLength(2)
    expect(
      refusal(() => sends([0x12, 'assets', 'f100'], [0x11, 'nonFungible', 'ee00'])),
    ).toMatchObject({ code: 'untransferable_data', path: 'tokenCreate', actual: 'ee' })
    // komodo src/cc/CCtokens.cpp, IsTokensvout: the module's own code stands for no other module
    expect(sends([0x11, 'nonFungible', 'f200']).coins).toHaveLength(2)
    expect(refusal(() => sends([0x11, 'nonFungible', 'eef2'])).code).toBe('untransferable_data')
  })

  test('takes the first coins that come to the amount, where that is wished', () => {
    const values = [4n, 3n, 3n]
    const of = tokensOf(values)
    const spent = (amount: bigint) =>
      transfer({ ...of, recipients: [{ pubkey: alice, amount }], spend: 'needed' })
        .coins.filter(({ role }) => role === 'token')
        .map(({ vout }) => vout)
    expect([spent(4n), spent(5n), spent(7n), spent(8n)]).toEqual([[0], [0, 1], [0, 1], [0, 1, 2]])
  })

  test('takes coins that come to no more than it needs', () => {
    for (const spend of ['selected', 'needed', 'all', undefined] as const) {
      const all = { recipients: [{ pubkey: alice, amount: 220n }], ...worth(10_000n), spend }
      const { hex, fee } = transfer(all)
      expect([fee, decodeTransaction(hex).outputs.length]).toEqual([10_000n, 2])
    }
  })

  test('selects where there are token coins, or native ones, to spare', () => {
    const recipients = [{ pubkey: alice, amount: 3n }]
    const spent = (changes: object) =>
      transfer({ recipients, ...changes }).coins.map(({ role, vout }) => `${role} ${vout}`)
    const of = tokensOf([4n, 3n])
    const native = worth(20_000n, 10_000n)
    const both = {
      coins: native.coins,
      tokenCoins: of.tokenCoins,
      previousTransactions: [...of.previousTransactions, ...native.previousTransactions],
    }
    // coins that match exactly cost least
    expect(spent({ ...both, coins: native.coins.slice(0, 1) })).toEqual(['native 0', 'token 1'])
    const one = { ...both, tokenCoins: of.tokenCoins.slice(0, 1) }
    expect(spent(one)).toEqual(['native 1', 'token 0'])
    // with no coin to spare all are spent in the given order, although one of each would do
    const tight = tokensOf([4n, 5n])
    const coinsOfBob = worth(9_000n, 10_000n)
    const none = {
      coins: coinsOfBob.coins,
      tokenCoins: tight.tokenCoins,
      previousTransactions: [...tight.previousTransactions, ...coinsOfBob.previousTransactions],
      recipients: [{ pubkey: alice, amount: 5n }],
    }
    expect(spent(none)).toHaveLength(4)
    expect(spent({ ...none, spend: 'selected' })).toEqual(['native 1', 'token 1'])
  })

  test('fails without token coins, with the code insufficient_tokens', () => {
    const none = { tokenCoins: [] }
    const missing = {
      code: 'insufficient_tokens',
      path: 'tokenCoins',
      expected: 12n,
      actual: 0n,
    }
    expect(refusal(() => transfer(none))).toEqual(missing)
    expect(refusal(() => transfer({ ...none, spend: 'selected' }))).toEqual(missing)
    expect(refusal(() => planTokenTransfer({ ...request, ...none }))).toEqual(missing)
    const poor = { ...request, ...worth(9_999n) }
    expect(refusal(() => planTokenTransfer(poor))).toEqual({
      code: 'insufficient_coins',
      path: 'coins',
      expected: 10_000n,
      actual: 9_999n,
    })
  })

  test('is planned for one token', () => {
    const made = madeByTokeld.find(({ method }) => method === 'tokenv2transfermany')!
    const reported = () => planTokenTransfer({ ...request, tokenids: [String(made.params[0])] })
    expect(reported).toThrow('tokenids: expected one token to plan for')
  })

  /** Token coins of a transaction that is made for them; what it spends is not given. */
  function tokensOf(values: readonly bigint[]) {
    // a token input of Alice's
    const scriptSig = `4c79a276a072a26ba067a5658021${alice}8140${'00'.repeat(64)}a100af038001f2a10001`
    const hex = encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs: [{ txid: '33'.repeat(32), vout: 0, scriptSig, sequence: 0xffffffff }],
      outputs: [
        ...values.map((value) => ({ value, script: tokenScript(bob) })),
        {
          value: 0n,
          script: encodeTokenPayload({
            layout: 'komodo-v1',
            kind: 'transfer',
            tokenid,
            pubkeys: [bob],
          }),
        },
      ],
      lockTime: 0,
    })
    return {
      tokenCoins: values.map((_, vout) => ({ txid: transactionId(hex), vout })),
      previousTransactions: [...request.previousTransactions, hex],
    }
  }

  // Each input has two units. Spending all but one unit takes one more output.
  test.each([0n, 1n])('needs a plan where its fee does not pay its bytes, with %i left', (left) => {
    let planned = 0
    for (let count = 40; count < 50; count += 1) {
      const asked = {
        ...request,
        ...tokensOf(Array.from({ length: count }, () => 2n)),
        recipients: [{ pubkey: alice, amount: 2n * BigInt(count) - left }],
        spend: 'all',
        coins: [coins[0]!],
      } as const
      const least = refusal(() => buildTokenTransfer({ ...asked, fee: 1n })).expected as bigint
      expect(buildTokenTransfer({ ...asked, fee: least }).fee).toBe(least)
      expect(planTokenTransfer({ ...asked, fee: least - 1n })).toBeDefined()
      expect(planTokenTransfer({ ...asked, fee: least + 1n })).toBeUndefined()
      if (planTokenTransfer({ ...asked, fee: least }) !== undefined) planned += 1
    }
    // An input takes 169 bytes, so ten counts have each last digit once. Counts of inputs and
    // outputs might take four bytes more, with which four of the ten do not fit.
    expect(planned).toBe(4)
  })

  test('says that native coins are too many, not token coins', () => {
    // A thousand coins of ten pay for one transfer, but not with a fee that pays for their bytes.
    const paid = worth(...Array.from({ length: 1000 }, () => 10n))
    expect(refusal(() => planTokenTransfer({ ...request, ...paid }))).toEqual({
      code: 'selection_over_limits',
      path: 'coins',
      expected: 'a fee of 10000 from fewer coins',
      actual: '1000 coins',
    })
  })

  test('has no plan that the coins cannot pay', () => {
    const many = tokensOf(Array.from({ length: 61 }, () => 2n))
    const planned = (sats: bigint) => {
      const paid = worth(sats)
      return planTokenTransfer({
        ...request,
        ...paid,
        tokenCoins: many.tokenCoins,
        previousTransactions: [...many.previousTransactions, ...paid.previousTransactions],
        recipients: [{ pubkey: alice, amount: 122n }],
        fee: 20_000n,
      })
    }
    expect(planned(40_000n)).toMatchObject({ fee: 20_000n })
    expect(refusal(() => planned(39_999n))).toMatchObject({ code: 'selection_over_limits' })
  })
})
