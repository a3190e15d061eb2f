// Questions to ledgers of recorded chains, which are built once: the answers are those of daemons.

import { beforeAll, expect, test } from 'vitest'

import {
  type Balance,
  balancesOfOwner,
  holdersOf,
  isKnownPlace,
  proofOf,
  refusalsIn,
  tokensIn,
} from '../../../src/audit/queries.ts'
import type { Database } from '../../../src/audit/sqlite.ts'
import { burnPublicKeys } from '../../../src/chain/modules.ts'
import {
  addressOf,
  decodeTransaction,
  encodeTransaction,
  networks,
  type Transaction,
  tokenAddress,
} from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { addressOfScript } from '../../../src/script/script.ts'
import { keyScriptV2 } from '../../../src/token/rules/tokens-v2.ts'
import { ledgerOf, noSqlite, type Row } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'
import { sent } from '../../support/token-chains.ts'
import { readVectors } from '../../support/vectors.ts'

const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
const { assetChain, tokel } = networks

/** A chain while an ask of alice is open, and when all of it was recorded. */
const chains = {
  komodod: {
    network: assetChain,
    whileOpen: 99,
    tokenid: '4d5026bc3ea64f98e2ee62919fad2540e9b4146a181eb3c97d26e97502c93562',
    address: tokenAddress(alice, assetChain),
    // the daemon's balance, and the units of the ask
    held: { amount: 900n, inOrders: 100n },
  },
  tokeld: {
    network: tokel,
    whileOpen: 44,
    tokenid: '6d0ac36e19684ec7d04ed3361465c813f4104baca7e1f68d0485b4f3f69e8433',
    address: addressOf(alice, tokel),
    held: { amount: 99_999_800n, inOrders: 100n },
  },
}

/** Its data begin with the code f7, and its units lie under f2 alone, where no daemon looks. */
const mislaid = 'f9a78fe78b94c8894c89fdd613debf3a6e5ee917d0ec610ea1a82b3973bebe25'

type Daemon = keyof typeof chains
const daemons = Object.keys(chains) as Daemon[]

const rowsOf = (daemon: Daemon, height = Number.POSITIVE_INFINITY) =>
  readVectors<{ transactions: Row[] }>(`${daemon}/90-chain-dump.json`).transactions.filter(
    (it) => it.height <= height,
  )

const open = {} as Record<Daemon, Database>
const whole = {} as Record<Daemon, Database>

