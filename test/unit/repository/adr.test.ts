// Decisions name the tests that hold them: each of these tests is there.

import { expect, test } from 'vitest'

import { filesBelow, textOf } from '../../support/files.ts'

const tests = filesBelow('test').filter((path) => path.endsWith('.test.ts'))
const records = filesBelow('docs/adr').filter((path) => path.endsWith('.md'))

/** The mentions `file`: "part of a title", "of another one". */
const mentions = records.flatMap((record) =>
  [...textOf(record).matchAll(/`([\w/.-]+)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, file, titles]) =>
    [...titles!.matchAll(/"([^"]+)"/g)].map(([, title]) => ({
      record,
      file: file!,
      title: title!,
    })),
  ),
)

test('there are mentions in the records of threats', () => {
  expect(mentions.length).toBeGreaterThan(40)
})

test('each row of the findings has its number, the finding and its tests', () => {
  const rows = textOf('docs/adr/0030-review-findings.md')
    .split('\n')
    .filter((line) => /^\| *\d/.test(line))
  expect(rows.length).toBeGreaterThan(400)
  expect(rows.filter((row) => !/^\| \d+ \| .+ \| .+ \|$/.test(row))).toEqual([])
})

const guardList = 'docs/adr/0038-guard-with-an-empty-journal.md'

test('every question about the guard has a row', () => {
  const numbers = [...textOf(guardList).matchAll(/^\| (\d+): .+ \| .+ \|$/gm)].map(([, it]) => +it!)
  expect(numbers).toEqual([...Array.from({ length: 49 }, (_, at) => 61 + at), 121])
})

test.each(['docs/adr/0021-guard.md', 'docs/adr/0025-guard-policy.md', guardList])(
  'each title in a row of %s has its file',
  (record) => {
    const named = new Set(mentions.filter((it) => it.record === record).map(({ title }) => title))
    const rows = textOf(record)
      .split('\n')
      .filter((line) => line.startsWith('| '))
    const answers = rows.map((row) => row.split(' | ').slice(1).join(' | '))
    const quoted = answers.flatMap((text) => [...text.matchAll(/"([^"]+)"/g)].map(([, it]) => it!))
    expect(named.size).toBeGreaterThan(40)
    expect(quoted.filter((title) => !named.has(title))).toEqual([])
  },
)

const pathsOfTests = tests.map((path) => ({
  path,
  parts: path.replace(/\.test\.ts$/, '').split('/'),
}))

test.each(mentions)('$record: $file has "$title"', ({ file, title }) => {
  const name = file.replace(/\.test$/, '')
  const pieces = name.split('/')
  const found = pathsOfTests
    .filter(
      ({ parts }) =>
        parts.at(-1) === pieces.at(-1) && pieces.every((piece) => parts.includes(piece)),
    )
    .map(({ path }) => path)
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const titled = new RegExp(`['"\`][^\n]*${escaped}`)
  expect(found.filter((path) => titled.test(textOf(path)))).not.toEqual([])
})
