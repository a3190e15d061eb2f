// What no recording has, written out by hand: it agrees; then changed in every way that pays, and
// signed again by everybody's keys, those of modules among them.

import { expect, test } from 'vitest'

import { orderBaselines, transferBaselines } from '../support/tokel-baselines.ts'

const baselines = [...orderBaselines, ...transferBaselines]

test.each(baselines)('$name agrees', ({ made, roles, judge }) => {
  const report = judge(made.hex)
  expect(report.findings.filter(({ code }) => code !== 'fill_price')).toEqual([])
  expect(report).toMatchObject({ ok: true, fee: 10_000n })
  expect(report.effects.map(({ role }) => role)).toEqual(roles)
})
