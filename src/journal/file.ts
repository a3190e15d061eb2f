// A journal that keeps its records in a file.

import { dirname, resolve } from 'node:path'
import { AntaraError } from '../errors/antara-error.ts'
import { requireObject } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { requirePosition, requireText } from './arguments.ts'
import { type Disk, type OpenFile, realDisk } from './disk.ts'
import { FileEnd } from './file-end.ts'
import { frame, header } from './file-format.ts'
import type { Journal } from './journal.ts'
import { besideOf, codeOf } from './names.ts'
import { type OpenJournal, type OpenOptions, openJournal } from './open-file.ts'

export interface FileJournalOptions {
  /** Milliseconds to wait until another process releases the journal; default 0: fail at once. */
  readonly waitMs?: number
  /**
   * Called after an unfinished last record was cut off, for example after a power failure. Nothing
   * was sent because of this record: a send waits until `append` has synced it.
   */
  readonly onTorn?: (torn: { readonly path: string; readonly bytes: number }) => unknown
  /** A disk for tests, which fails on request. */
  readonly disk?: Disk
}

/**
 * Creates a journal that keeps its records in a file. One process at a time can use the file.
 *
 * The first call opens the file. It creates a missing file with mode 0600, and missing directories
 * with mode 0700. A lock of the kernel keeps other processes out and ends with the process. A
 * record is synced to the disk before `append` resolves. After a failed sync, this journal refuses
 * every write. Close it and create a new one, which reads what reached the disk.
 *
 * @param path - a relative path is resolved now, against the current directory
 * @param options - `waitMs`: how long to wait for a lock; default 0
 * @returns a journal for the safe flows and the wallet
 * @throws {TypeError} if the path is not a string, or for an unknown option
 * @throws {AntaraError} from every method. `journal_locked`: another process uses the file.
 *   `journal_exposed`: other users can read or change it, it has several hard links, or it is no
 *   regular file. `journal_malformed`: it is damaged or not a journal. `journal_version`: its
 *   version is newer. `journal_changed`: something else replaced or changed the file.
 *   `journal_failed`: a disk operation failed, with its error as `cause`; with `context.uncertain`,
 *   the record may be stored. `journal_closed`: `close` was called. All others leave the records as
 *   they were
 * @example
 * const journal = fileJournal('/var/lib/payroll/journal', { waitMs: 5_000 })
 */
export function fileJournal(path: string, options: FileJournalOptions = {}): Journal {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new TypeError('path: expected the name of a file')
  }
  requireObject(options, 'options')
  requireKnownMembers(options, optionNames, 'options')
  const { disk = realDisk, waitMs = 0, onTorn } = options
  const absolute = resolve(path)
  const file = new JournalFile({ disk, path: absolute, waitMs, onTorn })
  return {
    async read(after) {
      requirePosition(after, 'after')
      return file.inTurn(async () => file.read(after))
    },
    async append(position, text) {
      requirePosition(position, 'position')
      requireText(text, 'text')
      return file.inTurn(() => file.append(position, text))
    },
    async replace(count, texts) {
      requirePosition(count, 'count')
      for (const [index, text] of texts.entries()) requireText(text, `texts[${index}]`)
      const copy = [...texts]
      return file.inTurn(() => file.replace(count, copy))
    },
    close: () => file.close(),
  }
}

const optionNames = memberNames<FileJournalOptions>({ waitMs: true, onTorn: true, disk: true })

/** The open file and its texts. Its methods run one at a time, through `inTurn`. */
class JournalFile {
  readonly #options: OpenOptions
  #file: OpenFile | undefined
  #texts: string[] = []
  #end = 0
  readonly #fileEnd = new FileEnd()
  #failure: AntaraError | undefined
  #isClosed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: OpenOptions) {
    this.#options = options
  }

  /** Runs `work` after all earlier calls have ended, and opens the file first if necessary. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      if (this.#isClosed) throw new AntaraError('journal_closed', { path: this.#options.path })
      if (this.#file === undefined) this.#adopt(await openJournal(this.#options))
      return work()
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    const closing = this.#last.then(async () => {
      this.#isClosed = true
      const file = this.#file
      this.#file = undefined
      await file?.close()
    })
    this.#last = closing.catch(() => undefined)
    return closing
  }

  #adopt({ file, texts, end }: OpenJournal): void {
    this.#file = file
    this.#texts = [...texts]
    this.#end = end
  }

  read(after: number): readonly string[] {
    return this.#texts.slice(after)
  }

  async append(position: number, text: string): Promise<boolean> {
    if (position !== this.#texts.length + 1) return false
    await this.#requireUnchangedFile()
    const bytes = frame(position, text)
    await this.#attempt(() => this.#fileEnd.write(this.#file!, bytes, this.#end))
    await this.#sync()
    this.#end += bytes.length
    this.#texts.push(text)
    return true
  }

  /**
   * Throws `journal_changed` if `path` no longer names the open file, or if its size changed. The
   * lock stops only programs that take it; this check notices the others, and a file that was
   * moved.
   */
  async #requireUnchangedFile(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const { disk, path } = this.#options
    const [opened, atPath] = await this.#attempt(() =>
      Promise.all([this.#file!.facts(), disk.facts(path)]),
    )
    const isAtPath = atPath !== undefined && atPath.dev === opened.dev && atPath.ino === opened.ino
    const size = this.#fileEnd.isDirty ? opened.size : this.#end
    if (isAtPath && opened.nlink === 1 && opened.size === size) return
    this.#failure = new AntaraError('journal_changed', { path })
    throw this.#failure
  }

  /**
   * Syncs the file. A failed sync is never repeated: the kernel may drop the pages that it could
   * not write, and the next sync would succeed without them.
   */
  async #sync(): Promise<void> {
    try {
      await this.#file!.sync()
    } catch (cause) {
      this.#failure = this.#failed(cause)
      throw this.#failure
    }
    this.#fileEnd.settle()
  }

  async replace(count: number, texts: readonly string[]): Promise<boolean> {
    if (count !== this.#texts.length) return false
    await this.#requireUnchangedFile()
    const { disk, path } = this.#options
    const beside = besideOf(path)
    const bytes = Buffer.concat([header, ...texts.map((text, index) => frame(index + 1, text))])
    const file = await this.#attempt(async () => {
      await disk.unlink(beside)
      return disk.open(beside, 'create-new')
    })
    try {
      await file.write(bytes, 0)
      await file.sync()
      // The new file is locked before the rename, so that no process finds it unlocked.
      if (!(await file.lock())) throw new AntaraError('journal_locked', { path: beside })
      await disk.rename(beside, path)
    } catch (cause) {
      await file.close().catch(() => undefined)
      await disk.unlink(beside).catch(() => undefined)
      throw this.#failed(cause)
    }
    const old = this.#file!
    this.#adopt({ file, texts, end: bytes.length })
    this.#fileEnd.settle()
    await old.close().catch(() => undefined)
    try {
      await disk.syncDirectory(dirname(path))
    } catch (cause) {
      // A power failure could restore the old file, which would lack all further records.
      this.#failure = this.#failed(cause)
      throw this.#failure
    }
    return true
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      throw this.#failed(cause)
    }
  }

  #failed(cause: unknown): AntaraError {
    const { isDirty } = this.#fileEnd
    const context = { path: this.#options.path, ...codeOf(cause) }
    return new AntaraError(
      'journal_failed',
      { ...context, ...(isDirty && { uncertain: true }) },
      { cause },
    )
  }
}
