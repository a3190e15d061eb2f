// A problem of a request becomes a finding of a verifier, or an error of a builder.

import { describe, expect, test } from 'vitest'
import { errorOf, resultOf } from '../../../src/errors/malformed.ts'
import { AntaraError } from '../../../src/index.ts'
import { hexError, problemFindings, throwFirst } from '../../../src/request/problem.ts'
import { refusal } from '../../support/bobs-tokens.ts'

const fault = new AntaraError('wrong_length', { path: 'order' })

describe('problems', () => {
  test('are all findings of a verifier, on members of the request', () => {
    const problems = [
      { code: 'amount', path: 'amount', expected: 'at least 1', actual: 0n, inError: fault },
      { code: 'burn', path: 'from' },
    ] as const
    expect(problemFindings(problems)).toMatchObject([
      { code: 'intent_amount', path: 'intent.amount', expected: 'at least 1', actual: 0n },
      { code: 'intent_burn', path: 'intent.from' },
    ])
    expect(problemFindings(problems, '').map(({ path }) => path)).toEqual(['amount', 'from'])
    expect(problemFindings(problems)[0]).not.toHaveProperty('inError')
  })

  test('are errors of a builder, which throws the first', () => {
    const second = { code: 'burn', path: 'from' } as const
    const thrown = refusal(() =>
      throwFirst([{ code: 'amount', path: 'amount', actual: 0n }, second]),
    )
    expect(thrown).toMatchObject({ code: 'amount_out_of_range', path: 'amount', actual: 0n })
    expect(thrown.expected).toBeUndefined()
    expect(throwFirst([])).toBeUndefined()
  })

  test('have an error of their own, other values in the error, or what the code expects', () => {
    expect(() => throwFirst([{ code: 'order', path: 'order', inError: fault }])).toThrow(fault)
    const inError = { expected: 6n, actual: 7n }
    const tooHigh = { code: 'feeOverMax', path: 'fee', actual: '7, 6' } as const
    expect(refusal(() => throwFirst([{ ...tooHigh, inError }]))).toMatchObject({
      code: 'fee_over_limit',
      path: 'fee',
      expected: 6n,
      actual: 7n,
    })
    expect(
      refusal(() => throwFirst([{ code: 'ownName', path: 'own[0]', actual: 'x' }])),
    ).toMatchObject({
      code: 'unknown_address',
      expected: 'a compressed public key, an address or a script',
      actual: 'x',
    })
  })
})

describe('a read value', () => {
  const throws = (error: Error) => () => {
    throw error
  }

  test('is returned, or the error of malformed data instead', () => {
    expect(resultOf(() => 5)).toBe(5)
    expect(resultOf(throws(fault))).toBe(fault)
    expect(errorOf(() => 5)).toBeUndefined()
    expect(errorOf(throws(fault))).toBe(fault)
  })

  test('hides no mistake in an argument', () => {
    expect(() => resultOf(throws(new TypeError('network')))).toThrow(TypeError)
  })

  test('is hex of one byte at least', () => {
    expect(hexError('Ab', 'data')).toBeUndefined()
    expect(hexError('', 'data')).toBeInstanceOf(TypeError)
    expect(hexError('a', 'data')).toMatchObject({ code: 'odd_length_hex' })
  })
})
