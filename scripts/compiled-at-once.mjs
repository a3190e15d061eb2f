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
    const text = new RolldownMagicString(code)
    for (const { type, id, start, end } of parseAst(code).body) {
      if (type !== 'FunctionDeclaration') continue
      text.prependRight(start, `var ${id.name} = (`).appendLeft(end, ');')
      // Declarations can be called before their line, so the variables stand before all else.
      text.move(start, end, 0)
    }
    return { code: text.toString(), map: text.generateMap({ hires: true }).toString() }
  },
})
