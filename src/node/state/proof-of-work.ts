// The work that finishes a header of a chain with -ac_nk=48,5.

import { easiestBits } from '../../block/chains.ts'
import { targetOfBits } from '../../block/work.ts'
import { bytesFromHex } from '../../primitives/hex.ts'
import type { Seal } from './block.ts'
import { blockHash, type Header, puzzleHex } from './block.ts'
import { equihashSolutions } from './equihash.ts'
import { ordinal } from './keys.ts'

const target = targetOfBits(easiestBits) as bigint

/**
 * Searches a nonce whose solution makes a hash below the target: about 25 nonces on average.
 *
 * @see komodo src/pow.cpp, CheckProofOfWork
 */
export const solved: Seal = (header) => {
  for (let trial = 0; ; trial += 1) {
    // The last bytes of the nonce. The first ones tell blocks of different branches apart.
    const nonce = ordinal(trial) + header.nonce.slice(8)
    for (const solution of equihashSolutions(bytesFromHex(puzzleHex({ ...header, nonce })))) {
      const whole: Header = { ...header, nonce, solution }
      if (BigInt(`0x${blockHash(whole)}`) <= target) return whole
    }
  }
}
