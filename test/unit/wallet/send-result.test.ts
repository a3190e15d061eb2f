// The result of a call, by what the flow returned or threw, and by what an earlier call may have sent.

import { describe, expect, test } from 'vitest'
import { AntaraError } from '../../../src/errors/antara-error.ts'
import type { ErrorCode } from '../../../src/errors/codes.ts'
import { type Report, unverifiedReport } from '../../../src/request/report.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import type { SafeFlowResult } from '../../../src/rpc/safe-flow/flow.ts'
import { noSpends } from '../../../src/wallet/holding-spends.ts'
import { NeedsMerge } from '../../../src/wallet/merge.ts'
import {
  type CheckedCase,
  failedResult,
  type Reasons,
  resultOf,
} from '../../../src/wallet/send-result.ts'

const first = { txid: '11'.repeat(32), hex: 'aa01' }
const second = { txid: '22'.repeat(32), hex: 'bb02' }
const other = '33'.repeat(32)

describe('a call that fails', () => {
  const failed = (code: ErrorCode) => new AntaraError(code, { path: 'coins' } as never)

  test.each<ErrorCode>([
    'insufficient_coins',
    'insufficient_tokens',
    // Coins that a source leaves can be too many, too small, or too expensive together.
    'fee_over_limit',
    'fee_below_relay',
    'input_count',
    'transaction_too_large',
    // It can show an order as taken.
    'order_malformed',
  ])('is uncertain if a build fails after an attempt that may have been sent: %s', (code) => {
    const error = failed(code)
    expect(failedResult(error, [first, second])).toEqual({
      ...{ status: 'uncertain', txid: first.txid, unsettled: [first, second], error },
      report: { ...unverifiedReport, hex: first.hex },
    })
    expect(() => failedResult(error, [])).toThrow(error)
  })

  test.each<ErrorCode>(['id_conflict', 'journal_failed', 'journal_chain', 'journal_changed'])(
    'throws the failure of a journal: %s',
    (code) => {
      const error = failed(code)
      expect(() => failedResult(error, [first])).toThrow(error)
    },
  )

  test('throws the failure of a signer', () => {
    const error = new Error('declined on the device')
    expect(() => failedResult(error, [first])).toThrow(error)
  })

  test('is uncertain if the error of the source says that it is', () => {
    const lost = { uncertain: true, txid: second.txid, unsettled: [second] } as const
    const error = new RpcError('transport', 'lost', lost)
    expect(failedResult(error, [first])).toMatchObject({
      ...{ status: 'uncertain', txid: second.txid, unsettled: [second] },
      report: { hex: second.hex },
    })
    const unnamed = new RpcError('transport', 'lost', { uncertain: true })
    expect(failedResult(unnamed, [])).toEqual({
      ...{ status: 'uncertain', report: unverifiedReport, unsettled: [], error: unnamed },
    })
    const refusal = new RpcError('daemon', 'no')
    expect(() => failedResult(refusal, [first])).toThrow(refusal)
  })

  test('has the report of the bytes that may have been sent, and of no others', () => {
    const error = new RpcError('transport', 'lost', { uncertain: true, unsettled: [second, first] })
    const reportOf = ({ txid, hex }: typeof first) => {
      return { ...unverifiedReport, hex, verified: { txid, hex } } as unknown as Report
    }
    const report = reportOf(second)
    expect(failedResult(error, [], report).report).toBe(report)
    const unverified = { ...unverifiedReport, hex: second.hex }
    expect(failedResult(error, [], reportOf(first)).report).toEqual(unverified)
  })

  test('holds for too many inputs, and names what may have been sent', () => {
    const plan = { steps: [], sendable: 7n } as never
    const held = { status: 'held', held: 'needs-merge', merge: plan, report: unverifiedReport }
    expect(failedResult(new NeedsMerge(plan), [])).toEqual(held)
    expect(failedResult(new NeedsMerge(plan), [first])).toEqual({ ...held, unsettled: [first] })
  })
})

describe('a result', () => {
  const of = (
    paid: Partial<SafeFlowResult & CheckedCase>,
    { spends = noSpends, isWarned = false }: Partial<Reasons> = {},
    isForgotten = false,
  ) => resultOf({ report: unverifiedReport, ...paid }, { spends, isWarned }, isForgotten)

  test('is accepted with a txid, rejected, or held', () => {
    expect(of({ txid: other })).toMatchObject({ status: 'accepted', txid: other })
    expect(of({ held: 'rejected' }).status).toBe('rejected')
    expect(of({ held: 'declined' })).toMatchObject({ status: 'held', held: 'declined' })
  })

  test('names a warning only where it held the payment', () => {
    expect(of({ held: 'declined' }, { isWarned: true }).held).toBe('warned')
    expect(of({ held: 'different-inputs' }, { isWarned: true }).held).toBe('different-inputs')
  })

  test('says that only memory has the id, once there is a payment', () => {
    expect(of({ txid: other }, {}, true).onlyInMemory).toBe(true)
    expect(of({ txid: other }).onlyInMemory).toBeUndefined()
    expect(of({ held: 'declined' }, {}, true).onlyInMemory).toBeUndefined()
  })

  test('is uncertain if the rejected bytes may have been sent before', () => {
    const report = { ...unverifiedReport, hex: second.hex.toUpperCase() }
    const unsettled = [first, second]
    const rejected = { held: 'rejected', report, unsettled } as const
    expect(of(rejected)).toMatchObject({ status: 'uncertain', txid: second.txid })
    expect(of({ ...rejected, unsettled: [first] })).toMatchObject({ status: 'rejected' })
    expect(of({ ...rejected, held: 'different-inputs' })).toMatchObject({ status: 'held' })
  })

  test.each(['rejected', 'unsettled', 'declined'] as const)(
    'names the spends that the journal lacks, in place of %s',
    (held) => {
      const spends = { unrecorded: [other], equal: [] }
      const named = { held: 'unrecorded-spends', unrecorded: [other] }
      expect(of({ held }, { spends })).toEqual({
        ...named,
        status: 'held',
        report: unverifiedReport,
      })
      const equal = of({ held }, { spends: { ...spends, equal: [other] } })
      expect(equal).toMatchObject({ ...named, status: 'held', paidBy: [other] })
      expect(of({ held, unsettled: [first, second] }, { spends })).toMatchObject({
        ...named,
        ...{ status: 'uncertain', txid: first.txid, report: { hex: first.hex } },
      })
    },
  )

  test('keeps another reason beside such spends, and a payment that was made', () => {
    const spends = { unrecorded: [other], equal: [other] }
    expect(of({ held: 'different-inputs' }, { spends }).held).toBe('different-inputs')
    expect(of({ txid: first.txid }, { spends })).toMatchObject({ status: 'accepted' })
  })
})
