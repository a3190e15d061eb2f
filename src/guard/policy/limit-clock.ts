// The clock of the limits, which a change of the system's time does not affect.

/** Returns milliseconds since 1970. Never goes back, and never runs faster than real time. */
export type LimitClock = () => number

/** The system's clocks. Tests replace them. */
export interface ClockSources {
  /** Milliseconds since 1970. */
  readonly wall?: () => number
  /** Milliseconds since some fixed moment. */
  readonly elapsed?: () => number
}

/**
 * Creates a clock for limits. It reads the time of day once, at its start, and then counts the time
 * that passes. A change of the system's clock can then neither reopen nor end an hour or a day.
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
