// The anchor of a record: a small file beside it with the number of lines and the hash of the last
// one. A tail that is cut at the end of a line leaves a valid chain, which only the anchor betrays.

import { isHex32 } from '../../primitives/hex-forms.ts'
import type { Head } from './line.ts'

/** Less than a block of a disk, so that no power failure leaves a part of it. */
const anchorBytes = 128

/** Returns the path of the anchor of a record. */
export function anchorPath(path: string): string {
  return `${path}.anchor`
}

export function writeAnchor({ count, hash }: Head): Uint8Array {
  return new TextEncoder().encode(`${`${count}:${hash}`.padEnd(anchorBytes - 1)}\n`)
}

/** Reads `COUNT:HASH`; `undefined` for any other text. */
export function readAnchor(text: string): Head | undefined {
  const [, count, hash] = /^(0|[1-9][0-9]{0,14}):([0-9a-f]+)\s*$/.exec(text) ?? []
  return isHex32(hash) ? { count: Number(count), hash } : undefined
}
