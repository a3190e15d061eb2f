// A ledger of a chain: its balances are those that daemons answered, and whatever kills it loses
// nothing.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import { readBlock, requireDistinct } from '../../../src/audit/block.ts'
import { blocksOfFiles } from '../../../src/audit/block-files.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import {
  balancesOfOwner,
  holdersOf,
  proofOf,
  refusalsIn,
  tokensIn,
} from '../../../src/audit/queries.ts'
import { blocksOfDump, blocksOfLines } from '../../../src/audit/sources.ts'
import { type Database, hasSqlite, openDatabase } from '../../../src/audit/sqlite.ts'
import { OtherChainError, UnlinkedBlocksError } from '../../../src/audit/store.ts'
import { leadingHeader } from '../../../src/block/header.ts'
import { merkleRootOf } from '../../../src/block/merkle.ts'
import {
  addressOf,
  createTokenProver,
  decodeTransaction,
  encodeTransaction,
  type Network,
  networks,
  proveTokenOutput,
  tokenAddress,
  tokenScript,
  transactionId,
} from '../../../src/index.ts'
import { createDevNode, type DevNode } from '../../../src/node/index.ts'
import { lastPayload, nonFungibleEvalCode } from '../../../src/token/rules/komodo.ts'
import { tokenEvalCodes } from '../../../src/token/rules/slot-script.ts'
import { root } from '../../support/built.ts'
import { runCommand } from '../../support/cli.ts'
import { isQuick, shareOf } from '../../support/share.ts'
import { describeUnless, testUnless } from '../../support/skip.ts'
import { blocksOf, madeChain, spoiledChain } from '../../support/token-chains.ts'
import { readVectors } from '../../support/vectors.ts'

const noSqlite = !(await hasSqlite()) && 'neither better-sqlite3 nor node:sqlite loads'

const folder = noSqlite ? '' : mkdtempSync(`${tmpdir()}/antara-tx-audit-`)
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true })
})

interface RecordedBalance {
  from: string
  height: number
  tokenid: string
  pubkey: string
  balance: number
}

interface ChainFile {
  transactions: { height: number; txid: string; hex: string }[]
}

let files = 0
const freshFile = () => {
  files += 1
  return `${folder}/${files}.sqlite`
}

async function ledgerOf(
  text: string,
  network: Network = networks.assetChain,
): Promise<{ database: Database; ledger: Ledger }> {
  const database = await openDatabase(freshFile())
  const ledger = new Ledger(database, { network, signatures: true })
  await bringForward(ledger, blocksOfDump(text))
  return { database, ledger }
}

const wholeLedgers = new Map<ChainFile, Promise<Database>>()
/** Returns a ledger of all blocks, made once for the tests that only read it. */
function wholeLedgerOf(chain: ChainFile, network: Network): Promise<Database> {
  const known = wholeLedgers.get(chain)
  if (known !== undefined) return known
  const made = ledgerOf(upTo(chain, 1e9), network).then(({ database }) => database)
  wholeLedgers.set(chain, made)
  return made
}

/** The chain as it was when its tip had a height. */
const upTo = ({ transactions }: ChainFile, height: number) =>
  JSON.stringify(transactions.filter((it) => it.height <= height))

const textOfValue = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

/** A daemon sums the coins of one address; a non-fungible token of komodod's may lie elsewhere. */
function daemonsAddress({ tokenid, pubkey }: RecordedBalance, chain: ChainFile): string {
  const { hex } = chain.transactions.find(({ txid }) => txid === tokenid)!
  const created = lastPayload(decodeTransaction(hex).outputs)
  const code = created?.kind === 'create' ? nonFungibleEvalCode(created) : undefined
  const evalCodes = tokenEvalCodes(0xf2, code)
  return tokenAddress(pubkey, networks.assetChain, { evalCodes })
}

const balanceOf = (database: Database, owner: string, tokenid: string, network: Network) =>
  balancesOfOwner(database, owner, network)
    .filter((it) => it.tokenid === tokenid)
    .reduce((sum, { amount }) => sum + amount, 0n)

/** Returns the holders of every token in a ledger. */
const holdersIn = (database: Database, network: Network) => [
  ...new Set(
    tokensIn(database).flatMap(({ tokenid }) =>
      holdersOf(database, tokenid, network).map(({ holder }) => holder),
    ),
  ),
]

// spesmilo/electrumx, main-chain blocks of five chains
test.each(
  readVectors<
    { chain: string; hash: string; merkleroot: string; txids: string[]; block: string }[]
  >('headers/public-blocks.json'),
)('the header of a block of $chain commits to its transactions', (row) => {
  const block = Buffer.from(row.block, 'hex')
  expect(leadingHeader(block).header).toMatchObject({ hash: row.hash, merkleRoot: row.merkleroot })
  expect(merkleRootOf(row.txids)).toBe(row.merkleroot)
  expect(readBlock(block).transactions).toHaveLength(row.txids.length)
  const other = Buffer.from(block)
  other[36]! ^= 1
  expect(() => readBlock(other)).toThrow('merkle_root')
})

// CVE-2012-2459: the last of an odd row counts twice
test('a block whose last transaction is repeated is refused', () => {
  const [one, other] = ['11'.repeat(32), '22'.repeat(32)]
  const three = [one, other, '33'.repeat(32)]
  expect(merkleRootOf([...three, three[2]!])).toBe(merkleRootOf(three))
  expect(() => requireDistinct([...three, three[2]!])).toThrow('33'.repeat(32))
  expect(() => requireDistinct(three)).not.toThrow()
})

