// The prose linter, which `npm run check` starts, finds what it is there to find.

import { describe, expect, test } from 'vitest'

import { proseFaults, proseOf, sentenceWordsMax, terms } from '../../../scripts/prose-rules.mjs'

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
const reasons = async (path: string, source: string) =>
  (await proseFaults(path, source)).map(({ line, reason }) => `${line}: ${reason}`)

describe('the length of a sentence', () => {
  test('may be the bound, and no more', async () => {
    expect(await reasons('a.md', `${words(sentenceWordsMax)}.\n`)).toEqual([])
    expect(await reasons('a.md', `One.\n\n${words(sentenceWordsMax + 1)}.\n`)).toEqual([
      expect.stringMatching(/^3: 31 words in a sentence, at most 30: "w0 w1/),
    ])
  })

  test('ends at a full stop, before a small letter or code too', async () => {
    const half = words(20)
    expect(await reasons('a.md', `${half}. komodod is ${half}. \`code\` is ${half}.\n`)).toEqual([])
  })

  test('counts no code, and leaves out tables and blocks of code', async () => {
    const long = words(40)
    const table = `| a |\n|---|\n| ${long} |\n`
    expect(
      await reasons('a.md', `It is \`${long}\`.\n\n${table}\n\`\`\`\n${long}\n\`\`\`\n`),
    ).toEqual([])
  })

  test('is counted in comments and in manual pages', async () => {
    const long = words(31)
    expect(await reasons('a.ts', `const a = 1\n/** ${long}. */\nconst b = 2\n`)).toEqual([
      expect.stringMatching(/^2: 31 words/),
    ])
    expect(await reasons('a.h', `int a;\n/// ${long}.\nint b;\n`)).toEqual([
      expect.stringMatching(/^2: 31 words/),
    ])
    expect(await reasons('a.1', `.Sh NAME\n${long}.\n.Bd -literal\n${long}\n.Ed\n`)).toEqual([
      expect.stringMatching(/^2: 31 words/),
    ])
  })
})

describe('words that have a better one', () => {
  const examples = [
    ...['a door', 'the desk', 'a daemon that lies', 'gifts', "the daemon's word", 'held for own'],
    ...[
      'is judged',
      'tellable',
      'misused',
      'for whom',
      'genuine',
      'which says so',
      'a key that is none',
    ],
    ...['what nobody can spend', 'to take up', "nobody's"],
  ]

  test.each(examples)('are found: %s', async (text) => {
    expect(await reasons('a.md', `The text has ${text} in it.\n`)).toHaveLength(1)
  })

  test('have an example for each rule', () => {
    expect(terms.filter(({ not }) => !examples.some((text) => not.test(text)))).toEqual([])
  })

  test('are found in tables and on the right line', async () => {
    expect(await reasons('a.md', '| a |\n|---|\n| genuine |\n')).toEqual([
      '3: "genuine": write proven to its creation',
    ])
    expect(await reasons('a.md', 'One line.\nTwo lines, a gift.\n')).toEqual([
      '2: "gift": write premine, faucet',
    ])
  })

  test('are left alone in code', async () => {
    expect(await reasons('a.md', 'Call `judge` now.\n\n```\nthe door\n```\n')).toEqual([])
    expect(await reasons('a.ts', "const door = 'a door'\n")).toEqual([])
  })
})

test('a word that is written twice is found', async () => {
  expect(await reasons('a.md', 'It is the the hex.\n')).toHaveLength(1)
})

test('comments are paragraphs without examples, and keep the numbers of their lines', () => {
  const source = ['/**', ' * Returns hex.', ' *', ' * @param a - bytes', ' * @example', ' * f(1)']
  const prose = proseOf('a.ts', [...source, ' */', 'f() // why', ''].join('\n'))
  expect(prose.filter(({ text }) => text !== '')).toEqual([
    { line: 2, text: 'Returns hex.' },
    { line: 4, text: '@param a - bytes' },
    { line: 8, text: 'why' },
  ])
})

test('comments that follow one another are sentences apart', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => `a${at}: 1, // unit ${at}`)
  expect(await reasons('a.ts', `const a = {\n${rows.join('\n')}\n}\n`)).toEqual([])
})
