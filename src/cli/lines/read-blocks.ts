// Cuts a stream of bytes into blocks of whole lines, for the commands with `--lines`.

import { type Block, lineBytesMax } from './block.ts'

/** Size of a block: enough to make its fixed cost negligible. */
const blockBytes = 1 << 18

const newline = 0x0a

interface ReadOptions {
  /** False if the consumer uses a block only until it asks for the next one. */
  readonly isCopied?: boolean
  /** Receives all bytes of a block before the consumer gets the block, overlong lines included. */
  readonly onBytes?: (bytes: Uint8Array) => void
}

/**
 * Cuts the input into blocks of whole lines. The last line needs no line end.
 *
 * A block is complete when it is large or when the consumer is idle, so slow lines do not wait. At
 * most one line and one block are buffered. A chunk may be overwritten once the next is requested.
 *
 * @param options - with `isCopied: false`, a block is a view that is valid until the consumer requests
 *   the next one. Fresh memory for each block costs more than computing its txids
 */
export async function* readBlocks(
  input: AsyncIterable<Uint8Array>,
  isIdle: () => boolean,
  { isCopied = true, onBytes = () => undefined }: ReadOptions = {},
): AsyncGenerator<Block> {
  /** Input without a block: whole lines first, then the beginning of one. */
  const buffered = new Buffered()
  /** Bytes skipped of a line that is too long to keep. */
  let skippedBytes = 0

  function take(count: number): Block {
    const bytes = buffered.first(count)
    onBytes(bytes)
    return { bytes: isCopied ? bytes.slice() : bytes, inputBytes: count, isOverlong: false }
  }

  function overlong(): Block {
    const inputBytes = skippedBytes
    skippedBytes = 0
    return { bytes: new Uint8Array(0), inputBytes, isOverlong: true }
  }

  function* takeWhole(): Generator<Block> {
    const count = buffered.wholeBytes
    yield take(count)
    buffered.drop(count)
  }

  for await (const chunk of input) {
    let rest = chunk
    if (skippedBytes > 0) {
      const end = rest.indexOf(newline)
      const skipped = end < 0 ? rest : rest.subarray(0, end + 1)
      skippedBytes += skipped.length
      onBytes(skipped)
      if (end < 0) continue
      yield overlong()
      rest = rest.subarray(end + 1)
    }
    buffered.add(rest)
    const { wholeBytes } = buffered
    if (wholeBytes >= blockBytes || (wholeBytes > 0 && isIdle())) yield* takeWhole()
    if (buffered.bytes - buffered.wholeBytes > lineBytesMax) {
      if (buffered.wholeBytes > 0) yield* takeWhole()
      skippedBytes = buffered.bytes
      onBytes(buffered.first(buffered.bytes))
      buffered.drop(buffered.bytes)
    }
  }
  if (skippedBytes > 0) yield overlong()
  if (buffered.bytes > 0) yield take(buffered.bytes)
}

/** Holds bytes in one piece of memory, and uses it again for later bytes. */
class Buffered {
  bytes = 0
  /** Bytes up to the end of the last whole line. */
  wholeBytes = 0
  #memory = new Uint8Array(2 * blockBytes)

  add(chunk: Uint8Array): void {
    const needed = this.bytes + chunk.length
    if (needed > this.#memory.length) this.#resize(2 * needed)
    this.#memory.set(chunk, this.bytes)
    const last = chunk.lastIndexOf(newline)
    if (last >= 0) this.wholeBytes = this.bytes + last + 1
    this.bytes = needed
  }

  first(count: number): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, count)
  }

  /** Removes the first bytes; no whole line may follow them. */
  drop(count: number): void {
    this.#memory.copyWithin(0, count, this.bytes)
    this.bytes -= count
    this.wholeBytes = 0
    // The memory of one very long line is not kept for the rest of the input.
    if (this.#memory.length > 8 * blockBytes && this.bytes < blockBytes)
      this.#resize(2 * blockBytes)
  }

  #resize(size: number): void {
    const memory = new Uint8Array(size)
    memory.set(this.first(this.bytes))
    this.#memory = memory
  }
}
