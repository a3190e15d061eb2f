// The record of decisions as a file: appends lines, and begins a new file when one is full.

import { dirname, resolve } from 'node:path'
import { AntaraError, isAntaraError } from '../../errors/antara-error.ts'
import { type Disk, type OpenFile, realDisk } from '../../journal/disk.ts'
import { FileEnd } from '../../journal/file-end.ts'
import { codeOf } from '../../journal/names.ts'
import type { DecisionEntry, DecisionRecord } from '../decision.ts'
import { anchorPath, writeAnchor } from './anchor.ts'
import type { RecordedPayment } from './left-payments.ts'
import { type Head, headAfter, type RecordEvent, writeLine } from './line.ts'
import { nextPath, type Opened, openFiles } from './open-record.ts'

interface RecordOptions {
  readonly disk?: Disk
  /** The time of day. */
  readonly now?: () => number
  /** Size at which a file is renamed and the next one begins. Default: 64 MiB. */
  readonly segmentBytesMax?: number
  /** True if a policy is on, which is the default. */
  readonly hasPolicy?: boolean
  /** SHA-256 of the policy file, for the line of the start. */
  readonly policyHash?: string | undefined
}

interface Waiting {
  readonly entry: DecisionEntry | RecordEvent
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const segmentBytes = 64 * 1024 * 1024

/**
 * The record of decisions in a file of NDJSON.
 *
 * `append` resolves when the line is on the disk. Entries that arrive together share one write and
 * one sync. After a failed sync, or if something else changed the file, every append rejects until
 * the record is opened again.
 */
export class FileRecord implements DecisionRecord {
  readonly #path: string
  readonly #disk: Disk
  readonly #now: () => number
  readonly #segmentBytesMax: number
  readonly #hasPolicy: boolean
  #file: OpenFile
  readonly #anchor: OpenFile
  #head: Head
  /** Number of the first line of the file. */
  #first: number
  #end: number
  readonly #fileEnd = new FileEnd()
  #failure: AntaraError | undefined
  /** Why the last lines were not written; absent if they were. */
  #lastFailure: AntaraError | undefined
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #isClosed = false
  /** Payments that left the guard before it was opened, and since it was reconciled. */
  readonly handedOver: readonly RecordedPayment[]
  /** True if the record had no line when it was opened. */
  readonly isNew: boolean

  private constructor(
    path: string,
    options: Required<Omit<RecordOptions, 'policyHash'>>,
    opened: Opened,
  ) {
    this.#path = path
    this.#disk = options.disk
    this.#now = options.now
    this.#segmentBytesMax = options.segmentBytesMax
    this.#hasPolicy = options.hasPolicy
    const { file, anchor, head, first, end, handedOver } = opened
    this.#file = file
    this.#anchor = anchor
    this.#head = head
    this.#first = first
    this.#end = end
    this.handedOver = handedOver
    this.isNew = head.count === 0
  }

  /**
   * Opens a record, continues its chain, and begins one if the file is missing.
   *
   * @throws {AntaraError} `record_malformed` if lines were cut or changed since this guard wrote
   *   them; `record_failed` if the disk refuses; `journal_locked` and `journal_exposed` as a journal
   */
  static async open(path: string, options: RecordOptions = {}): Promise<FileRecord> {
    const { disk = realDisk, now = Date.now, segmentBytesMax = segmentBytes } = options
    const { hasPolicy = true, policyHash } = options
    const absolute = resolve(path)
    let record: FileRecord | undefined
    try {
      const opened = await openFiles(absolute, disk, now())
      record = new FileRecord(absolute, { disk, now, segmentBytesMax, hasPolicy }, opened)
      if (opened.head.count === 0) await record.#add({ event: 'begin' })
      if (opened.torn > 0) await record.#add({ event: 'torn', bytes: opened.torn })
      const hash = policyHash === undefined ? {} : { to: policyHash }
      await record.#add({ event: 'start', policy: hasPolicy, ...hash })
      return record
    } catch (cause) {
      await record?.close().catch(() => undefined)
      if (isAntaraError(cause)) throw cause
      throw failed(absolute, cause)
    }
  }

  /** Returns the number of lines and the hash of the last one, for an anchor elsewhere. */
  get head(): Head {
    return this.#head
  }

  /** Returns why nothing can be recorded; `undefined` while it can. */
  get failure(): AntaraError | undefined {
    return this.#failure
  }

  /** Returns why the last line could not be recorded; `undefined` if it was. */
  get lastFailure(): AntaraError | undefined {
    return this.#lastFailure
  }

  /** Records that an operator accepts what other files lack of the lines so far. */
  reconcile(): Promise<void> {
    return this.#add({ event: 'reconciled' })
  }

