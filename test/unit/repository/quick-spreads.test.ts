import { expect, test } from 'vitest'
import { quickSpreads } from '../../../scripts/quick-spreads.mjs'

test('a literal with members after its first spread begins with a spread of null', () => {
  expect(quickSpreads('x = { ...one, two }')).toBe('x = {...null, ...one, two }')
})

test('a literal within another one begins with it too', () => {
  const code = 'x = { ...one, two: { ...three, ...four } }'
  expect(quickSpreads(code)).toBe('x = {...null, ...one, two: {...null, ...three, ...four } }')
})

test('the object has the same members in the same order', () => {
  const code = '({ ...{ b: 1, a: 2, ["__proto__"]: 3 }, a: 4, ...false, ...{ c: 5 } })'
  const entriesOf = (text: string) => Object.entries(Object(new Function(`return ${text}`)()))
  expect(entriesOf(quickSpreads(code))).toEqual([
    ['b', 1],
    ['a', 4],
    ['__proto__', 3],
    ['c', 5],
  ])
})

test('other code stays as it is', () => {
  const code = 'x = { ...one }; y = { two, ...one }; z = [...one, 2]; f(...one, 2); { const q = 1 }'
  expect(quickSpreads(code)).toBe(code)
})

test('code that was changed already stays as it is', () => {
  const once = quickSpreads('x = { ...one, two }')
  expect(quickSpreads(once)).toBe(once)
})

test('offsets after letters of several bytes are right', () => {
  expect(quickSpreads('x = "é😀"; y = { ...one, two }')).toBe(
    'x = "é😀"; y = {...null, ...one, two }',
  )
})
