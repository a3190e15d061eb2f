import { AntaraError } from '../errors/antara-error.ts'
import { withoutKeys } from './redact-key.ts'

const briefLength = 200

/** Returns the error for a failure that no input should cause; it contains no private key. */
export function internalError(cause: unknown): AntaraError<'internal_error'> {
  return new AntaraError('internal_error', { actual: briefly(cause) }, { cause })
}

/**
 * Returns the first line of a thrown value, which may be anything, even an object that throws when
 * read.
 */
export function briefly(cause: unknown): string {
  try {
    const [line = ''] = String(cause).split('\n', 1)
    return withoutKeys(line).slice(0, briefLength)
  } catch {
    return 'a value that cannot be read'
  }
}
