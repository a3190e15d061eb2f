// A journal of payments in the browser's own database, so that a page that is closed or reloaded
// does not pay twice. Several tabs may share it.

const storeName = 'records'

/**
 * Opens the journal with a name: one for each key.
 *
 * A browser may delete what a page has stored, if space is short or the page was not visited for some
 * days. The journal asks it not to. Without its journal, a page cannot tell what it paid long ago.
 */
export async function indexedDbJournal(name) {
  globalThis.navigator?.storage?.persist?.().catch(() => undefined)
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName)
  const database = await answerOf(opening)
  // Another tab that deletes the journal, or changes its form, would wait for this tab.
  database.onversionchange = () => close()
  database.onclose = () => close()
  let isClosed = false
  const close = () => {
    isClosed = true
    database.close()
  }
  const begin = (...mode) => {
    if (!isClosed) return database.transaction(storeName, ...mode)
    const message = 'the journal of this page is closed, or was deleted; reload the page'
    throw Object.assign(new Error(message), { code: 'journal_closed' })
  }

  return {
    async read(after) {
      requirePosition(after)
      return answerOf(begin().objectStore(storeName).getAll(IDBKeyRange.lowerBound(after, true)))
    },
    async append(position, text) {
      requirePosition(position)
      if (typeof text !== 'string' || !text.isWellFormed()) {
        throw new TypeError('text: expected a string without lone surrogates')
      }
      // Strict: the database answers when the record is on the disk.
      const transaction = begin('readwrite', { durability: 'strict' })
      const store = transaction.objectStore(storeName)
      const stored = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        // A browser that closes the database gives no reason.
        const aborted = () => transaction.error ?? new Error('the browser closed the journal')
        transaction.onabort = () => reject(aborted())
      })
      // Counting may fail first, and then nobody waits for this.
      stored.catch(() => undefined)
      const isNext = (await answerOf(store.count())) === position - 1
      if (isNext) store.put(text, position)
      await stored
      return isNext
    },
    async close() {
      close()
    },
  }
}

function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function requirePosition(value) {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw new TypeError('expected a whole number from 0')
}
