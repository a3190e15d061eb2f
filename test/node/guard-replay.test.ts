// Makes the recorded builds and sends of komodod and tokeld again through a guard. The node behind
// it has the recorded chain and keys.

import { afterEach, expect, test } from 'vitest'
import { createGuard, type Guard } from '../../src/guard/index.ts'
import { networks } from '../../src/index.ts'
import { classOfMethod } from '../../src/rpc/daemon/method-classes.ts'
import { reply, startServer } from '../contract/support/server.ts'
import { readVectors } from '../support/vectors.ts'
import { authorization, password, user } from './support/guarded.ts'
import { rawRequest } from './support/raw.ts'
import { type Ask, replay } from './support/recorded-node.ts'
import { replayTokeld } from './support/recorded-tokeld.ts'

const keys = readVectors<Record<'A' | 'B', { pubkey: string }>>('komodod/keys.json')
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

type Server = Parameters<Ask>[2]

interface Ended {
  readonly method: string
  /** Says `as recorded`, or has the first words with which the guard refused. */
  readonly ending: string
  /** True if the recorded answer has a transaction. */
  readonly isHexRecorded: boolean
}

/** Replays through guards, and tells how each build and send ended. */
async function replayThrough(
  name: 'assetChain' | 'tokel',
  all: (ask: Ask) => Promise<unknown>,
): Promise<Ended[]> {
  let current: Server
  const daemon = await startServer(async ({ body }, response) => {
    const { status, body: text } = await current(body)
    reply(response, status, text)
  })
  open.push(daemon)
  const guardFor = async (owner: 'A' | 'B'): Promise<Guard> => {
    const guard = await createGuard({
      daemon: { url: daemon.url, credentials: () => ({ user, password }) },
      pubkey: keys[owner].pubkey,
      network: networks[name],
      allowUnenforcedPrices: true,
    })
    open.push(guard)
    return guard
  }
  const guardOfHex = new Map<string, Guard>()
  let last = await guardFor('A')
  const endings: Ended[] = []
  await all(async ({ identity, status, response }, request, server) => {
    const { method, params } = callOf(request)
    const methodClass = classOfMethod(method)
    if (methodClass !== 'build' && methodClass !== 'send') return server(request)
    current = server
    // The recordings build several times from the same coins, so each build has its own journal.
    if (methodClass === 'build') last = await guardFor(identity)
    const { url } = guardOfHex.get(String(params[0])) ?? last
    const answer = await rawRequest(url, { headers: { authorization }, body: request })
    const isRecorded = answer.status === status && answer.body === response
    const refusal = /guard: (?:rejected: )?\w+/.exec(answer.body)?.[0]
    const hex = /"hex":"([^"]+)"/.exec(answer.body)?.[1]
    if (hex !== undefined) guardOfHex.set(hex, last)
    endings.push({
      method,
      ending: isRecorded ? 'as recorded' : (refusal ?? 'the words of the daemon'),
      isHexRecorded: response.includes('"hex":"'),
    })
    // The next calls rest on what the recording sent, also if the guard refused to send it.
    return isRecorded || methodClass === 'build' ? answer : server(request)
  })
  return endings
}

function callOf(request: string): { readonly method: string; readonly params: readonly unknown[] } {
  try {
    const { method, params } = JSON.parse(request)
    return { method: String(method), params: Array.isArray(params) ? params : [] }
  } catch {
    return { method: '', params: [] }
  }
}

/** Counts the endings of the methods whose names match. */
function countsOf(endings: readonly Ended[], pattern: RegExp): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { method, ending } of endings) {
    if (pattern.test(method)) counts[ending] = (counts[ending] ?? 0) + 1
  }
  return counts
}

// The guard refuses texts that two readers read differently, keys that nobody has, data that nodes
// do not relay, tokens that nobody could move, and what several keys sign.
test.each([
  [
    'assetChain',
    replay,
    {
      builds: {
        'as recorded': 38,
        // Their data begin with an eval code, so that no node takes a transfer of the token.
        'guard: held': 5,
        'guard: params': 36,
        'guard: rejected: intent_amount': 1,
        'guard: rejected: intent_description': 1,
        'guard: rejected: intent_module_key': 1,
        'guard: rejected: intent_name': 2,
        'guard: rejected: intent_nft_supply': 1,
        'guard: rejected: intent_pubkey': 2,
        'guard: rejected: intent_tokenid': 1,
        'guard: rejected: nulldata_too_large': 12,
        // One daemon of the recordings had no key.
        'the words of the daemon': 2,
      },
      refusedThoughBuilt: {
        'guard: held': 5,
        'guard: params': 13,
        'guard: rejected: intent_module_key': 1,
        'guard: rejected: intent_pubkey': 2,
        'guard: rejected: nulldata_too_large': 12,
        'guard: signrawtransaction': 2,
      },
      // A send that is in the chain already is not an error, because it may be repeated.
      sends: {
        'as recorded': 23,
        'guard: params': 3,
        'guard: this': 125,
        'the words of the daemon': 3,
      },
    },
  ],
  [
    'tokel',
    replayTokeld,
    {
      builds: {
        'as recorded': 42,
        'guard: held': 2,
        'guard: params': 25,
        'guard: rejected: intent_amount': 1,
        'guard: rejected: intent_description': 1,
        'guard: rejected: intent_name': 2,
        'guard: rejected: intent_properties': 2,
        'guard: rejected: intent_pubkey': 2,
        'guard: rejected: intent_tokenid': 1,
        'the words of the daemon': 1,
      },
      refusedThoughBuilt: { 'guard: held': 2, 'guard: params': 5, 'guard: addccv2signature': 1 },
      sends: { 'as recorded': 30, 'guard: this': 35 },
    },
  ],
] as const)('builds and sends of %s', { timeout: 240_000 }, async (name, all, expected) => {
  const endings = await replayThrough(name, (ask) => all(ask))
  expect(countsOf(endings, /^token(?!v2addccinputs)/)).toEqual(expected.builds)
  expect(countsOf(endings, /^sendraw/)).toEqual(expected.sends)
  const built = endings.filter(
    ({ isHexRecorded, ending }) => isHexRecorded && ending !== 'as recorded',
  )
  expect(countsOf(built, /./)).toEqual(expected.refusedThoughBuilt)
})
