import { defineNetwork, type Network } from '../chain/network.ts'

/** The parameters of a chain: the daemon's -ac_ options, and what follows from them. */
export interface ChainProfile {
  /** -ac_name */
  readonly name: string
  /** Coins that the first block makes. */
  readonly premine: number
  /** Satoshis for each block. */
  readonly reward: bigint
  /** Network magic, which the first block adds some satoshis of to what it makes. */
  readonly magic: number
  /** Blocks before a coinbase can be spent: -ac_cbmaturity, 1 for a chain with one era. */
  readonly maturity: number
  /** Largest nulldata script that is relayed: -datacarriersize. */
  readonly nulldataBytesMax: number
  /** Satoshis that the chain may ever have. */
  readonly maxMoney: bigint
  /** Seconds between blocks that nobody gave a time. */
  readonly blockSeconds: number
}

/** The recorded chain's, on which this node's answers were compared with a daemon's. */
export const defaultProfile: ChainProfile = {
  name: 'TOKTEST',
  premine: 1_000_000,
  reward: 100_000_000n,
  magic: 1603612550,
  maturity: 1,
  nulldataBytesMax: 208,
  maxMoney: 11_000_050_04665246n,
  blockSeconds: 5,
}

export function networkOf({ name, nulldataBytesMax, maxMoney }: ChainProfile): Network {
  return defineNetwork({ name, nulldataBytesMax, maxMoney })
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
