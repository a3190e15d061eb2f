// Chains that a stranger made, and ledgers that go on in memory: each holds what the rules allow.

import { describe, expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import { holdersOf, proofOf, refusalsIn, tokensIn } from '../../../src/audit/queries.ts'
import { openDatabase, type SqlValue } from '../../../src/audit/sqlite.ts'
import {
  ChangedLedgerError,
  OtherChainError,
  settingOf,
  UnlinkedBlocksError,
} from '../../../src/audit/store.ts'
import {
  decodeTransaction,
  encodeTransaction,
  networks,
  type Transaction,
  tokenAddress,
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
import { readVectors } from '../../support/vectors.ts'

const [, , , , creation, transfer] = many.map(({ hex }) => decodeTransaction(hex))
const rowOf = (tx: Transaction): Row => ({ height: 0, hex: encodeTransaction(tx) })
const stranger = '11'.repeat(32)
const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'

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

  test.each([
    ['a transfer to many', many, true, []],
    // The chain has one creation of tokens v1.
    ['a chain of a tokeld', withAncestors((it) => it === 46), false, ['other_module']],
  ] as const)(
    'is the same where it is opened anew for each block: %s',
    async (_, rows, signatures, rules) => {
      const { database, ledger } = await ledgerOf(rows, signatures)
      const { database: anew } = await opened(signatures)
      let refused = 0
      for (const block of blocksOf(rows)) {
        const next = new Ledger(anew, { network, signatures })
        await bringForward(next, [block])
        refused += next.counts.refused
      }
      expect(contentOf(anew)).toEqual(contentOf(database))
      expect(refusalsIn(database).map(({ rule }) => rule)).toEqual(rules)
      expect([ledger.counts.refused, refused]).toEqual([rules.length, rules.length])
    },
  )

  describe('a payment', () => {
    const [first] = creation!.inputs
    const coin = { value: 5n, script: '51' }
    const note = { value: 0n, script: '6a0151' }
    const idOf = (row: Row) => decodeTransaction(row.hex).txid
    const pay = (outputs: Transaction['outputs'], spent: Partial<typeof first> = {}) =>
      rowOf({ ...creation!, inputs: [{ ...first!, ...spent }], outputs })

    test('is dropped when all is spent but what nobody can spend', async () => {
      // Another output only ends with the byte of such an output.
      const paid = pay([note, coin, { value: 0n, script: '6a016a' }])
      const next = pay([coin], { txid: idOf(paid), vout: 1 })
      const { database } = await ledgerOf([paid, next], false)
      expect(txidsIn(database)).toEqual([idOf(next)])
    })

    test('is dropped with its last output, in whatever batches', async () => {
      const paid = pay([coin, coin, { value: 1n, script: '516a' }])
      const spends = [0, 1, 2].map((vout) => pay([coin], { txid: idOf(paid), vout }))
      const { database, ledger } = await opened(false)
      const blocks = blocksOf([paid, ...spends])
      const left = []
      for (const block of blocks) {
        await bringForward(ledger, [block])
        const row = database.prepare('SELECT unspent FROM tx WHERE id = 1').get()
        left.push(row && Number(row.unspent))
      }
      expect(left).toEqual([3, 2, 1, undefined])
      expect(txidsIn(database)).toEqual(spends.map(idOf))
    })
  })

  test('takes a transaction without outputs', async () => {
    const { ledger } = await ledgerOf([rowOf({ ...creation!, outputs: [] })], false)
    expect(ledger.counts).toMatchObject({ transactions: 1, tokenTransactions: 0 })
  })

  describe('beside another one on the same file', () => {
    const blocks = blocksOf(many)
    const headless = blocks.map((it) => {
      const { hash, transactions } = it.read()
      return { ...it, read: () => ({ hash, transactions }) }
    })
    const twoOnOneFile = async () => {
      const { database, ledger } = await opened(false)
      return { database, ledger, other: new Ledger(database, { network, signatures: false }) }
    }
    const last = { height: 100, hash: hashOf(100) }

    test.each([
      ['with', blocks],
      ['without', headless],
    ])('adds no block %s a header that follows no block of the other', async (_, given) => {
      const { database, ledger, other } = await twoOnOneFile()
      await bringForward(ledger, blocks.slice(0, 1))
      const before = contentOf(database)
      // A block without transactions has no txid that SQLite could find to be there already.
      const distant = given.slice(3).map((it) => {
        const read = () => ({ ...it.read(), transactions: [] })
        return { ...it, read }
      })
      await expect(bringForward(other, distant)).rejects.toThrow(ChangedLedgerError)
      expect(contentOf(database)).toEqual(before)
      expect([ledger.tip, other.tip]).toEqual([last, last])
    })

    test('refuses once what was chosen for an earlier last block, then goes on', async () => {
      const { database, ledger, other } = await twoOnOneFile()
      await bringForward(ledger, blocks.slice(0, 1))
      const refused = await bringForward(other, blocks).catch((error: unknown) => error)
      expect(refused).toMatchObject({ message: 'the ledger has blocks up to 100 by now' })
      expect(other.counts.blocks).toBe(0)
      await bringForward(other, blocks)
      const { database: alone } = await ledgerOf(many, false)
      expect(contentOf(database)).toEqual(contentOf(alone))
      // The first one has read nothing of that, and adds nothing to it.
      await expect(ledger.add([blocks[1]!.read()], 101)).rejects.toThrow(ChangedLedgerError)
      expect(ledger.tip?.height).toBe(106)
    })

    test('completes no index of what it has not read', async () => {
      const { database, ledger, other } = await twoOnOneFile()
      await ledger.add([blocks[0]!.read()], 100)
      expect(() => other.index()).toThrow(ChangedLedgerError)
      expect(settingOf(database, 'indexed')).toBe('0')
      expect(other.tip).toEqual(last)
      other.index()
      expect(settingOf(database, 'indexed')).not.toBe('0')
    })

    test('asks for no lock where nothing is left to index', async () => {
      const { ledger, other } = await twoOnOneFile()
      await bringForward(ledger, blocks.slice(0, 1))
      other.index()
      await bringForward(ledger, blocks.slice(0, 2))
      expect(() => other.index()).not.toThrow()
    })

    test.each([
      ['another hash', "UPDATE block SET hash = x'11'"],
      ['another height', 'UPDATE block SET height = height + 1'],
      ['no block', 'DELETE FROM block'],
    ])('adds nothing where its last block has become %s', async (_, change) => {
      const { database, ledger } = await twoOnOneFile()
      await bringForward(ledger, blocks.slice(0, 1))
      database.exec(change)
      const before = contentOf(database)
      await expect(ledger.add([blocks[1]!.read()], 101)).rejects.toThrow(ChangedLedgerError)
      expect(contentOf(database)).toEqual(before)
    })

    test('has one setting, though the other is opened at the same moment', async () => {
      const database = await openDatabase(':memory:')
      let other: unknown
      const openOther = () => {
        try {
          return new Ledger(database, { network, signatures: false })
        } catch (error) {
          return error
        }
      }
      /** Opens the other one after the first statement about the setting. */
      const between = {
        exec: (sql: string) => database.exec(sql),
        close: () => database.close(),
        prepare(sql: string) {
          const statement = database.prepare(sql)
          const then = <Result>(values: SqlValue[], result: Result): Result => {
            if (values.includes('signatures')) other ??= openOther()
            return result
          }
          return {
            run: (...values: SqlValue[]) => then(values, statement.run(...values)),
            get: (...values: SqlValue[]) => then(values, statement.get(...values)),
            all: (...values: SqlValue[]) => statement.all(...values),
            iterate: (...values: SqlValue[]) => statement.iterate(...values),
          }
        },
      }
      expect(new Ledger(between, { network, signatures: true }).tip).toBeUndefined()
      expect(other).toBeInstanceOf(OtherChainError)
      expect(settingOf(database, 'signatures')).toBe('true')
    })
  })

  test.each([new Error('disk is full'), 'no error'])(
    'passes on what the database throws for a transaction, and adds nothing: %s',
    async (thrown) => {
      const database = await openDatabase(':memory:')
      let isFull = false
      const failing = {
        exec: (sql: string) => database.exec(sql),
        close: () => database.close(),
        prepare(sql: string) {
          const statement = database.prepare(sql)
          if (!sql.startsWith('INSERT INTO tx ')) return statement
          return {
            run(...values: SqlValue[]) {
              if (isFull) throw thrown
              return statement.run(...values)
            },
            get: (...values: SqlValue[]) => statement.get(...values),
            all: (...values: SqlValue[]) => statement.all(...values),
            iterate: (...values: SqlValue[]) => statement.iterate(...values),
          }
        },
      }
      const ledger = new Ledger(failing, { network, signatures: false })
      const [one, ...others] = blocksOf(many)
      await bringForward(ledger, [one!])
      isFull = true
      const before = contentOf(database)
      expect(await bringForward(ledger, others).catch((error: unknown) => error)).toBe(thrown)
      expect([ledger.tip?.height, contentOf(database)]).toEqual([100, before])
      isFull = false
      await bringForward(ledger, others)
      expect(ledger.tip?.height).toBe(106)
    },
  )

  test('trusts no block without a header after its last one, unless it is asked to', async () => {
    const { ledger } = await ledgerOf(many.slice(0, 5), false)
    const headless = blocksOf(many)
      .slice(5)
      .map((it) => {
        const { hash, transactions } = it.read()
        return { ...it, read: () => ({ hash, transactions }) }
      })
    await expect(bringForward(ledger, headless)).rejects.toThrow(UnlinkedBlocksError)
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

  test('takes a creation with a further input that it has not seen, and proves what it issued', async () => {
    const inputs = [...creation!.inputs, { ...creation!.inputs[0]!, txid: stranger }]
    const made = rowOf({ ...creation!, inputs })
    const { database } = await ledgerOf([...many.slice(0, 4), made], false)
    expect(held(database)).toBe(10_000n)
    const [holder] = holdersOf(database, tokensIn(database)[0]!.tokenid, network)
    const { txid, vout } = holder!.outputs[0]!
    expect(proofOf(database, txid, vout)!.transactions).toEqual([made.hex, many[3]!.hex])
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

  describe('on komodod', () => {
    const chain = readVectors<{ transactions: Row[] }>('komodod/90-chain-dump.json').transactions
    const txs = new Map(chain.map((row) => [decodeTransaction(row.hex).txid, row]))
    const withParents = (txids: string[]): Row[] => {
      const wanted = new Set(txids)
      for (const txid of wanted) {
        for (const input of decodeTransaction(txs.get(txid)!.hex).inputs) {
          if (txs.has(input.txid)) wanted.add(input.txid)
        }
      }
      return [...txs].filter(([txid]) => wanted.has(txid)).map(([, row]) => row)
    }

    test('counts no units of one token for another that spends them', async () => {
      const taken = 'ecf23633ddccef196ab5995719c6ce40e18f4e117b3b2533df189448cb34ae46'
      const spenders = [...txs.keys()].filter((txid) =>
        decodeTransaction(txs.get(txid)!.hex).inputs.some((it) => it.txid === taken),
      )
      expect(spenders.length).toBeGreaterThan(0)
      const { database } = await ledgerOf(withParents(spenders), false, networks.assetChain)
      for (const { tokenid, held: units, supply } of tokensIn(database)) {
        expect(units, tokenid).toBe(tokenid === taken ? 0n : supply)
      }
      expect(tokensIn(database).length).toBeGreaterThan(1)
    })

    test('names a holder by an address where a creation does not name its keys', async () => {
      const tokenid = 'e7b6b036aba983161682ce1cb30af2e2eb43865d9aa093cc84d74cdddae29adb'
      // Earlier transactions show these keys, so only what funds the creation is given.
      const { inputs } = decodeTransaction(txs.get(tokenid)!.hex)
      const rows = [...new Set(inputs.map(({ txid }) => txid)), tokenid].map((it) => txs.get(it)!)
      const { database } = await ledgerOf(rows, false, networks.assetChain)
      const holders = holdersOf(database, tokenid, networks.assetChain)
      const address = tokenAddress(bob, networks.assetChain)
      expect(holders).toMatchObject([{ holder: address, amount: 1000n }])
    })
  })
})
