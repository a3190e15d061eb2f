// Checkpoints of a run with `--resume`: reads, writes and checks them.

import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs'

import { isAntaraError } from '../../errors/antara-error.ts'
import { tryLock } from '../../journal/kernel-lock.ts'
import { replaceFile } from '../../node/replace-file.ts'
import { parseJson } from '../../primitives/json-fields.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { UsageError } from '../command.ts'
import { unreadable } from '../read.ts'
import type { LineJob, Tally } from './job.ts'

/** The progress of a run: everything before it is answered, and the answers are written. */
export interface Checkpoint {
  readonly job: LineJob
  /** Bytes of the input. */
  readonly bytes: number
  readonly tally: Tally
  /** SHA-256 of the answered bytes of the input, which identifies the input. */
  readonly head: { readonly bytes: number; readonly sha256: string }
  /** Size of the output, if it is a file. Answers after it are discarded and written again. */
  readonly outputBytes?: number
  /** SHA-256 of the last bytes of the output, which identifies it, if the file can be read. */
  readonly outputTail?: string
  /** Inode of the output file; identifies it if its tail is empty or unreadable. */
  readonly outputInode?: number
}

/** A user who could change the checkpoint would decide which lines are verified. */
const ownerOnly = 0o600
const tailBytesMax = 4096

/**
 * Hashes the answered part of the input. Without the hash, a line that changed after it was
 * answered would keep the answer to the old line.
 */
export class Head {
  readonly #hash = createHash('sha256')
  #bytes = 0

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.#bytes += bytes.length
  }

  now(): Checkpoint['head'] {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') }
  }
}

/**
 * Reads the checkpoint of an earlier run; returns `undefined` if there is none.
 *
 * @throws {UsageError} if it belongs to another job, or is no checkpoint
 */
export function readCheckpoint(path: string, job: LineJob): Checkpoint | undefined {
  if (!existsSync(path)) return undefined
  const checkpoint = parseCheckpoint(readCheckpointText(path))
  if (!isCheckpoint(checkpoint)) {
    throw new UsageError(
      `--resume ${redactKey(path)}: expected a file that antara-tx --resume wrote`,
    )
  }
  if (JSON.stringify(checkpoint.job) !== JSON.stringify(job)) {
    const { command } = checkpoint.job
    throw new UsageError(`--resume: the checkpoint belongs to another run of antara-tx ${command}`)
  }
  return checkpoint
}

/** Returns `null` for text that is not JSON: its error would name a case file. */
function parseCheckpoint(text: string): Partial<Checkpoint> | null {
  try {
    return parseJson(text) as Partial<Checkpoint> | null
  } catch (error) {
    if (isAntaraError(error, 'malformed_case')) return null
    throw error
  }
}

function readCheckpointText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function isCheckpoint(checkpoint: Partial<Checkpoint> | null): checkpoint is Checkpoint {
  // Earlier versions did not count failures.
  const { lines, findings, malformed, failed = 0 } = checkpoint?.tally ?? {}
  const counts = [checkpoint?.bytes, lines, findings, malformed, failed]
  return (
    counts.every((count) => Number.isSafeInteger(count) && count! >= 0) &&
    typeof checkpoint?.job?.command === 'string' &&
    Number.isSafeInteger(checkpoint.head?.bytes) &&
    typeof checkpoint.head?.sha256 === 'string' &&
    (checkpoint.outputBytes === undefined ||
      (Number.isSafeInteger(checkpoint.outputBytes) && checkpoint.outputBytes >= 0)) &&
    (checkpoint.outputTail === undefined || typeof checkpoint.outputTail === 'string') &&
    (checkpoint.outputInode === undefined || typeof checkpoint.outputInode === 'number')
  )
}

/**
 * Replaces the file atomically, so that a crash leaves the old or the new one.
 *
 * @throws {UsageError} if it cannot be written
 */
export function writeCheckpoint(path: string, checkpoint: Checkpoint): void {
  try {
    replaceFile(path, `${JSON.stringify(checkpoint)}\n`, ownerOnly)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException
  return new UsageError(`--resume: cannot write ${redactKey(path)}: ${code}`)
}

/**
 * Takes the lock of a checkpoint: two runs at once would mix their answers in one output, and a line
 * would have the answer to another one. The lock is on a file of its own, because the checkpoint is
 * replaced again and again. It ends with the process.
 *
 * @returns a function that releases the lock
 * @throws {UsageError} if another run has it
 */
export async function lockCheckpoint(path: string): Promise<() => void> {
  const beside = `${path}.lock`
  let file: number
  try {
    file = openSync(beside, lockFlags, ownerOnly)
  } catch (error) {
    throw unwritable(beside, error)
  }
  if (await takeLock(file)) return () => closeSync(file)
  closeSync(file)
  throw new UsageError(`--resume: another run is using ${redactKey(path)}; wait until it ends`)
}

const lockFlags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Takes the lock, if this system has locks. Returns `false` if another run has it. */
async function takeLock(file: number): Promise<boolean> {
  try {
    return await tryLock(file)
  } catch (error) {
    // The library for locks has no binary for this system.
    if (isAntaraError(error, 'journal_failed')) return true
    throw error
  }
}

const standardOutput = 1

/** Syncs standard output if it is a file, and returns its size and tail. */
export function outputNow(): Pick<Checkpoint, 'outputBytes' | 'outputTail' | 'outputInode'> {
  const stats = fstatSync(standardOutput)
  if (!stats.isFile()) return {}
  fsyncSync(standardOutput)
  const outputTail = tailOfOutput(stats.size)
  const tail = outputTail === undefined ? {} : { outputTail }
  return { outputBytes: stats.size, outputInode: stats.ino, ...tail }
}

/** Hashes the bytes before `end`; returns `undefined` if the shell's file cannot be read. */
function tailOfOutput(end: number): string | undefined {
  const tail = Buffer.alloc(Math.min(end, tailBytesMax))
  let file: number | undefined
  try {
    // Linux opens the file again by this name. Elsewhere the name does not exist, or is as
    // write-only as before.
    file = openSync('/proc/self/fd/1', 'r')
    if (readSync(file, tail, 0, tail.length, end - tail.length) < tail.length) return undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return createHash('sha256').update(tail).digest('hex')
}

/**
 * Discards the answers that were written after the checkpoint.
 *
 * @throws {UsageError} if the answers before the checkpoint are missing; nothing is discarded
 *   then
 */
export function rewindOutput({ outputBytes, outputTail, outputInode }: Checkpoint): void {
  const stats = fstatSync(standardOutput)
  if (outputBytes === undefined || !stats.isFile()) return
  if (stats.size < outputBytes) {
    throw new UsageError(
      `--resume: the output has ${stats.size} bytes, expected at least the ${outputBytes} of the earlier run; append to it with >>`,
    )
  }
  const tail = outputTail === undefined ? undefined : tailOfOutput(outputBytes)
  // An empty tail is that of any file. Nothing is lost where nothing is cut off.
  const isOther =
    tail === undefined || outputBytes === 0
      ? stats.size > outputBytes && stats.ino !== outputInode
      : tail !== outputTail
  if (isOther) {
    const isKnown = tail !== undefined || outputInode !== undefined
    throw new UsageError(
      isKnown
        ? '--resume: the output is not the file of the earlier run'
        : '--resume: cannot tell if the output is the file of the earlier run; begin again',
    )
  }
  if (stats.size > outputBytes) ftruncateSync(standardOutput, outputBytes)
}
