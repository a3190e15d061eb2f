// A chain source on Electrum servers.

import { headerBytesMax } from '../block/header.ts'
import { type InclusionProof, inclusionFault } from '../block/inclusion.ts'
import { createElectrumClient, type ElectrumClient } from '../electrum/client.ts'
import type { ConnectedServer } from '../electrum/connected-server.ts'
import type { ElectrumCoin, ElectrumHistoryEntry } from '../electrum/methods.ts'
import type { ElectrumOptions } from '../electrum/options.ts'
import { serverAddress } from '../electrum/stream.ts'
import { requireObject, requireString } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { type FirstBlockOptions, readFirstBlock } from '../rpc/first-block.ts'
import { scripthashOf } from '../script/scripthash.ts'
import { entriesOf, headerOf, statusOf } from './electrum-answers.ts'
import { electrumFirstBlock, requireFewMoves } from './electrum-first-block.ts'
import { electrumHeights } from './electrum-heights.ts'
import { requireFewEntries } from './limits.ts'
import type {
  ChainOptions,
  ChainSource,
  ChainTip,
  ListOptions,
  ProvenInclusion,
  SourceHeaders,
  UnspentOutput,
} from './source.ts'
import { createFindings } from './source-findings.ts'

/** A chain source that keeps a connection until it is closed. */
export interface ElectrumChain extends ChainSource {
  readonly client: ElectrumClient
  inclusion(txid: string, height: number, options?: ChainOptions): Promise<ProvenInclusion>
  headers(start: number, count: number, options?: ChainOptions): Promise<SourceHeaders>
  /** Ends the connection, every call and every subscription. */
  close(): void
  [Symbol.dispose](): void
}

export interface ElectrumChainOptions extends FirstBlockOptions {
  /** Names the source in findings. Default: `Electrum server`, and the first server's URL. */
  readonly name?: string
}

/** The answers of a server about a script, and the status for which they hold. */
interface KnownScript {
  readonly status: string | null
  readonly history: readonly ElectrumHistoryEntry[]
  readonly coins: readonly ElectrumCoin[]
}

/** How often a history is read that changes while it is read. */
const attemptsMax = 4
/** The daemon's code for a transaction that it does not have, as ElectrumX quotes it. */
const unknownTransaction = /'code': -5\b/

/**
 * Reads a chain from servers of the Electrum protocol.
 *
 * The status of a script is a hash of its history. The source fetches history and coins of a script
 * only if its status changed. The history must hash to the status; coins are not covered by it.
 *
 * @param source - URLs of servers of one chain, options of `createElectrumClient`, or a client
 * @param options - a name for findings, which sources of a `quorum` must not share; block 1 of the
 *   chain
 * @returns a source with its client; call `close` to end the connection
 * @throws {TypeError} as `createElectrumClient`; for options that it does not know
 * @example
 * const chain = electrumChain(['tcp://127.0.0.1:50001'])
 * chain.close()
 */
