// The files of a release: antara-tx has what a program loads and what a person reads offline,
// @antara-tx/source has what a compiler needs.

import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** libsecp256k1 is inside every engine, so its license goes with each of them. */
export const engineLicense = 'third_party/secp256k1/COPYING'

/** Files that a compiler needs to build the addon. */
export function isSource(path) {
  return (
    /^(?:third_party|cmake|native\/(?:core|addon|seam))\//.test(path) ||
    ['CMakeLists.txt', 'native/sources.txt', 'LICENSE'].includes(path)
  )
}

/** Pages for people who work on the library, maps to sources that are not in the package, and projects. */
const isLeftOut = (path) => /\.map$|^docs\/(?:reference|adr)\/|^examples\/[^/]+\//.test(path)

/**
 * Returns the paths of `paths`, which are those of `npm pack`, that belong to antara-tx.
 *
 * @param {string} root - folder of the package, with a slash
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
export function releasedPaths(root, paths) {
  const types = reachableTypes(root)
  return paths.filter((path) => {
    if (path === engineLicense || path === 'LICENSE') return true
    if (isSource(path) || isLeftOut(path) || path.startsWith('prebuilds/')) return false
    return !path.endsWith('.d.ts') || types.has(path)
  })
}

/** Files of types that an entry of the package reaches. */
function reachableTypes(root) {
  const { exports, imports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const targets = [...Object.values(exports), ...Object.values(imports)].flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  const open = targets.map((target) => posix.normalize(target).replace(/(?:\.d)?\.[jt]s$/, '.d.ts'))
  const reached = new Set()
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !existsSync(root + path)) continue
    reached.add(path)
    const text = readFileSync(root + path, 'utf8')
    for (const [, name] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      open.push(posix.join(posix.dirname(path), name.replace(/\.[jt]s$/, '.d.ts')))
    }
  }
  return reached
}
