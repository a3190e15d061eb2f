// The language of comments and names: a comment is a sentence, and a name uses the field's word.

import { describe, expect, test } from 'vitest'

import { commentsOf, identifiersOf, wordsOf } from '../../../scripts/source-words.mjs'
import { filesBelow, textOf } from '../../support/files.ts'
import { shareOf } from '../../support/share.ts'

const folders = ['src', 'native', 'test', 'bench', 'scripts', 'inspector', 'examples', 'site']
const sources = folders
  .flatMap(filesBelow)
  .filter((path) => /\.(?:[cm]?[jt]sx?|cpp|h|def)$/.test(path) && !/^test\/vectors\//.test(path))

test('there are sources to read', () => {
  expect(sources.length).toBeGreaterThan(1000)
})

const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')

/** A first word that begins half a sentence, such as "Of one address". */
const fragment =
  /^(?:Of|What|Whether|Whom|Whoever|Who|Nothing|Nobody|None|That|Those|Whose|Such)\b(?!.*\?)/i
/** Every comment that begins so, and other text: few files have any, and only those are parsed. */
const perhapsFragment = new RegExp(
  `(?:/[/*]|^\\s*\\*)[\\s/*!<]*${fragment.source.slice(1, fragment.source.indexOf('(?!'))}`,
  'im',
)
const isFragment = ({ text }: { text: string }) => fragment.test(text.trim())

describe('comments', () => {
  test('begin with a fragment nowhere', () => {
    const suspects = sources.filter((path) => perhapsFragment.test(textOf(path)))
    const found = suspects.flatMap((path) =>
      commentsOf(path, textOf(path))
        .filter(isFragment)
        .map(({ line }) => ({ room: roomOf(path), place: `${path}:${line}` })),
    )
    const rooms = [...new Set(found.map(({ room }) => room))].map((name) => {
      const places = found.filter(({ room }) => room === name).map(({ place }) => place)
      return `${name} ${places.length}: ${places.slice(0, 5).join(' ')}`
    })
    expect(rooms).toEqual([])
  })

  test.each([
    ['a.ts', '/** Whom it is for. */'],
    ['a.ts', '// of one address\n// or several'],
    ['a.tsx', 'const a = 1 // nothing else'],
    ['a.h', '/// What nobody can spend.'],
    ['a.cpp', 'int a;  // that of the key'],
  ])('that begin with a fragment are found: %s %s', (path, source) => {
    expect(commentsOf(path, source).filter(isFragment)).toHaveLength(1)
    expect(source).toMatch(perhapsFragment)
  })

  test.each([
    ['a.ts', '// Returns what is missing.\n// Nothing is thrown.'],
    ['a.ts', "const a = '// of one address'"],
    ['a.cpp', 'auto a = "// of one address";'],
  ])('that are sentences, and text that is no comment, are not: %s %s', (path, source) => {
    expect(commentsOf(path, source).filter(isFragment)).toEqual([])
  })
})

const words =
  'doors?|desks?|lie|lies|lying|gifts?|said|told|judg\\w+|tellable|misus\\w+|whom|genuine|recall\\w*'
const privateWord = new RegExp(`^(?:${words})$`)
/** Lowered as names change. */
const pending = new Set<string>([
  // Codes of findings are stable.
  'judged',
])
const capitalized = words.replace(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())
const inCapitals = words.replace(/(?<!\\)[a-z]/g, (letter) => letter.toUpperCase())
/** Most files have none of the words even in their text, and need not be parsed. */
const privateText = new RegExp(
  `(?:(?<![A-Za-z])(?:${words})|${capitalized})(?![a-z])|${inCapitals}`,
)
const privateWordsOf = (name: string) => wordsOf(name).filter((word) => privateWord.test(word))

describe('names', () => {
  test('of files, functions, types and variables have none of the private words', () => {
    const namesIn = (path: string) =>
      identifiersOf(path, textOf(path)).map(({ line, name }) => ({
        place: `${path}:${line}`,
        name,
      }))
    // A quick run parses a share of the files, because that takes longer than most tests.
    const suspects = shareOf(
      sources.filter((path) => privateText.test(textOf(path))),
      0,
      32,
    )
    const names = [
      ...sources.map((path) => ({ place: path, name: path })),
      ...suspects.flatMap(namesIn),
    ]
    const found = names.flatMap(({ place, name }) =>
      privateWordsOf(name)
        .filter((word) => !pending.has(word))
        .map((word) => `${place}: ${name}, for ${word}`),
    )
    expect(found).toEqual([])
  })

  test.each([
    ['a.ts', 'interface A { saidBy: string }', 'saidBy'],
    ['a.ts', 'function lieAbout() {}', 'lieAbout'],
    ['a.tsx', 'const a = <OpenDoor />', 'OpenDoor'],
    ['a.mjs', 'export class Desk {}', 'Desk'],
    ['a.h', 'bool is_genuine(int a);', 'is_genuine'],
    ['a.def', 'SEAM_CALL(judge_all, 1)', 'judge_all'],
  ])('with a private word are found: %s %s', (path, source, name) => {
    const found = identifiersOf(path, source).filter((one) => privateWordsOf(one.name).length > 0)
    expect(found.map((one) => one.name)).toEqual([name])
    expect(source).toMatch(privateText)
  })

  test('are not the words of comments and strings', () => {
    expect(identifiersOf('a.ts', "// judge\nconst a = 'judge'").map(({ name }) => name)).toEqual([
      'a',
    ])
    expect(wordsOf('indoorsBelieve_USBDoor-x')).toEqual(['indoors', 'believe', 'usb', 'door', 'x'])
  })
})

/** The tests of this file have titles that are faults. */
const isTest = (path: string) => path.endsWith('.test.ts') && !path.endsWith('/language.test.ts')
/** Titles of tests, without those of tables that are not written as one literal. */
const title = /\btest(?:\.each\([^()]*\))?\(\s*(['`])((?:\\.|(?!\1)[^\\])*)\1/g
/** The same after a table of several lines. */
const titleOfTable = /^ *\](?: as const)?\)\(\s*(['`])((?:\\.|(?!\1)[^\\])*)\1/gm
/** Titles of groups of tests. */
const titleOfGroup = /\bdescribe(?:\.each\([^()]*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const titlesOf = (source: string) =>
  [title, titleOfTable].flatMap((form) => [...source.matchAll(form)].map(([, , text]) => text!))
/** A title such as "never" states nothing, and one that begins with "what" is half a sentence. */
const vague =
  /^(?:never|late|or not|alone|twice)$|^(?:what|whatever|whom|whoever|nobody|nothing)\b|\bjudg/i

/** The end of a sentence that a describe block begins, unless a comma shows that it has its own. */
const isHalf = (text: string) =>
  /^(?:that|and|or|nor|but|which|whose|until|by|to)\b/.test(text) ||
  (/^(?:of|with|without|in|on|at|as|for|from|where|after|through|because)\b/.test(text) &&
    !text.includes(','))

describe('titles of tests', () => {
  test('state behaviour', () => {
    const found = sources.filter(isTest).flatMap((path) =>
      titlesOf(textOf(path))
        .filter((text) => vague.test(text) || isHalf(text))
        .map((text) => `${path}: ${text}`),
    )
    expect(found).toEqual([])
  })

  test('of groups name their subject', () => {
    const found = sources.filter(isTest).flatMap((path) =>
      [...textOf(path).matchAll(titleOfGroup)]
        .map(([, , text]) => text!)
        .filter((text) => /^(?:what|who|whom|nothing|nobody)\b/.test(text))
        .map((text) => `${path}: ${text}`),
    )
    expect(found).toEqual([])
    expect([..."describe('what is own', () => {".matchAll(titleOfGroup)]).toHaveLength(1)
  })

  test.each([
    ["test('never', () => {})", 'never'],
    ['test(`what a server says`, async () => {})', 'what a server says'],
    ["test.each(rows)('nothing is sent', () => {})", 'nothing is sent'],
    ["test('it is judged', () => {})", 'it is judged'],
  ])('that state nothing are found: %s', (source, text) => {
    expect(titlesOf(source)).toEqual([text])
    expect(vague.test(text)).toBe(true)
  })

  test.each([
    ["test('that is late is refused', () => {})", true],
    ["test.each(rows)('with %s', () => {})", true],
    ["test.each([\n  f(1),\n] as const)('of %i bytes', () => {})", true],
    ["test('without a journal, nothing is sent', () => {})", false],
    ["test('a reply that is late is refused', () => {})", false],
  ])('that only end a sentence are found: %s', (source, expected) => {
    expect(titlesOf(source).map(isHalf)).toEqual([expected])
  })
})
