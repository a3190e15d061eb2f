// Every call that was recorded of a komodod, made again in order to a node that has its chain.

import { expect, test } from 'vitest'
import { createEngine } from '../../src/node/engine.ts'
import { jsonRpc } from '../../src/node/http/json-rpc.ts'
import type { Context } from '../../src/node/methods/context.ts'
import { callMethod } from '../../src/node/methods/table.ts'
import { withEntry } from '../../src/node/state/ordered-map.ts'
import { storedTransaction } from '../../src/node/state/stored-transaction.ts'
import { blockAt } from '../../src/node/state/view.ts'
import { emptyWallet, keyOfWif, withKey } from '../../src/node/state/wallet.ts'
import { chain, readVectors } from '../support/vectors.ts'
import { type Dated, datedExchanges, recordedBlock } from './timeline.ts'

const keys =
  readVectors<Record<'A' | 'B', { wif: string; address: string; pubkey: string }>>(
    'komodod/keys.json',
  )

/** A node with the recorded daemons' keys, whose chain is brought up as the recording goes on. */
function recordedNode(nulldataBytesMax: number) {
  const engine = createEngine({ time: 1795243904, profile: { nulldataBytesMax } })
  const { network } = engine.rules
  const wallets = (['A', 'B'] as const).map((name) => {
    const wallet = withKey(
      { ...emptyWallet, pubkey: keys[name].pubkey },
      keyOfWif(keys[name].wif, network),
    )
    return { ...wallet, accounts: withEntry(wallet.accounts, keys[name].address, '') }
  })
  engine.state = { ...engine.state, wallets }
  const contextOf = (identity: number): Context => ({
    engine,
    identity,
    startedAt: identity === 0 ? 1795243892 : 1795243898,
    rpcPort: identity === 0 ? 18771 : 18781,
    afterBroadcast: () => undefined,
    mineBlock: () => '',
    stop: () => undefined,
  })
  const doors = [0, 1].map((identity) =>
    jsonRpc(({ method, params }) => callMethod(contextOf(identity), method, params)),
  )
  return {
    engine,
    advanceTo(height: number) {
      for (let next = engine.state.chain.tip.height + 1; next <= height; next += 1) {
        const transactions = recordedBlock(next).map(storedTransaction)
        engine.state = { ...engine.state, time: transactions[0]!.transaction.lockTime }
        engine.importBlock({ transactions })
      }
    },
    answer: (identity: number, body: string) => doors[identity]!({ body }),
  }
}

/** What no node can know of the daemon that it is compared with. */
const normalizations: readonly (readonly [why: string, what: RegExp, by: string])[] = [
  [
    'proof of work, and the hashes that follow from it',
    /"(blockhash|bestblock|bestblockhash|hash|previousblockhash|nextblockhash|nonce|solution|bits|chainwork)":"[0-9a-f]+"/g,
    '"$1":""',
  ],
  ['difficulty, by the time that was worked', /"difficulty":[0-9.]+/g, '"difficulty":0'],
  ['peers', /"connections":\d+/g, '"connections":0'],
  ['the seed of a wallet', /"seedfp":"[0-9a-f]+"/g, '"seedfp":""'],
]

/** Results that are a block's hash, or begin with its header. */
const hashMethods = ['getbestblockhash', 'getblockhash']
const headerCharacters = 2 * (140 + 1 + 36)

function normalized(text: string, { request, response }: Dated): string {
  const { method = '' } = request.startsWith('{') ? JSON.parse(request) : {}
  let plain = text
  if (hashMethods.includes(method)) plain = plain.replace(/[0-9a-f]{64}/, '')
  if (method === 'getblock')
    plain = plain.replace(
      /^({"result":")04000000[0-9a-f]+/,
      (all, head) => head + all.slice(head.length + headerCharacters),
    )
  // what help says after its first line is the daemon's own prose
  if (/\\n(?:\\n|Returns)/.test(response)) plain = plain.replace(/\\n.*(".*}\n)$/, '$1')
  return normalizations.reduce((all, [, pattern, by]) => all.replace(pattern, by), plain)
}

/** The wallet's coin order decides these, and where change goes is drawn at random. */
const walletSends = ['sendtoaddress', 'sendmany']
const transactionOf = new Map(chain.map(({ txid, hex, height }) => [txid, { hex, height }]))

async function replay() {
  const usual = recordedNode(208)
  const wide = recordedNode(10_000)
  const results: (Dated & { ours: string; isEqual: boolean })[] = []
  /** Of the recorded chain. */
  const heightOfHash = new Map<string, number>()
  let at = ''
  for (const exchange of datedExchanges()) {
    // refusals before a request is read are the door's: test/node/http.test.ts
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
        const ours = blockAt(engine.state, engine.rules, heightOfHash.get(hash) ?? 0)!.hash
        return all.replace(hash, ours)
      },
    )
    const { body, status } = await answer(exchange.identity === 'A' ? 0 : 1, request)
    if (walletSends.includes(method) && sent !== undefined) {
      engine.state = before
      engine.broadcast(sent.hex)
    }
    const isEqual =
      status === exchange.status &&
      normalized(body, exchange) === normalized(exchange.response, exchange)
    results.push({ ...exchange, ours: body, isEqual })
  }
  return results
}

function timeOfBlock(height: number): number {
  return storedTransaction(recordedBlock(height)[0]!).transaction.lockTime
}

/** What differs, and why it must. */
const knownDifferences: readonly (readonly [what: RegExp, count: number])[] = [
  // coins of a wallet are chosen, and change is placed, at random
  [/^15.*\|(sendtoaddress|sendmany)\|/, 3],
  [/^15.*\|gettransaction\|wallet view sendmany/, 1],
  // what stands in a condition for a key that is none is what the daemon's memory holds
  [/^12.*\|tokentransfer\|(bad dest pubkey hex|empty dest pubkey|address instead of pubkey)/, 3],
  [/^20.*\|tokentransfer\|tokentransfer to pubkey: (empty|bad hex)/, 2],
  // the two daemons' clocks, a second apart
  [/^(10|29).*\|gettransaction\|wallet view (B->A|tokenbid)/, 2],
  // other methods, and no peers
  [/^14.*\|help\|help help/, 1],
  [/^16.*\|getpeerinfo\|/, 1],
  [/^28.*\|decodeccopret\|/, 4],
]

test('answers as the recorded daemon did', async () => {
  const results = await replay()
  const names = results
    .filter(({ isEqual }) => !isEqual)
    .map(({ at, note, request }) => `${at}|${JSON.parse(request).method}|${note}`)
  console.log(`${results.length - names.length} of ${results.length} calls byte-equal`)
  const unexpected = names.filter((name) => !knownDifferences.some(([what]) => what.test(name)))
  expect(unexpected).toEqual([])
  const found = knownDifferences.map(([what]) => names.filter((name) => what.test(name)).length)
  expect(found).toEqual(knownDifferences.map(([, count]) => count))
  expect(results.length).toBe(777)
})
