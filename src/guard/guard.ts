import { type Network, networks } from '../chain/network.ts'
import type { Journal } from '../journal/journal.ts'
import { memoryJournal } from '../journal/memory.ts'
import { argumentError, requireObject, requireString } from '../primitives/arguments.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import { type MemberTable, memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { notify } from '../primitives/observers.ts'
import { isPoint } from '../primitives/secp256k1.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import type { DaemonCredentials } from '../rpc/daemon/protocol.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import { checkedUrl } from '../rpc/transport.ts'
import {
  type Answer,
  type HttpServerOptions,
  openHttpServer,
  type RequestHead,
} from '../server/http-server.ts'
import { admission, isSecret } from '../server/serve.ts'
import { build } from './builds.ts'
import { coinMethods } from './coin-requests.ts'
import { coinSender } from './coin-sends.ts'
import type { DecisionEntry, DecisionRecord, Metrics, Policy, Users } from './decision.ts'
import { type CarryOut, dispatcher } from './dispatch.ts'
import type { PaymentParts } from './payments.ts'
import { send, submit } from './sends.ts'
import { tokenMethods } from './token-requests.ts'
import { createUpstream, type Upstream } from './upstream.ts'

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
  /**
   * The daemon's own compressed public key, its `-pubkey`: it pays, and gets the change. Without it
   * the guard only passes on what reads.
   */
  readonly pubkey?: string | undefined
  /** The network of the chain. Default: `networks.assetChain`. */
  readonly network?: Network | undefined
  /**
   * Records what was handed over and sent, so that nothing is paid twice. Default: the memory of
   * this guard, which ends with the process.
   */
  readonly journal?: Journal | undefined
  /** The highest fee in satoshis. Default: 20,000. */
  readonly maxFee?: bigint | undefined
  /** Allows bids for more than one unit on komodod's chains, whose price no chain enforces. */
  readonly allowUnenforcedPrices?: boolean | undefined
  /** Options of the safe flows: see {@link SafeFlowOptions}. */
  readonly repeatMs?: number | undefined
  readonly trustServer?: boolean | undefined
  readonly acknowledged?: readonly string[] | undefined
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
  /** Returns why no payment is possible, for `/health`; `undefined` while they are. */
  readonly health?: (() => string | undefined) | undefined
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
  pubkey: true,
  network: true,
  journal: true,
  maxFee: true,
  allowUnenforcedPrices: true,
  repeatMs: true,
  trustServer: true,
  acknowledged: true,
  listen: true,
  silenceMs: true,
  replyBytesMax: true,
  policy: true,
  record: true,
  users: true,
  metrics: true,
  health: true,
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
  const note = (entry: DecisionEntry): void => {
    metrics?.count(entry)
    notify(options.onDecision, entry)
  }
  const handle = dispatcher({
    upstream,
    policy,
    carriedOut: carriedOut(options, { url, upstream, onDecision: note }),
    onDecision(entry) {
      note(entry)
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
    { admit: (head) => operations(head, options) ?? admit(head), handle },
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

/** Returns the methods that the guard verifies itself: none without a key. */
function carriedOut(
  options: GuardOptions,
  {
    url,
    upstream,
    onDecision,
  }: { readonly url: string; readonly upstream: Upstream } & Pick<PaymentParts, 'onDecision'>,
): ReadonlyMap<string, CarryOut> {
  const { pubkey, daemon, network = networks.assetChain } = options
  if (pubkey === undefined) return new Map()
  if (typeof pubkey !== 'string' || !isCompressedKey(pubkey.toLowerCase()) || !isPoint(pubkey)) {
    throw argumentError('options.pubkey', 'a compressed public key in hex', pubkey)
  }
  const { repeatMs, trustServer, acknowledged } = options
  const parts = {
    client: createDaemonClient({
      url,
      credentials: daemon.credentials,
      allowedHosts: daemon.allowedHosts,
    }),
    upstream,
    journal: options.journal ?? memoryJournal(),
    terms: {
      network,
      pubkey: pubkey.toLowerCase(),
      allowsUnenforcedPrices: options.allowUnenforcedPrices === true,
      maxFee: options.maxFee,
    },
    policy: options.policy,
    record: options.record,
    flow: {
      ...(repeatMs !== undefined && { repeatMs }),
      ...(trustServer !== undefined && { trustServer }),
      ...(acknowledged !== undefined && { acknowledged }),
    },
    onDecision,
  }
  const builds = Object.keys(tokenMethods).map(
    (method) => [method, (call) => build(parts, call)] as const satisfies [string, CarryOut],
  )
  const pay = coinSender(parts)
  return new Map<string, CarryOut>([
    ...builds,
    ...coinMethods.map((method): [string, CarryOut] => [method, pay]),
    ['sendrawtransaction', (call) => send(parts, call)],
    ['guard_submit', (call) => submit(parts, call)],
  ])
}

/** Answers the paths for operators; `undefined` for every other. */
function operations(
  { method, path }: RequestHead,
  { metrics, health }: Pick<GuardOptions, 'metrics' | 'health'>,
): Answer | Promise<Answer> | undefined {
  if (method !== 'GET') return undefined
  if (path === '/health') {
    const reason = health?.()
    if (reason === undefined) return textReply('text/plain', 'ok\n')
    return { ...textReply('text/plain', `payments are held: ${reason}\n`), status: 503 }
  }
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
