// A daemon that refuses what a guard handed over: the program keeps the bytes, and may send them
// later, or elsewhere.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, expect, test, vi } from 'vitest'

import type { DecisionEntry } from '../../src/guard/index.ts'
import { decodeTransaction } from '../../src/index.ts'
import { bookOf } from '../../src/journal/book.ts'
import { fileJournal, memoryJournal } from '../../src/journal/index.ts'
import type { RecordedPayment } from '../../src/journal/recorded-payment.ts'
import { createDevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  type JournalPayment,
  listPayments,
  resumePayments,
} from '../../src/rpc/index.ts'
import { runCommand } from '../support/cli.ts'
import { callerOf, guardOfNode } from './support/guarded.ts'

const open: { close(): Promise<void> }[] = []
const folder = mkdtempSync(`${tmpdir()}/antara-tx-refused-`)
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const one of open.splice(0)) await one.close()
})

test('a transaction stays handed over if the daemon refuses its first broadcast', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const journal = memoryJournal()
  const guard = await guardOfNode(node, { journal })
  open.push(guard, node)
  const call = callerOf(() => node)
  const state = async () => (await listPayments(journal))[0]!.attempts[0]!.state

  const { hex } = (await call(guard, 'tokencreate', ['GOLD', '0.00001'])).result
  const message = 'min relay fee not met'
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message })
  const { error } = await call(guard, 'sendrawtransaction', [hex])
  expect(error.message).toContain(message)
  expect(await state()).toBe('handed-over')
  node.faults.clear()

  const daemon = createDaemonClient(node.identities[0]!)
  expect(await resumePayments(daemon, { journal })).toMatchObject([
    { result: { held: 'unsettled' } },
  ])
  expect(await state()).toBe('handed-over')
  expect((await call(guard, 'sendrawtransaction', [hex])).result).toMatch(/^[0-9a-f]{64}$/)
  expect(await state()).toBe('accepted')
})

test('the answer to a refused payment says that it stays recorded, and what to do', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const journal = memoryJournal()
  const guard = await guardOfNode(node, { journal })
  open.push(guard, node)
  const call = callerOf(() => node)
  const { hex } = (await call(guard, 'tokencreate', ['GOLD', '0.00001'])).result
  const calls = [
    () => call(guard, 'sendrawtransaction', [hex]),
    () => call(guard, 'sendtoaddress', [node.identities[1]!.address, 0.5], 'inv-1'),
  ]
  for (const again of calls) {
    node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'dust' })
    const { error } = await again()
    expect(error.code).toBe(-26)
    const [, words, txid] = /^(.*dust.*?)\. (\w{64}) stays recorded, because/.exec(error.message)!
    expect(error.message).toBe(
      `${words}. ${txid} stays recorded, because a server may relay what it refuses. If it can never be mined, stop the guard and run antara-tx attempts forget ${txid} --journal FILE, with the journal of this guard. Until then, the same call sends it again`,
    )
    node.faults.clear()
    expect((await again()).result).toBe(txid)
  }
})

test('the record has a line of its own for a payment that the daemon refused', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const lines: DecisionEntry[] = []
  const append = async (entry: DecisionEntry) => void lines.push(entry)
  const record = { append, close: async () => undefined }
  const guard = await guardOfNode(node, { journal: memoryJournal(), record })
  open.push(guard, node)
  const call = callerOf(() => node)
  const to = node.identities[1]!.address
  const method = 'sendrawtransaction'
  node.faults.add({ kind: 'error', method, code: -26, message: 'dust', times: 1 })
  expect((await call(guard, 'sendtoaddress', [to, 0.5], 'inv-1')).error.message).toContain('dust')
  node.faults.add({ kind: 'lost_reply', method, times: 1 })
  await call(guard, 'sendtoaddress', [to, 0.25], 'inv-2')
  const [{ txid }, , { txid: other }] = lines as [DecisionEntry, unknown, DecisionEntry]
  expect(lines).toMatchObject([
    { decision: 'sent', key: 'inv-1' },
    { decision: 'refused', reason: 'daemon', key: 'inv-1', txid },
    // The daemon may have the payment whose answer was lost.
    { decision: 'sent', key: 'inv-2', txid: other },
  ])
  expect(lines).toHaveLength(3)
})

test('a payment that a busy daemon did not take is told apart from one that was never made', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const guard = await guardOfNode(node, { journal: memoryJournal() })
  open.push(guard, node)
  const call = callerOf(() => node)
  const pay = () => call(guard, 'sendtoaddress', [node.identities[1]!.address, 0.5], 'inv-1')
  node.faults.add({ kind: 'queue_full', method: 'createrawtransaction' })
  expect((await pay()).error).toMatchObject({ message: expect.stringContaining('queue_full') })
  expect((await pay()).error).not.toHaveProperty('data')
  node.faults.clear()
  node.faults.add({ kind: 'queue_full', method: 'sendrawtransaction' })
  const { error } = await pay()
  expect(error.data).toEqual({ uncertain: true })
  const [, txid] = /the daemon did not take transaction (\w{64}) \(http, queue_full\)/.exec(
    error.message,
  )!
  node.faults.clear()
  expect((await pay()).result).toBe(txid)
})

test('attempts claims no refusal of a transaction that the guard failed to send', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const path = `${folder}/unsent`
  const journal = fileJournal(path)
  const record = {
    async append({ decision }: { readonly decision: string }) {
      if (decision === 'sent') throw new Error('the disk is full')
    },
    close: async () => undefined,
  }
  const guard = await guardOfNode(node, { journal, record })
  open.push(node)
  const call = callerOf(() => node)
  const { hex } = (await call(guard, 'tokencreate', ['GOLD', '0.00001'])).result
  expect((await call(guard, 'sendrawtransaction', [hex])).error).not.toBeNull()
  expect(await node.request('getrawmempool')).toEqual([])
  await guard.close()
  await journal.close()
  const { output } = await runCommand(['attempts', '--journal', path])
  const { txid } = decodeTransaction(hex)
  expect(output).toContain(`  ${txid} handed-over, refused or not sent, recorded `)
})

