// Verification line by line, with evidence that is fetched from a server for each line.

import type { CaseCompleter, CompletedCase } from '../../chain-source/case-evidence.ts'
import { printableJson } from '../../primitives/printable.ts'
import type { Case } from '../../request/case.ts'
import { passes } from '../../request/report.ts'
import { verifyCase } from '../../verification/case.ts'
import { parseCase } from '../../verification/parse-case.ts'
import { reportLine } from '../../verification/report-json.ts'
import { answererOf } from './answerers.ts'
import { type AnsweredBlock, answerBlock, type Block, joinedBlocks, linesOfBlock } from './block.ts'
import type { LineJob, Tally } from './job.ts'
import type { Pool } from './pool.ts'

type VerifyJob = Extract<LineJob, { command: 'verify' }>

/** The number of lines whose evidence is fetched at once. It bounds the memory of the evidence. */
const linesAtOnce = 8

/**
 * Opens a pool that fetches the evidence of each line and verifies it in this thread, because the
 * server is slower than the verification. An error of the server ends the run.
 */
export async function openFetchingPool(job: VerifyJob, complete: CaseCompleter): Promise<Pool> {
  const answerMalformed = await answererOf(job)

  async function answerLine(line: Block): Promise<AnsweredBlock> {
    const given = caseOf(line)
    const completed = given === undefined ? undefined : await complete(given)
    return answerBlock(line, (text, tally) =>
      completed === undefined ? answerMalformed(text, tally) : verdictOf(completed, job, tally),
    )
  }

  async function answerLines(lines: readonly Block[]): Promise<AnsweredBlock[]> {
    const answered: AnsweredBlock[] = []
    let next = 0
    const answerSome = async (): Promise<void> => {
      for (let at = next++; at < lines.length; at = next++) {
        answered[at] = await answerLine(lines[at]!)
      }
    }
    const workers = Array.from({ length: Math.min(linesAtOnce, lines.length) }, answerSome)
    try {
      await Promise.all(workers)
    } finally {
      // After an error, the other workers fetch nothing more.
      next = lines.length
    }
    return answered
  }

  return {
    width: 1,
    keepsBlocks: true,
    answer: async (block) =>
      block.isOverlong
        ? answerBlock(block, answerMalformed)
        : joinedBlocks(await answerLines(linesOfBlock(block))),
    close: async () => undefined,
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the case of a line; returns `undefined` if it is malformed. */
function caseOf({ bytes }: Block): Case | undefined {
  try {
    return parseCase(utf8.decode(bytes))
  } catch {
    return undefined
  }
}

/** Returns the report, with the transactions that the server did not give as its last member. */
function verdictOf({ given, missing }: CompletedCase, job: VerifyJob, tally: Tally): string {
  const report = verifyCase(given)
  if (!passes(report, job)) tally.findings += 1
  const line = reportLine(report)
  if (missing.length === 0) return line
  return `${line.slice(0, -1)},"missing":${printableJson(JSON.stringify(missing))}}`
}
