// These tests cover what a ledger records of transactions that strangers made. No signature counts.

import { expect, test, vi } from 'vitest'

import { KnownTransactions } from '../../../src/audit/known.ts'
import { holdersOf, refusalsIn, tokensIn } from '../../../src/audit/queries.ts'
import {
  decodeTransaction,
  encodeTransaction,
  networks,
  tokenScript,
  transactionId,
} from '../../../src/index.ts'
import { encodeTokenPayload } from '../../../src/token/payload/encode.ts'
import { fungible } from '../../../src/token/rules/rules.ts'
import { rulesV2 } from '../../../src/token/rules/tokens-v2.ts'
import { ledgerOf, many, noSqlite, type Row } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'

const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
// komodo src/cc/CCutils.cpp: the keys of the module, and of nobody
const moduleKey = '03e6191c70c9c9a28f9fd87089b9488d0e6c02fb629df64979c9cdb6b2b4a68d95'
const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
const { assetChain } = networks

type Spent = readonly [txid: string, vout: number, scriptSig?: string]
type Paid = readonly [value: bigint, script: string]

function made(spent: readonly Spent[], paid: readonly Paid[]): Row & { readonly txid: string } {
  const hex = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: spent.map(([txid, vout, scriptSig = '']) => ({ txid, vout, scriptSig, sequence: 0 })),
    outputs: paid.map(([value, script]) => ({ value, script })),
    lockTime: 0,
    expiryHeight: 0,
  })
  return { height: 0, hex, txid: transactionId(hex) }
}

/** A scriptSig that brings tokens of a key, over an empty signature. */
const fulfillment = (key: string) =>
  `4c79a276a072a26ba067a5658021${key}8140${'00'.repeat(64)}a100af038001f2a10001`
const held = (key: string) => tokenScript(key, { evalCodes: [0xf2] })
const creates = (owner: string): Paid => [
  0n,
  encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'create',
    owner,
    name: 'T',
    description: '',
    extras: [],
  }),
]
const transfers = (tokenid: string, ...pubkeys: string[]): Paid => [
  0n,
  encodeTokenPayload({ layout: 'komodo-v1', kind: 'transfer', tokenid, pubkeys }),
]
const funding = (...values: bigint[]) =>
  made(
    [['11'.repeat(32), 0]],
    values.map((value) => [value, `21${alice}ac`]),
  )

describeUnless(noSqlite)('a ledger', () => {
  // SQLite keeps integers of 64 bits
  test.each([
    [(1n << 63n) - 1n, true],
    [1n << 63n, false],
  ])('has a token of %i units: %s', async (supply, isTaken) => {
    const halves = [1n << 62n, supply - (1n << 62n)]
    const paid = funding(...halves)
    const creation = made(
      halves.map((_, vout) => [paid.txid, vout]),
      [...halves.map((value): Paid => [value, held(alice)]), creates(alice)],
    )
    const reading = ledgerOf([paid, creation], false, assetChain)
    if (isTaken) {
      const { database } = await reading
      expect(tokensIn(database)).toMatchObject([{ supply, held: supply }])
    } else {
      await expect(reading).rejects.toMatchObject({
        code: 'amount_out_of_range',
        context: {
          path: `block 101, ${creation.txid}`,
          expected: `at most ${(1n << 63n) - 1n}`,
          actual: supply,
        },
      })
    }
  })

  // komodo src/cc/CCtokens.cpp, TokensValidate
  test.each([
    ['takes a burn of a token', [], undefined],
    ['refuses a burn together with the marker', [0], 'marker_spent_with_burn'],
  ] as const)('%s', async (_, spent, rule) => {
    const paid = funding(50_000n)
    const creation = made(
      [[paid.txid, 0]],
      [[10_000n, held(moduleKey)], [100n, held(alice)], creates(alice)],
    )
    const burn = made(
      [
        ...spent.map((vout): Spent => [creation.txid, vout, fulfillment(moduleKey)]),
        [creation.txid, 1, fulfillment(alice)],
      ],
      [[100n, held(burnKey)], transfers(creation.txid, burnKey)],
    )
    const { database } = await ledgerOf([paid, creation, burn], false, assetChain)
    const rules = refusalsIn(database).map((it) => it.rule)
    expect(rules).toEqual(rule === undefined ? [] : [rule])
    const burned = rule === undefined ? [{ holder: burnKey, amount: 100n, isBurned: true }] : []
    expect(holdersOf(database, creation.txid, assetChain)).toMatchObject(burned)
  })

  test('names a creation that comes a second time, and its block', async () => {
    await expect(ledgerOf([...many, many[4]!], false)).rejects.toMatchObject({
      code: 'repeated_transaction',
      context: { path: `block ${100 + many.length}`, actual: transactionId(many[4]!.hex) },
    })
  })

  test('reads what a parent holds once, however many of its outputs are spent', async () => {
    const units = 40
    const paid = funding(50_000n)
    const creation = made(
      [[paid.txid, 0]],
      [...Array.from({ length: units }, (): Paid => [1n, held(alice)]), creates(alice)],
    )
    const merge = made(
      Array.from({ length: units }, (_, vout): Spent => [creation.txid, vout, fulfillment(alice)]),
      [[BigInt(units), held(bob)], transfers(creation.txid, bob)],
    )
    const readings = vi.spyOn(KnownTransactions.prototype, 'holdingsOf')
    const { database } = await ledgerOf([paid, creation, merge], false, assetChain)
    expect(readings.mock.calls).toEqual([[creation.txid]])
    readings.mockRestore()
    expect(holdersOf(database, creation.txid, assetChain)).toMatchObject([
      { holder: bob, amount: BigInt(units) },
    ])
  })

  test('counts a transaction as refused once, though it takes units of two tokens', async () => {
    const creation = decodeTransaction(many[4]!.hex)
    const again = { ...creation, lockTime: creation.lockTime + 1 }
    const created = [many[4]!.hex, encodeTransaction(again)]
    const tokenids = created.map((hex) => decodeTransaction(hex).txid)
    const places = rulesV2.placesOf(fungible)
    const taken = made(
      [['22'.repeat(32), 0]],
      tokenids.map((tokenid): Paid => [5n, places.scriptsOf([bob], tokenid)[0]!]),
    )
    const rows = [...many.slice(0, 4), ...created.map((hex) => ({ height: 0, hex })), taken]
    const { database, ledger } = await ledgerOf(rows, false)
    expect(refusalsIn(database)).toMatchObject(
      tokenids.map((tokenid) => ({ tokenid, txid: taken.txid, rule: 'unequal_amounts' })),
    )
    expect(ledger.counts).toMatchObject({ refused: 1, tokenTransactions: 3 })
  })
})
