// A wallet on an Electrum server behind somebody who changes what it answers.
// ANTARA_HOSTILE=10000 sets how many answers are changed.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'

import { decodeBlockHeader } from '../../src/electrum/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { isRpcError } from '../../src/rpc/index.ts'
import {
  createWallet,
  type ElectrumChain,
  electrumChain,
  privateKeySigner,
  StaleSource,
} from '../../src/wallet/index.ts'
import { headersOf } from '../support/headers.ts'
import { electrumServer } from './support/electrum-server.ts'

setFlagsFromString('--expose-gc')
/** Frees what nothing uses, so that memory can be compared. */
const gc: () => void = runInNewContext('gc')

const wanted = Number(process.env.ANTARA_HOSTILE ?? 250)
/** Wallets that read at once: most of the time goes by in waiting for answers that do not come. */
const wallets = Math.min(48, Math.ceil(wanted / 60))

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Change = (line: string, next: (below: number) => number) => string

const replaced = (line: string, member: string, text: string) =>
  line.replace(new RegExp(`("${member}":)("[^"]*"|[^,}\\]]+)`), `$1${text}`)

const changes: readonly Change[] = [
  (line, next) => {
    const at = next(line.length)
    return line.slice(0, at) + String.fromCharCode(32 + next(95)) + line.slice(at + 1)
  },
  (line, next) => line.slice(0, next(line.length)),
  (line) => `${line}\n${line}`,
  (line, next) => replaced(line, 'id', `${next(100)}`),
  (line) => replaced(line, 'id', 'null'),
  (line) => replaced(line, 'result', 'null'),
  (line) => replaced(line, 'value', '99999999999999'),
  (line) => replaced(line, 'value', '-1'),
  (line) => replaced(line, 'value', '1e8'),
  (line, next) => replaced(line, 'height', `${next(1000) - 2}`),
  (line) => replaced(line, 'height', '4294967296'),
  (line, next) => replaced(line, 'tx_pos', `${next(9)}`),
  (line, next) => replaced(line, 'tx_hash', `"${`${next(10)}`.repeat(64)}"`),
  (line) => line.replace('"result":', '"error":{"code":-101,"message":"x"},"result":'),
  (line) => line.replace(/"result":.*/, `"result":[${'{},'.repeat(2000)}{}]}`),
  (line) =>
    line.replace(/"result":.*/, '"error":{"code":1,"message":"\u001b[2Jhistory too large"}}'),
  (line) =>
    `{"method":"blockchain.scripthash.subscribe","params":["${'a'.repeat(64)}",null]}\n${line}`,
  (line) => line.replace(/\[(\{.*?\})/, '[$1,$1'),
  () => '',
]

test('loses no time, no memory and no coin to changed answers', async () => {
  await using node = await createDevNode({ mine: 'manual', listen: false, electrum: true })
  const [alice] = node.identities
  for (let at = 0; at < 5; at += 1) node.fund(alice.address, 1_000_000n)
  node.mine(101)
  const next = numbers(11)
  let changed = 0
  /** One answer in so many is changed. */
  let rarity = Number.POSITIVE_INFINITY
  const changedBy = changes.map(() => 0)
  const upstream = Number(new URL(node.electrumUrl.replace('tcp:', 'http:')).port)
  const sockets = new Set<Socket>()
  const server = createServer((down) => {
    sockets.add(down)
    const up = connect(upstream, '127.0.0.1')
    for (const [one, other] of [
      [up, down],
      [down, up],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    down.on('data', (chunk) => up.write(chunk))
    let open = ''
    up.on('data', (chunk) => {
      open += chunk.toString('utf8')
      const lines = open.split('\n')
      open = lines.pop()!
      for (const line of lines) {
        if (next(1_000_000) * rarity >= 1_000_000) {
          down.write(`${line}\n`)
          continue
        }
        const change = next(changes.length)
        changed += 1
        changedBy[change]! += 1
        down.write(`${changes[change]!(line, next)}\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const chains = Array.from({ length: wallets }, () =>
    electrumChain({
      servers: [`tcp://127.0.0.1:${port}`],
      answerTimeoutMs: 300,
      timeoutMs: 3_000,
    }),
  )
  onTestFinished(() => {
    for (const chain of chains) chain.close()
  })
  const open = (chain: ElectrumChain) =>
    createWallet({ signers: [privateKeySigner(alice.wif)], chain })
  const truth = (await (await open(chains[0]!)).balance()).total
  const memory = () => {
    gc()
    return process.memoryUsage().heapUsed
  }
  const before = memory()
  const kinds = new Set<string>()
  let read = 0
  const readOn = async (chain: ElectrumChain): Promise<void> => {
    while (changed < wanted) {
      rarity = [6, 20, 100, 1000][next(4)]!
      try {
        const { total } = await (await open(chain)).balance()
        read += 1
        // A server can leave coins out. It cannot add any, because their bytes are read.
        expect(total).toBeLessThanOrEqual(truth)
      } catch (error) {
        if (isRpcError(error)) {
          kinds.add(error.kind)
          expect(error.message).not.toContain('\u001b')
        } else if (!(error instanceof StaleSource)) throw error
      }
    }
  }
  await Promise.all(chains.map(readOn))
  rarity = Number.POSITIVE_INFINITY
  // Each goes on with a connection of its own, for a coin that was hidden is forgotten with the old.
  for (const socket of sockets) socket.destroy()
  // A busy machine may take longer than they wait for an answer, so they may repeat.
  for (const chain of chains) {
    const balance = async (left: number): Promise<bigint> => {
      try {
        return (await (await open(chain)).balance()).total
      } catch (error) {
        if (left === 0) throw error
        return balance(left - 1)
      }
    }
    expect(await balance(20)).toBe(truth)
  }
  expect(read).toBeGreaterThan(0)
  expect(Math.min(...changedBy)).toBeGreaterThan(0)
  // A last attempt fails with `transport` where the refusal of another read ends its connection.
  kinds.delete('transport')
  expect([...kinds].toSorted()).toEqual(['daemon', 'shape', 'timeout'])
  const grown = memory() - before
  expect(grown).toBeLessThan(100_000_000)
  if (process.env.ANTARA_HOSTILE !== undefined) {
    const bytes = `the heap grew by ${Math.round(grown / 1e6)} MB`
    process.stderr.write(`${changed} answers changed, ${read} balances read, ${bytes}\n`)
  }
  server.close()
}, 3_600_000)

test('a history that repeats a transaction at two heights counts it once, as waiting', async () => {
  const txid = 'ab'.repeat(32)
  const history = [
    { tx_hash: txid, height: 10 },
    { tx_hash: txid, height: -1, fee: 7 },
  ]
  const status = await statusOf(history)
  await using server = await electrumServer((request, peer) => {
    if (request.method.endsWith('subscribe')) peer.answer(request, status)
    else if (request.method.endsWith('block.header')) peer.answer(request, firstBlock)
    else peer.answer(request, request.method.endsWith('get_history') ? history : [])
  })
  using chain = electrumChain([server.url])
  expect(await chain.history(['51'])).toEqual([{ txid, height: 0 }])
})

test('a coin that a server hid is there on the next connection', async () => {
  const txid = 'ab'.repeat(32)
  const history = [{ tx_hash: txid, height: 10 }]
  const status = await statusOf(history)
  let isHidden = true
  await using server = await electrumServer((request, peer) => {
    if (request.method.endsWith('subscribe')) peer.answer(request, status)
    else if (request.method.endsWith('block.header')) peer.answer(request, firstBlock)
    else if (request.method.endsWith('get_history')) peer.answer(request, history)
    else peer.answer(request, isHidden ? [] : [{ ...history[0], tx_pos: 0, value: 7 }])
  })
  using chain = electrumChain([server.url])
  expect(await chain.unspent(['51'])).toEqual([])
  isHidden = false
  server.drop()
  await expect.poll(() => chain.unspent(['51'])).toMatchObject([{ txid, vout: 0 }])
})

test.each([
  ['a header of another form, as that of Bitcoin', '01'.repeat(80)],
  ['no text', []],
])('a server that gives %s for block 1 lists no coins', async (_, header) => {
  await using server = await electrumServer((request, peer) => {
    if (request.method.endsWith('subscribe')) peer.answer(request, null)
    else peer.answer(request, request.method.endsWith('block.header') ? header : [])
  })
  using chain = electrumChain([server.url])
  await expect(chain.unspent(['51'])).rejects.toMatchObject({ kind: 'shape' })
})

test.each([
  ['has blocks', 1, false],
  ['has none', 0, true],
])(
  'a server that refuses block 1 is believed only if its chain has no block: its chain %s',
  async (_, height, lists) => {
    await using server = await electrumServer((request, peer) => {
      if (request.method.endsWith('block.header')) peer.refuse(request, 1, noBlock)
      else if (request.method.endsWith('headers.subscribe')) {
        peer.answer(request, { height, hex: firstBlock })
      } else peer.answer(request, request.method.endsWith('subscribe') ? null : [])
    })
    using chain = electrumChain([server.url])
    const listed = chain.unspent(['51'])
    await (lists
      ? expect(listed).resolves.toEqual([])
      : expect(listed).rejects.toMatchObject({ kind: 'daemon' }))
  },
)

test('a server that refuses block 1 lists no coins after one of a known chain', async () => {
  let isKnown = true
  await using server = await electrumServer((request, peer) => {
    if (!request.method.endsWith('block.header')) {
      if (request.method.endsWith('headers.subscribe')) {
        peer.answer(request, { height: 0, hex: firstBlock })
      } else peer.answer(request, request.method.endsWith('subscribe') ? null : [])
    } else if (isKnown) peer.answer(request, firstBlock)
    else peer.refuse(request, 1, noBlock)
  })
  using chain = electrumChain([server.url])
  await chain.history(['51'])
  isKnown = false
  server.drop()
  await expect.poll(() => chain.history(['51']).catch(({ kind }) => kind)).toBe('daemon')
})

test('a chain that had no block yet is named by its first one', async () => {
  let first: string | undefined
  await using server = await electrumServer((request, peer) => {
    if (request.method.endsWith('headers.subscribe')) {
      peer.answer(request, { height: first === undefined ? 0 : 1, hex: firstBlock })
    } else if (!request.method.endsWith('block.header')) {
      peer.answer(request, request.method.endsWith('subscribe') ? null : [])
    } else if (first === undefined) peer.refuse(request, 1, noBlock)
    else peer.answer(request, first)
  })
  using chain = electrumChain([server.url])
  expect((await chain.tip()).height).toBe(0)
  await expect(chain.chain!()).rejects.toMatchObject({ kind: 'daemon' })
  first = firstBlock!
  expect(await chain.chain!()).toBe(decodeBlockHeader(firstBlock!).hash)
  first = secondBlock!
  server.drop()
  await expect
    .poll(() => chain.history(['51']).catch(({ message }) => message))
    .toMatch('another chain')
})

test('headers that are longer than a header can be are refused at once', async () => {
  const requests: number[] = []
  await using server = await electrumServer((request, peer) => {
    if (!request.method.endsWith('headers')) return peer.answer(request, null)
    requests.push(Number(request.params[1]))
    // Each of 2,016 requests would add a megabyte.
    peer.answer(request, { count: 1, max: 2016, hex: '00'.repeat(1_000_000) })
  })
  using chain = electrumChain([server.url])
  await expect(chain.headers(1, 2016)).rejects.toMatchObject({
    kind: 'shape',
    reason: 'reply_too_large',
  })
  expect(requests).toEqual([2016])
})

const [firstBlock, secondBlock] = headersOf('komodod-headers.txt')

/** The refusal of a server whose chain has no block 1 yet. */
const noBlock = 'height 1 out of range'

async function statusOf(history: readonly { tx_hash: string; height: number }[]): Promise<string> {
  const text = history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join('')
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(hash).toString('hex')
}
