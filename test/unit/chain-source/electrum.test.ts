// Answers that `electrumChain` keeps, where a script or the server changes while they are read.

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'

import type { ElectrumClient } from '../../../src/electrum/index.ts'
import { electrumChain } from '../../../src/wallet/index.ts'
import { publicBlocks } from '../../support/headers.ts'

const script = '51'
const [paid, spent] = ['aa'.repeat(32), 'bb'.repeat(32)]

/** The history and the coins of a script at one moment. */
interface Moment {
  readonly history: readonly { readonly tx_hash: string; readonly height: number }[]
  readonly coins: readonly object[]
}

const coin = { tx_hash: paid, tx_pos: 0, height: 5, value: 100n }
const unspent: Moment = { history: [{ tx_hash: paid, height: 5 }], coins: [coin] }
/** A transaction that waits for its block has spent the coin. */
const empty: Moment = { history: [...unspent.history, { tx_hash: spent, height: 0 }], coins: [] }

/** spesmilo/electrum-protocol, Protocol Basics, Status */
const statusOf = ({ history }: Moment) =>
  createHash('sha256')
    .update(history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join(''))
    .digest('hex')

/**
 * A server whose script changes right before it answers a method for the n-th time.
 *
 * @param slow - the method that it answers last
 */
function changing(
  slow: string,
  changes: readonly (readonly [method: string, nth: number, to: Moment])[],
) {
  let now = unspent
  const calls = new Map<string, number>()
  const client = {
    server: () => undefined,
    async call(name: string) {
      const method = name.split('.').at(-1)!
      if (method === slow) await setImmediate()
      const nth = (calls.get(method) ?? 0) + 1
      calls.set(method, nth)
      now = changes.find(([of, at]) => of === method && at === nth)?.[2] ?? now
      return { subscribe: statusOf(now), get_history: now.history, listunspent: now.coins }[method]
    },
  }
  return electrumChain(client as unknown as ElectrumClient)
}

const coinsOf = async (chain: ReturnType<typeof changing>) =>
  (await chain.unspent([script])).map(({ txid }) => txid)

test('a coin that is spent between the lists of coins and of the history is not kept', async () => {
  const chain = changing('get_history', [['get_history', 1, empty]])
  expect(await coinsOf(chain)).toEqual([])
  expect(await coinsOf(chain)).toEqual([])
  expect((await chain.history([script])).map(({ txid }) => txid)).toEqual([paid, spent])
})

test('a coin is not hidden by a spend that came and went between the two lists', async () => {
  const chain = changing('listunspent', [
    ['listunspent', 1, empty],
    ['subscribe', 2, unspent],
  ])
  expect(await coinsOf(chain)).toEqual([paid])
  expect(await coinsOf(chain)).toEqual([paid])
})

test('histories of many scripts are read as long as the caller takes their entries together', async () => {
  const many = Array.from({ length: 10 }, (_, at) => ({ tx_hash: `${at}`.repeat(64), height: at }))
  const history = many.slice(1)
  const avoided: unknown[] = []
  const connected = { url: 'ssl://one' }
  const client = {
    server: () => connected,
    avoid: (server: unknown) => avoided.push(server),
    async call(name: string) {
      const method = name.split('.').at(-1)!
      if (method === 'header') return firstOfChain
      return { subscribe: statusOf({ history, coins: [] }), get_history: history, listunspent: [] }[
        method
      ]
    },
  }
  const chain = electrumChain(client as unknown as ElectrumClient)
  const scripts = ['51', '52', '53', '54']
  expect(await chain.history(scripts, { entriesMax: 36 })).toHaveLength(9)
  const failure = { kind: 'shape', reason: 'reply_too_large' }
  await expect(chain.history([...scripts, '55'], { entriesMax: 44 })).rejects.toMatchObject(failure)
  expect(avoided).toEqual([connected])
})

const [firstOfChain, firstOfOther, lastOfChain, lastOfOther] = publicBlocks.map((it) => it.header)

/**
 * A client of several servers, of which those named `wrong` are of another chain. Each call is
 * answered by the server that is then in use. After a lost connection, the next call makes one.
 *
 * @param onCall - is called before an answer, and may change the server in use
 */
