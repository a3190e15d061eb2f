// The fixed-size members of shielded parts, in wire order, with their sizes in bytes.
// source: komodo src/primitives/transaction.h, SpendDescription, OutputDescription, JSDescription

import type { JoinSplit, ShieldedOutput, ShieldedSpend } from './types.ts'

export const shieldedSpendFields: readonly (readonly [keyof ShieldedSpend, number])[] = [
  ['cv', 32],
  ['anchor', 32],
  ['nullifier', 32],
  ['rk', 32],
  ['proof', 192],
  ['spendAuthSig', 64],
]

export const shieldedOutputFields: readonly (readonly [keyof ShieldedOutput, number])[] = [
  ['cv', 32],
  ['cmu', 32],
  ['ephemeralKey', 32],
  ['encCiphertext', 580],
  ['outCiphertext', 80],
  ['proof', 192],
]

/** Hex members of a JoinSplit after its two amounts; a count of 2 means a pair. */
export function joinSplitFields(
  overwintered: boolean,
  version: number,
): readonly (readonly [Exclude<keyof JoinSplit, 'vpubOld' | 'vpubNew'>, number, 1 | 2])[] {
  return [
    ['anchor', 32, 1],
    ['nullifiers', 32, 2],
    ['commitments', 32, 2],
    ['ephemeralKey', 32, 1],
    ['randomSeed', 32, 1],
    ['macs', 32, 2],
    ['proof', overwintered && version >= 4 ? 192 : 296, 1],
    ['ciphertexts', 601, 2],
  ]
}
