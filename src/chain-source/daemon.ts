// A chain source on the address index of a daemon.

import { type Network, networks } from '../chain/network.ts'
import { requireObject } from '../primitives/arguments.ts'
import { isLosslessNumber } from '../primitives/json.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isReplyTooLarge, isRpcError, RpcError } from '../rpc/errors.ts'
import { type FirstBlockOptions, readFirstBlock, requireFirstBlock } from '../rpc/first-block.ts'
import { replyBytesMax } from '../rpc/reply-sizes.ts'
import type { Outpoint } from '../transaction/types.ts'
import { type AddressIndex, addressIndexes } from './address-index.ts'
import { memberOf, numberOf, rowsOf, txidOf, wrongShape } from './daemon-answers.ts'
import { daemonHeights, unknownTransaction } from './daemon-heights.ts'
import type {
  ChainOptions,
  ChainSource,
  ChainTip,
  HistoryEntry,
  SameChainOptions,
  UnspentOutput,
} from './source.ts'
import { waitingReader } from './waiting.ts'

export interface DaemonChainOptions extends FirstBlockOptions {
  /** Turns scripts into the addresses of the daemon's index. Default: `networks.assetChain`. */
  readonly network?: Network
  /** Names the source in findings. Default: `daemon`. */
  readonly name?: string
}

/** Transactions that one batch asks for. */
const batchMax = 100
/** Histories that are kept: the one that was used longest ago goes first. */
const historiesMax = 4
/** All answers of one batch. Larger ones are asked for in halves. */
const batchBytesMax = 16_000_000

/** A history in blocks up to a last one. */
interface MinedHistory {
  readonly tip: ChainTip
  readonly heights: ReadonlyMap<string, number>
}

/**
 * Reads a chain from a daemon with an address index (`-addressindex=1 -spentindex=1`).
 *
 * @param client - the daemon; its wallet and keys are not used
 * @param options - the network of the addresses; a name for findings; block 1 of the chain
 * @returns a source; amounts in satoshis
 * @throws {TypeError} for options that it does not know
 * @example
 * const chain = daemonChain(createDaemonClient({ url, user, password }))
 * (await chain.tip()).height // 104
 */
