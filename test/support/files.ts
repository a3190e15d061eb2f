import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

import { root } from './built.ts'

/** Generated and downloaded folders as git ignores them: `out/` anywhere, `/build/` in the root. */
const ignored = new Set(textOf('.gitignore').match(/^.+(?=\/$)/gm))

const isOurs = (path: string, name: string) =>
  name !== '.git' && !ignored.has(name) && !ignored.has(`/${path}`)

/** Returns true if `npm pack` leaves the file behind. */
const isPacked = (path: string) => path.endsWith('.tgz')

/** Every file below `folder` that somebody wrote, as a path from the root with forward slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(root, folder, entry.name))
      .split(sep)
      .join('/')
    if (!isOurs(path, entry.name) || isPacked(path)) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
