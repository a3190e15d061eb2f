// The bundled declarations of a release declare what those of the checkout do, comments included:
// an editor shows the comments to users.

import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'

import { bundledTypes } from '../../../scripts/bundle-types.mjs'
import { root } from '../../support/built.ts'

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

interface Declared {
  /** The declaration without its place and without `export`, and the comments in it, in order. */
  readonly text: string
  readonly comments: readonly string[]
}

const bundled = await bundledTypes(root)
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  exports: Record<string, { types?: string }>
}
const entries = Object.values(manifest.exports).flatMap(({ types }) => types?.slice(2) ?? [])

const parsed = (path: string, text: string): ReturnType<typeof parseSync> => {
  const result = parseSync(path, text)
  expect(result.errors, path).toEqual([])
  return result
}

/** Members that say where or how a node was written, and not what it means. */
const written = new Set(['start', 'end', 'raw', 'declare', 'exportKind', 'importKind'])

/** The meaning of a node: parentheses around a type, for example, have none. */
function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOf)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return value
  const node = value as Node
  if (node.type === 'TSParenthesizedType') return meaningOf(node.typeAnnotation)
  // A name of a module that is imported whole, `params.Name`, becomes a name of the bundle.
  if (node.type === 'TSQualifiedName') return meaningOf(node.right)
  const members = Object.entries(node).filter(([name]) => !written.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, meaningOf(member)]))
}

/** The text of a comment without the indentation of its lines. */
const textOfComment = (value: string): string => value.replace(/\s*\n\s*\*? ?/g, '\n').trim()

/** Every declaration of a file, by its name; overloads together. */
function declarationsOf(path: string, text: string): Map<string, Declared> {
  const { program, comments } = parsed(path, text)
  const found = new Map<string, Declared>()
  let before = 0
  for (const statement of program.body as unknown as Node[]) {
    const node = (statement.declaration as Node | undefined) ?? statement
    const { id, declarations } = node as { id?: { name: string }; declarations?: Node[] }
    const name = id?.name ?? (declarations?.[0] as { id: { name: string } } | undefined)?.id.name
    if (name !== undefined) {
      const earlier = found.get(name)
      const own = comments.filter(
        ({ type, start, end }) => type === 'Block' && start >= before && end <= statement.end,
      )
      found.set(name, {
        text: (earlier?.text ?? '') + JSON.stringify(meaningOf(node)),
        comments: [...(earlier?.comments ?? []), ...own.map(({ value }) => textOfComment(value))],
      })
    }
    before = statement.end
  }
  return found
}

/** Every name that a file of the checkout exports. */
function exportedBy(path: string): string[] {
  const { program } = parsed(path, readFileSync(path, 'utf8'))
  return (program.body as unknown as Node[]).flatMap((statement) => {
    if (statement.type === 'ExportAllDeclaration') {
      const { value } = statement.source as { value: string }
      return exportedBy(new URL(value.replace(/\.[jt]s$/, '.d.ts'), `file://${path}`).pathname)
    }
    if (statement.type !== 'ExportNamedDeclaration') return []
    const specifiers = statement.specifiers as { exported: { name: string } }[]
    const { id, declarations } = (statement.declaration ?? {}) as {
      id?: { name: string }
      declarations?: { id: { name: string } }[]
    }
    const own = id ?? declarations?.[0]?.id
    return [...specifiers.map(({ exported }) => exported.name), ...(own ? [own.name] : [])]
  })
}

const checkout = new Map<string, Declared[]>()
const files = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' })
for (const path of files.filter((file) => file.endsWith('.d.ts')).map((file) => `dist/${file}`)) {
  for (const [name, declared] of declarationsOf(path, readFileSync(root + path, 'utf8'))) {
    checkout.set(name, [...(checkout.get(name) ?? []), declared])
  }
}

test.each(entries)('%s exports the same names', (path) => {
  const { program } = parsed(path, bundled.get(path)!)
  const names = (program.body as unknown as Node[])
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ specifiers }) => specifiers as { exported: { name: string } }[])
    .map(({ exported }) => exported.name)
  expect(new Set(names)).toEqual(new Set(exportedBy(root + path)))
})

test('every declaration and every comment in it is one of the checkout', () => {
  const changed: string[] = []
  let count = 0
  for (const [path, text] of bundled) {
    for (const [name, { text: meaning, comments }] of declarationsOf(path, text)) {
      count += 1
      const same = checkout.get(name)?.filter((one) => one.text === meaning) ?? []
      const documented = same.some((one) => `${one.comments}` === `${comments}`)
      if (!documented) changed.push(`${path}: ${name}${same.length > 0 ? ', its comments' : ''}`)
    }
  }
  expect(changed).toEqual([])
  expect(count).toBeGreaterThan(500)
})

test('a bundled declaration imports only files that are there, and packages', () => {
  const missing = [...bundled].flatMap(([path, text]) =>
    [...text.matchAll(/\bfrom "([.#][^"]*)"/g)]
      .map(([, name]) => new URL(name!.replace(/\.js$/, '.d.ts'), `file:///${path}`).pathname)
      .filter((name) => !bundled.has(name.slice(1)))
      .map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})