describeUnless(noSqlite)(`a ledger and daemons agree`, () => {
  const komodod = readVectors<ChainFile>('komodod/90-chain-dump.json')
  const tokeld = readVectors<ChainFile>('tokeld/90-chain-dump.json')
  const { balances, supplies } = readVectors<{
    balances: RecordedBalance[]
    supplies: { tokenid: string; supply: number | null }[]
  }>('token/proofs.json')
  const recorded = readVectors<{ balances: RecordedBalance[] }>('tokeld/balances.json')

  test.each([
    ['komodod', komodod, balances, networks.assetChain],
    ['tokeld', tokeld, recorded.balances, networks.tokel],
  ] as const)(
    'a ledger and daemons agree on every balance that %s was asked for',
    async (_, chain, asked, network) => {
      const all = [...new Set(asked.map(({ height }) => height))].sort((one, two) => one - two)
      const heights = shareOf(all, 0, 20)
      const database = await openDatabase(freshFile())
      const ledger = new Ledger(database, { network, signatures: true })
      for (const height of heights) {
        await bringForward(ledger, blocksOfDump(upTo(chain, height)))
        for (const it of asked.filter((row) => row.height === height)) {
          const owner = network === networks.tokel ? it.pubkey : daemonsAddress(it, chain)
          const balance = balanceOf(database, owner, it.tokenid, network)
          expect(balance, JSON.stringify(it)).toBe(BigInt(it.balance))
        }
      }
      expect(asked.length).toBeGreaterThan(10)
    },
  )

  // the daemons counted 900, 900 and 970 units, and 110 for the buyer on Tokel: none of the ask
  test.each([
    [
      'komodod',
      komodod,
      networks.assetChain,
      [
        [99, 900n, 100n],
        [100, 900n, 70n],
        [101, 970n, 0n],
      ],
    ],
    [
      'tokeld',
      tokeld,
      networks.tokel,
      [
        [44, 99_999_800n, 100n],
        [45, 99_999_800n, 70n],
        [46, 99_999_870n, 0n],
      ],
    ],
  ] as const)(
    'a ledger and daemons agree on open asks of %s, which a balance does not count',
    async (_, chain, network, rows) => {
      const maker = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
      const tokenid =
        network === networks.tokel
          ? '6d0ac36e19684ec7d04ed3361465c813f4104baca7e1f68d0485b4f3f69e8433'
          : '4d5026bc3ea64f98e2ee62919fad2540e9b4146a181eb3c97d26e97502c93562'
      const database = await openDatabase(freshFile())
      const ledger = new Ledger(database, { network, signatures: true })
      for (const [height, amount, inOrders] of rows) {
        await bringForward(ledger, blocksOfDump(upTo(chain, height)))
        const holders = holdersOf(database, tokenid, network)
        const own = holders.find(({ holder }) => holder === maker)
        expect(own, `${height}`).toMatchObject({ amount, inOrders })
        const all = holders.reduce((sum, it) => sum + it.amount + it.inOrders, 0n)
        expect(all).toBe(tokensIn(database).find((it) => it.tokenid === tokenid)!.supply)
        expect(holders.reduce((sum, it) => sum + it.inOrders, 0n)).toBe(inOrders)
        const orders = own!.orders.reduce((sum, it) => sum + it.amount, 0n)
        expect(orders).toBe(inOrders)
        const address = network === networks.tokel ? addressOf : tokenAddress
        for (const owner of [maker, address(maker, network)]) {
          const held = balancesOfOwner(database, owner, network).find(
            (it) => it.tokenid === tokenid,
          )
          expect(held, owner).toEqual({ ...own, holder: maker })
        }
        const others = holders.filter(({ holder }) => holder !== maker)
        for (const { holder } of others.filter((it) => /^0[23]/.test(it.holder))) {
          const held = balancesOfOwner(database, holder, network).find(
            (it) => it.tokenid === tokenid,
          )
          expect(held!.inOrders).toBe(0n)
        }
      }
    },
  )

  test('a ledger and daemons agree on units that lie where asks wait without an order of that token', async () => {
    const { database } = await ledgerOf(upTo(komodod, 99))
    const tokenid = '4d5026bc3ea64f98e2ee62919fad2540e9b4146a181eb3c97d26e97502c93562'
    const [ask] = holdersOf(database, tokenid, networks.assetChain).flatMap((it) => it.orders)
    const row = komodod.transactions.find(({ txid }) => txid === ask!.txid)!
    const transaction = decodeTransaction(row.hex)
    const nulldata = transaction.outputs.at(-1)!
    const maker = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
    // the maker's key, as 33 bytes that are the prefix of none
    const script = nulldata.script.replace(maker, `09${maker.slice(2)}`)
    expect(script).not.toBe(nulldata.script)
    const outputs = transaction.outputs.with(-1, { ...nulldata, script })
    const raw = Buffer.from(encodeTransaction({ ...transaction, outputs }), 'hex')
    database.prepare('UPDATE tx SET raw = ? WHERE txid = ?').run(raw, blobOf(row.txid))
    const holders = holdersOf(database, tokenid, networks.assetChain)
    expect(holders.map(({ amount, inOrders }) => [amount, inOrders])).toEqual([
      [900n, 0n],
      [100n, 0n],
    ])
    expect(balancesOfOwner(database, maker, networks.assetChain)).toContainEqual(
      expect.objectContaining({ tokenid, amount: 900n, inOrders: 0n }),
    )
  })

  // komodo src/cc/CCtokens.cpp, GetTokenBalance looks where f2 stands twice, or 00 not at all
  test('a ledger and daemons agree on non-fungible tokens, but for data that a komodod does not look for', async () => {
    const { dataBytes } = readVectors<{
      dataBytes: {
        byte: string
        tokenid: string
        balanceAfterCreate: number
        transferred: boolean
      }[]
    }>('token/proofs.json')
    const database = await wholeLedgerOf(komodod, networks.assetChain)
    const unseen: string[] = []
    for (const { byte, tokenid, balanceAfterCreate, transferred } of dataBytes) {
      if (transferred) continue
      const held = holdersOf(database, tokenid, networks.assetChain)
      const sum = held.reduce((all, { amount }) => all + amount, 0n)
      if (sum !== BigInt(balanceAfterCreate)) unseen.push(byte)
    }
    expect(unseen).toEqual(['00', 'f2'])
    expect(dataBytes).toHaveLength(256)
  })

  // its transaction has no nulldata output: what holds tokens names them itself
  test('a ledger and daemons agree on what tokenv2transfermany moved', async () => {
    const text = readFileSync(`${root}test/vectors/tokeld/transfermany.json`, 'utf8')
    const { transactions } = JSON.parse(text) as ChainFile
    const { database, ledger } = await ledgerOf(JSON.stringify(transactions), networks.tokel)
    expect(ledger.counts.refused).toBe(0)
    const [token] = tokensIn(database)
    const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
    const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
    const balances = [alice, bob].map((it) =>
      balanceOf(database, it, token!.tokenid, networks.tokel),
    )
    // 2 of 10000 by tokenv2transfermany, then 21 of the other 9998
    expect(balances).toEqual([23n, 9977n])
    const amounts = holdersOf(database, token!.tokenid, networks.tokel).map(({ amount }) => amount)
    expect(amounts).toEqual([9977n, 23n])
    const hexes = transactions.map(({ hex }) => hex)
    const prover = createTokenProver(hexes, { network: networks.tokel, signatures: true })
    for (const { outputs } of holdersOf(database, token!.tokenid, networks.tokel)) {
      for (const { txid, vout, amount } of outputs) {
        expect(prover.prove(txid, vout, token!.tokenid)).toEqual({ verdict: 'proven', amount })
      }
    }
    expect(token!.held).toBe(10_000n)
  })

  test.each([
    ['komodod', komodod, networks.assetChain],
    ['tokeld', tokeld, networks.tokel],
  ] as const)(
    'a ledger and daemons agree on every output of %s, with the prover',
    async (_, chain, network) => {
      const database = await wholeLedgerOf(chain, network)
      const prover = createTokenProver(
        chain.transactions.map(({ hex }) => hex),
        { network },
      )
      const decoded = chain.transactions.map(({ hex }) => decodeTransaction(hex))
      const nameOf = ({ txid, vout }: { txid: string; vout: number }) => `${txid}:${vout}`
      const spent = new Set(decoded.flatMap(({ inputs }) => inputs.map(nameOf)))
      const unspent = decoded.flatMap(({ txid, outputs }) =>
        outputs.flatMap(({ script }, vout) => {
          const isCondition = /cc(?:..+75)?$/.test(script)
          return isCondition && !spent.has(nameOf({ txid, vout })) ? [{ txid, vout }] : []
        }),
      )
      let compared = 0
      for (const { tokenid } of shareOf(tokensIn(database), 0, 24)) {
        const held = holdersOf(database, tokenid, network).flatMap(({ outputs, orders }) =>
          [...outputs, ...orders].map((it) => `${nameOf(it)} ${it.amount}`),
        )
        const proven = unspent.flatMap((it) => {
          const proof = prover.prove(it.txid, it.vout, tokenid)
          return proof.verdict === 'proven' ? [`${nameOf(it)} ${proof.amount}`] : []
        })
        expect(held.sort()).toEqual(proven.sort())
        compared += proven.length
      }
      expect(compared).toBeGreaterThan(isQuick ? 2 : 20)
    },
  )

  test('a ledger and daemons agree on supplies, all of which is held but what was spent with another token', async () => {
    const database = await wholeLedgerOf(komodod, networks.assetChain)
    const tokens = new Map(tokensIn(database).map((it) => [it.tokenid, it]))
    for (const { tokenid, supply } of supplies) {
      expect(tokens.get(tokenid)?.supply ?? 0n, tokenid).toBe(BigInt(supply ?? 0))
    }
    const lost = [...tokens.values()].filter(({ supply, held }) => held !== supply)
    // Its tokens were spent with those of another token, which a komodod takes.
    const taken = 'ecf23633ddccef196ab5995719c6ce40e18f4e117b3b2533df189448cb34ae46'
    expect(lost.map(({ tokenid, held }) => ({ tokenid, held }))).toEqual([
      { tokenid: taken, held: 0n },
    ])
  })

  test.each([
    ['komodod', komodod, networks.assetChain],
    ['tokeld', tokeld, networks.tokel],
  ] as const)(
    'a ledger agrees with itself on %s: all at once, or begun anew for every block',
    async (_, chain, network) => {
      const database = await wholeLedgerOf(chain, network)
      const other = await openDatabase(freshFile())
      const blocks = [...blocksOfDump(upTo(chain, 1e9))]
      // In a quick run, a ledger that is begun anew takes fifty of them.
      const step = isQuick ? 50 : 1
      for (let from = 0; from < blocks.length; from += step) {
        const some = blocks.slice(from, from + step)
        await bringForward(new Ledger(other, { network, signatures: true }), some, {
          isTrusted: true,
        })
      }
      for (const table of ['block', 'tx', 'token', 'place', 'holding', 'refusal']) {
        // Amounts may be more than a number holds.
        const columns =
          table === 'holding' ? 'tx, vout, token, CAST(amount AS TEXT), place, spent_by' : '*'
        // As texts, because the comparison of many buffers takes long.
        const rows = (of: Database) =>
          of
            .prepare(`SELECT ${columns} FROM ${table}`)
            .all()
            .map((row) => Object.values(row).map(textOfValue).join('|'))
        expect(rows(other), table).toEqual(rows(database))
      }
      expect(
        database.prepare('SELECT MAX(spent_by) spent FROM holding').get()?.spent,
      ).toBeGreaterThan(0)
    },
  )

  test('names who can spend an output by keys that other transactions show of its script', async () => {
    const database = await wholeLedgerOf(komodod, networks.assetChain)
    // The creation issues the tokens to a holder that it does not name.
    const tokenid = 'e7b6b036aba983161682ce1cb30af2e2eb43865d9aa093cc84d74cdddae29adb'
    const holder = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
    expect(holdersOf(database, tokenid, networks.assetChain)).toContainEqual(
      expect.objectContaining({ holder, amount: 1000n }),
    )
    const scripts = database.prepare('SELECT script FROM place').all()
    expect(new Set(scripts.map(({ script }) => String(script))).size).toBe(scripts.length)
  })

  test('a ledger and the prover agree: each output that is held has a proof, signatures included', async () => {
    const database = await wholeLedgerOf(komodod, networks.assetChain)
    let proven = 0
    for (const { tokenid } of shareOf(tokensIn(database))) {
      for (const { outputs } of holdersOf(database, tokenid, networks.assetChain)) {
        for (const { txid, vout, amount } of outputs) {
          const proof = proofOf(database, txid, vout)!
          expect(proof).toMatchObject({ tokenid, amount })
          const options = { signatures: true }
          expect(proveTokenOutput(txid, vout, tokenid, proof.transactions, options)).toEqual({
            verdict: 'proven',
            amount,
          })
          proven += 1
        }
      }
    }
    expect(proven).toBeGreaterThan(isQuick ? 2 : 20)
    expect(proofOf(database, '11'.repeat(32), 0)).toBeUndefined()
  })
})