export function electrumChain(
  source: readonly string[] | ElectrumOptions | ElectrumClient,
  options: ElectrumChainOptions = {},
): ElectrumChain {
  requireObject(source, 'source')
  requireObject(options, 'options')
  requireKnownMembers(options, ['name', 'firstBlock'], 'options')
  const { client, servers, name: defaultName } = clientOf(source)
  const { name = defaultName } = options
  requireString(name, 'options.name')
  const findings = createFindings(name)
  const known = new Map<string, KnownScript>()
  /** The connection that gave the known scripts. */
  let knownBy: ConnectedServer | undefined
  let knownTip: { readonly header: string; readonly tip: ChainTip } | undefined

  async function tip(options: ChainOptions = {}): Promise<ChainTip> {
    for (let moves = 1; ; moves += 1) {
      const server = client.server()
      const last = await lastBlock(options)
      // A connection after a lost one may be to a server of another chain.
      if (!chain.isKnown() || (await chain.isOf(server, options))) return last
      requireFewMoves(moves, 'blockchain.headers.subscribe')
    }
  }

  async function lastBlock(options: ChainOptions): Promise<ChainTip> {
    const { height, hex } = await client.call('blockchain.headers.subscribe', [], options)
    if (knownTip?.header !== hex || knownTip.tip.height !== height) {
      const { time, hash } = headerOf(hex, 'blockchain.headers.subscribe')
      knownTip = { header: hex, tip: { height, time, hash } }
    }
    return knownTip.tip
  }

  const chain = electrumFirstBlock(
    { client, servers, name, findings },
    readFirstBlock(options.firstBlock, 'options.firstBlock'),
    {
      hasBlocks: async (limits) => (await lastBlock(limits)).height > 0,
      forget() {
        known.clear()
        knownBy = undefined
        knownTip = undefined
      },
    },
  )

  /** Returns history and coins of scripts, from the first server whose lists can be used. */
  async function follow(
    scripts: readonly string[],
    options: ListOptions,
  ): Promise<readonly KnownScript[]> {
    const unusable = new Set<ConnectedServer>()
    for (;;) {
      const left = unusable.size
      try {
        return await followOnOne(scripts, options, unusable)
      } catch (error) {
        if (unusable.size === left || unusable.size >= servers.length) throw error
      }
    }
  }

  /**
   * Fetches the scripts whose status changed, from the server in use.
   *
   * @param unusable - gets that server if its lists are too long, or contradict themselves
   */
  async function followOnOne(
    scripts: readonly string[],
    options: ListOptions,
    unusable: Set<ConnectedServer>,
  ): Promise<readonly KnownScript[]> {
    const hashes = [...new Set(scripts)].map(scripthashOf)
    let moves = 0
    for (let attempt = 1; ; ) {
      const statuses = await all('blockchain.scripthash.subscribe', hashes, unusable, options)
      // A status does not cover coins, so a coin that one server hid would stay hidden on the next.
      const server = client.server()
      if (server !== knownBy) {
        if (!(await chain.isOf(server, options))) {
          moves += 1
          requireFewMoves(moves, 'blockchain.scripthash.subscribe')
          continue
        }
        known.clear()
      }
      knownBy = server
      const wanted = new Map(hashes.map((hash, at) => [hash, statuses[at]]))
      const isKnown = (hash: string) => known.get(hash)?.status === wanted.get(hash)
      const changed = hashes.filter((hash) => !isKnown(hash))
      // No status covers the coins. So they are read between the status and the history: if the
      // history hashes to the status, nothing changed while the coins were read.
      const unchanged = hashes.filter(isKnown).map((hash) => known.get(hash)!)
      const coins = await all('blockchain.scripthash.listunspent', changed, unusable, {
        ...options,
        listed: sumOf(unchanged.map((it) => it.coins.length)),
      })
      const histories = await all('blockchain.scripthash.get_history', changed, unusable, {
        ...options,
        listed: sumOf(unchanged.map((it) => it.history.length)),
      })
      for (const [at, hash] of changed.entries()) {
        const history = histories[at]!
        const status = statusOf(history)
        if (status === wanted.get(hash)) known.set(hash, { status, history, coins: coins[at]! })
      }
      if (hashes.every(isKnown)) return hashes.map((hash) => known.get(hash)!)
      attempt += 1
      if (attempt <= attemptsMax) continue
      const message =
        'blockchain.scripthash.get_history: the history of a script does not hash to its status; ' +
        'the chain changes too quickly, or the server leaves something out'
      const error = new RpcError('shape', message, {
        method: 'blockchain.scripthash.get_history',
        reason: 'unexpected_value',
      })
      leaveOut(server, error, unusable)
      throw error
    }
  }

  /** Ends the connection to a server whose lists cannot be used, so that another one is asked. */
  function leaveOut(
    server: ConnectedServer | undefined,
    error: RpcError,
    unusable: Set<ConnectedServer>,
  ): void {
    if (server === undefined) return
    unusable.add(server)
    client.avoid?.(server, error)
  }

  /**
   * Calls a method for each script.
   *
   * @param options - `listed` is the number of entries that other scripts have in the same list
   * @throws {RpcError} of kind `shape` for more entries than the caller takes
   */
  async function all<
    Method extends
      | 'blockchain.scripthash.subscribe'
      | 'blockchain.scripthash.get_history'
      | 'blockchain.scripthash.listunspent',
  >(
    method: Method,
    hashes: readonly string[],
    unusable: Set<ConnectedServer>,
    { listed = 0, entriesMax, signal }: ListOptions & { readonly listed?: number },
  ) {
    let found = listed
    const calls = hashes.map(async (hash) => {
      const server = client.server()
      const answer = await client.call(method, [hash], { signal })
      if (Array.isArray(answer)) found += answer.length
      try {
        requireFewEntries(name, method, { found, most: entriesMax })
      } catch (error) {
        leaveOut(server, error as RpcError, unusable)
        throw error
      }
      return answer
    })
    return await Promise.all(calls)
  }

  async function transaction(txid: string, options: ChainOptions): Promise<string | undefined> {
    try {
      return await client.call('blockchain.transaction.get', [txid], options)
    } catch (error) {
      // A server that is busy or fails has not reported that it lacks the transaction.
      if (isRpcError(error, 'daemon') && unknownTransaction.test(error.message)) return undefined
      throw error
    }
  }

  async function inclusion(
    txid: string,
    height: number,
    options: ChainOptions,
  ): Promise<ProvenInclusion> {
    const [branch, header, bytes, first] = await Promise.all([
      client.call('blockchain.transaction.get_merkle', [txid, height], options),
      client.call('blockchain.block.header', [height], options),
      client.call('blockchain.transaction.get', [txid], options),
      client.call('blockchain.transaction.id_from_pos', [height, 0, true], options),
    ])
    const { merkle, pos } = branch
    const coinbase = {
      transaction: await client.call('blockchain.transaction.get', [first.tx_hash], options),
      merkle: first.merkle,
    }
    const proof: InclusionProof = { transaction: bytes, merkle, pos, coinbase }
    headerOf(header, 'blockchain.block.header')
    const fault = inclusionFault(txid, proof, header)
    return { proof, header, ...(fault !== undefined && { fault }) }
  }

  async function headers(
    start: number,
    count: number,
    options: ChainOptions,
  ): Promise<SourceHeaders> {
    const texts: string[] = []
    for (let have = 0; have < count; ) {
      const method = 'blockchain.block.headers'
      const given = await client.call(method, [start + have, count - have], options)
      // A server has no more headers where its chain ends. More headers than requested do not
      // belong here.
      if (given.count === 0 || given.count > count - have) break
      const bytesMax = given.count * headerBytesMax
      if (given.hex.length > 2 * bytesMax) {
        const message = `${method}: ${given.count} headers have more than ${bytesMax} bytes`
        throw new RpcError('shape', message, { method, reason: 'reply_too_large' })
      }
      texts.push(given.hex)
      have += given.count
    }
    const server = client.server()
    return { headers: texts, sources: server === undefined ? [] : [server.url] }
  }

  return {
    client,
    name,
    servers,
    tip,
    async unspent(scripts, options = {}) {
      const found = await follow(scripts, options)
      return found.flatMap(({ coins }) =>
        coins.map(
          ({ tx_hash, tx_pos, height, value }): UnspentOutput => ({
            txid: tx_hash,
            vout: tx_pos,
            height: Math.max(height, 0),
            value,
          }),
        ),
      )
    },
    async history(scripts, options = {}) {
      return entriesOf((await follow(scripts, options)).flatMap((it) => it.history))
    },
    transactions: (txids, options = {}) =>
      chain.read(options, () => Promise.all(txids.map((txid) => transaction(txid, options)))),
    broadcast: (hex, options = {}) =>
      chain.send(options, () => client.call('blockchain.transaction.broadcast', [hex], options)),
    heights: (transactions, options = {}) =>
      chain.read(options, () => electrumHeights(client, transactions, options)),
    inclusion: (txid, height, options = {}) =>
      chain.read(options, () => inclusion(txid, height, options)),
    headers: (start, count, options = {}) =>
      chain.read(options, () => headers(start, count, options)),
    findings: () => findings.list(),
    chain: chain.hash,
    close: () => client.close(),
    [Symbol.dispose]: () => client.close(),
  }
}

interface NamedClient {
  readonly client: ElectrumClient
  readonly name: string
  readonly servers: readonly string[]
}

function clientOf(source: readonly string[] | ElectrumOptions | ElectrumClient): NamedClient {
  if ('call' in source) {
    const { servers = [] } = source
    return { client: source, name: ['Electrum server', ...servers.slice(0, 1)].join(' '), servers }
  }
  const options = 'servers' in source ? source : { servers: source }
  const client = createElectrumClient(options)
  const servers = options.servers.map((url, at) => serverAddress(url, `servers[${at}]`).url)
  return { client, name: `Electrum server ${servers[0]}`, servers }
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
