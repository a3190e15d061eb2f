import type { CodeUnderTest } from './mutants.ts'
import { type Deviation, type Run, type Scenario, World } from './world.ts'

export interface Found {
  readonly deviations: readonly Deviation[]
  readonly run: Run
}

export interface Exploration {
  readonly schedules: number
  /** The first schedule that breaks a promise: of those with the fewest deviations. */
  readonly found?: Found
}

interface Limits {
  /** Deviations in one schedule. */
  readonly deviations: number
  /** The deviations that are tried; default: all. */
  readonly only?: RegExp
  /** Stops there, for bugs that are not found; default: none. */
  readonly schedules?: number
  /** The part to run and the number of parts, to share the work among several processes. */
  readonly part?: readonly [index: number, count: number]
}

/**
 * Runs every schedule with at most so many deviations from the one in which everything goes well.
 * Schedules with fewer deviations come first, so the first that fails is a shortest one.
 */
export async function explore(
  code: CodeUnderTest,
  scenario: Scenario,
  { deviations: most, schedules = Number.POSITIVE_INFINITY, part = [0, 1], only = /./ }: Limits,
): Promise<Exploration> {
  let level: (readonly Deviation[])[] = [[]]
  let count = 0
  for (let size = 0; size <= most; size += 1) {
    const next: (readonly Deviation[])[] = []
    for (const [index, deviations] of level.entries()) {
      // The parts share the short schedules that the others grow from.
      const isOurs = size < most || index % part[1] === part[0]
      if (!isOurs) continue
      const run = await new World(code, scenario, deviations).run()
      count += 1
      if (run.broken !== undefined) return { schedules: count, found: { deviations, run } }
      if (count >= schedules) return { schedules: count }
      if (size < most) next.push(...longer(deviations, run, only))
    }
    level = next
  }
  return { schedules: count }
}

/** Every schedule that does one more thing differently, after all others. */
function* longer(
  deviations: readonly Deviation[],
  run: Run,
  only: RegExp,
): Generator<readonly Deviation[]> {
  const first = (deviations.at(-1)?.step ?? -1) + 1
  for (let step = first; step < run.alternatives.length; step += 1) {
    for (const what of run.alternatives[step]!.filter((it) => only.test(it)))
      yield [...deviations, { step, what }]
  }
}

/** Leaves out of a schedule what it does not need to fail. */
export async function shrink(
  code: CodeUnderTest,
  scenario: Scenario,
  found: Found,
): Promise<Found> {
  for (const left of found.deviations) {
    const deviations = found.deviations.filter((it) => it !== left)
    const run = await new World(code, scenario, deviations).run()
    if (run.broken !== undefined) return shrink(code, scenario, { deviations, run })
  }
  return found
}

export function traceText({ deviations, run }: Found): string {
  const claimed = deviations.map(({ step, what }) => `${step}: ${what}`).join('; ')
  return [`${run.broken} (${claimed})`, ...run.trace].join('\n  ')
}
