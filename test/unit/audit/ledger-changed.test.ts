// Chains that a stranger made, and ledgers that go on in memory: each holds what the rules allow.

import { expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import { refusalsIn, tokensIn } from '../../../src/audit/queries.ts'
import { OtherChainError } from '../../../src/audit/store.ts'
import {
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  type Transaction,
} from '../../../src/index.ts'
import {
  blocksOf,
  contentOf,
  hashOf,
  ledgerOf,
  many,
  network,
  noSqlite,
  opened,
  type Row,
  withAncestors,
} from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'

const [, , , , creation, transfer] = many.map(({ hex }) => decodeTransaction(hex))
const rowOf = (tx: Transaction): Row => ({ height: 0, hex: encodeTransaction(tx) })
const stranger = '11'.repeat(32)

const txidsIn = (database: Parameters<typeof contentOf>[0]) =>
  database
    .prepare('SELECT txid FROM tx ORDER BY id')
    .all()
    .map(({ txid }) => Buffer.from(txid as Uint8Array).toString('hex'))

describeUnless(noSqlite)('a ledger that goes on in memory', () => {
  test.each([1, 2, 3])('is the same in batches of %i blocks', async (size) => {
    const rows = withAncestors((it) => it === 46)
    const { database } = await ledgerOf(rows, false)
    const apart = await opened(false)
    const blocks = blocksOf(rows)
    for (let at = 0; at < blocks.length; at += size) {
      await bringForward(apart.ledger, blocks.slice(at, at + size))
    }
    expect(contentOf(apart.database)).toEqual(contentOf(database))
  })

  test('drops a transaction when its last output that can be spent is spent', async () => {
    const [first] = creation!.inputs
    const payTo = (outputs: Transaction['outputs'], inputs = [first!]): Transaction => ({
      ...creation!,
      inputs,
      outputs,
    })
    const coin = { value: 5n, script: '51' }
    const note = { value: 0n, script: '6a0151' }
    // Neither the note of the first nor what another script ends with is ever spent.
    const paid = payTo([note, coin, { value: 0n, script: '6a016a' }])
    const paidHex = encodeTransaction(paid)
    const { txid } = decodeTransaction(paidHex)
    const next = payTo([coin], [{ ...first!, txid, vout: 1 }])
    const { database } = await ledgerOf([{ height: 0, hex: paidHex }, rowOf(next)], false)
    expect(txidsIn(database)).toEqual([decodeTransaction(encodeTransaction(next)).txid])
  })

  test('takes a transaction without outputs', async () => {
    const { ledger } = await ledgerOf([rowOf({ ...creation!, outputs: [] })], false)
    expect(ledger.counts).toMatchObject({ transactions: 1, tokenTransactions: 0 })
  })

  test('names another fault than a repetition where two add to one file', async () => {
    const { database, ledger } = await opened(false)
    const other = new Ledger(database, { network, signatures: false })
    const [one, , , two] = blocksOf(many)
    await ledger.add([one!.read()], 100)
    const refused = await other.add([two!.read()], 100).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(isAntaraError(refused)).toBe(false)
    expect(ledger.tip).toEqual({ height: 100, hash: hashOf(100) })
  })

  test('trusts no block without a header after its last one, unless it is asked to', async () => {
    const { ledger } = await ledgerOf(many.slice(0, 5), false)
    const headless = blocksOf(many)
      .slice(5)
      .map((it) => {
        const { hash, transactions } = it.read()
        return { ...it, read: () => ({ hash, transactions }) }
      })
    await expect(bringForward(ledger, headless)).rejects.toThrow(OtherChainError)
    await bringForward(ledger, headless, { isTrusted: true })
    expect(ledger.tip?.height).toBe(106)
  })
})

describeUnless(noSqlite)('a ledger of a chain that a stranger made', () => {
  const held = (database: Parameters<typeof tokensIn>[0]) => tokensIn(database)[0]?.held
  const rules = (database: Parameters<typeof refusalsIn>[0]) =>
    refusalsIn(database).map(({ rule }) => rule)

  test('counts nothing of a token that it has not seen', async () => {
    const { database, ledger } = await ledgerOf(many.slice(5), false)
    expect([tokensIn(database), refusalsIn(database)]).toEqual([[], []])
    expect(ledger.counts).toMatchObject({ tokenTransactions: 0, refused: 0 })
  })

  test('counts nothing for a transfer whose parent it has not seen', async () => {
    const { database } = await ledgerOf([...many.slice(0, 5), many[6]!], false)
    expect(rules(database)).toEqual(['unequal_amounts'])
    expect(held(database)).toBe(10_000n)
  })

  test.each([true, false])(
    'refuses a transfer with a further input from nowhere: signatures %s',
    async (signatures) => {
      const inputs = [...transfer!.inputs, { ...transfer!.inputs[1]!, txid: stranger }]
      const rows = [...many.slice(0, 5), rowOf({ ...transfer!, inputs })]
      const { database } = await ledgerOf(rows, signatures)
      expect(rules(database)).toEqual(signatures ? ['signature_invalid'] : [])
    },
  )

  test('counts the units of an output once, though two transactions spend it', async () => {
    const again = rowOf({ ...transfer!, lockTime: transfer!.lockTime + 1 })
    const { database, ledger } = await ledgerOf([...many.slice(0, 6), again], false)
    expect(rules(database)).toEqual(['unequal_amounts'])
    expect(held(database)).toBe(10_000n)
    expect(ledger.counts.refused).toBe(1)
  })

  test('takes a creation with a further input that it has not seen', async () => {
    const inputs = [...creation!.inputs, { ...creation!.inputs[0]!, txid: stranger }]
    const { database } = await ledgerOf(
      [...many.slice(0, 4), rowOf({ ...creation!, inputs })],
      false,
    )
    expect(held(database)).toBe(10_000n)
  })

  // The payer of the network's fee need not move the tokens; the chain checks that input.
  test('looks at the signatures of inputs that bring tokens, and of no others', async () => {
    const spoiled = (at: number, tx: Transaction) => {
      const { scriptSig, ...rest } = tx.inputs[at]!
      const digit = scriptSig.length / 2
      const other = scriptSig[digit] === '0' ? '1' : '0'
      const changed = scriptSig.slice(0, digit) + other + scriptSig.slice(digit + 1)
      return rowOf({ ...tx, inputs: tx.inputs.with(at, { ...rest, scriptSig: changed }) })
    }
    const fee = await ledgerOf([...many.slice(0, 5), spoiled(0, transfer!)])
    expect(rules(fee.database)).toEqual([])
    const token = await ledgerOf([...many.slice(0, 5), spoiled(1, transfer!)])
    expect(rules(token.database)).toEqual(['signature_invalid'])
    for (const signatures of [true, false]) {
      const { database } = await ledgerOf([...many.slice(0, 4), spoiled(0, creation!)], signatures)
      expect(rules(database)).toEqual(signatures ? ['signature_invalid'] : [])
      expect(held(database)).toBe(signatures ? undefined : 10_000n)
    }
  })
})
