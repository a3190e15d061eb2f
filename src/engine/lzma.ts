// Decompresses the WebAssembly that bundles hold as text. The format is that of `.lzma` files: a
// header of 13 bytes, then the range coder. Names and numbers are those of the LZMA specification by
// Igor Pavlov (lzma-specification.txt of the LZMA SDK).

const headerBytes = 13

const probabilityBits = 11
const evenProbability = 1 << (probabilityBits - 1)
const adaptationShift = 5
/** The coder reads a byte when its range is below this. */
const rangeMin = 2 ** 24

const states = 12
/** In states below this one, the last symbol was a literal. */
const statesAfterLiteral = 7
const positionStatesMax = 16
const matchLengthMin = 2
const distanceModelStart = 4
const distanceModelEnd = 14
const alignBits = 4
const lengthStates = 4

const evenProbabilities = (count: number) => new Uint16Array(count).fill(evenProbability)

/** The probabilities of one kind of length: 2 to 9, 10 to 17, and 18 to 273. */
interface LengthModel {
  readonly choices: Uint16Array
  readonly low: readonly Uint16Array[]
  readonly middle: readonly Uint16Array[]
  readonly high: Uint16Array
}

function lengthModel(): LengthModel {
  const trees = () => Array.from({ length: positionStatesMax }, () => evenProbabilities(8))
  return {
    choices: evenProbabilities(2),
    low: trees(),
    middle: trees(),
    high: evenProbabilities(256),
  }
}

/**
 * Decompresses a `.lzma` file.
 *
 * @param size - bytes that come out
 * @throws {RangeError} for data that is damaged or has another size
 */
