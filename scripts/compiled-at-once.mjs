// V8 reads each function twice: to find its end when it loads a file, and to compile it when it is
// first called. A function in parentheses is compiled at once, and Node's cache of compiled code
// holds only such functions. docs/adr/0041-no-own-code-cache.md has the numbers.

import { RolldownMagicString } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

/** A plugin that has V8 compile the functions of a chunk when it loads the file. */
export const compiledAtOnce = (chunkName) => ({
  name: 'compiled-at-once',
  renderChunk(code, { name }) {
    if (name !== chunkName) return null
    const text = withFunctionsCompiled(code)
    return { code: text.toString(), map: text.generateMap({ hires: true }).toString() }
  },
})

/** Puts the functions of a script in parentheses, but for methods and functions with `this`. */
export function withFunctionsCompiled(code) {
  const text = new RolldownMagicString(code)
  const program = parseAst(code)
  for (const { type, id, start, end } of program.body) {
    if (type !== 'FunctionDeclaration') continue
    text.prependRight(start, `var ${id.name} = (`).appendLeft(end, ');')
    // Declarations can be called before their line, so the variables stand before all else.
    text.move(start, end, 0)
  }
  putArrowsInParentheses(program, code, text)
  return text
}

/** V8 before 13 ignores parentheses around an arrow function, so it becomes another function. */
function putArrowsInParentheses(node, code, text) {
  for (const child of childrenOf(node)) putArrowsInParentheses(child, code, text)
  if (
    node.type !== 'ArrowFunctionExpression' ||
    usesOuterThis(node.params) ||
    usesOuterThis(node.body)
  ) {
    return
  }
  const { start, end, params, async: isAsync, expression } = node
  const arrow = code.indexOf('=>', params.at(-1)?.end ?? start)
  const head = code
    .slice(start, arrow)
    .replace(/^async/, '')
    .trim()
  const [only] = params
  if (!head.startsWith('(')) text.prependRight(only.start, '(').appendLeft(only.end, ')')
  if (isAsync) text.appendLeft(start + 'async'.length, ' function')
  text.prependRight(start, isAsync ? '(' : '(function')
  text.update(arrow, arrow + 2, expression ? '{ return (' : '')
  text.appendLeft(end, expression ? ') })' : ')')
}

const childrenOf = (node) =>
  Object.values(node).filter((child) => typeof child === 'object' && child !== null)

const ofItsFunction = new Set(['ThisExpression', 'Super', 'MetaProperty'])
const withThisOfTheirOwn = new Set(['FunctionExpression', 'FunctionDeclaration', 'ClassBody'])

/** Returns whether an arrow function takes something from the function around it by a fixed name. */
function usesOuterThis(node) {
  if (ofItsFunction.has(node.type)) return true
  if (node.type === 'Identifier' && node.name === 'arguments') return true
  return !withThisOfTheirOwn.has(node.type) && childrenOf(node).some(usesOuterThis)
}
