// The layers of docs/architecture.md, held against the imports and includes as they stand.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { native } from '../../src/engine/call.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((name) => ending.test(name))
}

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

/** What each folder of src/ may import besides itself. */
const below: Record<string, readonly string[]> = {
  primitives: ['errors'],
  errors: [],
  engine: ['errors', 'primitives'],
  chain: ['errors', 'primitives'],
  script: ['condition'],
  condition: [],
  transaction: ['script'],
  signing: ['transaction', 'script', 'condition'],
  selection: ['transaction', 'script', 'condition'],
  intent: ['transaction'],
  token: ['intent', 'selection', 'signing', 'transaction', 'script', 'condition'],
  verification: ['token', 'intent', 'selection', 'signing', 'transaction', 'script', 'condition'],
  rpc: [
    'verification',
    'token',
    'intent',
    'selection',
    'signing',
    'transaction',
    'script',
    'condition',
  ],
  node: [
    'rpc',
    'verification',
    'token',
    'intent',
    'selection',
    'signing',
    'transaction',
    'script',
    'condition',
  ],
  cli: [
    'node',
    'rpc',
    'verification',
    'token',
    'intent',
    'selection',
    'signing',
    'transaction',
    'script',
    'condition',
  ],
}
const everywhere = ['engine', 'errors', 'primitives', 'chain']

function importsOf(path: string): string[] {
  return [...read(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
}

/** What is loaded when the file is; types are gone by then. */
function runtimeImportsOf(path: string): string[] {
  const types = new Set(
    [...read(path).matchAll(/^import type .*? from '([^']+)'/gms)].map((match) => match[1]!),
  )
  return importsOf(path).filter((target) => !types.has(target))
}

function folderOf(path: string): string {
  return path.split('/')[1]!
}

const sources = filesUnder('src', /\.ts$/).filter((path) => path !== 'src/index.ts')

test('every TypeScript file imports from its own folder or below', () => {
  const wrong = sources.flatMap((path) => {
    const folder = folderOf(path)
    const own = ['primitives', 'errors', 'engine', 'chain'].includes(folder)
    const allowed = [folder, ...below[folder]!, ...(own ? [] : everywhere)]
    return importsOf(path)
      .filter((target) => target.startsWith('.'))
      .map((target) => posix.join(posix.dirname(path), target))
      .filter((target) => target.startsWith('src/') && !allowed.includes(folderOf(target)))
      .map((target) => `${path} -> ${target}`)
  })
  expect(wrong).toEqual([])
})

/** The trades of src/token, lowest first; a trade imports itself and what comes before it. */
const trades = ['payload', 'rules', 'proof', 'read', 'build']

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

test('no TypeScript file loads itself by way of others', () => {
  const graph = new Map(
    sources.map((path) => [
      path,
      runtimeImportsOf(path)
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
  expect(wrong).toEqual(['src/engine/loader.ts'])
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

/** What each folder of native/ may include besides itself. */
const nativeBelow: Record<string, readonly string[]> = { base: [] }
for (const folder of ['bytes', 'hash', 'cc', 'script', 'tx']) {
  nativeBelow[folder] = Object.keys(nativeBelow)
}
const coreFolders = Object.keys(nativeBelow)
nativeBelow.select = coreFolders
nativeBelow.verify = coreFolders
nativeBelow.seam = [...coreFolders, 'select', 'verify']
nativeBelow.addon = [...coreFolders, 'select', 'verify', 'seam']
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
          .filter(([, , from]) => /engine\/(?:call|loader)\.ts$/.test(from!))
          .filter(([, names]) => shared.test(names!) || names!.includes('*'))
          .map(([statement]) => `${path}: ${statement}`),
  )
  expect(wrong).toEqual([])
})

test.each(['errors', 'seam'])('what is made from the definition of %s is made anew', (name) => {
  const script = `${root}scripts/generate-${name}.mjs`
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test('the number of the interface is a hash of its definition', () => {
  const number = (path: string) => /\b(?:engineAbi|abi) = (0x[0-9a-f]{8})/.exec(read(path))?.[1]
  expect(number('src/engine/native.ts')).toMatch(/^0x/)
  expect(number('native/seam/words.h')).toBe(number('src/engine/native.ts'))
  expect(native.abi).toBe(Number(number('src/engine/native.ts')))
})

test('sources are tidy: LF, no blanks at line ends, a newline at the end', () => {
  const kept = /\.(ts|mjs|cpp|h|def|md|json|txt|cmake)$/
  const wrong = ['src', 'native', 'scripts', 'docs', 'examples']
    .flatMap((folder) => filesUnder(folder, kept))
    .filter((path) => !path.includes('/corpus/'))
    .filter((path) => /\r|[ \t]$/m.test(read(path)) || !read(path).endsWith('\n'))
  expect(wrong).toEqual([])
})
