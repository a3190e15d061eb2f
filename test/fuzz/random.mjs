/**
 * A small fast generator: splitmix32. The same numbers on every machine.
 *
 * @typedef {{ below: (limit: number) => number, one: <Item>(items: readonly Item[]) => Item, chance: (of: number) => boolean }} Random
 */

/** @param {number} seed @returns {Random} */
export function randomFrom(seed) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  /** @param {number} limit */
  const below = (limit) => next() % limit
  return {
    below,
    one: (items) => /** @type {any} */ (items[below(items.length)]),
    chance: (of) => below(of) === 0,
  }
}

const bytesMax = 20_000
const interesting = [0x00, 0x01, 0x4c, 0x4d, 0x6a, 0x7f, 0x80, 0xcc, 0xf2, 0xf5, 0xfd, 0xfe, 0xff]

/**
 * Hex with some bytes changed, added, taken away or brought from elsewhere; seldom no hex at all.
 *
 * @param {string} hex
 * @param {readonly string[]} others where bytes may come from
 * @param {Random} random
 * @returns {string}
 */
export function mutateHex(hex, others, random) {
  if (random.chance(200))
    return random.one([
      '',
      '0',
      'zz',
      '0x00',
      hex.slice(1),
      `${hex} `,
      '\u{1f600}',
      hex.toUpperCase(),
    ])
  let bytes = Buffer.from(hex, 'hex')
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const at = random.below(bytes.length + 1)
    const length = random.below(random.chance(4) ? 64 : 4)
    switch (random.below(7)) {
      case 0:
        if (at < bytes.length) bytes[at] = random.below(256)
        break
      case 1:
        if (at < bytes.length) bytes[at] = bytes[at] ^ (1 << random.below(8))
        break
      case 2:
        if (at < bytes.length) bytes[at] = random.one(interesting)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 4: {
        const other = Buffer.from(random.one(others), 'hex')
        const from = random.below(other.length + 1)
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          other.subarray(from, from + length),
          bytes.subarray(at),
        ])
        break
      }
      case 5: {
        const other = Buffer.from(random.one(others), 'hex')
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          other.subarray(random.below(other.length + 1)),
        ])
        break
      }
      default:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.alloc(length, random.below(256)),
          bytes.subarray(at),
        ])
    }
  }
  return bytes.subarray(0, bytesMax).toString('hex')
}
