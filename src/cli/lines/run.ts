// Runs a command with `--lines`: reads blocks, has them answered, and writes the answers in order.

import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs'

import {
  exitAgrees,
  exitFault,
  exitFindings,
  exitMalformed,
  exitUnread,
  type ParsedArguments,
  type Streams,
  type Terminal,
  UsageError,
} from '../command.ts'
import { unreadable } from '../read.ts'
import type { AnsweredBlock } from './block.ts'
import { indentedHint, isIndented } from './indented.ts'
import { addTally, emptyTally, type LineJob, type Tally } from './job.ts'
import { jobsMax } from './options.ts'
import { openPool, type Pool } from './pool.ts'
import { type Progress, progressLine, summaryLine } from './progress.ts'
import { readBlocks } from './read-blocks.ts'
import {
  type Checkpoint,
  Head,
  lockCheckpoint,
  outputNow,
  readCheckpoint,
  rewindOutput,
  writeCheckpoint,
} from './resume.ts'

const saveEveryMs = 1000
const showEveryMs = 200

/** Answers a file or standard input line by line, and returns the exit status of all of them. */
export async function runLines(
  job: LineJob,
  path: string | undefined,
  parsed: ParsedArguments,
  terminal: Terminal,
  open: typeof openPool = openPool,
): Promise<number> {
  const jobs = jobsOf(parsed)
  const isStdin = path === undefined || path === '-'
  if (path === undefined && terminal.isInteractive) throw new UsageError('expected a file name')
  const resume = parsed.options.get('resume')
  // Refuses another file before it makes a lock beside it.
  if (resume !== undefined) readCheckpoint(resume, job)
  const unlock = resume === undefined ? () => undefined : await lockCheckpoint(resume)
  const checkpoint = resume === undefined ? undefined : readCheckpoint(resume, job)
  const run = new Run({ job, checkpoint, resume, streams: streamsOf(terminal), terminal })
  run.bytesTotal = sizeOf(isStdin ? undefined : path)
  // With --resume, a line that ends its thread is answered and skipped, even with one job.
  const pool = await open(job, jobs, { isIsolated: resume !== undefined })
  try {
    await run.answerAll(isStdin ? run.streams.stdin() : readFile(path), pool)
  } finally {
    await pool.close()
    unlock()
  }
  // The lines that nobody was told of may be the ones that do not agree.
  if (run.isClosed) return exitUnread
  const { lines, malformed } = run.tally
  if (run.isIndented && malformed === lines) terminal.printError(indentedHint)
  return statusOf(run.tally)
}

function jobsOf({ options }: ParsedArguments): number {
  const text = options.get('jobs') ?? '1'
  const jobs = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0
  if (jobs >= 1 && jobs <= jobsMax) return jobs
  throw new UsageError(`--jobs: expected a number from 1 to ${jobsMax}`)
}

/**
 * Returns the exit status. A failure of antara-tx outranks a malformed line, which outranks a
 * finding.
 */
function statusOf({ findings, malformed, failed }: Tally): number {
  if (failed > 0) return exitFault
  if (malformed > 0) return exitMalformed
  return findings > 0 ? exitFindings : exitAgrees
}

/**
 * Returns streams for terminals that only print, as in tests and in programs that embed commands.
 */
function streamsOf({ streams, readStdin, print }: Terminal): Streams {
  return (
    streams ?? {
      stdin: async function* () {
        yield Buffer.from(await readStdin())
      },
      write: async (bytes) => {
        print(Buffer.from(bytes).toString())
        return true
      },
      isErrorTerminal: false,
    }
  )
}

const chunkBytes = 1 << 18

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    if (statSync(path).isFile()) yield* readRegularFile(path)
    else yield* createReadStream(path, { highWaterMark: chunkBytes })
  } catch (error) {
    throw unreadable(path, error)
  }
}

/**
 * Reads in this thread, and into the same memory again and again. A stream allocates memory for
 * each chunk and passes it between threads, which costs more than the txids in it.
 */
function* readRegularFile(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    const chunk = new Uint8Array(chunkBytes)
    for (;;) {
      const bytes = readSync(file, chunk)
      if (bytes === 0) return
      yield chunk.subarray(0, bytes)
    }
  } finally {
    closeSync(file)
  }
}

/** Returns `undefined` for a pipe. */
function sizeOf(path: string | undefined): number | undefined {
  try {
    const stats = path === undefined ? fstatSync(0) : statSync(path)
    return stats.isFile() ? stats.size : undefined
  } catch {
    return undefined
  }
}

interface RunRequest {
  readonly job: LineJob
  readonly checkpoint: Checkpoint | undefined
  /** Path of the checkpoint. */
  readonly resume: string | undefined
  readonly streams: Streams
  readonly terminal: Terminal
}

/** One run over one input. */
class Run {
  readonly streams: Streams
  readonly tally: Tally
  bytesTotal: number | undefined
  /** True if the first line of the input is only the opening brace of a JSON object. */
  isIndented = false
  /** True if the reader of the answers closed the output before it had all of them. */
  isClosed = false
  readonly #request: RunRequest
  readonly #startedAt = performance.now()
  readonly #linesBefore: number
  readonly #head = new Head()
  /** Length and hash of the input up to the last line whose answer is written. */
  #answered: Checkpoint['head']
  #bytes: number
  #savedAt = 0
  #shownAt = 0

