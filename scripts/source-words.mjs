// Comments and identifiers of source files, for the tests and the linter of language.

import { parseSync } from 'rolldown/utils'

/** Comments of C++: a whole line, or the end of one. Literals are stepped over. */
const nativeToken =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|[A-Za-z_]\w*/g

/**
 * Returns the comments of a source file as `{ line, text }`, without their markers.
 *
 * Line comments that follow one another on lines of their own are one comment.
 */
export function commentsOf(path, source) {
  const found = isNative(path) ? nativeComments(source) : scriptComments(path, source)
  const lineAt = linesOf(source)
  const merged = []
  let lastLine = -1
  for (const { start, end, value, isLine } of found) {
    const line = lineAt(start)
    const isAlone = source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === ''
    const last = merged.at(-1)
    if (isLine && isAlone && last?.isLine && lastLine === line - 1) last.text += `\n${value}`
    else merged.push({ line, text: value, isLine: isLine && isAlone })
    lastLine = lineAt(end)
  }
  return merged.map(({ line, text }) => ({ line, text: withoutMarkers(text) }))
}

/** Returns the identifiers of a source file as `{ line, name }`, each line and name once. */
export function identifiersOf(path, source) {
  const found = isNative(path) ? nativeIdentifiers(source) : scriptIdentifiers(path, source)
  const lineAt = linesOf(source)
  const seen = new Map()
  for (const { start, name } of found) {
    const line = lineAt(start)
    seen.set(`${line} ${name}`, { line, name })
  }
  return [...seen.values()]
}

/** Returns the lower-case words of a name in camelCase, PascalCase, snake_case or kebab-case. */
export function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function isNative(path) {
  return /\.(?:cpp|h|def)$/.test(path)
}

function nativeComments(source) {
  return [...source.matchAll(nativeToken)]
    .filter(([token]) => /^\/[/*]/.test(token))
    .map(({ 0: token, index }) => ({
      start: index,
      end: index + token.length,
      value: token.startsWith('//') ? token.replace(/^\/\/[/!]?/, '') : token.slice(2, -2),
      isLine: token.startsWith('//'),
    }))
}

function nativeIdentifiers(source) {
  return [...source.matchAll(nativeToken)]
    .filter(([token]) => /^[A-Za-z_]/.test(token))
    .map(({ 0: name, index }) => ({ start: index, name }))
}

/** Returns the tree and the comments of a file. Reading `program` makes the tree, which costs most. */
function parsed(path, source) {
  const result = parseSync(path, source)
  if (result.errors.length === 0) return result
  throw new Error(`${path} cannot be parsed: ${result.errors[0].message}`)
}

function scriptComments(path, source) {
  return parsed(path, source).comments.map(({ type, value, start, end }) => ({
    ...{ start, end, value },
    isLine: type === 'Line',
  }))
}

function scriptIdentifiers(path, source) {
  const found = []
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) return node.forEach(visit)
    if (/Identifier$/.test(node.type ?? '')) found.push({ start: node.start, name: node.name })
    for (const member of Object.values(node)) visit(member)
  }
  visit(parsed(path, source).program)
  return found
}

function withoutMarkers(text) {
  return text.replace(/^ *\*(?!\*) ?/gm, '').replace(/^\*/, '')
}

/** Returns a function from an offset to its line: a file has thousands of identifiers. */
function linesOf(source) {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (offset) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle] < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
