import { Chain, type ChainFault } from './chain.ts'
import { emptyHead, type Head, lineBytesMax } from './line.ts'

/** One file of a record, the oldest first. */
interface Segment {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

interface RecordReport {
  readonly ok: boolean
  /** The file and the line at which the chain ends. */
  readonly fault?: ChainFault & { readonly name: string }
  readonly head: Head
  /** Lines that follow each other. */
  readonly lines: number
  /** Number of the first line: above 1, earlier files were not given. */
  readonly first: number
  /** Bytes of a last line that was not finished. */
  readonly torn: number
}

/**
 * Follows the chain of a record through its files.
 *
 * @param anchor - the head that was noted when the record was last known to be whole
 */
export async function verifyRecord(
  segments: readonly Segment[],
  anchor?: Head,
): Promise<RecordReport> {
  let before: Head | undefined
  let first = 1
  let lines = 0
  let torn = 0
  let isFirst = true
  let isAnchorSeen = false
  for (const [index, { name, bytes }] of segments.entries()) {
    const isLast = index === segments.length - 1
    const chain = new Chain(before, anchor)
    const report = (fault: ChainFault): RecordReport => {
      return { ok: false, fault: { ...fault, name }, head: chain.head, lines, first, torn }
    }
    let rest = Buffer.alloc(0)
    for await (const chunk of bytes) {
      const all = Buffer.concat([rest, chunk])
      let start = 0
      for (let end = all.indexOf(0x0a); end >= 0; end = all.indexOf(0x0a, start)) {
        // Latin-1 would hide a change of bytes that are not UTF-8.
        const line = new TextDecoder('utf-8', { ignoreBOM: true }).decode(all.subarray(start, end))
        const facts = chain.push(line)
        if ('fault' in facts) return report(facts)
        if (isFirst) first = facts.number
        isFirst = false
        lines += 1
        start = end + 1
      }
      rest = all.subarray(start)
      if (rest.length > lineBytesMax) {
        return report({ line: lines + 1, fault: `a line of over ${lineBytesMax} bytes` })
      }
    }
    torn = rest.length
    if (torn > 0 && !isLast)
      return report({ line: lines + 1, fault: 'the last line is unfinished' })
    isAnchorSeen ||= chain.isAnchorSeen
    const missing = isLast && !isAnchorSeen ? chain.end() : undefined
    if (missing !== undefined) return report(missing)
    before = chain.head
  }
  return { ok: true, head: before ?? emptyHead, lines, first, torn }
}
