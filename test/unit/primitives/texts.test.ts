// Texts that are shown to people: without private keys, and without characters that mislead.

import { describe, expect, test } from 'vitest'

import { briefly, internalError } from '../../../src/primitives/internal-error.ts'
import { printable, printableJson, printableMessage } from '../../../src/primitives/printable.ts'
import {
  isAddressLike,
  mayHoldPrivateKey,
  redactKey,
  redactPublicKey,
  withoutKeys,
} from '../../../src/primitives/redact-key.ts'
import { styleOf } from '../../../src/primitives/style.ts'

const hidden = 'what may be a private key'
// The point of the private key 1, SEC 2 section 2.4.1.
const point = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const address = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'

describe('a text that may hold a private key', () => {
  test.each([
    ['32 bytes of hex', 'ab'.repeat(32)],
    ['32 bytes in capitals', 'AB'.repeat(32)],
    ['32 bytes in Base64', `${'A1'.repeat(21)}A`],
    ['a WIF', 'UwcfpUFDzYbgnEjCH8Wv8LcDGx8v7sYyXcWg3f4tJk2nPqRsTvWx'],
    ['a key in quotation marks', `"${'ab'.repeat(32)}"`],
    ['a key among words', `the key is ${'ab'.repeat(32)} and no other`],
    ['a key cut by blanks', 'ab '.repeat(32)],
    ['a key cut by lines', 'abababab\n'.repeat(8)],
    ['a key cut by what nobody sees', 'ab\u200b'.repeat(32)],
    ['a key with a flag that looks like a public key', `02${'ff'.repeat(31)}01`],
    ['a public key with a byte more', `${point}00`],
    ['an uncompressed public key', `04${'ab'.repeat(64)}`],
  ])('is not shown: %s', (_, text) => {
    expect(mayHoldPrivateKey(text)).toBe(true)
    expect(redactKey(text)).toBe(hidden)
    expect(redactPublicKey(text)).toBe(hidden)
  })

  test.each([
    ['a compressed public key', point],
    ['a public key in capitals', point.toUpperCase()],
    ['a public key that is no point and ends otherwise', `02${'ff'.repeat(32)}`],
    ['42 letters', 'A1'.repeat(21)],
    ['words with marks between them', `${'a'.repeat(42)}.${'b'.repeat(42)}`],
    ['an empty text', ''],
  ])('is shown where it cannot be one: %s', (_, text) => {
    expect(mayHoldPrivateKey(text)).toBe(false)
    expect(redactKey(text)).toBe(text)
  })

  test('is a public key with the end 01 only if it is a point', () => {
    // About half of all numbers below the prime are the first coordinate of a point.
    const found = Array.from({ length: 64 }, (_, at) => `02${at.toString(16).padStart(62, '0')}01`)
    const shown = found.filter((text) => !mayHoldPrivateKey(text))
    expect(shown.length).toBeGreaterThan(10)
    expect(shown.length).toBeLessThan(54)
  })

  test('is shown up to 140 characters', () => {
    const text = 'a word '.repeat(40)
    expect(redactKey(text)).toBe(hidden)
    const marks = 'a-word.'.repeat(40)
    expect(redactKey(marks)).toBe(marks.slice(0, 140))
  })

  test('is shown as an address where a public key is expected', () => {
    expect(redactPublicKey(address)).toBe(`this is an address: ${address}`)
    expect(redactPublicKey('no address')).toBe('no address')
    expect(isAddressLike('1'.repeat(26))).toBe(true)
    expect(isAddressLike('z'.repeat(35))).toBe(true)
    for (const other of [
      '1'.repeat(25),
      '1'.repeat(36),
      `${address}0`,
      `0${address}`,
      `O${address.slice(1)}`,
    ]) {
      expect(isAddressLike(other)).toBe(false)
    }
  })

  test('loses every long word where a message is quoted', () => {
    expect(withoutKeys(`key ${'ab'.repeat(32)} and ${'C'.repeat(43)}.`)).toBe(
      'key (hidden) and (hidden).',
    )
    expect(withoutKeys('a'.repeat(42))).toBe('a'.repeat(42))
  })
})

describe('a failure that no input should cause', () => {
  test('is told by its first line, without private keys, and keeps its cause', () => {
    const cause = new Error(`bad ${'ab'.repeat(32)}\nat secret.ts`)
    const error = internalError(cause)
    expect(error).toMatchObject({
      code: 'internal_error',
      context: { actual: 'Error: bad (hidden)' },
    })
    expect(error.cause).toBe(cause)
  })

  test.each<[unknown, string]>([
    ['text', 'text'],
    ['', ''],
    [undefined, 'undefined'],
    [`${'a '.repeat(150)}`, 'a '.repeat(100)],
    [
      {
        toString() {
          throw new Error('no')
        },
      },
      'a value that cannot be read',
    ],
    [Object.create(null), 'a value that cannot be read'],
  ])('may be any value: %o', (cause, words) => {
    expect(briefly(cause)).toBe(words)
  })
})

describe('text for a terminal', () => {
  test.each([
    ['a plain line', 'a\\b ~', 'a\\\\b ~', 'a\\b ~'],
    ['a line end', 'a\nb', 'a\\u{a}b', 'a\\u{a}b'],
    ['a delete', 'a\x7f', 'a\\u{7f}', 'a\\u{7f}'],
    ['a character beyond 16 bits that is not assigned', '\u{e0001}x', '\\u{e0001}x', '\\u{e0001}x'],
  ])(
    'has escapes for what does not show, and for backslashes unless they are escapes: %s',
    (_, text, shown, message) => {
      expect(printable(text)).toBe(shown)
      expect(printableMessage(text)).toBe(message)
    },
  )

  test('is JSON of the same value where it was JSON', () => {
    for (const value of ['a\u0085b', '\u{e0001}\u202e', 'é', ['\u00a0', 1]]) {
      const json = JSON.stringify(value, undefined, 2)
      const shown = printableJson(json)
      expect(JSON.parse(shown)).toEqual(value)
      expect(shown).toMatch(/^[\n -~é]*$/)
    }
    expect(printableJson('["a\\n",\n 1]')).toBe('["a\\n",\n 1]')
    expect(printableJson('"\u00a0"')).toBe('"\\u00a0"')
  })
})

test('emphasis is an escape of terminals, or nothing', () => {
  const { bold, red, green, yellow, dim } = styleOf(true)
  const shown = [bold, red, green, yellow, dim].map((style) => style('x'))
  expect(shown).toEqual([1, 31, 32, 33, 2].map((code) => `\u001b[${code}mx\u001b[0m`))
  expect(Object.values(styleOf(false)).map((style) => style('x'))).toEqual(Array(5).fill('x'))
})
