// Payments whose transaction a third party changed before it was mined: its scriptSigs, and its
// txid with them. The balances are the node's own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sign } from '@noble/secp256k1'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  decodeTransaction,
  decodeWif,
  encodeTransaction,
  networks,
  signatureHashes,
  transactionId,
} from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createToken,
  listPayments,
  resumePayments,
  type SafeFlowOptions,
  transferToken,
} from '../../src/rpc/index.ts'
import { malleated } from '../support/malleated.ts'
import { recordPaymentAt } from '../support/shortened-journal.ts'
import { der, push } from '../support/sign.ts'
import { paymentsIn } from './support/journaled.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-malleated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let node: DevNode
let tokenid: string
let path: string
let files = 0

const { newClient, transfer, inProcess, paid } = paymentsIn(() => ({ node, tokenid, path }))

const pay = (options: SafeFlowOptions = {}, amount = 70n) =>
  inProcess((journal) => transferToken(newClient(), transfer(amount), { journal, ...options }))

beforeEach(async () => {
  path = join(folder, `${++files}`, 'journal')
  node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
  const creation = {
    name: 'GOLD',
    supply: 1000n,
    description: '',
    owner: node.identities[0]!.pubkey,
  }
  ;({ txid: tokenid } = (await createToken(newClient(), creation)) as { txid: string })
  node.mine(1)
  return () => node.close()
})

/** Pays, and lets a miner include another form of the transaction. Returns both txids. */
async function paidAsCopy(options: SafeFlowOptions = {}): Promise<{ ours: string; copy: string }> {
  const { txid: ours, report } = await pay(options)
  const copied = malleated(report.hex)
  node.importTransactions([copied])
  expect(await paid()).toBe(70n)
  return { ours: ours!, copy: transactionId(copied) }
}

describe.each([
  ['with an id', { id: 'invoice-17' }],
  ['without an id', {}],
])('a transfer that was mined as a copy, %s,', (_, named) => {
  test('is settled by the next call, under the txid of the copy', async () => {
    const { ours, copy } = await paidAsCopy(named)
    expect(copy).not.toBe(ours)
    expect(await pay(named)).toMatchObject({ txid: copy, repeated: true, report: { ok: true } })
    expect(await pay(named)).toMatchObject({ txid: copy, repeated: true })
    const [payment] = await inProcess(listPayments)
    expect(payment).toMatchObject({
      state: 'settled',
      attempts: [{ txid: ours, minedAs: copy, state: 'settled', height: node.height }],
    })
    node.mine(1)
    expect(await paid()).toBe(70n)
  })

  test('is not paid again if the server is trusted and the copy is deep', async () => {
    const { copy } = await paidAsCopy(named)
    node.mine(150)
    expect(await pay({ ...named, trustServer: true })).toMatchObject({ txid: copy, repeated: true })
    node.mine(1)
    expect(await paid()).toBe(70n)
  })

  test('is settled by resume', async () => {
    const { copy } = await paidAsCopy(named)
    const [resumed] = await inProcess((journal) => resumePayments(newClient(), { journal }))
    expect(resumed).toMatchObject({ payment: { state: 'settled' }, result: { txid: copy } })
  })

  test('is unsettled when a reorganization removes the copy, and sent as it was recorded', async () => {
    const { ours, copy } = await paidAsCopy(named)
    await pay(named)
    node.reorg(1, { drop: [copy] })
    expect(await pay(named)).toMatchObject({ txid: ours })
    node.mine(1)
    expect(await paid()).toBe(70n)
    expect(await pay(named)).toMatchObject({ txid: ours, repeated: true })
    const [payment] = await inProcess(listPayments)
    expect(payment!.attempts[0]).not.toHaveProperty('minedAs')
  })

  test('is settled if the copy replaces it after it was settled', async () => {
    const { txid: ours, report } = await pay(named)
    node.mine(1)
    await pay(named)
    node.reorg(1, { drop: [ours!] })
    const copied = malleated(report.hex)
    node.importTransactions([copied])
    expect(await pay(named)).toMatchObject({ txid: transactionId(copied), repeated: true })
    expect(await paid()).toBe(70n)
  })
})

test('a transaction that spends the inputs for another payment is not a copy', async () => {
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
  await expect(pay()).rejects.toMatchObject({ uncertain: true })
  const [ours] = (await node.request('getrawmempool')) as string[]
  node.mine(1)
  node.reorg(1, { drop: [ours!] })
  // Another program spends the same tokens.
  await transferToken(newClient(), transfer(900n))
  node.mine(1)
  const { txid, held } = await pay()
  expect({ txid, held }).toEqual({ txid: undefined, held: 'different-inputs' })
  expect((await inProcess(listPayments))[0]!.state).toBe('unsettled')
})