export function daemonChain(client: DaemonClient, options: DaemonChainOptions = {}): ChainSource {
  requireObject(client, 'client')
  requireObject(options, 'options')
  requireKnownMembers(options, ['network', 'name', 'firstBlock'], 'options')
  const { network = networks.assetChain, name = 'daemon' } = options
  let named = readFirstBlock(options.firstBlock, 'options.firstBlock')
  const indexesOf = addressIndexes(network)
  let knownTip: ChainTip | undefined
  /** The index at a block: it cannot change while that block is the last one. */
  let confirmed: { at: string; scripts: string; outputs: readonly UnspentOutput[] } | undefined

  /**
   * Histories by their scripts. Beside that of all its scripts, a wallet asks for those of its
   * markers, and of coins that it shares.
   */
  const mined = new Map<string, MinedHistory>()

  const call = (method: string, params: readonly unknown[], { signal }: ChainOptions) =>
    client.call(method, params, { signal })

  async function bestHash(given: ChainOptions): Promise<string> {
    return txidOf(await call('getbestblockhash', [], given), 'getbestblockhash')
  }

  async function tip(given: ChainOptions = {}): Promise<ChainTip> {
    const hash = await bestHash(given)
    if (knownTip?.hash === hash) return knownTip
    const header = await call('getblockheader', [hash], given)
    knownTip = {
      height: numberOf(header, 'height', 'getblockheader'),
      time: numberOf(header, 'time', 'getblockheader'),
      hash,
    }
    return knownTip
  }

  async function indexed(
    method: string,
    { addresses, isCondition }: AddressIndex,
    more: object,
    given: ChainOptions,
  ): Promise<unknown> {
    const params = [{ addresses, ...more }, ...(isCondition ? [1] : [])]
    try {
      return await call(method, params, given)
    } catch (error) {
      if (!isRpcError(error, 'daemon') || !lacksIndex(error)) throw error
      const message =
        `${error.message}. The wallet reads the daemon's address index: ` +
        'start the daemon with -addressindex=1 -spentindex=1'
      const { code, codeName, status, attempts } = error
      throw new RpcError('daemon', message, {
        method,
        code,
        codeName,
        status,
        attempts,
        cause: error,
      })
    }
  }

  async function confirmedOutputs(
    scripts: readonly string[],
    given: ChainOptions,
  ): Promise<readonly UnspentOutput[]> {
    const { hash = '' } = await tip(given)
    const key = scripts.join()
    if (confirmed?.at === hash && confirmed.scripts === key) return confirmed.outputs
    const outputs: UnspentOutput[] = []
    for (const index of indexesOf(scripts)) {
      const reply = await indexed('getaddressutxos', index, {}, given)
      for (const row of rowsOf(reply, 'getaddressutxos')) {
        outputs.push({
          txid: txidOf(memberOf(row, 'txid'), 'getaddressutxos'),
          vout: numberOf(row, 'outputIndex', 'getaddressutxos'),
          height: numberOf(row, 'height', 'getaddressutxos'),
          ...reportedValue(row),
        })
      }
    }
    // A block may have come and gone meanwhile, as in `confirmedHistory`.
    if ((await bestHash(given)) === hash) confirmed = { at: hash, scripts: key, outputs }
    return outputs
  }

  /** Asks for the blocks alone that came since, if none of those before was replaced. */
  async function confirmedHistory(
    scripts: readonly string[],
    given: ChainOptions,
  ): Promise<ReadonlyMap<string, number>> {
    const last = await tip(given)
    const key = scripts.join()
    const before = mined.get(key)
    if (before !== undefined && before.tip.hash === last.hash) {
      keepHistory(key, before)
      return before.heights
    }
    const goesOn = before !== undefined && (await isStillThere(before.tip, last, given))
    const heights = new Map(goesOn ? before.heights : [])
    const range = { start: goesOn ? before.tip.height + 1 : 1, end: Math.max(last.height, 1) }
    for (const index of indexesOf(scripts)) {
      const reply = await indexed('getaddressdeltas', index, range, given)
      for (const row of rowsOf(reply, 'getaddressdeltas')) {
        const txid = txidOf(memberOf(row, 'txid'), 'getaddressdeltas')
        heights.set(txid, numberOf(row, 'height', 'getaddressdeltas'))
      }
    }
    // Blocks that replaced the last one meanwhile may have answered. That is not kept, because it
    // would stay once the others are back.
    if ((await bestHash(given)) === last.hash) keepHistory(key, { tip: last, heights })
    return heights
  }

  function keepHistory(key: string, history: MinedHistory): void {
    mined.delete(key)
    if (mined.size >= historiesMax) mined.delete(mined.keys().next().value!)
    mined.set(key, history)
  }

  async function isStillThere(
    { height, hash }: ChainTip,
    last: ChainTip,
    given: ChainOptions,
  ): Promise<boolean> {
    return last.height > height && (await call('getblockhash', [height], given)) === hash
  }

  async function rawTransactions(
    txids: readonly string[],
    given: ChainOptions,
  ): Promise<(string | undefined)[]> {
    const calls = txids.map((txid) => ({ method: 'getrawtransaction', params: [txid] }) as const)
    try {
      const maxResponseBytes = txids.length === 1 ? replyBytesMax.transaction : batchBytesMax
      const replies = await client.batch(calls, { signal: given.signal, maxResponseBytes })
      return replies.map((reply) => hexOrNothing(reply as Reply))
    } catch (error) {
      if (!isReplyTooLarge(error)) throw error
      if (txids.length === 1) return [undefined]
      const half = Math.ceil(txids.length / 2)
      const first = await rawTransactions(txids.slice(0, half), given)
      return [...first, ...(await rawTransactions(txids.slice(half), given))]
    }
  }

  async function transactions(
    txids: readonly string[],
    given: ChainOptions = {},
  ): Promise<(string | undefined)[]> {
    const found: (string | undefined)[] = []
    for (let at = 0; at < txids.length; at += batchMax) {
      found.push(...(await rawTransactions(txids.slice(at, at + batchMax), given)))
    }
    return found
  }

  const waitingFor = waitingReader({ indexesOf, indexed, transactions })

  async function chain({ firstBlock, ...given }: SameChainOptions = {}): Promise<string> {
    named ??= readFirstBlock(firstBlock)
    const answer = await call('getblockhash', [1], given).catch((error: unknown) => {
      // A daemon that still starts, or has no block 1 yet, refuses this question alone.
      if (isRpcError(error, 'daemon')) requireFirstBlock(named, { by: name, hash: undefined })
      throw error
    })
    const hash = txidOf(answer, 'getblockhash')
    requireFirstBlock(named, { by: name, hash })
    return hash
  }

  /** Each call is a connection of its own, so another daemon may answer it. */
  async function requireNamed(given: ChainOptions): Promise<void> {
    if (named !== undefined) await chain(given)
  }

  return {
    name,
    networks: [network],
    chain,
    async tip(given = {}) {
      await requireNamed(given)
      return tip(given)
    },
    async unspent(scripts, given = {}) {
      await requireNamed(given)
      // A block between the two answers moves a transaction from the first list to the second. In
      // the other order it would be in neither, and what it spends would seem unspent.
      const waiting = await waitingFor(scripts, given)
      const known = await confirmedOutputs(scripts, given)
      const spent = new Set(waiting.flatMap(({ spends }) => spends ?? []))
      const mined = new Set(known.map(keyOf))
      const made = waiting
        .filter(({ spends }) => spends === undefined)
        .map(({ txid, index }) => ({ txid, vout: index, height: 0 }))
        .filter((output) => !mined.has(keyOf(output)))
      return [...known, ...made].filter((output) => !spent.has(keyOf(output)))
    },
    async history(scripts, given = {}) {
      await requireNamed(given)
      const waiting = await waitingFor(scripts, given)
      const heights = new Map(await confirmedHistory(scripts, given))
      for (const { txid } of waiting) {
        if (!heights.has(txid)) heights.set(txid, 0)
      }
      return [...heights]
        .map(([txid, height]): HistoryEntry => ({ txid, height }))
        .sort((one, other) => placeOf(one) - placeOf(other))
    },
    transactions,
    async broadcast(hex, { signal } = {}) {
      await requireNamed({ signal })
      return client.sendrawtransaction({ hex }, { signal })
    },
    async heights(transactions, given = {}) {
      await requireNamed(given)
      const txids = transactions.map(({ txid }) => txid)
      return daemonHeights(client, txids, given)
    },
    async headers(start, count, given = {}) {
      await requireNamed(given)
      const { daemonHeaders } = await import('./daemon-proofs.ts')
      return { headers: await daemonHeaders(client, start, count, given), sources: [name] }
    },
    async inclusion(txid, height, given = {}) {
      await requireNamed(given)
      const { daemonInclusion } = await import('./daemon-proofs.ts')
      return daemonInclusion(client, transactions, { txid, height }, given)
    },
  }
}

