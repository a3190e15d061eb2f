import { expect, test } from 'vitest'
import { exploredPart, isQuick, shareOf } from '../support/share.ts'
import { bugs, compacting } from './bugs.ts'
import { explore, shrink, traceText } from './explore.ts'
import { codeWith } from './mutants.ts'

const patience = 600_000

test('there are 20 bugs at least, each with a name of its own', () => {
  expect(new Set(bugs.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20)
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length)
})

// A bug that needs two deviations takes as long as all others.
const tried = isQuick
  ? shareOf(
      bugs.filter(({ deviations }) => deviations < 2),
      0,
      8,
    )
  : bugs

test.each(tried)(
  'the explorer finds: $name',
  async ({ changes, scenario, deviations }) => {
    const code = await codeWith(changes)
    const { schedules, found } = await explore(code, scenario, { deviations })
    if (found === undefined) throw new Error(`not found in ${schedules} schedules`)
    const least = await shrink(code, scenario, found)
    // A schedule that is shortened further does not fail: this trace is a shortest one.
    expect(least.deviations.length).toBe(deviations)
    expect(traceText(least)).toContain('P1 starts')
  },
  patience,
)

test(
  'a journal that is compacted behind every payment breaks no promise',
  async () => {
    const code = await codeWith(compacting)
    const scenario = { name: '', journal: 'file', id: 'invoice-17', calls: 3 } as const
    const { schedules, found } = await explore(code, scenario, {
      deviations: 1,
      part: exploredPart,
    })
    expect(found === undefined ? '' : traceText(found)).toBe('')
    expect(schedules).toBeGreaterThan(100 / exploredPart[1])
  },
  patience,
)
