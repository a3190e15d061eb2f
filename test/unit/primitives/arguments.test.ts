// Checks of arguments, and the words in which they name what is wrong.

import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'

import {
  argumentError,
  isBigInt64Array,
  isUint8Array,
  isUint32Array,
  kindOf,
  requireArray,
  requireBigint,
  requireBoolean,
  requireByte,
  requireObject,
  requireSome,
  requireString,
  requireUint32,
} from '../../../src/primitives/arguments.ts'
import { closest, didYouMean } from '../../../src/primitives/closest.ts'
import { memberNames, requireKnownMembers } from '../../../src/primitives/known-members.ts'

const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error('a trap')
    },
  },
)

describe('the kind of a value', () => {
  test.each<[string, () => unknown]>([
    ['null', () => null],
    ['undefined', () => undefined],
    ['an array', () => []],
    ['Object', () => ({})],
    ['Date', () => new Date(0)],
    ['an object', () => Object.create(null)],
    ['an object', () => ({ constructor: { name: '' } })],
    ['an object', () => ({ constructor: { name: 5 } })],
    ['an object', () => ({ constructor: undefined })],
    ['an object', () => throwing],
    ['a string', () => ''],
    ['a number', () => 0],
    ['a bigint', () => 0n],
    ['a boolean', () => false],
    ['a function', () => () => 0],
  ])('is told in words that a person understands: %s', (words, make) => {
    const value = make()
    expect(kindOf(value)).toBe(words)
    expect(argumentError('it', 'a text', value)).toEqual(
      new TypeError(`it: expected a text, got ${words}`),
    )
  })
})

test('bytes are bytes in every realm, and nothing else is', () => {
  const other = runInNewContext('new Uint8Array(2)') as unknown
  expect(other instanceof Uint8Array).toBe(false)
  expect([new Uint8Array(), Buffer.alloc(1), other].map(isUint8Array)).toEqual([true, true, true])
  const named = { [Symbol.toStringTag]: 'Uint8Array' }
  const others = [
    named,
    [],
    'ab',
    null,
    undefined,
    new Uint8ClampedArray(),
    new DataView(new ArrayBuffer(1)),
  ]
  expect(others.map(isUint8Array)).toEqual(others.map(() => false))
  const lists = [new BigInt64Array(1), new BigUint64Array(1), new Uint32Array(1), new Int32Array(1)]
  expect(lists.map(isBigInt64Array)).toEqual([true, false, false, false])
  expect(lists.map(isUint32Array)).toEqual([false, false, true, false])
})

describe('a wrong argument', () => {
  test.each<[string, (value: unknown, name: string) => void, unknown[], [unknown, string][]]>([
    ['a string', requireString, ['', 'a'], [[5, 'it: expected a string, got a number']]],
    ['a bigint', requireBigint, [0n, -1n], [[5, 'it: expected a bigint, got a number']]],
    [
      'true or false',
      requireBoolean,
      [true, false],
      [['true', 'it: expected true or false, got a string']],
    ],
    [
      'an integer of 32 bits',
      requireUint32,
      [0, 1, 2 ** 32 - 1],
      [
        ['1', 'it: expected a number, got a string'],
        [-1, 'it: expected an integer from 0 to 2^32 - 1, got -1'],
        [2 ** 32, 'it: expected an integer from 0 to 2^32 - 1, got 4294967296'],
        [0.5, 'it: expected an integer from 0 to 2^32 - 1, got 0.5'],
        [Number.NaN, 'it: expected an integer from 0 to 2^32 - 1, got NaN'],
      ],
    ],
    [
      'a byte',
      requireByte,
      [0, 1, 255],
      [
        ['1', 'it: expected a number, got a string'],
        [-1, 'it: expected an integer from 0 to 255, got -1'],
        [256, 'it: expected an integer from 0 to 255, got 256'],
        [0.5, 'it: expected an integer from 0 to 255, got 0.5'],
      ],
    ],
    [
      'an object',
      requireObject,
      [{}, []],
      [
        [null, 'it: expected an object, got null'],
        ['', 'it: expected an object, got a string'],
      ],
    ],
    [
      'an array without holes',
      requireArray,
      [[], [undefined], [1, 2]],
      [
        [{ length: 0 }, 'it: expected an array, got Object'],
        // biome-ignore lint/suspicious/noSparseArray: it is what is refused
        [[1, , 3], 'it[1]: expected an item, got none'],
        [new Array(1), 'it[0]: expected an item, got none'],
      ],
    ],
  ])('is named with what was expected: %s', (_, check, right, wrong) => {
    for (const value of right) expect(() => check(value, 'it')).not.toThrow()
    for (const [value, message] of wrong) {
      expect(() => check(value, 'it')).toThrow(new TypeError(message))
    }
  })

  test('is an empty array where one item is needed', () => {
    expect(() => requireSome([undefined], 'own', 'key')).not.toThrow()
    const message = 'own: expected at least one key, got an empty array'
    expect(() => requireSome([], 'own', 'key')).toThrow(new TypeError(message))
  })
})

