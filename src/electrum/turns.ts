import { type Clock, untilStopped } from '../rpc/clock.ts'

/** Lets a limited number of tasks run at once; the others wait for their turn. */
export class Turns {
  readonly #most: number
  readonly #queue = new Set<() => void>()
  #running = 0

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(stopper: Clock | AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#take(stopper)
    try {
      return await task()
    } finally {
      this.#pass()
    }
  }

  async #take(stopper: Clock | AbortSignal): Promise<void> {
    if (this.#running < this.#most) {
      this.#running += 1
      return
    }
    let proceed = (): void => undefined
    const turn = new Promise<void>((resolve) => {
      proceed = resolve
    })
    this.#queue.add(proceed)
    try {
      await untilStopped(turn, stopper)
    } catch (error) {
      // The turn may have come at the moment of the stop.
      if (!this.#queue.delete(proceed)) this.#pass()
      throw error
    }
  }

  /** Passes a turn on to the one that has waited longest. */
  #pass(): void {
    const [next] = this.#queue
    if (next === undefined) {
      this.#running -= 1
      return
    }
    this.#queue.delete(next)
    next()
  }
}
