import { requireObject, requireString } from '../primitives/arguments.ts'
import { type MemberTable, memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { notify } from '../primitives/observers.ts'
import type { DaemonCredentials } from '../rpc/daemon/protocol.ts'
import { checkedUrl } from '../rpc/transport.ts'
import {
  type Answer,
  type HttpServerOptions,
  openHttpServer,
  type RequestHead,
} from '../server/http-server.ts'
import { admission, isSecret } from '../server/serve.ts'
import type { DecisionEntry, DecisionRecord, Metrics, Policy, Users } from './decision.ts'
import { dispatcher } from './dispatch.ts'
import { createUpstream } from './upstream.ts'

/** The daemon behind a guard. */
export interface GuardedDaemon {
  readonly url: string
  /** Called when the guard starts, and again when the daemon refuses them. */
  readonly credentials: () => DaemonCredentials | Promise<DaemonCredentials>
  /** Hosts other than this machine that may receive the password. */
  readonly allowedHosts?: readonly string[] | undefined
}

export interface GuardOptions {
  readonly daemon: GuardedDaemon
  /** Where to listen. Default: a free port of 127.0.0.1. */
  readonly listen?:
    | Pick<
        HttpServerOptions,
        'host' | 'port' | 'exposeToNetwork' | 'allowedHosts' | 'bodyBytesMax' | 'requestMsMax'
      >
    | undefined
  /** The longest silence of the daemon, in milliseconds. Default 120,000. */
  readonly silenceMs?: number | undefined
  /** The largest reply that is passed on, in bytes. Default 256 MiB. */
  readonly replyBytesMax?: number | undefined
  readonly policy?: Policy | undefined
  readonly record?: DecisionRecord | undefined
  /** Users of the guard. Without them, clients use the credentials of the daemon. */
  readonly users?: Users | undefined
  readonly metrics?: Metrics | undefined
  /** Told of each decision; for a log. */
  readonly onDecision?: ((entry: DecisionEntry) => unknown) | undefined
  /** Told of errors that the client cannot be told in full. */
  readonly onFailure?: ((error: unknown) => unknown) | undefined
}

/** A guard that listens. */
export interface Guard {
  /** With the real port, and a slash at the end. */
  readonly url: string
  readonly port: number
  /** Ends the connections after their answers. May be called twice. */
  close(): Promise<void>
}

const members: MemberTable<GuardOptions> = {
  daemon: true,
  listen: true,
  silenceMs: true,
  replyBytesMax: true,
  policy: true,
  record: true,
  users: true,
  metrics: true,
  onDecision: true,
  onFailure: true,
}

const silenceMsDefault = 120_000
const replyBytesDefault = 1 << 28

/**
 * Starts a guard: a server that speaks the protocol of a daemon, and passes on only what cannot
 * move coins or reveal keys.
 *
 * @throws {TypeError} for wrong options, such as a daemon on another machine that is not allowed
 * @example
 * const { url, credentials } = await daemonFromConf(daemonConfPath('TOKTEST'))
 * const guard = await createGuard({ daemon: { url, credentials } })
 * console.log(guard.url)
 */
export async function createGuard(options: GuardOptions): Promise<Guard> {
  requireObject(options, 'options')
  requireKnownMembers(options, memberNames(members), 'options')
  const { daemon, listen = {}, policy, record, users, metrics } = options
  requireObject(daemon, 'options.daemon')
  requireString(daemon.url, 'options.daemon.url')
  const url = checkedUrl(daemon.url, daemon.allowedHosts ?? [])
  const upstream = createUpstream({
    url,
    credentials: daemon.credentials,
    silenceMs: options.silenceMs ?? silenceMsDefault,
    replyBytesMax: options.replyBytesMax ?? replyBytesDefault,
  })
  const handle = dispatcher({
    upstream,
    policy,
    carriedOut: new Map(),
    onDecision(entry) {
      metrics?.count(entry)
      notify(options.onDecision, entry)
      // A record that fails stops what is handed over and sent, and never what is read.
      void record?.append(entry).catch((error) => notify(options.onFailure, error))
    },
    onTime: ({ methodClass }, milliseconds) => metrics?.time(methodClass, milliseconds),
    onFailure: (error) => notify(options.onFailure, error),
  })
  const admit = admission({
    authenticate: users === undefined ? asDaemon(daemon) : asUser(users),
  })
  const server = await openHttpServer(
    { admit: (head) => operations(head, metrics) ?? admit(head), handle },
    listen,
  )
  return {
    url: server.url,
    port: server.port,
    async close() {
      await server.close()
      upstream.close()
    },
  }
}

/** Answers the paths for operators; `undefined` for every other. */
function operations(
  { method, path }: RequestHead,
  metrics: Metrics | undefined,
): Answer | Promise<Answer> | undefined {
  if (method !== 'GET') return undefined
  if (path === '/health') return textReply('text/plain', 'ok\n')
  if (path !== '/metrics' || metrics === undefined) return undefined
  return metrics.text().then(({ type, body }) => textReply(type, body))
}

function textReply(type: string, body: string): Answer {
  return { status: 200, headers: { 'content-type': type }, body }
}

/** Clients give the daemon's own credentials. They are compared here, so the daemon sees no guess. */
function asDaemon({ credentials }: GuardedDaemon): (given: Buffer) => Promise<string | undefined> {
  let known: string | undefined
  return async (given) => {
    if (known !== undefined && isSecret(given, known)) return ''
    const { user, password } = await credentials()
    known = `${user}:${password}`
    return isSecret(given, known) ? '' : undefined
  }
}

function asUser(users: Users): (given: Buffer) => Promise<string | undefined> {
  return async (given) => {
    const [user = '', ...rest] = given.toString('utf8').split(':')
    return users.authenticate(user, rest.join(':'))
  }
}
