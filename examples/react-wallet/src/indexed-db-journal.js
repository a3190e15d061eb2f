// A journal of payments in the browser's own database, so that a page that is closed or reloaded
// does not pay twice. Several tabs may share it.

const storeName = 'records'

/** Opens the journal with a name: one for each key and chain. */
export async function indexedDbJournal(name) {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName)
  const database = await answerOf(opening)

  return {
    async read(after) {
      const store = database.transaction(storeName).objectStore(storeName)
      return answerOf(store.getAll(IDBKeyRange.lowerBound(after, true)))
    },
    async append(position, text) {
      // Strict: the database answers when the record is on the disk.
      const transaction = database.transaction(storeName, 'readwrite', { durability: 'strict' })
      const store = transaction.objectStore(storeName)
      const stored = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onabort = () => reject(transaction.error)
      })
      const isNext = (await answerOf(store.count())) === position - 1
      if (isNext) store.put(text, position)
      await stored
      return isNext
    },
    async close() {
      database.close()
    },
  }
}

function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
