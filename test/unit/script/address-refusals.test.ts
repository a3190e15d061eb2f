// A mistyped address is refused with the reason: money sent to a wrong one is lost.

import { describe, expect, test } from 'vitest'
import { networks, scriptOfAddress } from '../../../src/index.ts'

const address = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
const key = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const mistyped = 'a checksum that does not match: a character is mistyped'
const noBase58 = 'a character that Base58 does not have'

describe('a text that is not an address is refused as', () => {
  test.each([
    ['', '0 characters'],
    ['   ', 'blanks'],
    ['\t', 'blanks'],
    [` ${address}`, 'blanks around it'],
    [`${address}\n`, 'blanks around it'],
    [key, 'a public key'],
    [key.toUpperCase(), 'a public key'],
    [`03${key.slice(2)}`, 'a public key'],
    [`04${key.slice(2)}`, noBase58],
    [`1${key}`, noBase58],
    [`${key}1`, noBase58],
    [`02${'zz'.repeat(32)}`, noBase58],
    ['021', noBase58],
    [`0${address.slice(1)}`, noBase58],
    [`${address.slice(0, -1)}0`, noBase58],
    [`${address.slice(0, 9)}l${address.slice(10)}`, noBase58],
    ['!', noBase58],
    [`${address.slice(0, -1)}c`, mistyped],
    ['1'.repeat(25), '25 characters'],
    ['1'.repeat(26), mistyped],
    ['1'.repeat(35), mistyped],
    ['1'.repeat(36), '36 characters'],
  ])('%j: %s', (text, why) => {
    const context = expect.objectContaining({ actual: expect.stringMatching(`: ${why}$`) })
    const refused = expect.objectContaining({ code: 'unknown_address', context })
    expect(() => scriptOfAddress(text, networks.komodo)).toThrow(refused)
  })
})
