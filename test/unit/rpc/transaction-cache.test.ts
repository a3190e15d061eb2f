// A cache of transactions keeps only bytes that hash to the txid by which they are found.

import { expect, test } from 'vitest'

import { encodeTransaction, transactionId } from '../../../src/index.ts'
import { createTransactionCache } from '../../../src/rpc/safe-flow/transaction-cache.ts'
import { transfer } from '../../support/resigned.ts'

function madeAt(lockTime: number) {
  const hex = encodeTransaction({ ...transfer, lockTime })
  return { hex, txid: transactionId(hex) }
}
const [one, other] = [madeAt(1), madeAt(2)]

test('a transaction is found by its txid, and no other', async () => {
  const cache = createTransactionCache()
  expect(cache.get(one.txid)).toBeUndefined()
  await cache.add(one.txid, one.hex)
  expect(cache.get(one.txid)).toBe(one.hex)
  expect(cache.get(other.txid)).toBeUndefined()
})

test.each([
  ['of another transaction', other.hex],
  ['that are cut short', one.hex.slice(0, -2)],
  ['that are not a transaction', 'error'],
])('bytes %s do not stay', async (_, hex) => {
  const cache = createTransactionCache()
  await cache.add(one.txid, hex)
  expect(cache.get(one.txid)).toBeUndefined()
})

test('the oldest leaves when there are too many digits', async () => {
  const cache = createTransactionCache(one.hex.length + other.hex.length - 1)
  await cache.add(one.txid, one.hex)
  await cache.add(other.txid, other.hex)
  expect([cache.get(one.txid), cache.get(other.txid)]).toEqual([undefined, other.hex])
})
