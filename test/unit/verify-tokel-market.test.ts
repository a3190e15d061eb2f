// What no recording has, written out by hand: it agrees; then changed in every way that pays, and
// signed again by everybody's keys, those of modules among them.

import { describe, expect, test } from 'vitest'
import { encodeTransaction } from '../../src/index.ts'

import { createBaselines, orderBaselines, transferBaselines } from '../support/tokel-baselines.ts'

import { lacking, resigned, rowsOf } from '../support/tokel-changes.ts'

const baselines = [...createBaselines, ...orderBaselines, ...transferBaselines]

test.each(baselines)('$name agrees', ({ made, roles, judge }) => {
  const report = judge(made.hex)
  expect(report.findings.filter(({ code }) => code !== 'fill_price')).toEqual([])
  expect(report).toMatchObject({ ok: true, fee: 10_000n })
  expect(report.effects.map(({ role }) => role)).toEqual(roles)
})

const rows = baselines.map((baseline) => ({ ...baseline, rows: rowsOf(baseline) }))

test('every table is long enough', () => {
  expect(rows.filter((it) => it.rows.length < 40).map(({ name }) => name)).toEqual([])
})

describe.each(rows)('$name', (baseline) => {
  test.each(baseline.rows)('is rejected: $what', ({ change, code, signing }) => {
    const report = baseline.judge(resigned(baseline, change, signing))
    const rejects = report.findings.filter(({ severity }) => severity === 'reject')
    expect(rejects.map((it) => it.code)).toContain(code)
    expect(report.ok).toBe(false)
  })

  test('no input may lack its signature', () => {
    for (const at of baseline.made.tx.inputs.keys()) {
      const { findings } = baseline.judge(encodeTransaction(lacking(baseline, at)))
      expect(findings).toContainEqual(
        expect.objectContaining({ code: 'unsigned', path: `inputs[${at}].scriptSig` }),
      )
    }
  })
})
