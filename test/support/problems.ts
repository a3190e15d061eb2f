// Reads the problems of a request, so that tests can compare them.

import { expect } from 'vitest'

import type { Problem } from '../../src/request/problem.ts'

/** The code and the member of each problem. */
export const codes = (problems: readonly Problem[]): string[] =>
  problems.map(({ code, path }) => `${code} ${path}`)

/** The errors of a builder for problems: the text of each, or the values that it names. */
export const errorsIn = (problems: readonly Problem[]): unknown[] =>
  problems.map(({ inError }) => (inError instanceof Error ? inError.message : inError))

/** Matches an `AntaraError` with a code, whose context has these members at least. */
export function error(members: object): unknown {
  const { code = expect.any(String), ...context } = members as { readonly code?: string }
  return expect.objectContaining({ code, context: expect.objectContaining(context) })
}
