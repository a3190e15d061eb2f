// A disk in memory that forgets what was not synced. It has processes, which end at any step, and
// power failures, which keep any part of what the last sync did not cover.

import type { Disk, FileFacts, OpenFile } from '../../src/journal/disk.ts'

interface Inode {
  readonly ino: number
  mode: number
  uid: number
  isFile: boolean
  nlink: number
  /** The contents that processes see. */
  bytes: Uint8Array
  /** The contents that a power failure leaves. */
  durable: Uint8Array
  lockedBy: object | undefined
}

/**
 * Runs before each operation. It throws if the operation fails, and never resolves after a crash.
 */
export type DiskStep = (operation: DiskOperation, path: string) => Promise<void> | void

export type DiskOperation =
  | 'open'
  | 'read'
  | 'write'
  | 'truncate'
  | 'sync'
  | 'lock'
  | 'close'
  | 'rename'
  | 'unlink'
  | 'sync-directory'
  | 'make-directory'
  | 'wait'

/** The disk of one process. */
export interface SimulatedProcess extends Disk {
  end(): void
  /** Carries out the first half of the write that the process has begun. */
  tear(): void
}

/** Which part of the unsynced bytes a power failure keeps. */
export type Kept = 'none' | 'half' | 'zeros' | 'all'

const sectorBytes = 512

export class SimulatedDisk {
  #nextIno = 1
  #names = new Map<string, Inode>()
  #durableNames = new Map<string, Inode>()

  /** The disk as one process sees it. */
  process(step: DiskStep = () => undefined): SimulatedProcess {
    let writing: ((bytes: number) => void) | undefined
    const open = new Set<OpenFile & { readonly inode: Inode; readonly owner: object }>()
    const openFile = (inode: Inode, path: string): OpenFile => {
      const owner = {}
      const close = () => {
        if (inode.lockedBy === owner) inode.lockedBy = undefined
        open.delete(file)
      }
      const file = {
        inode,
        owner,
        facts: async () => factsOf(inode),
        async read() {
          await step('read', path)
          return inode.bytes.slice()
        },
        async write(bytes: Uint8Array, position: number) {
          const put = (count: number): void => {
            const next = new Uint8Array(Math.max(inode.bytes.length, position + count))
            next.set(inode.bytes)
            next.set(bytes.subarray(0, count), position)
            inode.bytes = next
          }
          // The kernel copies the bytes of one page as a whole, and a disk replaces whole sectors.
          const isWhole = position + bytes.length <= Math.min(sectorBytes, inode.bytes.length)
          writing = (part) => put(isWhole ? 0 : Math.floor(bytes.length * part))
          await step('write', path)
          writing = undefined
          put(bytes.length)
        },
        async truncate(size: number) {
          await step('truncate', path)
          inode.bytes = inode.bytes.slice(0, size)
        },
        async sync() {
          await step('sync', path)
          inode.durable = inode.bytes.slice()
        },
        async lock() {
          await step('lock', path)
          if (inode.lockedBy !== undefined && inode.lockedBy !== owner) return false
          inode.lockedBy = owner
          return true
        },
        async close() {
          await step('close', path)
          close()
        },
      }
      open.add(file)
      return file
    }
    return {
      open: async (path, how) => {
        await step('open', path)
        const known = this.#names.get(path)
        if (known !== undefined && how === 'create-new') throw systemError('EEXIST')
        if (known === undefined && how === 'read') throw systemError('ENOENT')
        const mayWrite = known === undefined || (known.mode & 0o200) !== 0
        if (how !== 'read' && !mayWrite) throw systemError('EACCES')
        return openFile(known ?? this.#create(path), path)
      },
      facts: async (path) => {
        const inode = this.#names.get(path)
        return inode === undefined ? undefined : factsOf(inode)
      },
      directoryFacts: async () => directoryFacts,
      async makeDirectory(path) {
        await step('make-directory', path)
      },
      rename: async (from, to) => {
        await step('rename', to)
        const inode = this.#names.get(from)
        if (inode === undefined) throw systemError('ENOENT')
        const replaced = this.#names.get(to)
        if (replaced !== undefined) replaced.nlink -= 1
        this.#names.delete(from)
        this.#names.set(to, inode)
      },
      unlink: async (path) => {
        if (!this.#names.has(path)) return
        await step('unlink', path)
        this.remove(path)
      },
      syncDirectory: async (path) => {
        await step('sync-directory', path)
        this.#durableNames = new Map(this.#names)
      },
      async wait() {
        await step('wait', '')
      },
      tear() {
        writing?.(1 / 2)
      },
      /** The kernel closes the files of a process that ends. */
      end() {
        for (const { inode, owner } of open) {
          if (inode.lockedBy === owner) inode.lockedBy = undefined
        }
        open.clear()
      },
    }
  }

  #create(path: string): Inode {
    const inode: Inode = {
      ino: this.#nextIno++,
      mode: 0o100600,
      uid: process.geteuid?.() ?? 0,
      isFile: true,
      nlink: 1,
      bytes: new Uint8Array(),
      durable: new Uint8Array(),
      lockedBy: undefined,
    }
    this.#names.set(path, inode)
    return inode
  }

  remove(path: string): void {
    const inode = this.#names.get(path)
    if (inode !== undefined) inode.nlink -= 1
    this.#names.delete(path)
  }

  /** All processes end as well: call `end` of each. */
  powerFails(kept: Kept): void {
    // A rename or a new file that was not synced into its directory may be there, or not.
    if (kept !== 'all') this.#names = new Map(this.#durableNames)
    this.#durableNames = new Map(this.#names)
    for (const inode of this.#names.values()) {
      inode.nlink = 1
      inode.bytes = partOf(inode, kept)
      inode.durable = inode.bytes.slice()
      inode.lockedBy = undefined
    }
  }

  bytes(path: string): Uint8Array | undefined {
    return this.#names.get(path)?.bytes
  }

  /** Returns the least that a power failure leaves of a file; `undefined` if nothing. */
  durable(path: string): Uint8Array | undefined {
    return this.#durableNames.get(path)?.durable
  }

  /** Changes a file as a person could: its bytes, or what the system knows of it. */
  change(path: string, change: Partial<Omit<Inode, 'ino'>>): void {
    const inode = this.#names.get(path) ?? this.#create(path)
    Object.assign(inode, change)
    if (change.bytes !== undefined) inode.durable = change.bytes.slice()
    this.#durableNames.set(path, inode)
  }
}

function partOf({ bytes, durable }: Inode, kept: Kept): Uint8Array {
  if (kept === 'none' || bytes.length <= durable.length) {
    return kept === 'all' ? bytes : durable
  }
  if (kept === 'all') return bytes
  const part = bytes.slice()
  const middle = durable.length + Math.floor((bytes.length - durable.length) / 2)
  if (kept === 'half') return part.slice(0, middle)
  return part.fill(0, middle)
}

function factsOf({ ino, nlink, uid, mode, bytes, isFile }: Inode): FileFacts {
  return { dev: 1, ino, nlink, uid, mode, size: bytes.length, isFile, isDirectory: false }
}

const directoryFacts: FileFacts = {
  dev: 1,
  ino: 0,
  nlink: 2,
  uid: 0,
  mode: 0o40700,
  size: 0,
  isFile: false,
  isDirectory: true,
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
