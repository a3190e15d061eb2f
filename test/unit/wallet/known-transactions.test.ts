// The transactions that a wallet has read. It needs the bytes of all, and few of them decoded.

import { expect, test, vi } from 'vitest'
import { createFindings } from '../../../src/chain-source/source-findings.ts'
import {
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
  type Transaction,
} from '../../../src/index.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import type { ChainSource } from '../../../src/wallet/index.ts'
import { discoveringRing } from '../../../src/wallet/key-ring.ts'
import { ownScriptsOf } from '../../../src/wallet/own-scripts.ts'
import {
  createKnownTransactions,
  type KnownTransactions,
} from '../../../src/wallet/transactions.ts'

function transactionOf(outputs: number, lockTime: number): string {
  const script = `76a914${'22'.repeat(20)}88ac`
  return encodeTransaction({
    overwintered: true,
    version: 4,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: Array.from({ length: outputs }, () => ({ value: 1n, script })),
    lockTime,
    expiryHeight: 0,
  } as unknown as Transaction)
}

test('keeps the bytes of all transactions, and decodes those again that were not read for long', () => {
  const known = createKnownTransactions({} as ChainSource)
  const small = known.add(transactionOf(1, 0))!
  const first = known.add(transactionOf(4000, 0))!
  expect([known.get(small.txid), known.get(first.txid)]).toEqual([small, first])
  expect(known.get(first.txid)).toBe(first)
  for (let at = 1; at <= 240; at += 1) known.add(transactionOf(4000, at))
  for (const decoded of [small, first]) {
    const again = known.get(decoded.txid)
    expect(again).toEqual(decoded)
    expect(again).not.toBe(decoded)
    expect(known.get(decoded.txid)).toBe(again)
    expect(decodeTransaction(known.hexOf(decoded.txid)!)).toEqual(decoded)
  }
})

test('reads no more bytes than the wallet takes, and half of them for lists of tokens', async () => {
  const hexes = Array.from({ length: 2000 }, (_, at) => transactionOf(10, at))
  const byTxid = new Map(hexes.map((hex) => [decodeTransaction(hex).txid, hex]))
  const txids = [...byTxid.keys()]
  let asked = 0
  const source = {
    name: 'server',
    async transactions(wanted: readonly string[]) {
      asked += wanted.length
      return wanted.map((txid) => byTxid.get(txid))
    },
  } as unknown as ChainSource
  const size = hexes[0]!.length / 2
  const known = createKnownTransactions(source, undefined, 1500 * size)
  const absent = await known.fetch(txids, { isForList: true })
  expect([absent.size, asked]).toEqual([1250, 1000])
  expect(await known.fetch(txids.slice(0, 1500))).toEqual(new Set())
  await expect(known.fetch(txids)).rejects.toMatchObject({
    kind: 'shape',
    reason: 'reply_too_large',
    message: expect.stringContaining(
      `server: transactions has ${1501 * size} bytes, and the wallet reads at most ${1500 * size} (bytesMax). `,
    ),
  })
})

test('takes no byte more where calls are repeated, and leaves out of lists what has no room', async () => {
  const hexes = Array.from({ length: 9 }, (_, at) => transactionOf(10, at))
  const byTxid = new Map(hexes.map((hex) => [decodeTransaction(hex).txid, hex]))
  const txids = [...byTxid.keys()]
  const source = {
    name: 'server',
    transactions: async (wanted: readonly string[]) => wanted.map((txid) => byTxid.get(txid)),
  } as unknown as ChainSource
  const size = hexes[0]!.length / 2
  const known = createKnownTransactions(source, undefined, 6 * size)
  const isKnown = (some: readonly string[]) => some.filter(known.has).length
  // Lists take half of the bytes, also within one answer.
  expect(await known.fetch(txids.slice(0, 4), { isForList: true })).toEqual(new Set([txids[3]]))
  for (let call = 0; call < 3; call += 1) {
    await expect(known.fetch(txids.slice(3))).rejects.toMatchObject({
      received: `${7 * size} bytes`,
    })
    expect(isKnown(txids)).toBe(6)
  }
  // A transaction that the source does not have needs no room.
  expect(await known.fetch(['ab'.repeat(32)])).toEqual(new Set(['ab'.repeat(32)]))
  expect(await known.fetch(txids.slice(6), { isForList: true })).toEqual(new Set(txids.slice(6)))
})

test('a search for used keys reads each transaction once, until it watches more keys', async () => {
  const publicKeys = Array.from({ length: 9 }, (_, at) =>
    publicKeyOf(`${at + 1}`.padStart(64, '0')),
  )
  const outputs = [{ value: 1n, script: pubkeyHashScript(publicKeys[1]!) }]
  const history = ['a', 'b', 'c'].map((digit) => ({ txid: digit.repeat(64), height: 7 }))
  const get = vi.fn(() => ({ outputs }) as unknown as Transaction)
  const known = { get, has: () => true, fetch: async () => new Set() }
  const ring = await discoveringRing(
    {
      keys: async function* () {
        yield* publicKeys
      },
    },
    {
      chain: { history: async () => history } as unknown as ChainSource,
      network: networks.assetChain,
      own: ownScriptsOf([], networks.assetChain),
      known: known as unknown as KnownTransactions,
      findings: createFindings('source'),
    },
    { gapLimit: 2, keysMax: 10 },
  )
  await ring.discover({})
  expect([ring.publicKeys.length, ring.unusedKey()]).toEqual([4, publicKeys[0]])
  expect(get).toHaveBeenCalledTimes(6)
  await ring.discover({})
  expect(get).toHaveBeenCalledTimes(6)
})
