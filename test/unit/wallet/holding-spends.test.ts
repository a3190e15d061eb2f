// Which spends that the journal lacks hold a payment, and which of them make it.

import { expect, test } from 'vitest'
import type { Report } from '../../../src/request/report.ts'
import { unverifiedReport } from '../../../src/request/report.ts'
import type { Transaction } from '../../../src/transaction/types.ts'
import { holdingSpends } from '../../../src/wallet/holding-spends.ts'
import type { Plan } from '../../../src/wallet/plan.ts'

const txidOf = (at: number) => at.toString(16).padStart(64, 'a')
const spend = (at: number, { isBefore = false, isLike = false } = {}) => {
  const transaction = { txid: txidOf(at), outputs: isLike ? [{}] : [] } as unknown as Transaction
  return { transaction, hex: `${at}`, isBefore }
}

/** The payment is like a spend with an output. Verification rejects the spends of some hex. */
async function holding(
  spends: readonly ReturnType<typeof spend>[],
  {
    acknowledged = [],
    submitted,
    rejected = [],
    plan = { mayBe: ({ outputs }) => outputs.length > 0 },
  }: {
    readonly acknowledged?: readonly string[]
    readonly submitted?: string
    readonly rejected?: readonly string[]
    readonly plan?: Pick<Plan, 'mayBe'>
  } = {},
) {
  const verified: string[] = []
  const verify = async (hex: string): Promise<Report> => {
    verified.push(hex)
    const finding = { code: 'recipient_script', severity: 'reject' } as never
    return { ...unverifiedReport, findings: rejected.includes(hex) ? [finding] : [] }
  }
  const asked = plan as Plan
  const found = await holdingSpends(spends, { plan: asked, acknowledged, submitted, verify })
  return { ...found, verified }
}

test('any spend holds but one from before the journal, and one that the caller knows', async () => {
  const acknowledged = [txidOf(3).toUpperCase()]
  const spends = [spend(1), spend(2, { isBefore: true }), spend(3)]
  const held = { unrecorded: [txidOf(1)], equal: [], verified: [] }
  expect(await holding(spends, { acknowledged })).toEqual(held)
})

test('an equal payment holds always, unless it is the transaction of the call', async () => {
  const acknowledged = [txidOf(1), txidOf(2)]
  const spends = [spend(1, { isLike: true }), spend(2, { isBefore: true, isLike: true })]
  const equal = [txidOf(1), txidOf(2)]
  const held = { unrecorded: equal, equal, verified: ['1', '2'] }
  expect(await holding(spends, { acknowledged })).toEqual(held)
  const other = { unrecorded: [txidOf(2)], equal: [txidOf(2)] }
  expect(await holding(spends, { acknowledged, submitted: txidOf(1) })).toMatchObject(other)
})

test('one that pays another is no equal payment', async () => {
  const spends = [spend(1, { isBefore: true, isLike: true }), spend(2, { isLike: true })]
  const held = { unrecorded: [txidOf(2)], equal: [] }
  expect(await holding(spends, { rejected: ['1', '2'] })).toMatchObject(held)
})

test('no spend is verified for a plan that never follows an equal one', async () => {
  const spends = [spend(1, { isLike: true })]
  const held = { unrecorded: [txidOf(1)], equal: [], verified: [] }
  expect(await holding(spends, { plan: {} })).toEqual(held)
})

test('16 equal payments are verified, and the others hold as other spends do', async () => {
  const spends = Array.from({ length: 18 }, (_, at) => {
    return spend(at, { isLike: true, isBefore: at === 17 })
  })
  const { unrecorded, equal, verified } = await holding(spends)
  expect(equal).toEqual(Array.from({ length: 16 }, (_, at) => txidOf(at)))
  expect(verified).toHaveLength(16)
  expect(unrecorded).toEqual([...equal, txidOf(16)])
})
