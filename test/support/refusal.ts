import { afterAll, beforeAll } from 'vitest'

import { isAntaraError } from '../../src/index.ts'

/** The code and the place of an error that refuses data. */
export interface DataError {
  readonly code: string
  readonly offset?: number
  readonly path?: string
}

/** The error that `call` refuses its data with. Throws anything else, and if nothing is refused. */
export function refusalOf(call: () => unknown): DataError {
  let result: unknown
  try {
    result = call()
  } catch (error) {
    if (!isAntaraError(error)) throw error
    const { offset, path } = error.context
    return {
      code: error.code,
      ...(offset !== undefined && { offset }),
      ...(path !== undefined && { path }),
    }
  }
  throw new Error(
    `not refused: ${typeof result === 'string' ? result.slice(0, 80) : typeof result}`,
  )
}

/** Turns off stack traces. Nobody reads those of 100,000 errors, and they take most of the work. */
export function withoutStackTraces(): void {
  const { stackTraceLimit } = Error
  beforeAll(() => {
    Error.stackTraceLimit = 0
  })
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
}
