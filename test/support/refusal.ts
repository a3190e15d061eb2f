import { afterAll, beforeAll } from 'vitest'

import { isAntaraError } from '../../src/index.ts'

/** What data are refused with: the error's code, and where. */
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

/** Of a hundred thousand errors nobody reads the stack, and capturing it is most of the work. */
export function withoutStackTraces(): void {
  const { stackTraceLimit } = Error
  beforeAll(() => {
    Error.stackTraceLimit = 0
  })
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
}
