import { expect, test } from 'vitest'

import { derOfCompact } from '../../../src/signing/der.ts'

const ones = '11'.repeat(31)

// BIP 66: a number has the shortest form that is not negative, so a zero precedes only a high bit.
test.each([
  ['1', '1', '3006020101020101'],
  ['0', '0', '3006020100020100'],
  ['7f', '80', '300702017f02020080'],
  ['ff', '7f', '3007020200ff02017f'],
  ['100', '8000', '3009020201000203008000'],
  [`9${ones}`, `a${ones}`, `3044022009${ones}02200a${ones}`],
  [`11${ones}`, `22${ones}`, `3044022011${ones}022022${ones}`],
  [`80${ones}`, `7f${ones}`, `304502210080${ones}02207f${ones}`],
  [`90${ones}`, `ff${ones}`, `304602210090${ones}022100ff${ones}`],
  [`a0${ones}`, `ef${ones}`, `3046022100a0${ones}022100ef${ones}`],
  [ones, ones.slice(2), `3041021f${ones}021e${ones.slice(2)}`],
])('r %s and s %s', (r, s, der) => {
  expect(derOfCompact(r.padStart(64, '0') + s.padStart(64, '0'))).toBe(der)
})
