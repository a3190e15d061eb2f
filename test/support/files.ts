import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

import { root } from './built.ts'

/** What is made, fetched or found, not written. */
const notOurs = new Set([
  'node_modules',
  'build',
  'out',
  'dist',
  'prebuilds',
  'vendor',
  '.git',
  '.cache',
])

/** What `npm pack` leaves behind. */
const isPacked = (path: string) => path.endsWith('.tgz')

/** Every file below `folder` that somebody wrote, as a path from the root with forward slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(root, folder, entry.name))
      .split(sep)
      .join('/')
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path)
    return notOurs.has(entry.name) || isPacked(path) ? [] : [path]
  })
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
