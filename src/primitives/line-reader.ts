const newline = 0x0a

/** A line that is too long, or that is not UTF-8. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly fault: 'too_long' | 'malformed_text'
  /** The most bytes that a line could have. */
  readonly bytesMax: number
  constructor(fault: LineError['fault'], bytesMax: number, cause?: unknown) {
    super(fault === 'too_long' ? `a line over ${bytesMax} bytes` : 'a line that is not UTF-8', {
      cause,
    })
    this.fault = fault
    this.bytesMax = bytesMax
  }
}

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
   * @throws {LineError}
   */
  push(chunk: Uint8Array): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) {
        // A copy: a view would keep all of a large chunk, and change with it.
        this.#add(new Uint8Array(chunk.subarray(start)))
        return
      }
      this.#add(chunk.subarray(start, end))
      this.#onLine(this.#take())
      start = end + 1
    }
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length
    const max = this.#bytesMax()
    if (this.#bytes > max) throw new LineError('too_long', max)
    this.#parts.push(part)
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
      throw new LineError('malformed_text', this.#bytesMax(), cause)
    }
  }
}
