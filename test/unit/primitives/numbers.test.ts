// Amounts of coins as people, files and daemons write them.

import { LosslessNumber } from 'lossless-json'
import { describe, expect, test } from 'vitest'

import { formatCoins, parseCoins, satsMax, satsOfText } from '../../../src/primitives/amount.ts'

const most = '92233720368.54775807'

describe('an amount of coins', () => {
  test.each([
    [0n, '0.00000000'],
    [1n, '0.00000001'],
    [-1n, '-0.00000001'],
    [99_999_999n, '0.99999999'],
    [100_000_000n, '1.00000000'],
    [-123_456_789_012n, '-1234.56789012'],
    [satsMax, most],
    [-satsMax - 1n, '-92233720368.54775808'],
  ])('%d satoshis is printed as %s', (sats, text) => {
    expect(formatCoins(sats)).toBe(text)
    if (sats >= 0n) expect(parseCoins(text)).toBe(sats)
    expect(satsOfText(text)).toBe(sats)
  })

  test.each([
    ['0', 0n],
    ['4.35', 435_000_000n],
    ['10', 1_000_000_000n],
    ['0.1', 10_000_000n],
  ])('is read exactly from %s', (text, sats) => {
    expect(parseCoins(text)).toBe(sats)
    expect(satsOfText(text)).toBe(sats)
    expect(satsOfText(new LosslessNumber(text))).toBe(sats)
  })

  test.each(['', '-1', '+1', '01', '1.', '.1', '1.123456789', '1e3', ' 1', '1 ', '1,5', '0x1'])(
    'is refused where a person or a program wrote %j',
    (actual) => {
      const fault = { code: 'malformed_amount', context: { actual } }
      expect(() => parseCoins(actual)).toThrow(expect.objectContaining(fault))
      const context = { actual, path: 'amount' }
      expect(() => parseCoins(actual, 'amount')).toThrow(expect.objectContaining({ context }))
    },
  )

  test.each(['92233720368.54775808', '92233720369', '99999999999', '100000000000', '9'.repeat(40)])(
    'is out of range where it is %s',
    (actual) => {
      const fault = { code: 'amount_out_of_range', context: { actual } }
      expect(() => parseCoins(actual)).toThrow(expect.objectContaining(fault))
      const context = { actual, path: 'amount' }
      expect(() => parseCoins(actual, 'amount')).toThrow(expect.objectContaining({ context }))
    },
  )

  test('an amount that may be a private key is not shown', () => {
    const key = 'ab'.repeat(32)
    const context = { actual: 'what may be a private key' }
    expect(() => parseCoins(key)).toThrow(expect.objectContaining({ context }))
  })

  test.each([
    ['-0.5', -50_000_000n],
    ['-3', -300_000_000n],
    ['007', 700_000_000n],
    ['1.50000000000', 150_000_000n],
    ['0.000000010', 1n],
    ['999999999999', 99_999_999_999_900_000_000n],
    [`1.12345678${'0'.repeat(20)}`, 112_345_678n],
  ])('an amount of a server may be %s', (text, sats) => {
    expect(satsOfText(text)).toBe(sats)
  })

  test.each([
    '',
    '1.123456789',
    '1.1234567801',
    `1.12345678${'0'.repeat(21)}`,
    '1.',
    '.5',
    '+1',
    '--1',
    '1e3',
    ' 1',
    '1 ',
    '1000000000000',
    1,
    null,
    undefined,
    ['1'],
    { value: '1' },
    { isLosslessNumber: true, value: '1' },
  ])('an amount of a server is none where it is %j', (value) => {
    expect(satsOfText(value)).toBeUndefined()
  })
})
