// The disk operations of a journal file. Tests replace them with a disk that fails, runs full, and
// loses what was not synced.

import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

import { makeFolders } from '../primitives/folders.ts'
import { tryLock } from './kernel-lock.ts'

/** The facts of a file that decide whether it may be used. */
export interface FileFacts {
  readonly dev: number
  readonly ino: number
  readonly nlink: number
  readonly uid: number
  readonly mode: number
  readonly size: number
  readonly isFile: boolean
  readonly isDirectory: boolean
}

export interface OpenFile {
  facts(): Promise<FileFacts>
  read(): Promise<Uint8Array>
  /** Writes all of `bytes`, or rejects. */
  write(bytes: Uint8Array, position: number): Promise<void>
  truncate(size: number): Promise<void>
  sync(): Promise<void>
  /** Takes the exclusive lock of the file, until `close` or the end of the process. */
  lock(): Promise<boolean>
  close(): Promise<void>
}

export interface Disk {
  /**
   * Opens for reading and writing, and creates with mode 0600; with `read`, only reads, and creates
   * nothing. Follows no symbolic link.
   */
  open(path: string, how: 'create' | 'create-new' | 'read'): Promise<OpenFile>
  /** Returns the facts of a path; follows no symbolic link. `undefined` if nothing is there. */
  facts(path: string): Promise<FileFacts | undefined>
  /** Returns the facts of a directory; follows symbolic links. */
  directoryFacts(path: string): Promise<FileFacts>
  /** Creates missing directories with mode 0700. */
  makeDirectory(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Removes a file; does nothing if it is missing. */
  unlink(path: string): Promise<void>
  syncDirectory(path: string): Promise<void>
  wait(ms: number): Promise<void>
}

const mode = 0o600

/**
 * The files that this process has locked. Node closes a file that nothing refers to when it
 * collects garbage, and would release the lock of a program that only holds it.
 */
const lockedFiles = new Set<FileHandle>()

export const realDisk: Disk = {
  async open(path, how) {
    const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    const exclusive = how === 'create-new' ? O_EXCL : 0
    const access = how === 'read' ? O_RDONLY : O_RDWR | O_CREAT | exclusive
    // O_NONBLOCK: opening a pipe under this name must not block.
    const handle = await open(path, access | O_NOFOLLOW | O_NONBLOCK, mode)
    return {
      facts: async () => factsOf(await handle.stat()),
      async read() {
        const bytes = new Uint8Array((await handle.stat()).size)
        let done = 0
        while (done < bytes.length) {
          const { bytesRead } = await handle.read(bytes, done, bytes.length - done, done)
          if (bytesRead === 0) break
          done += bytesRead
        }
        return bytes.subarray(0, done)
      },
      async write(bytes, position) {
        let done = 0
        while (done < bytes.length) {
          const rest = bytes.length - done
          const { bytesWritten } = await handle.write(bytes, done, rest, position + done)
          done += bytesWritten
        }
      },
      truncate: (size) => handle.truncate(size),
      sync: () => handle.sync(),
      async lock() {
        const isLocked = await tryLock(handle.fd)
        if (isLocked) lockedFiles.add(handle)
        return isLocked
      },
      async close() {
        lockedFiles.delete(handle)
        await handle.close()
      },
    }
  },
  async facts(path) {
    try {
      return factsOf(await lstat(path))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  },
  directoryFacts: async (path) => factsOf(await stat(path)),
  async makeDirectory(path) {
    const first = makeFolders(path, 0o700)
    if (first === undefined) return
    // A power failure loses a directory, with the journal, that is not synced into its parent.
    for (let made = path; made.length >= first.length; made = dirname(made)) {
      await realDisk.syncDirectory(dirname(made))
    }
  },
  rename,
  async unlink(path) {
    try {
      await unlink(path)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  },
  async syncDirectory(path) {
    // Windows cannot sync a directory; its file systems log renames themselves.
    if (process.platform === 'win32') return
    const handle = await open(path, constants.O_RDONLY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

function factsOf(stats: Stats): FileFacts {
  const { dev, ino, nlink, uid, mode, size } = stats
  return {
    dev,
    ino,
    nlink,
    uid,
    mode,
    size,
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
