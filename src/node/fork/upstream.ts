// The daemon below a forked node: the few methods that are ever sent to it, and the checks of what
// it answers.

import { decodeBlockHeader } from '../../block/header.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import { type StoredTransaction, storedTransaction } from '../state/stored-transaction.ts'
import { ForkError } from './fork-error.ts'

interface Settled {
  readonly status: 'fulfilled' | 'rejected'
  readonly value?: unknown
  readonly reason?: unknown
}

export interface ForkCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A client of the daemon, such as `createDaemonClient` makes. It is only read from. */
export interface ForkSource {
  batch(
    calls: readonly ForkCall[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Settled[]>
}

/** The methods that a forked node sends. None of them changes a daemon. */
export const readMethods = [
  'getinfo',
  'getbestblockhash',
  'getblockhash',
  'getblockheader',
  'getrawtransaction',
  'gettxout',
] as const

type ReadMethod = (typeof readMethods)[number]

interface ReadCall extends ForkCall {
  readonly method: ReadMethod
}

export interface UpstreamHeader {
  readonly hash: string
  readonly previousHash: string
  readonly version: number
  readonly merkleRoot: string
  readonly saplingRoot: string
  readonly time: number
  readonly nonce: string
  readonly solution: string
  /** Compact form, hex. */
  readonly bits: string
}

export interface UpstreamTransaction {
  readonly stored: StoredTransaction
  /** Absent while it waits in the daemon's mempool. */
  readonly height: number | undefined
}

export interface UpstreamOutput {
  readonly bestBlock: string
  readonly value: bigint
  readonly script: string
  readonly isCoinbase: boolean
}

export interface UpstreamFacts {
  readonly name: string
  readonly isTokeld: boolean
}

export interface Upstream {
  facts(): Promise<UpstreamFacts>
  bestHash(): Promise<string>
  /** The hash of a block of the best chain; `undefined` above its end. */
  hashAt(height: number): Promise<string | undefined>
  /** Headers by the hashes of their blocks, each of which was compared. */
  headers(hashes: readonly string[]): Promise<UpstreamHeader[]>
  hashesAt(heights: readonly number[]): Promise<string[]>
  heightOf(hash: string): Promise<number>
  /** By txid, in order; `undefined` for what the daemon does not have. */
  transactions(txids: readonly string[]): Promise<(UpstreamTransaction | undefined)[]>
  /** For each outpoint the output in the chain, and with the mempool; `null` where it is spent. */
  outputs(
    outpoints: readonly { readonly txid: string; readonly vout: number }[],
  ): Promise<
    { readonly confirmed: UpstreamOutput | null; readonly waiting: UpstreamOutput | null }[]
  >
}

/** Calls of one request. */
const batchMax = 50
/** Milliseconds after which one request is given up, whatever the client allows. */
const patienceMs = 30_000
// komodo src/rpc/protocol.h
const noSuchTransaction = -5
const noSuchHeight = -8

export function upstreamOf(source: ForkSource): Upstream {
  async function read(calls: readonly ReadCall[]): Promise<readonly Settled[]> {
    const answers: Settled[] = []
    for (let at = 0; at < calls.length; at += batchMax) {
      const part = calls.slice(at, at + batchMax)
      requireReadOnly(part)
      const settled = await answered(() =>
        source.batch(part, { signal: AbortSignal.timeout(patienceMs) }),
      )
      if (settled.length !== part.length) throw odd(part[0]!.method, `${part.length} answers`)
      answers.push(...settled)
    }
    return answers
  }
  const one = async (method: ReadMethod, params: readonly unknown[]): Promise<unknown> => {
    const [answer] = await read([{ method, params }])
    return settledValue(answer!)
  }

  const upstream: Upstream = {
    async facts() {
      const info = await one('getinfo', [])
      const { name, TokelVersion } = membersOf(info)
      if (typeof name !== 'string') throw odd('getinfo', 'the name of a chain')
      return { name, isTokeld: TokelVersion !== undefined }
    },
    async bestHash() {
      return hashIn(await one('getbestblockhash', []), 'getbestblockhash')
    },
    async hashAt(height) {
      const [answer] = await read([{ method: 'getblockhash', params: [height] }])
      if (codeOf(answer!) === noSuchHeight) return undefined
      return hashIn(settledValue(answer!), 'getblockhash')
    },
    async hashesAt(heights) {
      const answers = await read(
        heights.map((height) => ({ method: 'getblockhash', params: [height] })),
      )
      return answers.map((it) => hashIn(settledValue(it), 'getblockhash'))
    },
    async heightOf(hash) {
      const header = membersOf(await one('getblockheader', [hash]))
      const height = numberIn(header.height)
      if (height === undefined) throw odd('getblockheader', 'a height')
      return height
    },
    async headers(hashes) {
      const answers = await read(
        hashes.map((hash) => ({ method: 'getblockheader', params: [hash, false] })),
      )
      return answers.map((it, at) => headerIn(settledValue(it), hashes[at]!))
    },
    async transactions(txids) {
      const answers = await read(
        txids.map((txid) => ({ method: 'getrawtransaction', params: [txid, 1] })),
      )
      return answers.map((it, at) =>
        codeOf(it) === noSuchTransaction ? undefined : transactionIn(settledValue(it), txids[at]!),
      )
    },
    async outputs(outpoints) {
      const answers = await read(
        outpoints.flatMap(({ txid, vout }) =>
          [false, true].map(
            (mempool): ReadCall => ({ method: 'gettxout', params: [txid, vout, mempool] }),
          ),
        ),
      )
      return outpoints.map((_, at) => ({
        confirmed: outputIn(settledValue(answers[2 * at]!)),
        waiting: outputIn(settledValue(answers[2 * at + 1]!)),
      }))
    },
  }
  return upstream
}

/** Compares at the last moment, so that no fault elsewhere makes a fork send anything else. */
function requireReadOnly(calls: readonly ForkCall[]): void {
  for (const { method } of calls) {
    if (readMethods.some((it) => it === method)) continue
    throw new ForkError('not_read_only', `a fork does not send ${method}`)
  }
}

async function answered<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw unanswered(error)
  }
}

