import { type Network, networks } from '../chain/network.ts'
import { requireObject } from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { transactionReplyBytesMax } from '../rpc/reply-sizes.ts'
import { addressOfScript } from '../script/script.ts'
import { templateOf } from '../script/template.ts'
import type { ChainOptions, ChainSource, ChainTip, HistoryEntry, UnspentOutput } from './source.ts'

export interface DaemonChainOptions {
  /** Turns scripts into the addresses of the daemon's index. Default: `networks.assetChain`. */
  readonly network?: Network
  /** Names the source in findings. Default: `daemon`. */
  readonly name?: string
}

/** Transactions that one batch asks for. */
const batchMax = 100
/** All answers of one batch. Larger ones are asked for in halves. */
const batchBytesMax = 16_000_000

/**
 * Reads a chain from a daemon with an address index (`-addressindex=1 -spentindex=1`).
 *
 * @param client - the daemon; its wallet and keys are not used
 * @throws {TypeError} for options that it does not know
 * @example
 * const chain = daemonChain(createDaemonClient({ url, user, password }))
 * (await chain.tip()).height // 104
 */
export function daemonChain(client: DaemonClient, options: DaemonChainOptions = {}): ChainSource {
  requireObject(client, 'client')
  requireObject(options, 'options')
  requireKnownMembers(options, ['network', 'name'], 'options')
  const { network = networks.assetChain, name = 'daemon' } = options
  let knownTip: ChainTip | undefined
  /** The index at a block: it cannot change while that block is the last one. */
  let confirmed: { at: string; scripts: string; outputs: readonly UnspentOutput[] } | undefined

  let mined: { tip: ChainTip; scripts: string; heights: ReadonlyMap<string, number> } | undefined

  const call = (method: string, params: readonly unknown[], { signal }: ChainOptions) =>
    client.call(method, params, { signal })

  async function tip(given: ChainOptions = {}): Promise<ChainTip> {
    const hash = txidOf(await call('getbestblockhash', [], given), 'getbestblockhash')
    if (knownTip?.hash === hash) return knownTip
    const header = await call('getblockheader', [hash], given)
    knownTip = {
      height: numberOf(header, 'height', 'getblockheader'),
      time: numberOf(header, 'time', 'getblockheader'),
      hash,
    }
    return knownTip
  }

  async function waitingFor(scripts: readonly string[], given: ChainOptions): Promise<Waiting[]> {
    const method = 'getaddressmempool'
    const indexes = indexesOf(scripts, network)
    if (indexes.length === 0) return []
    // komodod lists waiting conditions among plain addresses only (rpc/misc.cpp). Other daemons may
    // list them as the block index does, so both are read.
    const all = { addresses: indexes.flatMap(({ addresses }) => addresses), isCondition: false }
    const changes = new Map<string, Waiting>()
    for (const index of [all, ...indexes.filter(({ isCondition }) => isCondition)]) {
      for (const row of rowsOf(await indexed(method, index, {}, given), method)) {
        const change = waitingOf(row)
        changes.set(`${change.txid}:${change.index}:${change.spends ?? ''}`, change)
      }
    }
    return [...changes.values()]
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
      if (!isRpcError(error, 'daemon')) throw error
      const message =
        `${method}: ${error.message}. The wallet reads the daemon's address index: ` +
        'start the daemon with -addressindex=1 -spentindex=1'
      throw new RpcError('daemon', message, { method, cause: error })
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
    for (const index of indexesOf(scripts, network)) {
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
    confirmed = { at: hash, scripts: key, outputs }
    return outputs
  }

  /** Asks for the blocks alone that came since, if none of those before was replaced. */
  async function confirmedHistory(
    scripts: readonly string[],
    given: ChainOptions,
  ): Promise<ReadonlyMap<string, number>> {
    const last = await tip(given)
    const key = scripts.join()
    const before = mined?.scripts === key ? mined : undefined
    if (before !== undefined && before.tip.hash === last.hash) return before.heights
    const goesOn = before !== undefined && (await isStillThere(before.tip, last, given))
    const heights = new Map(goesOn ? before.heights : [])
    const range = { start: goesOn ? before.tip.height + 1 : 1, end: Math.max(last.height, 1) }
    for (const index of indexesOf(scripts, network)) {
      const reply = await indexed('getaddressdeltas', index, range, given)
      for (const row of rowsOf(reply, 'getaddressdeltas')) {
        const txid = txidOf(memberOf(row, 'txid'), 'getaddressdeltas')
        heights.set(txid, numberOf(row, 'height', 'getaddressdeltas'))
      }
    }
    mined = { tip: last, scripts: key, heights }
    return heights
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
      const maxResponseBytes = txids.length === 1 ? transactionReplyBytesMax : batchBytesMax
      const replies = await client.batch(calls, { signal: given.signal, maxResponseBytes })
      return replies.map((reply) => hexOrNothing(reply as Reply))
    } catch (error) {
      const isTooLarge = isRpcError(error, 'shape') && error.reason === 'reply_too_large'
      if (!isTooLarge) throw error
      if (txids.length === 1) return [undefined]
      const half = Math.ceil(txids.length / 2)
      const first = await rawTransactions(txids.slice(0, half), given)
      return [...first, ...(await rawTransactions(txids.slice(half), given))]
    }
  }

  return {
    name,
    tip,
    async unspent(scripts, given = {}) {
      const known = await confirmedOutputs(scripts, given)
      const waiting = await waitingFor(scripts, given)
      const spent = new Set(waiting.flatMap(({ spends }) => spends ?? []))
      const made = waiting.flatMap(({ txid, index, spends }) =>
        spends === undefined ? [{ txid, vout: index, height: 0 }] : [],
      )
      return [...known, ...made].filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`))
    },
    async history(scripts, given = {}) {
      const heights = new Map(await confirmedHistory(scripts, given))
      for (const { txid } of await waitingFor(scripts, given)) {
        if (!heights.has(txid)) heights.set(txid, 0)
      }
      return [...heights]
        .map(([txid, height]): HistoryEntry => ({ txid, height }))
        .sort((one, other) => placeOf(one) - placeOf(other))
    },
    async transactions(txids, given = {}) {
      const found: (string | undefined)[] = []
      for (let at = 0; at < txids.length; at += batchMax) {
        found.push(...(await rawTransactions(txids.slice(at, at + batchMax), given)))
      }
      return found
    },
    broadcast: async (hex, { signal } = {}) => client.sendrawtransaction({ hex }, { signal }),
    async chain(given = {}) {
      const hash = await call('getblockhash', [1], given)
      return typeof hash === 'string' && isTxid(hash) ? hash.toLowerCase() : undefined
    },
  }
}

/** Addresses of one kind: the daemon keeps an index for conditions and one for everything else. */
interface AddressIndex {
  readonly addresses: readonly string[]
  readonly isCondition: boolean
}

function indexesOf(scripts: readonly string[], network: Network): AddressIndex[] {
  const [plain, conditions] = [new Set<string>(), new Set<string>()]
  for (const script of scripts) {
    const address = addressOfScript(script, network)
    if (address === undefined) continue
    const isCondition = templateOf(script).type === 'condition'
    ;(isCondition ? conditions : plain).add(address)
  }
  return [
    { addresses: [...plain], isCondition: false },
    { addresses: [...conditions], isCondition: true },
  ].filter(({ addresses }) => addresses.length > 0)
}

/** A change by a transaction that waits for its block. */
interface Waiting {
  readonly txid: string
  readonly index: number
  /** `txid:vout` of the output that it spends; absent where it makes one. */
  readonly spends?: string
}

function waitingOf(row: unknown): Waiting {
  const method = 'getaddressmempool'
  const change = {
    txid: txidOf(memberOf(row, 'txid'), method),
    index: numberOf(row, 'index', method),
  }
  const spent = memberOf(row, 'prevtxid')
  if (spent === undefined) return change
  return { ...change, spends: `${txidOf(spent, method)}:${numberOf(row, 'prevout', method)}` }
}

interface Reply {
  readonly status: 'fulfilled' | 'rejected'
  readonly value?: unknown
  readonly reason?: unknown
}

/** `RPC_INVALID_ADDRESS_OR_KEY`, which daemons answer about a transaction that they do not have. */
const unknownTransaction = -5

/** A daemon that is warming up, or fails, has not said that there is no such transaction. */
function hexOrNothing({ status, value, reason }: Reply): string | undefined {
  if (status === 'fulfilled') return typeof value === 'string' ? value : undefined
  if (isRpcError(reason, 'daemon') && reason.code === unknownTransaction) return undefined
  throw reason
}

const placeOf = ({ height }: HistoryEntry) => (height === 0 ? Number.POSITIVE_INFINITY : height)

const isTxid = (text: string) => isHex32(text.toLowerCase())

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function rowsOf(reply: unknown, method: string): readonly unknown[] {
  if (Array.isArray(reply)) return reply
  throw wrongShape(method, 'a list')
}

function txidOf(value: unknown, method: string): string {
  if (typeof value === 'string' && isTxid(value)) return value.toLowerCase()
  throw wrongShape(method, '64 hexadecimal digits')
}

/** Numbers of raw answers are kept as they were written. */
function numberOf(row: unknown, member: string, method: string): number {
  const number = Number(String(memberOf(row, member)))
  if (Number.isSafeInteger(number) && number >= 0 && number <= 0xffffffff) return number
  throw wrongShape(method, `${member}: a whole number`)
}

/** The amount of a row, where it is one: the wallet does not need it. */
function reportedValue(row: unknown): { readonly value?: bigint } {
  const digits = String(memberOf(row, 'satoshis'))
  return /^[0-9]{1,19}$/.test(digits) ? { value: BigInt(digits) } : {}
}

function wrongShape(method: string, expected: string): RpcError {
  const message = `${method}: the daemon's answer has another form; expected ${expected}`
  return new RpcError('shape', message, { method, reason: 'unexpected_value', expected })
}
