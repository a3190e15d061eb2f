import { open } from 'node:fs/promises'

import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { canAsk, type Option, type Terminal, UsageError } from './command.ts'
import { readText, unreadable } from './read.ts'

export const keyFileOption: Option = {
  name: 'key-file',
  value: 'FILE',
  about:
    'file with the private key, in wallet import format or hex, that only you\n' +
    'can read. Default: the environment variable ANTARA_TX_KEY, or a prompt.\n' +
    'Never the command line, which others could read.',
}

/** A private key and the name of its source for errors. */
export interface GivenKey {
  readonly text: string
  readonly source: string
}

/** Reads a private key from a file, the environment or a prompt, never from an argument. */
export async function givenKey(file: string | undefined, terminal: Terminal): Promise<GivenKey> {
  if (file !== undefined) {
    return { text: await readSecretFile(file, '--key-file'), source: '--key-file' }
  }
  const fromEnvironment = process.env.ANTARA_TX_KEY
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return { text: fromEnvironment.trim(), source: 'ANTARA_TX_KEY' }
  }
  if (!canAsk(terminal)) {
    throw new UsageError('no private key: give --key-file or set ANTARA_TX_KEY')
  }
  return { text: (await terminal.ask('private key: ', true)).trim(), source: 'private key' }
}

/** Runs work with a key; its errors name the source of the key. */
export function namingKey<T>(source: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isAntaraError(error, 'malformed_private_key')) throw error
    throw new AntaraError('malformed_private_key', { ...error.context, path: source })
  }
}

/**
 * Reads a file that only its owner can read.
 *
 * @param source - the option that named the file, for the error
 * @throws {UsageError} if other users can read the file
 */
export async function readSecretFile(path: string, source: string): Promise<string> {
  const file = await open(path).catch((error) => {
    throw unreadable(path, error)
  })
  try {
    const stat = await file.stat()
    // Windows has no such bits, and a pipe can be read only once.
    const othersMay = process.platform === 'win32' || !stat.isFile() ? 0 : stat.mode & 0o077
    if (othersMay !== 0) {
      const mode = (stat.mode & 0o777).toString(8)
      const name = redactKey(path)
      throw new UsageError(
        `${source}: others can read or write ${name} (mode ${mode}); run chmod 600 ${name}`,
      )
    }
    return (await readText(file.createReadStream({ autoClose: false }), path)).trim()
  } finally {
    await file.close()
  }
}
