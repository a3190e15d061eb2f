// The servers of a node: one for the daemon of each identity, and one of the Electrum protocol.

import { randomBytes } from 'node:crypto'
import type { DevNodeOptions } from './dev-node-options.ts'
import type { ElectrumServer } from './electrum/electrum-server.ts'
import type { Engine } from './engine.ts'
import type { Faults } from './faults.ts'
import type { Fork } from './fork/fork.ts'
import { type Context, contextOf } from './methods/context.ts'
import { answered, type HttpServer, type RequestHandler } from './request-handler.ts'

interface NodeServers {
  readonly user: string
  readonly password: string
  /** Resolves once the server of every identity has ended. */
  readonly ended: Promise<void>
  /** The methods of an identity, whether it listens or not. */
  handlerOf(identity: number): RequestHandler
  /** Empty where it does not listen. */
  urlOf(identity: number): string
  /** The identity whose server has a URL; the first for any other URL. */
  identityAt(url: string): number
  electrumUrl(): string
  listen(): Promise<void>
  /** May be called twice. */
  close(): Promise<void>
}

interface Served {
  readonly engine: Engine
  readonly faults: Faults
  readonly below: Fork | undefined
  readonly identityCount: number
  readonly options: DevNodeOptions
  readonly mineBlock: (identity: number) => string
}

export function nodeServers(served: Served): NodeServers {
  const { engine, faults, below, identityCount, options, mineBlock } = served
  const password = options.password ?? randomBytes(24).toString('base64url')
  const user = options.user ?? 'user'
  const servers: (HttpServer | undefined)[] = []
  const startedAt = Math.floor(Date.now() / 1000)
  let electrum: ElectrumServer | undefined
  let closed: Promise<void> | undefined
  const stopped = new Set<number>()
  let tellEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve
  })

  const contextFor = (identity: number): Context =>
    contextOf({
      engine,
      identity,
      startedAt,
      rpcPort: servers[identity]?.port ?? 0,
      afterBroadcast: () => {
        if ((options.mine ?? 'auto') === 'auto') mineBlock(identity)
      },
      mineBlock: () => mineBlock(identity),
      stop: () => {
        stopped.add(identity)
        void servers[identity]?.close()
        if (stopped.size === identityCount) tellEnded()
      },
    })
  const handlerOf = (identity: number) =>
    answered(contextFor, identity, { faults, below, ...options })

  return {
    user,
    password,
    ended,
    handlerOf,
    urlOf: (identity) => servers[identity]?.url ?? '',
    identityAt(url) {
      const at = servers.findIndex((server) => server !== undefined && url.startsWith(server.url))
      return Math.max(0, at)
    },
    electrumUrl: () => electrum?.url ?? '',
    async listen() {
      if (options.electrum !== undefined && options.electrum !== false) {
        const { port = 0 } = options.electrum === true ? {} : options.electrum
        // Most nodes have no such server, and start sooner without this code.
        const { openElectrumServer } = await import('./electrum/electrum-server.ts')
        electrum = await openElectrumServer({ engine, faults, port, daemon: () => contextFor(0) })
      }
      if (options.listen === false) return
      for (let at = 0; at < identityCount; at += 1) {
        const port = options.listen?.port
        servers[at] = await handlerOf(at).listen({
          ...options.listen,
          user,
          password,
          ...(port !== undefined && { port: port === 0 ? 0 : port + at }),
        })
      }
    },
    close() {
      closed ??= Promise.all([...servers, electrum].map((it) => it?.close())).then(tellEnded)
      return closed
    },
  }
}
