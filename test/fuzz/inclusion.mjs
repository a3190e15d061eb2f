/**
 * Hostile proofs of inclusion, and chains that a request names: pieces of real headers, whole,
 * repeated, changed or of another chain, with branches that hold for nothing.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { mutateHex } from './random.mjs'

const headers = readFileSync(
  new URL('../vectors/headers/komodod-headers.txt', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')

/** @param {import('./random.mjs').Random} random */
const hash = (random) => random.one(['00', '11', 'ab', 'zz', '']).repeat(32)

/**
 * @param {readonly string[]} transactions
 * @param {readonly string[]} txids
 * @param {import('./random.mjs').Random} random
 */
export function hostileInclusion(transactions, txids, random) {
  return Array.from({ length: random.below(3) }, () => {
    const start = random.below(headers.length)
    const some = headers.slice(start, start + random.below(20))
    const at = random.below(some.length + 1)
    if (random.chance(3)) some.splice(at, 1, mutateHex(random.one(headers), headers, random))
    return {
      headers: random.chance(2) ? some : [some.join('')],
      proofs: Array.from({ length: random.below(4) }, () => ({
        txid: random.one([...txids, hash(random)]),
        height: random.one([start, start + at, 0, 0xffffffff]),
        pos: random.one([0, 1, 2, 0xffffffff]),
        merkle: Array.from({ length: random.below(18) }, () => hash(random)),
        ...(random.chance(2) && {
          coinbase: { transaction: random.one([...transactions, '']), merkle: [hash(random)] },
        }),
      })),
      ...(random.chance(4) && { sources: ['ssl://a', random.one(['ssl://a', 'b', '\u202e'])] }),
    }
  })
}

const sha256 = (/** @type {Uint8Array} */ bytes) => createHash('sha256').update(bytes).digest()

/** @param {string} [header] */
const hashOf = (header = '') =>
  sha256(sha256(Buffer.from(header, 'hex')))
    .reverse()
    .toString('hex')

/** @param {import('./random.mjs').Random} random */
export function namedChain(random) {
  const height = random.below(headers.length)
  const known = () => random.one([hash(random), hashOf(headers[height]), hashOf(headers[0])])
  return {
    checkpoints: Array.from({ length: random.below(3) }, () => ({
      height: random.one([height, 0, 0xffffffff]),
      hash: known(),
    })),
    ...(random.chance(2) && { workMin: random.one([0n, 1n, -1n, 1n << 300n]) }),
    ...(random.chance(2) && {
      equihash: random.one([
        { n: 48, k: 5 },
        { n: 200, k: 9 },
        { n: 0, k: 0 },
      ]),
    }),
    ...(random.chance(4) && { limitBits: random.one([0, 0x200f0f0f, 0xffffffff]) }),
    ...(random.chance(4) && { allowsEasyBlocks: true }),
  }
}