test('a creation that was mined as a copy has the id of the copy', async () => {
  const owner = node.identities[0]!.pubkey
  const creation = { name: 'TIN', supply: 5n, description: '', owner }
  const create = () =>
    inProcess((journal) => createToken(newClient(), creation, { journal, id: 'tin' }))
  const { report } = await create()
  const copied = malleated(report.hex)
  node.importTransactions([copied])
  const tokens = async () => ((await node.request('tokenlist')) as string[]).length
  expect(await tokens()).toBe(2)
  expect(await create()).toMatchObject({ txid: transactionId(copied), repeated: true })
  node.mine(1)
  expect(await tokens()).toBe(2)
})

test('a payment that spends change of a transaction that was mined as a copy is made anew', async () => {
  const first = await pay({ id: 'first' })
  node.mine(1)
  const second = await pay({ id: 'second' }, 5n)
  node.reorg(1, { drop: [first.txid!, second.txid!] })
  node.importTransactions([malleated(first.report.hex)])
  node.mine(150)
  expect(await paid()).toBe(70n)
  const trusted = { trustServer: true }
  await pay({ id: 'first', ...trusted })
  await pay({ id: 'second', ...trusted }, 5n)
  node.mine(1)
  expect(await paid()).toBe(75n)
})

test('a copy that was compacted is known by its id', async () => {
  const now = Date.now
  try {
    await inProcess(async (journal) => {
      const client = newClient()
      const one = { journal, id: 'old' }
      const { report } = await transferToken(client, transfer(70n), one)
      const copied = malleated(report.hex)
      node.importTransactions([copied])
      await transferToken(client, transfer(70n), one)
      await recordPaymentAt(journal, await client.call('getblockhash', [1]), 20_000)
      Date.now = () => now() + 40 * 24 * 3_600_000
      for (let at = 0; at < 25; at += 1) {
        await transferToken(client, transfer(1n), { journal, id: `${at}` })
        node.mine(1)
        await transferToken(client, transfer(1n), { journal, id: `${at}` })
        Date.now = () => now() + (41 + at) * 40 * 24 * 3_600_000
      }
      const texts = await journal.read(0)
      expect(
        texts.find((text) => text.includes('"tombstone"') && text.includes('"old"')),
      ).toContain(transactionId(copied))
      expect(await transferToken(client, transfer(70n), one)).toMatchObject({
        txid: transactionId(copied),
        repeated: true,
      })
    })
  } finally {
    Date.now = now
  }
})

/**
 * The same transaction, which the daemon signed again in its first plain input, by another nonce.
 */
async function signedAgain(hex: string): Promise<string> {
  const tx = decodeTransaction(hex)
  const prevouts = await Promise.all(
    tx.inputs.map(async ({ txid, vout }) => {
      const made = (await node.request('getrawtransaction', [txid])) as string
      return decodeTransaction(made).outputs[vout]!
    }),
  )
  const at = tx.inputs.findIndex(({ scriptSig }) => /^4[789]30/.test(scriptSig))
  const hash = Buffer.from(signatureHashes(hex, prevouts)[at]!, 'hex')
  const key = Buffer.from(decodeWif(node.identities[0]!.wif, networks.assetChain).privateKey, 'hex')
  const entropy = { prehash: false, extraEntropy: new Uint8Array(32).fill(7) } as const
  const signature = Buffer.from(sign(hash, key, entropy)).toString('hex')
  const scriptSig = push(`${der(signature)}01`)
  const inputs = tx.inputs.map((input, index) => (index === at ? { ...input, scriptSig } : input))
  return encodeTransaction({ ...tx, inputs })
}

test('the transaction of another payment makes no payment whose attempt has its outputs', async () => {
  const { txid: first, report } = await pay({ id: 'invoice-17' })
  node.mine(1)
  const again = await signedAgain(report.hex)
  const second = await pay({ id: 'invoice-18', earlier: [again] })
  expect(second).toMatchObject({ held: 'different-inputs' })
  expect(second.txid).toBeUndefined()
  const payments = await inProcess(listPayments)
  expect(payments).toMatchObject([
    { id: 'invoice-17', attempts: [{ txid: first }] },
    { id: 'invoice-18', state: 'unsettled', attempts: [{ txid: transactionId(again) }] },
  ])
  expect(await paid()).toBe(70n)
})
