// Decompresses the WebAssembly that bundles hold as text. RFC 1951; section numbers are its own.

/** A Huffman code: how many codes have each length, and the symbols in the order of their codes. */
interface Code {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

const bitsMax = 15
/** The end of a block. Symbols above it are lengths. */
const endOfBlock = 256

// 3.2.5: the smallest length or distance of each symbol, and the bits that are added to it
const lengths = [
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31],
  ...[35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258],
]
const lengthBits = [
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2],
  ...[3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
]
const distances = [
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769],
  ...[1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577],
]
const distanceBits = distances.map((_, symbol) => Math.max(0, (symbol >> 1) - 1))
// 3.2.7: the order in which the lengths of the code for code lengths are written
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** 3.2.2 */
function codeOf(bitLengths: readonly number[]): Code {
  const counts = new Uint16Array(bitsMax + 1)
  for (const length of bitLengths) counts[length]! += 1
  counts[0] = 0
  const offsets = new Uint16Array(bitsMax + 2)
  for (let bits = 1; bits <= bitsMax; bits += 1) offsets[bits + 1] = offsets[bits]! + counts[bits]!
  const symbols = new Uint16Array(bitLengths.length)
  for (const [symbol, length] of bitLengths.entries()) {
    if (length > 0) symbols[offsets[length]!++] = symbol
  }
  return { counts, symbols }
}

/** 3.2.6 */
const fixedLengths = codeOf(
  Array.from({ length: 288 }, (_, symbol) => {
    if (symbol < 144) return 8
    if (symbol < 256) return 9
    return symbol < 280 ? 7 : 8
  }),
)
const fixedDistances = codeOf(Array.from({ length: 30 }, () => 5))

/**
 * Decompresses raw DEFLATE data.
 *
 * @param size - bytes that come out
 * @throws {RangeError} for data that is damaged or has another size
 */
export function inflate(source: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(size)
  let written = 0
  let read = 0
  let held = 0
  let heldBits = 0

  function bits(count: number): number {
    while (heldBits < count) {
      if (read >= source.length) throw damaged()
      held |= source[read]! << heldBits
      read += 1
      heldBits += 8
    }
    const value = held & ((1 << count) - 1)
    held >>>= count
    heldBits -= count
    return value
  }

  function symbolOf({ counts, symbols }: Code): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= bitsMax; length += 1) {
      code |= bits(1)
      const count = counts[length]!
      if (code - count < first) return symbols[index + code - first]!
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw damaged()
  }

  function put(byte: number): void {
    if (written >= size) throw damaged()
    output[written] = byte
    written += 1
  }

  function stored(): void {
    held = 0
    heldBits = 0
    const [low = 0, high = 0] = source.subarray(read, read + 2)
    read += 4
    const end = read + low + high * 256
    if (end > source.length) throw damaged()
    for (; read < end; read += 1) put(source[read]!)
  }

  function compressed(literals: Code, farness: Code): void {
    for (let symbol = symbolOf(literals); symbol !== endOfBlock; symbol = symbolOf(literals)) {
      if (symbol < endOfBlock) {
        put(symbol)
        continue
      }
      const [least, more] = [lengths[symbol - 257], lengthBits[symbol - 257]]
      if (least === undefined || more === undefined) throw damaged()
      const length = least + bits(more)
      const far = symbolOf(farness)
      const [nearest, farther] = [distances[far], distanceBits[far]]
      if (nearest === undefined || farther === undefined) throw damaged()
      const distance = nearest + bits(farther)
      if (distance > written) throw damaged()
      for (let count = 0; count < length; count += 1) put(output[written - distance]!)
    }
  }

  /** 3.2.7 */
  function codes(): readonly [Code, Code] {
    const [literalCount, distanceCount, count] = [bits(5) + 257, bits(5) + 1, bits(4) + 4]
    const ofLengths = Array.from({ length: 19 }, () => 0)
    for (const symbol of orderOfLengths.slice(0, count)) ofLengths[symbol] = bits(3)
    const code = codeOf(ofLengths)
    const found: number[] = []
    while (found.length < literalCount + distanceCount) {
      const symbol = symbolOf(code)
      if (symbol < 16) found.push(symbol)
      else if (symbol === 16) repeat(found, found.at(-1) ?? 0, 3 + bits(2))
      else if (symbol === 17) repeat(found, 0, 3 + bits(3))
      else repeat(found, 0, 11 + bits(7))
    }
    const end = literalCount + distanceCount
    return [codeOf(found.slice(0, literalCount)), codeOf(found.slice(literalCount, end))]
  }

  for (let isLast = false; !isLast; ) {
    isLast = bits(1) === 1
    const type = bits(2)
    if (type === 0) stored()
    else if (type === 1) compressed(fixedLengths, fixedDistances)
    else if (type === 2) compressed(...codes())
    else throw damaged()
  }
  if (written !== size) throw damaged()
  return output
}

function repeat(found: number[], value: number, times: number): void {
  for (let count = 0; count < times; count += 1) found.push(value)
}

function damaged(): RangeError {
  return new RangeError('the embedded WebAssembly is damaged')
}
