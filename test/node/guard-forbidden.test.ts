// Calls that the policy refuses by now, and that repeat one that paid before; and payments of users
// that `resumePayments` settles from the journal.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Guard, Policy } from '../../src/guard/index.ts'
import { memoryJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  type JournalPayment,
  listPayments,
  resumePayments,
} from '../../src/rpc/index.ts'
import { callText, guardOfNode } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let node: DevNode
let guard: Guard
let to: string
let isQuiet: boolean
let refusals: string[]
let journal: ReturnType<typeof memoryJournal>

const quiet = {
  verdict: 'refuse',
  rule: 'quietHours',
  reason: 'no payments in these hours',
} as const
const policy: Policy = {
  isUser: (name) => name === 'ann' || name === 'ben',
  admit: ({ methodClass }) => (isQuiet && methodClass !== 'read' ? quiet : undefined),
  decide: () => (isQuiet ? quiet : { verdict: 'allow' }),
}
const words = 'guard: the policy refuses this (quietHours): no payments in these hours'

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  to = node.identities[1]!.address
  isQuiet = false
  refusals = []
  journal = memoryJournal()
  guard = await guardOfNode(node, {
    policy,
    journal,
    users: { authenticate: async (name) => name },
    onDecision: ({ decision, reason = '' }) => {
      if (decision === 'refused') refusals.push(reason)
    },
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await guard.close()
  await node.close()
})

async function call(user: string, method: string, params: readonly unknown[], key?: string) {
  const name = key === undefined ? {} : { 'idempotency-key': key }
  const headers = { authorization: basic(user, 'x'), ...name }
  const { body } = await rawRequest(guard.url, { headers, body: callText(method, params) })
  return JSON.parse(body)
}

const pay = (user: string, amount: number, key?: string) =>
  call(user, 'sendtoaddress', [to, amount], key)
const refused = (message = words) => ({ result: null, error: { code: -2, message } })
const mempool = () => node.request('getrawmempool', [])

test.each(['in the mempool', 'in a block'])(
  'answers a repeated call by its txid: %s',
  async (place) => {
    const named = await pay('ann', 0.5, 'inv-1')
    const unnamed = await pay('ann', 0.7)
    if (place === 'in a block') node.mine()
    isQuiet = true
    expect(await pay('ann', 0.5, 'inv-1')).toEqual(named)
    const held = `held as a repetition: the same payment was made as ${unnamed.result}`
    expect((await pay('ann', 0.7)).error).toMatchObject({
      code: -4,
      message: expect.stringContaining(held),
    })
    expect(refusals).toEqual(['repetition'])
  },
)

test('finds a payment whose reply was lost', async () => {
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  expect((await pay('ann', 0.5, 'inv-1')).error.code).toBe(-32603)
  node.faults.clear()
  isQuiet = true
  const [txid] = (await mempool()) as string[]
  expect((await pay('ann', 0.5, 'inv-1')).result).toBe(txid)
})

test('names a payment that may still arrive, and sends none of it', async () => {
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'dust' })
  await pay('ann', 0.5, 'inv-1')
  node.faults.clear()
  isQuiet = true
  const [payment] = await listPayments(journal)
  const { txid } = payment!.attempts[0]!
  expect(await pay('ann', 0.5, 'inv-1')).toMatchObject(
    refused(
      `${words}. ${txid} may be the same payment and may still be mined: look for it before you pay again`,
    ),
  )
  // People drop a name when they repeat a call.
  expect(await pay('ann', 0.5)).toMatchObject(
    refused(
      `${words}. ${txid} may be the same payment and may still be mined: look for it before you pay again`,
    ),
  )
  expect(await mempool()).toEqual([])
  expect(refusals).toEqual(['quietHours', 'quietHours'])
  isQuiet = false
  expect((await pay('ann', 0.5, 'inv-1')).result).toBe(txid)
})

test('tells a user nothing about the payments of others', async () => {
  await pay('ann', 0.5, 'inv-1')
  await pay('ann', 0.7)
  await pay('gone', 0.9, 'inv-2')
  isQuiet = true
  for (const isMined of [false, true]) {
    if (isMined) node.mine()
    expect(await pay('ben', 0.5, 'inv-1')).toMatchObject(refused())
    expect(await pay('ben', 0.7)).toMatchObject(refused())
    expect(await pay('ben', 0.9, 'inv-2')).toMatchObject(refused())
  }
})

test('refuses a new payment, a wrong one and an old unnamed one, and asks the daemon nothing', async () => {
  await pay('ann', 0.5)
  node.mine()
  isQuiet = true
  node.faults.add({ kind: 'error', code: -28, message: 'not to be called' })
  expect(await pay('ann', 0.6)).toMatchObject(refused())
  expect(await pay('ann', 0.6, 'inv-1')).toMatchObject(refused())
  expect(await pay('ann', -1)).toMatchObject(refused())
  expect(await call('ann', 'tokencreate', ['GOLD'])).toMatchObject(refused())
  expect(await call('ann', 'tokencreate', ['GOLD', '1'])).toMatchObject(refused())
  expect(await call('ann', 'sendrawtransaction', ['00'])).toMatchObject(refused())
  expect(await call('ann', 'guard_submit', ['00', '{}'])).toMatchObject(refused())
  expect(await call('ann', 'dumpprivkey', [to])).toMatchObject(refused())
  expect(refusals).toEqual(Array(8).fill('quietHours'))
  node.faults.clear()
  await pay('ann', 0.5)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  expect(await pay('ann', 0.5)).toMatchObject(refused())
})

