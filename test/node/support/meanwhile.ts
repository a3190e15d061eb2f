// A second view of a journal, as another process has it.

import type { Journal } from '../../../src/journal/index.ts'

/** The journal with a book of its own. Others do some work just before its first append. */
export function withWorkMeanwhile(store: Journal, work: () => Promise<void>): Journal {
  let isDone = false
  return {
    read: (after) => store.read(after),
    async append(position, text) {
      if (!isDone) {
        isDone = true
        await work()
      }
      return store.append(position, text)
    },
    close: async () => undefined,
  }
}
