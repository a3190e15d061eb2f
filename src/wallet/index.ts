// antara-tx/wallet: what a wallet is made of. Today the journal of its payments.

export {
  AntaraError,
  type FileJournalOptions,
  fileJournal,
  isAntaraError,
  type Journal,
  memoryJournal,
} from '../journal/index.ts'
