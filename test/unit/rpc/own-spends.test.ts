// These tests cover which spends of a key a daemon shows, in blocks and among those that wait.

import { describe, expect, test } from 'vitest'

import { networks } from '../../../src/index.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { dayLookedBack, type RecordedHeights } from '../../../src/rpc/safe-flow/look-back.ts'
import { ownSpends, spendReader } from '../../../src/rpc/safe-flow/own-spends.ts'
import { paidTo } from '../../../src/rpc/safe-flow/paid-to.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { addressOfScript } from '../../../src/script/script.ts'
import { rulesOfNew } from '../../../src/token/rules/network.ts'
import { fungible } from '../../../src/token/rules/rules.ts'
import { keys, readVectors } from '../../support/komodod.ts'
import { a } from '../../support/resigned.ts'

const network = networks.assetChain
const txid = 'ab'.repeat(32)
const [tokenScript] = rulesOfNew(network, 1).placesOf(fungible).scriptsOf([a])
const addresses = {
  coins: addressOfScript(pubkeyHashScript(a), network),
  tokens: addressOfScript(tokenScript!, network),
}

type Call = (method: string, params: readonly never[]) => Promise<unknown>

/** A client whose daemon answers each question of a request by itself, or refuses such requests. */
function clientOf(call: unknown, takesBatches = true): DaemonClient {
  const ask = call as Call
  const batch = async (questions: readonly { method: string; params: never[] }[]) => {
    if (!takesBatches) throw new RpcError('shape', 'no list', { reason: 'wrong_envelope' })
    const settled: unknown[] = []
    for (const { method, params } of questions) {
      const answer = ask(method, params).then(
        (value) => ({ status: 'fulfilled', value }),
        (reason) => ({ status: 'rejected', reason }),
      )
      settled.push(await answer)
    }
    return settled
  }
  return { call, batch } as unknown as DaemonClient
}

interface Spend {
  readonly of: 'coins' | 'tokens'
  /** Where a waiting spend of tokens is listed. komodod lists it `without` the second parameter. */
  readonly listed?: 'without' | 'with' | 'with and without'
  /** The spend waits until so many calls were answered, and is in block 8 then. */
  readonly minedAfter?: number
  readonly rowsMax?: number
  readonly takesBatches?: boolean
}

/** A daemon with one spend of the key, in block 8 or waiting. Rows of other blocks come with it. */
function daemon({ of, listed = 'without', minedAfter = Infinity, ...more }: Spend) {
  const { rowsMax = Infinity, takesBatches } = more
  let calls = 0
  const client = clientOf(
    async (method: string, [asked, second]: [{ addresses: string[]; start: 0; end: 0 }, 1?]) => {
      const isMined = calls >= minedAfter
      calls += 1
      if (method === 'getblockcount') return isMined ? 8 : 7
      if (method === 'getblockchaininfo') return { blocks: 8, headers: 8 }
      const isAsked = asked.addresses.includes(addresses[of]!)
      const row = { txid, satoshis: '-5' }
      if (method === 'getaddressmempool') {
        const isCounted = listed === 'with and without' || (listed === 'with') === (second === 1)
        return isAsked && isCounted && !isMined ? [row] : []
      }
      const { start, end } = asked
      if (end - start >= rowsMax) throw new RpcError('shape', '', { reason: 'reply_too_large' })
      const isOfIndex = (second === 1) === (of === 'tokens')
      return isAsked && isOfIndex && isMined && start <= 8 && end >= 8 ? [row] : []
    },
    takesBatches,
  )
  return { client, calls: () => calls }
}

const listOf = (client: DaemonClient, recorded: RecordedHeights = { first: 3 }) =>
  ownSpends(client, { pubkey: a }, recorded, {})
const spendsOf = async ({ client }: { client: DaemonClient }) => (await listOf(client)).txids

describe('a waiting spend of tokens is found', () => {
  test.each(['without', 'with', 'with and without'] as const)(
    'once, by a daemon that lists it %s the second parameter',
    async (listed) => {
      expect(await spendsOf(daemon({ of: 'tokens', listed }))).toEqual([txid])
    },
  )
})

