// Checked by `tsc -p test`: each marked line must be refused by the compiler, each other accepted.
// This file never runs.
import { expectTypeOf } from 'vitest'

import { AntaraError, type ErrorCode, isAntaraError } from '../../src/index.ts'

declare const error: unknown
declare const code: ErrorCode

export function contextIsNarrowed(): void {
  if (isAntaraError(error, 'truncated')) {
    expectTypeOf(error.code).toEqualTypeOf<'truncated'>()
    expectTypeOf(error.context.offset).toEqualTypeOf<number>()
    expectTypeOf(error.context.path).toEqualTypeOf<string | undefined>()
  }
  if (isAntaraError(error, 'malformed_case')) {
    expectTypeOf(error.context.path).toEqualTypeOf<string>()
  }
  if (isAntaraError(error)) {
    expectTypeOf(error.code).toEqualTypeOf<ErrorCode>()
    expectTypeOf(error.context.offset).toEqualTypeOf<number | undefined>()
  }
}

export function aPlaceIsNotForgotten(): void {
  new AntaraError('truncated', { offset: 0 })
  // @ts-expect-error without the byte
  new AntaraError('truncated')
  // @ts-expect-error without the byte
  new AntaraError('truncated', { path: 'inputs[0]' })
  // @ts-expect-error without the member
  new AntaraError('malformed_case', { offset: 0 })
  new AntaraError('burn_key')
  new AntaraError(code)
}
