// The Electrum server of the development node beside an unmodified ElectrumX that indexes the same
// node: every answer is the same, apart from the differences that are named here.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'

import { scripthashOf } from '../../src/electrum/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, transferToken } from '../../src/rpc/index.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { freePort } from '../support/free-port.ts'
import { testUnless } from '../support/skip.ts'

/** A folder with the sources of ElectrumX and aiorpcX, as `electrumx` and `aiorpcX`. */
const sources = process.env.ANTARA_ELECTRUMX
// The system's own Python has plyvel, where the package python3-plyvel is installed.
const python = ['/usr/bin/python3', 'python3'].find((path) => existsSync(path)) ?? 'python3'
const begin = 'from electrumx.cli.electrumx_server import main; main()'
const headersOnce = 2016

type Answer = { readonly result: unknown } | { readonly error: unknown }

interface Connection {
  call(method: string, params?: readonly unknown[]): Promise<Answer>
}

async function connectionTo(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: socket }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(error === undefined ? { result } : { error })
    waiting.delete(id)
  })
  let calls = 0
  return {
    call(method, params = []) {
      const id = ++calls
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return new Promise((resolve) => waiting.set(id, resolve))
    },
  }
}

async function startElectrumX(node: DevNode): Promise<Connection> {
  const [{ url, user, password }] = node.identities as [DevNode['identities'][number]]
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-electrumx-'))
  const port = await freePort()
  const { PATH = '' } = process.env
  const child = spawn(python, ['-c', begin], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      PYTHONPATH: `${sources}/electrumx/src:${sources}/aiorpcX`,
      ALLOW_ROOT: '1',
      COIN: 'Komodo',
      NET: 'mainnet',
      DAEMON_URL: `http://${user}:${password}@${new URL(url).host}/`,
      DB_DIRECTORY: folder,
      DB_ENGINE: 'leveldb',
      SERVICES: `tcp://127.0.0.1:${port}`,
      PEER_DISCOVERY: 'off',
      PEER_ANNOUNCE: '',
      COST_SOFT_LIMIT: '0',
      COST_HARD_LIMIT: '0',
    },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer): void => {
      log += text
      if (log.includes('TCP server listening')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(log)))
  })
  return connectionTo(port)
}

/** Sorts members, and items that are in no block, because ElectrumX keeps those in a set. */
function comparable(answer: unknown): unknown {
  if (Array.isArray(answer)) {
    const items = answer.map(comparable)
    const isWaiting = (item: unknown): boolean => (item as { height?: number }).height! <= 0
    const keyOf = (item: unknown): string => JSON.stringify(item)
    const waiting = items
      .filter(isWaiting)
      .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    return [...items.filter((item) => !isWaiting(item)), ...waiting]
  }
  if (answer === null || typeof answer !== 'object') return answer
  const names = Object.keys(answer).toSorted()
  return Object.fromEntries(
    names.map((name) => [name, comparable((answer as Record<string, unknown>)[name])]),
  )
}

const textOf = (answer: Answer): string => JSON.stringify(comparable(answer))

class Comparison {
  calls = 0
  readonly differences: unknown[] = []
  readonly #ours: Connection
  readonly #theirs: Connection

  constructor(ours: Connection, theirs: Connection) {
    this.#ours = ours
    this.#theirs = theirs
  }

  async call(method: string, params: readonly unknown[] = []): Promise<void> {
    this.calls += 1
    const [ours, theirs] = await Promise.all([
      this.#ours.call(method, params),
      this.#theirs.call(method, params),
    ])
    if (textOf(ours) === textOf(theirs)) return
    this.differences.push({ method, params, ours, theirs })
  }

  /** ElectrumX holds back each answer for up to a second, so calls are made side by side. */
  async all(calls: readonly (readonly [string, readonly unknown[]])[]): Promise<void> {
    for (let at = 0; at < calls.length; at += 50) {
      await Promise.all(
        calls.slice(at, at + 50).map(([method, params]) => this.call(method, params)),
      )
    }
  }
}

const ofScript = ['get_balance', 'get_history', 'get_mempool', 'listunspent', 'subscribe'] as const

