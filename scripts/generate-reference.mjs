// Makes docs/reference: a page for each function and class that the package exports, and one for
// its types. They come from the docstrings in the compiled declarations: npm run build:ts first.
// With --check, writes nothing and fails if a page is stale.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'

import { writeGenerated } from './generated.mjs'

const root = new URL('..', import.meta.url)
const folder = new URL('docs/reference/', root)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const errorPage = readFileSync(new URL('docs/errors.md', root), 'utf8')
const errorCodes = new Set([...errorPage.matchAll(/<a id="(\w+)">/g)].map(([, code]) => code))
const notice = '<!-- Made by scripts/generate-reference.mjs from the docstrings. Do not edit. -->'

/** Entry points by what one writes to import from them. */
const entries = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path, target]) => ({ name: `antara-tx${path.slice(1)}`, file: typesOf(target) }))

/** The declarations of an entry point, whatever the conditions around them are. */
function typesOf(target) {
  if (typeof target === 'string') return target.endsWith('.d.ts') ? target.slice(2) : undefined
  return Object.values(target)
    .map(typesOf)
    .find((file) => file !== undefined)
}

const texts = new Map()
function declarations(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(new URL(file, root), 'utf8'))
  return texts.get(file)
}

function resolved(from, path) {
  // A module that depends on the platform has the same declarations everywhere.
  if (path.startsWith('#')) return manifest.imports[path].node.slice(2).replace(/\.js$/, '.d.ts')
  return new URL(path.replace(/\.[jt]s$/, '.d.ts'), new URL(from, root)).href.slice(
    root.href.length,
  )
}

/** Every name that a file of declarations exports, with where and as what it is declared. */
function exportsOf(file) {
  const text = declarations(file)
  const own = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(function|const|class|interface|type) (\w+)/gm,
    ),
  ].map(([, , name]) => ({ name, file }))
  const passedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gms)].flatMap(
    ([, list, path]) =>
      list
        .split(',')
        .map((item) => item.trim().replace(/^type /, ''))
        .filter((item) => item !== '')
        .map((item) => ({ ...found(item.split(' as ')[0], resolved(file, path)) })),
  )
  const all = [...text.matchAll(/^export (?:type )?\* from '([^']+)'/gm)].flatMap(([, path]) =>
    exportsOf(resolved(file, path)),
  )
  return [...own, ...passedOn, ...all]
}

/** Where a name that a file exports is declared. */
function found(name, file) {
  if (declarationOf(name, file) !== undefined) return { name, file }
  const passed = exportsOf(file).find((one) => one.name === name)
  if (passed !== undefined) return passed
  const [, , others] =
    new RegExp(`^(?:import|export) .*\\b${name}\\b.*(from) '([^.'][^']*)'`, 'm').exec(
      declarations(file),
    ) ?? []
  if (others === undefined) throw new Error(`${file}: no declaration of ${name}`)
  return { name, others }
}

/**
 * The docstring and text of an exported declaration, or of a `private` one too; of overloads all, with the
 * first docstring.
 */
function declarationOf(name, file, reach = 'exported') {
  const text = declarations(file)
  const exported = reach === 'exported' ? 'export ' : '(?:export )?'
  const start = new RegExp(
    `((?:^/\\*\\*(?:(?!\\*/).)*\\*/\\n)?)^${exported}(?:declare )?(function|const|class|interface|type) ${name}\\b`,
    'gms',
  )
  const matches = [...text.matchAll(start)]
  if (matches.length === 0) return undefined
  const bodies = matches.map((match) => bodyAt(text, match.index + match[1].length))
  return {
    kind: matches[0][2],
    docstring: matches[0][1],
    code: bodies
      .map((body) => body.replace(/^export (?:declare )?/, '').replace(/ +$/gm, ''))
      .join('\n'),
  }
}