test.each([
  ['coins', true],
  ['coins', false],
  ['tokens', true],
  ['tokens', false],
] as const)(
  'a spend of %s is found at whatever call its block comes, with batches: %s',
  async (of, takesBatches) => {
    const still = daemon({ of, takesBatches })
    await spendsOf(still)
    for (let minedAfter = 0; minedAfter <= still.calls(); minedAfter += 1) {
      const found = await spendsOf(daemon({ of, minedAfter, takesBatches }))
      expect({ minedAfter, found }).toEqual({ minedAfter, found: [txid] })
    }
  },
)

describe('a key with more changes than a reply may have', () => {
  test('is asked about in parts', async () => {
    expect(await spendsOf(daemon({ of: 'tokens', minedAfter: 0, rowsMax: 1 }))).toEqual([txid])
  })

  test('fails if one block has too many, because the rest would look like no spend', async () => {
    const refused = spendsOf(daemon({ of: 'coins', minedAfter: 0, rowsMax: 0 }))
    await expect(refused).rejects.toMatchObject({ reason: 'reply_too_large' })
  })

  test.each([
    [1025, 'found'],
    [1026, 'reply_too_large'],
  ])('is asked about in 1,025 parts at most: %i blocks of many rows: %s', async (blocks, end) => {
    const client = {
      async call(_: string, [asked]: [{ addresses: string[]; start: number; end: number }]) {
        if (!asked.addresses.includes(addresses.coins!)) return []
        if (asked.end === asked.start) return [{ txid, satoshis: '-5', height: asked.start }]
        throw new RpcError('shape', 'reply_too_large', { reason: 'reply_too_large' })
      },
    } as unknown as DaemonClient
    const mined = spendReader(client, { pubkey: a, network }, {}).mined(1, blocks)
    const found = mined.then(({ spends, isWhole }) => {
      return isWhole && spends.length === blocks ? 'found' : 'lost'
    })
    expect(await found.catch((error: RpcError) => error.reason)).toBe(end)
  })

  test.each([
    [2 ** 40, 'reply_too_large'],
    [Number.MAX_SAFE_INTEGER, 'reply_too_large'],
    [1e308, 'the answer is not a height'],
    [Infinity, 'the answer is not a height'],
    ['no number', 'the answer is not a height'],
    [null, 'the answer is not a height'],
  ])(
    'is not asked about for ever by a daemon that says it is at block %j: %s',
    async (height, reason) => {
      let calls = 0
      const client = clientOf(async (method: string, [asked]: [{ start: 0; end: 0 }]) => {
        calls += 1
        // Ends the test where nothing else does.
        if (calls > 10_000) throw new Error('asked for ever')
        if (method === 'getaddressmempool') return []
        if (method === 'getblockcount') return height
        if (asked.end - asked.start <= 1) return []
        throw new RpcError('shape', 'reply_too_large', { reason: 'reply_too_large' })
      })
      const refused = spendsOf({ client })
      await expect(refused).rejects.toThrow(reason)
    },
  )
})

