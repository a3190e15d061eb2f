// One-line edits of C++ that a test should notice. They work on text: what does not compile is not
// counted, so a scanner that knows no grammar is enough.

/**
 * Other operators, for each one that stands between blanks. What a condition that always holds, or
 * an operand that decides nothing, would show as well has no row: `&&` for `||`, `>=` for `<`.
 */
const others = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '|': '&',
  '&': '|',
  '+=': '-=',
  '-=': '+=',
  '|=': '&=',
  '&=': '|=',
}

/**
 * Every edit of a file.
 *
 * @param {string} source
 * @returns {{ start: number, end: number, replacement: string }[]} by place
 */
export function editsOf(source) {
  const code = withoutProse(source)
  const edits = new Map()
  const add = (start, end, replacement) => {
    if (source.slice(start, end) === replacement) return
    edits.set(`${start} ${end} ${replacement}`, { start, end, replacement })
  }
  addOperators(code, add)
  addOperands(code, add)
  addConditions(code, add)
  addWords(code, add)
  addStatements(code, add)
  return [...edits.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Comments, strings and lines that say nothing at run time are blanked; places stay. */
function withoutProse(source) {
  const blank = (text) => text.replace(/[^\n]/g, ' ')
  return source
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, blank)
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'/g, blank)
    .replace(/^[ \t]*(?:#|static_assert|template|using|friend)[^\n]*/gm, blank)
}

function addOperators(code, add) {
  for (const { 0: found, index } of code.matchAll(
    /(?<= )(?:[<>=!]=|[<>|&+\-*/%]=?|<<|>>|&&|\|\|)(?= )/g,
  )) {
    if (found in others) add(index, index + found.length, others[found])
  }
  for (const { 0: found, index } of code.matchAll(/\+\+|--/g)) {
    add(index, index + 2, found === '++' ? '--' : '++')
  }
  for (const { 0: found, index } of code.matchAll(/(?<=return |[,(] |= )!(?=[\w(])[^\n]*/g)) {
    if (!/&&|\|\|/.test(found)) add(index, index + 1, '')
  }
}

/** Operands of && and || that decide nothing any more, and conditions of ?: that are always one. */
function addOperands(code, add) {
  for (const { 0: found, index } of code.matchAll(/&&|\|\|/g)) {
    const neutral = found === '&&' ? 'true' : 'false'
    const [left, right] = [startOfOperand(code, index), endOfOperand(code, index + 2)]
    add(left, index, `${neutral} `)
    add(index + 2, right, ` ${neutral}`)
  }
  for (const { index } of code.matchAll(/ \? /g)) {
    const left = startOfOperand(code, index, true)
    for (const always of ['true', 'false']) add(left, index, always)
  }
}

function startOfOperand(code, end, isWhole = false) {
  let depth = 0
  for (let at = end - 1; at >= 0; at -= 1) {
    const before = code.slice(0, at + 1)
    if (/[)\]}]/.test(code[at])) depth += 1
    if (/[([{]/.test(code[at]) && depth-- === 0) return at + 1
    if (depth > 0) continue
    if (/[;,]$|\breturn\s$|(?: |[+\-|&])=\s$|\?\s$|\s:\s$/.test(before)) return at + 1
    if (!isWhole && /(?:&&|\|\|) ?$/.test(before)) return at + 1
  }
  return 0
}

function endOfOperand(code, start) {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (/[([{]/.test(code[at])) depth += 1
    if (/[)\]}]/.test(code[at]) && depth-- === 0) return at
    if (depth > 0) continue
    if (/^(?:[;,]|\s(?:&&|\|\||\?|:)\s)/.test(code.slice(at, at + 4))) return at
  }
  return code.length
}

/** Conditions that always or never hold. */
function addConditions(code, add) {
  for (const { 0: found, 1: word, index } of code.matchAll(/\b(if|while) \(/g)) {
    const start = index + found.length
    const end = endOfCondition(code, start)
    const initial = code.slice(start, end).lastIndexOf(';')
    const from = initial < 0 ? start : start + initial + 1
    const declares = /^\s*(?:const )?[\w:<>]+[&*]? \w+ = |^\s*const auto/.test(
      code.slice(from, end),
    )
    if (declares) {
      add(end, end, '; false')
    } else {
      add(from, end, ' false')
      if (word === 'if') add(from, end, ' true')
    }
  }
}

function endOfCondition(code, start) {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')' && depth-- === 0) return at
  }
  return code.length
}

/** Numbers that are off by one, truths turned around, errors of another name. */
function addWords(code, add) {
  for (const { 0: found, 1: digits, 2: suffix, index } of code.matchAll(
    /(?<![\w.'])(0x[0-9a-fA-F']+|\d[\d']*)([uUlL]*)(?![\w.'>])/g,
  )) {
    const value = BigInt(digits.replaceAll("'", ''))
    const spell = (number) =>
      `${digits.startsWith('0x') ? `0x${number.toString(16)}` : number}${suffix}`
    add(index, index + found.length, spell(value + 1n))
    // A limit has two sides.
    const isCompared = /[<>=!]=? $/.test(code.slice(Math.max(0, index - 3), index))
    if (value > 0n && isCompared) add(index, index + found.length, spell(value - 1n))
  }
  for (const { 0: found, index } of code.matchAll(/\b(?:true|false)\b/g)) {
    add(index, index + found.length, String(found !== 'true'))
  }
  for (const { 0: found, index } of code.matchAll(/\bErrorCode::(?!ok\b)[a-z]\w*/g)) {
    const other = found.endsWith('::malformed_hex') ? 'truncated' : 'malformed_hex'
    add(index, index + found.length, `ErrorCode::${other}`)
  }
}

/** Statements of one line that are not made. */
function addStatements(code, add) {
  const statement =
    /^[ \t]*((?!return\b|const|using|static|case|else|if|for|while|switch|default|co_)(?:[+-]{2}\w[^;\n]*|[A-Za-z_][\w.\->[\]():]*(?:\([^\n]*\)|(?:\[[^\n]*\])? (?:[|&+-]?|<<|>>)= [^\n]*)|break|continue|return))[ \t]*;[ \t]*$/gm
  for (const match of code.matchAll(statement)) {
    const start = match.index + match[0].indexOf(match[1])
    add(start, start + match[1].length, '')
  }
}
