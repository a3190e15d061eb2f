// The options of a development node, and their validation.

import type { Network } from '../chain/network.ts'
import { requireBoolean, requireObject } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { HttpServerOptions } from '../server/http-server.ts'
import type { LoadedNode } from './dump.ts'
import type { Identities, IdentityOptions } from './identity-types.ts'
import {
  type ChainOptions,
  type ChainProfile,
  defaultProfile,
  profileFor,
  servedNetwork,
} from './profile.ts'
import type { CallReport } from './request-handler.ts'

/**
 * When transactions that wait are put into a block: at once, every so many seconds, or on demand.
 */
export type Mining = 'auto' | 'manual' | number

export interface DevNodeOptions {
  /** How many identities, or which. Default 2. */
  readonly identities?: Identities | undefined
  /** Default `auto`. */
  readonly mine?: Mining
  /** Seconds since 1970 at which the node's clock stands; by default it goes as the wall's does. */
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
  /** False for a node without a server; a port for the first identity, the next for the next. */
  readonly listen?:
    | false
    | Pick<HttpServerOptions, 'port' | 'host' | 'exposeToNetwork' | 'allowedOrigins'>
  /**
   * True for a server of the Electrum protocol over TCP, on loopback and any free port; or its
   * port. Default false.
   */
  readonly electrum?: boolean | { readonly port?: number }
  /** A text of `dump`, or a list of a chain's transactions with their heights. */
  readonly load?: string | undefined
  /**
   * True to solve the puzzle of each block that is mined, so that light clients accept its header.
   * It takes about 25 ms of CPU for a block. Default false: blocks have no solution, and say so.
   */
  readonly proofOfWork?: boolean
  /** Called after every call. What it throws or rejects with is ignored. */
  readonly onCall?: (call: CallReport) => unknown
  /** The name by which every identity's server is called. Default `user`. */
  readonly user?: string
  /** The password of all servers; drawn at random by default. */
  readonly password?: string
  /**
   * Text from which the keys of identities without one follow: the same keys for the same text.
   * Everyone who knows it has the keys. By default, the keys that this package publishes.
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
})
const listenMembers = memberNames<Exclude<DevNodeOptions['listen'], false | undefined>>({
  port: true,
  host: true,
  exposeToNetwork: true,
  allowedOrigins: true,
})
const profileMembers = Object.keys(defaultProfile).filter((name) => name !== 'network')
const identityMembers = memberNames<IdentityOptions>({ wif: true, pubkey: true })

/** @throws {TypeError} for an unknown option */
export function requireNodeOptions(options: DevNodeOptions): void {
  requireObject(options, 'options')
  requireKnownMembers(options, nodeMembers, 'options')
  const { profile = {}, listen, identities, fund = [], proofOfWork = false } = options
  requireBoolean(proofOfWork, 'options.proofOfWork')
  requireCredentials(options)
  requireKnownMembers(profile, profileMembers, 'options.profile')
  if (typeof listen === 'object') requireKnownMembers(listen, listenMembers, 'options.listen')
  for (const [at, output] of fund.entries()) {
    requireKnownMembers(output, ['to', 'value'], `options.fund[${at}]`)
  }
  if (!Array.isArray(identities)) return
  for (const [at, identity] of identities.entries()) {
    requireKnownMembers(identity, identityMembers, `options.identities[${at}]`)
  }
}

/**
 * Returns the profile of the chain that is asked for, or that goes on.
 *
 * @throws {TypeError} for a network that this node does not serve, and for one that is not the
 *   loaded state's
 */
export function chainProfileOf(
  { network, profile }: Pick<DevNodeOptions, 'network' | 'profile'>,
  loaded: LoadedNode | undefined,
): ChainProfile {
  const kept = loaded?.profile
  const asked = network === undefined ? undefined : servedNetwork(network)
  if (asked !== undefined && kept !== undefined && asked !== kept.network) {
    throw new TypeError(
      `options.network: the loaded state is of a chain like networks.${kept.network}, got networks.${asked}`,
    )
  }
  const chosen = profileFor(asked ?? kept?.network ?? 'assetChain', network)
  return { ...chosen, ...(profile ?? kept) }
}

/** @throws {TypeError} for a name or a password that HTTP cannot carry, and for an empty seed */
function requireCredentials({ user, password, seed }: DevNodeOptions): void {
  if (user !== undefined && !/^[!-9;-~]{1,64}$/.test(user)) {
    throw new TypeError('options.user: expected 1 to 64 ASCII characters without a colon')
  }
  if (password !== undefined && !/^[ -~]{1,256}$/.test(password)) {
    throw new TypeError('options.password: expected 1 to 256 ASCII characters')
  }
  if (seed !== undefined && (typeof seed !== 'string' || seed === '')) {
    throw new TypeError('options.seed: expected a text that is not empty')
  }
}