export function decompressLzma(source: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const properties = source[0] ?? 255
  if (source.length < headerBytes + 5 || properties >= 9 * 5 * 5) throw damaged()
  const literalContextBits = properties % 9
  const literalPositionMask = (1 << (Math.floor(properties / 9) % 5)) - 1
  const positionMask = (1 << Math.floor(properties / 45)) - 1

  const output = new Uint8Array(size)
  let written = 0
  let read = headerBytes + 1
  // V8 would allocate memory at each change of a variable that is larger than 2^30.
  const coder = Uint32Array.of(0xffffffff, 0)
  const [range, code] = [0, 1] as const
  for (let count = 0; count < 4; count += 1) shiftIn()
  if (source[headerBytes] !== 0) throw damaged()

  function shiftIn(): void {
    if (read >= source.length) throw damaged()
    coder[code] = (coder[code]! << 8) | source[read]!
    read += 1
  }

  function normalize(): void {
    if (coder[range]! >= rangeMin) return
    coder[range]! <<= 8
    shiftIn()
  }

  function bit(probabilities: Uint16Array, index: number): number {
    const probability = probabilities[index]!
    const bound = (coder[range]! >>> probabilityBits) * probability
    const isOne = coder[code]! >= bound
    if (isOne) {
      coder[range]! -= bound
      coder[code]! -= bound
      probabilities[index] = probability - (probability >> adaptationShift)
    } else {
      coder[range] = bound
      const rest = (1 << probabilityBits) - probability
      probabilities[index] = probability + (rest >> adaptationShift)
    }
    normalize()
    return isOne ? 1 : 0
  }

  /** Reads bits whose two values are equally probable. */
  function directBits(count: number): number {
    let value = 0
    for (let left = count; left > 0; left -= 1) {
      coder[range]! >>>= 1
      const isOne = coder[code]! >= coder[range]!
      if (isOne) coder[code]! -= coder[range]!
      value = value * 2 + (isOne ? 1 : 0)
      normalize()
    }
    return value
  }

  function tree(probabilities: Uint16Array, bits: number): number {
    let node = 1
    for (let left = bits; left > 0; left -= 1) node = (node << 1) | bit(probabilities, node)
    return node - (1 << bits)
  }

  function reverseTree(probabilities: Uint16Array, bits: number): number {
    let node = 1
    let value = 0
    for (let at = 0; at < bits; at += 1) {
      const next = bit(probabilities, node)
      node = (node << 1) | next
      value |= next << at
    }
    return value
  }

  const isMatch = evenProbabilities(states * positionStatesMax)
  const isRepeat = evenProbabilities(states)
  const isOtherRepeat = evenProbabilities(states)
  const isThirdRepeat = evenProbabilities(states)
  const isFourthRepeat = evenProbabilities(states)
  const isLongRepeat = evenProbabilities(states * positionStatesMax)
  const literals = Array.from({ length: (literalPositionMask + 1) << literalContextBits }, () =>
    evenProbabilities(0x300),
  )
  const distanceSlots = Array.from({ length: lengthStates }, () => evenProbabilities(64))
  const distances = Array.from({ length: distanceModelEnd }, (_, slot) =>
    evenProbabilities(1 << Math.max(0, (slot >> 1) - 1)),
  )
  const aligned = evenProbabilities(1 << alignBits)
  const matchLengths = lengthModel()
  const repeatLengths = lengthModel()

  let state = 0
  /** Distances of the last four matches, less one; the latest is first. */
  let [latest, second, third, fourth] = [0, 0, 0, 0]

  function byteAt(distance: number): number {
    if (distance >= written) throw damaged()
    return output[written - distance - 1]!
  }

  function put(byte: number): void {
    output[written] = byte
    written += 1
  }

  function literal(): void {
    const previous = written === 0 ? 0 : output[written - 1]!
    const position = (written & literalPositionMask) << literalContextBits
    const probabilities = literals[position + (previous >> (8 - literalContextBits))]!
    let symbol = 1
    if (state >= statesAfterLiteral) {
      // After a match, the byte that the match would have had next is probably not this one.
      let expected = byteAt(latest)
      while (symbol < 0x100) {
        const likely = (expected >> 7) & 1
        expected <<= 1
        const found = bit(probabilities, ((1 + likely) << 8) + symbol)
        symbol = (symbol << 1) | found
        if (found !== likely) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(probabilities, symbol)
    put(symbol & 0xff)
    if (state < 4) state = 0
    else state -= state < 10 ? 3 : 6
  }

  function lengthOf(model: LengthModel, positionState: number): number {
    if (bit(model.choices, 0) === 0) return tree(model.low[positionState]!, 3)
    if (bit(model.choices, 1) === 0) return 8 + tree(model.middle[positionState]!, 3)
    return 16 + tree(model.high, 8)
  }

  function distanceOf(length: number): number {
    const slot = tree(distanceSlots[Math.min(length, lengthStates - 1)]!, 6)
    if (slot < distanceModelStart) return slot
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) * 2 ** bits
    if (slot < distanceModelEnd) return base + reverseTree(distances[slot]!, bits)
    return base + directBits(bits - alignBits) * 16 + reverseTree(aligned, alignBits)
  }

  /** Takes one of the last four distances, and moves it to the front. */
  function repeated(): void {
    if (bit(isThirdRepeat, state) === 0) {
      ;[latest, second] = [second, latest]
    } else if (bit(isFourthRepeat, state) === 0) {
      ;[latest, second, third] = [third, latest, second]
    } else {
      ;[latest, second, third, fourth] = [fourth, latest, second, third]
    }
  }

  /** Reads where a match begins, and returns how long it is. */
  function match(positionState: number): number {
    const isAfterLiteral = state < statesAfterLiteral
    const at = state * positionStatesMax + positionState
    if (bit(isRepeat, state) === 0) {
      ;[second, third, fourth] = [latest, second, third]
      const length = lengthOf(matchLengths, positionState)
      state = isAfterLiteral ? 7 : 10
      latest = distanceOf(length)
      return matchLengthMin + length
    }
    if (bit(isOtherRepeat, state) !== 0) repeated()
    else if (bit(isLongRepeat, at) === 0) {
      state = isAfterLiteral ? 9 : 11
      return 1
    }
    const length = lengthOf(repeatLengths, positionState)
    state = isAfterLiteral ? 8 : 11
    return matchLengthMin + length
  }

  while (written < size) {
    const positionState = written & positionMask
    if (bit(isMatch, state * positionStatesMax + positionState) === 0) {
      literal()
      continue
    }
    const length = match(positionState)
    if (length > size - written) throw damaged()
    for (let count = 0; count < length; count += 1) put(byteAt(latest))
  }
  return output
}

function damaged(): RangeError {
  return new RangeError('the embedded WebAssembly is damaged')
}