function unanswered(error: unknown): ForkError {
  const words = error instanceof Error ? error.message : 'no answer'
  return new ForkError('unanswered', `the daemon of the fork: ${words}`, { cause: error })
}

function settledValue({ status, value, reason }: Settled): unknown {
  if (status === 'rejected') throw unanswered(reason)
  return value
}

/** The daemon's code of a call that it refused. */
function codeOf({ status, reason }: Settled): unknown {
  if (status === 'fulfilled') return undefined
  const { kind, code } = membersOf(reason)
  return kind === 'daemon' ? code : undefined
}

function odd(method: string, expected: string): ForkError {
  return new ForkError('contradiction', `the daemon of the fork: ${method}: expected ${expected}`)
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function numberIn(value: unknown): number | undefined {
  const number = Number(String(value))
  return Number.isSafeInteger(number) && number >= 0 && number <= 0xffffffff ? number : undefined
}

function hashIn(value: unknown, method: string): string {
  if (typeof value === 'string' && isHex32(value.toLowerCase())) return value.toLowerCase()
  throw odd(method, 'a hash')
}

function headerIn(value: unknown, hash: string): UpstreamHeader {
  if (typeof value !== 'string') throw odd('getblockheader', 'hex')
  const { finalSaplingRoot, bits, ...header } = decoded(() => decodeBlockHeader(value), hash)
  if (header.hash !== hash) {
    throw new ForkError(
      'wrong_bytes',
      `the daemon of the fork answered the header of block ${hash} with that of ${header.hash}`,
    )
  }
  return { ...header, saplingRoot: finalSaplingRoot, bits: bits.toString(16).padStart(8, '0') }
}

function transactionIn(value: unknown, txid: string): UpstreamTransaction | undefined {
  const { hex, height, blockhash } = membersOf(value)
  if (typeof hex !== 'string') throw odd('getrawtransaction', 'hex')
  const stored = decoded(() => storedTransaction(hex), txid)
  if (stored.txid !== txid) {
    throw new ForkError(
      'wrong_bytes',
      `the daemon of the fork answered transaction ${txid} with ${stored.txid}`,
    )
  }
  if (blockhash === undefined) return { stored, height: undefined }
  // A block beside the best chain has the height -1: there, this transaction is in no block.
  if (Number(String(height)) === -1) return undefined
  const at = numberIn(height)
  if (at === undefined) throw odd('getrawtransaction', 'a height')
  return { stored, height: at }
}

function decoded<Value>(read: () => Value, hash: string): Value {
  try {
    return read()
  } catch (error) {
    if (!isAntaraError(error)) throw error
    const message = `the daemon of the fork answered ${hash} with bytes that cannot be read: ${error.message}`
    throw new ForkError('wrong_bytes', message, { cause: error })
  }
}

function outputIn(value: unknown): UpstreamOutput | null {
  if (value === null) return null
  const { bestblock, value: sats, scriptPubKey, coinbase } = membersOf(value)
  const { hex } = membersOf(scriptPubKey)
  if (typeof sats !== 'bigint' || typeof hex !== 'string' || typeof coinbase !== 'boolean') {
    throw odd('gettxout', 'an output, or null')
  }
  return {
    bestBlock: hashIn(bestblock, 'gettxout'),
    value: sats,
    script: hex.toLowerCase(),
    isCoinbase: coinbase,
  }
}
