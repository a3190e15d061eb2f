// Parsing costs time and memory by the number of values, so text of strangers is bounded by that.

import { expect, test } from 'vitest'

import { conditionAnswer } from '../../../src/cli/condition-answer.ts'
import { parseCase } from '../../../src/index.ts'
import { hasMoreValues } from '../../../src/primitives/json.ts'
import { textOf } from '../../support/files.ts'
import { refusalOf } from '../../support/refusal.ts'
import { isQuick } from '../../support/share.ts'

test.each([
  ['["a,b[{"]', 2],
  ['["\\",\\\\"]', 2],
  ['[1,2]', 3],
  ['{"a":1,"b":[2]}', 4],
  ['[{},{}]', 5],
])('counts the values of %s as at most %i', (text, values) => {
  expect(hasMoreValues(text, values)).toBe(false)
  expect(hasMoreValues(text, values - 1)).toBe(true)
})

const lineBytes = 63 << 20

/** Milliseconds of processor time, because a clock counts the work of other processes as well. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

test.each([
  ['numbers', `[${'0,'.repeat(lineBytes / 2 - 2)}0]`],
  ['objects', `[${'{},'.repeat(lineBytes / 3 - 2)}{}]`],
])('refuses a line of 63 MiB of %s without parsing it', (_, text) => {
  for (const read of [parseCase, (line: string) => conditionAnswer('encode', line)]) {
    const start = processorMs()
    expect(refusalOf(() => read(text))).toMatchObject({ code: 'malformed_case', path: 'case' })
    expect(processorMs() - start).toBeLessThan(1_000)
  }
})

test('takes a case with thousands of previous transactions', () => {
  const text = textOf('examples/transfer.json')
  const { previousTransactions, ...rest } = JSON.parse(text)
  const many = Array(50_000).fill(previousTransactions[0])
  const read = parseCase(JSON.stringify({ ...rest, previousTransactions: many }))
  expect(read.evidence!.previousTransactions).toHaveLength(50_000)
})

test('reads a tree with many costs in the time of its length', () => {
  const costs = `{"cost":"1"},`.repeat(isQuick ? 10_000 : 40_000)
  const text = `{"t":[${costs}0],"x":"${'a'.repeat((isQuick ? 5 : 20) << 20)}"}`
  const start = processorMs()
  expect(refusalOf(() => conditionAnswer('encode', text)).code).toBe('malformed_case')
  expect(processorMs() - start).toBeLessThan(3_000)
})
