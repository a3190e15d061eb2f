// The layers of docs/architecture.md, held against the imports and includes as they stand.

import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

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

/** native/core, lowest first; a folder includes itself and what comes before it. */
const core = ['base', 'bytes', 'hash', 'cc', 'script', 'tx']

test('every file of the core includes from its own folder or below', () => {
  const wrong = filesUnder('native/core', /\.(cpp|h)$/).flatMap((path) => {
    const folder = path.split('/')[2]!
    const position = core.indexOf(folder)
    const allowed = position >= 0 ? core.slice(0, position + 1) : [...core, folder]
    return [...read(path).matchAll(/^#include "([^"/]+)\/[^"]+"$/gm)]
      .map((match) => match[1]!)
      .filter((target) => !allowed.includes(target))
      .map((target) => `${path} -> ${target}`)
  })
  expect(wrong).toEqual([])
})

test('the core knows nothing of Node-API and throws nothing', () => {
  const wrong = filesUnder('native/core', /\.(cpp|h)$/).filter((path) =>
    /#include [<"](?:node_api|napi)\.h|\bthrow\b|\btry\b|dynamic_cast|typeid/.test(read(path)),
  )
  expect(wrong).toEqual([])
})

test('generated files are made from what is there now', async () => {
  const { execFileSync } = await import('node:child_process')
  execFileSync(process.execPath, [`${root}scripts/generate-errors.mjs`, '--check'], { cwd: root })
})

test('sources are tidy: LF, no blanks at line ends, a newline at the end', () => {
  const kept = /\.(ts|mjs|cpp|h|def|md|json|txt|cmake)$/
  const wrong = ['src', 'native', 'scripts', 'docs', 'examples']
    .flatMap((folder) => filesUnder(folder, kept))
    .filter((path) => !path.includes('/corpus/'))
    .filter((path) => /\r|[ \t]$/m.test(read(path)) || !read(path).endsWith('\n'))
  expect(wrong).toEqual([])
})