/** A declaration as far as it goes: to the end of its line, or to the brace that closes it. */
function bodyAt(text, from) {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if ('{(['.includes(text[at])) depth += 1
    else if ('})]'.includes(text[at])) depth -= 1
    else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 1
    if (depth === 0 && (text[at] === ';' || (text[at] === '}' && text[at + 1] === '\n'))) {
      return text.slice(from, at + 1).replace(/;$/, '')
    }
  }
  throw new Error(`a declaration has no end: ${text.slice(from, from + 80)}`)
}

/** A docstring in its parts. */
function parsed(docstring) {
  const lines = docstring
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, '').trimEnd())
  const parts = {
    text: '',
    param: [],
    returns: [],
    throws: [],
    see: [],
    example: [],
    typeParam: [],
  }
  let tag
  for (const line of lines) {
    const [, name, rest] = /^@(\w+) ?(.*)$/.exec(line) ?? []
    if (name === undefined) {
      if (tag === undefined) parts.text += `${line}\n`
      else parts[tag][parts[tag].length - 1] += `\n${line}`
      continue
    }
    if (!(name in parts)) throw new Error(`a tag that no page shows: @${name}`)
    tag = name
    parts[tag].push(rest)
  }
  return parts
}

const isType = ({ kind }) => kind === 'interface' || kind === 'type'

