// These tests cover what a daemon claims about its chain, and which claims end an attempt.

import { describe, expect, test } from 'vitest'
import { encodeTransaction, transactionId } from '../../../src/index.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { daemonView } from '../../../src/rpc/safe-flow/chain-view.ts'
import { transfer } from '../../support/resigned.ts'

const coin = { txid: 'ab'.repeat(32), vout: 1 }
const own = madeOf({ expiryHeight: 200 })
const outpoints = new Set([`${coin.txid}:${coin.vout}`])
const attempt = { ...own, outpoints }

function madeOf(change: object, ...spends: (typeof coin)[]) {
  const coins = spends.length === 0 ? [coin] : spends
  const hex = encodeTransaction({
    ...transfer,
    ...change,
    inputs: coins.map((it) => ({ ...it, scriptSig: '', sequence: 0 })),
  })
  return { hex, txid: transactionId(hex) }
}

interface Claims {
  readonly tip?: unknown
  readonly spent?: unknown
  readonly transaction?: unknown
  readonly first?: unknown
  /** The result of `gettxout` for an output. */
  readonly output?: unknown
  /** The result of `getrawtransaction` without the verbose flag. */
  readonly hex?: string
}

function view({ tip = 250, spent, transaction, first, output, hex }: Claims) {
  const answers: Record<string, unknown> = {
    getblockcount: tip,
    getspentinfo: spent,
    getrawtransaction: transaction,
    getblockhash: first,
    gettxout: output,
  }
  const client = {
    async call(method: string) {
      if (answers[method] !== undefined) return answers[method]
      throw new RpcError('daemon', 'no', { code: -5, codeName: '' })
    },
  }
  const lookUp = async () => hex ?? { reason: 'unknown' as const }
  return daemonView(client as unknown as DaemonClient, {}, lookUp)
}

describe('an attempt is dead', () => {
  test.each([
    [199, false],
    [200, false],
    [299, false],
    [300, true],
    [2 ** 31, true],
  ])('100 blocks behind its expiry height of 200: at %i that is %s', async (tip, expected) => {
    expect(await view({ tip, output: {} }).isDead(attempt)).toBe(expected)
  })

  test.each([
    ['shows its coin as spent', null],
    ['refuses to show its coin', undefined],
    ['answers with no output', 'unspent'],
  ])('does not die by its expiry height if the daemon %s', async (_, output) => {
    // A daemon without indexes does not find a mined transaction whose outputs are all spent.
    expect(await view({ tip: 1_000_000, output }).isDead(attempt)).toBe(false)
  })

  test('dies by its expiry height if any of its coins is unspent in a block', async () => {
    const other = { ...coin, vout: 3 }
    const both = madeOf({ expiryHeight: 200 }, other, coin)
    const asked: unknown[] = []
    const client = {
      async call(method: string, params: readonly unknown[]) {
        if (method === 'getblockcount') return 300
        asked.push([method, ...params])
        return params[1] === coin.vout ? {} : null
      },
    } as unknown as DaemonClient
    const chain = daemonView(client, {}, async () => ({ reason: 'unknown' }))
    const coins = new Set([other, coin].map(({ txid, vout }) => `${txid}:${vout}`))
    expect(await chain.isDead({ ...both, outpoints: coins })).toBe(true)
    expect(asked).toEqual([
      ['gettxout', coin.txid, 3, false],
      ['gettxout', coin.txid, 1, false],
    ])
  })

  test('does not die by its expiry height if the daemon rolls back before it shows the coin', async () => {
    const asked: string[] = []
    const tips = [300, 299]
    const client = {
      async call(method: string) {
        asked.push(method)
        if (method === 'getblockcount') return tips.shift()
        return method === 'gettxout' ? {} : null
      },
    } as unknown as DaemonClient
    const chain = daemonView(client, {}, async () => ({ reason: 'unknown' }))
    expect(await chain.isDead(attempt)).toBe(false)
    expect(asked.slice(0, 3)).toEqual(['getblockcount', 'gettxout', 'getblockcount'])
  })

  test('does not die by an expiry height if it has none', async () => {
    const endless = { ...madeOf({ expiryHeight: 0 }), outpoints }
    expect(await view({ tip: 1_000_000, output: {} }).isDead(endless)).toBe(false)
  })

  const spender = madeOf({ lockTime: 7, expiryHeight: 0 })
  const spent = (height: unknown, txid = spender.txid) => ({ txid, index: 0, height })
  const cases: readonly (readonly [string, Claims, boolean])[] = [
    [
      'a transaction 100 blocks deep spends its coin',
      { spent: spent(150), hex: spender.hex },
      true,
    ],
    ['another spends it in the first block', { spent: spent(1), hex: spender.hex }, true],
    [
      'another spends it beside other coins',
      (() => {
        const more = madeOf({ expiryHeight: 0 }, { ...coin, vout: 0 }, coin)
        return { spent: spent(150, more.txid), hex: more.hex }
      })(),
      true,
    ],
    ['the spender is 99 blocks deep', { spent: spent(151), hex: spender.hex }, false],
    ['the spender is in no block', { spent: spent(-1), hex: spender.hex }, false],
    ['the spender is in block 0', { spent: spent(0), hex: spender.hex }, false],
    ['the height is not a number', { spent: spent('1.5'), hex: spender.hex }, false],
    ['the bytes of the spender are not shown', { spent: spent(150) }, false],
    ['the bytes are those of another', { spent: spent(150), hex: own.hex }, false],
    [
      'the spender spends something else',
      (() => {
        const other = madeOf({ lockTime: 8 }, { ...coin, vout: 0 })
        return { spent: spent(150, other.txid), hex: other.hex }
      })(),
      false,
    ],
    ['it is itself the spender', { spent: spent(150, own.txid), hex: own.hex }, false],
    ['the daemon has no spent index', { hex: spender.hex }, false],
    ['the daemon tells no height', { tip: 'many', spent: spent(1), hex: spender.hex }, false],
  ]
  test.each(cases)('stays alive where %s', async (_, claims, expected) => {
    // Its expiry height of 200 is 50 blocks ago: not long enough to count.
    expect(await view(claims).isDead(attempt)).toBe(expected)
  })
})

