// The daemon below a forked node, and the few methods that are ever sent to it.

import type { BaseTransaction } from '../state/base-chain.ts'
import {
  codeOf,
  hashIn,
  headerIn,
  membersOf,
  numberIn,
  outputIn,
  type Settled,
  settledValue,
  transactionIn,
  type UpstreamHeader,
  type UpstreamOutput,
  unanswered,
  unexpectedAnswer,
} from './answers.ts'
import { ForkError } from './fork-error.ts'

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
  transactions(txids: readonly string[]): Promise<(BaseTransaction | undefined)[]>
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
      if (settled.length !== part.length)
        throw unexpectedAnswer(part[0]!.method, `${part.length} answers`)
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
      if (typeof name !== 'string') throw unexpectedAnswer('getinfo', 'the name of a chain')
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
      if (height === undefined) throw unexpectedAnswer('getblockheader', 'a height')
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
