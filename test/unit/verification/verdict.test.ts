// The sentence that tells a person whether to broadcast, by what a report found.

import { describe, expect, test } from 'vitest'

import { conclude, isOpen } from '../../../src/request/broadcast.ts'
import { type FindingCode, finding, type Report } from '../../../src/request/report.ts'
import { verdictSentence } from '../../../src/verification/verdict.ts'

const reportOf = (...findings: Parameters<typeof finding>[]) =>
  ({ hex: '', effects: [], ...conclude(findings.map((it) => finding(...it))) }) as unknown as Report
const sentenceOf = (...findings: Parameters<typeof finding>[]) =>
  verdictSentence(reportOf(...findings))

describe('the word about broadcasting', () => {
  test.each<[FindingCode[], string]>([
    [[], 'yes'],
    [['input_order', 'output_order', 'extra_input', 'script_sig'], 'yes'],
    [['native_change_form', 'nulldata_push'], 'yes'],
    [['input_order', 'dust'], 'your-decision'],
    [['intent_asserted'], 'your-decision'],
    [['dust', 'amount'], 'no'],
  ])('follows from the findings: %j', (codes, word) => {
    const { broadcast, ok } = reportOf(...codes.map((code) => [code, ''] as [FindingCode, string]))
    expect([broadcast, ok]).toEqual([word, word !== 'no'])
  })

  test('is left open by warnings that are not harmless, and by facts of a server', () => {
    expect(isOpen({ severity: 'warn', code: 'dust' })).toBe(true)
    expect(isOpen({ severity: 'warn', code: 'script_sig' })).toBe(false)
    expect(isOpen({ severity: 'info', code: 'intent_asserted' })).toBe(true)
    expect(isOpen({ severity: 'info', code: 'script_sig' })).toBe(false)
    expect(isOpen({ severity: 'reject', code: 'intent_asserted' })).toBe(false)
    expect(isOpen({ severity: 'warn', code: 'toString' as never })).toBe(true)
  })
})

describe('the sentence', () => {
  const amount = finding('amount', '').message

  test('says that nothing is open', () => {
    expect(sentenceOf()).toBe('Safe to broadcast.')
    expect(sentenceOf(['input_order', ''])).toBe('Safe to broadcast.')
  })

  test('names the first reject, and counts the others', () => {
    const first = `Do not broadcast: ${amount}; see antara-tx explain amount`
    expect(sentenceOf(['dust', ''], ['amount', ''])).toBe(`${first}.`)
    expect(sentenceOf(['amount', ''], ['fee_too_high', ''], ['lock_time', ''])).toBe(
      `${first}; 2 more rejects below.`,
    )
    expect(sentenceOf(['amount', ''], ['lock_time', ''])).toBe(`${first}; 1 more reject below.`)
  })

  test('asks to sign first if nothing but signatures is missing', () => {
    expect(sentenceOf(['unsigned', 'inputs[0]'])).toBe(
      'Do not broadcast: the transaction is not signed; sign it first.',
    )
  })

  test('says no to a report whose findings were taken out by hand', () => {
    expect(verdictSentence({ ...reportOf(), ok: false })).toBe(
      'Do not broadcast: the report does not agree.',
    )
  })

  test('names the reject of a report whose verdict was changed by hand', () => {
    const report = { ...reportOf(['amount', '']), ok: true }
    expect(verdictSentence(report)).toMatch(/^Do not broadcast: .* explain amount\.$/)
  })

  test('shows a message that hides something as it is', () => {
    const [hidden] = reportOf(['amount', '']).findings
    const report = { ...reportOf(), findings: [{ ...hidden!, message: 'a\u202eb' }] } as Report
    expect(verdictSentence({ ...report, ok: false })).toContain('a\\u{202e}b')
  })

  test('names the first open point with its next step, and counts the others once for each code', () => {
    const dust = finding('dust', '').message
    const first = `Your decision: ${dust}; ask for a larger output, or accept that nodes may not relay this one`
    expect(sentenceOf(['script_sig', ''], ['dust', 'outputs[0]'], ['dust', 'outputs[1]'])).toBe(
      `${first}.`,
    )
    expect(sentenceOf(['dust', ''], ['no_expiry', ''])).toBe(`${first}; 1 more point below.`)
    expect(sentenceOf(['dust', ''], ['no_expiry', ''], ['fee_high', ''])).toBe(
      `${first}; 2 more points below.`,
    )
  })

  const txid = (digit: number) => `${digit}`.repeat(64)

  test.each<[unknown, string]>([
    [
      `missing ${txid(1)}`,
      `token ancestry incomplete (1 ancestor missing); fetch it with antara-tx rpc daemon getrawtransaction ${txid(1)}`,
    ],
    [
      `missing ${txid(1)}, ${txid(2)}`,
      `token ancestry incomplete (2 ancestors missing); fetch each, beginning with antara-tx rpc daemon getrawtransaction ${txid(1)}`,
    ],
    [
      `missing ${txid(1)}, ${txid(2)} and 40 more`,
      `token ancestry incomplete (42 ancestors missing); fetch each, beginning with antara-tx rpc daemon getrawtransaction ${txid(1)}`,
    ],
    [
      `missing ${txid(1)} and 5 more than that`,
      `token ancestry incomplete (1 ancestor missing); fetch it with antara-tx rpc daemon getrawtransaction ${txid(1)}`,
    ],
  ])('counts the ancestors that are missing: %s', (actual, words) => {
    const sentence = sentenceOf(['token_parent_unproven', 'inputs[0]', { actual }])
    expect(sentence).toBe(`Your decision: ${words}.`)
  })

  test.each([undefined, 5, 'missing ', `missing ${'1'.repeat(65)}`])(
    'tells an ancestor that is not named in general: %s',
    (actual) => {
      const sentence = sentenceOf(['token_parent_unproven', 'inputs[0]', { actual }])
      expect(sentence).toContain('fetch each missing ancestor with')
    },
  )
})