test('attempts resume --send tells that the server refused the transaction', async () => {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const path = `${folder}/journal`
  const journal = fileJournal(path)
  const guard = await guardOfNode(node, { journal })
  open.push(node)
  const { url, user, password } = node.identities[0]!
  const { hex } = (await callerOf(() => node)(guard, 'tokencreate', ['GOLD', '0.00001'])).result
  await guard.close()
  await journal.close()
  const txid = decodeTransaction(hex).txid

  vi.stubEnv('ANTARA_RPC_USER', user)
  vi.stubEnv('ANTARA_RPC_PASSWORD', password)
  const send = ['attempts', 'resume', '--send', txid, '--journal', path, '--url', url]
  const message = 'min relay fee not met'
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message })
  const { status, output } = await runCommand(send)
  expect(status).toBe(75)
  expect(output).toContain(`  ${txid} handed-over, refused or not sent, recorded `)
  expect(output.replaceAll(/ --journal .*/g, '')).toContain(
    '  the server refused it, or it was not sent; it may still be mined. To send it:\n' +
      `    antara-tx attempts resume --send ${txid}\n` +
      '  Only if none of these can be mined any more:\n' +
      `    antara-tx attempts forget ${txid}\n`,
  )
  expect(output).not.toContain('not sent now')
  const [{ payment }] = JSON.parse((await runCommand([...send, '--json'])).output)
  expect(payment.attempts).toMatchObject([{ state: 'handed-over', firstSent: 'refused' }])

  node.faults.clear()
  const [sent] = JSON.parse((await runCommand([...send, '--json'])).output)
  expect(sent.payment.attempts).toMatchObject([{ state: 'accepted' }])
  expect(sent.payment.attempts[0]).not.toHaveProperty('firstSent')
})

test.each([undefined, 'inv-1'])(
  'attempts resume names the commands for a payment of a user that it kept back (name: %s)',
  async (key) => {
    const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
    open.push(node)
    const { url, user, password, address } = node.identities[0]!
    const path = `${folder}/kept ${key}`
    const journal = fileJournal(path)
    const users = { authenticate: async (name: string) => name }
    const guard = await guardOfNode(node, { journal, users })
    node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'dust' })
    await callerOf(() => node)(guard, 'sendtoaddress', [address, 0.5], key)
    node.faults.clear()
    const [{ attempts }] = (await listPayments(journal)) as [JournalPayment]
    const { txid } = attempts[0]!
    await guard.close()
    await journal.close()

    vi.stubEnv('ANTARA_RPC_USER', user)
    vi.stubEnv('ANTARA_RPC_PASSWORD', password)
    const resume = ['attempts', 'resume', '--journal', path, '--url', url]
    const { status, output } = await runCommand(resume)
    expect(status).toBe(75)
    const named = `--journal '${path}'`
    expect(output).toContain(
      '  a guard made it for a user, and it was not sent now; repeat the call through the guard.' +
        ` To send it:\n    antara-tx attempts resume --send ${txid} ${named}\n` +
        '  Only if none of these can be mined any more:\n' +
        `    antara-tx attempts forget ${txid} ${named}\n`,
    )
    expect(output.includes('may pay again')).toBe(key === undefined)
    const sent = await runCommand([...resume, '--send', txid, '--json'])
    const [{ payment, keptBack }] = JSON.parse(sent.output)
    expect(payment.attempts).toMatchObject([{ txid, state: 'accepted' }])
    expect(keptBack).toBeUndefined()
  },
)

/** Pays through a guard for a user. The answer to the broadcast is lost. */
async function paidWithLostAnswer(key?: string) {
  const node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  const journal = memoryJournal()
  const users = { authenticate: async (name: string) => name }
  const guard = await guardOfNode(node, { journal, users })
  open.push(guard, node)
  const { address } = node.identities[0]!
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  await callerOf(() => node)(guard, 'sendtoaddress', [address, 0.5], key)
  node.faults.clear()
  return { node, journal }
}

test('resume keeps back nothing that the daemon has, although its answer was lost', async () => {
  const { node, journal } = await paidWithLostAnswer('inv-1')
  const [txid] = (await node.request('getrawmempool')) as string[]
  const daemon = createDaemonClient(node.identities[0]!)
  const [resumed] = await resumePayments(daemon, { journal })
  expect(resumed).toMatchObject({ result: { txid }, payment: { state: 'unsettled' } })
  expect(resumed).not.toHaveProperty('keptBack')
})

test('resume leaves an unnamed payment of a user to its call, although an expired attempt was accepted', async () => {
  const { node, journal } = await paidWithLostAnswer()
  const book = bookOf(journal)
  const [{ name, terms, request = '', attempts }] = book.unsettled() as [RecordedPayment]
  const { at, hex } = attempts[0]!
  const about = { payment: name, txid: 'ab'.repeat(32), at }
  await book.append({ kind: 'attempt', ...about, terms, request, hex }, book.next)
  await book.note({ kind: 'accepted', ...about })
  await book.note({ kind: 'dead', ...about })
  node.mine()
  const daemon = createDaemonClient(node.identities[0]!)
  const [resumed] = await resumePayments(daemon, { journal })
  expect(resumed).toMatchObject({ result: { held: 'unsettled' }, payment: { state: 'unsettled' } })
})
