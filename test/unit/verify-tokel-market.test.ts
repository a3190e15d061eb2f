// What no recording has, written out by hand: it agrees; then changed in every way that pays, and
// signed again by everybody's keys, those of modules among them.

import { describe, expect, test } from 'vitest'
import { encodeTransaction, formatReport, type TokenOfferIntent } from '../../src/index.ts'

import { createBaselines, orderBaselines, transferBaselines } from '../support/tokel-baselines.ts'

import { lacking, resigned, rowsOf } from '../support/tokel-changes.ts'
import { orderEnd } from '../support/tokel-market.ts'

const baselines = [...createBaselines, ...orderBaselines, ...transferBaselines]

test.each(baselines)('$name agrees', ({ name, made, roles, judge }) => {
  const report = judge(made.hex)
  const isFill = name.startsWith('fill')
  expect(report.findings.map(({ code }) => code)).toEqual(isFill ? ['fill_price'] : [])
  expect(report).toMatchObject({ ok: true, fee: 10_000n })
  expect(report.effects.map(({ role }) => role)).toEqual(roles)
})

// a tenth goes to who created the token, and the price is what is paid with it
test.each([
  [
    'fillAsk',
    2,
    '30 units for 300000 satoshis, 10000 each, 30000 of them royalty; 70 for 700000 stay',
  ],
  ['fillAsk, whole', 2, '100 units for 1000000 satoshis, 10000 each, 100000 of them royalty'],
  [
    'fillBid',
    1,
    '4 units for 400000 satoshis, 100000 each, 40000 of them royalty; 6 for 600000 stay',
  ],
  ['fillBid, whole', 1, '10 units for 1000000 satoshis, 100000 each, 100000 of them royalty'],
])('%s tells its price with the royalty', (name, at, actual) => {
  const { made, judge } = orderBaselines.find((it) => it.name === name)!
  const { findings } = judge(made.hex)
  const expected = name.startsWith('fillAsk')
    ? '100 units for 1000000 satoshis, 10000 each'
    : '10 units for 1000000 satoshis, 100000 each'
  expect(findings).toMatchObject([
    { code: 'fill_price', path: `outputs[${at}].value`, expected, actual },
  ])
})

test('the end of an offer is shown where one was asked for', () => {
  const { made, evidence, intent, judge } = orderBaselines[0]!
  const shown = (asked: object) => {
    const offer = { ...intent, ...asked } as TokenOfferIntent<'ask'>
    const given = { operation: 'tokenask', hex: made.hex, intent: offer, evidence } as const
    return formatReport(judge(made.hex), { given }).split('\n')
  }
  expect(shown({ expiryHeight: orderEnd })).toContain(`  until    height ${orderEnd}`)
  for (const asked of [{}, { expiryHeight: undefined }]) {
    expect(shown(asked).filter((it) => it.includes('until'))).toEqual([])
  }
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
