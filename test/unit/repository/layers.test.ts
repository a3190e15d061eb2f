// The layers of docs/architecture.md, held against the imports and includes as they stand.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { entries as entryNames } from '../../../scripts/entries.mjs'
import { startEngine } from '../../../src/engine/call.ts'
import { filesBelow } from '../../support/files.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((name) => ending.test(name))
}

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

/** The imports of each folder of src/ from other folders. The list is exact. */
const below: Record<string, readonly string[]> = {
  errors: [],
  primitives: ['errors'],
  chain: ['primitives'],
  engine: ['primitives', 'errors'],
  condition: ['engine', 'primitives', 'errors'],
  script: ['condition', 'engine', 'chain', 'primitives', 'errors'],
  transaction: ['script', 'engine', 'chain', 'primitives', 'errors'],
  block: ['transaction', 'engine', 'primitives', 'errors'],
  selection: ['engine', 'chain', 'primitives', 'errors'],
  signing: ['transaction', 'script', 'condition', 'engine', 'chain', 'primitives', 'errors'],
  token: ['signing', 'transaction', 'script', 'condition', 'chain', 'primitives', 'errors'],
  request: ['block', 'token', 'signing', 'transaction', 'script', 'chain', 'primitives', 'errors'],
  builders: [
    'request',
    'token',
    'selection',
    'transaction',
    'script',
    'chain',
    'primitives',
    'errors',
  ],
  verification: [
    'builders',
    'request',
    'block',
    'token',
    'signing',
    'transaction',
    'script',
    'chain',
    'primitives',
    'errors',
  ],
  journal: ['primitives', 'errors'],
  rpc: [
    'journal',
    'verification',
    'token',
    'request',
    'transaction',
    'script',
    'chain',
    'primitives',
    'errors',
  ],
  electrum: ['block', 'rpc', 'script', 'primitives'],
  'chain-source': [
    'electrum',
    'block',
    'rpc',
    'verification',
    'request',
    'transaction',
    'script',
    'chain',
    'primitives',
  ],
  wallet: [
    'chain-source',
    'rpc',
    'journal',
    'verification',
    'builders',
    'request',
    'token',
    'signing',
    'transaction',
    'script',
    'chain',
    'primitives',
    'errors',
  ],
  server: ['primitives'],
  node: [
    'server',
    'block',
    'token',
    'signing',
    'transaction',
    'script',
    'engine',
    'chain',
    'primitives',
    'errors',
  ],
  audit: [
    'block',
    'node',
    'token',
    'signing',
    'transaction',
    'script',
    'chain',
    'primitives',
    'errors',
  ],
  guard: [
    'server',
    'journal',
    'rpc',
    'verification',
    'token',
    'request',
    'script',
    'chain',
    'primitives',
    'errors',
  ],
  cli: [
    'guard',
    'audit',
    'node',
    'server',
    'wallet',
    'chain-source',
    'electrum',
    'rpc',
    'journal',
    'verification',
    'builders',
    'token',
    'request',
    'signing',
    'selection',
    'transaction',
    'script',
    'condition',
    'engine',
    'chain',
    'primitives',
    'errors',
  ],
}

