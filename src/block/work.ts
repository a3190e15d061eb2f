type BitsFault = 'negative' | 'overflow' | 'zero'

/** The numbers that 256 bits can hold. */
const hashes = 1n << 256n

/**
 * Reads a target in compact form.
 *
 * @see komodo src/arith_uint256.cpp, SetCompact
 */
export function targetOfBits(bits: number): bigint | BitsFault {
  const size = bits >>> 24
  const word = bits & 0x7fffff
  const mantissa = size <= 3 ? word >>> (8 * (3 - size)) : word
  if (mantissa === 0) return 'zero'
  if ((bits & 0x800000) !== 0) return 'negative'
  const isTooWide = size > 34 || (mantissa > 0xff && size > 33) || (mantissa > 0xffff && size > 32)
  if (isTooWide) return 'overflow'
  return BigInt(mantissa) << BigInt(8 * Math.max(0, size - 3))
}

/**
 * Returns the work of a block by its target in compact form; 0 if it states none.
 *
 * @see komodo src/chain.cpp, GetBlockProof
 */
export function workOfBits(bits: number): bigint {
  const target = targetOfBits(bits)
  return typeof target === 'bigint' ? workOfTarget(target) : 0n
}

/** Returns how many hashes a block below this target takes on average. */
export function workOfTarget(target: bigint): bigint {
  return hashes / (target + 1n)
}
