import fc from 'fast-check'
import { expect, test } from 'vitest'

import { recentValues } from '../../../src/primitives/recent.ts'

const keptIn = (values: ReturnType<typeof recentValues<string>>) =>
  ['a', 'b', 'c'].filter((key) => values.get(key) !== undefined)

test('values stay while they are together as large as allowed', () => {
  const values = recentValues<string>(6)
  values.add('a', 'one', 3)
  values.add('b', 'two', 3)
  expect(keptIn(values)).toEqual(['a', 'b'])
})

test('the value that was not used for the longest time is forgotten first', () => {
  const values = recentValues<string>(6)
  values.add('a', 'one', 3)
  values.add('b', 'two', 3)
  expect(values.get('a')).toBe('one')
  values.add('c', 'six', 1)
  expect(keptIn(values)).toEqual(['a', 'c'])
})

test('a value that is larger than all together is forgotten at once, with the others', () => {
  const values = recentValues<string>(6)
  values.add('a', 'one', 3)
  values.add('b', 'huge', 7)
  expect(keptIn(values)).toEqual([])
  values.add('c', 'six', 6)
  expect(keptIn(values)).toEqual(['c'])
})

test('a key keeps its first value, which counts once', () => {
  const values = recentValues<string>(6)
  values.add('a', 'one', 3)
  values.add('a', 'two', 3)
  values.add('b', 'three', 3)
  expect([values.get('a'), values.get('b')]).toEqual(['one', 'three'])
})

test('clearing makes room for new values', () => {
  const values = recentValues<string>(6)
  values.add('a', 'one', 6)
  values.clear()
  values.add('b', 'two', 6)
  expect(keptIn(values)).toEqual(['b'])
})

test('a removed value makes room, and its key takes another one', () => {
  const values = recentValues<string>(6)
  values.add('a', 'one', 3)
  values.remove('a')
  values.remove('c')
  values.add('a', 'two', 3)
  values.add('b', 'three', 3)
  expect([values.get('a'), values.get('b')]).toEqual(['two', 'three'])
})

test('forgetting the oldest of many takes no longer than of few', () => {
  const values = recentValues<string>(100_000)
  for (let key = 0; key < 100_000; key += 1) values.add(`${key}`, 'some', 1)
  const began = performance.now()
  for (let key = 100_000; key < 200_000; key += 1) values.add(`${key}`, 'some', 1)
  // A search for each one, through the places of all before it, took several seconds.
  expect(performance.now() - began).toBeLessThan(1000)
  expect([values.get('0'), values.get('199999')]).toEqual([undefined, 'some'])
})

test('the kept values are those of a list in the order of their last use', () => {
  const key = fc.integer({ min: 0, max: 9 }).map(String)
  const use = fc.record({
    key,
    size: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(use, { maxLength: 300 }),
      (most, uses) => {
        const values = recentValues<string>(most)
        const listed: { readonly key: string; readonly size: number }[] = []
        const sum = () => listed.reduce((total, { size }) => total + size, 0)
        for (const { key, size } of uses) {
          const at = listed.findIndex((it) => it.key === key)
          if (size === undefined) {
            expect(values.get(key) !== undefined).toBe(at >= 0)
            if (at >= 0) listed.push(...listed.splice(at, 1))
          } else {
            values.add(key, 'some', size)
            if (at < 0) listed.push({ key, size })
            while (sum() > most) listed.shift()
          }
        }
      },
    ),
  )
})
