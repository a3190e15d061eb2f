// Lists of other parties may be longer than a call may have arguments. V8 then throws a RangeError, at
// about 120,000. A report or an answer is due whatever their length.

import { expect, test } from 'vitest'

import { resultText } from '../../../src/cli/show-value.ts'
import { encodeTransaction, verifyPayment } from '../../../src/index.ts'
import { intent, payment, tipHeight } from '../../support/payments.ts'

const many = 130_000

test('each of very many oversized previous transactions has its finding', () => {
  // An oversized one is not decoded, so the length of the list is all that counts.
  const previousTransactions = Array<string>(many).fill('00'.repeat(200_001))
  const evidence = { previousTransactions, tipHeight }
  const { ok, findings } = verifyPayment(encodeTransaction(payment), intent, evidence)
  expect(ok).toBe(false)
  expect(findings.filter(({ code }) => code === 'previous_transaction_malformed')).toHaveLength(
    many,
  )
})

test('each of very many members of a reply is shown', () => {
  const reply = Object.fromEntries(Array.from({ length: many }, (_, at) => [`m${at}`, at]))
  const lines = resultText(reply).split('\n')
  expect(lines).toHaveLength(many + 1)
  expect(lines.at(-2)).toBe(`m${many - 1}  ${many - 1}`)
})
