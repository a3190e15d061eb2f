// The makers of units at the place of open asks: recorded orders of both daemons, and other
// transactions.

import { describe, expect, test } from 'vitest'

import { askMakersAt, isAskScript } from '../../../src/audit/open-asks.ts'
import type { Database, Row, Statement } from '../../../src/audit/sqlite.ts'
import {
  decodeTokenTransaction,
  decodeTransaction,
  isAntaraError,
  networks,
} from '../../../src/index.ts'
import { readVectors } from '../../support/vectors.ts'

const { assetChain, tokel } = networks
const place = { token: 1, place: 1 }

/** A ledger that has some transactions with units at the place. */
function ledgerWith(rows: readonly { readonly hex: string; readonly tokenid: string }[]): Database {
  const stored = rows.map(
    ({ hex, tokenid }): Row => ({
      txid: Buffer.from(decodeTransaction(hex).txid, 'hex'),
      raw: Buffer.from(hex, 'hex'),
      tokenid: Buffer.from(tokenid, 'hex'),
    }),
  )
  const statement = { iterate: () => stored.values() } as unknown as Statement
  return { exec: () => undefined, prepare: () => statement, close: () => undefined }
}

const recorded = {
  komodod: { network: assetChain, hexes: hexesOf('komodod') },
  tokeld: { network: tokel, hexes: hexesOf('tokeld') },
}

function hexesOf(daemon: string): string[] {
  const { transactions } = readVectors<{ transactions: { hex: string }[] }>(
    `${daemon}/90-chain-dump.json`,
  )
  return transactions.map(({ hex }) => hex)
}

/** The chains have payloads that nobody reads, too. */
function readOr(hex: string) {
  try {
    return decodeTokenTransaction(hex)
  } catch (error) {
    if (isAntaraError(error)) return undefined
    throw error
  }
}

/** The recorded orders of a kind: their bytes, and the token that they name. */
const ordersIn = (hexes: readonly string[], kind: 'ask' | 'bid') =>
  hexes.flatMap((hex) => {
    const read = readOr(hex)
    const order = read?.payload.extras.find((it) => it.kind === 'assets')?.order
    const tokenid = read?.payload.kind === 'transfer' ? read.payload.tokenid : undefined
    return order?.action === kind && tokenid !== undefined ? [{ hex, tokenid, order }] : []
  })

describe.each(Object.entries(recorded))('on a chain of %s', (_, { network, hexes }) => {
  const asks = ordersIn(hexes, 'ask')
  const makersOf = (rows: readonly { readonly hex: string; readonly tokenid: string }[]) =>
    askMakersAt(ledgerWith(rows), place, network)

  test('units of an ask are those of the key that it names', () => {
    const expected = asks.map(({ hex, order }) => [decodeTransaction(hex).txid, order.origin])
    expect(expected.length).toBeGreaterThan(0)
    expect([...makersOf(asks)]).toEqual(expected)
  })

  test('an ask of another token is none of this one', () => {
    expect(makersOf(asks.map(({ hex }) => ({ hex, tokenid: '11'.repeat(32) }))).size).toBe(0)
  })

  test('a bid, and a transaction without an order, have no maker', () => {
    const bids = ordersIn(hexes, 'bid')
    expect(bids.length).toBeGreaterThan(0)
    expect(makersOf(bids).size).toBe(0)
    expect(
      makersOf(hexes.slice(0, 20).map((hex) => ({ hex, tokenid: '11'.repeat(32) }))).size,
    ).toBe(0)
  })

  test('only the first output of an ask has the script of asks', () => {
    for (const { hex, tokenid } of asks) {
      const created = hexes.find((it) => decodeTransaction(it).txid === tokenid)!
      const { payload } = decodeTokenTransaction(created)!
      const { outputs } = decodeTransaction(hex)
      const isOne = outputs.map(({ script }) => isAskScript(script, payload as never, network))
      expect(isOne).toEqual(outputs.map((_, vout) => vout === 0))
    }
  })
})
