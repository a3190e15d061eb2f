// Compiled code that Node keeps for the next run. It runs unchecked, so it is kept only in a folder
// that nobody else can replace or write: docs/adr/0035-compiled-code.md.

import { lstatSync, realpathSync } from 'node:fs'
import nodeModule from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'

import { makeFolders } from '../primitives/folders.ts'

/** Node has it from 22.8 on. */
interface CompileCache {
  enableCompileCache?(folder: string): unknown
}

/** Lets Node keep the code of all modules that are loaded after this call, where it can. */
export function keepCompiledCode(): void {
  const { enableCompileCache } = nodeModule as CompileCache
  if (enableCompileCache === undefined) return
  const folder = compiledCodeFolder(process.env, process.getuid?.())
  if (folder === undefined) return
  try {
    enableCompileCache(folder)
  } catch {
    // Node reports a failure by its answer. Other runtimes have the function, and may not do it.
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Makes the folder for compiled code, and returns its path without links.
 *
 * @param user - absent on Windows, where modes do not show who can write
 * @returns `undefined` if there is no folder that the user alone can write, or if the user keeps
 *   compiled code in another way or not at all
 * @see XDG Base Directory Specification: a relative path is ignored
 */
export function compiledCodeFolder(
  { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, HOME }: Environment,
  user: number | undefined,
): string | undefined {
  if (user === undefined || NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return undefined
  const home = HOME && isAbsolute(HOME) ? join(HOME, '.cache') : undefined
  const caches = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : home
  if (caches === undefined) return undefined
  const folder = join(caches, 'antara-tx', 'compiled')
  try {
    const path = withoutLinks(folder) ?? make(folder, user)
    return path && isOwn(path, user) && !canOthersWrite(path) ? path : undefined
  } catch {
    // The program runs without it, such as on a disk that is full or read-only.
    return undefined
  }
}

/** @returns `undefined` if there is nothing at the path */
function withoutLinks(path: string): string | undefined {
  try {
    // Node's other function is JavaScript, which each start would compile.
    return realpathSync.native(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

function make(folder: string, user: number): string | undefined {
  const found = lastThatExists(folder)
  // Root makes nothing in the home of another user, which `sudo` may leave in HOME.
  if (found === undefined || !isOwn(found, user)) return undefined
  makeFolders(folder, 0o700)
  return withoutLinks(folder)
}

/** @returns `undefined` if not even the root is found: musl before 1.2.2 finds it by /proc alone */
function lastThatExists(folder: string): string | undefined {
  const above = dirname(folder)
  return above === folder ? undefined : (withoutLinks(above) ?? lastThatExists(above))
}

const writableByOthers = 0o022
/** In such a folder, everybody renames and removes only what is their own. */
const sticky = 0o1000

function canOthersWrite(path: string): boolean {
  return (lstatSync(path).mode & writableByOthers) !== 0
}

/**
 * Returns whether a path is the user's, and nobody but root can put another in its place.
 *
 * @param path - without links
 */
function isOwn(path: string, user: number): boolean {
  if (lstatSync(path).uid !== user) return false
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const { uid, mode } = lstatSync(dirname(at))
    if (uid !== user && uid !== 0) return false
    if ((mode & writableByOthers) !== 0 && (mode & sticky) === 0) return false
  }
  return true
}
