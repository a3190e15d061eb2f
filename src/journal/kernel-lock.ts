// docs/adr/0012-journal-locking.md says why this library and why a lock of the kernel.

import { AntaraError } from '../errors/antara-error.ts'

/**
 * Takes the kernel's exclusive lock of an open file. Returns `false` if another open file of any
 * process has it. The kernel releases it when the file is closed or the process ends.
 *
 * @throws {AntaraError} `journal_failed` if the library for locks has no binary for this system, or
 *   the runtime is not Node
 */
export async function tryLock(fd: number): Promise<boolean> {
  const runtime = ['Bun', 'Deno'].find((name) => name in globalThis)
  if (runtime !== undefined) {
    // The binary calls functions of libuv that these runtimes lack, which ends the whole process.
    const context = {
      path: 'fs-native-extensions',
      expected: 'Node, to lock the file',
      actual: runtime,
    }
    throw new AntaraError('journal_failed', context)
  }
  let library: typeof import('fs-native-extensions')
  try {
    library = await import('fs-native-extensions')
  } catch (cause) {
    const expected = 'a package with a binary that locks files, outside of any bundle'
    const context = { path: 'fs-native-extensions', expected }
    throw new AntaraError('journal_failed', context, { cause })
  }
  // Bundlers and Node differ in how they wrap a CommonJS module.
  const { tryLock: lock } = 'default' in library ? (library.default as typeof library) : library
  return lock(fd)
}
