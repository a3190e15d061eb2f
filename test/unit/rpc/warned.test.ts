// Which warnings hold a transaction of a safe flow that nobody is asked about.

import { describe, expect, test } from 'vitest'

import type { HarmlessWarning } from '../../../src/request/broadcast.ts'
import { findingCodes, findingRow } from '../../../src/request/finding-table.ts'
import { conclude, type FindingCode, finding, type Report } from '../../../src/request/report.ts'
import { isWarned } from '../../../src/rpc/safe-flow/warned.ts'

const reportOf = (...codes: FindingCode[]): Report => ({
  ...conclude(codes.map((code) => finding(code, 'inputs[0]'))),
  hex: '',
  effects: [],
})
const codes = findingCodes()
const harmless: readonly FindingCode[] = [
  'extra_input',
  'input_order',
  'output_order',
  'native_change_form',
  'nulldata_push',
  'script_sig',
] satisfies HarmlessWarning[]

test('every warning holds, but for those that cost nothing', () => {
  const warnings = codes.filter((code) => findingRow(code)[0] === 'warn')
  const holding = codes.filter((code) => isWarned({}, [], reportOf(code)))
  expect(holding).toEqual(warnings.filter((code) => !harmless.includes(code)))
  expect(holding.length).toBeGreaterThan(30)
})

describe('a warning that could cost money', () => {
  const report = reportOf('claimed_unspent', 'token_parent_unproven')

  test('holds nothing if it is allowed', () => {
    expect(isWarned({ allow: ['token_parent_unproven'] }, [], report)).toBe(false)
  })

  test('holds nothing if honest servers cause it too', () => {
    expect(isWarned({}, ['token_parent_unproven'], report)).toBe(false)
  })

  test('holds beside another one that may pass', () => {
    const both = reportOf('fee_high', 'token_parent_unproven')
    expect(isWarned({ allow: ['fee_high'] }, [], both)).toBe(true)
    expect(isWarned({}, ['fee_high'], both)).toBe(true)
  })

  test('is left to confirm', () => {
    expect(isWarned({ confirm: () => false }, [], report)).toBe(false)
  })

  test('does not hold a recorded attempt, which passed when it was made', () => {
    expect(isWarned({ resumeOnly: true }, [], report)).toBe(false)
    expect(isWarned({ resumeOnly: false }, [], report)).toBe(true)
  })
})