function importsOf(path: string): string[] {
  return [...read(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

function folderOf(path: string): string {
  return path.split('/')[1]!
}

const sources = filesUnder('src', /\.ts$/).filter((path) => path !== 'src/index.ts')

/** Imports that leave their folder, `from -> to`, each with a file that has it. */
const arrows = new Map<string, string>(
  sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('.'))
      .map((target) => posix.join(posix.dirname(path), target))
      .filter((target) => target.startsWith('src/') && folderOf(target) !== folderOf(path))
      .map((target) => [`${folderOf(path)} -> ${folderOf(target)}`, path] as const),
  ),
)
const allowed = Object.entries(below).flatMap(([folder, targets]) =>
  targets.map((target) => `${folder} -> ${target}`),
)

test('every TypeScript file imports from its own folder or below', () => {
  const wrong = [...arrows].filter(([arrow]) => !allowed.includes(arrow))
  expect(wrong.map(([arrow, path]) => `${arrow}: ${path}`)).toEqual([])
})

test('the page imports the public interface, and no other source', () => {
  const files = filesUnder('inspector', /\.tsx?$/)
  const targets = files.flatMap(importsOf).filter((target) => target.startsWith('..'))
  expect(new Set(targets)).toEqual(new Set(['../src/index.ts']))
})

test('the list allows no import that no file needs', () => {
  expect(allowed.filter((arrow) => !arrows.has(arrow))).toEqual([])
})

test('every folder imports from folders below it only', () => {
  const order = Object.keys(below)
  const upwards = Object.entries(below).flatMap(([folder, targets]) =>
    targets
      .filter((target) => order.indexOf(target) >= order.indexOf(folder))
      .map((target) => `${folder} -> ${target}`),
  )
  expect(upwards).toEqual([])
})

/** The trades of src/token, lowest first; a trade imports itself and what comes before it. */
const trades = ['payload', 'rules', 'proof', 'read']

test('every file of src/token imports from its own trade or those below', () => {
  const tradeOf = (path: string) => trades.indexOf(path.split('/')[2]!)
  const tokens = sources.filter((path) => path.startsWith('src/token/'))
  expect(tokens.filter((path) => tradeOf(path) < 0)).toEqual([])
  const wrong = tokens.flatMap((path) =>
    importsOf(path)
      .map((target) => posix.join(posix.dirname(path), target))
      .filter((target) => target.startsWith('src/token/') && tradeOf(target) > tradeOf(path))
      .map((target) => `${path} -> ${target}`),
  )
  expect(wrong).toEqual([])
})

test('imports of TypeScript files have no circle, those of types included', () => {
  const graph = new Map(
    sources.map((path) => [
      path,
      importsOf(path)
        .filter((target) => target.startsWith('.'))
        .map((target) => posix.join(posix.dirname(path), target)),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (done.has(path) || trail.includes(path)) return
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of sources) visit(path, [])
  expect(cycles).toEqual([])
})

test('only src/engine reaches for the addon', () => {
  const wrong = sources.filter((path) => /\.node['`]|createRequire/.test(read(path)))
  expect(wrong).toEqual(['src/engine/loader-node.ts'])
})

test('outside src/rpc/node.ts, the RPC layer imports nothing of Node', () => {
  const wrong = sources.filter(
    (path) =>
      folderOf(path) === 'rpc' &&
      path !== 'src/rpc/node.ts' &&
      importsOf(path).some((target) => target.startsWith('node:')),
  )
  expect(wrong).toEqual([])
})

/** The other folders that each folder of native/ may include. */
const nativeBelow: Record<string, readonly string[]> = { base: [] }
for (const folder of ['bytes', 'hash', 'cc', 'script', 'tx', 'block']) {
  nativeBelow[folder] = Object.keys(nativeBelow)
}
const coreFolders = Object.keys(nativeBelow)
nativeBelow.select = coreFolders
nativeBelow.sign = ['base']
nativeBelow.verify = coreFolders
nativeBelow.seam = [...coreFolders, 'select', 'sign', 'verify']
nativeBelow.addon = [...nativeBelow.seam, 'seam']
nativeBelow.wasm = nativeBelow.addon

const towers = ['native/core', 'native/seam', 'native/addon', 'native/wasm']

test('every native file includes from its own folder or below', () => {
  const wrong = towers.flatMap((tower) =>
    (existsSync(`${root}${tower}`) ? filesUnder(tower, /\.(cpp|h)$/) : []).flatMap((path) => {
      const folder = path.split('/').at(-2)!
      return [...read(path).matchAll(/^#include "([^"/]+)\/[^"]+"$/gm)]
        .map((match) => match[1]!)
        .filter((target) => target !== folder && !nativeBelow[folder]?.includes(target))
        .map((target) => `${path} -> ${target}`)
    }),
  )
  expect(wrong).toEqual([])
})

test('core and seam know nothing of Node-API and throw nothing', () => {
  const files = ['native/core', 'native/seam'].flatMap((tower) => filesUnder(tower, /\.(cpp|h)$/))
  const wrong = files.filter((path) =>
    /#include [<"](?:node_api|napi|js_native_api)\.h|\bthrow\b|\btry\b|dynamic_cast|typeid/.test(
      read(path),
    ),
  )
  expect(wrong).toEqual([])
})

test('only src/engine names the words that calls share, and the functions that may fail', () => {
  const shared = /\b(?:words|values|native|loaded|recover|failureOf)\b/
  const wrong = sources.flatMap((path) =>
    folderOf(path) === 'engine'
      ? []
      : [...read(path).matchAll(/^import (?:type )?(.*?) from '([^']+)'/gms)]
          .filter(([, , from]) => /engine\/(?:call|loading|loader-\w+)\.ts$/.test(from!))
          .filter(([, names]) => shared.test(names!) || names!.includes('*'))
          .map(([statement]) => `${path}: ${statement}`),
  )
  expect(wrong).toEqual([])
})

test('one file decides what computes with private keys', () => {
  const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(read(path))).sort()
  const decides = 'src/engine/private-keys.ts'
  // The generated calls, and the two that compute.
  const generated = ['src/engine/calls.ts', 'src/engine/native.ts']
  expect(filesWith(/\b(?:signHash|derivePublicKey)\(/)).toEqual([
    ...generated,
    decides,
    'src/primitives/secp256k1.ts',
  ])
  const portable =
    /import (?:\* as|\{[^}]*\bpublicKeyFormsOf\b)[^']*'[^']*primitives\/secp256k1\.ts'/
  expect(filesWith(portable)).toEqual([decides])
  expect(filesWith(/'@noble\/secp256k1'/)).toEqual(['src/primitives/secp256k1.ts'])
})

test('every function of the seam is fuzzed, from seeds that ctest replays', () => {
  const names = [...read('native/seam/functions.h').matchAll(/^ {4}\{"(\w+)"/gm)].map(
    (match) => match[1]!,
  )
  expect(names.length).toBeGreaterThan(20)
  const seeds = filesUnder('native/fuzz/corpus/seam', /\w/).map((path) => path.split('/'))
  const folders = new Set(seeds.flatMap((parts) => (parts.length > 5 ? [parts[4]] : [])))
  expect([...folders].sort()).toEqual(names.sort())
})

test('the number of the interface is a hash of its definition', () => {
  const number = (path: string) => /\b(?:engineAbi|abi) = (0x[0-9a-f]{8})/.exec(read(path))?.[1]
  expect(number('src/engine/native.ts')).toMatch(/^0x/)
  expect(number('native/seam/words.h')).toBe(number('src/engine/native.ts'))
  expect(startEngine().engine.abi).toBe(Number(number('src/engine/native.ts')))
})

test('sources are tidy: LF, no blanks at line ends, a newline at the end', () => {
  const kept = /\.(ts|mjs|cpp|h|def|md|json|txt|cmake)$/
  const wrong = ['src', 'native', 'scripts', 'docs', 'examples']
    .flatMap((folder) => filesUnder(folder, kept))
    .filter((path) => !/\/(?:corpus|node_modules)\//.test(path))
    .filter((path) => /\r|[ \t]$/m.test(read(path)) || !read(path).endsWith('\n'))
  expect(wrong).toEqual([])
})

// Another file, a test, a benchmark or a script uses every export of a file in src. The exports of
// the package's entries are for its users.

const isModule = (path: string) => /\.(ts|mjs)$/.test(path)
/** Files whose exports the users of the package import. */
const entries = entryNames.map((name) => `src/${name}.ts`)
const users = ['src', 'test', 'bench', 'scripts', 'examples'].flatMap(filesBelow).filter(isModule)

interface Import {
  /** From the root, such as src/cli/run.ts. */
  readonly from: string
  /** Names as the exporting file has them; `*` for all. */
  readonly names: readonly string[]
}

/**
 * `import { a as b, type C } from '…'`, `export { … } from '…'`, `import * as x`, `import('…')`.
 */
function namesImportedBy(path: string): Import[] {
  const text = read(path)
  const named = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/g
  const whole =
    /(?:(?:import|export)\s+(?:type\s+)?\*[^']*from\s+|import\(\s*|import\s+)'(\.[^']+)'/g
  const target = (to: string) => posix.join(posix.dirname(path), to).replace(/\.js$/, '.ts')
  return [
    ...[...text.matchAll(named)].map(([, list, to]) => ({
      from: target(to!),
      names: list!
        .split(',')
        .map(
          (name) =>
            name
              .trim()
              .replace(/^type\s+/, '')
              .split(/\s+as\s+/)[0]!,
        )
        .filter((name) => name !== ''),
    })),
    ...[...text.matchAll(whole)].map(([, to]) => ({ from: target(to!), names: ['*'] })),
  ]
}

/** Names that a file declares and exports. */
function exportsOf(path: string): string[] {
  const declared = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm
  return [...read(path).matchAll(declared)].map(([, name]) => name!)
}

test('every export has a user in another file', () => {
  const used = new Map<string, Set<string>>()
  for (const user of users) {
    for (const { from, names } of namesImportedBy(user)) {
      const known = used.get(from) ?? new Set()
      for (const name of names) known.add(name)
      used.set(from, known)
    }
  }
  // Built code is imported from dist by what runs without a compiler; these files are named so.
  const byText = users
    .filter((path) => !path.startsWith('src/'))
    .map(read)
    .join('\n')
  const isUsed = (path: string, name: string) =>
    used.get(path)?.has('*') === true ||
    used.get(path)?.has(name) === true ||
    (new RegExp(`dist/(?:inside/)?${path.slice(4, -3)}\\.js`).test(byText) && byText.includes(name))
  const exported = sources
    .filter((path) => !entries.includes(path))
    .flatMap((path) => exportsOf(path).map((name) => [path, name] as const))
  expect(entries).toContain('src/index.ts')
  expect(exported.length).toBeGreaterThan(300)
  const needless = exported.filter(([path, name]) => !isUsed(path, name))
  expect(needless.map(([path, name]) => `${path}: ${name}`)).toEqual([])
})
