// How often a verdict crosses to the engine: each crossing has a price, however little it carries.

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startEngine } from '../../src/engine/call.ts'
import {
  decodeTransaction,
  encodeTransaction,
  type TransferIntent,
  verifyTokenTransfer,
} from '../../src/index.ts'
import { evidenceFor, transfer, transferIntent } from '../support/resigned.ts'

const native = startEngine().engine
const engine = native as unknown as Record<string, unknown>
const uncounted = { ...engine }
let crossings: string[] = []

beforeAll(() => {
  for (const [name, original] of Object.entries(uncounted)) {
    if (typeof original !== 'function') continue
    engine[name] = (...args: unknown[]): unknown => {
      crossings.push(name)
      return Reflect.apply(original, native, args)
    }
  }
})

afterAll(() => {
  Object.assign(engine, uncounted)
})

function crossingsOf(intent: TransferIntent): number {
  const hex = encodeTransaction(transfer)
  const evidence = evidenceFor(transfer, 12)
  crossings = []
  verifyTokenTransfer(hex, intent, evidence)
  return crossings.length
}

test('a verdict on a transfer crosses to the engine a few times, and less once keys are known', () => {
  expect(crossingsOf(transferIntent), crossings.join(' ')).toBeLessThanOrEqual(12)
  expect(crossingsOf(transferIntent), crossings.join(' ')).toBeLessThanOrEqual(8)
})

test('what was decoded tells its txid again without another call', () => {
  const tx = decodeTransaction(encodeTransaction(transfer))
  const { txid } = transfer
  crossings = []
  expect(tx.txid).toBe(txid)
  expect(tx.txid).toBe(txid)
  expect(crossings).toEqual(['transactionId'])
})
