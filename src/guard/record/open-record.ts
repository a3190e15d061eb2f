import { dirname } from 'node:path'
import { AntaraError } from '../../errors/antara-error.ts'
import type { Disk, OpenFile } from '../../journal/disk.ts'
import { openLocked } from '../../journal/open-file.ts'
import { anchorPath, readAnchor, writeAnchor } from './anchor.ts'
import { Chain, linesOf } from './chain.ts'
import { earlierLines, paymentsOf, type RecordedPayment } from './left-payments.ts'
import { emptyHead, type Head, type LineFacts } from './line.ts'

/** The path of a file that becomes the next segment. */
export function nextPath(path: string): string {
  return `${path}.next`
}

/** The files of a record, both locked, at the end of the chain. */
export interface Opened {
  readonly file: OpenFile
  readonly anchor: OpenFile
  readonly head: Head
  readonly first: number
  readonly end: number
  readonly torn: number
  readonly handedOver: readonly RecordedPayment[]
}

/**
 * @param now - the time of day
 * @throws {AntaraError} as `FileRecord.open`
 */
export async function openFiles(path: string, disk: Disk, now: number): Promise<Opened> {
  const next = nextPath(path)
  // A power failure between the two renames of a rotation.
  if ((await disk.facts(path)) === undefined && (await disk.facts(next)) !== undefined) {
    await disk.rename(next, path)
  }
  const file = await openLocked({ disk, path, waitMs: 0 })
  try {
    const anchor = await openLocked({ disk, path: anchorPath(path), waitMs: 0 })
    try {
      const { lines, ...end } = await continued(path, file, anchor)
      const handedOver = paymentsOf([...(await earlierLines(path, disk, lines[0], now)), ...lines])
      const opened = { file, anchor, ...end, handedOver }
      await disk.syncDirectory(dirname(path))
      return opened
    } catch (error) {
      await anchor.close().catch(() => undefined)
      throw error
    }
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

/** Follows the chain to its end, and cuts off a line that a power failure left unfinished. */
async function continued(path: string, file: OpenFile, anchorFile: OpenFile) {
  const bytes = await file.read()
  const { lines, rest } = linesOf(bytes)
  const torn = rest.length
  const malformed = (line: number, fault: string) =>
    new AntaraError('record_malformed', { path: `${path}, line ${line}`, actual: fault })
  const anchor = readAnchor(new TextDecoder().decode(await anchorFile.read()))
  if (anchor === undefined && lines.length > 0) {
    const command = `antara-tx guard --verify-log ${path}`
    const expected = `one line COUNT:HASH, which ${command} prints behind the word anchor. Compare it with your own copy before you write it there`
    throw new AntaraError('record_malformed', { path: anchorPath(path), expected })
  }
  const chain = new Chain(lines.length === 0 ? emptyHead : undefined, anchor)
  const read: LineFacts[] = []
  for (const [at, line] of lines.entries()) {
    const facts = chain.push(line)
    if ('fault' in facts) throw malformed(at + 1, facts.fault)
    read.push(facts)
  }
  const missing = chain.end()
  if (missing !== undefined) throw malformed(lines.length, missing.fault)
  const end = bytes.length - torn
  if (anchor === undefined) {
    // Its first bytes have to be durable before a line is.
    await anchorFile.write(writeAnchor(emptyHead), 0)
    await anchorFile.sync()
  }
  if (torn > 0) {
    await file.truncate(end)
    await file.sync()
  }
  return { head: chain.head, first: chain.first?.number ?? 1, end, torn, lines: read }
}
