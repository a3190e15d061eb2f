// Reads the input of a command: an argument, a file or standard input.

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'

import { AntaraError } from '../errors/antara-error.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { type Terminal, UsageError } from './command.ts'

/** Largest text: more than the evidence for any transaction, and less than a string can hold. */
const textBytesMax = 1 << 28

/**
 * Reads text from an argument, the file that it names, or standard input for `-` or no argument.
 *
 * Hex is returned unchanged; any other argument names a file.
 */
export async function readSource(
  argument: string | undefined,
  terminal: Terminal,
): Promise<string> {
  if (argument === undefined && terminal.isInteractive) {
    throw new UsageError('expected hex or a file name')
  }
  if (argument === undefined || argument === '-') return (await terminal.readStdin()).trim()
  if (/^[0-9a-fA-F]+$/.test(argument)) return argument
  try {
    return (await readTextFile(argument)).trim()
  } catch (error) {
    // A file that is there, and cannot be read, is no mistyped hex.
    if (!(error instanceof UsageError) || existsSync(argument)) throw error
    throw mistypedHex(argument) ?? shortOf(argument, error)
  }
}

/** Returns the error for hex with a wrong digit; `undefined` if the text is rather a file name. */
function mistypedHex(text: string): AntaraError | undefined {
  if (/[./]/.test(text)) return undefined
  const digits = text.replace(/[^0-9a-f]/gi, '').length
  if (text.length < hexLengthMin || digits < (text.length * 3) / 4) return undefined
  const wrong = text.search(/[^0-9a-f]/i)
  return new AntaraError('malformed_hex', { offset: wrong >> 1, actual: text[wrong] })
}

/** Returns an error for a short text, which can be hex or a file name. */
function shortOf(text: string, error: UsageError): UsageError {
  if (!/^[0-9][0-9a-z]*$/i.test(text)) return error
  return new UsageError(
    `${error.message}; if it is hex, character ${text.search(/[^0-9a-f]/i) + 1} is wrong`,
  )
}

const hexLengthMin = 8

/** Reads JSON of a case or a request from a file, or from standard input for `-` or no argument. */
export async function readCaseText(path: string | undefined, terminal: Terminal): Promise<string> {
  if (path === undefined && terminal.isInteractive) throw new UsageError('expected a file name')
  return path === undefined || path === '-' ? terminal.readStdin() : readTextFile(path)
}

/** Reads a file of known size without Node's streams, because loading them takes longer. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = bytesOfFile(path)
  return bytes === undefined
    ? readText(createReadStream(path), path)
    : decodeText(bytes, redactKey(path))
}

/** Reads the text of a small file, such as one that an option names, at once. */
export function readTextNow(path: string): string {
  try {
    return decodeText(readFileSync(path), redactKey(path))
  } catch (error) {
    throw error instanceof AntaraError ? error : unreadable(path, error)
  }
}

/** Returns `undefined` if the size is unknown before the read, as for a pipe. */
function bytesOfFile(path: string): Buffer | undefined {
  try {
    const file = statSync(path)
    if (!file.isFile() || file.size === 0) return undefined
    requireReadable(file.size, redactKey(path))
    return readFileSync(path)
  } catch (error) {
    throw error instanceof AntaraError ? error : unreadable(path, error)
  }
}

function requireReadable(length: number, name: string): void {
  if (length <= textBytesMax) return
  throw new AntaraError('size_out_of_range', {
    path: name,
    expected: `at most ${textBytesMax} bytes`,
  })
}

/**
 * Reads the whole text of a file or of standard input. Pipes are read as they fill.
 *
 * @throws {UsageError} if it cannot be read
 * @throws {AntaraError} `size_out_of_range`, `text_mismatch`
 */
export async function readText(stream: AsyncIterable<Buffer>, path: string): Promise<string> {
  const name = redactKey(path)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream) {
      length += chunk.length
      requireReadable(length, name)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof AntaraError ? error : unreadable(path, error)
  }
  return decodeText(Buffer.concat(chunks), name)
}

export function unreadable(path: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  const name = redactKey(path)
  return new UsageError(
    code === 'ENOENT' ? `no such file: ${name}` : `cannot read ${name}: ${code}`,
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes UTF-8 and drops a byte order mark. Refuses other encodings, in which a name would turn
 * into another one.
 */
function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new AntaraError('text_mismatch', { path, expected: 'UTF-8' })
  }
}
