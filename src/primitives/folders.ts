import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it that are missing. `recursive` of Node is not used: up to Node
 * 24 it never ends below a folder in which nothing can be made, such as /proc, the HOME of some
 * service users.
 *
 * @returns the first folder that was made; `undefined` if all of them were there
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  const parent = dirname(path)
  // A root is its own parent, and a drive of Windows may be missing.
  const isParentMissing = parent !== path && !existsSync(parent)
  const first = isParentMissing ? makeFolders(parent, mode) : undefined
  try {
    mkdirSync(path, mode)
    return first ?? path
  } catch (error) {
    // Some systems report that a folder is read-only, and not that it is there.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return first
    throw error
  }
}