/** Returns blocks as a daemon stores them on disk: four magic bytes, the size, the block. */
function recordsOf(blocks: readonly string[], magic = 'f9eee48d'): Buffer {
  return Buffer.concat(
    blocks.flatMap((hex) => {
      const head = Buffer.from(`${magic}00000000`, 'hex')
      head.writeUInt32LE(hex.length / 2, 4)
      return [head, Buffer.from(hex, 'hex')]
    }),
  )
}

/** The transactions of a node by their blocks' heights. */
function dumpOf(node: DevNode): { height: number; hex: string }[] {
  const { blocks } = JSON.parse(node.dump()) as { blocks: { transactions: string[] }[] }
  return blocks.flatMap(({ transactions }, height) =>
    transactions.map((hex) => ({ height: height + 1, hex })),
  )
}

const blobOf = (txid: string): Uint8Array => Buffer.from(txid, 'hex')

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

describeUnless(noSqlite)(`a ledger of a development node`, () => {
  const open = async () => {
    const database = await openDatabase(freshFile())
    return {
      database,
      ledger: new Ledger(database, { network: networks.assetChain, signatures: true }),
    }
  }

  test('has its balances, from its dump, its blocks in hex and files of a daemon', async () => {
    const { node, tokenids } = await madeChain()
    await using _ = node
    const blocks = await blocksOf(node)
    const chainFolder = mkdtempSync(`${folder}/blocks-`)
    // A stale block, in the wrong order, and what was reserved and not written.
    const stale = blocks[3]!.replace(/^(.{208})(.{8})/, (_all, before) => `${before}00000000`)
    const shuffled = [blocks[0]!, blocks[2]!, blocks[1]!, stale, ...blocks.slice(3)]
    writeFileSync(`${chainFolder}/blk00000.dat`, recordsOf(shuffled.slice(0, 6)))
    writeFileSync(
      `${chainFolder}/blk00001.dat`,
      Buffer.concat([recordsOf(shuffled.slice(6)), Buffer.alloc(100_000)]),
    )
    const sources = [
      blocksOfDump(node.dump()),
      blocksOfLines(linesOf(blocks)),
      blocksOfFiles(chainFolder),
    ]
    for (const source of sources) {
      const { database, ledger } = await open()
      await bringForward(ledger, source)
      expect(ledger.tip?.height).toBe(blocks.length - 1)
      for (const tokenid of tokenids) {
        for (const [identity, { pubkey }] of node.identities.entries()) {
          const answer = await node.request('tokenbalance', [tokenid], { identity })
          const balance = balanceOf(database, pubkey, tokenid, networks.assetChain)
          expect(balance).toBe(BigInt((answer as { balance: number }).balance))
        }
        const { supply, held } = tokensIn(database).find((it) => it.tokenid === tokenid)!
        expect(supply).toBe(held)
      }
    }
  })

  test('refuses what is not rightly signed, and all that rests on it', async () => {
    const { node, tokenids } = await madeChain()
    await using _ = node
    const { text, spoiled, units } = spoiledChain(node)
    const { database, ledger } = await open()
    await bringForward(ledger, blocksOfDump(text))
    const [first, ...rest] = refusalsIn(database, tokenids[0]!)
    expect(first).toMatchObject({ txid: spoiled, rule: 'signature_invalid' })
    expect(rest.every(({ rule }) => rule === 'unequal_amounts')).toBe(true)
    expect(units).toBe(400n)
    expect(ledger.counts.refused).toBe(1 + rest.length)
    const trusting = await openDatabase(freshFile())
    await bringForward(
      new Ledger(trusting, { network: networks.assetChain, signatures: false }),
      blocksOfDump(text),
    )
    expect(refusalsIn(trusting, tokenids[0]!)[0]?.rule).not.toBe('signature_invalid')
  })

  test('refuses transactions that a header does not commit to', async () => {
    const { node } = await madeChain()
    await using _ = node
    const blocks = await blocksOf(node)
    const at = blocks.findIndex((hex, height) => height > 0 && hex.length > 2000)
    const block = blocks[at]!
    // The last byte of the expiry height of the last transaction.
    const changed = `${block.slice(0, -24)}01${block.slice(-22)}`
    const given = blocks.with(at, changed)
    const { ledger } = await open()
    await expect(bringForward(ledger, blocksOfLines(linesOf(given)))).rejects.toMatchObject({
      code: 'merkle_root_mismatch',
      context: { path: `blocks[${at}]` },
    })
    expect(ledger.tip).toBeUndefined()
  })

  test('has an error of its own for a transaction that a chain has twice', async () => {
    const { node } = await madeChain()
    await using _ = node
    const rows = dumpOf(node)
    const { database, ledger } = await open()
    await bringForward(ledger, blocksOfDump(JSON.stringify(rows)))
    // Spent transactions are dropped, so this needs one that is not.
    const isKept = ({ hex }: { hex: string }) =>
      database.prepare('SELECT 1 FROM tx WHERE txid = ?').get(blobOf(transactionId(hex)))
    const kept = rows.find(isKept)!
    const height = rows.at(-1)!.height + 1
    const again = JSON.stringify([...rows, { height, hex: kept.hex }])
    await expect(bringForward(ledger, blocksOfDump(again))).rejects.toMatchObject({
      code: 'repeated_transaction',
      context: { actual: transactionId(kept.hex) },
    })
    expect(ledger.tip?.height).toBe(rows.at(-1)!.height)
    const twice = JSON.stringify([...rows, { height: rows.at(-1)!.height, hex: rows.at(-1)!.hex }])
    const fresh = await open()
    await expect(
      (async () => bringForward(fresh.ledger, blocksOfDump(twice)))(),
    ).rejects.toMatchObject({ code: 'repeated_transaction' })
  })

  test('takes no list that begins after its last block, unless it is trusted', async () => {
    const { node } = await madeChain()
    await using _ = node
    const rows = dumpOf(node)
    const half = rows.filter(({ height }) => height <= 4)
    const rest = rows.filter(({ height }) => height > 4)
    const list = (some: readonly object[]) => blocksOfDump(JSON.stringify(some))
    const { ledger } = await open()
    await bringForward(ledger, list(half))
    await expect(bringForward(ledger, list(rest))).rejects.toThrow(UnlinkedBlocksError)
    expect(ledger.tip?.height).toBe(4)
    await bringForward(ledger, list(rest), { isTrusted: true })
    expect(ledger.tip?.height).toBe(rows.at(-1)!.height)
    const other = await open()
    await bringForward(other.ledger, list(half))
    await bringForward(other.ledger, list(rows))
    expect(other.ledger.tip).toEqual(ledger.tip)
  })

  test('refuses a list whose first block is another, though its last one is above', async () => {
    const { node } = await madeChain()
    await using _ = node
    const { ledger } = await open()
    const blocks = await blocksOf(node)
    await bringForward(ledger, blocksOfLines(linesOf(blocks.slice(0, 5))))
    const other = await createDevNode({ listen: false, time: 1_900_000_000 })
    await using __ = other
    other.mine(2)
    const [, second] = await blocksOf(other)
    const mixed = [blocks[0]!, second!, ...blocks.slice(2)]
    await expect(bringForward(ledger, blocksOfLines(linesOf(mixed)))).rejects.toThrow(
      OtherChainError,
    )
    expect(ledger.tip?.height).toBe(4)
  })

  test('goes on where it ended, and never onto another chain', async () => {
    const { node } = await madeChain()
    await using _ = node
    const blocks = await blocksOf(node)
    const { database, ledger } = await open()
    await bringForward(ledger, blocksOfLines(linesOf(blocks.slice(0, 5))))
    await bringForward(ledger, blocksOfLines(linesOf(blocks)))
    expect(ledger.counts.blocks).toBe(blocks.length)
    await bringForward(ledger, blocksOfLines(linesOf(blocks)))
    expect(ledger.counts.blocks).toBe(blocks.length)
    const other = await createDevNode({ listen: false, time: 1_900_000_000 })
    await using __ = other
    other.mine(blocks.length + 2)
    const others = await blocksOf(other)
    await expect(bringForward(ledger, blocksOfLines(linesOf(others)))).rejects.toThrow(
      OtherChainError,
    )
    const gap = [...blocks, others.at(-1)!]
    await expect(bringForward(ledger, blocksOfLines(linesOf(gap)))).rejects.toThrow(OtherChainError)
    expect(tokensIn(database).length).toBe(2)
    expect(() => new Ledger(database, { network: networks.tokel, signatures: true })).toThrow(
      OtherChainError,
    )
    const malformed = [...blocks, `${blocks[0]!}00`]
    await expect(bringForward(ledger, blocksOfLines(linesOf(malformed)))).rejects.toMatchObject({
      code: 'trailing_bytes',
      context: { path: `blocks[${blocks.length}]` },
    })
  })
})

