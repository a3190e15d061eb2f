// The networks with known parameters, and networks that a caller defines.

import {
  argumentError,
  requireByte,
  requireObject,
  requireUint32,
} from '../primitives/arguments.ts'
import { printable } from '../primitives/printable.ts'
import { looksLike, visibleLetters } from './network-name.ts'

/** The differences between the chains of the family that matter for reading transactions. */
export interface Network {
  readonly name: string
  /** Base58Check version of addresses that pay a key. */
  readonly pubKeyHashPrefix: number
  /** Base58Check version of addresses that pay a script. */
  readonly scriptHashPrefix: number
  /** Base58Check version of addresses that pay a crypto-condition. */
  readonly conditionPrefix: number
  /** Base58Check version of private keys (WIF). */
  readonly privateKeyPrefix: number
  /**
   * Support for crypto-conditions: outputs with them are nonstandard with `none`; `komodo` and
   * `tokel` follow those daemons.
   */
  readonly conditions: 'none' | 'komodo' | 'tokel'
  /** Largest nulldata scriptPubKey that nodes relay by default, in bytes. */
  readonly nulldataBytesMax: number
  /** Largest amount that may exist, in satoshis. */
  readonly maxMoney: bigint
  /** Consensus branch id that signatures of version 4 commit to. */
  readonly branchId: number
  /** The text before a message that an address signs. komodo src/main.cpp, strMessageMagic */
  readonly messageMagic: string
  /**
   * The reward that unspent coins accrue: `komodo` as on KMD, with that chain's rules for lock
   * times and coinbases; `none` for no reward; `unknown` makes reports warn. If absent, it is
   * derived from the other members: KMD's give KMD's reward, chains with conditions have none.
   */
  readonly rewards?: 'none' | 'komodo' | 'unknown'
}

const conditionKinds: readonly string[] = ['none', 'komodo', 'tokel']
const rewardKinds: readonly unknown[] = ['none', 'komodo', 'unknown', undefined]

/** Satoshis per coin. */
export const coin = 100_000_000n

/**
 * KMD itself, where crypto-conditions are disabled.
 *
 * @see komodo src/chainparams.cpp, CMainParams; src/script/standard.h, MAX_OP_RETURN_RELAY
 */
const komodo: Network = Object.freeze({
  name: 'komodo',
  pubKeyHashPrefix: 60,
  scriptHashPrefix: 85,
  // Unused by the chain; komodod prints condition addresses with the prefix of keys.
  conditionPrefix: 60,
  privateKeyPrefix: 188,
  conditions: 'none',
  nulldataBytesMax: 140,
  maxMoney: 200_000_000n * coin,
  // The branch of the last upgrade. komodo src/consensus/upgrades.cpp, UPGRADE_SAPLING
  branchId: 0x76b809bb,
  messageMagic: 'Komodo Signed Message:\n',
  rewards: 'komodo',
})

/**
 * Any chain with ac_cc that komodod runs (a smart chain). Supplies differ: unless `defineNetwork`
 * sets one, the largest amount is the largest that a satoshi count can hold.
 *
 * @see komodo src/komodo_globals.h, ASSETCHAINS_CC; src/init.cpp, -datacarriersize
 */
const assetChain: Network = Object.freeze({
  ...komodo,
  name: 'assetChain',
  conditions: 'komodo',
  nulldataBytesMax: 208,
  maxMoney: (1n << 63n) - 1n,
  rewards: 'none',
})

/**
 * Chains that tokeld runs, with their own prefix of condition addresses and larger nulldata
 * outputs.
 *
 * @see tokel src/chainparams.cpp, CRYPTOCONDITION_ADDRESS; src/script/standard.h
 */
const tokel: Network = Object.freeze({
  ...assetChain,
  name: 'tokel',
  conditionPrefix: 28,
  conditions: 'tokel',
  nulldataBytesMax: 8192,
})

