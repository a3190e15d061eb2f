/**
 * Long work in small steps: synchronous callers run all of them, asynchronous callers let other
 * work run between them.
 */
export type Steps<Result> = Generator<void, Result>

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The means to stop work in slices. */
export interface SliceOptions {
  /** Once it aborts, no further step runs, and the call rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/** The longest time that a slice keeps other work waiting, apart from its last step. */
const sliceMsMax = 15

/**
 * Runs all steps, and lets timers, signals and other work run after each slice.
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
 * Starts a slice. The returned function ends it, with a turn for other work, if it has taken long
 * enough. Asynchronous work needs it too: quick answers of threads are otherwise handled one after
 * the other, without a turn between them.
 */
export function startSlices(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMsMax) return undefined
    return nextRound().then(() => {
      began = performance.now()
    })
  }
}

/** A function of Node.js that browsers lack. */
type Immediate = (callback: () => void) => unknown

/**
 * Lets all waiting work run: due timers, received input, signals.
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

/**
 * Lets due timers and received input run, without the millisecond that `turn` sleeps: in that time
 * another program takes the processor, and its caches.
 *
 * The first immediate of Node.js ends the present round of the event loop. The second ends the next
 * round, in which timers and input have their turn.
 */
function nextRound(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: Immediate }
  if (setImmediate === undefined) return turn()
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
}
