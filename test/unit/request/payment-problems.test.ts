// The rules for the payees, the data and the fee of a payment, called directly, on both sides of each
// limit.

import { describe, expect, test } from 'vitest'

import { addressOf, networks } from '../../../src/index.ts'
import { satsMax } from '../../../src/primitives/amount.ts'
import {
  nulldataProblems,
  nulldataScript,
  paymentFeeProblems,
  readPayees,
} from '../../../src/request/payment-problems.ts'
import { p2pkh } from '../../support/payments.ts'
import { codes, error, errorsIn } from '../../support/problems.ts'
import { a, b, p2pk } from '../../support/resigned.ts'

const { assetChain } = networks
const secret = 'UwibHKsYfiM19BXQmcUwAfw331GzGQK8aoPqqYEbyoPrzc2965nE'
const hidden = 'what may be a private key'

describe('the payees of a payment', () => {
  const read = (...recipients: Parameters<typeof readPayees>[0][number][]) =>
    readPayees(recipients, assetChain)
  const address = addressOf(a, assetChain)

  test('are paid by address or script, which may be of any case', () => {
    expect(read({ address, amount: 5n }, { script: p2pk(b).toUpperCase(), amount: 'max' })).toEqual(
      {
        payees: [{ script: p2pkh(a), value: 5n }, { script: p2pk(b) }],
        problems: [],
      },
    )
    expect(read({ address, script: p2pkh(a), amount: 5n }).problems).toEqual([])
  })

  test('are not none', () => {
    const { problems } = read()
    expect(problems).toMatchObject([{ code: 'recipients', path: 'recipients', actual: 'none' }])
    expect(errorsIn(problems)).toEqual([
      'recipients: expected at least one recipient, got an empty array',
    ])
  })

  test('get all that is left once', () => {
    const all = { address, amount: 'max' } as const
    expect(read(all).problems).toEqual([])
    const { problems } = read(all, { address, amount: 1n }, all)
    expect(problems).toMatchObject([
      { code: 'recipients', path: 'recipients', expected: 'max once', actual: 2 },
    ])
    expect(errorsIn(problems)).toEqual([
      'recipients: expected the amount max once, got it several times',
    ])
  })

  test('get amounts that are possible', () => {
    expect(codes(read({ address, amount: 0n }).problems)).toEqual(['amount recipients[0].amount'])
  })

  test('have an address or a script, not both, and not neither', () => {
    const both = read({ address, amount: 1n }, { address, script: p2pk(a), amount: 1n })
    expect(both.payees).toEqual([
      { script: p2pkh(a), value: 1n },
      { script: '', value: 1n },
    ])
    expect(both.problems).toMatchObject([{ code: 'payee', path: 'recipients[1]', actual: address }])
    expect(errorsIn(both.problems)).toEqual([
      'recipients[1]: expected an address or a script, not both, ' +
        `got an address that pays ${p2pkh(a)}, and the script ${p2pk(a)}`,
    ])
    const neither = read({ amount: 1n })
    expect(neither.problems).toMatchObject([{ path: 'recipients[0]', actual: 'neither' }])
    expect(errorsIn(neither.problems)).toEqual([
      'recipients[0].script: expected an address or a script, got undefined',
    ])
  })

  test('are named in an error, and what may be a private key is hidden', () => {
    const { payees, problems } = read({ address: secret, amount: 'max' })
    expect(payees).toEqual([{ script: '' }])
    expect(problems).toMatchObject([
      { actual: hidden, inError: error({ path: 'recipients[0].address' }) },
    ])
    const [wrong] = read({ script: 'zz', amount: 1n }).problems
    expect(wrong).toMatchObject({
      actual: 'zz',
      inError: error({ code: 'malformed_hex', path: 'recipients[0].script' }),
    })
  })

  // komodo src/script/script.h, MAX_SCRIPT_SIZE
  test('have no script that is too long to be executed', () => {
    expect(read({ script: '51'.repeat(10_000), amount: 1n }).problems).toEqual([])
    expect(read({ script: '51'.repeat(10_001), amount: 1n }).problems).toMatchObject([
      { code: 'payee', inError: error({ code: 'burn_key', path: 'recipients[0]' }) },
    ])
    expect(read({ script: 'zz'.repeat(10_001), amount: 1n }).problems).toMatchObject([
      { code: 'payee', inError: error({ code: 'malformed_hex' }) },
    ])
  })
})

