// The chain of a record: each line has the next number and the hash of the line before it.

import { emptyHead, type Head, headAfter, type LineFacts, readLine } from './line.ts'

/** A fault of a record, in words. */
export interface ChainFault {
  /** Number of the line in its file, from 1. */
  readonly line: number
  readonly fault: string
}

/** Follows the lines of one file of a record. */
export class Chain {
  #head: Head | undefined
  #first: LineFacts | undefined
  #lines = 0
  readonly #anchor: Head | undefined
  #isAnchorSeen = false

  /**
   * @param before - the head of the file before; absent to accept any first line
   * @param anchor - the head that a line must have, or lead to
   */
  constructor(before: Head | undefined, anchor: Head | undefined) {
    this.#head = before
    this.#anchor = anchor
    this.#isAnchorSeen = before !== undefined && isSame(before, anchor)
  }

  /** Returns the head after the last line. */
  get head(): Head {
    return this.#head ?? emptyHead
  }

  /** Returns the first line; `undefined` if there is none yet. */
  get first(): LineFacts | undefined {
    return this.#first
  }

  /** Returns whether a line had the anchor's number and hash. */
  get isAnchorSeen(): boolean {
    return this.#isAnchorSeen
  }

  /** Takes the next line. Returns its facts, or what is wrong with it. */
  push(line: string): LineFacts | ChainFault {
    this.#lines += 1
    const fault = (text: string): ChainFault => ({ line: this.#lines, fault: text })
    const facts = readLine(line)
    if (facts === undefined) return fault('this is not a line of a record')
    const before = this.#head ?? { count: facts.number - 1, hash: facts.previous }
    if (facts.number !== before.count + 1) {
      return fault(`number ${before.count + 1} expected, found ${facts.number}`)
    }
    if (facts.previous !== before.hash) return fault('the line before it was changed')
    this.#first ??= facts
    this.#isAnchorSeen ||= isSame(before, this.#anchor)
    this.#head = headAfter(line, before)
    this.#isAnchorSeen ||= isSame(this.#head, this.#anchor)
    return facts
  }

  /** Returns what is missing at the end; `undefined` if the chain leads to the anchor. */
  end(): ChainFault | undefined {
    const anchor = this.#anchor
    if (anchor === undefined || this.#isAnchorSeen) return undefined
    const { count } = this.head
    const fault =
      count < anchor.count
        ? `it ends at line ${count}, and the anchor has ${anchor.count} lines`
        : `line ${anchor.count} is another one than the anchor has`
    return { line: this.#lines, fault }
  }
}

function isSame({ count, hash }: Head, other: Head | undefined): boolean {
  return count === other?.count && hash === other.hash
}

/** Cuts bytes into whole lines. What follows the last line end is `torn`. */
export function linesOf(bytes: Uint8Array): { readonly lines: string[]; readonly torn: number } {
  const end = bytes.lastIndexOf(0x0a) + 1
  // Bytes that are not UTF-8 become characters that have another hash.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end))
  return { lines: text.split('\n').slice(0, -1), torn: bytes.length - end }
}
