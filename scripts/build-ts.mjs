// npm run build:ts [-- --out FOLDER] [--no-types]
//
// The compiler writes types to dist/, one file for each of src/. rolldown writes code, one file for
// each entry of the package. Code that several entries share is in dist/shared/, so that every
// entry has the same classes. Fewer files start faster, so the packages that we use are inside.
// build-command.mjs adds the command line.
// Each file has a source map to src/.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'

import { asText } from './as-text.mjs'
import { buildCommand } from './build-command.mjs'
import { entries, external, inside } from './entries.mjs'
import { licensesText, packageFolders } from './licenses.mjs'
import { quickSpreads } from './quick-spreads.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: `${root}dist` },
    'no-types': { type: 'boolean', default: false },
  },
})
/** Built beside it first, so that programs that use the old files keep running. */
const folder = `${values.out}.building`

const command = 'cli/main'
/** The entries that are ECMAScript modules. */
const modules = entries.filter((name) => name !== command)

const closures = new Map()

/** Adds the licenses of the packages whose code is inside. */
const licenses = {
  name: 'licenses',
  generateBundle(_, files) {
    const inFiles = Object.values(files).flatMap((file) => Object.keys(file.modules ?? {}))
    const source = licensesText('', packageFolders(inFiles))
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
  },
}

/** Modules of Node that a CommonJS package requires by their bare names: `util` for `node:util`. */
const builtins = {
  name: 'builtins',
  resolveId: (id) => (builtinModules.includes(id) ? `\0builtin:${id}` : null),
  load(id) {
    if (!id.startsWith('\0builtin:')) return null
    const name = `node:${id.slice('\0builtin:'.length)}`
    return `export * from '${name}'\nexport { default } from '${name}'\n`
  },
}

/**
 * Bundles only those classes of prom-client that src/guard/metrics.ts uses. Its index would also load
 * @opentelemetry/api and the quantiles of summaries: 113 kB that no guard runs.
 */
const metricClasses = {
  name: 'metric-classes',
  resolveId: (id) => (id === 'prom-client' ? `\0${id}` : null),
  load(id) {
    if (id !== '\0prom-client') return null
    const index = createRequire(import.meta.url).resolve('prom-client')
    const exportOf = (name) => {
      const file = join(dirname(index), 'lib', `${name.toLowerCase()}.js`)
      return `export { default as ${name} } from ${JSON.stringify(file)}\n`
    }
    return ['Counter', 'Gauge', 'Histogram', 'Registry'].map(exportOf).join('')
  },
}

