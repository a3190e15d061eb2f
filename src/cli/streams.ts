// The standard streams. `process.stdout` loads some 30 modules of Node, about 5 ms, so a short text
// for a pipe or a file is written without it.

import { fstatSync, writeSync } from 'node:fs'

import { exitUnsettled } from './command.ts'
import { exitFault } from './fault.ts'

/**
 * Returns true if a descriptor is a terminal. Node's own `isatty` loads its sockets, so it is asked
 * only about character devices, such as terminals and `/dev/null`.
 */
export function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false
  } catch {
    // Windows cannot describe each of its handles.
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor)
}

let isWatched = false

/** Opens the streams of Node, and ends the program if the output cannot be written. */
export function watchStreams(): void {
  if (isWatched) return
  isWatched = true
  process.stdout.on('error', outputFailed)
  process.stderr.on('error', () => undefined)
}

let ofPayment: string | undefined

/** Keeps what the user has to know of a payment, such as its txid, if the output fails. */
export function rememberPayment(text: string): void {
  ofPayment = text
}

function outputFailed({ code }: NodeJS.ErrnoException): void {
  // The reader of the output may close it early.
  if (code === 'EPIPE') return
  process.stderr.write(`antara-tx: the output cannot be written: ${code}\n`)
  if (ofPayment === undefined) process.exit(exitFault)
  process.stderr.write(`antara-tx: a payment may have been sent: ${ofPayment.trimEnd()}\n`)
  process.exit(exitUnsettled)
}

/** Writes to standard output: at once to a pipe or a file, and by Node's stream elsewhere. */
export function printNow(text: string): void {
  let left: Buffer = Buffer.from(text)
  try {
    if (!isWatched) left = writeNow(1, left)
  } catch (error) {
    outputFailed(error as NodeJS.ErrnoException)
    return
  }
  if (left.length === 0) return
  watchStreams()
  process.stdout.write(left)
}

/**
 * Writes what a pipe, a socket or a file takes at once.
 *
 * @returns the rest: all for a terminal, and on Windows, where a console has its own encoding
 */
export function writeNow(descriptor: number, bytes: Buffer): Buffer {
  // Before `fstat`, which Wine refuses for an output.
  if (process.platform === 'win32') return bytes
  const kind = fstatSync(descriptor)
  if (!kind.isFIFO() && !kind.isSocket() && !kind.isFile()) return bytes
  let left = bytes
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left))
  } catch (error) {
    // The pipe is full, and another program made it non-blocking.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
  }
  return left
}
