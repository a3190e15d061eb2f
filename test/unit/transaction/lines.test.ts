// Lines of hex that the native core answers in one call, and those that it leaves to its caller.

import { describe, expect, test } from 'vitest'

import { decodeTransaction } from '../../../src/transaction/decode.ts'
import { linesBytesMax, linesInCore } from '../../../src/transaction/lines.ts'
import { readableTransaction } from '../../../src/transaction/readable.ts'
import { transactionJson } from '../../../src/transaction/transaction-json.ts'
import { readVectors } from '../../support/vectors.ts'

const { transactions } = readVectors<{ transactions: { hex: string }[] }>(
  'komodod/90-chain-dump.json',
)
const [one, other] = transactions.slice(-2).map(({ hex }) => hex) as [string, string]
const malformed = one.slice(2)

/**
 * Returns the texts of the lines that are left, and all answers, with those of `answer` in place.
 */
function answersTo(
  lines: readonly string[],
  form: 'txid' | 'fields',
  answer: (line: string) => string,
) {
  const bytes = Buffer.from(lines.map((it) => `${it}\n`).join(''))
  const { text, count, left, bytes: read } = linesInCore(bytes, form)
  let answers = ''
  let at = 0
  const texts = left.map(({ start, length, position }) => {
    const line = bytes.toString('latin1', start, start + length)
    answers += `${text.slice(at, position)}${answer(line)}\n`
    at = position
    return line
  })
  return { left: texts, answers: answers + text.slice(at), count, isWhole: read === bytes.length }
}

const answerOf = {
  txid: (line: string) => JSON.stringify({ txid: decodeTransaction(line).txid }),
  fields: (line: string) => transactionJson(decodeTransaction(line)),
}

describe.each(['txid', 'fields'] as const)('lines of which the %s is asked', (form) => {
  const answer = (line: string) =>
    readableTransaction(line) === undefined ? `left ${line.length}` : answerOf[form](line)

  test('have one answer each, in their order', () => {
    const lines = [malformed, one, 'zz', other, malformed, '', one]
    const { answers, count, isWhole } = answersTo(lines, form, answer)
    expect(answers).toBe(lines.map((it) => `${answer(it)}\n`).join(''))
    expect(count).toBe(lines.length)
    expect(isWhole).toBe(true)
  })

  test('are left to the caller where they are not transactions, by their place', () => {
    const { left } = answersTo([one, malformed, other, 'zz', one], form, answer)
    expect(left.filter((it) => readableTransaction(it) === undefined)).toEqual([malformed, 'zz'])
  })
})

test('the core reads as many bytes at once as the largest block has', () => {
  expect(linesBytesMax).toBe(4_000_000)
})

describe('transactions that a server sent', () => {
  test('is read where it is hex of one transaction', () => {
    expect(readableTransaction(one)).toEqual(decodeTransaction(one))
  })

  test.each([undefined, null, 5, {}, [one], '', 'zz', malformed, `${one}00`, one.slice(0, -1)])(
    'is not a transaction otherwise, and never an error: %#',
    (given) => {
      expect(readableTransaction(given)).toBeUndefined()
    },
  )
})
