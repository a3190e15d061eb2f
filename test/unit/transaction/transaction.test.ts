import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import {
  decodeTransaction,
  decodeTransactions,
  encodeTransaction,
  transactionId,
  transactionIds,
} from '../../../src/index.ts'

interface ChainTransaction {
  height: number
  txid: string
  hex: string
}

const chain: ChainTransaction[] = JSON.parse(
  readFileSync(new URL('../../vectors/komodod/90-chain-dump.json', import.meta.url), 'utf8'),
).transactions

test('every transaction of a real chain has the txid its daemon gave it', () => {
  expect(chain.length).toBe(452)
  for (const { hex, txid } of chain) expect(transactionId(hex)).toBe(txid)
  expect(transactionIds(chain.map(({ hex }) => hex))).toEqual(chain.map(({ txid }) => txid))
})

test('every transaction of a real chain encodes to the bytes it was decoded from', () => {
  for (const { hex, txid } of chain) {
    expect(encodeTransaction(decodeTransaction(hex))).toBe(hex)
    const fromBytes = decodeTransaction(Buffer.from(hex, 'hex'))
    expect(encodeTransaction(fromBytes)).toBe(hex)
    expect(fromBytes.txid).toBe(txid)
    expect(encodeTransaction(decodeTransaction(hex.toUpperCase()))).toBe(hex)
  }
})

test('a batch decodes as its members do', () => {
  const batch = decodeTransactions(chain.map(({ hex }) => hex))
  expect(batch).toEqual(chain.map(({ hex }) => decodeTransaction(hex)))
})
