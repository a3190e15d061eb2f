// Ledgers in memory, of a few recorded transactions: quick enough to ask for every rule of its own.

import { expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import type { AuditedBlock } from '../../../src/audit/block.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import {
  balancesOfOwner,
  holdersOf,
  isKnownPlace,
  proofOf,
  refusalsIn,
  tokensIn,
} from '../../../src/audit/queries.ts'
import type { ChainBlock } from '../../../src/audit/sources.ts'
import { openDatabase } from '../../../src/audit/sqlite.ts'
import { OtherChainError, UnlinkedBlocksError } from '../../../src/audit/store.ts'
import {
  addressOf,
  createTokenProver,
  decodeTransaction,
  describeTransaction,
  encodeTransaction,
  networks,
  proveTokenOutput,
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

/** The unspent outputs of a token that the prover proves, by name. */
function provenIn(rows: readonly Row[], tokenid: string): string[] {
  const transactions = rows.map(({ hex }) => decodeTransaction(hex))
  const spent = new Set(
    transactions.flatMap(({ inputs }) => inputs.map((it) => `${it.txid}:${it.vout}`)),
  )
  const prover = createTokenProver(
    rows.map(({ hex }) => hex),
    { network, signatures: true },
  )
  return transactions
    .flatMap(({ txid, outputs }) =>
      outputs.flatMap((_, vout) => {
        const proof = prover.prove(txid, vout, tokenid)
        const isHeld = proof.verdict === 'proven' && !spent.has(`${txid}:${vout}`)
        return isHeld ? [`${txid}:${vout} ${proof.amount}`] : []
      }),
    )
    .sort()
}

const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'

describeUnless(noSqlite)('a ledger in memory', () => {
  // tokeld counted these: 2 of 10000 by tokenv2transfermany, then 21 of the other 9998
  test('has the balances of tokeld after tokenv2transfermany', async () => {
    const { database, ledger } = await ledgerOf(many)
    const created = decodeTransaction(many[4]!.hex).txid
    expect(tokensIn(database)).toEqual([
      { tokenid: created, name: expect.any(String), height: 104, supply: 10_000n, held: 10_000n },
    ])
    const holders = holdersOf(database, created, network)
    expect(holders.map(({ amount }) => amount)).toEqual([9977n, 23n])
    expect(holders.every(({ isBurned, inOrders }) => !isBurned && inOrders === 0n)).toBe(true)
    for (const [owner, amount, outputs] of [
      [alice, 23n, 2],
      [bob, 9977n, 1],
    ] as const) {
      const own = balancesOfOwner(database, owner, network)
      expect(own).toMatchObject([{ tokenid: created, holder: owner, amount, inOrders: 0n }])
      expect(own[0]!.outputs).toHaveLength(outputs)
      expect(balancesOfOwner(database, addressOf(owner, network), network)).toEqual(own)
    }
    expect(balancesOfOwner(database, `02${'11'.repeat(32)}`, network)).toEqual([])
    expect(ledger.counts).toEqual({
      blocks: 7,
      transactions: 7,
      tokenTransactions: 3,
      refused: 0,
    })
  })

  test.each([43, 44, 45, 46])('has what the prover proves at height %i', async (height) => {
    const rows = withAncestors((it) => it === height)
    const { database } = await ledgerOf(rows)
    const tokens = tokensIn(database)
    expect(tokens.length).toBeGreaterThan(0)
    for (const { tokenid, supply, held } of tokens) {
      const holders = holdersOf(database, tokenid, network)
      const names = holders.flatMap(({ outputs, orders }) =>
        [...outputs, ...orders].map((it) => `${it.txid}:${it.vout} ${it.amount}`),
      )
      expect(names.sort()).toEqual(provenIn(rows, tokenid))
      const sum = holders.reduce((all, it) => all + it.amount + it.inOrders, 0n)
      expect(sum).toBe(held)
      expect(held).toBeLessThanOrEqual(supply)
    }
  })

  // tokeld's balances of the maker, and the units of the ask
  test.each([
    [44, 99_999_800n, 100n],
    [45, 99_999_800n, 70n],
    [46, 99_999_870n, 0n],
  ])(
    'counts units in an open ask for its maker, at height %i',
    async (height, amount, inOrders) => {
      const tokenid = '6d0ac36e19684ec7d04ed3361465c813f4104baca7e1f68d0485b4f3f69e8433'
      const rows = withAncestors((it) => it > 33 && it <= height)
      const { database } = await ledgerOf(rows)
      const own = holdersOf(database, tokenid, network).find(({ holder }) => holder === alice)
      expect(own).toMatchObject({ amount, inOrders })
      expect(own!.orders).toHaveLength(inOrders === 0n ? 0 : 1)
      const held = balancesOfOwner(database, alice, network).find((it) => it.tokenid === tokenid)
      expect(held).toEqual(own)
    },
  )

  test('answers the same before it is indexed and after, and goes on from both', async () => {
    const rows = withAncestors((it) => it > 33 && it <= 46)
    const { database, ledger } = await opened()
    const blocks = blocksOf(rows)
    const answers = () => {
      const tokens = tokensIn(database)
      const holders = tokens.map(({ tokenid }) => holdersOf(database, tokenid, network))
      const proofs = holders
        .flat()
        .flatMap(({ outputs }) => outputs.map(({ txid, vout }) => proofOf(database, txid, vout)))
      return [tokens, holders, proofs, balancesOfOwner(database, alice, network)]
    }
    const isIndexed = () => {
      const held = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'held'").get()
      const count = (table: string) =>
        Number(database.prepare(`SELECT COUNT(*) count FROM ${table}`).get()!.count)
      return held !== undefined && count('txid') === count('tx')
    }
    const half = blocks.length >> 1
    for (const part of [blocks.slice(0, half), blocks.slice(half)]) {
      await ledger.add(
        part.map((it) => it.read()),
        part[0]!.height,
      )
      const before = answers()
      expect(isIndexed()).toBe(false)
      ledger.index()
      expect(isIndexed()).toBe(true)
      expect(answers()).toEqual(before)
    }
    const { database: whole } = await ledgerOf(rows)
    expect(contentOf(database)).toEqual(contentOf(whole))
    // Another ledger on the same file finds nothing left to do.
    new Ledger(database, { network, signatures: true }).index()
    expect(isIndexed()).toBe(true)
  })

  test('has a proof of each output, and of none other', async () => {
    const { database } = await ledgerOf(many)
    const [token] = tokensIn(database)
    for (const { outputs } of holdersOf(database, token!.tokenid, network)) {
      for (const { txid, vout, amount } of outputs) {
        const proof = proofOf(database, txid, vout)!
        expect(proof).toMatchObject({ tokenid: token!.tokenid, amount })
        expect(new Set(proof.transactions).size).toBe(proof.transactions.length)
        const options = { network, signatures: true }
        expect(proveTokenOutput(txid, vout, token!.tokenid, proof.transactions, options)).toEqual({
          verdict: 'proven',
          amount,
        })
      }
    }
    expect(proofOf(database, token!.tokenid, 2)).toBeUndefined()
    expect(proofOf(database, '11'.repeat(32), 0)).toBeUndefined()
  })

  test('knows the addresses of conditions that hold tokens, or held them', async () => {
    const { database } = await ledgerOf(many)
    const transfers = many.slice(5)
    for (const { hex } of transfers) {
      const [first] = describeTransaction(hex, { network }).vout
      expect(isKnownPlace(database, first!.scriptPubKey.addresses![0]!, network)).toBe(true)
    }
    expect(isKnownPlace(database, addressOf(alice, network), network)).toBe(false)
  })

  test.each([1, 2, 3, 7])('is the same if it is begun anew after %i blocks', async (step) => {
    const { database } = await ledgerOf(many)
    const other = await openDatabase(':memory:')
    const blocks = blocksOf(many)
    for (let at = 0; at < blocks.length; at += step) {
      await bringForward(
        new Ledger(other, { network, signatures: true }),
        blocks.slice(at, at + step),
      )
    }
    expect(contentOf(other)).toEqual(contentOf(database))
  })

  test('keeps what holds tokens or funded a creation, and what has unspent outputs', async () => {
    const { database } = await ledgerOf(many)
    const txids = many.map(({ hex }) => decodeTransaction(hex).txid)
    const rows = database.prepare('SELECT txid, unspent, kept FROM tx ORDER BY id').all()
    const named = rows.map(({ txid, unspent, kept }) => [
      txids.indexOf(Buffer.from(txid as Uint8Array).toString('hex')),
      Number(unspent),
      kept,
    ])
    // The coinbase of row 0 and the payment of row 1 are wholly spent or hold one output.
    expect(named).toEqual([
      [1, 1, 0],
      [2, 1, 0],
      [3, expect.any(Number), 1],
      [4, expect.any(Number), 1],
      [5, expect.any(Number), 1],
      [6, expect.any(Number), 1],
    ])
  })
})

describeUnless(noSqlite)('a ledger in memory refuses', () => {
  /** The rows with one transfer changed, whose parents stay. */
  function changed(index: number, change: (scriptSig: string) => string): Row[] {
    const tx = decodeTransaction(many[index]!.hex)
    const last = tx.inputs.at(-1)!
    const inputs = tx.inputs.with(-1, { ...last, scriptSig: change(last.scriptSig) })
    return many.slice(0, index).concat({ height: 0, hex: encodeTransaction({ ...tx, inputs }) })
  }
  const spoil = (scriptSig: string) => {
    const at = scriptSig.indexOf('8140') + 20
    return scriptSig.slice(0, at) + (scriptSig[at] === '0' ? '1' : '0') + scriptSig.slice(at + 1)
  }

  test('a transfer that is not rightly signed, unless signatures do not count', async () => {
    const rows = changed(5, spoil)
    const { database, ledger } = await ledgerOf(rows)
    const [token] = tokensIn(database)
    expect(refusalsIn(database, token!.tokenid)).toEqual([
      {
        height: 105,
        txid: decodeTransaction(rows[5]!.hex).txid,
        tokenid: token!.tokenid,
        rule: 'signature_invalid',
        actual: expect.stringContaining('in inputs[1]'),
      },
    ])
    expect(ledger.counts).toMatchObject({ refused: 1, tokenTransactions: 2, blocks: 6 })
    // It spent the units, and nobody got them.
    expect(token).toMatchObject({ supply: 10_000n, held: 0n })
    const trusting = await ledgerOf(rows, false)
    expect(refusalsIn(trusting.database, token!.tokenid)).toEqual([])
    expect(tokensIn(trusting.database)[0]!.held).toBe(10_000n)
  })

  test('a transfer of more units than it spends', async () => {
    const tx = decodeTransaction(many[5]!.hex)
    const [paid, ...rest] = tx.outputs
    const outputs = [{ ...paid!, value: paid!.value + 1n }, ...rest]
    const hex = encodeTransaction({ ...tx, outputs })
    const { database } = await ledgerOf(many.slice(0, 5).concat({ height: 0, hex }), false)
    const [token] = tokensIn(database)
    expect(refusalsIn(database, token!.tokenid)).toMatchObject([
      { rule: 'unequal_amounts', expected: '10000', actual: '10001' },
    ])
  })

  test('blocks that do not follow its last one, and is as it was', async () => {
    const { database, ledger } = await ledgerOf(many.slice(0, 5))
    const before = contentOf(database)
    const [, , , , , next, last] = blocksOf(many)
    const refused: [AuditedBlock[], number][] = [
      [[next!.read()], 106],
      [[last!.read()], 105],
      [[next!.read(), next!.read()], 105],
    ]
    for (const [blocks, height] of refused) {
      await expect(ledger.add(blocks, height)).rejects.toThrow(OtherChainError)
      expect(ledger.tip).toEqual({ height: 104, hash: hashOf(104) })
      expect(ledger.counts).toMatchObject({ blocks: 5, transactions: 5 })
      expect(contentOf(database)).toEqual(before)
    }
    await ledger.add([next!.read(), last!.read()], 105)
    expect(contentOf(database)).toEqual(contentOf((await ledgerOf(many)).database))
  })

  test('another network, or signatures that count otherwise', async () => {
    const { database } = await ledgerOf(many)
    for (const options of [
      { network: networks.assetChain, signatures: true },
      { network, signatures: false },
    ]) {
      expect(() => new Ledger(database, options)).toThrow(OtherChainError)
    }
    expect(() => new Ledger(database, { network, signatures: true, check: 1 } as never)).toThrow(
      /unknown member "?check/,
    )
    expect(new Ledger(database, { network, signatures: true }).tip?.height).toBe(106)
  })
})

describeUnless(noSqlite)('bringing a ledger forward', () => {
  const heights = async (blocks: readonly ChainBlock[], ledger: Ledger, isTrusted = false) => {
    const added: number[] = []
    await bringForward(ledger, blocks, { onAdded: (height) => added.push(height), isTrusted })
    return added
  }
  const withSizes = (...sizes: number[]) =>
    blocksOf(many.slice(0, sizes.length)).map((it, at) => ({ ...it, size: sizes[at]! }))

  test('adds batches of 4 MiB, and what is left', async () => {
    const { ledger } = await opened()
    expect(await heights(withSizes((4 << 20) - 1, 1, 1, 4 << 20, 1), ledger)).toEqual([
      101, 103, 104,
    ])
    expect(ledger.hashAt(102)).toBe(hashOf(102))
    expect(ledger.hashAt(105)).toBeUndefined()
    expect(await heights([], ledger)).toEqual([])
  })

  test('reads no block that the ledger has, and refuses another one at its height', async () => {
    const { ledger } = await ledgerOf(many.slice(0, 5))
    const unread = blocksOf(many).map((it, at) =>
      at < 5 ? { ...it, read: () => expect.unreachable() } : it,
    )
    const other = unread.with(2, { ...unread[2]!, hash: hashOf(7) })
    await expect(heights(other, ledger)).rejects.toThrow(
      `the ledger has block ${hashOf(102)} at height 102, and this chain has ${hashOf(7)}`,
    )
    const lastOther = unread.with(4, { ...unread[4]!, hash: hashOf(7) })
    await expect(heights(lastOther, ledger)).rejects.toThrow(OtherChainError)
    // A list may begin below the first block of the ledger.
    const below = { height: 99, hash: hashOf(7), size: 1, read: () => expect.unreachable() }
    expect(await heights([below, ...unread], ledger)).toEqual([106])
  })

  test('refuses a block that leaves a gap', async () => {
    const headless = blocksOf(many).map((it) => {
      const { hash, transactions } = it.read()
      return { ...it, read: () => ({ hash, transactions }) }
    })
    const { ledger } = await opened()
    const gap = [...headless.slice(0, 2), ...headless.slice(4)]
    await expect(heights(gap, ledger)).rejects.toThrow('at height 104 does not follow')
    expect(ledger.tip?.height).toBe(101)
  })

  test('takes blocks without headers from the last block of the ledger on, or trusted', async () => {
    const headless = blocksOf(many).map((it) => {
      const { hash, transactions } = it.read()
      return { ...it, read: () => ({ hash, transactions }) }
    })
    const fresh = await opened()
    expect(await heights(headless.slice(0, 5), fresh.ledger)).toEqual([104])
    await expect(heights(headless.slice(5), fresh.ledger)).rejects.toThrow(
      'cannot tell whether block 105 follows block 104',
    )
    const untrusted = headless.slice(2, 4).concat(headless.slice(5))
    await expect(heights(untrusted, fresh.ledger)).rejects.toThrow(UnlinkedBlocksError)
    expect(await heights(headless.slice(4), fresh.ledger)).toEqual([106])
    const trusting = await ledgerOf(many.slice(0, 5))
    expect(await heights(headless.slice(5), trusting.ledger, true)).toEqual([106])
  })
})
