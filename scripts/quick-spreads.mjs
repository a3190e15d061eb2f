// Node 20 makes `{ ...object, member }` slowly: more than a microsecond for each further member.
// `{ ...null, ...object, member }` is the same object, and takes a tenth of that there. Measured by
// `node bench/spread.mjs`.

import { parseAst } from 'rolldown/parseAst'

const nothing = '...null,'

/** Returns code in which no literal with further members begins with the spread of an object. */
export function quickSpreads(code) {
  const places = []
  const pending = [parseAst(code)]
  for (const node of pending) {
    if (node.type === 'ObjectExpression' && isSlow(node)) places.push(node.start + 1)
    for (const child of Object.values(node)) {
      if (typeof child === 'object' && child !== null) pending.push(child)
    }
  }
  places.sort((one, other) => one - other)
  // It stands on the line of the brace, where the source map has nothing to its right.
  return [0, ...places].map((from, at) => code.slice(from, places[at])).join(nothing)
}

function isSlow({ properties: [first, ...further] }) {
  return first?.type === 'SpreadElement' && first.argument.value !== null && further.length > 0
}