/** @see komodo src/chainparams.cpp, CTestNetParams */
const komodoTestnet: Network = Object.freeze({
  ...komodo,
  name: 'komodoTestnet',
  pubKeyHashPrefix: 0,
  scriptHashPrefix: 5,
  conditionPrefix: 0,
  privateKeyPrefix: 128,
  rewards: 'unknown',
})

/** The networks with known parameters, by name. */
export const networks: Readonly<
  Record<'komodo' | 'assetChain' | 'tokel' | 'komodoTestnet', Network>
> = Object.freeze({ komodo, assetChain, tokel, komodoTestnet })

/** Returns the known network with a name. */
export function knownNetwork(name: string): Network | undefined {
  return Object.hasOwn(networks, name) ? networks[name as keyof typeof networks] : undefined
}

/** Returns the members, other than the name, in which a network differs from another. */
export function membersApart(network: Network, from: Network): (keyof Network)[] {
  const members = Object.keys(from) as (keyof Network)[]
  return members.filter(
    (member) =>
      member !== 'name' &&
      (member === 'rewards'
        ? rewardsOf(network) !== rewardsOf(from)
        : network[member] !== from[member]),
  )
}

/**
 * Returns the reward of a network, which its members determine and not its name.
 *
 * @see komodo src/komodo_interest.cpp, komodo_interest; src/coins.cpp, GetValueIn: only a chain
 *   without a symbol, which is KMD, pays one, and KMD has no conditions
 */
export function rewardsOf(network: Network): NonNullable<Network['rewards']> {
  const { rewards, conditions } = network
  if (rewards !== undefined) return rewards
  if (conditions !== 'none') return 'none'
  const members = Object.keys(komodo) as (keyof Network)[]
  const isKomodo = members.every(
    (it) => it === 'name' || it === 'rewards' || network[it] === komodo[it],
  )
  return isKomodo ? 'komodo' : 'unknown'
}

/**
 * Describes a network for people: its name, the most similar known network, and the differences.
 * The name alone proves nothing, because anyone can choose it.
 */
export function describeNetwork(network: Network): string {
  const { name } = network
  const known = knownNetwork(name)
  const same = Object.values(networks).find((it) => membersApart(network, it).length === 0)
  const like = known ?? same ?? assetChain
  const given = (member: keyof Network) =>
    member === 'rewards' ? rewardsOf(network) : network[member]
  const apart = membersApart(network, like).map((member) => `${member} ${given(member)}`)
  const differing = apart.length === 0 ? '' : ` except ${apart.join(', ')}`
  if (known === undefined) return `${name}, like ${like.name}${differing}`
  return apart.length === 0 ? name : `like ${like.name}${differing}`
}

/**
 * The default network of every function that reads, builds, signs, verifies or requests.
 *
 * It is the strictest network with tokens. Features of tokeld's chains are nonstandard on it, so
 * forgetting to name such a chain leads to a refusal, and never to accepting what the actual chain
 * may refuse.
 */
export const defaultNetwork: Network = assetChain

/** Frozen networks that passed the check, which runs at every call. */
const checked = new WeakSet<object>(Object.values(networks))

/** @throws {TypeError} unless `value` has every member of a network, each of its type */
export function requireNetwork(value: unknown, name: string): asserts value is Network {
  if (typeof value !== 'object' || value === null) {
    throw argumentError(name, 'a network, such as networks.komodo', value)
  }
  if (!checked.has(value) && !isCopyOfKnown(value as Partial<Network>)) requireOwn(value, name)
}

/** Checks a network that differs from each of `networks`. */
function requireOwn(value: object, name: string): void {
  for (const [member, known] of Object.entries(assetChain)) {
    if (member === 'rewards') continue
    const given = (value as { [member: string]: unknown })[member]
    if (typeof given !== typeof known)
      throw argumentError(`${name}.${member}`, `a ${typeof known}`, given)
    if (member.endsWith('Prefix')) requireByte(given, `${name}.${member}`)
    else if (typeof known === 'number') requireUint32(given, `${name}.${member}`)
  }
  const network = value as Network
  if (network.maxMoney < 1n || network.maxMoney > assetChain.maxMoney) {
    throw argumentError(`${name}.maxMoney`, 'an amount from 1 to 2^63 - 1', network.maxMoney)
  }
  if (!conditionKinds.includes(network.conditions)) {
    throw argumentError(`${name}.conditions`, conditionKinds.join(' or '), network.conditions)
  }
  if (!rewardKinds.includes(network.rewards)) {
    throw argumentError(`${name}.rewards`, "'none', 'komodo' or 'unknown'", network.rewards)
  }
  requireOwnPrefix(network, name)
  requireOwnName(network, name)
}

