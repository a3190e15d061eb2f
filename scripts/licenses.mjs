// Finds the packages whose code is bundled into dist/, and the texts under which they may be passed on.
// dist/licenses.txt has them, and the bill of materials reads them there.

import { existsSync, readdirSync, readFileSync } from 'node:fs'

const rule = `\n${'-'.repeat(80)}\n\n`

/**
 * Returns the folders of packages among the modules of a bundle.
 *
 * @param {Iterable<string>} modules - paths of files
 * @returns {string[]}
 */
export function packageFolders(modules) {
  const folders = [...modules].flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
  )
  return [...new Set(folders)]
}

/**
 * Returns the text of a license file: that of an earlier one, and the licenses of further packages.
 *
 * @param {string} before - path of the earlier one; it need not exist
 * @param {readonly string[]} folders - of packages
 * @returns {string}
 */
export function licensesText(before, folders) {
  const texts = existsSync(before) ? readFileSync(before, 'utf8').split(rule) : []
  const further = folders.map((path) => {
    const { name, version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry))
    return `${name} ${version}\n\n${readFileSync(`${path}/${file}`, 'utf8').trim()}\n`
  })
  const all = [...texts, ...further].map((text) => `${text.trimEnd()}\n`)
  return [...new Set(all)].sort().join(rule)
}

/**
 * Reads what a license file names.
 *
 * @param {string} path
 * @returns {{ name: string, version: string }[]}
 */
export function bundledPackages(path) {
  return readFileSync(path, 'utf8')
    .split(rule)
    .map((text) => text.slice(0, text.indexOf('\n')).split(' '))
    .map(([name, version]) => ({ name, version }))
}
