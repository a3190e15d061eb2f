import { type Block, lineBytesMax } from './block.ts'

/** Size of a block: enough to make its fixed cost negligible. */
const blockBytes = 1 << 18

const newline = 0x0a

/**
 * Cuts the input into blocks of whole lines. The last line needs no line end.
 *
 * A block is complete when it is large or when the consumer is idle, so slow lines do not wait. At
 * most one line and one block are buffered.
 */
export async function* readBlocks(
  input: AsyncIterable<Uint8Array>,
  isIdle: () => boolean,
): AsyncGenerator<Block> {
  /** Input without a block: whole lines first, then the beginning of one. */
  let buffered: Uint8Array[] = []
  let bufferedBytes = 0
  /** Bytes of whole lines in the buffer. */
  let wholeBytes = 0
  /** Bytes skipped of a line that is too long to keep. */
  let skippedBytes = 0

  function buffer(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const last = chunk.lastIndexOf(newline)
    buffered.push(chunk)
    if (last >= 0) wholeBytes = bufferedBytes + last + 1
    bufferedBytes += chunk.length
  }

  function take(count: number): Block {
    const bytes = new Uint8Array(count)
    const rest: Uint8Array[] = []
    let at = 0
    for (const chunk of buffered) {
      const taken = Math.min(chunk.length, count - at)
      bytes.set(taken === chunk.length ? chunk : chunk.subarray(0, taken), at)
      at += taken
      if (taken < chunk.length) rest.push(chunk.subarray(taken))
    }
    buffered = rest
    bufferedBytes -= count
    wholeBytes = 0
    return { bytes, inputBytes: count, isOverlong: false }
  }

  function overlong(): Block {
    const inputBytes = skippedBytes
    skippedBytes = 0
    return { bytes: new Uint8Array(0), inputBytes, isOverlong: true }
  }

  for await (const chunk of input) {
    let rest = chunk
    if (skippedBytes > 0) {
      const end = rest.indexOf(newline)
      skippedBytes += end < 0 ? rest.length : end + 1
      if (end < 0) continue
      yield overlong()
      rest = rest.subarray(end + 1)
    }
    buffer(rest)
    if (wholeBytes >= blockBytes || (wholeBytes > 0 && isIdle())) yield take(wholeBytes)
    if (bufferedBytes - wholeBytes > lineBytesMax) {
      if (wholeBytes > 0) yield take(wholeBytes)
      skippedBytes = bufferedBytes
      buffered = []
      bufferedBytes = 0
    }
  }
  if (skippedBytes > 0) yield overlong()
  if (bufferedBytes > 0) yield take(bufferedBytes)
}
