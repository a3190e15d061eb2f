import type { OpenFile } from './disk.ts'

/** The end of an open file, to which bytes are appended whole or not at all. */
export class FileEnd {
  #isDirty = false

  /** True if bytes that were not synced may follow the end. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  /** Writes bytes at the end, and cuts them off again if that fails. */
  async write(file: OpenFile, bytes: Uint8Array, end: number): Promise<void> {
    if (this.#isDirty) await file.truncate(end)
    this.#isDirty = true
    try {
      await file.write(bytes, end)
    } catch (cause) {
      // Otherwise a later write would follow a part of this one.
      await file.truncate(end).then(
        () => this.settle(),
        () => undefined,
      )
      throw cause
    }
  }

  /** Notes that the bytes belong to the file, because they are synced. */
  settle(): void {
    this.#isDirty = false
  }
}
