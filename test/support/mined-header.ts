// Headers that no daemon made, with a real proof of work of the least difficulty.

import { createHash } from 'node:crypto'
import { solve } from './equihash-solver.ts'
import { headersOf } from './headers.ts'

const headers = headersOf('komodod-headers.txt')

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
  for (let nonce = 0; ; nonce += 1) {
    input.writeUInt32LE(nonce, 108)
    const solution = solve(input)
    if (solution === undefined) continue
    const header = Buffer.concat([input, Buffer.of(36), solution])
    const once = createHash('sha256').update(header).digest()
    const hash = createHash('sha256').update(once).digest().reverse().toString('hex')
    if (wants(hash)) return header.toString('hex')
  }
}
