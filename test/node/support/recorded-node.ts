// A node that has the recorded daemons' keys, and to which their calls are made again.

import { createEngine } from '../../../src/node/engine.ts'
import { contextOf } from '../../../src/node/methods/context.ts'
import { callMethod } from '../../../src/node/methods/table.ts'
import type { ChainProfile } from '../../../src/node/profile.ts'
import { withEntry } from '../../../src/node/state/ordered-map.ts'
import { storedTransaction } from '../../../src/node/state/stored-transaction.ts'
import { blockAt } from '../../../src/node/state/view.ts'
import { emptyWallet, keyOfWif, withKey } from '../../../src/node/state/wallet.ts'
import { jsonRpc } from '../../../src/server/json-rpc.ts'
import { chain, readVectors } from '../../support/vectors.ts'
import { type Dated, datedExchanges, komodod, type Recording, recordedBlock } from '../timeline.ts'

const keys =
  readVectors<Record<'A' | 'B', { wif: string; address: string; pubkey: string }>>(
    'komodod/keys.json',
  )

/** The differences between recorded daemons. */
interface RecordedDaemon {
  readonly recording: Recording
  readonly profile: Partial<ChainProfile>
  /** Seconds since 1970 at which the two daemons were started. */
  readonly startedAt: readonly [number, number]
  readonly rpcPorts: readonly [number, number]
}

/** A node with the recorded daemons' keys, whose chain is brought up as the recording goes on. */
export function recordedNode(nulldataBytesMax: number) {
  return recordedNodeOf({
    recording: komodod,
    profile: { nulldataBytesMax },
    startedAt: [1795243892, 1795243898],
    rpcPorts: [18771, 18781],
  })
}

export function recordedNodeOf({ recording, profile, startedAt, rpcPorts }: RecordedDaemon) {
  const engine = createEngine({ time: startedAt[0] + 12, profile })
  const { network } = engine.rules
  const wallets = (['A', 'B'] as const).map((name) => {
    const wallet = withKey(
      { ...emptyWallet, pubkey: keys[name].pubkey },
      keyOfWif(keys[name].wif, network),
    )
    return { ...wallet, accounts: withEntry(wallet.accounts, keys[name].address, '') }
  })
  engine.state = { ...engine.state, wallets }
  const contextFor = (identity: number) =>
    contextOf({
      engine,
      identity,
      startedAt: startedAt[identity]!,
      rpcPort: rpcPorts[identity]!,
      afterBroadcast: () => undefined,
      mineBlock: () => '',
      stop: () => undefined,
    })
  const servers = [0, 1].map((identity) =>
    jsonRpc(({ method, params }) => callMethod(contextFor(identity), method, params)),
  )
  return {
    engine,
    advanceTo(height: number) {
      for (let next = engine.state.chain.tip.height + 1; next <= height; next += 1) {
        const transactions = recordedBlock(next, recording).map(storedTransaction)
        engine.state = { ...engine.state, time: transactions[0]!.transaction.lockTime }
        engine.importBlock({ transactions })
      }
    },
    answer: (identity: number, body: string) => servers[identity]!({ body }),
  }
}

/** The wallet's coin order decides these, and where change goes is drawn at random. */
const walletSends = ['sendtoaddress', 'sendmany']
const transactionOf = new Map(chain.map(({ txid, hex, height }) => [txid, { hex, height }]))

/** Makes a recorded call: it takes the text of a request and returns the node's answer. */
export type Ask = (exchange: Dated, request: string, server: HttpServer) => Promise<Answered>
type HttpServer = (body: string) => Promise<Answered>

interface Answered {
  readonly status: number
  readonly body: string
}

/** Makes every recorded call in order, and says what the node answered. */
export async function replay(
  ask: Ask = (_, request, server) => server(request),
): Promise<(Dated & { ours: Answered })[]> {
  const usual = recordedNode(208)
  const wide = recordedNode(10_000)
  const results: (Dated & { ours: Answered })[] = []
  /** The heights of the recorded chain, by block hash. */
  const heightOfHash = new Map<string, number>()
  let at = ''
  for (const exchange of datedExchanges()) {
    // The HTTP server refuses before it reads a request: test/node/http.test.ts.
    if (exchange.raw !== undefined && (exchange.raw !== '{}' || exchange.status === 405)) continue
    const { engine, advanceTo, answer } = exchange.at.startsWith('26') ? wide : usual
    advanceTo(exchange.tip)
    for (const [, hash, height] of exchange.response.matchAll(
      /"blockhash":"([0-9a-f]{64})","height":(\d+)/g,
    )) {
      heightOfHash.set(hash!, Number(height))
    }
    const { method = '' } = exchange.request.startsWith('{') ? JSON.parse(exchange.request) : {}
    if (exchange.at !== at) {
      // one scenario's daemon was started without -pubkey
      at = exchange.at
      const [a, b] = engine.state.wallets
      const pubkey = at.startsWith('27') ? undefined : keys.B.pubkey
      engine.state = { ...engine.state, wallets: [a!, { ...b!, pubkey }] }
    }
    const sent = transactionOf.get(/"result":"([0-9a-f]{64})"/.exec(exchange.response)?.[1] ?? '')
    const time = sent === undefined ? undefined : timeOfBlock(sent.height)
    if (time !== undefined) engine.state = { ...engine.state, time }
    const before = engine.state
    const request = exchange.request.replace(
      /"getblockheader", "params": \["([0-9a-f]{64})"/,
      (all, hash: string) => {
        const ours = blockAt(engine, heightOfHash.get(hash) ?? 0)!.hash
        return all.replace(hash, ours)
      },
    )
    const identity = exchange.identity === 'A' ? 0 : 1
    const ours = await ask(exchange, request, (body) => answer(identity, body))
    if (walletSends.includes(method) && sent !== undefined) {
      engine.state = before
      engine.broadcast(sent.hex)
    }
    results.push({ ...exchange, ours })
  }
  return results
}

function timeOfBlock(height: number): number {
  return storedTransaction(recordedBlock(height)[0]!).transaction.lockTime
}
