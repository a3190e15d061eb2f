// The reference, which is made of docstrings, has the shapes and an example of every public
// function.

import { expect, test } from 'vitest'

import { filesBelow, textOf } from '../../support/files.ts'

const notFunctions = new Set(['index', 'types'])
const pages = filesBelow('docs/reference').map((path) => {
  const text = textOf(path)
  const [, code = ''] = /^```ts\nimport .*\n\n([\s\S]*?)^```/m.exec(text) ?? []
  return { name: path.replace(/^.*\/|\.md$/g, ''), text, code }
})
const functions = pages.filter(
  ({ name, code }) => !notFunctions.has(name) && /^function /.test(code),
)
/** A function that only narrows a type: its name and its type say what it takes and gives. */
const isPredicate = (code: string) => /\): \w+ is /.test(code)
const named = functions.filter(({ code }) => !isPredicate(code))

/** Returns the names of the pages that lack a part. */
const without = (part: (page: (typeof pages)[number]) => boolean, some = functions) =>
  some.filter((page) => !part(page)).map(({ name }) => name)

test('there are functions', () => expect(functions.length).toBeGreaterThan(120))

test('every public function has an example', () => {
  expect(without(({ text }) => text.includes('\n## Example\n'))).toEqual([])
})

test('every public function describes its parameters', () => {
  const takesNone = (code: string) => /^function \w+\(\)/.test(code)
  expect(
    without(({ text, code }) => takesNone(code) || text.includes('\n**Parameters**\n'), named),
  ).toEqual([])
})

test('every public function describes its result', () => {
  const isDescribed = (text: string) => /^\*\*Returns\*\* /m.test(text) || /^Returns /m.test(text)
  // The first sentence names what these create.
  const creates = new Set(['memoryJournal'])
  expect(without(({ name, text }) => creates.has(name) || isDescribed(text), named)).toEqual([])
})
