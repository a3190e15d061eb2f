import { AntaraError } from '../errors/antara-error.ts'
import { withoutKeys } from './redact-key.ts'

const briefLength = 200

/** The error that stands for a failure which no input should cause; it repeats no private key. */
export function internalError(cause: unknown): AntaraError<'internal_error'> {
  return new AntaraError('internal_error', { actual: briefly(cause) }, { cause })
}

/** The first line of what was thrown: a thrown value may be anything, even one that throws when read. */
export function briefly(cause: unknown): string {
  try {
    const [line = ''] = String(cause).split('\n', 1)
    return withoutKeys(line).slice(0, briefLength)
  } catch {
    return 'a value that cannot be read'
  }
}
