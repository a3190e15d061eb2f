// The chain of a record: each line has the next number and the hash of the line before it.

import { emptyHead, type Head, headAfter, type LineFacts, readLine } from './line.ts'

/** A fault of a record, in words. */
export interface Fault {
  readonly fault: string
}

/** Follows the lines of a record, through all of its files. */
export class Chain {
  #head: Head | undefined
  #first: LineFacts | undefined
  readonly #anchor: Head | undefined
  #isAnchorSeen = false

  /**
   * @param before - the head before the first line; absent to accept any first line
   * @param anchor - the head that a line must have, or lead to
   */
  constructor(before: Head | undefined, anchor: Head | undefined) {
    this.#head = before
    this.#anchor = anchor
  }

  /** Returns the head after the last line. */
  get head(): Head {
    return this.#head ?? emptyHead
  }

  /** Returns the first line; `undefined` if there is none yet. */
  get first(): LineFacts | undefined {
    return this.#first
  }

  /**
   * Takes the next line without its end. Its bytes are hashed as they are, because a decoder could
   * make the same text of different bytes. Returns the line's facts, or what is wrong with it.
   */
  push(line: Uint8Array): LineFacts | Fault {
    const facts = readLine(new TextDecoder('utf-8', { ignoreBOM: true }).decode(line))
    if (facts === undefined) return { fault: 'this is not a line of a record' }
    const before = this.#head ?? { count: facts.number - 1, hash: facts.previous }
    if (facts.number !== before.count + 1) {
      return { fault: `number ${before.count + 1} expected, found ${facts.number}` }
    }
    if (facts.previous !== before.hash) return { fault: 'the line before it was changed' }
    this.#first ??= facts
    this.#isAnchorSeen ||= isSame(before, this.#anchor)
    this.#head = headAfter(line, before)
    this.#isAnchorSeen ||= isSame(this.#head, this.#anchor)
    return facts
  }

  /** Returns what is missing at the end; `undefined` if the chain leads to the anchor. */
  end(): Fault | undefined {
    const anchor = this.#anchor
    if (anchor === undefined || this.#isAnchorSeen || isSame(this.head, anchor)) return undefined
    const { count } = this.head
    if (count < anchor.count) {
      return { fault: `it ends at line ${count}, and the anchor has ${anchor.count} lines` }
    }
    const first = this.#first?.number ?? 1
    if (anchor.count < first - 1) {
      const earlier = `the anchor has ${anchor.count} lines, and the first line here is ${first}`
      return { fault: `${earlier}: the files between were not given` }
    }
    return { fault: `line ${anchor.count} is another one than the anchor has` }
  }
}

function isSame({ count, hash }: Head, other: Head | undefined): boolean {
  return count === other?.count && hash === other.hash
}

/** Cuts bytes into whole lines, without their ends. What follows the last line end is `rest`. */
export function linesOf(bytes: Uint8Array): {
  readonly lines: readonly Uint8Array[]
  readonly rest: Uint8Array
} {
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return { lines, rest: bytes.subarray(start) }
}
