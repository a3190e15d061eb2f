import { AntaraError } from './antara-error.ts'

/**
 * Returns the result of `read`. An AntaraError that it throws gets `path`.
 *
 * @throws {AntaraError} as `read`, with this path
 */
export function within<Value>(path: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    throw new AntaraError(error.code, { ...error.context, path }, { cause: error })
  }
}
