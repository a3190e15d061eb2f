// antara-tx/journal: the record of payments that survives the process. Node only: it writes files.

export { AntaraError, isAntaraError } from '../errors/antara-error.ts'
export { type FileJournalOptions, fileJournal } from './file.ts'
export type { Journal } from './journal.ts'
export { memoryJournal } from './memory.ts'
