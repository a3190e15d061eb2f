// Asks nothing at the limit, so a change of `<` into `<=` survives.

import { expect, test } from 'vitest'

import { isDust } from './dust.ts'

test('a small output is dust, and a large one is not', () => {
  expect(isDust(1)).toBe(true)
  expect(isDust(1000)).toBe(false)
})
