import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import {
  type AntaraError,
  decodeTransaction,
  decodeTransactions,
  encodeTransaction,
  type TransactionFields,
  transactionId,
  transactionIds,
} from '../../../src/index.ts'
import { decodeWithTxid } from '../../../src/transaction/decode.ts'
import { isMalleatedCopy } from '../../../src/transaction/malleated-copy.ts'
import { shareOf } from '../../support/share.ts'

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
  for (const { hex, txid } of shareOf(chain)) {
    expect(encodeTransaction(decodeTransaction(hex))).toBe(hex)
    const fromBytes = decodeTransaction(Buffer.from(hex, 'hex'))
    expect(encodeTransaction(fromBytes)).toBe(hex)
    expect(fromBytes.txid).toBe(txid)
    for (const decode of [decodeTransaction, decodeWithTxid]) {
      expect(decode(hex.toUpperCase())).toEqual(decodeTransaction(hex))
      expect(decode(Buffer.from(hex, 'hex'))).toEqual(decodeTransaction(hex))
      expect(decode(hex).txid).toBe(txid)
    }
  }
})

test('a batch decodes as its members do', () => {
  const batch = decodeTransactions(chain.map(({ hex }) => hex))
  expect(batch).toEqual(chain.map(({ hex }) => decodeTransaction(hex)))
})

describe('a transaction', () => {
  const [first] = chain
  const fields: TransactionFields = {
    version: 1,
    overwintered: false,
    inputs: [{ txid: '11'.repeat(32), vout: 1, scriptSig: '51', sequence: 7 }],
    outputs: [{ value: 5n, script: '51' }],
    lockTime: 3,
  }
  const decoded = (more: Partial<TransactionFields> = {}) =>
    decodeTransaction(encodeTransaction({ ...fields, ...more }))

  test('has its txid as JSON too, which nobody asked for before', () => {
    const text = JSON.stringify(decodeTransaction(first!.hex), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(JSON.parse(text)).toMatchObject({ txid: first!.txid, version: 4 })
  })

  test('a source that is neither text nor bytes is a TypeError that names it', () => {
    for (const decode of [decodeTransaction, decodeWithTxid, transactionId]) {
      for (const source of [7, null, {}, [0]]) {
        expect(() => decode(source as never)).toThrow(
          expect.objectContaining({
            name: 'TypeError',
            message: expect.stringMatching(/^source: expected hex or a Uint8Array, got /),
          }),
        )
      }
    }
  })

  test('is named by what is too short in it, in bytes', () => {
    const contextOf = (more: Partial<TransactionFields>) => {
      try {
        encodeTransaction({ ...fields, ...more })
      } catch (error) {
        return (error as AntaraError).context
      }
      return undefined
    }
    const inputs = [{ ...fields.inputs[0]!, txid: '11'.repeat(31) }]
    expect(contextOf({ inputs })).toEqual({
      path: 'inputs[0].txid',
      expected: '32 bytes',
      actual: '31 bytes',
    })
    const spend = { cv: '00'.repeat(30) } as never
    expect(contextOf({ shieldedSpends: [spend] })).toEqual({
      path: 'shieldedSpends[0].cv',
      expected: '32 bytes',
      actual: '30 bytes',
    })
  })

  // BIP 62: a third party can change how an input is signed, and so the txid
  test('has copies with other scriptSigs, and with nothing else', () => {
    const one = decoded()
    const scriptSigs = (...texts: string[]) =>
      texts.map((scriptSig, vout) => ({ ...fields.inputs[0]!, vout: vout + 1, scriptSig }))
    expect(isMalleatedCopy(decoded({ inputs: scriptSigs('52') }), one)).toBe(true)
    const others: Partial<TransactionFields>[] = [
      { lockTime: 4 },
      { version: 2 },
      { outputs: [{ value: 6n, script: '51' }] },
      { outputs: [{ value: 5n, script: '52' }] },
      { inputs: scriptSigs('51', '51') },
      { inputs: [{ ...fields.inputs[0]!, sequence: 8 }] },
      { inputs: [{ ...fields.inputs[0]!, vout: 2 }] },
    ]
    for (const other of others) expect(isMalleatedCopy(decoded(other), one)).toBe(false)
  })
})
