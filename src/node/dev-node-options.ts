// The options of a development node, and their validation.

import type { Network } from '../chain/network.ts'
import {
  argumentError,
  requireArray,
  requireBoolean,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { HttpServerOptions } from '../server/http-server.ts'
import type { LoadedNode } from './dump.ts'
import { ForkError } from './fork/fork-error.ts'
import type { ForkSource, UpstreamFacts } from './fork/upstream.ts'
import type { Identities, IdentityOptions } from './identity-types.ts'
import {
  type ChainOptions,
  type ChainProfile,
  defaultProfile,
  profileFor,
  type ServedNetwork,
  servedNetwork,
} from './profile.ts'
import type { CallReport } from './request-handler.ts'

/** When waiting transactions are mined: at once, on demand, or at an interval in seconds. */
export type Mining = 'auto' | 'manual' | number

export interface DevNodeOptions {
  /** How many identities, or which. Default 2. */
  readonly identities?: Identities | undefined
  /** Default `auto`. */
  readonly mine?: Mining
  /** Seconds since 1970 at which the node's clock stands; by default it runs with the machine's. */
  readonly time?: number
  /**
   * `networks.assetChain` for a chain of komodod, or `networks.tokel` for one of tokeld: addresses,
   * tokens, orders and methods are those of this daemon. Default: the loaded state's, or
   * `assetChain`.
   */
  readonly network?: Network
  /** Parameters of the chain that differ from those of the recorded one. */
  readonly profile?: ChainOptions
  /** Satoshis for addresses or scripts: from the first block, or in one after what is loaded. */
  readonly fund?: readonly { readonly to: string; readonly value: bigint }[]
  /**
   * False for a node without a server. `port` is that of the first identity; each further one has
   * the next port.
   */
  readonly listen?:
    | false
    | Pick<HttpServerOptions, 'port' | 'host' | 'exposeToNetwork' | 'allowedOrigins'>
  /**
   * True for a server of the Electrum protocol over TCP on any free port of this machine; or its
   * port. Default false.
   */
  readonly electrum?: boolean | { readonly port?: number }
  /** A text of `dump`, or a list of a chain's transactions with their heights. */
  readonly load?: string | undefined
  /**
   * A client of a live daemon, such as `createDaemonClient` makes: the node begins with its chain,
   * asks it for what it needs, and only reads. It follows the daemon until it has a block or a
   * waiting transaction of its own. It cannot be combined with `load`, `electrum` and
   * `proofOfWork`.
   */
  readonly fork?: ForkSource
  /**
   * True to solve the puzzle of each block that is mined, so that light clients accept its header.
   * It takes about 25 ms of CPU for a block. Default false: blocks have no solution.
   */
  readonly proofOfWork?: boolean
  /** Called after every call. Its errors are ignored. */
  readonly onCall?: (call: CallReport) => unknown
  /** The user name for every identity's server. Default `user`. */
  readonly user?: string
  /** The password of all servers; drawn at random by default. */
  readonly password?: string
  /**
   * Text from which the keys of identities without a `wif` are derived: one text gives the same
   * keys each time. Everyone who knows the text has the keys. By default, the keys that this
   * package publishes.
   */
  readonly seed?: string
}

export interface RequestOptions {
  /** The identity whose daemon answers; the first by default. */
  readonly identity?: number
}

const nodeMembers = memberNames<DevNodeOptions>({
  identities: true,
  mine: true,
  time: true,
  network: true,
  profile: true,
  fund: true,
  listen: true,
  load: true,
  onCall: true,
  password: true,
  user: true,
  seed: true,
  electrum: true,
  proofOfWork: true,
  fork: true,
})
const listenMembers = memberNames<Exclude<DevNodeOptions['listen'], false | undefined>>({
  port: true,
  host: true,
  exposeToNetwork: true,
  allowedOrigins: true,
})
const profileMembers = Object.keys(defaultProfile).filter((name) => name !== 'network')
const identityMembers = memberNames<IdentityOptions>({ wif: true, pubkey: true })

/** @throws {TypeError} for an unknown option, and for a value of another form */
export function requireNodeOptions(options: DevNodeOptions): void {
  requireObject(options, 'options')
  requireKnownMembers(options, nodeMembers, 'options')
  const { time, load, onCall, listen, electrum, proofOfWork = false } = options
  requireBoolean(proofOfWork, 'options.proofOfWork')
  requireMining(options.mine)
  if (time !== undefined) requireUint32(time, 'options.time')
  if (load !== undefined) requireString(load, 'options.load')
  if (onCall !== undefined && typeof onCall !== 'function') {
    throw argumentError('options.onCall', 'a function', onCall)
  }
  requireCredentials(options)
  if (listen !== undefined && listen !== false) {
    requireServer(listen, 'options.listen', listenMembers, 'false or an object')
  }
  if (electrum !== undefined && typeof electrum !== 'boolean') {
    requireServer(electrum, 'options.electrum', ['port'], 'true, false or an object')
  }
  requireForkAlone(options)
  requireProfile(options.profile)
  requireFund(options.fund)
  requireIdentities(options.identities)
}

/** @param expected - the forms that the option has */
function requireServer(value: object, name: string, known: readonly string[], expected: string) {
  if (typeof value !== 'object' || value === null) throw argumentError(name, expected, value)
  requireKnownMembers(value, known, name)
  requirePort((value as { readonly port?: unknown }).port, `${name}.port`)
}

function requirePort(port: unknown, name: string): void {
  if (port === undefined) return
  if (typeof port !== 'number') throw argumentError(name, 'a number', port)
  if ((port & 0xffff) !== port) {
    throw new TypeError(`${name}: expected an integer from 0 to 65535, got ${port}`)
  }
}

function requireProfile(profile: DevNodeOptions['profile'] = {}): void {
  requireObject(profile, 'options.profile')
  requireKnownMembers(profile, profileMembers, 'options.profile')
  for (const name of profileMembers) {
    const value: unknown = profile[name as keyof ChainOptions]
    const expected = typeof defaultProfile[name as keyof ChainOptions]
    if (value === undefined || typeof value === expected) continue
    throw argumentError(`options.profile.${name}`, `a ${expected}`, value)
  }
}

function requireFund(fund: DevNodeOptions['fund'] = []): void {
  requireArray(fund, 'options.fund')
  requireItems(fund, 'options.fund', ['to', 'value'])
}

function requireItems(items: readonly unknown[], name: string, known: readonly string[]): void {
  for (const [at, item] of items.entries()) {
    requireObject(item, `${name}[${at}]`)
    requireKnownMembers(item, known, `${name}[${at}]`)
  }
}

function requireIdentities(identities: DevNodeOptions['identities']): void {
  if (identities === undefined || typeof identities === 'number') return
  if (!Array.isArray(identities)) {
    throw argumentError('options.identities', 'a number or an array', identities)
  }
  requireItems(identities, 'options.identities', identityMembers)
}

function requireMining(mine: DevNodeOptions['mine']): void {
  if (mine === undefined || mine === 'auto' || mine === 'manual') return
  if (typeof mine === 'number' && mine > 0) return
  throw argumentError('options.mine', 'auto, manual or a number of seconds', mine)
}

/** @throws {TypeError} for what would need the whole chain of the daemon, or change its headers */
function requireForkAlone(options: DevNodeOptions): void {
  const { fork, load, electrum = false, proofOfWork = false } = options
  if (fork === undefined) return
  requireObject(fork, 'options.fork')
  if (typeof fork.batch !== 'function') {
    throw new TypeError('options.fork: expected a client of a daemon, as createDaemonClient makes')
  }
  const given = { load: load !== undefined, electrum: electrum !== false, proofOfWork }
  for (const [name, isGiven] of Object.entries(given)) {
    if (isGiven) throw new TypeError(`options.${name} cannot be combined with options.fork`)
  }
}

/**
 * Returns the profile of the requested chain, or of the one that continues.
 *
 * @throws {TypeError} for a network that this node does not serve, and for one that is not the
 *   loaded state's
 * @throws {ForkError} `other_chain` for a daemon of another network
 */
export function chainProfileOf(
  { network, profile }: Pick<DevNodeOptions, 'network' | 'profile'>,
  loaded: LoadedNode | undefined,
  below?: UpstreamFacts,
): ChainProfile {
  const kept = loaded?.profile
  const asked = network === undefined ? undefined : servedNetwork(network)
  if (asked !== undefined && kept !== undefined && asked !== kept.network) {
    throw new TypeError(
      `options.network: the loaded state is of a chain like networks.${kept.network}, got networks.${asked}`,
    )
  }
  const chosen = profileFor(asked ?? kept?.network ?? networkBelow(below), network)
  if (below === undefined) return { ...chosen, ...kept, ...profile }
  if (chosen.network !== networkBelow(below)) {
    const served = `networks.${networkBelow(below)}`
    throw new ForkError('other_chain', `the daemon of the fork is one of ${served}`)
  }
  return { ...chosen, name: below.name, ...profile }
}

/** @throws {ForkError} `other_chain` for KMD, whose rules this node does not have */
function networkBelow(below: UpstreamFacts | undefined): ServedNetwork {
  if (below?.name === 'KMD') {
    throw new ForkError(
      'other_chain',
      'the daemon of the fork has KMD, which this node does not serve',
    )
  }
  return below?.isTokeld === true ? 'tokel' : 'assetChain'
}

/** @throws {TypeError} for a name or a password that HTTP cannot carry, and for an empty seed */
function requireCredentials({ user, password, seed }: DevNodeOptions): void {
  if (user !== undefined && !(typeof user === 'string' && /^[!-9;-~]{1,64}$/.test(user))) {
    throw new TypeError('options.user: expected 1 to 64 ASCII characters without a colon')
  }
  if (
    password !== undefined &&
    !(typeof password === 'string' && /^[ -~]{1,256}$/.test(password))
  ) {
    throw new TypeError('options.password: expected 1 to 256 ASCII characters')
  }
  if (seed !== undefined && (typeof seed !== 'string' || seed === '')) {
    throw new TypeError('options.seed: expected a text that is not empty')
  }
}
