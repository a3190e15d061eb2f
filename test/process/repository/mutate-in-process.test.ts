// The mutants of a small source, run as `npm run mutate -- --in-process` runs them.

import { expect, test } from 'vitest'

import { mutateInProcess, sampleOf } from '../../../scripts/mutate-in-process.mjs'

const source = 'test/mutation/sample/dust.ts'

test('counts a change that a test notices as killed, and one that none notices as survived', async () => {
  const results = await mutateInProcess({
    places: [source],
    tests: ['test/mutation/sample/dust.test.ts'],
    testMs: 10_000,
    say: () => undefined,
  })
  const statusOf = Object.fromEntries(results.map(({ mutant, status }) => [mutant, status]))
  expect(statusOf).toEqual({
    'export function isDust(value: number): boolean {}': 'killed',
    'return true': 'killed',
    'return false': 'killed',
    'return value >= 100': 'killed',
    'return value <= 100': 'survived',
  })
})

test('a sample has every third change of each file', () => {
  const changes = ['a', 'a', 'b', 'a', 'b', 'a'].map((fileName, at) => ({ fileName, at }))
  expect(sampleOf(changes, 3).map(({ at }) => at)).toEqual([0, 2, 5])
  expect(sampleOf(changes, 1)).toEqual(changes)
  const ignored = changes.map((it) => ({ ...it, status: 'Ignored' }))
  expect(sampleOf(ignored, 3)).toEqual(ignored)
})