  /** Records that the policy file with the hash `to` replaced that with the hash `from`. */
  reloaded(from: string, to: string): Promise<void> {
    return this.#add({ event: 'reload', by: 'signal', from, to })
  }

  append(entry: DecisionEntry): Promise<void> {
    return this.#add(entry)
  }

  #add(entry: DecisionEntry | RecordEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new AntaraError('record_failed', { path: this.#path, actual: 'closed' }))
        return
      }
      this.#waiting.push({ entry, resolve, reject })
      this.#writing ??= this.#write()
    })
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#writeBatch(batch.map(({ entry }) => entry))
        this.#lastFailure = undefined
        for (const { resolve } of batch) resolve()
      } catch (error) {
        this.#lastFailure = failed(this.#path, error)
        for (const { reject } of batch) reject(error)
      }
    }
    this.#writing = undefined
  }

  async #writeBatch(entries: readonly (DecisionEntry | RecordEvent)[]): Promise<void> {
    await this.#requireOwnFile()
    let head = this.#head
    let text = ''
    for (const entry of entries) {
      const line = writeLine(entry, head, this.#now())
      head = headAfter(line, head)
      text += `${line}\n`
    }
    const bytes = new TextEncoder().encode(text)
    await this.#put(bytes)
    this.#head = head
    this.#end += bytes.length
    await this.#writeAnchor()
    if (this.#end >= this.#segmentBytesMax) await this.#rotate()
  }

  /** Notices a program that replaced, cut or extended the file, such as one that rotates logs. */
  async #requireOwnFile(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const [open, named] = await this.#attempt(() =>
      Promise.all([this.#file.facts(), this.#disk.facts(this.#path)]),
    )
    const isNamed = named !== undefined && named.dev === open.dev && named.ino === open.ino
    if (isNamed && (this.#fileEnd.isDirty || open.size === this.#end)) return
    const expected = isNamed ? `${this.#end} bytes` : 'the file that this guard opened'
    throw this.#fail(new AntaraError('record_malformed', { path: this.#path, expected }))
  }

  /** Writes and syncs. A write that fails leaves no part of a line. */
  async #put(bytes: Uint8Array): Promise<void> {
    await this.#attempt(() => this.#fileEnd.write(this.#file, bytes, this.#end))
    try {
      await this.#file.sync()
    } catch (cause) {
      // The kernel drops pages that it could not write, so a second sync proves nothing.
      throw this.#fail(failed(this.#path, cause))
    }
    this.#fileEnd.settle()
  }

  /** Written after the lines, so that a power failure leaves an anchor that they lead to. */
  async #writeAnchor(): Promise<void> {
    try {
      await this.#anchor.write(writeAnchor(this.#head), 0)
    } catch (cause) {
      throw this.#fail(failed(anchorPath(this.#path), cause))
    }
  }

  /** Begins the next file with a line that continues the chain, then moves the old one away. */
  async #rotate(): Promise<void> {
    const { count } = this.#head
    const earlier = numbersOf(this.#first, count)
    const segment: RecordEvent = { event: 'segment', policy: this.#hasPolicy, earlier }
    const line = writeLine(segment, this.#head, this.#now())
    const bytes = new TextEncoder().encode(`${line}\n`)
    try {
      // After a power failure, the anchor must not be that of a line in an earlier file.
      await this.#anchor.sync()
      const next = nextPath(this.#path)
      await this.#disk.unlink(next)
      const file = await this.#disk.open(next, 'create-new')
      await file.write(bytes, 0)
      await file.sync()
      if (!(await file.lock())) throw new AntaraError('journal_locked', { path: next })
      await this.#disk.rename(this.#path, `${this.#path}.${earlier}`)
      await this.#disk.rename(next, this.#path)
      await this.#disk.syncDirectory(dirname(this.#path))
      await this.#file.close()
      this.#file = file
    } catch (cause) {
      throw this.#fail(failed(this.#path, cause))
    }
    this.#head = headAfter(line, this.#head)
    this.#first = count + 1
    this.#end = bytes.length
    await this.#writeAnchor()
  }

  #fail(error: AntaraError): AntaraError {
    this.#failure = error
    return error
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (cause) {
      throw failed(this.#path, cause)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    await this.#anchor.sync().catch(() => undefined)
    await this.#anchor.close()
    await this.#file.close()
  }
}

/** Returns the end of the name of a file that is complete: the numbers of its lines. */
function numbersOf(first: number, last: number): string {
  const digits = (count: number) => `${count}`.padStart(12, '0')
  return `${digits(first)}-${digits(last)}`
}

function failed(path: string, cause: unknown): AntaraError {
  if (isAntaraError(cause)) return cause
  return new AntaraError('record_failed', { path, ...codeOf(cause) }, { cause })
}
