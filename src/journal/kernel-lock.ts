// docs/adr/0012-journal-locking.md says why this library and why a lock of the kernel.

import { AntaraError } from '../errors/antara-error.ts'

/**
 * Takes the kernel's exclusive lock of an open file. Returns `false` if another open file of any
 * process has it. The kernel releases it when the file is closed or the process ends.
 *
 * @throws {AntaraError} `journal_failed` if the library for locks has no binary for this system
 */
export async function tryLock(fd: number): Promise<boolean> {
  let library: typeof import('fs-native-extensions')
  try {
    library = await import('fs-native-extensions')
  } catch (cause) {
    const context = { path: 'fs-native-extensions', expected: 'a library that locks files' }
    throw new AntaraError('journal_failed', context, { cause })
  }
  // Bundlers and Node differ in how they wrap a CommonJS module.
  const { tryLock: lock } = 'default' in library ? (library.default as typeof library) : library
  return lock(fd)
}
