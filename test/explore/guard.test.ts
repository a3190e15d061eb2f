// Every schedule with few deviations, with a guard between the program and the daemon. Its limits
// and its record are files that a crash or a power failure can hit, too. All scenarios with a file:
// ANTARA_EXPLORE=1.

import { expect, test } from 'vitest'
import { exploredPart, shareOf } from '../support/share.ts'
import { explore, traceText } from './explore.ts'
import { realCode } from './mutants.ts'
import { scenarios } from './scenarios.ts'

const deviations = Number(process.env.ANTARA_EXPLORE ?? 1)
const only = new RegExp(process.env.ANTARA_EXPLORE_ONLY ?? '.')
const guarded = scenarios
  .filter(({ journal }) => journal === 'file')
  .map((scenario) => ({ ...scenario, isGuarded: true }))
  // The two that differ most, unless more is asked for.
  .filter((_, at) => process.env.ANTARA_EXPLORE !== undefined || at >= 2)

test.each(shareOf(guarded))(
  'no schedule of $name pays twice through a guard, or past its limits',
  async (scenario) => {
    const { schedules, found } = await explore(realCode, scenario, {
      deviations,
      only,
      part: exploredPart,
    })
    console.log(`guard, ${scenario.name}: ${schedules} schedules`)
    expect(found === undefined ? '' : traceText(found)).toBe('')
    expect(schedules).toBeGreaterThan(100 / exploredPart[1])
  },
  3_600_000,
)