describeUnless(noSqlite)('a question to a ledger', () => {
  beforeAll(async () => {
    for (const daemon of daemons) {
      const { network, whileOpen } = chains[daemon]
      open[daemon] = (await ledgerOf(rowsOf(daemon, whileOpen), false, network)).database
      whole[daemon] = (await ledgerOf(rowsOf(daemon), false, network)).database
    }
  })

  test.each(daemons)('counts units in an open ask for its maker, by any name, on %s', (daemon) => {
    const { network, tokenid, address, held } = chains[daemon]
    const holders = holdersOf(open[daemon], tokenid, network)
    const own = holders.find(({ holder }) => holder === alice)!
    expect(own).toMatchObject({ ...held, tokenid, isBurned: false })
    expect(own.orders.map(({ vout, amount }) => [vout, amount])).toEqual([[0, 100n]])
    for (const owner of [alice, address]) {
      const balances = balancesOfOwner(open[daemon], owner, network)
      expect(balances.filter((it) => it.tokenid === tokenid)).toEqual([own])
      expect(new Set(balances.map(({ holder }) => holder))).toEqual(new Set([alice]))
      expect(balances.filter(({ inOrders }) => inOrders > 0n)).toHaveLength(1)
    }
    for (const { inOrders } of balancesOfOwner(open[daemon], bob, network))
      expect(inOrders).toBe(0n)
  })

  test.each(daemons)('finds for each holder on %s what the token has for it', (daemon) => {
    const { network } = chains[daemon]
    const owned = new Map(
      [alice, bob].map((key) => [key, balancesOfOwner(whole[daemon], key, network)]),
    )
    const missed: string[] = []
    let keys = 0
    for (const { tokenid, held } of tokensIn(whole[daemon])) {
      const holders = holdersOf(whole[daemon], tokenid, network)
      const units = holders.map(({ amount, inOrders }) => amount + inOrders)
      expect(units.reduce((sum, it) => sum + it, 0n)).toBe(held)
      expect(units).toEqual(units.toSorted((one, other) => Number(other - one)))
      for (const own of holders) {
        const same = owned.get(own.holder)?.find((it) => it.tokenid === tokenid)
        if (!owned.has(own.holder)) continue
        if (same === undefined) missed.push(tokenid)
        else expect(same.outputs).toEqual(expect.arrayContaining([...own.outputs]))
        keys += 1
      }
    }
    expect(missed).toEqual(daemon === 'komodod' ? [mislaid] : [])
    expect(keys).toBeGreaterThan(4)
  })

  // Creations and fills name a key of tokens v2, and transfers only its hash.
  test('counts for a key of Tokel what its hash holds, and what is burned', async () => {
    const node = await createDevNode({ listen: false, network: tokel, time: 1_800_000_000 })
    const tokenid = await sent(node, 'tokenv2create', ['GOLD', '0.00001'])
    const [one, other] = node.identities.map(({ pubkey }) => pubkey) as [string, string]
    const burned = burnPublicKeys.komodo
    await sent(node, 'tokenv2transfer', [tokenid, other, '300'])
    await sent(node, 'tokenv2transfer', [tokenid, burned, '50'])
    await sent(node, 'tokenv2transfer', [tokenid, burnPublicKeys.tokel, '20'])
    // A creation names the other key to the ledger.
    await sent(node, 'tokenv2create', ['SILVER', '0.00001'], 1)
    const counted = async (key: string): Promise<unknown> => {
      const answer = await node.request('tokenv2balance', [tokenid, key])
      return BigInt((answer as { balance: number }).balance)
    }
    const expected = [
      [one, await counted(one), false],
      [other, await counted(other), false],
      [burned, 50n, true],
      [burnPublicKeys.tokel, 20n, true],
    ]
    const { blocks } = JSON.parse(node.dump()) as { blocks: { transactions: string[] }[] }
    await node.close()
    const rows = blocks.flatMap(({ transactions }) => transactions)
    const made = await ledgerOf(
      rows.map((hex) => ({ height: 0, hex })),
      false,
      tokel,
    )
    const holders = holdersOf(made.database, tokenid, tokel)
    expect(holders.map(({ holder, amount, isBurned }) => [holder, amount, isBurned])).toEqual(
      expected,
    )
  })

  test('tells the asks of one maker from those of others of the same token', async () => {
    const node = await createDevNode({ listen: false, time: 1_800_000_000 })
    const tokenid = await sent(node, 'tokencreate', ['GOLD', '0.00000200'])
    const [one, other] = node.identities.map(({ pubkey }) => pubkey)
    await sent(node, 'tokentransfer', [tokenid, other!, '90'])
    await sent(node, 'tokenask', ['60', tokenid, '0.001'])
    await sent(node, 'tokenask', ['7', tokenid, '0.001'], 1)
    const { blocks } = JSON.parse(node.dump()) as { blocks: { transactions: string[] }[] }
    const rows = blocks.flatMap(({ transactions }) => transactions)
    await node.close()
    const made = await ledgerOf(
      rows.map((hex) => ({ height: 0, hex })),
      false,
      assetChain,
    )
    const holders = holdersOf(made.database, tokenid, assetChain)
    // The first has more in all and less at hand.
    expect(holders.map(({ holder, amount, inOrders }) => [holder, amount, inOrders])).toEqual([
      [one, 50n, 60n],
      [other, 83n, 7n],
    ])
    for (const own of holders) {
      for (const owner of [own.holder, tokenAddress(own.holder, assetChain)]) {
        expect(balancesOfOwner(made.database, owner, assetChain)).toEqual([own])
      }
    }
  })

  /** The ledger of tokeld while an ask of alice is open, with that ask as a stranger would have it. */
  async function withAsk(outputsOf: (outputs: Transaction['outputs']) => Transaction['outputs']) {
    const { tokenid } = chains.tokeld
    const [ask] = balancesOfOwner(open.tokeld, alice, tokel).flatMap(({ orders }) => orders)
    const rows = rowsOf('tokeld', chains.tokeld.whileOpen)
    const at = rows.findIndex(({ hex }) => decodeTransaction(hex).txid === ask!.txid)
    const made = decodeTransaction(rows[at]!.hex)
    const hex = encodeTransaction({ ...made, outputs: outputsOf(made.outputs) })
    const changed = rows.with(at, { ...rows[at]!, hex })
    const { database } = await ledgerOf(changed, false)
    return { database, tokenid }
  }
  const unitsOf = (balances: readonly Balance[], tokenid: string) =>
    balances
      .filter((it) => it.tokenid === tokenid)
      .map(({ holder, amount, inOrders }) => [holder, amount, inOrders])

  test('gives the maker of an ask nothing that lies where another key can spend it', async () => {
    const { database, tokenid } = await withAsk((outputs) =>
      outputs.with(0, { ...outputs[0]!, script: keyScriptV2(bob) }),
    )
    const own = [alice, chains.tokeld.held.amount, 0n]
    const holders = unitsOf(holdersOf(database, tokenid, tokel), tokenid)
    // The chain has 80 units under the hash of the other key.
    expect(holders.slice(0, 2)).toEqual([own, [bob, 180n, 0n]])
    expect(unitsOf(balancesOfOwner(database, alice, tokel), tokenid)).toEqual([own])
    expect(unitsOf(balancesOfOwner(database, bob, tokel), tokenid)).toEqual([[bob, 180n, 0n]])
  })

  test('gives the maker of an ask no further units that lie where asks wait', async () => {
    const { database, tokenid } = await withAsk((outputs) =>
      outputs.with(2, { ...outputs[2]!, script: outputs[0]!.script }),
    )
    const made = [alice, 0n, 100n]
    const units = unitsOf(holdersOf(database, tokenid, tokel), tokenid)
    expect(units).toContainEqual(made)
    expect(units).toContainEqual([expect.anything(), chains.tokeld.held.amount, 0n])
    expect(unitsOf(balancesOfOwner(database, alice, tokel), tokenid)).toEqual([made])
  })

  test.each([
    ['first', 'DESC'],
    ['last', 'ASC'],
  ])('names a condition by its keys, which the %s of its scripts shows', async (_, order) => {
    const { database } = await ledgerOf(rowsOf('tokeld', 46), false)
    const address = addressOfScript(keyScriptV2(bob), tokel)!
    const before = balancesOfOwner(database, address, tokel)
    expect(before.length).toBeGreaterThan(1)
    expect(new Set(before.map(({ holder }) => holder))).toEqual(new Set([bob]))
    database
      .prepare(
        `UPDATE place SET shown = 0, holder = ? WHERE id =
           (SELECT id FROM place WHERE holder = ? ORDER BY id ${order} LIMIT 1)`,
      )
      .run(address, bob)
    expect(balancesOfOwner(database, address, tokel)).toEqual(before)
  })

  test('lists holders of equally many units in the order in which they got the first', async () => {
    const half = chains.tokeld.held.amount / 2n
    // The ask has 100 units of alice, and the chain has 80 under the hash of bob's key.
    const { database, tokenid } = await withAsk(([ask, marker, change, , note]) => [
      ask!,
      marker!,
      { value: half + 10n, script: keyScriptV2(bob) },
      { ...change!, value: half - 10n },
      note!,
    ])
    const holders = unitsOf(holdersOf(database, tokenid, tokel), tokenid)
    expect(holders.slice(0, 2)).toEqual([
      [bob, half + 90n, 0n],
      [alice, half - 10n, 100n],
    ])
  })

  test.each([
    ['more than a key', `00${alice}`],
    ['a key and more', `${alice}00`],
    ['a key in capitals', alice.toUpperCase()],
    ['the address of a script', 'bDp16PGBDvmLQ17fFwgG5urMSuzn1fnchb'],
    ['another key', `02${'11'.repeat(32)}`],
    ['nothing', ''],
  ])('finds nothing for %s', (_, owner) => {
    for (const daemon of daemons) {
      expect(balancesOfOwner(whole[daemon], owner, chains[daemon].network)).toEqual([])
    }
  })

  test('finds nothing by the address of a key on komodod, whose conditions have their own', () => {
    expect(balancesOfOwner(whole.komodod, addressOf(alice, assetChain), assetChain)).toEqual([])
    const named = balancesOfOwner(whole.komodod, tokenAddress(alice, assetChain), assetChain)
    expect(named.length).toBeGreaterThan(0)
  })

  test('finds what lies under the hash of a key that nobody showed', async () => {
    const { database } = await ledgerOf(rowsOf('tokeld', 44), false)
    const before = balancesOfOwner(database, addressOf(bob, tokel), tokel)
    database.exec('UPDATE place SET shown = 0')
    const after = balancesOfOwner(database, addressOf(bob, tokel), tokel)
    // A key finds more than its hash: the places of conditions that hold the key itself.
    const nameOf = (balances: typeof before) =>
      balances.flatMap(({ outputs }) => outputs.map(({ txid, vout }) => `${txid}:${vout}`))
    expect(nameOf(after).length).toBeGreaterThan(4)
    // No key is known, so the holder is the address of a condition.
    for (const { holder } of after) expect(isKnownPlace(database, holder, tokel)).toBe(true)
    expect(nameOf(before)).toEqual(expect.arrayContaining(nameOf(after)))
  })

  test.each(daemons)('knows the places of %s that hold tokens, or held them', (daemon) => {
    const { network } = chains[daemon]
    const known = daemon === 'komodod' ? tokenAddress(alice, network) : undefined
    if (known !== undefined) expect(isKnownPlace(whole[daemon], known, network)).toBe(true)
    expect(isKnownPlace(whole[daemon], addressOf(alice, network), network)).toBe(false)
    expect(isKnownPlace(whole[daemon], '', network)).toBe(false)
  })

  test('lists what was refused, of all tokens or of one', () => {
    const all = refusalsIn(whole.komodod)
    expect(all.length).toBeGreaterThan(1)
    const { tokenid } = all.at(-1)!
    expect(refusalsIn(whole.komodod, tokenid)).toEqual(all.filter((it) => it.tokenid === tokenid))
    expect(refusalsIn(whole.komodod, '11'.repeat(32))).toEqual([])
    const txids = new Set(rowsOf('komodod').map(({ hex }) => decodeTransaction(hex).txid))
    expect(all.every(({ txid }) => txids.has(txid))).toBe(true)
  })

  test('proves an output by its ancestors, as far as the ledger has them', () => {
    const { tokenid } = chains.komodod
    const [own] = holdersOf(open.komodod, tokenid, assetChain)
    const { txid, vout, amount } = own!.outputs[0]!
    const proof = proofOf(open.komodod, txid, vout)!
    expect(proof).toMatchObject({ tokenid, amount })
    const created = decodeTransaction(proof.transactions.at(-1)!)
    expect(proof.transactions.map((hex) => decodeTransaction(hex).txid)).toContain(tokenid)
    expect(created.txid).not.toBe(txid)
    expect(proofOf(open.komodod, txid, 99)).toBeUndefined()
  })
})
