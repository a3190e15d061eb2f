// Hex, Base64, Base58Check, UTF-8 and the integers of the wire. Buffer and bs58check are the oracles.

import bs58check from 'bs58check'
import { describe, expect, test } from 'vitest'

import { decodeBase58Check, encodeBase58Check } from '../../../src/primitives/base58check.ts'
import {
  base64FromHex,
  base64OfBytes,
  bytesOfBase64,
  hexFromBase64,
} from '../../../src/primitives/base64.ts'
import {
  bytesFromHex,
  hexFromBytes,
  normalizeHex,
  reverseHex,
} from '../../../src/primitives/hex.ts'
import {
  compressedKey,
  isCompressedKey,
  isHex,
  isHex32,
  isPublicKey,
} from '../../../src/primitives/hex-forms.ts'
import {
  hasHalfCharacter,
  lossyUtf8Bytes,
  utf8Bytes,
  utf8Hex,
  utf8Length,
} from '../../../src/primitives/utf8.ts'
import {
  byteHex,
  compactSizeBytes,
  compactSizeHex,
  compactSizeMax,
  cursorOver,
  fixedHex,
  hexText,
  integerHex,
  readByte,
  readCompactSize,
  readHex,
  readUnsigned,
  readVector,
  remaining,
  textOfHex,
  vectorHex,
} from '../../../src/primitives/wire.ts'

function errorOf(call: () => unknown): object {
  try {
    call()
  } catch (error) {
    const { code, context } = error as { code: string; context: object }
    return { code, ...context }
  }
  throw new Error('nothing was thrown')
}

/** Bytes that are all different in their neighbourhood. */
const some = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 73 + 11) & 0xff)

describe('hex', () => {
  test.each([0, 1, 2, 63, 64, 65, 255, 256, 4095, 4096, 4097, 8192, 8193])(
    'is written and read as Buffer does: %d bytes',
    (length) => {
      const bytes = some(length)
      const hex = Buffer.from(bytes).toString('hex')
      expect(hexFromBytes(bytes)).toBe(hex)
      expect(Buffer.from(bytesFromHex(hex)).equals(bytes)).toBe(true)
      expect(Buffer.from(bytesFromHex(hex.toUpperCase())).equals(bytes)).toBe(true)
      expect(reverseHex(hex)).toBe(Buffer.from(bytes).reverse().toString('hex'))
    },
  )

  test('becomes lower case', () => {
    expect(normalizeHex('aBCdEF09')).toBe('abcdef09')
    expect(normalizeHex('')).toBe('')
  })

  test.each([
    ['g0', { code: 'malformed_hex', offset: 0, actual: 'g' }],
    ['0g', { code: 'malformed_hex', offset: 0, actual: 'g' }],
    ['00 ', { code: 'malformed_hex', offset: 1, actual: ' ' }],
    ['0000x', { code: 'malformed_hex', offset: 2, actual: 'x' }],
    ['ABC', { code: 'odd_length_hex', offset: 1 }],
    ['abcde', { code: 'odd_length_hex', offset: 2 }],
  ])(
    'is refused with the byte of its fault, and with its path if it has one: %j',
    (text, fault) => {
      expect(errorOf(() => normalizeHex(text))).toEqual(fault)
      expect(errorOf(() => bytesFromHex(text, 'data'))).toEqual({ ...fault, path: 'data' })
    },
  )

  test.each([
    ['', false, false],
    ['a', false, false],
    ['ag', false, false],
    ['aG09', false, false],
    ['aF', true, false],
    ['a0b', false, false],
    ['ab'.repeat(32), true, true],
    ['AB'.repeat(32), true, false],
    [`${'ab'.repeat(32)}00`, true, false],
    [`x${'ab'.repeat(32)}`, false, false],
    ['ab'.repeat(31), true, false],
  ])('has the form of bytes, and of 32 bytes in lower case: %j', (text, isIt, is32) => {
    expect([isHex(text), isHex32(text)]).toEqual([isIt, is32])
  })

  test('hex of 32 bytes is a text', () => {
    expect(isHex32(5)).toBe(false)
    expect(isHex32(['ab'.repeat(32)])).toBe(false)
    expect(isCompressedKey([`02${'ab'.repeat(32)}`])).toBe(false)
  })

  test.each([
    [`02${'ab'.repeat(32)}`, true, true],
    [`03${'ab'.repeat(32)}`, true, true],
    [`04${'ab'.repeat(64)}`, false, true],
    [`04${'ab'.repeat(32)}`, false, false],
    [`02${'ab'.repeat(64)}`, false, false],
    [`02${'AB'.repeat(32)}`, false, false],
    [`02${'ab'.repeat(32)}00`, false, false],
    [`x02${'ab'.repeat(32)}`, false, false],
    [`04${'ab'.repeat(64)}00`, false, false],
    [`x04${'ab'.repeat(64)}`, false, false],
  ])('has the form of a public key: %s', (text, isCompressed, isKey) => {
    expect([isCompressedKey(text), isPublicKey(text)]).toEqual([isCompressed, isKey])
  })

  test('an uncompressed key is compressed by whether its second coordinate is odd', () => {
    const x = 'ab'.repeat(32)
    expect(compressedKey(`04${x}${'00'.repeat(31)}0e`)).toBe(`02${x}`)
    expect(compressedKey(`04${x}${'00'.repeat(31)}0f`)).toBe(`03${x}`)
    expect(compressedKey(`04${x}${'00'.repeat(31)}01`)).toBe(`03${x}`)
  })
})