describe('answers of a daemon about a key', () => {
  const { tokel } = networks

  /** A daemon that answers by method, and the calls that it got. */
  function answering(
    answerOf: (method: string, params: readonly unknown[]) => unknown,
    { tip = 9, takesBatches = true } = {},
  ) {
    const calls: [string, ...unknown[]][] = []
    const call = async (method: string, params: readonly unknown[]) => {
      calls.push([method, ...params])
      return method === 'getblockcount' ? tip : answerOf(method, params)
    }
    return { client: clientOf(call, takesBatches), calls }
  }
  const none = () => []

  test.each([
    ['any height, in one request', true, 0x7fffffff],
    ['the last block, in several requests', false, 1000],
  ])('is asked about coins and tokens, above a height and up to %s', async (_, isOne, end) => {
    const { client, calls } = answering(none, { tip: 1000, takesBatches: isOne })
    await listOf(client)
    const coins = { addresses: [addresses.coins] }
    const tokens = { addresses: [addresses.tokens] }
    const blocks = { start: 1, end }
    expect(calls).toEqual([
      ['getblockcount'],
      ['getaddressmempool', coins],
      ['getaddressmempool', tokens],
      ['getaddressmempool', tokens, 1],
      ['getblockcount'],
      ['getaddressdeltas', { ...coins, ...blocks }],
      ['getaddressdeltas', { ...tokens, ...blocks }, 1],
      ['getblockchaininfo'],
    ])
  })

  test('is asked about tokens of both versions on a chain of tokeld', async () => {
    const { client, calls } = answering(none)
    await ownSpends(client, { pubkey: a, network: tokel }, {}, {})
    const asked = calls.flatMap(([method, given]) =>
      method === 'getaddressdeltas' ? (given as { addresses: string[] }).addresses : [],
    )
    const ofTokens = ([2, 1] as const).map((version) => {
      const [script] = rulesOfNew(tokel, version).placesOf(fungible).scriptsOf([a])
      return addressOfScript(script!, tokel)
    })
    expect(asked).toEqual([addressOfScript(pubkeyHashScript(a), tokel), ...ofTokens])
  })

  test('is asked about the coins of further addresses in the same list', async () => {
    const { client, calls } = answering(none)
    const more = [addresses.coins!, 'RSdxyihSZf74DuvBi1oeWS91sRVyguUMf8']
    await ownSpends(client, { pubkey: a, addresses: more }, {}, {})
    const lists = calls.flatMap(([method, asked]) => (method === 'getaddressdeltas' ? [asked] : []))
    expect(lists).toMatchObject([{ addresses: more }, { addresses: [addresses.tokens] }])
  })

  test.each([
    ['a day back, if the journal is empty', undefined, 5000 - dayLookedBack.blocks + 1],
    ['a day back, if the journal is younger', 4990, 5000 - dayLookedBack.blocks + 1],
    ['back to the first payment of the journal, if it is older', 100, 101],
    ['back to the first block, if that payment is far above the tip', 2_000_000_000, 1],
  ])('is asked about blocks %s', async (_, first, start) => {
    const { client, calls } = answering(none, { tip: 5000 })
    await listOf(client, { first })
    expect(calls.at(-2)?.[1]).toMatchObject({ start })
  })

  test('is asked about the next block at least, if it has none', async () => {
    const { client, calls } = answering(none, { tip: 0, takesBatches: false })
    await listOf(client, {})
    expect(calls.at(-2)?.[1]).toMatchObject({ start: 1, end: 1 })
  })

  test.each([
    ['are no spends', 8, []],
    ['are spends, if that height is far above the tip', 110, ['old']],
  ])('up to the height to which the journal dropped payments %s', async (_, dropped, old) => {
    const row = (id: string, height?: number) => ({ txid: id, satoshis: '-5', height })
    const rows = [row('old', 8), row('new', 9), row('unknown')]
    const { client } = answering((method) => (method === 'getaddressdeltas' ? rows : []))
    const { txids } = await listOf(client, { dropped })
    expect(txids).toEqual([...old, 'new', 'unknown'])
  })

  test('is a spend where coins leave the address, once for each transaction', async () => {
    const rows = [
      { txid: txid.toUpperCase(), satoshis: '-5' },
      { txid, satoshis: -7 },
      { txid: 'cd'.repeat(32), satoshis: '5' },
      { txid: 7, satoshis: '-5' },
      { satoshis: '-5' },
      { txid },
      null,
      'text',
    ]
    const { client } = answering((method) => (method === 'getaddressdeltas' ? rows : 'no list'))
    expect(await listOf(client)).toEqual({ txids: [txid], isWhole: true })
  })

  test.each([
    ['a daemon that refuses', new RpcError('daemon', 'no index', { code: -32601, codeName: '' })],
    ['an answer of another form', new RpcError('shape', 'odd', { reason: 'wrong_envelope' })],
  ])('is no whole list after %s', async (_, error) => {
    const { client } = answering(() => Promise.reject(error))
    expect(await listOf(client)).toEqual({ txids: [], isWhole: false })
  })

  test('is no whole list without a height, which the daemon refused', async () => {
    const refused = new RpcError('daemon', 'not allowed', { code: -32601, codeName: '' })
    const client = clientOf(() => Promise.reject(refused))
    expect(await listOf(client)).toEqual({ txids: [], isWhole: false })
  })

  test.each([
    ['getblockcount', true],
    ['getaddressmempool', false],
    ['getaddressdeltas', false],
  ])(
    'fails if the daemon still starts at %s, because it refuses nothing',
    async (at, takesBatches) => {
      const warming = new RpcError('daemon', 'Loading', { code: -28, codeName: '' })
      const client = clientOf(async (method: string) => {
        if (method === at) throw warming
        return method === 'getblockcount' ? 9 : []
      }, takesBatches)
      await expect(listOf(client)).rejects.toBe(warming)
    },
  )

  test.each(['coins', 'tokens'] as const)('reports that the list of %s was refused', async (of) => {
    const refused = new RpcError('daemon', 'safe mode', { code: -2, codeName: '' })
    const { client } = answering((method, [asked]) => {
      const { addresses: [address] = [] } = asked as { addresses: string[] }
      if (method === 'getaddressdeltas' && address === addresses[of]) throw refused
      return [{ txid, satoshis: '-5', height: 8 }]
    })
    const reader = spendReader(client, { pubkey: a }, {})
    expect(await reader.mined(1, 9)).toEqual({ spends: [{ txid, height: 8 }], isWhole: false })
  })

  test.each([undefined, -1, 1.5, 'x', null, '', [[]]])(
    'is a spend without a height where the row has %s, so that it counts in any block',
    async (height) => {
      const { client } = answering((_, [asked]) => {
        const { addresses: [address] = [] } = asked as { addresses: string[] }
        return address === addresses.coins ? [{ txid, satoshis: '-5', height }] : []
      })
      const { spends } = await spendReader(client, { pubkey: a }, {}).mined(1, 9)
      expect(spends).toEqual([{ txid }])
    },
  )

  test('fails with the connection, because nothing would look like no spend', async () => {
    const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })
    const { client } = answering(() => Promise.reject(lost))
    await expect(listOf(client)).rejects.toBe(lost)
  })

  test('fails if the connection is lost at the last question', async () => {
    const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })
    const client = clientOf(async (method: string) => {
      if (method === 'getblockchaininfo') throw lost
      return method === 'getblockcount' ? 7 : []
    }, false)
    await expect(listOf(client)).rejects.toBe(lost)
  })

  test('fails if too many transactions wait, because they cannot be asked about in parts', async () => {
    const tooLarge = new RpcError('shape', '', { reason: 'reply_too_large' })
    const { client } = answering(() => Promise.reject(tooLarge))
    await expect(listOf(client)).rejects.toBe(tooLarge)
  })
})