rmSync(folder, { recursive: true, force: true })
if (!values['no-types']) {
  const compiler = `${root}node_modules/typescript/bin/tsc`
  // It finds `#loader` in src/ by where dist/ is said to be.
  const places = ['--outDir', `${root}dist`, '--declarationDir', folder]
  const args = [compiler, '-p', root, ...places, '--emitDeclarationOnly']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/**
 * Chunks, in the order in which they take modules. A chunk takes the modules that an entry of `of`
 * loads at once. With `and`, an entry of `and` must load them too; with `not`, no entry of `not` may.
 * No chunk takes a module that only single commands load, so it goes with them.
 */
const commandLine = ['cli/program']
const wallet = ['wallet/wallet', 'chain-source/daemon']
const chunks = [
  // The command line needs no network at once. A page that needs only networks loads this chunk.
  { name: 'start', of: [...commandLine, 'chain/network'], and: ['index', 'rpc/index'] },
  { name: 'command-line', of: commandLine },
  { name: 'engine', of: ['engine/loader-node'] },
  // Only what signs needs it, and bundlers keep all of its top level.
  { name: 'curve', of: ['primitives/secp256k1'], not: ['primitives/base58check'] },
  { name: 'common', of: ['index'], and: ['rpc/index', 'rpc/node'] },
  // Few functions each. The development node needs the first too, Electrum the second, and
  // `antara-tx verify` the third.
  { name: 'common', of: ['primitives/observers', 'rpc/known-transaction', 'rpc/first-block'] },
  // A development node verifies no payments: it starts with what it shares with the verifier alone.
  { name: 'chain', of: ['index'], and: ['node/dev-node'] },
  // A page with a wallet verifies no proofs of inclusion, unless a case brings them.
  { name: 'inclusion', of: ['verification/inclusion'], not: ['verification/verify-operation'] },
  // Bundlers keep of a file what its top level may need: a page with a wallet alone needs no more.
  { name: 'verify', of: wallet, and: ['index'] },
  { name: 'core', of: ['index'] },
  { name: 'pay', of: wallet, and: ['rpc/index'] },
  { name: 'schema', of: ['rpc/index'], and: ['node/index'] },
  { name: 'rpc', of: ['rpc/index', 'rpc/node'] },
  { name: 'electrum-common', of: ['electrum/index'], and: ['node/index'] },
  { name: 'electrum', of: ['electrum/index'] },
  { name: 'electrum-chain', of: ['chain-source/electrum'], not: wallet },
  { name: 'dev-node', of: ['node/index'] },
  // Its helpers would be files of their own, because other commands share them.
  { name: 'verify-command', of: ['cli/verify'] },
]

const bundle = await rolldown({
  cwd: root,
  input: {
    ...Object.fromEntries(modules.map((name) => [name, sourceOf(name)])),
    // The folder of the command line is of another kind.
    'shared/program': sourceOf('cli/program'),
    ...Object.fromEntries(inside.map((name) => [`inside/${name}`, sourceOf(name)])),
  },
  external: (id) => id.startsWith('node:') || external.includes(id),
  plugins: [asText, builtins, metricClasses, licenses],
  tsconfig: false,
  preserveEntrySignatures: 'allow-extension',
  platform: 'neutral',
  // CommonJS packages without exports have it.
  resolve: { mainFields: ['module', 'main'] },
})
await bundle.write({
  dir: folder,
  format: 'esm',
  sourcemap: true,
  // The tarball has no sources: their names and lines are what a stack trace needs.
  sourcemapExcludeSources: true,
  comments: { legal: true, annotation: true, jsdoc: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'shared/[name].js',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: chunkOf, debugName: 'chunkOf' }],
  },
})
await bundle.close()
for (const name of readdirSync(folder, { recursive: true })) {
  if (name.endsWith('.js')) finishCode(`${folder}/${name}`)
}
await buildCommand(folder, [builtins])
chmodSync(`${folder}/${command}.js`, 0o755)
publish(folder, values.out)

/**
 * No file of ours has effects, and bundlers warn of an import without names from such a file. V8 keeps
 * a file in twice the memory if one character is not of Latin-1. Lines stay, so the source map fits.
 */
function finishCode(path) {
  const text = readFileSync(path, 'utf8')
  const quick = quickSpreads(text.replaceAll(/^import "\.[^"]+";$/gm, ''))
  const changed = quick.replaceAll(/[^\0-\x7f]/g, escaped)
  if (changed !== text) writeFileSync(path, changed)
}

/** A UTF-16 unit as texts and patterns may have it. */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Replaces each file that differs by a rename, and removes the files that were not built again. */
function publish(from, to) {
  const filesIn = (path) =>
    existsSync(path)
      ? readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(path, `${entry.parentPath}/${entry.name}`))
      : []
  const made = filesIn(from)
  for (const name of made) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`]
    if (existsSync(target) && readFileSync(source).equals(readFileSync(target))) continue
    mkdirSync(dirname(target), { recursive: true })
    renameSync(source, target)
  }
  const kept = new Set([...made, 'inspector.html'])
  for (const name of filesIn(to)) if (!kept.has(name)) rmSync(`${to}/${name}`)
  rmSync(from, { recursive: true })
}

function sourceOf(name) {
  return `${root}src/${name}.ts`
}

function chunkOf(id, context) {
  if (modules.some((name) => id === sourceOf(name))) return null
  const isLoadedBy = (names) => names.some((name) => loadedBy(name, context).has(id))
  const takes = ({ of, and, not = [] }) =>
    isLoadedBy(of) && (and === undefined || isLoadedBy(and)) && !isLoadedBy(not)
  return chunks.find(takes)?.name
}

/** Every module that is loaded as soon as one is. */
function loadedBy(name, context) {
  const known = closures.get(name)
  if (known !== undefined) return known
  const found = new Set()
  const pending = [sourceOf(name)]
  for (const id of pending) {
    if (found.has(id)) continue
    found.add(id)
    pending.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  closures.set(name, found)
  return found
}
