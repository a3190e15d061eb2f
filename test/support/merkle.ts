// Merkle trees as bitcoin builds them, by node:crypto and not by the code under test.

import { createHash } from 'node:crypto'

export const reversed = (hex: string): string => Buffer.from(hex, 'hex').reverse().toString('hex')

export const hashTwice = (bytes: Uint8Array): Buffer => {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest()
}

/** The node above two others, all in display order. */
export const parent = (left: string, right: string): string =>
  reversed(hashTwice(Buffer.from(reversed(left) + reversed(right), 'hex')).toString('hex'))

/** Returns the rows of a tree, from the txids up. */
export function rowsOf(txids: readonly string[]): string[][] {
  const rows = [[...txids]]
  while (rows.at(-1)!.length > 1) {
    const row = rows.at(-1)!
    const pairs = row
      .filter((_, at) => at % 2 === 0)
      .map((left, at) => [left, row[2 * at + 1] ?? left])
    rows.push(pairs.map(([left, right]) => parent(left!, right!)))
  }
  return rows
}

export function branchOf(txids: readonly string[], pos: number): string[] {
  return rowsOf(txids)
    .slice(0, -1)
    .map((row, level) => row[(pos >> level) ^ 1] ?? row[pos >> level]!)
}