testUnless(sources === undefined && 'ANTARA_ELECTRUMX names no folder of sources')(
  'answers as ElectrumX does, through payments, tokens and reorganizations',
  async () => {
    const node = await createDevNode({ electrum: true, mine: 'manual' })
    onTestFinished(() => node.close())
    const [alice, bob] = node.identities
    node.mine(110)
    const theirs = await startElectrumX(node)
    const ours = await connectionTo(Number(new URL(node.electrumUrl).port))
    for (const each of [ours, theirs]) {
      expect(await each.call('server.version', ['test', '1.6'])).toMatchObject({
        result: [expect.any(String), '1.6'],
      })
    }
    const comparison = new Comparison(ours, theirs)
    const txids = new Set<string>()
    const scripts = new Set<string>()

    async function learn(txid: string): Promise<void> {
      if (txids.has(txid)) return
      txids.add(txid)
      const hex = (await node.request('getrawtransaction', [txid])) as string
      for (const { script } of decodeTransaction(hex).outputs) scripts.add(script)
    }

    /** Learns the transactions of the last blocks and of the mempool. */
    async function learnNew(blocks: number): Promise<void> {
      for (let height = Math.max(1, node.height - blocks); height <= node.height; height += 1) {
        const { tx } = (await node.request('getblock', [`${height}`])) as { tx: string[] }
        for (const txid of tx) await learn(txid)
      }
      for (const txid of (await node.request('getrawmempool', [])) as string[]) await learn(txid)
    }

    const tipOf = async (each: Connection): Promise<string> =>
      textOf(await each.call('blockchain.headers.subscribe'))
    /** The scripts whose waiting transactions both servers must agree on. */
    let paid: string[] = []
    async function waitingOf(each: Connection): Promise<string> {
      const ask = (script: string): Promise<Answer> =>
        each.call('blockchain.scripthash.get_mempool', [scripthashOf(script)])
      return JSON.stringify(comparable(await Promise.all(paid.map(ask))))
    }

    /** ElectrumX asks the daemon for blocks and for the mempool every few seconds. */
    async function settle(): Promise<void> {
      const options = { timeout: 60_000, interval: 500 }
      await expect
        .poll(async () => (await tipOf(theirs)) === (await tipOf(ours)), options)
        .toBe(true)
      // Scripts of the last wait are asked for once more: what was mined must have left the mempool.
      const before = paid
      const txids = (await node.request('getrawmempool', [])) as string[]
      const hexes = await Promise.all(
        txids.map((txid) => node.request('getrawtransaction', [txid])),
      )
      const now = hexes.map((hex) => decodeTransaction(hex as string).outputs[0]!.script)
      paid = [...before, ...now]
      await expect
        .poll(async () => (await waitingOf(theirs)) === (await waitingOf(ours)), options)
        .toBe(true)
      paid = now
    }

    async function compare(last?: number): Promise<void> {
      const some = (items: ReadonlySet<string>): string[] =>
        [...items].slice(last === undefined ? 0 : -last)
      const calls: [string, unknown[]][] = []
      for (const script of some(scripts)) {
        for (const name of ofScript) {
          calls.push([`blockchain.scripthash.${name}`, [scripthashOf(script)]])
        }
      }
      for (const txid of some(txids)) {
        calls.push(['blockchain.transaction.get', [txid]])
        const known = (await node.request('getrawtransaction', [txid, 1])) as { height?: number }
        if (known.height !== undefined && known.height > 0) {
          calls.push(['blockchain.transaction.get_merkle', [txid, known.height]])
        }
      }
      for (let height = 0; height <= node.height; height += 7) {
        calls.push(['blockchain.block.header', [height]])
        calls.push(['blockchain.block.header', [height, node.height]])
        calls.push(['blockchain.transaction.id_from_pos', [height, 0]])
        calls.push(['blockchain.transaction.id_from_pos', [height, 0, true]])
      }
      // From protocol 1.6 on, ElectrumX cuts headers by the lengths of the first ones of the chain.
      // The first header of the family is longer than these, so lists that begin later are wrong.
      calls.push(['blockchain.block.headers', [0, headersOnce]])
      calls.push(['blockchain.block.headers', [0, 20, node.height]])
      calls.push(['blockchain.block.headers', [node.height + 5, 5]])
      await comparison.all(calls)
    }

    await settle()
    await learnNew(node.height)
    await compare()

    const daemon = createDaemonClient({ ...alice!, fetch: node.fetch })
    for (let round = 0; round < 9; round += 1) {
      const created = await daemon.tokencreate({
        name: `T${round}`,
        supply: 1000n,
        description: '',
      })
      const tokenid = await daemon.sendrawtransaction({ hexstring: created.hex })
      await node.request('sendtoaddress', [bob!.address, '1.5'])
      await settle()
      await learnNew(2)
      await compare(14)
      node.mine()
      await settle()
      await transferToken(daemon, {
        tokenid,
        from: alice!.pubkey,
        destination: bob!.pubkey,
        amount: 400n,
      })
      await settle()
      await learnNew(2)
      await compare(14)
      node.mine(2)
      await settle()
      await compare(14)
      if (round % 3 < 2) continue
      // ElectrumX follows another chain only if that is longer.
      node.reorg(2)
      node.mine()
      await settle()
      await learnNew(4)
      await compare(14)
    }
    await compare()
    await comparison.all([
      ['blockchain.scripthash.get_balance', ['00']],
      ['blockchain.scripthash.get_balance', []],
      ['blockchain.transaction.get', ['00']],
      ['blockchain.transaction.get', ['00'.repeat(32)]],
      ['blockchain.block.header', [-1]],
      ['blockchain.block.header', ['x']],
      ['blockchain.block.headers', [0, -1]],
      ['blockchain.transaction.broadcast', ['00']],
      ['blockchain.transaction.broadcast', ['zz']],
      ['blockchain.estimatefee', [5]],
      ['blockchain.relayfee', []],
      ['mempool.get_fee_histogram', []],
      ['server.ping', []],
      ['no.such', []],
    ])
    console.log(`${comparison.calls} calls, ${comparison.differences.length} different`)
    expect(comparison.differences).toEqual([])
    expect(comparison.calls).toBeGreaterThan(2_000)
  },
  1_800_000,
)