describe('a misspelt word', () => {
  const known = ['verify', 'sign', 'decode', 'feeMax']

  test.each([
    ['verify', 'verify'],
    ['VERIFY', 'verify'],
    ['feemax', 'feeMax'],
    ['verfy', 'verify'],
    ['veriify', 'verify'],
    ['verifz', 'verify'],
    ['evrify', 'verify'],
    ['erify', 'verify'],
    ['eriff', 'verify'],
    ['erif', undefined],
    ['evirfy', 'verify'],
    ['vreifz', 'verify'],
    ['rify', undefined],
    ['eri', undefined],
    ['sing', 'sign'],
    ['sig', 'sign'],
    ['si', undefined],
    ['isng', undefined],
    ['xdecodex', 'decode'],
    ['xdecodexx', undefined],
    ['', undefined],
  ])('has the nearest known word within two typing errors: %s', (word, expected) => {
    expect(closest(word, known)).toBe(expected)
  })

  test('of four letters or fewer may have one typing error, and a longer one two', () => {
    expect(closest('abcd', ['abxy'])).toBeUndefined()
    expect(closest('abcd', ['abcx'])).toBe(`${'abcd'.slice(0, 3)}x`)
    expect(closest('abcde', ['abcxy'])).toBe('abcxy')
    expect(closest('abcde', ['abxyz'])).toBeUndefined()
    expect(closest('abxyz', ['caxyq'])).toBeUndefined()
  })

  test('has the nearest of several, and the first of equally near ones', () => {
    expect(closest('decode', ['decade', 'decodes', 'encode'])).toBe('decade')
    expect(closest('decode', ['encode', 'decades', 'decoder'])).toBe('decoder')
  })

  test('a word of more than 30 letters is not compared', () => {
    expect(closest('a'.repeat(30), ['a'.repeat(30)])).toBe('a'.repeat(30))
    expect(closest('a'.repeat(31), ['a'.repeat(31)])).toBeUndefined()
  })

  test('is followed by a question, if a known word is near', () => {
    expect(didYouMean('verfy', known)).toBe('; did you mean verify?')
    expect(didYouMean('verfy', known, '--')).toBe('; did you mean --verify?')
    expect(didYouMean('quite other', known)).toBe('')
  })
})

describe('a member that nothing reads', () => {
  const names = memberNames<{ fee: 1; feeMax: 2 }>({ fee: true, feeMax: true })

  test('is refused with the nearest one, or with all', () => {
    expect(names).toEqual(['fee', 'feeMax'])
    const check = (value: object) => () => requireKnownMembers(value, names, 'options')
    expect(check({ fee: 1, feeMax: undefined })).not.toThrow()
    expect(check({ maxFee: undefined })).not.toThrow()
    expect(check({ fee: 1, feMax: 2 })).toThrow(
      new TypeError('options: unknown member feMax; did you mean feeMax?'),
    )
    expect(check({ other: null })).toThrow(
      new TypeError('options: unknown member other, expected only fee, feeMax'),
    )
  })

  test('is not shown if it may be a private key', () => {
    const call = () => requireKnownMembers({ ['ab'.repeat(32)]: 1 }, names, 'options')
    expect(call).toThrow('options: unknown member what may be a private key')
  })
})