/** Refuses a shared prefix, with which one address would stand for two scripts. */
function requireOwnPrefix(network: Network, name: string): void {
  const { scriptHashPrefix } = network
  for (const member of ['pubKeyHashPrefix', 'conditionPrefix'] as const) {
    if (network[member] !== scriptHashPrefix) continue
    const expected = `expected another prefix than ${name}.${member}`
    throw new TypeError(`${name}.scriptHashPrefix: ${expected}, got ${scriptHashPrefix} for both`)
  }
}

/** Names by which people know a network, with the name in `networks`. */
const readNames: readonly (readonly [read: string, known: keyof typeof networks])[] = [
  ['komodo', 'komodo'],
  ['KMD', 'komodo'],
  ['assetChain', 'assetChain'],
  ['tokel', 'tokel'],
  ['TKL', 'tokel'],
  ['komodoTestnet', 'komodoTestnet'],
]

/**
 * Returns true for an equal copy of one of `networks`: a request is copied before it is checked.
 */
function isCopyOfKnown(network: Partial<Network>): boolean {
  const known = Object.values(networks).find(({ name }) => name === network.name)
  if (known === undefined || network.rewards !== known.rewards) return false
  return (Object.keys(known) as (keyof Network)[]).every((it) => network[it] === known[it])
}

/**
 * Refuses a name that reads like a known network's, because a person would take the network for
 * that one. Only the exact name is allowed, and another case of it if the networks are otherwise
 * equal.
 */
function requireOwnName(network: Network, path: string): void {
  const given = network.name
  const shown = `${path}.name: expected a name`
  const letters = visibleLetters(given)
  if (letters === '') throw new TypeError(`${shown} with letters, got "${printable(given)}"`)
  const [read, name] = readNames.find(([it]) => looksLike(letters, visibleLetters(it))) ?? []
  if (read === undefined || name === undefined || given === name) return
  const isSpelled = given.toLowerCase() === read.toLowerCase()
  if (isSpelled && membersApart(network, networks[name]).length === 0) return
  const details = `which reads like ${read} and is not networks.${name}`
  throw new TypeError(`${shown} of its own, got "${printable(given)}", ${details}`)
}

/**
 * Returns a network like `assetChain`, with the members of `overrides` replaced.
 *
 * @param overrides - prefixes are bytes, amounts are satoshis
 * @returns a new network, which cannot be changed
 * @throws {TypeError} for an unknown member, a number or an amount out of range, a prefix that
 *   scripts share with keys or conditions, or a name that reads like another network's
 * @example
 * defineNetwork({ name: 'TOKTEST', maxMoney: 20_000_000_00000000n })
 */
export function defineNetwork(overrides: Partial<Network>): Network {
  requireObject(overrides, 'overrides')
  for (const [member, value] of Object.entries(overrides)) {
    const known = assetChain[member as keyof Network]
    if (known === undefined) {
      const members = Object.keys(assetChain).join(', ')
      throw new TypeError(`${member}: no member of a network (${members})`)
    }
    if (typeof value !== typeof known) {
      throw new TypeError(`${member}: expected a ${typeof known}, got a ${typeof value}`)
    }
  }
  const { rewards: _, ...members } = assetChain
  const merged: Network = { ...members, ...overrides }
  const network = Object.freeze({ ...merged, rewards: rewardsOf(merged) })
  requireNetwork(network, 'overrides')
  checked.add(network)
  return network
}
