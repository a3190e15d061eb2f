import { createHash } from 'node:crypto'

/**
 * Endless bytes from a seed, the same on every machine: SHA-256 in counter mode.
 *
 * @param {string} seed
 */
export function randomSource(seed) {
  let counter = 0
  let pool = ''
  /** @param {number} count @returns {string} `count` bytes as hex */
  const hex = (count) => {
    while (pool.length < 2 * count) {
      pool += createHash('sha256').update(`${seed}/${counter++}`).digest('hex')
    }
    const taken = pool.slice(0, 2 * count)
    pool = pool.slice(2 * count)
    return taken
  }
  /** @param {number} limit at most 2^32 @returns {number} 0 to limit - 1 */
  const below = (limit) => Number.parseInt(hex(6), 16) % limit
  return { hex, below }
}
