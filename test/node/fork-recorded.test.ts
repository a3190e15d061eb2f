// Every transaction that was sent to a recorded daemon. A node that is forked from the daemon decides
// about it first, and the recording has the daemon's own decision.

import { expect, test } from 'vitest'
import { networks } from '../../src/index.ts'
import { createDevNode, type DevNode, type DevNodeOptions } from '../../src/node/index.ts'
import { createDaemonClient } from '../../src/rpc/index.ts'
import { type Ask, replay } from './support/recorded-node.ts'
import { replayTokeld } from './support/recorded-tokeld.ts'
import type { Dated } from './timeline.ts'

interface Verdict {
  readonly allowed: boolean
  readonly txid?: string
  readonly code?: number
  readonly 'reject-reason'?: string
}

/** A node that is forked from whichever server was named last. */
function forkOf(options: DevNodeOptions) {
  let answer: (body: string) => Promise<{ readonly status: number; readonly body: string }>
  const client = createDaemonClient({
    url: 'http://127.0.0.1',
    user: 'user',
    password: 'password',
    fetch: async (_, init) => {
      const reply = await answer(String(init?.body))
      return new Response(reply.body, { status: reply.status })
    },
  })
  let node: DevNode | undefined
  return {
    async verdictOn(hex: string, server: typeof answer): Promise<Verdict> {
      answer = server
      node ??= await createDevNode({ ...options, fork: client, listen: false })
      return (await node.request('testmempoolaccept', [hex])) as Verdict
    },
    close: () => node?.close(),
  }
}

/** The decision of a verdict, in the form of the recorded answer. */
function decisionOf({ allowed, txid, code, ...rest }: Verdict): string {
  return allowed ? `${txid}` : `${code} ${rest['reject-reason']}`
}

function recordedDecision({ response }: Dated): string {
  const { result, error } = JSON.parse(response)
  return error === null ? result : `${error.code} ${error.message}`
}

/** Compares each transaction before it is sent on. */
async function decisions(
  run: (ask: Ask) => Promise<unknown>,
  optionsOf: (exchange: Dated) => DevNodeOptions,
) {
  const forks = new Map<string, ReturnType<typeof forkOf>>()
  const compared: { readonly at: string; readonly ours: string; readonly theirs: string }[] = []
  await run(async (exchange, request, server) => {
    const { method, params } = JSON.parse(request)
    // A list of one parameter is a transaction; a second one would allow a high fee.
    const isSent = method === 'sendrawtransaction' && params.length === 1
    if (isSent && typeof params[0] === 'string') {
      const options = optionsOf(exchange)
      const key = String(options.profile?.nulldataBytesMax)
      const fork = forks.get(key) ?? forkOf(options)
      forks.set(key, fork)
      const ours = decisionOf(await fork.verdictOn(params[0], server))
      const at = `${exchange.at}|${exchange.note}`
      compared.push({ at, ours, theirs: recordedDecision(exchange) })
    }
    return server(request)
  })
  await Promise.all([...forks.values()].map((fork) => fork.close()))
  return {
    compared: compared.length,
    accepted: compared.filter(({ theirs }) => /^[0-9a-f]{64}$/.test(theirs)).length,
    different: compared.filter(({ ours, theirs }) => ours !== theirs),
  }
}

test('a fork of a komodod decides as the komodod did when it was sent', async () => {
  const result = await decisions(replay, ({ at }) => ({
    profile: { nulldataBytesMax: at.startsWith('26') ? 10_000 : 208 },
  }))
  expect(result).toEqual({ compared: 151, accepted: 78, different: [] })
})

test('a fork of a tokeld decides as the tokeld did when it was sent', async () => {
  const result = await decisions(replayTokeld, () => ({
    network: networks.tokel,
    profile: { nulldataBytesMax: 8192 },
  }))
  expect(result).toEqual({ compared: 65, accepted: 39, different: [] })
})
