import { isAntaraError } from '../errors/antara-error.ts'

/** Returns what `read` returns; `undefined` if it refuses its data as malformed. */
export function unlessMalformed<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (isAntaraError(error)) return undefined
    throw error
  }
}