function failingOver(
  urls: readonly string[],
  onCall: (method: string, nth: number) => Moment | undefined = () => undefined,
) {
  let [at, now] = [0, unspent]
  let inUse: { readonly url: string } | undefined
  const calls = new Map<string, number>()
  const used: string[] = []
  const next = () => {
    at = (at + 1) % urls.length
    inUse = undefined
  }
  const connected = () => {
    if (inUse === undefined) used.push(urls[at]!)
    inUse ??= { url: urls[at]! }
    return inUse
  }
  const client = {
    servers: urls,
    server: () => inUse,
    avoid(server: object) {
      if (server === inUse) next()
    },
    async call(name: string) {
      const method = name.replace('blockchain.', '')
      connected()
      await setImmediate()
      const nth = (calls.get(method) ?? 0) + 1
      calls.set(method, nth)
      now = onCall(method, nth) ?? now
      const isWrong = connected().url.startsWith('wrong')
      return {
        'block.header': isWrong ? firstOfOther : firstOfChain,
        'headers.subscribe': isWrong
          ? { height: 401, hex: lastOfOther }
          : { height: 107, hex: lastOfChain },
        'scripthash.subscribe': statusOf(now),
        'scripthash.get_history': now.history,
        'scripthash.listunspent': now.coins,
      }[method]
    },
  }
  return { chain: electrumChain(client as unknown as ElectrumClient), next, used, calls }
}

test('a last block does not count if another server than its own shows the chain', async () => {
  const { chain, next, used } = failingOver(['one', 'wrong', 'two'], (method, nth) => {
    // The wrong server is given up while it is asked for block 1, and the next one answers.
    if (method === 'block.header' && nth === 2) next()
    return undefined
  })
  await chain.chain!()
  next()
  expect((await chain.tip()).height).toBe(107)
  expect(used).toEqual(['one', 'wrong', 'two'])
})

test('a last block is given up if every answer comes from another connection', async () => {
  const { chain, next, calls } = failingOver(['one', 'two'], (method) => {
    if (method === 'headers.subscribe' && isCut) next()
    return undefined
  })
  let isCut = false
  await chain.chain!()
  isCut = true
  await expect(chain.tip()).rejects.toMatchObject({ kind: 'transport', reason: 'connection_lost' })
  expect(calls.get('headers.subscribe')).toBe(5)
})

test('a list of coins is given up if every answer comes from another connection', async () => {
  let isCut = false
  const { chain, next, calls } = failingOver(['one', 'two'], (method) => {
    if (method === 'block.header' && isCut) next()
    return undefined
  })
  await chain.chain!()
  isCut = true
  next()
  const lost = { kind: 'transport', reason: 'connection_lost' }
  await expect(chain.unspent([script])).rejects.toMatchObject(lost)
  expect(calls.get('scripthash.subscribe')).toBe(5)
})

test('a last block does not count after another call has left its server', async () => {
  const { chain, next } = failingOver(['one', 'wrong', 'two'])
  await chain.chain!()
  next()
  const { client } = chain
  const { call } = client
  let other: Promise<unknown> | undefined
  client.call = async (method, ...rest) => {
    const answer = await call.call(client, method, ...rest)
    // The wrong server's last block arrives after the other call has found the right server.
    if (method === 'blockchain.headers.subscribe') {
      other ??= chain.unspent([script])
      await other
    }
    return answer as never
  }
  expect((await chain.tip()).height).toBe(107)
})

test('two calls at once pass over one wrong server, and end one connection', async () => {
  const { chain, next, used } = failingOver(['one', 'wrong', 'two'])
  await chain.chain!()
  next()
  const [tip, other, coins] = await Promise.all([chain.tip(), chain.tip(), chain.unspent([script])])
  expect([tip.height, other.height, coins.length]).toEqual([107, 107, 1])
  expect(used).toEqual(['one', 'wrong', 'two'])
})

test('a wrong server does not count as a history that changed while it was read', async () => {
  const { chain, next, used } = failingOver(['one', 'wrong', 'wrong too', 'two'], (method, nth) => {
    if (method === 'scripthash.get_history' && nth <= 3) return nth % 2 === 0 ? unspent : empty
    return undefined
  })
  await chain.chain!()
  next()
  expect(await chain.unspent([script])).toEqual([])
  expect(used).toEqual(['one', 'wrong', 'wrong too', 'two'])
})

test.each([[['one', 'wrong']], [['one', 'wrong', 'wrong too']]])(
  'the chain is read from the right one of %j after a lost connection',
  async (urls) => {
    const { chain, next, used } = failingOver(urls)
    const first = await chain.chain!()
    next()
    expect(await chain.chain!()).toBe(first)
    expect(used).toEqual([...urls, 'one'])
  },
)

test('the chain is given up if wrong servers end each connection with their answer', async () => {
  const urls = ['one', 'wrong']
  const { chain, next, calls } = failingOver(urls, (method) => {
    if (method === 'block.header' && urls[0] !== 'one') queueMicrotask(next)
    return undefined
  })
  await chain.chain!()
  urls[0] = 'wrong too'
  next()
  await expect(chain.chain!()).rejects.toMatchObject({ kind: 'shape' })
  expect(calls.get('block.header')).toBe(1 + 2 * urls.length)
})
