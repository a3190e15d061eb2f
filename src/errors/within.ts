import { AntaraError } from './antara-error.ts'

/**
 * What `read` gives. Where it finds data wrong, the error says that they were at `path`.
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
