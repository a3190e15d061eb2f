/**
 * A durable, ordered list of texts that several processes may share. It keeps the record of every
 * payment that was sent, or may have been, so that no request is paid twice.
 *
 * Positions count from 1. The first record has position 1, and there are no gaps. A journal knows
 * nothing of what a text means, so a file, a table of a database or a key-value store can be one.
 * `antara-tx/journal/conformance` has the tests that every implementation must pass.
 *
 * @example
 * const journal = fileJournal('wallet.journal')
 * await transferToken(daemon, intent, { journal, id: 'invoice-17' })
 * await journal.close()
 */
export interface Journal {
  /**
   * Returns the texts after position `after`, in order; all of them for 0.
   *
   * Every text that `append` reported as stored is among them, whichever process stored it.
   */
  read(after: number): Promise<readonly string[]>
  /**
   * Stores `text` at `position`, or answers `false` and stores nothing if the position is taken.
   * A text has at least one character.
   *
   * Resolves with `true` only when the text survives a power failure. If it rejects, the text may
   * have been stored: read again before you decide anything. If two processes append at one
   * position, exactly one gets `true`.
   */
  append(position: number, text: string): Promise<boolean>
  /**
   * Replaces all texts by fewer, atomically: a crash leaves either the old texts or the new ones.
   * Answers `false` and changes nothing unless there are exactly `count`.
   *
   * Only a journal with one user at a time can have it, because positions change their meaning.
   */
  replace?(count: number, texts: readonly string[]): Promise<boolean>
  /** Releases files and locks. Calls that have begun end first; later calls reject. */
  close(): Promise<void>
}