describe('Base64', () => {
  test.each([0, 1, 2, 3, 4, 4095, 4096, 4097, 9000])('is that of Buffer: %d bytes', (length) => {
    const bytes = Buffer.from(some(length))
    const text = bytes.toString('base64')
    expect(base64OfBytes(bytes)).toBe(text)
    expect(base64FromHex(bytes.toString('hex'), 'standard')).toBe(text.replace(/=+$/, ''))
    expect(base64FromHex(bytes.toString('hex'), 'url')).toBe(bytes.toString('base64url'))
    expect(Buffer.from(bytesOfBase64(text)).equals(bytes)).toBe(true)
    for (const spelled of [text, text.replace(/=+$/, ''), bytes.toString('base64url')]) {
      expect(hexFromBase64(spelled)).toBe(bytes.toString('hex'))
    }
  })

  test.each([
    'A',
    'AAAAA',
    '=',
    'AA=',
    'AAA==',
    'AAAA=',
    'AAAA==',
    'A===',
    '=AAA',
    'AA=A',
    'A A=',
    'AA?=',
  ])('is refused where it is malformed: %j', (text) => {
    expect(hexFromBase64(text)).toBeUndefined()
  })

  test('is read by the decoder of the platform where it has one', () => {
    const platform = Uint8Array as { fromBase64?: (text: string) => Uint8Array }
    const own = Object.getOwnPropertyDescriptor(Uint8Array, 'fromBase64')
    const seen: string[] = []
    platform.fromBase64 = (text) => {
      seen.push(text)
      return Uint8Array.of(7)
    }
    expect(bytesOfBase64('AAAA')).toEqual(Uint8Array.of(7))
    Reflect.deleteProperty(Uint8Array, 'fromBase64')
    expect(bytesOfBase64('AAAB')).toEqual(Uint8Array.of(0, 0, 1))
    if (own !== undefined) Object.defineProperty(Uint8Array, 'fromBase64', own)
    expect(seen).toEqual(['AAAA'])
  })
})

describe('Base58Check', () => {
  test.each([0, 1, 20, 21, 33, 34])('is that of bs58check: %d bytes', (length) => {
    const payload = some(length)
    const text = bs58check.encode(payload)
    expect(encodeBase58Check(payload)).toBe(text)
    expect(Buffer.from(decodeBase58Check(text)!).equals(payload)).toBe(true)
  })

  test('text with any character changed has a wrong checksum', () => {
    const text = bs58check.encode(some(21))
    for (let at = 0; at < text.length; at += 1) {
      const changed = text.slice(0, at) + (text[at] === '2' ? '3' : '2') + text.slice(at + 1)
      expect(decodeBase58Check(changed)).toBeUndefined()
    }
  })

  test.each(['', '1', '11', '111', '0OIl', 'a b'])(
    'is no text as short or as foreign as %j',
    (text) => {
      expect(decodeBase58Check(text)).toBeUndefined()
    },
  )
})

describe('UTF-8', () => {
  test.each([
    ['', 0],
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['🪙', 4],
  ])('the text %j has %d bytes', (text, length) => {
    expect(utf8Length(text)).toBe(length)
    expect(utf8Hex(text, 'name')).toBe(Buffer.from(text).toString('hex'))
    expect(Buffer.from(utf8Bytes(text, 'name')).toString()).toBe(text)
    expect(textOfHex(utf8Hex(text, 'name'))).toBe(text)
  })

  test('refuses half of a character, without any of the text', () => {
    for (const text of ['a\ud83e', '\ude99b', '\ude99\ud83e']) {
      expect(hasHalfCharacter(text)).toBe(true)
      expect(errorOf(() => utf8Bytes(text, 'name'))).toEqual({
        code: 'text_mismatch',
        path: 'name',
        expected: 'UTF-8',
        actual: 'half of a character',
      })
      expect(Buffer.from(lossyUtf8Bytes(text)).toString()).toContain('\ufffd')
    }
    expect(hasHalfCharacter('🪙')).toBe(false)
  })

  test('keeps a byte order mark, and shows bytes that are none as replacements', () => {
    expect(textOfHex('efbbbf61')).toBe('\ufeffa')
    expect(textOfHex('61ff62')).toBe('a\ufffdb')
  })
})

