// A policy gets users, or other names for them, while their programs repeat calls.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Guard, GuardOptions, Policy } from '../../src/guard/index.ts'
import { type Journal, memoryJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, listPayments, resumePayments } from '../../src/rpc/index.ts'
import { callText, guardOfNode } from './support/guarded.ts'
import { withWorkMeanwhile } from './support/meanwhile.ts'
import { basic, rawRequest } from './support/raw.ts'

let node: DevNode
let guard: Guard
let to: string
let names: readonly string[]
const journal = () => memoryJournal()
const open: { close(): Promise<void> }[] = []
const users = { authenticate: async (name: string) => (names.includes(name) ? name : undefined) }
const policy: Policy = {
  isUser: (name) => names.includes(name),
  admit: () => undefined,
  decide: () => ({ verdict: 'allow' }),
}

/** Returns the policy with a person who is asked about payments while `isAsking` is true. */
const asking = (ask: () => Promise<boolean>, isAsking = () => true): Policy => ({
  ...policy,
  decide: (_, { isConfirmed }) =>
    isConfirmed || !isAsking()
      ? { verdict: 'allow' }
      : { verdict: 'confirm', rule: 'confirm', ask },
})

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  to = node.identities[1]!.address
  names = ['ann', 'ben']
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await node.close()
})

async function start(options: Partial<GuardOptions>): Promise<void> {
  for (const one of open.splice(0)) await one.close()
  guard = await guardOfNode(node, options)
  open.push(guard)
}

interface Answered {
  readonly result: string | null
  readonly error: { readonly code: number; readonly message: string } | null
}

async function pay(name: string, amount: number, key?: string, { url } = guard): Promise<Answered> {
  const { user, password } = node.identities[0]!
  const authorization = name === '' ? basic(user, password) : basic(name, 'x')
  const { body } = await rawRequest(url, {
    headers: { authorization, ...(key !== undefined && { 'idempotency-key': key }) },
    body: callText('sendtoaddress', [to, amount]),
  })
  return JSON.parse(body)
}

async function received(): Promise<bigint> {
  node.mine()
  const answer = await node.request('getaddressbalance', [{ addresses: [to] }])
  return BigInt((answer as { received: number }).received)
}

const heldWith = (text: string) => ({
  result: null,
  error: { code: -4, message: expect.stringContaining(text) },
})
const heldAs = (txid: string | null) => heldWith(`the same payment was made as ${txid}`)
const heldBy = (txid: string | null) => heldWith(`guard: held: ${txid} may be the same payment,`)

test.each([true, false])('the first users pay nothing twice (in a block: %s)', async (isMined) => {
  const shared = journal()
  await start({ journal: shared })
  const before = await received()
  const named = await pay('', 0.5, 'inv-1')
  const unnamed = await pay('', 0.7)
  if (isMined) node.mine()
  await start({ journal: shared, users, policy })
  const held = isMined ? heldAs : heldBy
  expect(await pay('ann', 0.5, 'inv-1')).toMatchObject(held(named.result))
  expect(await pay('ann', 0.7)).toMatchObject(held(unnamed.result))
  // People drop a name when they repeat a call.
  expect(await pay('ann', 0.5)).toMatchObject(held(named.result))
  expect((await pay('ann', 0.5, 'inv-2')).error).toBeNull()
  expect((await received()) - before).toBe(170_000_000n)
})

test('a user with another name pays nothing twice, and the returning old name still has its payments', async () => {
  await start({ journal: journal(), users, policy })
  const before = await received()
  const first = await pay('ann', 0.5, 'x')
  names = ['anna', 'ben']
  expect(await pay('anna', 0.5, 'x')).toMatchObject(heldBy(first.result))
  // People add a name when they repeat a call, or drop it.
  expect(await pay('anna', 0.5)).toMatchObject(heldBy(first.result))
  names = ['ann']
  expect((await pay('ann', 0.5, 'x')).result).toBe(first.result)
  expect((await received()) - before).toBe(50_000_000n)
})

