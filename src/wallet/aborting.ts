// Waiting that ends when a signal aborts.

// Engines fire a longer timer at once, so a wallet would ask its source without a pause.
const timerMsMax = 2 ** 31 - 1

/** Resolves after a time, 24 days at most, or rejects when the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, timerMsMax),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Settles like `work`, unless the signal aborts first: rejects with its reason then. */
export function untilAborted<Answer>(
  work: Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