describe('the data of a payment', () => {
  test('are hex', () => {
    expect(nulldataProblems('ab', assetChain)).toEqual([])
    expect(errorsIn(nulldataProblems('', assetChain))).toEqual([
      'nulldata: expected at least one byte, got an empty string',
    ])
    expect(nulldataProblems('abc', assetChain)).toMatchObject([
      { code: 'data', path: 'nulldata', actual: 'abc', inError: error({ code: 'odd_length_hex' }) },
    ])
  })

  test('have the script of a push, which nodes relay up to a length', () => {
    expect(nulldataScript('AB', assetChain)).toBe('6a01ab')
    const most = assetChain.nulldataBytesMax - 3
    expect(nulldataScript('00'.repeat(most), assetChain)).toHaveLength(
      2 * assetChain.nulldataBytesMax,
    )
    expect(() => nulldataScript('00'.repeat(most + 1), assetChain)).toThrow('nulldata')
  })

  test('are shown in part, and refused as too long if they exceed a script', () => {
    expect(nulldataProblems('00'.repeat(10_000), assetChain)).toEqual([])
    expect(nulldataProblems('00'.repeat(10_001), assetChain)).toMatchObject([
      {
        code: 'data',
        path: 'nulldata',
        actual: '0'.repeat(100),
        inError: error({ code: 'nulldata_too_large' }),
      },
    ])
  })
})

describe('the fee of a payment', () => {
  test('is any amount up to the most', () => {
    expect(paymentFeeProblems({})).toEqual([])
    expect(paymentFeeProblems({ fee: 0n, maxFee: 0n })).toEqual([])
    expect(paymentFeeProblems({ fee: satsMax })).toEqual([])
    expect(paymentFeeProblems({ feeRate: 1_000_000_000n, maxFee: 5n })).toEqual([])
    expect(paymentFeeProblems({ feeRate: 0n })).toEqual([])
  })

  test.each<[object, string, object]>([
    [{ fee: -1n }, '-1, , ', { code: 'amount_out_of_range', path: 'fee', actual: -1n }],
    [{ fee: satsMax + 1n }, `${satsMax + 1n}, , `, { code: 'amount_out_of_range', path: 'fee' }],
    [{ feeRate: -1n }, ', , -1', { code: 'amount_out_of_range', path: 'feeRate' }],
    [
      { feeRate: 1_000_000_001n },
      ', , 1000000001',
      { code: 'fee_rate_out_of_range', path: 'feeRate', actual: 1_000_000_001n },
    ],
  ])('is not %o', (fees, actual, inError) => {
    expect(paymentFeeProblems(fees)).toEqual([
      { code: 'fee', path: 'fee', actual, inError: error(inError) },
    ])
  })

  test('is not given beside a rate', () => {
    const problems = paymentFeeProblems({ fee: 1n, feeRate: 1n })
    expect(codes(problems)).toEqual(['fee fee'])
    expect(errorsIn(problems)).toEqual(['feeRate: expected nothing beside fee, got a bigint'])
  })

  test('is not above the most that was asked for', () => {
    expect(paymentFeeProblems({ fee: 6n, maxFee: 6n })).toEqual([])
    expect(paymentFeeProblems({ fee: 7n, maxFee: 6n })).toEqual([
      {
        code: 'feeOverMax',
        path: 'fee',
        actual: '7, 6, ',
        inError: { expected: 6n, actual: 7n },
      },
    ])
    expect(codes(paymentFeeProblems({ maxFee: -1n }))).toEqual(['feeOverMax fee'])
    const [problem] = paymentFeeProblems({ feeRate: 1000n, maxFee: -1n })
    const context = { path: 'maxFee', actual: -1n }
    expect(problem?.inError).toMatchObject({ code: 'amount_out_of_range', context })
  })
})
