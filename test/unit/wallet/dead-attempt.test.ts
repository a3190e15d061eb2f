// When a wallet that trusts its source calls a recorded transaction dead. Too early, and the wallet
// would pay a second time.

import { describe, expect, test } from 'vitest'
import type { HistoryEntry } from '../../../src/chain-source/source.ts'
import { decodeTransaction, encodeTransaction, transactionId } from '../../../src/index.ts'
import { depthMax } from '../../../src/journal/recorded-payment.ts'
import { loadAttemptReader } from '../../../src/rpc/safe-flow/transaction.ts'
import { isDeadAttempt, type ShownByChain } from '../../../src/wallet/dead-attempt.ts'
import { transferHex } from '../../support/resigned.ts'

const expiryHeight = 1000
const madeFor = (height: number) =>
  encodeTransaction({ ...decodeTransaction(transferHex), expiryHeight: height })
const hex = madeFor(expiryHeight)
const txid = transactionId(hex)
const other = 'ab'.repeat(32)
const [first, second] = decodeTransaction(hex).inputs.map((it) => `${it.txid}:${it.vout}`)

interface Shown {
  readonly tip: number
  readonly bytes?: string
  readonly listed?: readonly HistoryEntry[]
  readonly isWhole?: boolean
  readonly spenders?: Readonly<Record<string, HistoryEntry>>
}

async function isDead({ tip, bytes = hex, listed = [], isWhole = true, spenders = {} }: Shown) {
  const shown = {
    chain: { tip: async () => ({ height: tip, hash: '' }) },
    historyOf: async () => ({ listed, isWhole }),
    spenderOf: async (outpoint: string) => spenders[outpoint],
  } as unknown as ShownByChain
  const attempt = (await loadAttemptReader())(bytes)
  return isDeadAttempt(shown, attempt!, {})
}

describe('a transaction that has expired', () => {
  const last = expiryHeight + depthMax

  test('is dead once no reorganization is as deep as its last possible block', async () => {
    expect([await isDead({ tip: last - 1 }), await isDead({ tip: last })]).toEqual([false, true])
  })

  test('is not dead if a block has it, and is if it still waits', async () => {
    expect(await isDead({ tip: last, listed: [{ txid, height: 990 }] })).toBe(false)
    expect(await isDead({ tip: last, listed: [{ txid, height: 0 }] })).toBe(true)
    expect(await isDead({ tip: last, listed: [{ txid: other, height: 990 }] })).toBe(true)
  })

  test('is not dead if a block may have it that no history shows', async () => {
    expect(await isDead({ tip: last, isWhole: false })).toBe(false)
    const spenders = { [first!]: { txid: other, height: 990 } }
    expect(await isDead({ tip: last, isWhole: false, spenders })).toBe(true)
  })

  test('never expires without an expiry height', async () => {
    expect(await isDead({ tip: 2_000_000, bytes: madeFor(0) })).toBe(false)
  })
})

describe('a transaction whose coin another one spends', () => {
  const spentBy = (entry: HistoryEntry, outpoint = first!) => ({ [outpoint]: entry })
  const tip = 900

  test.each([first!, second!])('is dead once the other one is deep: %s', async (outpoint) => {
    const spentAt = (height: number) => spentBy({ txid: other, height }, outpoint)
    expect(await isDead({ tip, spenders: spentAt(tip - depthMax) })).toBe(true)
    expect(await isDead({ tip, spenders: spentAt(tip - depthMax + 1) })).toBe(false)
  })

  test('is not dead while the other one waits, or if it is the same one', async () => {
    expect(await isDead({ tip, spenders: spentBy({ txid: other, height: 0 }) })).toBe(false)
    expect(await isDead({ tip, spenders: spentBy({ txid, height: 5 }) })).toBe(false)
  })
})
