// Malformed data as a value: readers throw an `AntaraError` for it. Only what they throw is looked
// at, because the program for one verdict loads errors when it needs them.

import { type AntaraError, isAntaraError } from './antara-error.ts'

/** Returns what `read` returns, or the error that it throws for malformed data. */
export function resultOf<Value>(read: () => Value): Value | AntaraError {
  try {
    return read()
  } catch (error) {
    return ofMalformed(error)
  }
}

/** Returns the error that `read` throws for malformed data. */
export function errorOf(read: () => unknown): AntaraError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return ofMalformed(error)
  }
}

/** Returns what `read` returns; `undefined` if it refuses its data as malformed. */
export function unlessMalformed<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    ofMalformed(error)
    return undefined
  }
}

function ofMalformed(error: unknown): AntaraError {
  if (isAntaraError(error)) return error
  throw error
}
