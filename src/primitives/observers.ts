/** A hook of the caller. It may return a promise, which need not be awaited. */
type Observer<Event> = ((event: Event) => unknown) | undefined

/** Calls an observer, and ignores its errors and rejections. */
export function notify<Event>(observer: Observer<Event>, event: Event): void {
  void notified(observer, event)
}

/** Calls an observer and waits until it has finished or failed. */
export async function notified<Event>(observer: Observer<Event>, event: Event): Promise<void> {
  try {
    await observer?.(event)
  } catch {
    // An observer's failure must not fail the call.
  }
}
