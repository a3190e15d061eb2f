/** Why a clock's signal aborted: its own time, or the signal it was joined with. */
export type ClockStop = { readonly by: 'time' } | { readonly by: 'signal'; readonly cause: unknown }

export interface Clock {
  readonly signal: AbortSignal
  /** Set once the signal has aborted. */
  stopped(): ClockStop | undefined
  /** Takes the timer and the listener away; call it when the work is over, whatever its end. */
  release(): void
}

interface Fan {
  readonly callbacks: Set<() => void>
  readonly announce: () => void
}

const fans = new WeakMap<AbortSignal, Fan>()

/**
 * Calls `callback` when `signal` aborts, until the returned function is called.
 *
 * However many wait, the signal carries one listener: a caller may share it among thousands of
 * calls, and nothing stays on it when they are over.
 */
export function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  const fan = fans.get(signal) ?? openFan(signal)
  fan.callbacks.add(callback)
  return () => {
    fan.callbacks.delete(callback)
    if (fan.callbacks.size > 0 || fans.get(signal) !== fan) return
    fans.delete(signal)
    signal.removeEventListener('abort', fan.announce)
  }
}

function openFan(signal: AbortSignal): Fan {
  const callbacks = new Set<() => void>()
  const announce = (): void => {
    for (const callback of [...callbacks]) callback()
  }
  const fan = { callbacks, announce }
  fans.set(signal, fan)
  signal.addEventListener('abort', announce, { once: true })
  return fan
}

/**
 * Starts a clock of `ms` milliseconds that also stops when `parent` aborts.
 *
 * Joined by hand rather than with `AbortSignal.any`, which keeps a listener on a long-lived
 * signal until the collector comes by.
 */
export function startClock(ms: number, parent?: AbortSignal): Clock {
  const controller = new AbortController()
  let stop: ClockStop | undefined
  const finish = (reason: ClockStop): void => {
    stop ??= reason
    controller.abort()
  }
  const onParent = (): void => finish({ by: 'signal', cause: parent?.reason })
  const timer =
    ms <= timerMsMax ? setTimeout(() => finish({ by: 'time' }), Math.max(ms, 0)) : undefined
  let leave: (() => void) | undefined
  if (parent?.aborted) onParent()
  else leave = parent && whenAborted(parent, onParent)
  return {
    signal: controller.signal,
    stopped: () => stop,
    release: () => {
      clearTimeout(timer)
      leave?.()
    },
  }
}

// A longer timer fires at once in every engine; nobody waits 24 days, so there is none then.
const timerMsMax = 2 ** 31 - 1

/** Settles as `work` does, unless `signal` aborts first: then it rejects and forgets `work`. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Waits `ms` milliseconds; rejects as soon as `signal` aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
