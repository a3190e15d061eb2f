// Malformed data as a value: readers throw an `AntaraError` for it.

import { type AntaraError, isAntaraError } from './antara-error.ts'

/** Returns what `read` returns, or the error that it throws for malformed data. */
export function resultOf<Value>(read: () => Value): Value | AntaraError {
  try {
    return read()
  } catch (error) {
    if (isAntaraError(error)) return error
    throw error
  }
}

/** Returns the error that `read` throws for malformed data. */
export function errorOf(read: () => unknown): AntaraError | undefined {
  const result = resultOf(read)
  return isAntaraError(result) ? result : undefined
}

/** Returns what `read` returns; `undefined` if it refuses its data as malformed. */
export function unlessMalformed<Value>(read: () => Value): Value | undefined {
  const result = resultOf(read)
  return isAntaraError(result) ? undefined : result
}
