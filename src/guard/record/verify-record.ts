import { Chain, type Fault, linesOf } from './chain.ts'
import { type Head, lineBytesMax } from './line.ts'

/** One file of a record, the oldest first. */
interface Segment {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

interface RecordReport {
  readonly ok: boolean
  /** The file, and the number of the line in it from 1, at which the chain ends. */
  readonly fault?: Fault & { readonly name: string; readonly line: number }
  readonly head: Head
  /** How many lines follow each other. */
  readonly lines: number
  /** Number of the first line: above 1, earlier files were not given. */
  readonly first: number
  /** Bytes of a last line that was not finished. */
  readonly torn: number
}

/**
 * Follows the chain of a record through its files.
 *
 * @param anchor - the head that the record must have or lead to. Without it, lines that were cut off
 *   at the end are not noticed.
 */
export async function verifyRecord(
  segments: readonly Segment[],
  anchor?: Head,
): Promise<RecordReport> {
  const chain = new Chain(undefined, anchor)
  let name = ''
  let linesOfFile = 0
  let lines = 0
  let torn = 0
  const report = () => ({ head: chain.head, lines, first: chain.first?.number ?? 1, torn })
  const broken = (fault: string, line: number): RecordReport => ({
    ok: false,
    fault: { name, line, fault },
    ...report(),
  })
  for (const segment of segments) {
    if (torn > 0) return broken('the last line is unfinished', linesOfFile + 1)
    name = segment.name
    linesOfFile = 0
    let rest: Uint8Array = new Uint8Array()
    for await (const chunk of segment.bytes) {
      const cut = linesOf(Buffer.concat([rest, chunk]))
      for (const line of cut.lines) {
        const facts = isTooLong(line) ? tooLong : chain.push(line)
        if ('fault' in facts) return broken(facts.fault, linesOfFile + 1)
        linesOfFile += 1
        lines += 1
      }
      rest = cut.rest
      if (isTooLong(rest)) return broken(tooLong.fault, linesOfFile + 1)
    }
    torn = rest.length
  }
  const missing = chain.end()
  return missing === undefined ? { ok: true, ...report() } : broken(missing.fault, linesOfFile)
}

const tooLong: Fault = { fault: `a line of over ${lineBytesMax} bytes` }

function isTooLong(line: Uint8Array): boolean {
  return line.length > lineBytesMax
}
