/** The reason why a clock stopped: its time, or the signal that it follows. */
type ClockStop = { readonly by: 'time' } | { readonly by: 'signal'; readonly cause: unknown }

export interface Clock {
  /** Aborts when the clock stops; created on first use. */
  readonly signal: AbortSignal
  stopped(): ClockStop | undefined
  /** Calls `callback` when the clock stops, until the returned function is called. */
  whenStopped(callback: () => void): () => void
  /** Removes the timer and the listener. Call it when the work is over, however it ended. */
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
 * The signal carries a single listener, however many callbacks wait. A caller may share it among
 * thousands of calls; nothing stays on it afterwards.
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

/** An object that can end a wait early. */
type Stopper = Clock | AbortSignal

function onStop(stopper: Stopper, callback: () => void): () => void {
  return 'whenStopped' in stopper ? stopper.whenStopped(callback) : whenAborted(stopper, callback)
}

export function isStopped(stopper: Stopper): boolean {
  return 'whenStopped' in stopper ? stopper.stopped() !== undefined : stopper.aborted
}

/**
 * Starts a clock of `ms` milliseconds that also stops when `parent` does.
 *
 * It does not use `AbortSignal.any`, which keeps a listener on a long-lived signal until the next
 * garbage collection.
 */
export function startClock(ms: number, parent?: Stopper): Clock {
  const callbacks = new Set<() => void>()
  let controller: AbortController | undefined
  let stop: ClockStop | undefined
  const finish = (reason: ClockStop): void => {
    if (stop !== undefined) return
    stop = reason
    controller?.abort()
    for (const callback of [...callbacks]) callback()
  }
  const onParent = (): void =>
    finish({ by: 'signal', cause: parent && 'reason' in parent ? parent.reason : undefined })
  const timer =
    ms <= timerMsMax ? setTimeout(() => finish({ by: 'time' }), Math.max(ms, 0)) : undefined
  let leave: (() => void) | undefined
  if (parent !== undefined && isStopped(parent)) onParent()
  else leave = parent && onStop(parent, onParent)
  return {
    get signal(): AbortSignal {
      if (controller === undefined) {
        controller = new AbortController()
        if (stop !== undefined) controller.abort()
      }
      return controller.signal
    },
    stopped: () => stop,
    whenStopped: (callback) => {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    release: () => {
      clearTimeout(timer)
      leave?.()
    },
  }
}

// Engines fire a longer timer at once, so a wait of more than 24 days gets none.
const timerMsMax = 2 ** 31 - 1

/** Thrown by a wait that was cut short; the clock that stopped has the reason. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** Settles like `work`, unless `stopper` stops first. It then rejects and ignores `work`. */
export function untilStopped<T>(work: Promise<T>, stopper: Stopper): Promise<T> {
  return new Promise((resolve, reject) => {
    if (isStopped(stopper)) {
      work.catch(() => undefined)
      reject(new Stopped())
      return
    }
    const leave = onStop(stopper, () => reject(new Stopped()))
    work.finally(leave).then(resolve, reject)
  })
}

/**
 * Waits `ms` milliseconds, or without end if no timer is that long. Rejects when `stopper` stops.
 */
export async function sleep(ms: number, stopper: Stopper): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ended = new Promise<void>((resolve) => {
    timer = ms > timerMsMax ? undefined : setTimeout(resolve, ms)
  })
  await untilStopped(ended, stopper).finally(() => clearTimeout(timer))
}

/** A moment by two clocks, in milliseconds. */
export interface Moment {
  /** It may stand still while the computer sleeps. */
  readonly steady: number
  /** The time of day, which a user may change. */
  readonly wall: number
}

export function momentNow(): Moment {
  return { steady: performance.now(), wall: Date.now() }
}

/** Returns the milliseconds since a moment, by the clock that shows more of them. */
export function longestSince({ steady, wall }: Moment): number {
  const now = momentNow()
  return Math.max(now.steady - steady, Math.abs(now.wall - wall))
}