testUnless(noSqlite)(`a ledger of another version is not read, and told`, async () => {
  const file = freshFile()
  const database = await openDatabase(file)
  new Ledger(database, { network: networks.assetChain, signatures: true })
  database.exec("UPDATE meta SET value = '1' WHERE name = 'version'")
  const claimed = 'the ledger has version 1, expected 5: make a new one'
  expect(() => new Ledger(database, { network: networks.assetChain, signatures: true })).toThrow(
    new OtherChainError(claimed),
  )
  database.close()
})

describeUnless(noSqlite)(`the command`, () => {
  const tokeld = readVectors<ChainFile>('tokeld/90-chain-dump.json')
  const blocks = `${folder}/tokeld.json`
  const owner = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
  const audit = (file: string, ...args: string[]) =>
    runCommand(['audit', '--ledger', file, ...args])
  const recorded = readVectors<{ balances: RecordedBalance[] }>('tokeld/balances.json')
  const begun = async (...args: string[]) => {
    writeFileSync(blocks, upTo(tokeld, 1e9))
    const file = freshFile()
    await audit(file, blocks, '--network', 'tokel', ...args)
    return file
  }

  test("asks a ledger by its own network's rules, and refuses another's", async () => {
    const file = await begun()
    const claimed = await audit(file, '--owner', owner, '--network', 'tokel')
    expect(claimed.output).toContain(' 100000000 in 1 output')
    expect(await audit(file, '--owner', owner)).toEqual(claimed)
    const [tokenid] = claimed.output.split(' ')
    const token = await audit(file, '--token', tokenid!)
    const [, place] = / in ([0-9a-f]{64}:[0-9]+)/.exec(token.output)!
    expect((await audit(file, '--proof', place!)).output).toMatch(/^proven: /)
    // The audit does not read the known blocks again, and verifies the next blocks by the same
    // rules.
    expect((await audit(file, blocks)).errors).toBe('')
    for (const args of [['--owner', owner], [blocks]]) {
      const { status, errors } = await audit(file, ...args, '--network', 'assetChain')
      expect([status, errors]).toEqual([64, expect.stringContaining('network tokel, expected')])
    }
  })

  test('names the option that accepts a list after the last block of the ledger', async () => {
    const [half, rest] = [`${folder}/half.json`, `${folder}/rest.json`]
    const heights = [...new Set(tokeld.transactions.map(({ height }) => height))]
    const middle = heights[heights.length >> 1]!
    writeFileSync(half, upTo(tokeld, middle))
    writeFileSync(rest, JSON.stringify(tokeld.transactions.filter((it) => it.height > middle)))
    const file = freshFile()
    expect((await audit(file, half, '--network', 'tokel')).errors).toBe('')
    const { status, errors } = await audit(file, rest)
    expect(status).toBe(64)
    expect(errors).toMatch(/cannot tell whether block \d+ follows block \d+.*--trusted/)
    expect((await audit(file, rest, '--trusted')).errors).toBe('')
  })

  test('is reported once that signatures are not looked at', async () => {
    const file = await begun('--unsigned')
    expect((await audit(file, blocks)).errors).toBe('')
    expect((await audit(await begun(), blocks, '--unsigned')).status).toBe(64)
    expect((await audit(file, '--unsigned')).errors).toContain('--unsigned needs BLOCKS')
  })

  test('does not say of what is not an owner that it holds nothing', async () => {
    const file = await begun()
    const mistyped = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg3'
    for (const none of [
      'somebody',
      mistyped,
      `04${'11'.repeat(32)}`,
      '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    ]) {
      const { status, output, errors } = await audit(file, '--owner', none)
      expect([status, output], none).toEqual([64, ''])
      expect(errors).toContain('--owner: expected a compressed public key, or an address of tokel')
    }
    const nobody = addressOf(
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      networks.tokel,
    )
    expect(await audit(file, '--owner', nobody)).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^\(none\)\nup to block \d+ of a list/),
    })
    const ofScript = await audit(file, '--owner', 'bDp16PGBDvmLQ17fFwgG5urMSuzn1fnchb')
    expect([ofScript.status, ofScript.output]).toEqual([64, ''])
    expect(ofScript.errors).toContain('the address of a script, and only conditions hold tokens')
  })

  test("finds by a key's address what Tokel lays under its hash", async () => {
    const file = await begun()
    const database = await openDatabase(file)
    // The key that burns is not a point of the curve.
    const keys = holdersIn(database, networks.tokel).filter((it) =>
      /^0[23](?!dead)[0-9a-f]{64}$/.test(it),
    )
    database.close()
    expect(keys).toContain('02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275')
    // As tokeld wrote it.
    expect(keys.map((it) => addressOf(it, networks.tokel))).toContain(
      'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2',
    )
    for (const key of keys) {
      const held = await audit(file, '--owner', key)
      expect(held.output, key).toMatch(/^[0-9a-f]{64} /)
      expect(await audit(file, '--owner', addressOf(key, networks.tokel)), key).toEqual(held)
    }
  })

  test("finds what lies under a key's hash though nobody showed the key", async () => {
    const file = await begun()
    const database = await openDatabase(file)
    database.exec('UPDATE place SET shown = 0')
    database.close()
    const { output } = await audit(file, '--owner', 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2')
    expect(output).toMatch(/^76768c75[0-9a-f]{56} 550 in 1 output$/m)
  })

  test("does not say of a key's address that it holds nothing where it cannot be looked up", async () => {
    const file = freshFile()
    writeFileSync(blocks, upTo(readVectors<ChainFile>('komodod/90-chain-dump.json'), 1e9))
    await audit(file, blocks)
    expect((await audit(file, '--owner', owner)).output).toMatch(/^[0-9a-f]{64} /)
    const { status, output, errors } = await audit(
      file,
      '--owner',
      addressOf(owner, networks.assetChain),
    )
    expect([status, output]).toEqual([64, ''])
    expect(errors).toContain("tokens of assetChain are not found by a key's address")
    // The address of the key's condition finds tokens, though it looks the same.
    const at = await audit(file, '--owner', tokenAddress(owner, networks.assetChain))
    expect(at).toMatchObject({ status: 0, output: expect.stringMatching(/^[0-9a-f]{64} /) })
  })

  test('says once what an owner holds of a token, wherever it lies', async () => {
    const file = await begun()
    const database = await openDatabase(file)
    let several = 0
    for (const key of holdersIn(database, networks.tokel).filter((it) =>
      /^[0-9a-f]{66}$/.test(it),
    )) {
      const { balances: claimed } = JSON.parse(
        (await audit(file, '--owner', key, '--json')).output,
      ) as {
        balances: {
          tokenid: string
          holder: string
          amount: string
          outputs: { amount: string; height: number }[]
        }[]
      }
      const tokenids = claimed.map(({ tokenid }) => tokenid)
      expect(tokenids, key).toEqual([...new Set(tokenids)])
      for (const { tokenid, holder, amount, outputs } of claimed) {
        expect(holder).toBe(key)
        const sum = outputs.reduce((all, it) => all + BigInt(it.amount), 0n)
        expect(BigInt(amount), tokenid).toBe(sum)
        const heights = outputs.map(({ height }) => height)
        expect(heights).toEqual([...heights].sort((one, other) => one - other))
        const asked = recorded.balances.filter((it) => it.tokenid === tokenid && it.pubkey === key)
        const last = asked.sort((one, other) => one.height - other.height).at(-1)
        if (last !== undefined && last.height >= heights.at(-1)!) {
          expect(BigInt(amount), tokenid).toBe(BigInt(last.balance))
        }
        if (outputs.length > 1) several += 1
      }
    }
    database.close()
    expect(several).toBeGreaterThan(0)
  })

  test.each(['7be4ee8d', '22000000', '5b123456', '61626364', 'f9eee48d'])(
    "takes a daemon's file for one, whatever the magic %s begins with",
    async (magic) => {
      const node = await createDevNode({ listen: false })
      await using _ = node
      await node.mine(3)
      const path = `${mkdtempSync(`${folder}/magic-`)}/blk00000.dat`
      writeFileSync(path, recordsOf(await blocksOf(node), magic))
      const { output, errors } = await audit(freshFile(), path)
      expect(errors).toBe('')
      expect(output).toMatch(/^ledger up to block [1-9]/)
    },
  )

  test('refuses a file that is not a ledger, and leaves it as it is', async () => {
    await begun()
    const [text, other, empty] = [freshFile(), freshFile(), freshFile()]
    writeFileSync(text, 'notes of somebody, many of them\n'.repeat(20))
    const database = await openDatabase(other)
    database.exec('CREATE TABLE wallet (key TEXT)')
    database.close()
    writeFileSync(empty, '')
    const claimed = [
      [text, 'file is not a database'],
      [other, 'the file is another database'],
      [folder, 'unable to open database file'],
      // the words of node:sqlite, and of better-sqlite3
      [`${folder}/absent/ledger`, /unable to open database file|the directory does not exist/],
    ] as const
    for (const [file, words] of claimed) {
      const { status, errors } = await audit(file, blocks)
      expect([status, errors], file).toEqual([64, expect.stringMatching(words)])
    }
    expect(readFileSync(text, 'utf8')).toHaveLength(640)
    expect((await audit(empty, '--owner', owner)).errors).toContain('is empty: give BLOCKS')
  })

  test('says that another process uses the ledger', async () => {
    const file = await begun()
    const other = await openDatabase(file)
    other.exec('BEGIN IMMEDIATE')
    const { status, errors } = await audit(file, blocks)
    expect(status).toBe(69)
    expect(errors).toMatch(/another process uses .*: wait until it has ended/)
    // A query does not wait for the other process.
    expect((await audit(file, '--owner', owner)).status).toBe(0)
    other.exec('ROLLBACK')
    other.close()
  })

  test('refuses blocks of another chain, though they end below the last one of the ledger', async () => {
    const file = await begun()
    const shorter = `${folder}/shorter.json`
    writeFileSync(shorter, upTo(tokeld, 20))
    expect((await audit(file, shorter)).errors).toBe('')
    writeFileSync(shorter, upTo(readVectors<ChainFile>('komodod/90-chain-dump.json'), 20))
    const { status, errors } = await audit(file, shorter)
    expect([status, errors]).toEqual([64, expect.stringMatching(/at height 1, and this chain/)])
  })

  test('begins no ledger where there are no blocks to read', async () => {
    const file = freshFile()
    const nothing = mkdtempSync(`${folder}/nothing-`)
    expect((await audit(file, nothing)).errors).toContain('no blk*.dat in')
    expect((await audit(file, `${nothing}/absent`)).errors).toContain('no such file')
    expect(existsSync(file)).toBe(false)
  })

  test('tells what of a token waits in open asks', async () => {
    const file = freshFile()
    const list = `${folder}/asks.json`
    writeFileSync(list, upTo(readVectors<ChainFile>('komodod/90-chain-dump.json'), 100))
    await audit(file, list)
    const tokenid = '4d5026bc3ea64f98e2ee62919fad2540e9b4146a181eb3c97d26e97502c93562'
    const { output } = await audit(file, '--owner', owner)
    expect(output).toContain(`\n${tokenid} 900 in 1 output, 70 in orders\n`)
    const token = await audit(file, '--token', tokenid)
    expect(token.output).toMatch(
      new RegExp(`\\n  900 ${owner} in [0-9a-f]{64}:2, 70 in orders\\n  30 02a9905810`),
    )
    const json = JSON.parse((await audit(file, '--token', tokenid, '--json')).output)
    expect(json.holders).toMatchObject([
      { holder: owner, amount: '900', inOrders: '70', orders: [{ vout: 0, amount: '70' }] },
      { amount: '30', inOrders: '0', orders: [] },
    ])
  })

  // hex of 16 MiB, two quotes and a line end
  const lengths: [length: number, isOver: boolean][] = [
    [2 ** 25 + 5, true],
    [2 ** 25 + 4, false],
  ]
  test.each(shareOf(lengths))(
    'a line of %i characters is over the limit: %s',
    async (length, isOver) => {
      const path = `${folder}/line.hex`
      writeFileSync(path, `${'a'.repeat(length)}\n`)
      const file = freshFile()
      const { status, output, errors } = await audit(file, path)
      expect([status, output]).toEqual([2, ''])
      expect(errors).toContain('blocks[0]')
      expect(errors.includes('at most 16777216 bytes')).toBe(isOver)
    },
  )

  test('counts the characters of each line by itself', async () => {
    const node = await createDevNode({ listen: false })
    await using _ = node
    node.mine(3)
    const path = `${folder}/lines.hex`
    const blank = ' '.repeat(2 ** 24)
    writeFileSync(path, [...(await blocksOf(node)), blank, blank, blank, ''].join('\n'))
    const { status, errors } = await audit(freshFile(), path)
    expect([status, errors]).toEqual([0, ''])
  })

  // SQLite keeps integers of 64 bits
  test.each([
    [(1n << 63n) - 1n, 0],
    [1n << 63n, 2],
  ])('ends with a supply of %i in several outputs: status %i', async (supply, expected) => {
    const { transactions } = readVectors<ChainFile>('komodod/90-chain-dump.json')
    const coinbase = transactions[0]!
    const script = `21${owner}ac`
    const halves = [1n << 62n, supply - (1n << 62n)]
    const base = {
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      lockTime: 0,
      expiryHeight: 0,
    }
    const funding = encodeTransaction({
      ...base,
      inputs: [{ txid: coinbase.txid, vout: 0, scriptSig: '', sequence: 0 }],
      outputs: halves.map((value) => ({ value, script })),
    })
    const txid = transactionId(funding)
    // komodo src/cc/CCtokens.cpp, CreateToken: c, the owner, a name, no description
    const payload = `f26321${owner}015400`
    const creation = encodeTransaction({
      ...base,
      inputs: [0, 1].map((vout) => ({ txid, vout, scriptSig: '', sequence: 0 })),
      outputs: [
        ...halves.map((value) => ({ value, script: tokenScript(owner) })),
        { value: 0n, script: `6a${(payload.length / 2).toString(16)}${payload}` },
      ],
    })
    const list = `${folder}/supply.json`
    const rows = [coinbase.hex, funding, creation].map((hex, at) => ({
      height: coinbase.height + at,
      hex,
    }))
    writeFileSync(list, JSON.stringify(rows))
    const { status, output, errors } = await audit(freshFile(), list, '--unsigned')
    expect([status, errors === '']).toEqual([expected, expected === 0])
    if (expected === 0) expect(output).toContain(` ${supply} T\n`)
    else expect(errors).toContain(`${supply}`)
  })
})

test('a block whose coinbase ends within its height is told to be the first', () => {
  const { transactions } = readVectors<ChainFile>('komodod/90-chain-dump.json')
  const coinbase = decodeTransaction(transactions[0]!.hex)
  const inputs = [{ ...coinbase.inputs[0]!, scriptSig: '0400' }]
  const hex = encodeTransaction({ ...coinbase, inputs })
  const [block] = blocksOfDump(JSON.stringify([{ height: 0, hex }]))
  expect(block?.height).toBe(0)
})
