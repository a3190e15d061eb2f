// Case files of a folder. A file is either whole or absent, and an existing one is never touched.

import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeFolders } from '../../primitives/folders.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { UsageError } from '../command.ts'

/** Makes the folder of `--out`, unless it is there. */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    throw new UsageError(`--out: cannot make ${redactKey(folder)}: ${codeOf(error)}`)
  }
}

/** Returns true if the name exists, also as a link whose target is missing. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Writes a new file. It gets its name once all of it is on the disk, so that a kill leaves no part
 * under the name. An existing name is kept, and a link is not followed.
 *
 * @returns false if the name was taken
 */
export function writeNew(folder: string, name: string, text: string): boolean {
  const draft = join(folder, `.${name}.${randomBytes(8).toString('hex')}`)
  try {
    writeFileSync(draft, text, { flag: 'wx', flush: true })
    linkSync(draft, join(folder, name))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new UsageError(`--out: cannot write ${redactKey(join(folder, name))}: ${codeOf(error)}`)
  } finally {
    rmSync(draft, { force: true })
  }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code)
}
