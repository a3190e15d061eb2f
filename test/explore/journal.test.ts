// Every schedule with few deviations, of the real code. More of them: ANTARA_EXPLORE=3. Only crashes
// and power failures: ANTARA_EXPLORE_ONLY='crash|power'.

import { expect, test } from 'vitest'
import { exploredPart, shareOf } from '../support/share.ts'
import { explore, traceText } from './explore.ts'
import { realCode } from './mutants.ts'
import { scenarios } from './scenarios.ts'

const deviations = Number(process.env.ANTARA_EXPLORE ?? 1)
const only = new RegExp(process.env.ANTARA_EXPLORE_ONLY ?? '.')

test.each(shareOf(scenarios))(
  'no schedule of $name breaks a promise',
  async (scenario) => {
    const start = performance.now()
    const { schedules, found } = await explore(realCode, scenario, {
      deviations,
      only,
      part: exploredPart,
    })
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(
      `${scenario.name}: ${schedules} schedules with up to ${deviations} deviations, ${seconds} s`,
    )
    expect(found === undefined ? '' : traceText(found)).toBe('')
    expect(schedules).toBeGreaterThan(20 / exploredPart[1])
  },
  3_600_000,
)
