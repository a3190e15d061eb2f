// An answer belongs to a call if it has the call's id, digit by digit.

import { expect, test } from 'vitest'
import { isAnswerTo } from '../../../src/guard/answer-of.ts'

test.each([
  ['7', '7'],
  ['9007199254740993', '9007199254740993'],
  ['10000000000000000000', '10000000000000000000'],
  ['"9007199254740993"', '"9007199254740993"'],
])('the id %s is answered by itself', (id, given) => {
  expect(isAnswerTo(id, `{"result":1,"id":${given}}`)).toBe(true)
})

test.each([
  ['7', '8'],
  ['9007199254740993', '9007199254740992'],
  ['9007199254740992', '9007199254740993'],
  ['10000000000000000000', '10000000000000000001'],
  ['[10000000000000000000]', '[10000000000000000001]'],
])('the id %s is not answered by %s', (id, given) => {
  expect(isAnswerTo(id, `{"result":1,"id":${given}}`)).toBe(false)
})
