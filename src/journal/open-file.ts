// Opens the file of a journal, with its lock, and cuts off a record that was not finished.

import { dirname } from 'node:path'
import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { notify } from '../primitives/observers.ts'
import type { Disk, FileFacts, OpenFile } from './disk.ts'
import { type Damage, header, readFile } from './file-format.ts'
import { besideOf, codeOf } from './names.ts'

export interface OpenOptions {
  readonly disk: Disk
  /** Absolute path of the file. */
  readonly path: string
  readonly waitMs: number
  readonly onTorn?:
    | ((torn: { readonly path: string; readonly bytes: number }) => unknown)
    | undefined
}

/** A journal file that this process has locked. */
export interface OpenJournal {
  readonly file: OpenFile
  readonly texts: readonly string[]
  /** Offset of the next record. */
  readonly end: number
}

const pollMs = 25

/**
 * Opens, locks and reads a journal file. Changes an existing file only to cut off a torn record.
 *
 * @throws {AntaraError} as `fileJournal` documents
 */
export async function openJournal(options: OpenOptions): Promise<OpenJournal> {
  const { path } = options
  try {
    const file = await openLocked(options)
    try {
      return await readLocked(options, file)
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
  } catch (cause) {
    if (isAntaraError(cause)) throw cause
    throw new AntaraError('journal_failed', { path, ...codeOf(cause) }, { cause })
  }
}

/**
 * Opens and locks a file of this user, and creates it if it is missing. The lock keeps out other
 * processes, and the required mode keeps out other users.
 *
 * @throws {AntaraError} `journal_exposed`, `journal_locked`, or an error of the disk
 */
export async function openLocked(options: Omit<OpenOptions, 'onTorn'>): Promise<OpenFile> {
  const { disk, path } = options
  await disk.makeDirectory(dirname(path))
  await requireSafeDirectory(disk, dirname(path))
  return lockedFile(options)
}

const othersWrite = 0o002
const sticky = 0o1000
const othersAny = 0o077

/**
 * Refuses a directory that everyone can write, unless it is sticky like /tmp: others could replace
 * the journal.
 */
async function requireSafeDirectory(disk: Disk, path: string): Promise<void> {
  const facts = await disk.directoryFacts(path)
  if (process.platform === 'win32') return
  const isOpen = (facts.mode & othersWrite) !== 0 && (facts.mode & sticky) === 0
  if (!isOpen) return
  const expected = 'a directory that others cannot write; chmod o-w'
  throw new AntaraError('journal_exposed', { path, expected, actual: modeText(facts) })
}

/**
 * Opens and locks the file. Repeats this if another file has taken its name meanwhile, and for up
 * to `waitMs` while another process holds the lock.
 */
async function lockedFile({ disk, path, waitMs }: Omit<OpenOptions, 'onTorn'>): Promise<OpenFile> {
  for (let waited = 0; ; waited += pollMs) {
    await requireSafeName(disk, path)
    const file = await disk.open(path, 'create')
    try {
      const facts = await file.facts()
      requireSafeFile(facts, path)
      if (await file.lock()) {
        // Compaction by another process may have replaced the file since it was opened.
        const named = await disk.facts(path)
        if (named?.dev === facts.dev && named.ino === facts.ino) return file
        await file.close()
        continue
      }
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
    await file.close()
    if (waited >= waitMs) throw new AntaraError('journal_locked', { path })
    await disk.wait(Math.min(pollMs, waitMs - waited))
  }
}

/** Checks the file before it is opened, because opening a device can have effects. */
async function requireSafeName(disk: Disk, path: string): Promise<void> {
  const facts = await disk.facts(path)
  if (facts !== undefined) requireSafeFile(facts, path)
}

function requireSafeFile(facts: FileFacts, path: string): void {
  const exposed = (expected: string, actual: string) =>
    new AntaraError('journal_exposed', { path, expected, actual })
  if (!facts.isFile) throw exposed('a plain file, not a link or a device', modeText(facts))
  if (facts.nlink > 1) throw exposed('a file with one name', `${facts.nlink} names`)
  if (process.platform === 'win32') return
  const own = process.geteuid?.()
  if (own !== undefined && facts.uid !== own) {
    throw exposed(`a file of user ${own}`, `user ${facts.uid}`)
  }
  if ((facts.mode & othersAny) !== 0) throw exposed('mode 0600; chmod 600', modeText(facts))
}

function modeText({ mode }: FileFacts): string {
  return `mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
}

async function readLocked(options: OpenOptions, file: OpenFile): Promise<OpenJournal> {
  const { disk, path, onTorn } = options
  const contents = readFile(await file.read())
  if ('problem' in contents) throw damageError(contents, path)
  const { texts, end, torn } = contents
  // Removes the file of an interrupted compaction. With the lock held, none can be running.
  await disk.unlink(besideOf(path))
  if (torn > 0) await file.truncate(end)
  if (end === 0) await file.write(header, 0)
  // A killed process may have written records without syncing them. They count from now on, so they
  // are synced here.
  await file.sync()
  await disk.syncDirectory(dirname(path))
  if (torn > 0 && end > 0) notify(onTorn, { path, bytes: torn })
  return { file, texts, end: Math.max(end, header.length) }
}

function damageError({ problem, offset }: Damage, path: string): AntaraError {
  if (problem === 'version') return new AntaraError('journal_version', { path, offset })
  const context = { path, offset }
  if (problem === 'damaged') return new AntaraError('journal_malformed', context)
  return new AntaraError('journal_malformed', { ...context, expected: 'a journal of antara-tx' })
}
