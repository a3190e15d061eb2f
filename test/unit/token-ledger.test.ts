import { describe, expect, test } from 'vitest'
import { decodeTransaction, type Transaction } from '../../src/index.ts'
import { fulfillmentsOf } from '../../src/token/rules/fulfillment.ts'
import { createTokenLedger } from '../../src/token/rules/ledger.ts'
import { readVectors } from '../support/komodod.ts'

const { transactions } = readVectors<{ transactions: { txid: string; hex: string }[] }>(
  'komodod/90-chain-dump.json',
)
interface Proofs {
  refused: { note: string; reason: string; hex: string }[]
  supplies: { tokenid: string; supply: number | null }[]
}
const { refused, supplies } = readVectors<Proofs>('token/proofs.json')
const chain = new Map(transactions.map(({ txid, hex }) => [txid, decodeTransaction(hex)]))
const find = (txid: string): Transaction | undefined => chain.get(txid)
const ledger = createTokenLedger()

const spends = (code: string) => (tx: Transaction) =>
  fulfillmentsOf(tx).some((it) => it?.evalCodes.includes(code))

describe('the ledger and a komodod agree', () => {
  test('that what it mined keeps the rules', () => {
    const mined = [...chain.values()]
    const transfers = mined.filter(spends('f2'))
    const orders = mined.filter(spends('e3'))
    expect([transfers.length, orders.length]).toEqual([46, 3])
    for (const it of transfers) expect(ledger.refusal(it, find), it.txid).toBeUndefined()
    for (const it of orders) expect(ledger.orderRefusal(it, find), it.txid).toBeUndefined()
  })

  test.each(refused)('on why it refused: $note', ({ hex, reason }) => {
    expect(ledger.refusal(decodeTransaction(hex), find)).toBe(reason)
  })

  test.each(supplies)('on the supply of $tokenid', ({ tokenid, supply }) => {
    expect(ledger.supplyOf(tokenid, find)).toBe(BigInt(supply ?? 0))
  })
})