test('answers a handed-over transaction again once it was sent, and sends none that was not', async () => {
  const { hex } = (await call('ann', 'tokencreate', ['GOLD', '0.00001'])).result
  isQuiet = true
  const [payment] = await listPayments(journal)
  const { txid } = payment!.attempts[0]!
  const before = refused(
    `${words}. ${txid} may be the same payment and may still be mined: look for it before you pay again`,
  )
  expect(await call('ann', 'tokencreate', ['GOLD', '0.00001'])).toMatchObject(before)
  expect(await call('ann', 'sendrawtransaction', [hex])).toMatchObject(before)
  expect(await mempool()).toEqual([])
  isQuiet = false
  await call('ann', 'sendrawtransaction', [hex])
  isQuiet = true
  expect((await call('ann', 'sendrawtransaction', [hex])).result).toBe(txid)
  expect((await call('ben', 'sendrawtransaction', [hex])).error).toMatchObject({ message: words })
  node.mine()
  expect((await call('ann', 'sendrawtransaction', [hex])).result).toBe(txid)
  expect((await call('ann', 'tokencreate', ['GOLD', '0.00001'])).result.hex).toBe(hex)
})

test('refuses at once while a person thinks about another payment of the user', async () => {
  await guard.close()
  let answer: ((isAgreed: boolean) => void) | undefined
  const ask = () => new Promise<boolean>((resolve) => (answer = resolve))
  guard = await guardOfNode(node, {
    policy: { ...policy, decide: () => ({ verdict: 'confirm', rule: 'confirm', ask }) },
    journal,
    users: { authenticate: async (name) => name },
  })
  const first = pay('ann', 0.5)
  await vi.waitFor(() => expect(answer).toBeDefined())
  isQuiet = true
  expect(await pay('ann', 0.7)).toMatchObject(refused())
  answer!(false)
  expect((await first).error).toMatchObject({ message: expect.stringContaining('confirm') })
})

test('notes a forbidden call whose name is taken, and one that finds no server', async () => {
  await pay('ann', 0.5, 'inv-1')
  isQuiet = true
  expect(await pay('ann', 0.6, 'inv-1')).toMatchObject(refused())
  expect(refusals).toEqual(['quietHours'])
  node.faults.add({ kind: 'lost_reply' })
  const order = '11'.repeat(32)
  expect((await call('ann', 'tokenfillask', [order, order, '1'])).error.code).toBe(-32603)
  expect((await pay('ann', 0.5, 'inv-1')).error.code).toBe(-32603)
  expect(refusals).toEqual(Array(3).fill('quietHours'))
})

test('resume settles the payments of users, and sends what was handed to them', async () => {
  const { hex } = (await call('ben', 'tokencreate', ['GOLD', '0.00001'])).result
  const named = await pay('ann', 0.5, 'inv-1')
  const unnamed = await pay('ann', 0.7)
  node.mine()
  const daemon = createDaemonClient(node.identities[0]!)
  const resumed = await resumePayments(daemon, { journal })
  expect(resumed.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
  expect(resumed.slice(1).map(({ result }) => result?.txid)).toEqual([named.result, unnamed.result])
  const states = async () => (await listPayments(journal)).map(({ state }) => state)
  expect(await states()).toEqual(['unsettled', 'settled', 'settled'])

  const { txid } = resumed[0]!.payment.attempts[0]!
  expect(await mempool()).toEqual([])
  const [sent] = await resumePayments(daemon, { journal, handedOver: [txid] })
  expect(sent).toMatchObject({ result: { txid } })
  expect(await mempool()).toEqual([txid])
  expect((await call('ben', 'sendrawtransaction', [hex])).result).toBe(txid)
})

test('resume sends what never arrived for a user only if it is named', async () => {
  node.faults.add({ kind: 'error', method: 'sendrawtransaction', code: -26, message: 'dust' })
  await pay('ann', 0.5, 'inv-1')
  node.faults.clear()
  const daemon = createDaemonClient(node.identities[0]!)
  const [kept] = await resumePayments(daemon, { journal })
  expect(kept?.result).toMatchObject({ held: 'unsettled' })
  expect(await mempool()).toEqual([])
  const { txid } = kept!.payment.attempts[0]!
  const [sent] = await resumePayments(daemon, { journal, handedOver: [txid] })
  expect(sent?.result?.txid).toBe(txid)
  expect(await mempool()).toEqual([txid])
  expect((await pay('ann', 0.5, 'inv-1')).result).toBe(txid)
})

test('after a lost answer, resume leaves an unnamed payment to the call of its user', async () => {
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  await pay('ann', 0.7)
  await pay('ann', 0.5, 'inv-1')
  node.faults.clear()
  const txids = (await listPayments(journal)).map(({ attempts: [first] }) => first!.txid)
  node.mine()
  const resumed = await resumePayments(createDaemonClient(node.identities[0]!), { journal })
  expect(resumed.map(({ payment }) => payment.state)).toEqual(['unsettled', 'settled'])
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  const { error } = await pay('ann', 0.7)
  expect(error.message).toContain(`the same payment was made as ${txids[0]}`)
})

test('after a lost answer, resume looks for an unnamed payment that its user settled', async () => {
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  await pay('ann', 0.7)
  node.faults.clear()
  const [{ attempts }] = (await listPayments(journal)) as [JournalPayment]
  const { txid } = attempts[0]!
  node.mine()
  expect((await pay('ann', 0.7)).error.message).toContain(txid)
  const daemon = createDaemonClient(node.identities[0]!)
  const [found] = await resumePayments(daemon, { journal })
  expect(found).toMatchObject({ payment: { state: 'settled' }, result: { txid, repeated: true } })
  node.reorg(1, { drop: [txid] })
  const [reopened] = await resumePayments(daemon, { journal })
  expect(reopened!.payment.state).toBe('unsettled')
})
