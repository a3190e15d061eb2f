import { RpcError } from '../rpc/errors.ts'

const newline = 0x0a

/**
 * Cuts a stream of bytes into lines. It copies each byte once, however the bytes arrive, and keeps
 * no more than a line may have.
 */
export class LineReader {
  readonly #bytesMax: () => number
  readonly #onLine: (text: string) => void
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #parts: Uint8Array[] = []
  #bytes = 0

  /** @param bytesMax - the longest line that is accepted at this moment, in bytes */
  constructor(bytesMax: () => number, onLine: (text: string) => void) {
    this.#bytesMax = bytesMax
    this.#onLine = onLine
  }

  /**
   * Takes the next bytes, and passes on every line that they end.
   *
   * @throws {RpcError} of kind `shape`: `reply_too_large` for a line over the limit, and
   *   `malformed_text` for one that is no UTF-8
   */
  push(chunk: Uint8Array): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      this.#keep(chunk.subarray(start, end === -1 ? chunk.length : end))
      if (end === -1) return
      this.#onLine(this.#take())
      start = end + 1
    }
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length
    const max = this.#bytesMax()
    if (this.#bytes > max) throw tooLarge(max)
    // A view of a large chunk would keep all of it.
    if (part.length > 0) this.#parts.push(part.slice())
  }

  #take(): string {
    const line = new Uint8Array(this.#bytes)
    let at = 0
    for (const part of this.#parts) {
      line.set(part, at)
      at += part.length
    }
    this.#parts = []
    this.#bytes = 0
    try {
      return this.#decoder.decode(line)
    } catch (cause) {
      const message = 'the server sent a message that is no UTF-8'
      throw new RpcError('shape', message, { reason: 'malformed_text', cause })
    }
  }
}

export function tooLarge(max: number): RpcError {
  const message = `the server sent a message over ${max} bytes`
  return new RpcError('shape', message, { reason: 'reply_too_large' })
}