/** Lets a second attempt at the payment be mined, whose answer was lost: it spends the same coins. */
async function replaceLost(shared: Journal, txid: string): Promise<void> {
  node.mine()
  node.reorg(1, { drop: [txid] })
  const [text, ...others] = await shared.read(0)
  const { vin, vout } = (await node.request('decoderawtransaction', [JSON.parse(text!).hex])) as {
    vin: { txid: string; vout: number }[]
    vout: { value: number; scriptPubKey: { addresses: string[] } }[]
  }
  const paid = vout.map(({ value, scriptPubKey: { addresses } }) => {
    const isChange = addresses[0] !== to
    return [addresses[0]!, isChange ? Number((value - 0.00001).toFixed(8)) : value]
  })
  const coins = vin.map((spent) => ({ txid: spent.txid, vout: spent.vout }))
  const built = await node.request('createrawtransaction', [coins, Object.fromEntries(paid)])
  const { hex } = (await node.request('signrawtransaction', [built])) as { hex: string }
  const lost = (await node.request('decoderawtransaction', [hex])) as { txid: string }
  const record = { ...JSON.parse(text!), txid: lost.txid, hex }
  await shared.append(others.length + 2, JSON.stringify(record))
  await node.request('sendrawtransaction', [hex])
  node.mine()
}

test.each<[string, string, Partial<GuardOptions>]>([
  ['the highest fee', '', { maxFee: 30_000n }],
  ['the users', 'ann', { users, policy }],
])(
  'a lost answer beside a known one pays nothing twice after %s changed',
  async (_, name, more) => {
    const shared = journal()
    await start({ journal: shared, repeatMs: 0 })
    const before = await received()
    const { result } = await pay('', 0.5)
    await replaceLost(shared, result!)
    await start({ journal: shared, repeatMs: 0, ...more })
    expect((await pay(name, 0.5)).error?.message).toContain('the same payment')
    expect((await received()) - before).toBe(50_000_000n)
  },
)

test('a lost answer beside a known one is left to its call by resume', async () => {
  const shared = journal()
  await start({ journal: shared, repeatMs: 0, users, policy })
  const before = await received()
  const { result } = await pay('ann', 0.5)
  await replaceLost(shared, result!)
  const daemon = createDaemonClient(node.identities[0]!)
  for (const handedOver of [[], [result!]]) {
    const [resumed] = await resumePayments(daemon, { journal: shared, handedOver })
    expect(resumed!.payment.state).toBe('unsettled')
  }
  expect((await pay('ann', 0.5)).error?.message).toContain('the same payment')
  expect((await received()) - before).toBe(50_000_000n)
})

test('a guard that has no users any more pays nothing twice', async () => {
  const shared = journal()
  await start({ journal: shared, users, policy })
  const before = await received()
  const first = await pay('ann', 0.5, 'x')
  await start({ journal: shared })
  expect(await pay('', 0.5, 'x')).toMatchObject(heldBy(first.result))
  expect((await received()) - before).toBe(50_000_000n)
})

test('one call to two guards of one journal at once, one without users, pays once', async () => {
  const shared = journal()
  // The daemon locks no coin, so the second payment may spend another one than the first.
  await node.request('sendtoaddress', [node.identities[0]!.address, 10])
  const before = await received()
  let paid: Answered | undefined
  await start({ journal: shared, users, policy })
  const former = await guardOfNode(node, {
    journal: withWorkMeanwhile(shared, async () => {
      paid = await pay('ann', 0.5, 'inv-1')
    }),
  })
  open.push(former)
  expect(await pay('', 0.5, 'inv-1', former)).toMatchObject(heldBy(paid!.result))
  expect((await received()) - before).toBe(50_000_000n)
})

test('two users of one policy make the same payment under the same name, each their own', async () => {
  await start({ journal: journal(), users, policy })
  const before = await received()
  const first = await pay('ann', 0.5, 'x')
  const second = await pay('ben', 0.5, 'x')
  expect(second.error).toBeNull()
  expect(second.result).not.toBe(first.result)
  expect((await pay('ann', 0.3)).error).toBeNull()
  expect((await pay('ben', 0.3)).error).toBeNull()
  expect((await received()) - before).toBe(160_000_000n)
})

test('an unnamed payment without a user holds nothing after its time', async () => {
  const shared = journal()
  await start({ journal: shared, repeatMs: 0 })
  await pay('', 0.5)
  node.mine()
  await start({ journal: shared, users, policy, repeatMs: 0 })
  expect((await pay('ann', 0.5)).error).toBeNull()
})

test('a call that gets a user and a name at once pays nothing twice, until --repeat is over', async () => {
  const shared = journal()
  await start({ journal: shared })
  const before = await received()
  const first = await pay('', 0.5)
  await start({ journal: shared, users, policy })
  const held = await pay('ann', 0.5, 'another')
  expect(held).toMatchObject(heldBy(first.result))
  expect(held.error!.message).toContain('repeat it when a block has the first')
  expect(held.error!.message).toContain(`stop the guard and run antara-tx attempts forget`)
  node.mine()
  const again = await pay('ann', 0.5, 'another')
  expect(again).toMatchObject(heldAs(first.result))
  expect(again.error!.message).toContain('and repeat it when --repeat is over')
  expect((await received()) - before).toBe(50_000_000n)
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 601_000)
  const later = await pay('ann', 0.5, 'another')
  clock.mockRestore()
  expect(later.error).toBeNull()
  expect((await received()) - before).toBe(100_000_000n)
})

