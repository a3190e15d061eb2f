import type { FileJournalOptions } from './file.ts'
import type { Journal } from './journal.ts'

/** Pages have no files. Node has file.ts instead. */
export function fileJournal(_path: string, _options: FileJournalOptions = {}): Journal {
  throw new TypeError(
    'fileJournal needs Node: in a page, implement Journal on IndexedDB, or use memoryJournal',
  )
}
