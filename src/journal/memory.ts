import { AntaraError } from '../errors/antara-error.ts'
import { requirePosition, requireText } from './arguments.ts'
import type { Journal } from './journal.ts'

/**
 * Creates a journal in memory. It protects against repeated calls in one process, not across a
 * restart: use `fileJournal` for that.
 *
 * @example
 * const journal = memoryJournal()
 * await journal.append(1, 'text') // true
 * await journal.append(1, 'other') // false: the position is taken
 */
export function memoryJournal(): Journal {
  let texts: string[] = []
  let isClosed = false
  const requireOpen = () => {
    if (isClosed) throw new AntaraError('journal_closed')
  }
  return {
    async read(after) {
      requirePosition(after, 'after')
      requireOpen()
      return texts.slice(after)
    },
    async append(position, text) {
      requirePosition(position, 'position')
      requireText(text, 'text')
      requireOpen()
      if (position !== texts.length + 1) return false
      texts.push(text)
      return true
    },
    async replace(count, others) {
      requirePosition(count, 'count')
      for (const [index, text] of others.entries()) requireText(text, `texts[${index}]`)
      requireOpen()
      if (count !== texts.length) return false
      texts = [...others]
      return true
    },
    async close() {
      isClosed = true
    },
  }
}
