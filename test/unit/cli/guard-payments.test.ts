// The options of payments of a guard that the command line starts.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { networks } from '../../../src/chain/network.ts'
import { networkOf, paidByOf, repeatOf } from '../../../src/cli/guard-payments.ts'

const { komodo, assetChain, tokel } = networks

test.each([
  ['no option, because the daemon is that of KMD', {}, komodo],
  ['the chain KMD', { chain: 'KMD' }, komodo],
  ['the chain TOKEL', { chain: 'TOKEL' }, tokel],
  ['another chain', { chain: 'TOKTEST' }, assetChain],
  ['a conf file of an unnamed chain', { conf: 'a file' }, assetChain],
  ['a URL of an unnamed chain', { daemon: 'http://127.0.0.1:1' }, assetChain],
  ['a named network, whatever the chain', { chain: 'KMD', network: 'assetChain' }, assetChain],
] as const)('the network follows from %s', (_, options, network) => {
  expect(networkOf(new Map(Object.entries(options)))).toBe(network)
})

test('the network may be that of a file', () => {
  const folder = mkdtempSync(`${tmpdir()}/antara-tx-guard-network-`)
  const network = `${folder}/mine.json`
  writeFileSync(network, '{ "name": "MINE", "pubKeyHashPrefix": 25 }')
  const named = networkOf(new Map(Object.entries({ chain: 'KMD', network })))
  rmSync(folder, { recursive: true })
  expect(named).toMatchObject({ ...assetChain, name: 'MINE', pubKeyHashPrefix: 25 })
})

test('an unknown network is refused', () => {
  expect(() => networkOf(new Map([['network', 'KMD']]))).toThrow(/--network/)
})

test('--repeat is the time in seconds after which a payment without a name is a new one', () => {
  expect(repeatOf(new Map())).toEqual({})
  expect(repeatOf(new Map([['repeat', '90']]))).toEqual({ repeatMs: 90_000 })
  expect(repeatOf(new Map([['repeat', '0']]))).toEqual({ repeatMs: 0 })
})

test.each(['', '-1', '1.5', '1e3', 'ten', '999999999'])('--repeat %j is refused', (seconds) => {
  expect(() => repeatOf(new Map([['repeat', seconds]]))).toThrow(/--repeat: expected whole seconds/)
})

test('--paid-by names transactions and the payments that they made', () => {
  const [one, other] = ['ab'.repeat(32), 'CD'.repeat(32)]
  const read = (text: string) => paidByOf(new Map([['paid-by', text]]))
  expect(paidByOf(new Map())).toEqual({})
  expect(read(one)).toEqual({ paidBy: [{ txid: one }] })
  const names = `${one}=ann/a=b, c,${other}, ${one}=${other}`
  expect(read(names).paidBy).toEqual([
    { txid: one, id: 'ann/a=b, c' },
    { txid: other },
    { txid: one, id: other },
  ])
})

test.each(['', 'ab', `${'ab'.repeat(32)}=`, `invoice-17=${'ab'.repeat(32)}`, ','])(
  '--paid-by %j is refused',
  (text) => {
    expect(() => paidByOf(new Map([['paid-by', text]]))).toThrow(/--paid-by: expected/)
  },
)
