// `antara-tx wallet` and its journal: what it tells a user whose payment may have been sent.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { runCommand } from '../support/cli.ts'
import { confOf } from '../support/funded-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-wallet-journal-'))
const journal = join(folder, 'journal')
let node: DevNode
let recipient: string

beforeAll(async () => {
  node = await createDevNode({ mine: 'manual' })
  const [one, two] = node.identities
  for (let count = 0; count < 20; count += 1) node.fund(two!.address, 50_000_000n)
  node.mine(101)
  recipient = one!.address
  writeFileSync(join(folder, 'node.conf'), confOf(two!))
  writeFileSync(join(folder, 'key'), `${two!.wif}\n`, { mode: 0o600 })
  return () => node.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => rmSync(journal, { recursive: true, force: true }))
afterEach(() => {
  node.mine()
  vi.useRealTimers()
})

const connection = () => ['--conf', join(folder, 'node.conf')]
const walletCommand = (...args: readonly string[]) =>
  runCommand(['wallet', ...args, ...connection(), '--key-file', join(folder, 'key')])
const send = (...args: readonly string[]) =>
  walletCommand('send', '--to', recipient, '--coins', '0.1', '--yes', ...args)
const recorded = ['--journal', journal]

async function pending(): Promise<readonly string[]> {
  return (await node.request('getrawmempool')) as string[]
}

/** Sends a payment that the node carries out, and whose answer is lost. */
async function sendAndLoseAnswer(...args: readonly string[]) {
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  const lost = await send(...args, '--timeout', '5')
  node.faults.clear()
  expect(lost).toMatchObject({ status: 75 })
  return lost
}

test('tells a user without a journal to look for a lost payment, and not to repeat it', async () => {
  const lost = await sendAndLoseAnswer('--id', 'invoice', '--no-journal')
  const [txid] = await pending()
  expect(lost.output).toContain(`UNCERTAIN: ${txid} may have been sent`)
  expect(lost.output).toContain('Do NOT run the same command again')
  expect(lost.output).not.toContain('sends no second payment')
  const hex = await node.request('getrawtransaction', [txid])
  expect(lost.output).toContain(`\n  ${hex}\n`)
})

test('tells a user with a journal and an id to repeat a lost payment, which pays once', async () => {
  const lost = await sendAndLoseAnswer('--id', 'invoice', ...recorded)
  expect(lost.output).toContain('Run the same command again: it sends no second payment.')
  const again = await send('--id', 'invoice', ...recorded)
  expect(again).toMatchObject({ status: 0, output: `${await pending()}\n` })
})

test('tells a user without an id that a repetition may be a new payment, which it is', async () => {
  const lost = await sendAndLoseAnswer(...recorded)
  expect(lost.output).toContain('Settle it with: antara-tx wallet resume\n')
  expect(lost.output).toContain('is a new payment once a block has this one')
  expect(lost.output).not.toContain('sends no second payment')
  const [first] = await pending()
  node.mine()
  expect(await walletCommand('resume', '--yes', ...recorded)).toMatchObject({ status: 0 })
  const soon = await send(...recorded)
  expect(soon).toMatchObject({ status: 0, output: `${first}\n` })
  expect(soon.errors).toContain('To make it again, give another --id.')
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ['Date'] })
  const later = await send(...recorded)
  expect(later).toMatchObject({ status: 0 })
  expect(await pending()).toEqual([later.output.trim()])
  expect(later.output).not.toBe(soon.output)
})

test('resume refuses to run without a journal, which would show that nothing is open', async () => {
  const refused = await walletCommand('resume', '--yes', '--no-journal')
  expect(refused).toMatchObject({ status: 64, output: '' })
  expect(refused.errors).toContain('--no-journal cannot be combined with resume')
})

test('both resume commands end with 75 while a payment is open, or was not looked up', async () => {
  const created = await walletCommand(
    'create',
    '--name',
    'GOLD',
    '--units',
    '9',
    '--yes',
    ...recorded,
  )
  node.mine()
  const tokenid = created.output.trim()
  const [one, two] = node.identities
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  const transfer = ['transfer', '--daemon', tokenid, one!.pubkey, '5', '--from', two!.pubkey]
  const other = ['--journal', join(folder, 'other')]
  const lost = await runCommand([...transfer, '--yes', '--id', 't', ...other, ...connection()])
  expect(lost).toMatchObject({ status: 75 })
  node.faults.clear()
  const settle = 'antara-tx attempts resume'
  const resumed = await walletCommand('resume', '--yes', ...other)
  expect(resumed).toMatchObject({
    status: 75,
    output: `id t: unsettled, settle it with ${settle}\n`,
  })
  const printed = await walletCommand('resume', '--yes', '--json', ...other)
  expect(printed.status).toBe(75)
  expect(JSON.parse(printed.output)).toEqual([{ name: 'id t', settledBy: settle }])
  node.mine()
  await runCommand([...settle.split(' ').slice(1), ...other, ...connection()])
  expect(await walletCommand('resume', '--yes', ...other)).toMatchObject({ status: 0, output: '' })
  const unreachable = ['--url', 'http://127.0.0.1:9', '--timeout', '2']
  const looked = ['attempts', 'resume', ...other, ...connection()]
  expect(await runCommand(looked)).toMatchObject({ status: 0 })
  const unseen = await runCommand([...looked, ...unreachable])
  expect(unseen).toMatchObject({ status: 75 })
  expect(unseen.output).toContain('settled')
})
