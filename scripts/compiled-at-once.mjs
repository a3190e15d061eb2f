// V8 reads each function twice: to find its end when it loads a file, and to compile it when it is
// first called. A function in parentheses is compiled at once, and Node's cache of compiled code
// holds only such functions. docs/adr/0041-no-own-code-cache.md has the numbers.

import { RolldownMagicString } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

/**
 * A plugin that has V8 compile functions of a chunk when it loads the file.
 *
 * @param {ReadonlySet<string>} keys - of the functions, from `calledFunctions`
 */
export const compiledAtOnce = (chunkName, keys) => ({
  name: 'compiled-at-once',
  renderChunk(code, { name }) {
    if (name !== chunkName) return null
    const text = withFunctionsCompiled(code, keys)
    return { code: text.toString(), map: text.generateMap({ hires: true }).toString() }
  },
})

/**
 * Returns the keys of the functions that were called.
 *
 * @param code - of a script
 * @param {ReadonlySet<string>} places - `start-end` of each call, in characters
 */
export function calledFunctions(code, places) {
  const functions = functionsOf(parseAst(code))
  const called = functions.filter(({ node: { start, end } }) => places.has(`${start}-${end}`))
  return new Set(called.map(({ key }) => key))
}

/**
 * Puts functions of a script in parentheses.
 *
 * @param {ReadonlySet<string>} keys - of the functions. Each must be in the script
 */
export function withFunctionsCompiled(code, keys) {
  const text = new RolldownMagicString(code)
  const missing = new Set(keys)
  for (const { key, node } of functionsOf(parseAst(code))) {
    if (!keys.has(key)) continue
    missing.delete(key)
    if (node.type === 'FunctionDeclaration') putDeclarationFirst(node, text)
    else putArrowInParentheses(node, code, text)
  }
  if (missing.size > 0) throw new Error(`the script lacks functions: ${[...missing]}`)
  return text
}

/**
 * Lists a script's functions: its declarations, and arrow functions anywhere. Inner ones come first.
 * A key names the statement around a function, so a change of another statement leaves it as it is.
 */
function functionsOf(program) {
  const counts = new Map()
  return program.body.flatMap((statement) => {
    const name = nameOf(statement)
    const arrows = arrowFunctionsIn(statement).map((node) => {
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return { key: `${name} ${count}`, node }
    })
    const isFunction = statement.type === 'FunctionDeclaration'
    return isFunction ? [...arrows, { key: name, node: statement }] : arrows
  })
}

const nameOf = ({ id, declarations }) => (id ?? declarations?.[0].id)?.name ?? ''

function arrowFunctionsIn(node) {
  const inner = childrenOf(node).flatMap(arrowFunctionsIn)
  const isFree = node.type === 'ArrowFunctionExpression' && !usesOuterThis(node)
  return isFree ? [...inner, node] : inner
}

/** Declarations can be called before their line, so the variables stand before all else. */
function putDeclarationFirst({ id, start, end }, text) {
  text.prependRight(start, `var ${id.name} = (`).appendLeft(end, ');')
  text.move(start, end, 0)
}

/** V8 before 13 ignores parentheses around an arrow function, so it becomes another function. */
function putArrowInParentheses({ start, end, params, async: isAsync, expression }, code, text) {
  const arrow = placeOfArrow(code, params.at(-1)?.end ?? start)
  const head = code
    .slice(start, arrow)
    .replace(/^async/, '')
    .trim()
  const [only] = params
  if (!head.startsWith('(')) text.prependRight(only.start, '(').appendLeft(only.end, ')')
  if (isAsync) text.appendLeft(start + 'async'.length, ' function')
  text.prependRight(start, isAsync ? '(' : '(function')
  text.update(arrow, arrow + '=>'.length, expression ? '{ return (' : '')
  text.appendLeft(end, expression ? ') })' : ')')
}

/** Returns the place of the next `=>` that is not in a comment. */
function placeOfArrow(code, from) {
  const before = /(?:\/\*.*?\*\/|\/\/[^\n]*|(?!=>).)*/sy
  before.lastIndex = from
  return from + before.exec(code)[0].length
}

const childrenOf = (node) =>
  Object.values(node).filter((child) => typeof child === 'object' && child !== null)

const ofOuterFunction = new Set(['ThisExpression', 'Super', 'MetaProperty'])
// Not classes: the name of a member in brackets has the outer `this`.
const withThisOfTheirOwn = new Set(['FunctionExpression', 'FunctionDeclaration'])

/** Returns whether an arrow function takes `this` or the like from the function around it. */
function usesOuterThis(node) {
  if (ofOuterFunction.has(node.type)) return true
  if (node.type === 'Identifier' && node.name === 'arguments') return true
  return !withThisOfTheirOwn.has(node.type) && childrenOf(node).some(usesOuterThis)
}