test('the spend in a list of komodod is found, by the address that it was recorded for', async () => {
  const { exchanges } = readVectors<{ exchanges: { request: string; response: string }[] }>(
    'rpc/komodod.json',
  )
  const recorded = exchanges.find(({ request }) => request.includes('"getaddressdeltas"'))!
  const { params } = JSON.parse(recorded.request)
  const client = clientOf(async (method: string, [asked, second]: [object, 1?]) => {
    if (method === 'getblockcount') return 13
    const isRecorded = method === 'getaddressdeltas' && second === params[1]
    if (!isRecorded) return []
    expect(asked).toMatchObject(params[0])
    return JSON.parse(recorded.response).result
  })
  const { txids, isWhole } = await ownSpends(client, { pubkey: keys.A.pubkey }, {}, {})
  const transfer = '6fafa939e3f28db273771b5726873af4e3deecefe10ef71cc2d498ca6a7b8195'
  expect({ txids, isWhole }).toEqual({ txids: [transfer], isWhole: true })
})

test('a payee is asked about by its address, and only its exact amount counts', async () => {
  const asked: unknown[] = []
  const row = (satoshis: string, at: number) => ({ txid: `${at}`.repeat(64), satoshis, height: 8 })
  const client = clientOf(async (method: string, params: unknown[]) => {
    asked.push([method, ...params])
    if (method === 'getblockcount') return 8
    if (method === 'getblockchaininfo') return { blocks: 8, headers: 8 }
    if (method === 'getaddressmempool') return [row('5', 1), row('-5', 2), row('6', 3)]
    return method === 'getaddressdeltas' ? [row('5', 4), row('-5', 5), row('50', 6)] : undefined
  })
  const address = addresses.coins!
  const paid = await paidTo(client, { address, amount: 5n }, { first: 3 }, {})
  expect(paid).toEqual(['1', '4'].map((digit) => digit.repeat(64)))
  expect(asked).toContainEqual(['getaddressmempool', { addresses: [address] }])
  const start = { addresses: [address], start: 1, end: 0x7fffffff }
  expect(asked).toContainEqual(['getaddressdeltas', start])
})

