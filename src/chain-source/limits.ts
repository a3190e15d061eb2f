// How much a caller takes from a chain source. A server can invent any number of transactions.

import { RpcError } from '../rpc/errors.ts'

/** Entries of one list, far above those of wallets with 50,000 coins. */
export const entriesMaxDefault = 1_000_000
/** Bytes of transactions. A wallet with 50,000 coins reads about 10 MB. */
export const bytesMaxDefault = 512_000_000

interface Amount {
  readonly found: number
  readonly most: number | undefined
}

/** @throws {RpcError} of kind `shape` for a list with more entries than the caller takes */
export function requireFewEntries(source: string, method: string, { found, most }: Amount): void {
  if (most === undefined || found <= most) return
  throw tooLarge(source, method, { found: `${found} entries`, most, option: 'entriesMax' })
}

/** @throws {RpcError} of kind `shape` for transactions of more bytes than the caller takes */
export function requireFewBytes(source: string, method: string, { found, most }: Amount): void {
  if (most === undefined || found <= most) return
  throw tooLarge(source, method, { found: `${found} bytes`, most, option: 'bytesMax' })
}

/** The options of the command line by those of the library. */
const optionNames = { entriesMax: '--entries-max', bytesMax: '--bytes-max' }

function tooLarge(
  source: string,
  method: string,
  { found, most, option }: { found: string; most: number; option: keyof typeof optionNames },
): RpcError {
  const message =
    `${source}: ${method} has ${found}, and the wallet reads at most ${most} (${option}). ` +
    `If your keys have so many payments, open the wallet with a larger ${option} (${optionNames[option]}). ` +
    'Otherwise the server or a stranger invents them: use another server'
  const details = { method, reason: 'reply_too_large' } as const
  return new RpcError('shape', message, {
    ...details,
    expected: `at most ${most}`,
    received: found,
  })
}
