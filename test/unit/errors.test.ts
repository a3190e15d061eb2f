// Errors tell what they are, to programs that have installed the library twice as well.

import { expect, test, vi } from 'vitest'

import { AntaraError, isAntaraError } from '../../src/index.ts'

test('an error of another copy of the library is one too', async () => {
  vi.resetModules()
  const copy: typeof import('../../src/index.ts') = await import('../../src/index.ts')
  expect(copy.AntaraError).not.toBe(AntaraError)
  let error: unknown
  try {
    copy.decodeTransaction('01')
  } catch (caught) {
    error = caught
  }
  expect(error).not.toBeInstanceOf(AntaraError)
  expect([isAntaraError(error), isAntaraError(error, 'truncated')]).toEqual([true, true])
  expect(isAntaraError(error, 'empty_input')).toBe(false)
  expect(Object.keys(error as object).sort()).toEqual(['code', 'context', 'name'])
})

test('what only looks like an error of the library is none', () => {
  const { code, context } = new AntaraError('truncated', { offset: 0 })
  for (const value of [undefined, null, 'truncated', { code, context }, new Error('truncated')]) {
    expect(isAntaraError(value)).toBe(false)
    expect(isAntaraError(value, 'truncated')).toBe(false)
  }
})
