// When each recorded call was made: the recordings tell no heights, but their answers do.

import { decodeTransaction, type Transaction } from '../../src/index.ts'
import { tokelChain } from '../support/tokeld.ts'
import { type ChainTransaction, chain, readVectors } from '../support/vectors.ts'

export interface Exchange {
  readonly at: string
  readonly note: string | null
  readonly raw?: string
  readonly request: string
  readonly status: number
  readonly response: string
}

export interface Dated extends Exchange {
  /** Height of the recorded chain's tip when the call came. */
  readonly tip: number
  /** The owner of the daemon that received the call. */
  readonly identity: 'A' | 'B'
}

/** The exchanges with a real daemon, and its chain. */
export interface Recording {
  readonly exchanges: string
  readonly chain: readonly ChainTransaction[]
  readonly heightOf: ReadonlyMap<string, number>
  readonly spentAt: ReadonlyMap<string, number>
}

function recordingOf(exchanges: string, transactions: readonly ChainTransaction[]): Recording {
  const spentAt = transactions.flatMap(({ hex, height }) =>
    decodeTransaction(hex).inputs.map(({ txid, vout }) => [`${txid}:${vout}`, height] as const),
  )
  return {
    exchanges,
    chain: transactions,
    heightOf: new Map(transactions.map(({ txid, height }) => [txid, height])),
    spentAt: new Map(spentAt),
  }
}

export const komodod: Recording = recordingOf('rpc/komodod.json', chain)
export const tokeld: Recording = recordingOf('rpc/tokeld.json', tokelChain)

/** The transactions of the recorded block of a height. */
export function recordedBlock(height: number, recording: Recording = komodod): string[] {
  return recording.chain.filter((it) => it.height === height).map(({ hex }) => hex)
}

/** komodo src/main.h, DEFAULT_TX_EXPIRY_DELTA, and the next block */
const expiryAhead = 201

/**
 * Returns all recorded exchanges in the order in which they were made. Within a scenario each
 * daemon's calls are in order; the contents of the answers order those of two daemons.
 */
export function datedExchanges(recording: Recording = komodod): Dated[] {
  const { exchanges } = readVectors<{ exchanges: Exchange[] }>(recording.exchanges)
  let tip = 0
  return [...new Set(exchanges.map(({ at }) => at))].flatMap((at) => {
    const runs = runsOf(exchanges.filter((it) => it.at === at))
    const dated = runs
      .flatMap((run, index) =>
        datedRun(recording, run, { tip, isSecond: runs.length > 1 && index % 2 === 1 }),
      )
      .sort((one, other) => one.tip - other.tip)
    tip = Math.max(tip, ...dated.map((it) => it.tip))
    return dated
  })
}

/** Ids count up for each daemon: where they do not go on, another one was called. */
function runsOf(exchanges: readonly Exchange[]): Exchange[][] {
  const runs: Exchange[][] = []
  let expected: number | undefined
  for (const exchange of exchanges) {
    const { id } = (parsed(exchange.request) ?? {}) as { id?: unknown }
    const isCounted = exchange.raw === undefined && typeof id === 'number'
    // exports of keys were left out of the recordings
    const goesOn = expected === undefined || (isCounted && id >= expected && id < expected + 4)
    if (runs.length === 0 || (isCounted && !goesOn)) runs.push([])
    runs.at(-1)!.push(exchange)
    if (isCounted) expected = id + 1
  }
  return runs
}

function datedRun(
  recording: Recording,
  run: readonly Exchange[],
  { tip: from, isSecond }: { readonly tip: number; readonly isSecond: boolean },
): Dated[] {
  let tip = from
  let lastMined = 0
  return run.map((exchange) => {
    const least = isAfterwards(exchange.note)
      ? lastMined
      : exchange.note === 'NFT amount 2'
        ? tip + 1
        : 0
    tip = Math.max(tip, reported(recording, exchange, tip), least)
    lastMined = Math.max(lastMined, minedAt(recording, exchange))
    const at = exchange.at.slice(0, 2)
    const isOfB = recording === komodod && (at === '10' || at === '27')
    const identity = isSecond || isOfB ? 'B' : 'A'
    return { ...exchange, tip, identity }
  })
}

/** Notes of calls that were made once what was sent had been mined. */
function isAfterwards(note: string | null | undefined): boolean {
  return note === 'after'
}

/** The height of the block that took in what was sent. */
function minedAt({ heightOf }: Recording, { request, response }: Exchange): number {
  if (!request.includes('"method": "sendrawtransaction"')) return 0
  return heightOf.get(String((parsed(response) as { result?: unknown }).result)) ?? 0
}

interface Call {
  readonly method?: string
  readonly params?: readonly unknown[]
}

interface RpcError {
  readonly code: number
  readonly message: string
}

function reported(recording: Recording, { request, response }: Exchange, before: number): number {
  const { heightOf } = recording
  const call = parsed(request) as Call | undefined
  const answer = parsed(response) as { result?: unknown; error?: RpcError } | undefined
  const { result, error } = answer ?? {}
  switch (call?.method) {
    case 'sendrawtransaction':
      return heightOfBroadcast(recording, String(call.params?.[0]), { result, error, before })
    case 'tokeninfo':
    case 'tokenv2info':
      return member(result, 'result') === 'success'
        ? (heightOf.get(String(call.params?.[0])) ?? 0)
        : 0
    case 'getblockcount':
      return typeof result === 'number' ? result : 0
    case 'gettxout':
      return confirmedAt(recording, String(call.params?.[0]), result)
    default:
      break
  }
  const hex = member(result, 'hex')
  if (typeof hex === 'string' && isBuilt(call?.method, result)) {
    return decodeTransaction(hex).expiryHeight - expiryAhead
  }
  const blocks = member(result, 'blocks')
  if (typeof blocks === 'number') return blocks
  const txid = member(result, 'txid')
  return typeof txid === 'string' ? confirmedAt(recording, txid, result) : 0
}

/** tokeld's methods for orders report no success beside the hex. */
function isBuilt(method: string | undefined, result: unknown): boolean {
  return member(result, 'result') === 'success' || /^token/.test(method ?? '')
}

interface Broadcast {
  readonly result: unknown
  readonly error: RpcError | undefined
  readonly before: number
}

function heightOfBroadcast(
  { heightOf, spentAt }: Recording,
  hex: string,
  { result, error, before }: Broadcast,
): number {
  const mined = heightOf.get(String(result))
  if (mined !== undefined) return mined - 1
  const transaction = decoded(hex)
  if (transaction === undefined) return 0
  if (error?.code === -27) return heightOf.get(transaction.txid) ?? 0
  // a parent that is there no more was spent by a block that came since
  if (error?.message === 'Missing inputs')
    return Math.max(
      0,
      ...transaction.inputs
        .map((it) => spentAt.get(`${it.txid}:${it.vout}`) ?? 0)
        .filter((height) => height <= before + 1),
    )
  // crafted from what the daemon had just built
  const built = transaction.expiryHeight - expiryAhead
  return built > before && built < before + 3 ? built : 0
}

function confirmedAt({ heightOf }: Recording, txid: string, result: unknown): number {
  const confirmations = member(result, 'rawconfirmations')
  const height = heightOf.get(txid)
  if (typeof confirmations !== 'number' || confirmations < 1 || height === undefined) return 0
  return height + confirmations - 1
}

function decoded(hex: string): Transaction | undefined {
  try {
    return decodeTransaction(hex)
  } catch {
    return undefined
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
