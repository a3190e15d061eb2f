/**
 * Long work in small steps: whoever has to answer at once does them all, and whoever can wait lets
 * others in between.
 */
export type Steps<Result> = Generator<void, Result>

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** How work in slices may be stopped. */
export interface SliceOptions {
  /** Once it aborts, no further step is done, and the call rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** How long others are kept waiting, and then by one step more at most. */
const sliceMsMax = 15

/**
 * Does all steps, letting timers, signals and other work in whenever they have waited long enough.
 *
 * @throws the reason of `signal`, if that aborts
 */
export async function inSlices<Result>(
  steps: Steps<Result>,
  { signal }: SliceOptions = {},
): Promise<Result> {
  const pause = startSlices()
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = steps.next()
    if (done === true) return value
    const others = pause()
    if (others !== undefined) await others
  }
}

/**
 * Starts a slice. The returned function ends it, with a turn for others, once they have waited long
 * enough. Asynchronous work needs it too: answers of threads that arrive quickly are handled one
 * after the other, without a turn between them.
 */
export function startSlices(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMsMax) return undefined
    return turn().then(() => {
      began = performance.now()
    })
  }
}

/** What Node.js has beside timers, and browsers have not. */
type Immediate = (callback: () => void) => unknown

/**
 * Lets everything in that was waiting: timers that are due, what has arrived, signals.
 *
 * Node.js runs a timer that became due during another timer before it polls for input, so a chain
 * of timers alone can keep sockets waiting. An immediate waits for one poll. Browsers have no
 * immediates, and need none.
 */
export function turn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: Immediate }
  return new Promise((resolve) => {
    setTimeout(setImmediate === undefined ? resolve : () => setImmediate(resolve))
  })
}