interface Reply {
  readonly status: 'fulfilled' | 'rejected'
  readonly value?: unknown
  readonly reason?: unknown
}

/**
 * Returns the hex of a reply; `undefined` only if the daemon reports that it has no such
 * transaction. A daemon that is warming up or fails has not reported that.
 *
 * @throws {RpcError} the one of the reply; `shape` for a reply that is no text
 */
function hexOrNothing({ status, value, reason }: Reply): string | undefined {
  if (status === 'fulfilled') {
    if (typeof value === 'string') return value
    throw wrongShape('getrawtransaction', 'a text of hex')
  }
  if (isRpcError(reason, 'daemon') && reason.code === unknownTransaction) return undefined
  throw reason
}

/**
 * Returns true for the answer of a daemon without an address index.
 *
 * @see komodo src/rpc/misc.cpp, getaddressutxos; src/main.cpp, GetAddressUnspent
 */
function lacksIndex({ code, message }: RpcError): boolean {
  return code === unknownTransaction && message.includes('No information available for address')
}

const keyOf = ({ txid, vout }: Outpoint) => `${txid}:${vout}`

const placeOf = ({ height }: HistoryEntry) => (height === 0 ? Number.POSITIVE_INFINITY : height)

/** The amount of a row, where it is one: the wallet does not need it. */
function reportedValue(row: unknown): { readonly value?: bigint } {
  const satoshis = memberOf(row, 'satoshis')
  // A client gives a number as it was written, or as a bigint. No method of an object may run here.
  const isNumber = isLosslessNumber(satoshis) || ['number', 'bigint'].includes(typeof satoshis)
  const digits = isNumber ? String(satoshis) : satoshis
  const isAmount = typeof digits === 'string' && /^[0-9]{1,19}$/.test(digits)
  return isAmount ? { value: BigInt(digits) } : {}
}