describe('a cursor', () => {
  test('reads bytes in order, and says where they end', () => {
    const cursor = cursorOver('01FF02030405')
    expect(remaining(cursor)).toBe(6)
    expect(readByte(cursor, 'version')).toBe(1)
    expect(readByte(cursor, 'version')).toBe(0xff)
    expect(readUnsigned(cursor, 2, 'count')).toBe(0x0302n)
    expect(remaining(cursor)).toBe(2)
    const missing = { code: 'truncated', offset: 4, path: 'hash', expected: 3, actual: 2 }
    expect(errorOf(() => readHex(cursor, 3, 'hash'))).toEqual(missing)
    expect(readHex(cursor, 2, 'hash')).toBe('0405')
    expect(readHex(cursor, 0, 'rest')).toBe('')
    expect(errorOf(() => readByte(cursor, 'more'))).toMatchObject({ offset: 6, actual: 0 })
  })

  test.each([
    ['00', 0],
    ['fc', 252],
    ['fdfd00', 253],
    ['fdffff', 0xffff],
    ['fe00000100', 0x10000],
    ['fe00000002', compactSizeMax],
  ])('reads the CompactSize %s, and its value is written so', (hex, value) => {
    const cursor = cursorOver(`${hex}aa`)
    expect(readCompactSize(cursor, 'count')).toBe(value)
    expect(remaining(cursor)).toBe(1)
    expect(compactSizeHex(value)).toBe(hex)
    expect(compactSizeBytes(value)).toBe(hex.length / 2)
  })

  test.each([
    ['fdfc00', 'non_canonical_length'],
    ['feffff0000', 'non_canonical_length'],
    ['ffffffffff00000000', 'non_canonical_length'],
    ['fe01000002', 'length_over_limit'],
    ['ff0000000001000000', 'length_over_limit'],
  ])('refuses the CompactSize %s at its first byte', (hex, code) => {
    const cursor = cursorOver(`aa${hex}`)
    readByte(cursor, 'before')
    expect(errorOf(() => readCompactSize(cursor, 'count'))).toEqual({
      code,
      offset: 1,
      path: 'count',
    })
  })

  test.each([
    ['fd00', 3, 2],
    ['fe000001', 5, 4],
    ['ff00000000010000', 9, 8],
  ])('refuses the CompactSize %s as cut short', (hex, expected, actual) => {
    const cursor = cursorOver(hex)
    const fault = { code: 'truncated', offset: 0, path: 'count', expected, actual }
    expect(errorOf(() => readCompactSize(cursor, 'count'))).toEqual(fault)
    const later = cursorOver(`aa${hex}`)
    readByte(later, 'before')
    expect(errorOf(() => readCompactSize(later, 'count'))).toEqual({ ...fault, offset: 1 })
  })

  test('reads and writes data behind their length', () => {
    expect(readVector(cursorOver('03aabbccdd'), 'data')).toBe('aabbcc')
    expect(vectorHex('aabbcc')).toBe('03aabbcc')
    expect(vectorHex('ab'.repeat(253))).toBe(`fdfd00${'ab'.repeat(253)}`)
    expect(errorOf(() => readVector(cursorOver('03aabb'), 'data'))).toMatchObject({ offset: 1 })
  })

  test('is made of a text alone', () => {
    expect(() => cursorOver(5 as never)).toThrow(
      new TypeError('script: expected a string, got a number'),
    )
    expect(() => hexText(5 as never, 'data')).toThrow(
      new TypeError('data: expected a string, got a number'),
    )
  })
})

test('hex of a fixed length has that length', () => {
  expect(fixedHex('AABB', 2, 'id')).toBe('aabb')
  const wrong = { code: 'wrong_length', path: 'id', expected: 2, actual: 3 }
  expect(errorOf(() => fixedHex('aabbcc', 2, 'id'))).toEqual(wrong)
})

test.each([
  [0n, 1, '00'],
  [1n, 4, '01000000'],
  [-1n, 4, 'ffffffff'],
  [-2n, 2, 'feff'],
  [0x0102n, 2, '0201'],
  [0x010203n, 2, '0302'],
])('the integer %d of %d bytes is written as %s', (value, count, hex) => {
  expect(integerHex(value, count)).toBe(hex)
})

test('a byte has two digits', () => {
  expect([0, 9, 16, 255].map(byteHex)).toEqual(['00', '09', '10', 'ff'])
})
