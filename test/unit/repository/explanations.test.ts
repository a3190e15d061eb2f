// No code without an explanation: errors, findings, and failures of servers.

import { expect, test } from 'vitest'

import { allExplained } from '../../../src/cli/explain/explanations.ts'
import { errorSummaries } from '../../../src/errors/codes.ts'
import { findingCodes } from '../../../src/request/finding-table.ts'

const all = allExplained()

test('every error and every finding has an explanation', () => {
  const codesOf = (kind: string) => all.flatMap((one) => (one.kind === kind ? [one.code] : []))
  expect(codesOf('error')).toEqual(Object.keys(errorSummaries))
  expect(codesOf('finding')).toEqual(findingCodes())
  expect(codesOf('failure of a server')).toContain('unauthorized')
})

test('each says why, when, and what to do, in sentences', () => {
  for (const { code, cause, example, remedy } of all) {
    for (const text of [cause, remedy]) expect(text, code).toMatch(/^\S.*[^ ]\.$/s)
    expect(example.length, code).toBeGreaterThan(3)
  }
})
