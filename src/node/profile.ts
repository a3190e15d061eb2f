import {
  defineNetwork,
  describeNetwork,
  membersApart,
  type Network,
  networks,
  requireNetwork,
} from '../chain/network.ts'

/** The networks that this node serves, by their names in `networks`. */
export type ServedNetwork = 'assetChain' | 'tokel'

/** The parameters of a chain: the daemon's -ac_ options, and what follows from them. */
export interface ChainProfile {
  /** -ac_name */
  readonly name: string
  /** The daemon whose rules and methods hold: komodod's for asset chains, or tokeld's. */
  readonly network: ServedNetwork
  /** Coins that the first block makes. */
  readonly premine: number
  /** Satoshis for each block. */
  readonly reward: bigint
  /** Network magic. Some satoshis that follow from it are added to the coins of the first block. */
  readonly magic: number
  /** Blocks before a coinbase can be spent: -ac_cbmaturity, 1 for a chain with one era. */
  readonly maturity: number
  /** Largest nulldata script that is relayed: -datacarriersize. */
  readonly nulldataBytesMax: number
  /** The most satoshis that the chain can have. */
  readonly maxMoney: bigint
  /** Seconds between two blocks, unless a call sets the time. */
  readonly blockSeconds: number
}

/** The parameters that a caller may choose beside the network. */
export type ChainOptions = Partial<Omit<ChainProfile, 'network'>>

/**
 * The parameters of a chain by default: those of the recorded chain, on which the answers of this
 * node were compared with a daemon's.
 */
export const defaultProfile: ChainProfile = {
  name: 'TOKTEST',
  network: 'assetChain',
  premine: 1_000_000,
  reward: 100_000_000n,
  magic: 1603612550,
  maturity: 1,
  nulldataBytesMax: 208,
  maxMoney: 11_000_050_04665246n,
  blockSeconds: 5,
}

/**
 * Returns the profile of a chain whose options are those of the recorded chain of its daemon.
 *
 * @param given - a network that may differ from the daemon's in what its nodes relay and in its
 *   largest amount
 */
export function profileFor(
  network: ServedNetwork,
  given: Network = networks[network],
): ChainProfile {
  const { nulldataBytesMax, maxMoney } = given
  const isOwn = maxMoney !== networks[network].maxMoney
  return { ...defaultProfile, network, nulldataBytesMax, ...(isOwn && { maxMoney }) }
}

/**
 * Returns which daemon serves a network.
 *
 * @throws {TypeError} for a network that this node does not serve
 */
export function servedNetwork(network: Network): ServedNetwork {
  requireNetwork(network, 'options.network')
  for (const name of ['assetChain', 'tokel'] as const) {
    const apart = membersApart(network, networks[name])
    if (apart.every((it) => it === 'maxMoney' || it === 'nulldataBytesMax')) return name
  }
  throw new TypeError(
    `options.network: expected networks.assetChain or networks.tokel, got ${describeNetwork(network)}`,
  )
}

export function networkOf(profile: ChainProfile): Network {
  const { name, network, nulldataBytesMax, maxMoney } = profile
  return defineNetwork({ ...networks[network], name, nulldataBytesMax, maxMoney })
}

/**
 * Satoshis that the block of a height may make.
 *
 * @see komodo src/main.cpp, GetBlockSubsidy; src/komodo_utils.cpp, where the magic's low 24 bits
 *   are added to the first block's
 */
export function subsidyOf({ premine, reward, magic }: ChainProfile, height: number): bigint {
  if (height !== 1) return reward
  return BigInt(premine) * 100_000_000n + BigInt(magic & 0xffffff)
}