const surface = entries.map(({ name: entry, file }) => {
  const seen = new Map(exportsOf(file).map((one) => [one.name, one]))
  const names = [...seen.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  return {
    entry,
    items: names.map(({ name, file: at, others }) => ({
      ...{ name, entry, others, file: at },
      ...(others === undefined && declarationOf(name, at)),
    })),
  }
})
const items = surface.flatMap((one) => one.items)
/** A name that several entry points export has its page under the first. */
const paged = new Map()
for (const item of items) {
  if (item.others === undefined && !isType(item) && !paged.has(item.name))
    paged.set(item.name, item)
}
const types = new Map()
for (const item of items) if (isType(item) && !types.has(item.name)) types.set(item.name, item)

function linked(text) {
  return text
    .replace(/\{@link (\w+)(\.\w+)?\}/g, (_, name, member = '') => linkTo(name, member))
    .replace(/`(\w+)`/g, (whole, code) =>
      errorCodes.has(code) ? `[\`${code}\`](../errors.md#${code})` : whole,
    )
}

function linkTo(name, member = '') {
  const words = `\`${name}${member}\``
  if (paged.has(name)) return `[${words}](${name}.md)`
  return types.has(name) ? `[${words}](types.md#${name.toLowerCase()})` : words
}

/**
 * Types that a caller fills in. A page lists their members itself. Others, such as a client or a journal,
 * are values that another function returns, and the page links to them.
 */
const isGiven = (name) => /(?:Options|Intent|Evidence|Request|Terms|Credentials)$/.test(name)

const namesIn = (code) => [...new Set(code.replace(/\/\*[\s\S]*?\*\//g, '').match(/\b[A-Z]\w+/g))]

/** Returns a type of the name as `file` means it: its own, exported or not, or one that it imports. */
function typeSeenFrom(file, name) {
  const own = declarationOf(name, file, 'private')
  if (own !== undefined) return { ...own, name, file }
  for (const [, list, path] of declarations(file).matchAll(
    /^import (?:type )?\{([^}]*)\} from '([.#][^']*)'/gm,
  )) {
    if (new RegExp(`\\b${name}\\b`).test(list)) return typeSeenFrom(resolved(file, path), name)
  }
  return undefined
}

/** Returns the text of a function's parameters, those of each overload. */
function parametersOf(code) {
  return [...code.matchAll(/^function [^(]*\(/gm)]
    .map(({ 0: start, index }) => {
      let depth = 1
      let at = index + start.length
      for (; depth > 0; at += 1) {
        if ('{(['.includes(code[at])) depth += 1
        else if ('})]'.includes(code[at])) depth -= 1
      }
      return code.slice(index + start.length, at)
    })
    .join('\n')
}

/** Returns the types whose members a page lists. An alias adds those that it consists of. */
function givenTypes({ code, file }) {
  const given = new Map()
  const add = (from, names) => {
    for (const type of names.map((name) => typeSeenFrom(from, name))) {
      if (type === undefined || given.has(type.name)) continue
      if (types.has(type.name) && !isGiven(type.name)) continue
      given.set(type.name, type)
      if (type.kind === 'type') add(type.file, namesIn(type.code.slice(type.code.indexOf('='))))
    }
  }
  add(file, namesIn(parametersOf(code)).filter(isGiven))
  return [...given.values()]
}

/** Returns the names between quotes in a type, and those of the aliases that it names. */
function keysIn(text, file) {
  const aliases = namesIn(text).map((name) => typeSeenFrom(file, name))
  const texts = [text, ...aliases.flatMap((one) => (one?.kind === 'type' ? [one.code] : []))]
  return new Set(texts.flatMap((one) => [...one.matchAll(/'(\w+)'/g)].map(([, key]) => key)))
}

/**
 * Returns the members of an interface and of what it extends, each with its docstring and its declaration
 * in one line.
 */
function membersOf({ code, file }) {
  const members = new Map()
  const start = code.indexOf('{') + 1
  for (let at = start; ; ) {
    const [space, docstring = ''] = /^\s*(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?/.exec(code.slice(at))
    at += space.length
    if (code[at] === '}') break
    const body = bodyAt(code, at)
    const declaration = body.replace(/^readonly /, '').replace(/\s+/g, ' ')
    members.set(/^\w*/.exec(declaration)[0], { declaration, docstring: docstring.trim() })
    at += body.length + 1
  }
  const [, base] = /^interface \w+(?:<.*?>)? extends ([^{]*)/.exec(code.slice(0, start)) ?? []
  const parents = namesIn(base ?? '').map((name) => typeSeenFrom(file, name))
  for (const parent of parents.filter((one) => one?.kind === 'interface')) {
    const keys = keysIn(base, file)
    const only = /^Pick<(?!.*Exclude<)/.test(base)
    for (const [name, member] of membersOf(parent)) {
      const inherited = keys.size === 0 || keys.has(name) === only
      if (inherited && !members.has(name)) members.set(name, member)
    }
  }
  return members
}

/** Returns the section of a page that lists the members of a type. */
function givenSection(type) {
  const about = type.docstring === '' ? '' : inText(parsed(type.docstring).text)
  const rows =
    type.kind === 'interface'
      ? [...membersOf(type).values()].map(memberRow)
      : ['```ts', type.code, '```']
  return [`## ${type.name}`, about, rows.join('\n')].filter((part) => part !== '').join('\n\n')
}

function memberRow({ declaration, docstring }) {
  const text = docstring === '' ? '' : inText(parsed(docstring).text).replace(/\n\s*/g, ' ')
  return `- \`${declaration}\`${text === '' ? '' : `\\\n  ${text}`}`
}

/** Angle brackets are markup outside code. */
const inText = (text) =>
  linked(text.trim())
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/</g, '&lt;').replace(/\{\{/g, '{ {'),
    )
    .join('')

const undocumented = []
const firstSentence = ({ docstring, name }) => {
  const { text } = parsed(docstring)
  const [sentence] = text
    .trim()
    .replace(/\n/g, ' ')
    .split(/(?<=[.])\s/)
  if (sentence === '') undocumented.push(name)
  return inText(sentence).replace(/\|/g, '\\|')
}

function page(item) {
  const { name, entry, code, docstring } = item
  const { text, param, returns, throws, see, example } = parsed(docstring)
  const given = givenTypes(item)
  const codes = [code, ...given.map((type) => type.code)]
  const named = [...new Set(codes.flatMap(namesIn))].filter((one) => types.has(one)).sort()
  const sections = [
    `# ${name}`,
    notice,
    inText(text),
    ['```ts', `import { ${name} } from '${entry}'`, '', code, '```'].join('\n'),
    param.length === 0 ? '' : list('Parameters', param.map(parameter)),
    returns.length === 0 ? '' : `**Returns** ${inText(returns.join('\n'))}`,
    throws.length === 0 ? '' : list('Throws', throws.map(thrown)),
    ...example.map((one) => ['## Example', '', '```ts', one.trim(), '```'].join('\n')),
    ...given.map(givenSection),
    see.length === 0 ? '' : `**Source** ${see.map(inText).join('; ')}`,
    named.length === 0 ? '' : `**Types** ${named.map((one) => linkTo(one)).join(', ')}`,
    `[All of ${entry}](index.md)`,
  ]
  return `${sections.filter((part) => part !== '').join('\n\n')}\n`
}

const list = (title, rows) => [`**${title}**`, '', ...rows].join('\n')

function parameter(text) {
  const [, name, rest] = /^(\S+)\s*(?:-\s*)?(.*)$/s.exec(text)
  return `- \`${name}\`: ${inText(rest).replace(/\n\s*/g, ' ')}`
}

function thrown(text) {
  const [, name = 'Error', rest] = /^\{(\w+)\}\s*(.*)$/s.exec(text) ?? [undefined, undefined, text]
  const description = inText(rest).replace(/\n\s*/g, ' ')
  const kinds = name === 'RpcError' ? ` ([kinds](../rpc.md#errors))` : ''
  return `- ${linkTo(name)}${kinds}${description === '' ? '' : `: ${description}`}`
}

function indexPage() {
  const parts = surface.map(({ entry, items: those }) => {
    const shown = those.filter((item) => !isType(item) && paged.get(item.name)?.entry === entry)
    const foreign = those.filter(({ others }) => others !== undefined)
    const rows = [
      ...shown.map((item) => `| ${linkTo(item.name)} | ${firstSentence(item)} |`),
      ...foreign.map(({ name, others }) => `| \`${name}\` | As in the package ${others}. |`),
    ]
    return rows.length === 0 ? '' : [`## ${entry}`, '', '| | |', '|---|---|', ...rows].join('\n')
  })
  return `# Reference

${notice}

Each function and class has a page, made from its docstring: shapes, units, errors, source and example. [API](../api.md) lists them by subject, and [Types](types.md) has the types.

${parts.filter((part) => part !== '').join('\n\n')}
`
}

function typesPage() {
  const sections = [...types.values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, entry, code, docstring }) => {
      const { text, see } = docstring === '' ? { text: '', see: [] } : parsed(docstring)
      const source = see.length === 0 ? '' : `**Source** ${see.map(inText).join('; ')}`
      const parts = [
        `## ${name}`,
        inText(text),
        `From \`${entry}\`.`,
        `\`\`\`ts\n${code}\n\`\`\``,
        source,
      ]
      return parts.filter((part) => part !== '').join('\n\n')
    })
  return `# Types\n\n${notice}\n\n${sections.join('\n\n')}\n`
}

const pages = [
  ['docs/reference/index.md', indexPage()],
  ['docs/reference/types.md', typesPage()],
  ...[...paged.values()].map((item) => [`docs/reference/${item.name}.md`, page(item)]),
]
mkdirSync(folder, { recursive: true })
const names = new Set(pages.map(([path]) => path.slice('docs/reference/'.length)))
const left = readdirSync(folder).filter((name) => !names.has(name))
if (!process.argv.includes('--check')) for (const name of left) rmSync(new URL(name, folder))
if (undocumented.length > 0) throw new Error(`no docstring: ${undocumented.join(', ')}`)
writeGenerated(pages)
if (left.length > 0 && process.argv.includes('--check')) {
  console.error(`of nothing that is exported: ${left.join(', ')}`)
  process.exit(1)
}
