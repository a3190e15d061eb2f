// Solves Equihash for n 48 and k 5 as chains with -ac_nk hash it, so that tests can make headers
// which no daemon made. komodo src/crypto/equihash.cpp, BasicSolve and GenerateHash

import { blake2b } from '@noble/hashes/blake2.js'

const [n, k, collisionBits] = [48, 5, 8]
const rowsPerHash = 10
const group = 16
const encoder = new TextEncoder()

/** Half of a row's 48 bits, because JavaScript's exclusive or takes 32. */
const half = 2 ** 24

interface Row {
  readonly high: number
  readonly low: number
  readonly indices: readonly number[]
}

/** Returns the first solution for the 140 bytes of a header; `undefined` if there is none. */
export function solve(input: Uint8Array): Uint8Array | undefined {
  let rows: Row[] = leaves(input)
  for (let round = 1; round <= k; round += 1) {
    // In the last round, all that is left must collide.
    const bits = round === k ? n : round * collisionBits
    rows = collisions(rows, 2 ** (n - bits))
  }
  return rows[0] === undefined ? undefined : packed(rows[0].indices)
}

/** Pairs rows that are equal above the bits below `unit` and have no index in common. */
function collisions(rows: readonly Row[], unit: number): Row[] {
  const byPrefix = new Map<number, Row[]>()
  for (const row of rows) {
    const key = Math.floor((row.high * half + row.low) / unit)
    const alike = byPrefix.get(key)
    if (alike === undefined) byPrefix.set(key, [row])
    else alike.push(row)
  }
  const found: Row[] = []
  for (const alike of byPrefix.values()) {
    for (const [at, one] of alike.entries()) {
      for (const other of alike.slice(at + 1)) {
        if (one.indices.some((index) => other.indices.includes(index))) continue
        const [left, right] = one.indices[0]! < other.indices[0]! ? [one, other] : [other, one]
        found.push({
          high: one.high ^ other.high,
          low: one.low ^ other.low,
          indices: [...left.indices, ...right.indices],
        })
      }
    }
  }
  return found
}

function leaves(input: Uint8Array): Row[] {
  const hashes = summedHashes(input, Math.ceil(512 / rowsPerHash))
  return Array.from({ length: 512 }, (_, index) => {
    const start = (index % rowsPerHash) * 6
    const bytes = Buffer.from(hashes[Math.floor(index / rowsPerHash)]!.subarray(start, start + 6))
    return { high: bytes.readUIntBE(0, 3), low: bytes.readUIntBE(3, 3), indices: [index] }
  })
}

const personalization = new Uint8Array([...encoder.encode('NandKPoW'), ...word(n), ...word(k)])

/** Returns for each counter the sum of the hashes from the beginning of its group to its own. */
function summedHashes(input: Uint8Array, count: number): Uint8Array[] {
  const sum = new Uint32Array(15)
  const begun = blake2b.create({ dkLen: 60, personalization }).update(input)
  return Array.from({ length: count }, (_, counter) => {
    if (counter % group === 0) sum.fill(0)
    const digest = begun.clone().update(word(counter)).digest()
    const view = new DataView(digest.buffer, digest.byteOffset)
    const summed = new DataView(new ArrayBuffer(digest.length))
    for (let index = 0; index < sum.length; index += 1) {
      sum[index]! += view.getUint32(4 * index, true)
      summed.setUint32(4 * index, sum[index]!, true)
    }
    return new Uint8Array(summed.buffer)
  })
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/** Nine bits for each index. */
function packed(indices: readonly number[]): Uint8Array {
  const bits = indices.map((it) => it.toString(2).padStart(9, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2))
}
