import { requireObject, requireString } from '../primitives/arguments.ts'
import { type MemberTable, memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { notify } from '../primitives/observers.ts'
import { checkedUrl } from '../rpc/transport.ts'
import { openHttpServer } from '../server/http-server.ts'
import { admission, isSecret } from '../server/serve.ts'
import { noteTo, recordIn } from './admit.ts'
import type { Users } from './decision.ts'
import { dispatcher } from './dispatch.ts'
import { operations } from './operations.ts'
import type { GuardedDaemon, GuardOptions } from './options.ts'
import { createUpstream } from './upstream.ts'
import { verifiedCalls } from './verified-calls.ts'

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
  const { daemon, listen = {}, policy, users, metrics } = options
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
    carriedOut: verifiedCalls(options, { url, upstream, onDecision: noteTo(options) }),
    onDecision: recordIn(options),
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
