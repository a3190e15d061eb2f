import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs'

import { AntaraError } from '../../errors/antara-error.ts'
import { replaceFile } from '../../node/replace-file.ts'
import { parseJson } from '../../primitives/json-fields.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import { UsageError } from '../command.ts'
import { unreadable } from '../read.ts'
import type { LineJob, Tally } from './job.ts'

/** How far a run has come: everything before is answered, and its answers are written. */
export interface Checkpoint {
  readonly job: LineJob
  /** Bytes of the input. */
  readonly bytes: number
  readonly tally: Tally
  /** SHA-256 of the first bytes of the input, by which another input is known. */
  readonly head: { readonly bytes: number; readonly sha256: string }
  /** The size of the output, where that is a file: what stands behind it is answered again. */
  readonly outputBytes?: number
  /** SHA-256 of the last bytes of that, by which another file is known, where it can be read. */
  readonly outputTail?: string
}

/** Another user who changes the checkpoint decides which lines are verified. */
const ownerOnly = 0o600
const headBytesMax = 4096
const tailBytesMax = 4096

/** Hashes the beginning of what passes. */
export class Head {
  readonly #parts: Uint8Array[] = []
  #bytes = 0

  add(chunk: Uint8Array): void {
    if (this.#bytes >= headBytesMax) return
    const part = chunk.subarray(0, headBytesMax - this.#bytes)
    // A copy: chunks are handed to threads.
    this.#parts.push(part.slice())
    this.#bytes += part.length
  }

  /** Returns the digest of the first `bytes`, or of as many as there are. */
  digest(bytes: number = headBytesMax): Checkpoint['head'] {
    const all = Buffer.concat(this.#parts).subarray(0, bytes)
    return { bytes: all.length, sha256: createHash('sha256').update(all).digest('hex') }
  }
}

/**
 * Reads what an earlier run left; nothing if there was none.
 *
 * @throws {UsageError} if it was another job
 * @throws {AntaraError} `malformed_case`
 */
export function readCheckpoint(path: string, job: LineJob): Checkpoint | undefined {
  if (!existsSync(path)) return undefined
  const checkpoint = parseJson(readCheckpointText(path)) as Partial<Checkpoint> | null
  if (!isCheckpoint(checkpoint)) {
    throw new AntaraError('malformed_case', {
      path: 'resume',
      expected: 'a file that antara-tx --resume wrote',
    })
  }
  if (JSON.stringify(checkpoint.job) !== JSON.stringify(job)) {
    const { command } = checkpoint.job
    throw new UsageError(`--resume: that file is of another run of antara-tx ${command}`)
  }
  return checkpoint
}

function readCheckpointText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function isCheckpoint(checkpoint: Partial<Checkpoint> | null): checkpoint is Checkpoint {
  // earlier versions counted no failures
  const { lines, findings, malformed, failed = 0 } = checkpoint?.tally ?? {}
  const counts = [checkpoint?.bytes, lines, findings, malformed, failed]
  return (
    counts.every((count) => Number.isSafeInteger(count) && count! >= 0) &&
    typeof checkpoint?.job?.command === 'string' &&
    Number.isSafeInteger(checkpoint.head?.bytes) &&
    typeof checkpoint.head?.sha256 === 'string' &&
    (checkpoint.outputBytes === undefined ||
      (Number.isSafeInteger(checkpoint.outputBytes) && checkpoint.outputBytes >= 0)) &&
    (checkpoint.outputTail === undefined || typeof checkpoint.outputTail === 'string')
  )
}

/**
 * Replaces the file in one step, so that whenever the machine stops one of the two is there.
 *
 * @throws {UsageError} if it cannot be written
 */
export function writeCheckpoint(path: string, checkpoint: Checkpoint): void {
  try {
    replaceFile(path, `${JSON.stringify(checkpoint)}\n`, ownerOnly)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`--resume: cannot write ${redactKey(path)}: ${code}`)
  }
}

const standardOutput = 1

/** Standard output, if it is a file; what is in it is then on the disk. */
export function outputNow(): Pick<Checkpoint, 'outputBytes' | 'outputTail'> {
  const stats = fstatSync(standardOutput)
  if (!stats.isFile()) return {}
  fsyncSync(standardOutput)
  const outputTail = tailOfOutput(stats.size)
  return { outputBytes: stats.size, ...(outputTail !== undefined && { outputTail }) }
}

/** A hash of what stands before `end`; nothing where what a shell opened for writing cannot be read. */
function tailOfOutput(end: number): string | undefined {
  const tail = Buffer.alloc(Math.min(end, tailBytesMax))
  let file: number | undefined
  try {
    // Linux opens the file anew by this name; elsewhere there is none, or it is as closed as before.
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
 * Takes back what was answered after the checkpoint was made.
 *
 * @throws {UsageError} if the answers before the checkpoint are not there; then nothing is taken back
 */
export function rewindOutput({ outputBytes, outputTail }: Checkpoint): void {
  const stats = fstatSync(standardOutput)
  if (outputBytes === undefined || !stats.isFile()) return
  if (stats.size < outputBytes) {
    throw new UsageError(
      `--resume: the output has ${stats.size} bytes, expected the ${outputBytes} that were written before; append to it with >>`,
    )
  }
  const tail = outputTail === undefined ? undefined : tailOfOutput(outputBytes)
  if (tail !== undefined && tail !== outputTail) {
    throw new UsageError('--resume: the output is another file than was written before')
  }
  if (stats.size > outputBytes) ftruncateSync(standardOutput, outputBytes)
}
