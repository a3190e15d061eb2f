// A look at settled payments by another daemon: the one that settled them may have claimed a false
// block, and after 30 days no bytes are left to send.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fileJournal } from '../../src/journal/index.ts'
import { encodeRecord, type JournalRecord } from '../../src/journal/records.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { runCommand } from '../support/cli.ts'
import { confOf } from '../support/funded-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-attempts-check-'))
const falseTxid = 'ab'.repeat(32)
const otherChain = 'cd'.repeat(32)
const at = '2026-10-01T00:00:00.000Z'
let node: DevNode
let chain: string
let mined: string
let journals = 0

beforeAll(async () => {
  node = await createDevNode({ mine: 'manual' })
  const { address } = node.identities[1]!
  mined = String(await node.request('sendtoaddress', [address, 0.5]))
  node.mine(2)
  chain = String(await node.request('getblockhash', [1]))
  writeFileSync(join(folder, 'node.conf'), confOf(node.identities[0]!))
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => node.faults.clear())

function tombstone(id: string, txid: string, of: string | undefined = chain): JournalRecord {
  const named = { payment: `id ${id}`, id, ...(of !== undefined && { chain: of }) }
  return { kind: 'tombstone', ...named, terms: '{}', txid, at }
}

function settled(id: string, txid: string): JournalRecord[] {
  const about = { payment: `id ${id}`, txid, at }
  return [
    { kind: 'attempt', ...about, id, terms: '{}', request: '{}', hex: '00', chain },
    { kind: 'settled', ...about, height: 3 },
  ]
}

async function check(records: readonly JournalRecord[], ...more: readonly string[]) {
  const path = join(folder, `journal ${++journals}`)
  const journal = fileJournal(path)
  for (const [index, record] of records.entries()) {
    await journal.append(index + 1, encodeRecord(record))
  }
  await journal.close()
  const conf = join(folder, 'node.conf')
  return runCommand(['attempts', 'check', '--journal', path, '--conf', conf, ...more])
}

test('finds settled payments in blocks, with and without their bytes', async () => {
  const { status, output } = await check([tombstone('a', mined), ...settled('b', mined)])
  expect([status, output]).toEqual([0, '2 settled payments: a block has each of them\n'])
})

test('names a payment that no block has, although it counts as settled for ever', async () => {
  const { status, output } = await check([tombstone('a', mined), tombstone('rent', falseTxid)])
  expect(status).toBe(75)
  expect(output).toContain(`id rent: the daemon does not have ${falseTxid}\n`)
  expect(output).toContain('its id counts as paid')
  expect(output).not.toContain('id a:')
})

test('names the resume that sends the bytes again, while the journal has them', async () => {
  const { status, output } = await check(settled('rent', falseTxid))
  expect(status).toBe(75)
  expect(output).toContain(`id rent: the daemon does not have ${falseTxid}\n`)
  expect(output).toContain(`send it again: antara-tx attempts resume --journal '${folder}`)
})

test('names a payment that waits for a block', async () => {
  const waiting = String(await node.request('sendtoaddress', [node.identities[1]!.address, 0.25]))
  const { status, output } = await check([tombstone('rent', waiting)])
  expect([status, output]).toEqual([75, expect.stringContaining(`${waiting} waits for a block`)])
  node.mine()
  expect((await check([tombstone('rent', waiting)])).status).toBe(0)
})

test('leaves out attempts that are not settled', async () => {
  const [attempt] = settled('open', falseTxid)
  const { status, output } = await check([attempt!, tombstone('a', mined, undefined)])
  expect([status, output]).toEqual([0, '1 settled payment: a block has each of them\n'])
})

test('names a payment of another chain, which may be a false one', async () => {
  const records = [tombstone('other', falseTxid, otherChain), tombstone('a', mined)]
  const { status, output } = await check(records)
  expect(status).toBe(75)
  expect(output).toContain(`id other: the daemon does not have ${falseTxid}\n`)
  expect(output).toContain(`its record names the chain with block 1 ${otherChain}`)
  expect(output).toContain('2 settled payments: 1 of another chain\n')
  const { output: json } = await check(records, '--json')
  expect(JSON.parse(json)[0]).toEqual({ name: 'id other', txid: falseTxid, state: 'other-chain' })
})

test('takes the chain of a payment that the daemon has for its own, whatever block 1 was reported', async () => {
  const found = await check([tombstone('a', mined, otherChain)])
  expect([found.status, found.output]).toEqual([0, '1 settled payment: a block has each of them\n'])
  const missing = tombstone('rent', falseTxid, otherChain)
  const { status, output } = await check([missing, tombstone('a', mined, otherChain)])
  expect(status).toBe(75)
  expect(output).toContain(`id rent: the daemon does not have ${falseTxid}\n`)
})

test('looks for earlier payments of the same request without an id', async () => {
  const about = { payment: 'terms {}', at }
  const of = (txid: string, height: number): JournalRecord[] => [
    { kind: 'attempt', ...about, txid, terms: '{}', request: '{}', hex: '00', chain },
    { kind: 'settled', ...about, txid, height },
  ]
  const { status, output } = await check([...of(falseTxid, 2), ...of(mined, 3)])
  expect(status).toBe(75)
  expect(output).toContain(`terms {}: the daemon does not have ${falseTxid}\n`)
  expect(output).toContain('2 settled payments: 1 in no block')
  // A resume looks for the last one only.
  expect(output).not.toContain('attempts resume')
  const [open] = of('cd'.repeat(32), 4)
  expect((await check([...of(falseTxid, 2), open!])).status).toBe(75)
})

test('prints what it found as JSON', async () => {
  const found = await check([tombstone('a', mined), tombstone('rent', falseTxid)], '--json')
  expect(JSON.parse(found.output)).toEqual([
    { name: 'id a', txid: mined, state: 'in-block' },
    { name: 'id rent', txid: falseTxid, state: 'missing' },
  ])
})

test('takes no other failure of the daemon for a missing transaction', async () => {
  node.faults.add({ kind: 'error', method: 'getrawtransaction', code: -28, message: 'starting' })
  const { status, output } = await check([tombstone('a', mined)])
  expect(status).not.toBe(0)
  expect(output).toBe('')
})
