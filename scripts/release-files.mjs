// The files of a release: antara-tx has what a program loads and what a person reads offline,
// @antara-tx/source has what a compiler needs.

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

/**
 * Returns true for what the package lacks. Some pages are for people who begin, work on the library,
 * size a machine, choose a platform, come from another library, check a release or use one command or
 * function. Others are what `antara-tx explain` and `--help` print, or what declarations say. Projects
 * and maps to sources stay out too. The pictures show what pages also say in words.
 */
const isLeftOut = (path) =>
  /\.map$|^docs\/(?:reference|adr)\/|^examples\/[^/]+\//.test(path) ||
  /^(?:docs\/(?:[\w-]*tutorial|api|architecture|benchmarks|causes|cold-signing|cookbook|dev-node-options|errors|findings|framework-node|headers|inspect|ledger|migrate-from-[\w-]+|monitor|node|node-tests|operations|performance|platforms|scale|selection|testing|verify-release)\.md|docs\/(?:benchmarks|checked|rooms|transfer|verdict)\.svg|docs\/inspect\.png|CONTRIBUTING\.md)$/.test(
    path,
  )

/**
 * Returns the paths of `paths`, which are those of `npm pack`, that belong to antara-tx. Its
 * declarations are not among them: `bundledTypes` makes them.
 *
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
export function releasedPaths(paths) {
  return paths.filter((path) => {
    if (path === engineLicense || path === 'LICENSE') return true
    if (isSource(path) || isLeftOut(path) || path.startsWith('prebuilds/')) return false
    return !path.endsWith('.d.ts')
  })
}

/**
 * Returns a page as antara-tx has it: a link to a file that only the repository has becomes its words
 * and the place of the file.
 *
 * @param {string} page the path of the page
 * @param {string} text
 * @param {(path: string) => boolean} isReleased
 * @returns {string}
 */
export function releasedPage(page, text, isReleased) {
  return text.replace(/!?\[([^[\]]+)\]\(([^)\s#]+)[^)\s]*\)/g, (link, words, target) => {
    if (/^https?:/.test(target)) return link
    const file = posix.join(posix.dirname(page), target)
    return isReleased(file) ? link : `${words} (${file} in the repository)`
  })
}
