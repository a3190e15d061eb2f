import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import type { Journal } from '../journal/journal.ts'

interface WatchedJournal {
  /** Passes every call on to the watched journal. */
  readonly journal: Journal
  /** Returns why the last record was not stored; `undefined` if it was. */
  failure(): AntaraError | undefined
}

/** Remembers whether a journal could store its last record, for the health of a guard. */
export function watchedJournal(watched: Journal): WatchedJournal {
  let failure: AntaraError | undefined
  const { replace } = watched
  return {
    failure: () => failure,
    journal: {
      read: (after) => watched.read(after),
      async append(position, text) {
        try {
          const isStored = await watched.append(position, text)
          failure = undefined
          return isStored
        } catch (error) {
          failure = isAntaraError(error) ? error : new AntaraError('journal_failed', {})
          throw error
        }
      },
      ...(replace !== undefined && {
        replace: (count, texts) => replace.call(watched, count, texts),
      }),
      close: () => watched.close(),
    },
  }
}
