import { requireObject } from '../primitives/arguments.ts'
import { type MemberTable, memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { notify } from '../primitives/observers.ts'
import type { DaemonCredentials } from '../rpc/daemon/protocol.ts'
import type { Answer, RequestHead } from '../server/http-server.ts'
import { failureReply } from '../server/json-rpc.ts'
import { admission, matchesSecret } from '../server/serve.ts'
import { noteTo, recordIn } from './admit.ts'
import { checkedCredentials, userOf } from './authentication.ts'
import { carriedOutMethods } from './carried-out.ts'
import type { Users } from './decision.ts'
import { dispatcher } from './dispatch.ts'
import { failureOf } from './failures.ts'
import { checkedServer } from './guarded-server.ts'
import { type Guard, listen } from './listen.ts'
import { commonMembers, type GuardOptions, requireCommonOptions } from './options.ts'
import { createUpstream } from './upstream.ts'
import { verifiedCalls } from './verified-calls.ts'

const members: MemberTable<GuardOptions> = {
  ...commonMembers,
  daemon: true,
  pubkey: true,
  allowUnenforcedPrices: true,
  trustServer: true,
  firstBlock: true,
}

/**
 * Starts a guard: a server that speaks the protocol of a daemon. It passes on calls that only read,
 * verifies payments, and refuses other calls that could move coins or reveal keys.
 *
 * @param options - the daemon; a policy, users, a journal and more are optional
 * @returns the running guard: its `url`, and `close`
 * @throws {TypeError} for wrong options, such as a daemon on another machine that is not allowed
 * @example
 * const { url, credentials } = await daemonFromConf(daemonConfPath('TOKTEST'))
 * const guard = await createGuard({ daemon: { url, credentials } })
 * console.log(guard.url)
 */
export async function createGuard(options: GuardOptions): Promise<Guard> {
  requireObject(options, 'options')
  requireKnownMembers(options, memberNames(members), 'options')
  requireCommonOptions(options)
  const { daemon, policy, users, metrics } = options
  const url = checkedServer(daemon, ['credentials'], 'options.daemon')
  const credentials = checkedCredentials(daemon.credentials)
  const upstream = createUpstream('daemon', url, { ...options, credentials })
  const onFailure = (error: unknown) => notify(options.onFailure, error)
  const handle = dispatcher({
    upstream,
    policy,
    verifiable: carriedOutMethods,
    repeatable: carriedOutMethods,
    carriedOut: verifiedCalls(
      { ...options, daemon: { ...daemon, credentials } },
      { url, upstream, onDecision: noteTo(options) },
    ),
    onDecision: recordIn(options),
    onTime: ({ methodClass }, milliseconds) => metrics?.time(methodClass, milliseconds),
    onFailure,
  })
  const admitUser = admission({
    authenticate: users === undefined ? asDaemon(credentials) : asUser(users),
  })
  const admit = async (head: RequestHead): Promise<Answer | undefined> => {
    try {
      return await admitUser(head)
    } catch (error) {
      onFailure(error)
      return failureReply(failureOf(error, 'daemon'), 'null')
    }
  }
  return listen(options, upstream, { admit, handle })
}

/**
 * Clients give the daemon's own credentials. They are compared here, so the daemon sees no guess.
 */
function asDaemon(
  credentials: () => Promise<DaemonCredentials>,
): (given: Buffer) => Promise<string | undefined> {
  let known: string | undefined
  return async (given) => {
    if (known !== undefined && matchesSecret(given, known)) return ''
    const { user, password } = await credentials()
    known = `${user}:${password}`
    return matchesSecret(given, known) ? '' : undefined
  }
}

function asUser(users: Users): (given: Buffer) => Promise<string | undefined> {
  return (given) => userOf(users, given.toString('utf8'))
}
