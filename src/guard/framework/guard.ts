// Starts a guard of a Komodo DeFi Framework.

import { type Network, networks } from '../../chain/network.ts'
import { memoryJournal } from '../../journal/memory.ts'
import {
  requireArray,
  requireObject,
  requireSome,
  requireString,
} from '../../primitives/arguments.ts'
import {
  type MemberTable,
  memberNames,
  requireKnownMembers,
} from '../../primitives/known-members.ts'
import { notify } from '../../primitives/observers.ts'
import { ownScripts } from '../../request/own-scripts.ts'
import type { Problem } from '../../request/problem.ts'
import { requireRewards } from '../../request/withdraw.ts'
import { createFrameworkClient, frameworkMembers } from '../../rpc/framework/client.ts'
import type { Reply, RequestHead } from '../../server/http-server.ts'
import { matchesSecret } from '../../server/serve.ts'
import { type CarryOutOf, noteTo, recordIn } from '../admit.ts'
import { checkedUserpass, userOf } from '../authentication.ts'
import { carriedOutWithdrawals, repeatedWithdrawals } from '../carried-out.ts'
import { checkedServer } from '../guarded-server.ts'
import { type Guard, listen } from '../listen.ts'
import { type CommonOptions, claimsIn, commonMembers, requireCommonOptions } from '../options.ts'
import { settling } from '../settling.ts'
import { createUpstream } from '../upstream.ts'
import type { FrameworkCall } from './call.ts'
import { frameworkDispatcher } from './dispatch.ts'
import { withdrawTasks } from './tasks.ts'
import { type FrameworkParts, requestedBy, sendWithdrawal, withdraw } from './withdrawals.ts'

export interface FrameworkGuardOptions extends CommonOptions {
  readonly framework: {
    readonly url: string
    /** Its `rpc_password`, or a function that is called before each request. */
    readonly userpass: string | (() => string | Promise<string>)
    /** Hosts other than this machine that may receive the password. */
    readonly allowedHosts?: readonly string[] | undefined
  }
  /**
   * The ticker of the one coin whose withdrawals are verified. Without it the guard only passes on
   * calls that read.
   */
  readonly coin?: string | undefined
  /** The wallet's own addresses or keys of that coin: they pay, and get the change. */
  readonly own?: readonly string[] | undefined
}

const members: MemberTable<FrameworkGuardOptions> = {
  ...commonMembers,
  framework: true,
  coin: true,
  own: true,
}

/**
 * Starts a guard of a Komodo DeFi Framework: a server that speaks its protocol. It passes on calls
 * that only read, and verifies `withdraw` before a program gets its transaction.
 *
 * Clients give the framework's own `userpass`, or `USER:PASSWORD` of the guard's users.
 *
 * @param options - the framework, the coin, and the addresses or keys of its wallet
 * @returns the running guard: its `url`, and `close`
 * @throws {TypeError} for wrong options, such as an address of another network
 * @example
 * const own = ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb']
 * const framework = { url: 'http://127.0.0.1:7783', userpass }
 * const guard = await createFrameworkGuard({ framework, coin: 'TOKTEST', own })
 * console.log(guard.url)
 */
export async function createFrameworkGuard(options: FrameworkGuardOptions): Promise<Guard> {
  requireObject(options, 'options')
  requireKnownMembers(options, memberNames(members), 'options')
  requireCommonOptions(options)
  const { framework, policy, metrics } = options
  const url = checkedServer(framework, frameworkMembers, 'options.framework')
  const userpass = checkedUserpass(framework.userpass)
  const upstream = createUpstream('framework', url, options)
  const handle = frameworkDispatcher({
    upstream,
    userpass,
    policy,
    authenticate: authenticator(options, userpass),
    verifiable: carriedOutWithdrawals,
    repeatable: repeatedWithdrawals,
    carriedOut: carriedOut(options, { url, upstream, userpass }),
    onDecision: recordIn(options),
    onTime: ({ methodClass }, milliseconds) => metrics?.time(methodClass, milliseconds),
    onFailure: (error) => notify(options.onFailure, error),
  })
  return listen(options, upstream, { admit: postOnly, handle })
}

const onlyPost: Reply = { status: 405, body: '{"error":"guard: only POST requests of /"}' }

function postOnly({ method, path }: RequestHead): Reply | undefined {
  return method === 'POST' && path === '/' ? undefined : onlyPost
}

function authenticator(
  { users }: FrameworkGuardOptions,
  userpass: FrameworkParts['userpass'],
): (given: string) => Promise<string | undefined> {
  if (users === undefined) {
    return async (given) => (matchesSecret(Buffer.from(given), await userpass()) ? '' : undefined)
  }
  return (given) => userOf(users, given)
}

/** Returns the methods that the guard verifies itself: none without a coin. */
function carriedOut(
  options: FrameworkGuardOptions,
  { url, upstream, userpass }: Pick<FrameworkParts, 'upstream' | 'userpass'> & { url: string },
): ReadonlyMap<string, CarryOutOf<FrameworkCall, Reply>> {
  const { coin, own, network = networks.assetChain, framework } = options
  const { repeatMs, allow, acknowledged } = options
  if (coin === undefined && own === undefined) return new Map()
  requireString(coin, 'options.coin')
  requireArray(own, 'options.own')
  requireSome(own, 'options.own', 'address or key of the wallet')
  for (const [at, name] of own.entries()) requireString(name, `options.own[${at}]`)
  const read = ownScripts({ own }, network)
  const [problem] = read.problems
  if (problem !== undefined) throw ownError(problem, network)
  requireRewards({ coin, network }, 'options')
  const parts: FrameworkParts = {
    client: createFrameworkClient({ url, userpass, allowedHosts: framework.allowedHosts }),
    upstream,
    userpass,
    terms: { coin, network, own: [...own], maxFee: options.maxFee },
    ownScripts: read.named,
    details: new Map(),
    // The framework names no chain. The transactions that are spent bind a payment to its own.
    requireChain: async () => undefined,
    journal: options.journal ?? memoryJournal(),
    // A journal in memory begins empty at each start, by the operator's choice.
    isLookedBack: options.journal !== undefined,
    policy: options.policy,
    record: options.record,
    paidBy: claimsIn(options),
    flow: {
      ...(repeatMs !== undefined && { repeatMs }),
      ...(allow !== undefined && { allow }),
      ...(acknowledged !== undefined && { acknowledged }),
      onProgress({ step }) {
        if (step === 'not-compared') notify(options.onNotCompared, undefined)
      },
    },
    onDecision: noteTo(options),
    requestedBy: (text) => requestedBy(parts, text),
  }
  const settle = settling(parts)
  return new Map<string, CarryOutOf<FrameworkCall, Reply>>([
    ['withdraw', (call) => withdraw(parts, call).finally(settle)],
    ['send_raw_transaction', (call) => sendWithdrawal(parts, call).finally(settle)],
    ...withdrawTasks(parts),
  ])
}

function ownError({ code, path, actual, inError }: Problem, network: Network): TypeError {
  const expected = `options.${path}: expected an address or a key of ${network.name}`
  if (code !== 'moduleKey' || inError === undefined || inError instanceof Error) {
    return new TypeError(`${expected}, got ${JSON.stringify(actual)}`)
  }
  return new TypeError(
    `${expected} that only the wallet can spend from; got a key of the module ${inError.actual}, whose private key is public`,
  )
}
