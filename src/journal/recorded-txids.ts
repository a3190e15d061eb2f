import type { Journal } from './journal.ts'
import { decodeRecord } from './records.ts'

/**
 * Returns the txids of all records of a journal, those of forgotten payments too.
 *
 * @throws {AntaraError} as the journal, and `journal_version`
 */
export async function recordedTxids(journal: Journal): Promise<ReadonlySet<string>> {
  const texts = await journal.read(0)
  const records = texts.map((text, index) => decodeRecord(text, index + 1))
  return new Set(records.flatMap((record) => ('txid' in record ? [record.txid] : [])))
}