describe('the questions for one request', () => {
  const above3 = () => spendReader({} as DaemonClient, { pubkey: a }, {}).questions(3)
  const read = (answers: readonly unknown[]) => above3().read(answers)
  const row = (id: string, height?: number) => ({ txid: id, satoshis: '-5', height })

  test('ask for waiting spends first, then for the height, then for blocks up to any height', () => {
    const { questions } = above3()
    expect(questions.map(({ method }) => method)).toEqual([
      ...Array(3).fill('getaddressmempool'),
      'getblockcount',
      ...Array(2).fill('getaddressdeltas'),
      'getblockchaininfo',
    ])
    expect(questions.slice(4, 6).map(({ params: [asked] }) => asked)).toMatchObject([
      { addresses: [addresses.coins], start: 4, end: 0x7fffffff },
      { addresses: [addresses.tokens], start: 4, end: 0x7fffffff },
    ])
  })

  test('have the answers that are asked for one after the other', () => {
    const answers = [
      [row('a')],
      [],
      [row('b')],
      9,
      [row('c', 5)],
      [row('d', 6)],
      { blocks: 9, headers: 12 },
    ]
    expect(read(answers)).toEqual({
      above: 3,
      waiting: ['a', 'b'],
      tip: 9,
      mined: {
        spends: [
          { txid: 'c', height: 5 },
          { txid: 'd', height: 6 },
        ],
        isWhole: true,
      },
      lag: 3,
    })
  })

  test.each([
    undefined,
    null,
    {},
    { blocks: 9 },
    { blocks: 9, headers: 8 },
    { blocks: 'x', headers: 20 },
  ])('count no blocks as missing for %j', (info) =>
    expect(read([[], [], [], 9, [], [], info])?.lag).toBe(0),
  )

  // A daemon that catches up connects blocks between the lists and the last question.
  test('count the blocks that came after the lists as missing', async () => {
    const info = { blocks: 13, headers: 13 }
    expect(read([[], [], [], 9, [], [], info])?.lag).toBe(4)
    const answers = { getblockcount: 9, getblockchaininfo: info }
    const client = clientOf(async (method: keyof typeof answers) => answers[method] ?? [], false)
    const listed = [
      ownSpends(client, { pubkey: a }, { first: 9 }, {}),
      paidTo(client, { address: addresses.coins!, amount: 5n }, { first: 9 }, {}),
    ]
    for (const list of listed)
      await expect(list).rejects.toMatchObject({ path: 'headers', received: '4' })
  })

  test.each([undefined, null, 'x', -1, '', [[]]])('have no answer with a height of %j', (tip) => {
    expect(read([[], [], [], tip, [], []])).toBeUndefined()
  })

  test.each([4, 5])('tell that the daemon refused list %s', (at) => {
    const answers: unknown[] = [[], [], [], 9, [], []]
    answers[at] = undefined
    expect(read(answers)?.mined.isWhole).toBe(false)
  })
})
