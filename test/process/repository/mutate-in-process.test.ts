// The mutants of a small source, run as `npm run mutate -- --in-process` runs them.

import { expect, test } from 'vitest'

import { mutateInProcess } from '../../../scripts/mutate-in-process.mjs'

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
