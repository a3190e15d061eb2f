// A daemon, a node that is forked from it, and whatever goes wrong between the two.

import { createDevNode, type DevNode, type DevNodeOptions } from '../../../src/node/index.ts'
import { createDaemonClient, type DaemonClient } from '../../../src/rpc/index.ts'

interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

interface Answer {
  readonly result: unknown
  readonly error: unknown
}

export interface Between {
  /** Every method that left the fork, in order. */
  readonly methods: string[]
  /** Changes one answer of the daemon; the answer stays as it is by default. */
  change: (call: Call, answer: Answer) => Partial<Answer>
  /** Called before each request; may answer it, or fail. */
  before: () => Response | Promise<Response | undefined> | undefined
  readonly client: DaemonClient
}

/** A client of `daemon` whose answers a test may change. */
export function between(
  daemon: Pick<DevNode, 'fetch'>,
  options: { readonly timeoutMs?: number; readonly password?: string } = {},
): Between {
  const it: Between = {
    methods: [],
    change: () => ({}),
    before: () => undefined,
    client: createDaemonClient({
      url: 'http://127.0.0.1',
      user: 'user',
      password: 'password',
      retry: false,
      ...options,
      fetch: async (input, init) => {
        const calls: Call[] = [JSON.parse(String(init?.body))].flat()
        it.methods.push(...calls.map(({ method }) => method))
        const instead = await it.before()
        if (instead !== undefined) return instead
        const reply = await daemon.fetch(input as never, init as never)
        const answers = [await reply.json()].flat() as Answer[]
        const changed = answers.map((answer, at) => ({
          ...answer,
          ...it.change(calls[at]!, answer),
        }))
        return new Response(JSON.stringify(changed))
      },
    }),
  }
  return it
}

/** A daemon with coins, and a fork of it. Blocks come only when a test asks for them. */
export async function forkedNode(options: DevNodeOptions = {}) {
  const { network } = options
  const daemon = await createDevNode({
    listen: false,
    mine: 'manual',
    ...(network !== undefined && { network }),
  })
  daemon.mine(20)
  const wire = between(daemon)
  const fork = await createDevNode({ listen: false, mine: 'manual', ...options, fork: wire.client })
  return {
    daemon,
    wire,
    fork,
    verdict: async (hex: string) =>
      (await fork.request('testmempoolaccept', [hex])) as {
        readonly allowed: boolean
        readonly txid: string
        readonly fee?: number
        readonly code?: number
        readonly 'reject-reason'?: string
        readonly reason?: string
      },
    close: () => Promise.all([fork.close(), daemon.close()]),
  }
}

/** A signed payment that was never sent: the daemon made it and forgot it. */
export async function unsentPayment(daemon: DevNode, coins = 1): Promise<string> {
  const before = daemon.snapshot()
  const { address } = daemon.identities[1]!
  const txid = await daemon.request('sendtoaddress', [address, coins])
  const hex = (await daemon.request('getrawtransaction', [txid])) as string
  daemon.revert(before)
  return hex
}
