// Versions before 3 hash the whole transaction once for each input: komodo
// src/script/interpreter.cpp, SignatureHash.

import { expect, test } from 'vitest'

import type { Transaction } from '../../../src/index.ts'
import {
  checkHashedBytes,
  hashedBytes,
  isTooMuchToHash,
} from '../../../src/verification/hashed-bytes.ts'

const transactionWith = (inputs: number, scripts: readonly string[], overwintered = false) =>
  ({
    inputs: Array.from({ length: inputs }, () => ({})),
    outputs: scripts.map((script) => ({ value: 1n, script })),
    overwintered,
  }) as unknown as Transaction

test('each signature of an old version hashes every input and output', () => {
  expect(hashedBytes(transactionWith(1, []))).toBe(41)
  expect(hashedBytes(transactionWith(3, []))).toBe(3 * 3 * 41)
  expect(hashedBytes(transactionWith(2, ['51', '76a914']))).toBe(2 * (2 * 41 + 9 + 1 + 9 + 3))
  expect(hashedBytes(transactionWith(0, ['51']))).toBe(0)
})

test('each signature of version 4 hashes the same few bytes', () => {
  expect(hashedBytes(transactionWith(3, ['51'], true))).toBe(0)
  expect(checkHashedBytes(transactionWith(1000, ['51'], true))).toEqual([])
})

test('a transaction that takes a second to hash is rejected', () => {
  // 500 x (500 x 41 + 9 + 59491) = 40,000,000
  const most = transactionWith(500, ['51'.repeat(59_491)])
  expect(isTooMuchToHash(most)).toBe(false)
  expect(checkHashedBytes(most)).toEqual([])
  const more = transactionWith(500, ['51'.repeat(59_492)])
  expect(isTooMuchToHash(more)).toBe(true)
  expect(checkHashedBytes(more)).toMatchObject([
    {
      code: 'too_much_to_hash',
      severity: 'reject',
      path: 'inputs',
      expected: 40_000_000,
      actual: 40_000_500,
    },
  ])
})