  constructor(request: RunRequest) {
    const { checkpoint, streams } = request
    this.#request = request
    this.streams = streams
    this.tally = { ...emptyTally(), ...checkpoint?.tally }
    this.#linesBefore = this.tally.lines
    this.#bytes = checkpoint?.bytes ?? 0
    this.#answered = this.#head.now()
  }

  async answerAll(source: AsyncIterable<Uint8Array>, pool: Pool): Promise<void> {
    // From here on there is a checkpoint, even if the process ends at once.
    if (this.#request.checkpoint === undefined) this.#save()
    let inFlight = 0
    let writing: Promise<void> = Promise.resolve()
    let freed: () => void = () => undefined
    const input = this.#unanswered(source)
    const isIdle = () => inFlight < pool.width
    // Only a checkpoint needs the hash, which takes time.
    const isHashed = this.#request.resume !== undefined
    const onBytes = (bytes: Uint8Array) => {
      if (isHashed) this.#head.add(bytes)
    }
    const cut = { isCopied: pool.keepsBlocks, onBytes }
    for await (const block of readBlocks(input, isIdle, cut)) {
      const head = this.#head.now()
      inFlight += 1
      const answered = Promise.resolve(pool.answer(block))
      answered.catch(() => undefined)
      const write = async (before: Promise<void>): Promise<void> => {
        await before
        await this.#write(await answered, block.inputBytes, head)
        inFlight -= 1
        freed()
      }
      writing = write(writing)
      // Its error reaches the caller that awaits it; this handler only prevents an unhandled
      // rejection.
      writing.catch(() => freed())
      while (inFlight >= pool.width && !this.isClosed) {
        await Promise.race([writing, new Promise<void>((resolve) => (freed = resolve))])
      }
      if (this.isClosed) break
    }
    await writing
    this.#save()
    this.#show((progress) => `${summaryLine(progress)}\n`)
  }

  /** Yields the input after the checkpoint, and checks that it is the same input. */
  async *#unanswered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { checkpoint } = this.#request
    let toSkip = checkpoint?.bytes ?? 0
    let isChecked = checkpoint === undefined
    let last: number | undefined
    let isFirst = true
    for await (const chunk of source) {
      if (isFirst) this.isIndented = isIndented(chunk)
      isFirst = false
      const skipped = Math.min(toSkip, chunk.length)
      if (skipped > 0) this.#head.add(chunk.subarray(0, skipped))
      toSkip -= skipped
      if (skipped > 0) last = chunk[skipped - 1]
      if (toSkip > 0) continue
      if (!isChecked && skipped < chunk.length) {
        this.#continueFrom(checkpoint!, last)
        isChecked = true
      }
      if (skipped < chunk.length) yield chunk.subarray(skipped)
    }
    if (toSkip > 0) throw otherInput()
    if (!isChecked) this.#continueFrom(checkpoint!, undefined)
  }

  /** Truncates the output only after the input is known to be the same. */
  #continueFrom(checkpoint: Checkpoint, last: number | undefined): void {
    const { head, bytes } = checkpoint
    this.#answered = this.#head.now()
    const isSame = this.#answered.sha256 === head.sha256
    // Text appended to an unterminated last line is not a line of its own.
    const isAtLine = bytes === 0 || last === undefined || last === 0x0a
    if (!isSame) throw otherInput()
    if (!isAtLine) throw longerLine()
    rewindOutput(checkpoint)
  }

  async #write(
    { output, tally }: AnsweredBlock,
    inputBytes: number,
    head: Checkpoint['head'],
  ): Promise<void> {
    if (this.isClosed) return
    if (!(await this.streams.write(output))) {
      this.isClosed = true
      return
    }
    addTally(this.tally, tally)
    this.#bytes += inputBytes
    this.#answered = head
    const now = performance.now()
    if (now - this.#savedAt >= saveEveryMs) {
      this.#savedAt = now
      this.#save()
    }
    if (now - this.#shownAt >= showEveryMs) {
      this.#shownAt = now
      this.#show(progressLine)
    }
  }

  #save(): void {
    const { resume, job } = this.#request
    if (resume === undefined) return
    const output = outputNow()
    writeCheckpoint(resume, {
      job,
      bytes: this.#bytes,
      tally: this.tally,
      head: this.#answered,
      ...output,
    })
  }

  #progress(): Progress {
    return {
      tally: this.tally,
      linesNow: this.tally.lines - this.#linesBefore,
      bytesNow: this.#bytes - (this.#request.checkpoint?.bytes ?? 0),
      bytes: this.#bytes,
      ...(this.bytesTotal !== undefined && { bytesTotal: this.bytesTotal }),
      seconds: (performance.now() - this.#startedAt) / 1000,
    }
  }

  /**
   * Overwrites the progress line. The text is made only for a terminal, because formatting numbers
   * is slow.
   */
  #show(lineOf: (progress: Progress) => string): void {
    if (!this.streams.isErrorTerminal) return
    this.#request.terminal.printError(`\r\u001b[K${lineOf(this.#progress())}`)
  }
}

/** A producer was still writing the line. Its answer is one to the part that was there. */
function longerLine(): UsageError {
  return new UsageError(
    '--resume: the last answered line had no line end, and has become longer since: its answer is about a part of it. Begin again with another FILE for --resume and for the output',
  )
}

function otherInput(): UsageError {
  return new UsageError(
    '--resume: the checkpoint belongs to another input, or an early version wrote it; begin again with another FILE for --resume and for the output',
  )
}
