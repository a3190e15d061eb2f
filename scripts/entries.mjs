// The parts of dist/, read from package.json: the entries of the package, and the modules that
// differ between Node and browsers or bundlers.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** `./dist/rpc/index.js` as `rpc/index`. */
const nameOf = (path) => path.replace(/^\.?\/?dist\//, '').replace(/\.js$/, '')

const targets = (members) =>
  Object.values(members).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )

/** Names of files below dist/, without their ending. */
export const entries = [
  ...targets(manifest.exports),
  ...targets(manifest.imports),
  ...targets(manifest.bin),
]
  .filter((path) => path.endsWith('.js'))
  .map(nameOf)
  .filter((name, at, all) => all.indexOf(name) === at)

/** Further entries for benchmarks, tests and scripts, below dist/inside/, which is not packed. */
export const inside = [
  'cli/catalogue',
  'cli/help',
  'engine/table',
  'engine/wasm',
  'engine/words',
  'server/json-rpc',
  'server/serve',
  'node/state-file',
]

/** Modules that are left to Node, or to the bundler of the package's user. */
export const external = [
  ...Object.keys(manifest.imports),
  // Has binaries, which no bundle can hold.
  'fs-native-extensions',
  ...Object.keys(manifest.peerDependencies),
]

/** Where `#loader` and the like are in src/, under Node. */
export function sourceOfImports() {
  return Object.fromEntries(
    Object.entries(manifest.imports).map(([name, { node }]) => [
      name,
      `${root}src/${nameOf(node)}.ts`,
    ]),
  )
}
