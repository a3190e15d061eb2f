/** A hook of the caller. It may answer a promise, which does not have to be awaited. */
type Observer<Event> = ((event: Event) => unknown) | undefined

/** Tells an observer and goes on. What it throws or rejects with is ignored. */
export function notify<Event>(observer: Observer<Event>, event: Event): void {
  void notified(observer, event)
}

/** Tells an observer and waits until it is done, well or not. */
export async function notified<Event>(observer: Observer<Event>, event: Event): Promise<void> {
  try {
    await observer?.(event)
  } catch {
    // An observer's failure is not the caller's: the call goes on.
  }
}
