// A spend is compared with the amounts of a payment before it is verified.

import { expect, test } from 'vitest'

import { paysEach } from '../../../src/rpc/safe-flow/transaction.ts'
import type { Transaction } from '../../../src/transaction/types.ts'

const paying = (...values: bigint[]) =>
  ({ outputs: values.map((value) => ({ value, script: '' })) }) as unknown as Transaction

test('a transaction pays each amount, in any order, once for equal ones', () => {
  const pays = paysEach([1n, 2n, 2n])
  expect(pays(paying(3n, 2n, 1n))).toBe(true)
  expect(pays(paying(3n, 2n))).toBe(false)
  expect(paysEach([])(paying())).toBe(true)
})

test('reads each output once, however many amounts there are', () => {
  let reads = 0
  const outputs = Array.from({ length: 500 }, (_, at) => ({
    script: '',
    get value() {
      reads += 1
      return BigInt(at)
    },
  }))
  const amounts = outputs.map((_, at) => BigInt(499 - at))
  expect(paysEach(amounts)({ outputs } as unknown as Transaction)).toBe(true)
  expect(reads).toBe(500)
})