test('an attempt whose bytes cannot be read is not dead', async () => {
  expect(await view({ tip: 1_000_000, output: {} }).isDead({ ...attempt, hex: '00' })).toBe(false)
})

test('a daemon is asked for exactly what is needed', async () => {
  const asked: unknown[] = []
  const client = {
    async call(method: string, params: unknown) {
      asked.push([method, params])
      return method === 'getblockcount' ? 250 : { height: 150 }
    },
  } as unknown as DaemonClient
  const lookedUp: string[] = []
  const chain = daemonView(client, {}, async (txid) => {
    lookedUp.push(txid)
    return own.hex
  })
  await chain.spender(`${coin.txid}:1`)
  await chain.chain()
  await chain.place(own.txid)
  expect(await chain.isDead(attempt)).toBe(false)
  const spent = ['getspentinfo', [{ txid: coin.txid, index: 1 }]]
  expect(asked).toEqual([
    spent,
    ['getblockhash', [1]],
    ['getrawtransaction', [own.txid, 1]],
    ['getblockcount', []],
    spent,
  ])
  // The daemon named no spender.
  expect(lookedUp).toEqual([])
})

test.each([-1, 7])(
  'the spender of an output is found, at height %i: it waits at -1',
  async (height) => {
    const spent = { txid: own.txid.toUpperCase(), index: 0, height }
    expect(await view({ spent }).spender('aa:0')).toBe(own.txid)
    expect(await view({}).spender('aa:0')).toBeUndefined()
  },
)

describe('the place of a transaction', () => {
  test.each<[string, Claims, object]>([
    ['is its block', { transaction: { confirmations: 3, height: 40 } }, { height: 40 }],
    ['is its block at the tip', { transaction: { confirmations: 1, height: 42 } }, { height: 42 }],
    ['is none without a height of the tip', { tip: 'many', transaction: { confirmations: 3 } }, {}],
    ['is none where nothing is answered', { transaction: null }, {}],
    ['follows from its depth', { tip: 42, transaction: { confirmations: 3 } }, { height: 40 }],
    [
      'follows from blocks that are not notarised too',
      { tip: 1_000, transaction: { confirmations: 1, rawconfirmations: 300 } },
      { height: 701 },
    ],
    ['is the first block', { tip: 42, transaction: { confirmations: 42 } }, { height: 1 }],
    ['is none before the first block', { tip: 42, transaction: { confirmations: 43 } }, {}],
    ['is none below any chain', { transaction: { confirmations: Number.MAX_SAFE_INTEGER } }, {}],
    ['is none above the tip', { tip: 42, transaction: { confirmations: 1, height: 43 } }, {}],
    ['is none at block 0', { transaction: { confirmations: 1, height: 0 } }, {}],
    [
      'is none where its block left the chain',
      { transaction: { confirmations: 2, height: -1 } },
      {},
    ],
    ['is none without confirmations', { transaction: { height: -1 } }, {}],
    ['is none with 0 confirmations', { transaction: { confirmations: 0, height: 40 } }, {}],
    ['is none where the daemon refuses', {}, {}],
    ['is none in words that are not an object', { transaction: '00' }, {}],
    ['is none with a number that is none', { transaction: { confirmations: 1e300 } }, {}],
  ])('%s', async (_, claims, place) => {
    expect(await view(claims).place(own.txid)).toEqual(place)
  })
})

test('the chain is identified by the hash of its first block', async () => {
  expect(await view({ first: 'AB'.repeat(32) }).chain()).toBe('ab'.repeat(32))
  expect(await view({ first: 'none' }).chain()).toBeUndefined()
  expect(await view({ first: 7 }).chain()).toBeUndefined()
  expect(await view({}).chain()).toBeUndefined()
})

test('a connection that breaks is not an answer', async () => {
  const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })
  const client = { call: () => Promise.reject(lost) } as unknown as DaemonClient
  const broken = daemonView(client, {}, async () => ({ reason: 'unknown' }))
  await expect(broken.tip()).rejects.toBe(lost)
  await expect(broken.place(own.txid)).rejects.toBe(lost)
  await expect(broken.chain()).rejects.toBe(lost)
})
