// The word about broadcasting, against each party that could make it false: docs/adr/0024.

import { describe, expect, test } from 'vitest'

import {
  type Finding,
  formatReport,
  parseCase,
  type Report,
  reportToJson,
  type Severity,
  verifyCase,
  verifyMany,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { conclude } from '../../../src/request/broadcast.ts'
import { findingCodes, findingRow } from '../../../src/request/finding-table.ts'
import { type FindingCode, finding } from '../../../src/request/report.ts'
import { reportLine } from '../../../src/verification/report-json.ts'
import { verdictSentence } from '../../../src/verification/verdict.ts'
import { hex, intent, tipHeight } from '../../support/attacks.ts'
import { textOf } from '../../support/files.ts'
import { ancestors, chainTransaction } from '../../support/komodod.ts'
import { checkPayment, unchanged } from '../../support/payments.ts'
import { tokenid } from '../../support/resigned.ts'

const ancestor = '43bf37ab51aa963289f953064430aa2db7bbd9fd371b7e4b499f713cf0b5b124'

const proven = {
  previousTransactions: ancestors(hex),
  tokenCreate: chainTransaction(tokenid),
  tipHeight,
}
const transfer = (terms: object = {}, evidence: object = {}): Report =>
  verifyTokenTransfer(hex, { ...intent, ...terms }, { ...proven, ...evidence })

const codesOf = (wanted: Severity): FindingCode[] =>
  findingCodes()
    .map((code) => [code, findingRow(code)] as const)
    .flatMap(([code, [severity]]) => (severity === wanted ? [code as FindingCode] : []))

describe('a transfer that is proven to its creation', () => {
  test('is safe to broadcast, in one word and one sentence', () => {
    const report = transfer()
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect(report.broadcast).toBe('yes')
    expect(formatReport(report).split('\n')[1]).toBe('Safe to broadcast.')
  })

  test('is your decision without its ancestors, and the sentence says how to get them', () => {
    const report = verifyCase(parseCase(textOf('examples/transfer.json')))
    expect([report.ok, report.broadcast]).toEqual([true, 'your-decision'])
    expect(verdictSentence(report)).toBe(
      `Your decision: token ancestry incomplete (1 ancestor missing); fetch it with antara-tx rpc daemon getrawtransaction ${ancestor}.`,
    )
  })

  test('is your decision without the height of the tip', () => {
    const report = transfer({}, { tipHeight: undefined })
    expect(report.broadcast).toBe('your-decision')
    expect(verdictSentence(report)).toBe(
      'Your decision: the expiry is not checked, because the height of the tip is unknown or disputed; take tipHeight from a server that you trust.',
    )
  })

  test('is your decision if the server supplied a part of the request', () => {
    const ownKeys = [intent.from]
    expect(transfer({ ownKeys }).broadcast).toBe('yes')
    expect(transfer({ ownKeys, reportedBy: 'the daemon' }).broadcast).toBe('your-decision')
  })

  test('is never safe for another request', () => {
    const report = transfer({ amount: intent.amount - 1n })
    expect([report.ok, report.broadcast]).toEqual([false, 'no'])
    expect(verdictSentence(report)).toMatch(
      /^Do not broadcast: .*; see antara-tx explain \w+(?:; \d+ more rejects? below)?\.$/,
    )
  })
})

test('a creation that no chain is bound to is your decision', () => {
  const report = verifyCase(parseCase(textOf('examples/create.json')))
  expect([report.ok, report.broadcast]).toEqual([true, 'your-decision'])
})

test('a payment that draws no warning is safe to broadcast', () => {
  const report = checkPayment(unchanged)
  expect(report.findings).toEqual([])
  expect(report.broadcast).toBe('yes')
})

describe('the word follows from the findings', () => {
  test('every reject makes it no, whatever stands beside it', () => {
    for (const code of codesOf('reject')) {
      expect(conclude([finding('output_order', ''), finding(code, '')]).broadcast).toBe('no')
    }
  })

  test('only these warnings cost nothing and leave the word at yes', () => {
    const safe = codesOf('warn').filter((code) => conclude([finding(code, '')]).broadcast === 'yes')
    expect(safe.sort()).toEqual([
      'extra_input',
      'input_order',
      'native_change_form',
      'nulldata_push',
      'output_order',
      'script_sig',
    ])
  })

  test('only the fact of a request by another party leaves the decision to you', () => {
    const open = codesOf('info').filter((code) => conclude([finding(code, '')]).broadcast !== 'yes')
    expect(open).toEqual(['intent_asserted'])
  })

  test('a warning of a code from a later version leaves the decision to you', () => {
    const later = { ...finding('dust', ''), code: 'later' as FindingCode }
    const report = { ...transfer(), ...conclude([later]) }
    expect(report.broadcast).toBe('your-decision')
    expect(verdictSentence(report)).toBe(
      'Your decision: an output is too small for nodes to relay.',
    )
  })

  test('every warning that leaves something open says what to do next', () => {
    for (const code of codesOf('warn')) {
      const report = { ...transfer(), ...conclude([finding(code, '')]) }
      if (report.broadcast === 'yes') continue
      expect(verdictSentence(report)).toMatch(/^Your decision: [^;]+; [^;]+\.$/)
    }
  })
})

describe('no other way leads to yes', () => {
  const unsigned = { ...transfer(), ...conclude([finding('unsigned', 'inputs[0]')]) }

  test('a transaction without signatures is not to be broadcast', () => {
    expect(unsigned.broadcast).toBe('no')
    expect(verdictSentence(unsigned)).toBe(
      'Do not broadcast: the transaction is not signed; sign it first.',
    )
  })

  test('a case that cannot be read is not to be broadcast', async () => {
    for await (const report of verifyMany([null as never])) {
      expect([report.ok, report.broadcast]).toEqual([false, 'no'])
    }
  })

  test('a report that was changed by hand is shown by its findings', () => {
    const rejected: Report = { ...transfer(), findings: [finding('destination', 'outputs')] }
    expect(rejected.broadcast).toBe('yes')
    expect(verdictSentence(rejected)).toMatch(/^Do not broadcast: /)
    const { ok: _, ...rest } = transfer()
    expect(verdictSentence({ ...rest, ok: false })).toMatch(/^Do not broadcast: /)
  })

  test('text of other parties begins no line of its own', () => {
    const hostile: Finding = { ...finding('dust', ''), message: 'a\nSafe to broadcast.\u202e' }
    const report = { ...transfer(), ...conclude([{ ...hostile, actual: '\nSafe to broadcast.' }]) }
    expect(formatReport(report).split('\n')).not.toContain('Safe to broadcast.')
    const ancestry = { ...finding('token_parent_unproven', ''), actual: '\nSafe to broadcast.' }
    const other = { ...transfer(), ...conclude([ancestry]) }
    expect(formatReport(other).split('\n')).not.toContain('Safe to broadcast.')
  })

  test('programs read the same word', () => {
    for (const report of [transfer(), transfer({}, { tipHeight: undefined }), unsigned]) {
      expect(reportToJson(report).broadcast).toBe(report.broadcast)
      expect(JSON.parse(reportLine(report)).broadcast).toBe(report.broadcast)
    }
  })
})
