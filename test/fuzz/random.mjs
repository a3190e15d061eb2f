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

/**
 * A case with some of its parts changed, at least one.
 *
 * @param {{ hex: string, intent: any, evidence: any }} seed
 * @param {{ sources: readonly string[], intent: (intent: any, random: Random) => any, evidence: (evidence: any, random: Random) => any }} how
 * @param {Random} random
 */
export function mutateCase({ hex, intent, evidence }, how, random) {
  const parts = random.below(8) || 7
  const { sources } = how
  const changed = () => mutateHex(random.chance(20) ? random.one(sources) : hex, sources, random)
  return {
    hex: parts & 1 ? changed() : hex,
    intent: parts & 2 ? how.intent(intent, random) : intent,
    evidence: parts & 4 ? how.evidence(evidence, random) : evidence,
  }
}

/**
 * Whole transactions of the evidence: one less, one changed, one more.
 *
 * @param {readonly string[]} known @param {readonly string[]} sources @param {Random} random
 */
export function mutatePrevious(known, sources, random) {
  const at = random.below(known.length + 1)
  switch (random.below(3)) {
    case 0:
      return known.toSpliced(at, 1)
    case 1:
      return known.toSpliced(at, 1, mutateHex(known[at] ?? '', sources, random))
    default:
      return [random.one(sources), ...known]
  }
}

const terms = ['network', 'fee', 'maxFee', 'ownKeys', 'spendable', 'onChain', 'chain', 'reportedBy']

/**
 * Tells whether an intent has a member that its operation does not have.
 *
 * @param {any} intent
 * @param {readonly string[]} members beside those that any intent may have
 */
export function hasUnknownMember(intent, members) {
  const known = [...terms, 'expiryBlocksMax', ...members]
  return Object.entries(intent).some(([it, value]) => value !== undefined && !known.includes(it))
}
