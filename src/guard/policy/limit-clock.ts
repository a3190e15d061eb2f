/** Milliseconds since 1970. Never goes back, and moves no faster than real time. */
export type LimitClock = () => number

/** Where a clock reads the time. Tests replace them. */
export interface ClockSources {
  /** Milliseconds since 1970. */
  readonly wall?: () => number
  /** Milliseconds since any moment. */
  readonly elapsed?: () => number
}

/**
 * A clock for limits. It reads the time of day once, when it starts, and then counts the time that
 * passes. A change of the system's clock can then neither reopen nor end an hour or a day.
 *
 * @param after - the latest time that is recorded: a clock that was set back continues from it
 */
export function limitClock(
  after: number,
  { wall = Date.now, elapsed = () => performance.now() }: ClockSources = {},
): LimitClock {
  const begun = Math.max(after, wall())
  const zero = elapsed()
  return () => begun + Math.floor(elapsed() - zero)
}
