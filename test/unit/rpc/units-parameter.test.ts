// An amount of token units fits the daemon's 64 bits.

import { expect, test } from 'vitest'

import { units } from '../../../src/rpc/daemon/parameter.ts'

test.each([0n, -1n, 2n ** 63n])('an amount of %s is refused with both bounds', (amount) => {
  expect(() => units.write(amount, 'amount')).toThrow(/1 to 9223372036854775807/)
})

test.each([1n, 2n ** 63n - 1n])('an amount of %s is within the bounds', (amount) => {
  expect(units.write(amount, 'amount')).toBe(String(amount))
})
