// examples/scale without a server: what a worker answers to any message, and where it is stored.

import { expect, test, vi } from 'vitest'

import { AntaraError, parseCase, reportToJson, verifyCase } from '../../../src/index.ts'
import { textOf } from '../../support/files.ts'
import { putModulesBack } from '../../support/own-modules.ts'

// The example runs what is built; here the sources as they stand, and one case on which they fail.
const failing = { error: new Error() as Error }
putModulesBack()
vi.doMock('../../../dist/index.js', async () => {
  const library = await import('../../../src/index.ts')
  const verify = (given: Parameters<typeof library.verifyCase>[0]) => {
    if (given.evidence.tipHeight === 4_000_000_000) throw failing.error
    return library.verifyCase(given)
  }
  return { ...library, verifyCase: verify }
})

// JavaScript without types, as examples are
const example: string = '../../../examples/scale/answer.mjs'
const { answerOf, caseKey, deliveriesMax } = await import(example)
vi.doUnmock('../../../dist/index.js')

const agrees = JSON.parse(textOf('examples/transfer.json'))
const other = JSON.parse(textOf('examples/transfer-stolen-change.json'))
const payment = JSON.parse(textOf('test/operations/payment.json')).cases[0].case
const lineOf = (value: object) => JSON.stringify(value)
const answerTo = (text: string, subject = `cases.${caseKey(text)}`, deliveries = 1) =>
  answerOf({ subject, text, deliveries })

test('stores a report under the name of its case', () => {
  for (const given of [agrees, other]) {
    const text = lineOf(given)
    const { subject, body } = answerTo(text)
    expect(subject).toBe(`reports.${caseKey(text)}`)
    expect(body).toEqual(reportToJson(verifyCase(parseCase(text))))
  }
})

test('stores no report under a name that a publisher chose', () => {
  const wanted = `cases.${caseKey(lineOf(agrees))}`
  for (const subject of [wanted, 'cases.', 'cases.x', `reports.${caseKey(lineOf(other))}`]) {
    const answer = answerTo(lineOf(other), subject)
    expect(answer.subject).toMatch(/^dead\.[0-9a-f]{64}$/)
    expect(answer.body).toMatchObject({ reason: 'misnamed', subject, case: lineOf(other) })
  }
  // nor does a wrong name take the place of another dead letter
  const places = ['cases.x', 'cases.y'].map((it) => answerTo(lineOf(other), it).subject)
  expect(new Set(places).size).toBe(2)
})

test.each<[string, string, string]>([
  ['no case', '{"no":"case"}', 'malformed'],
  ['no JSON', 'redeemScripts', 'malformed'],
  [
    'a redeem script that is not hex',
    lineOf({ ...payment, intent: { ...payment.intent, redeemScripts: ['x'] } }),
    'malformed',
  ],
  ['a case on which the library fails', lineOf({ ...agrees, tipHeight: 4e9 }), 'internal_error'],
])('answers %s with a dead letter', (_, text, reason) => {
  failing.error = new RangeError('stack')
  const { subject, body } = answerTo(text)
  expect(subject).toMatch(/^dead\./)
  expect(body).toMatchObject({ reason, case: text })
})

test('gives up on a case that was delivered too often, and leaves all to others without an engine', () => {
  const text = lineOf(agrees)
  const subject = `cases.${caseKey(text)}`
  expect(answerTo(text, subject, deliveriesMax).subject).toMatch(/^reports\./)
  expect(answerTo(text, subject, deliveriesMax + 1).body).toMatchObject({
    reason: 'delivered too often',
  })
  failing.error = new AntaraError('engine_unavailable')
  expect(() => answerTo(lineOf({ ...agrees, tipHeight: 4e9 }))).toThrow(AntaraError)
})
