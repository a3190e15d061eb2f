// The rules of prose: how long a sentence may be, and which words have a better one. They apply to
// Markdown; `proseOf` makes Markdown of comments and manual pages, line by line. For docs/,
// remark and retext take 7 MB and 1.3 s of processor time; textlint took 55 MB and 2.4 s.

import { toString as textOfNode } from 'nlcst-to-string'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRetext from 'remark-retext'
import retextEnglish from 'retext-english'
import retextRepeatedWords from 'retext-repeated-words'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { VFile } from 'vfile'

import { commentsOf } from './source-words.mjs'

/** The rule is 25; a few sentences are legible with more. */
export const sentenceWordsMax = 30

/** Words that readers had to guess, and what to write. Code in backquotes is never looked at. */
export const terms = [
  { not: /\bdoors?\b/i, say: 'HTTP server' },
  { not: /\bdesks?\b/i, say: 'request handler' },
  { not: /\b(?:lies|lying|a lie)\b/i, say: 'tampered response, false' },
  { not: /\bgifts?\b/i, say: 'premine, faucet' },
  {
    not: /\b(?:its|whose|nobody's|server's|daemon's) word\b|\bthe word of a\b/i,
    say: 'reported by',
  },
  { not: /\bheld for own\b/i, say: 'own, owned by the wallet' },
  { not: /\b(?:judge[sd]?|judging|judge?ments?)\b/i, say: 'verify, check, decide' },
  { not: /\btellable\b/i, say: 'redacted value' },
  { not: /\bmisus(?:e[sd]?|ing)\b/i, say: 'argument error, wrong argument' },
  { not: /\bwhom\b|\bwhoever\b/i, say: 'payee, recipient, caller' },
  { not: /\bgenuine\b/i, say: 'proven to its creation' },
  { not: /\bsays so\b/i, say: 'the message itself' },
  { not: /(?<!\bthere )\b(?:is|are|was|were|be) none\b/i, say: 'is missing, does not exist' },
  { not: /\bthat there is none of\b|\bwhat nobody can spend\b/i, say: 'unknown, unspendable' },
  { not: /\bpay once\b|\btak(?:e|es|ing|en) up\b/i, say: 'idempotent send, settle' },
  { not: /\bnobody's\b|\bsomebody else\b/i, say: 'another party, a foreign coin' },
]

/** Stands for a piece of code. */
const codeWord = 'Code'

/** Reports each sentence that has too many words. Code is not counted. */
function sentenceLength() {
  const isWord = (node) => node.type === 'WordNode' && textOfNode(node) !== codeWord
  return (tree, file) =>
    visit(tree, 'SentenceNode', ({ children, position }) => {
      const count = children.filter(isWord).length
      if (count <= sentenceWordsMax) return
      const source = String(file).slice(position.start.offset, position.end.offset)
      const start = source.replace(/\s+/g, ' ').slice(0, 60)
      const reason = `${count} words in a sentence, at most ${sentenceWordsMax}: "${start} …"`
      file.message(reason, { place: position })
    })
}

const english = unified().use(retextEnglish).use(sentenceLength).use(retextRepeatedWords)
/** Cells of a table may be no sentences, so only `terms` apply to them. */
const linter = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRetext, english, { ignore: ['table'] })

/** Returns what is wrong with a file's prose, as `{ line, reason }`, in the order of lines. */
export async function proseFaults(path, source) {
  const prose = proseOf(path, source)
  const file = new VFile({ path, value: prose.map(({ text }) => text).join('\n') })
  const tree = linter.parse(file)
  visit(tree, 'text', ({ value, position }) => {
    for (const { not, say } of terms) {
      const found = not.exec(value)
      if (found === null) continue
      const line = position.start.line + value.slice(0, found.index).split('\n').length - 1
      file.message(`"${found[0]}": write ${say}`, { place: { line, column: 1 } })
    }
  })
  // The parser takes a full stop for the end of a sentence only before a capital, but a sentence may
  // begin with code, or with a name such as komodod.
  visit(tree, 'inlineCode', (node) => Object.assign(node, { type: 'text', value: codeWord }))
  visit(tree, 'text', (node) => {
    node.value = node.value.replace(/(?<=[.!?]\s)[a-z]/g, (letter) => letter.toUpperCase())
  })
  await linter.run(tree, file)
  return file.messages
    .map(({ line, reason }) => ({ line: prose[line - 1].line, reason }))
    .sort((one, other) => one.line - other.line)
}

/** Returns a file's prose as lines of Markdown, each with the number of the line it comes from. */
export function proseOf(path, source) {
  if (path.endsWith('.md')) return linesOf(source.replace(/<!--[\s\S]*?-->/g, blanked))
  if (path.endsWith('.1')) return linesOf(manualProse(source))
  return commentsOf(path, source).flatMap(({ line, text }) => [
    ...linesOf(commentProse(text), line).flatMap((one) =>
      startsParagraph(one) ? [empty(one), one] : [one],
    ),
    { line, text: '' },
  ])
}

function linesOf(text, first = 1) {
  return text.split('\n').map((one, at) => ({ line: first + at, text: one }))
}

/** Returns true for a tag of a docstring, and for a row such as `units     satoshis`. */
function startsParagraph({ text }) {
  return /^ *(?:@\w|\w[\w ]*? {2,}\w)/.test(text)
}

const empty = ({ line }) => ({ line, text: '' })
/** Keeps the lines, so that those that follow keep their numbers. */
const blanked = (text) => text.replace(/[^\n]/g, '')

/** Leaves out literal blocks and the macros of mdoc(7). */
function manualProse(source) {
  return source
    .replace(/^\.Bd -literal$[\s\S]*?^\.Ed$/gm, blanked)
    .replace(/^\..*$/gm, '')
    .replace(/\\-/g, '-')
    .replace(/\\\[.*?\]/g, '')
}

/** Leaves out examples and the types of JavaScript's docstrings. */
function commentProse(text) {
  return text
    .replace(/^ *@example[\s\S]*?(?=^ *@|(?![\s\S]))/gm, blanked)
    .replace(/(@\w+) \{[\s\S]*?\}+(?= \w)/g, (type, tag) => tag + blanked(type))
    .replace(/^ (?=\S)/gm, '')
}
