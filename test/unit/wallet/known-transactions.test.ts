// The transactions that a wallet has read. It needs the bytes of all, and few of them decoded.

import { expect, test } from 'vitest'
import { decodeTransaction, encodeTransaction, type Transaction } from '../../../src/index.ts'
import type { ChainSource } from '../../../src/wallet/index.ts'
import { createKnownTransactions } from '../../../src/wallet/transactions.ts'

function transactionOf(outputs: number, lockTime: number): string {
  const script = `76a914${'22'.repeat(20)}88ac`
  return encodeTransaction({
    overwintered: true,
    version: 4,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: Array.from({ length: outputs }, () => ({ value: 1n, script })),
    lockTime,
    expiryHeight: 0,
  } as unknown as Transaction)
}

test('keeps the bytes of all transactions, and decodes large ones again that were not read for long', () => {
  const known = createKnownTransactions({} as ChainSource)
  const small = known.add(transactionOf(1, 0))!
  const first = known.add(transactionOf(2000, 0))!
  expect(known.get(first.txid)).toBe(first)
  for (let at = 1; at <= 240; at += 1) known.add(transactionOf(2000, at))
  expect(known.get(small.txid)).toBe(small)
  const again = known.get(first.txid)
  expect(again).toEqual(first)
  expect(again).not.toBe(first)
  expect(known.get(first.txid)).toBe(again)
  expect(decodeTransaction(known.hexOf(first.txid)!)).toEqual(first)
})
