// Headers that no daemon made, with a real proof of work of the least difficulty.

import { createHash } from 'node:crypto'
import { solve } from './equihash-solver.ts'
import { headersOf } from './headers.ts'

const headers = headersOf('komodod-headers.txt')

/**
 * The nonces that a search from 0 found for headers of the tests, by the hash of what precedes the
 * nonce. A search begins there. Without an entry it only takes longer.
 */
const foundNonces: Readonly<Record<string, number>> = {
  '071b6516': 10,
  '170dc3b1': 118,
  '3d600c0c': 8,
  '75f49457': 11,
  '8fcd760d': 52,
  a544e39e: 20,
  ab912e09: 9,
  b104f1d5: 12,
  cd56b4d6: 10,
  daddded1: 32,
  e43fbede: 16,
  e8b21417: 7,
  ec625319: 20,
}

/** Makes a header of a recorded chain that follows `previous`, with a solution that nobody has to search for long. */
export function mined(
  previous: string,
  {
    bits = 0x200f0f0f,
    time = 2_000_000_000,
    wants = () => true,
    merkleRoot,
  }: {
    bits?: number
    time?: number
    wants?: (hash: string) => boolean
    /** Display order; that of a recorded block if absent. */
    merkleRoot?: string
  } = {},
): string {
  const input = Buffer.from(headers[1]!.slice(0, 280), 'hex')
  Buffer.from(previous, 'hex').reverse().copy(input, 4)
  if (merkleRoot !== undefined) Buffer.from(merkleRoot, 'hex').reverse().copy(input, 36)
  input.writeUInt32LE(time, 100)
  input.writeUInt32LE(bits, 104)
  const place = createHash('sha256').update(input.subarray(0, 108)).digest('hex').slice(0, 8)
  for (let nonce = foundNonces[place] ?? 0; ; nonce += 1) {
    input.writeUInt32LE(nonce, 108)
    const solution = solve(input)
    if (solution === undefined) continue
    const header = Buffer.concat([input, Buffer.of(36), solution])
    const once = createHash('sha256').update(header).digest()
    const hash = createHash('sha256').update(once).digest().reverse().toString('hex')
    if (wants(hash)) return header.toString('hex')
  }
}