test('an unnamed payment whose answer was lost is not paid again under another name', async () => {
  const shared = journal()
  await start({ journal: shared, users, policy })
  const before = await received()
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction' })
  expect((await pay('ann', 0.5)).result).toBeNull()
  node.faults.clear()
  const [txid = ''] = (await node.request('getrawmempool', [])) as string[]
  node.mine()
  names = ['anna']
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  const held = await pay('anna', 0.5)
  clock.mockRestore()
  expect(held).toMatchObject(heldBy(txid))
  expect(held.error!.message).toContain('Look for it in a block.')
  expect(held.error!.message).toContain('If it is still held then, or if no attempt')
  expect((await received()) - before).toBe(50_000_000n)
})

describe('a named payment of a former user that nobody knows to be made', () => {
  const method = 'sendrawtransaction'
  const lost = { kind: 'lost_reply', method } as const
  // A server can refuse a transaction and relay it all the same.
  const refused = { kind: 'error', code: -26, message: 'no', method } as const

  test.each([
    ['anna', lost],
    ['', lost],
    ['anna', refused],
    ['', refused],
  ])('is not paid again by %j without the name (%o)', async (name, fault) => {
    const shared = journal()
    await start({ journal: shared, users, policy })
    const before = await received()
    node.faults.add(fault)
    expect((await pay('ann', 0.5, 'inv-1')).result).toBeNull()
    node.faults.clear()
    const [payment] = await listPayments(shared)
    const { txid, hex } = payment!.attempts[0]!
    if (fault === refused) await node.request(method, [hex])
    node.mine()
    names = ['anna']
    await start({ journal: shared, ...(name !== '' && { users, policy }) })
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const held = await pay(name, 0.5)
    clock.mockRestore()
    expect((await received()) - before).toBe(50_000_000n)
    expect(held).toMatchObject(heldBy(txid))
    // The name finds the payment.
    expect(await pay(name, 0.5, 'inv-1')).toMatchObject(heldAs(txid))
  })
})

test('a payment by a clock that was a year ahead holds nothing after its time', async () => {
  await start({ journal: journal(), users, policy })
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 365 * 86_400_000)
  await pay('ann', 0.5)
  node.mine()
  names = ['anna']
  clock.mockReturnValue(now + 30 * 86_400_000)
  const paid = await pay('anna', 0.5)
  clock.mockRestore()
  expect(paid.error).toBeNull()
})

test('a payment that another guard makes while a person thinks is not made again', async () => {
  // The two payments get coins of their own, so both could be mined.
  const own = node.identities[0]!.address
  await node.request('sendtoaddress', [own, 10])
  const before = await received()
  const coins = (await node.request('listunspent', [])) as { txid: string; vout: number }[]
  const [kept, used] = [coins.slice(0, 1), coins.slice(1)].map((some) =>
    some.map(({ txid, vout }) => ({ txid, vout })),
  )
  expect(used!.length).toBeGreaterThan(0)
  await node.request('lockunspent', [false, kept])
  const shared = journal()
  const former = await guardOfNode(node, { journal: shared })
  let paid: Answered | undefined
  await start({
    journal: shared,
    users,
    policy: asking(async () => {
      await node.request('lockunspent', [true, kept])
      await node.request('lockunspent', [false, used])
      paid = await pay('', 0.5, undefined, former)
      return true
    }),
  })
  open.push(former)
  const second = await pay('ann', 0.5)
  expect(paid!.error).toBeNull()
  expect(second).toMatchObject(heldBy(paid!.result))
  expect((await received()) - before).toBe(50_000_000n)
})

test('no person is asked about a payment that a former user made', async () => {
  const shared = journal()
  const former = await guardOfNode(node, { journal: shared })
  let isAsking = false
  let asked = 0
  await start({
    journal: shared,
    users,
    policy: asking(
      async () => ++asked > 0,
      () => isAsking,
    ),
  })
  open.push(former)
  expect((await pay('ann', 0.5)).error).toBeNull()
  node.mine()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
  // The guard knows a payment of this name, so it looks for former ones only before it asks.
  const paid = await pay('', 0.5, undefined, former)
  expect(paid.error).toBeNull()
  isAsking = true
  expect(await pay('ann', 0.5)).toMatchObject(heldBy(paid.result))
  expect(asked).toBe(0)
  clock.mockRestore()
})
