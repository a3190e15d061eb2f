import { expect, test } from 'vitest'

import { LosslessNumber } from '../../../src/primitives/json.ts'
import { wholeNumberIn } from '../../../src/primitives/whole-number.ts'

test.each([
  [0, 0],
  ['0', 0],
  [new LosslessNumber('700'), 700],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
])('%j is a whole number', (value, number) => {
  expect(wholeNumberIn(value)).toBe(number)
})

test.each([
  ['an empty text', ''],
  ['blanks', ' '],
  ['digits with a blank', '5 '],
  ['an empty list', []],
  ['a list of one number', [5]],
  ['an object that looks like a number', { value: '5', isLosslessNumber: true }],
  ['null', null],
  ['true', true],
  ['undefined', undefined],
  ['a negative number', -1],
  ['a fraction', new LosslessNumber('1.5')],
  ['hexadecimal digits', '0x10'],
  ['a number above the safe integers', '9007199254740992'],
  ['a long run of digits', '9'.repeat(1_000_000)],
])('%s is not a whole number', (_, value) => {
  expect(wholeNumberIn(value)).toBeUndefined()
})
