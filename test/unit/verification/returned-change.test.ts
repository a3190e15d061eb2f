// Change that returns to the scripts whose coins are spent.

import { describe, expect, test } from 'vitest'
import { moreThanReturned } from '../../../src/verification/returned-change.ts'

const change = (...values: readonly bigint[]) => values.map((value) => ({ payee: 'a', value }))

describe('change to a payer', () => {
  test('may be worth more than all coins, if they are its own: a reward is added', () => {
    const coins = [
      { payer: 'a', value: 5n },
      { payer: 'a', value: 3n },
    ]
    expect(moreThanReturned(change(9n), coins)).toEqual([])
  })

  test.each(['b', undefined])(
    'is at most its share beside the coin of another payer: %s',
    (payer) => {
      const coins = [
        { payer: 'a', value: 5n },
        { payer, value: 3n },
      ]
      expect(moreThanReturned(change(5n), coins)).toEqual([])
      expect(moreThanReturned(change(6n), coins)).toEqual(change(6n))
      // Outputs of the same payee count together.
      expect(moreThanReturned(change(4n, 2n), coins)).toEqual(change(2n))
    },
  )

  test('is too much if none of its coins are spent', () => {
    expect(moreThanReturned(change(1n), [{ payer: 'b', value: 3n }])).toEqual(change(1n))
  })
})
