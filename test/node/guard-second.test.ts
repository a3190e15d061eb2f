// Guards whose journal lacks payments of their key: a second guard with a disk of its own, or one
// whose journal was lost. And a guard that makes many payments.

import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DecisionEntry, GuardedPayment } from '../../src/guard/decision.ts'
import type { Guard, GuardOptions, Policy } from '../../src/guard/index.ts'
import { FileRecord } from '../../src/guard/record/record-file.ts'
import { bookOf } from '../../src/journal/book.ts'
import { fileJournal, memoryJournal } from '../../src/journal/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { payCoins } from '../../src/rpc/index.ts'
import { runCommand } from '../support/cli.ts'
import { recordPaymentAt } from '../support/shortened-journal.ts'
import { askingPolicy, callerOf, callText, guardOfNode } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'
import { tamperedClient } from './support/tampered-client.ts'

interface Coin {
  readonly txid: string
  readonly vout: number
}

let node: DevNode
let to: string
const open: { close(): Promise<void> }[] = []

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
  to = node.identities[1]!.address
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await node.close()
})

async function start(options: Partial<GuardOptions> = {}): Promise<Guard> {
  const started = await guardOfNode(node, { journal: memoryJournal(), ...options })
  open.push(started)
  return started
}

const call = callerOf(() => node)

async function tokenOf(guard: Guard): Promise<string> {
  const created = await call(guard, 'tokencreate', ['GOLD', '0.00001'])
  const { result } = await call(guard, 'sendrawtransaction', [created.result.hex])
  node.mine()
  return result
}

describe('a second guard with an empty journal', () => {
  test.each(['waits for a block', 'is in a block'])(
    'holds a payment that the first one made, if it %s',
    async (place) => {
      const first = await start()
      const { result: txid } = await call(first, 'sendtoaddress', [to, 0.5], 'invoice-17')
      if (place === 'is in a block') node.mine(3)
      const second = await start()
      for (const key of ['invoice-17', undefined, 'invoice-18']) {
        const { result, error } = await call(second, 'sendtoaddress', [to, 0.5], key)
        expect(result).toBeNull()
        expect(error.message).toContain(`the journal has not: ${txid}`)
      }
    },
  )

  test('holds a payment that a program made at the daemon, without a guard', async () => {
    const txid = await node.request('sendtoaddress', [to, 0.5])
    const guard = await start()
    for (const blocks of [0, 1]) {
      node.mine(blocks)
      const { result, error } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-17')
      expect(result).toBeNull()
      expect(error.message).toContain(`the journal has not: ${txid}`)
    }
  })

  test('holds it still after payments of its own are in blocks', async () => {
    const first = await start()
    const { result: txid } = await call(first, 'sendtoaddress', [to, 0.5], 'invoice-17')
    node.mine(3)
    const second = await start()
    await call(second, 'sendtoaddress', [to, 0.25], 'other')
    node.mine()
    await call(second, 'sendtoaddress', [to, 0.25], 'other')
    const { error } = await call(second, 'sendtoaddress', [to, 0.5], 'invoice-17')
    expect(error.message).toContain(txid)
  })

  test.each([0, 1])(
    'holds a payment from coins of another address of the wallet (blocks: %i)',
    async (blocks) => {
      const address = String(await node.request('getnewaddress', []))
      node.fund(address, 500_000_000n)
      node.mine(1)
      const coins = (await node.request('listunspent', [])) as (Coin & { address: string })[]
      const others = coins.filter((it) => it.address !== address)
      const locked = others.map(({ txid, vout }) => ({ txid, vout }))
      await node.request('lockunspent', [false, locked])
      const { result: txid } = await call(await start(), 'sendtoaddress', [to, 0.5], 'invoice-17')
      node.mine(blocks)
      await node.request('lockunspent', [true, locked])
      const second = await start()
      const { error } = await call(second, 'sendtoaddress', [to, 0.5], 'invoice-17')
      expect(error?.message).toContain(`the journal has not: ${txid}`)
      const other = await call(second, 'sendtoaddress', [to, 0.25], 'invoice-18')
      expect(other.result).toMatch(/^[0-9a-f]{64}$/)
    },
  )

  test('holds a transfer of tokens that the first one made', async () => {
    const first = await start()
    const tokenid = await tokenOf(first)
    const transfer = [tokenid, node.identities[1]!.pubkey, '7']
    const { hex } = (await call(first, 'tokentransfer', transfer)).result
    const { result: txid } = await call(first, 'sendrawtransaction', [hex])
    const second = await start()
    const { result } = await call(second, 'tokentransfer', transfer)
    expect(result.error).toContain(`the journal has not: ${txid}`)
  })

  test('does not send what it handed over, once the first one made the same payment', async () => {
    const first = await start()
    const second = await start()
    const creation = ['TIN', '0.00001']
    const { hex } = (await call(second, 'tokencreate', creation)).result
    // Another height gives the transaction another txid.
    node.mine()
    const made = (await call(first, 'tokencreate', creation)).result
    const { result: txid } = await call(first, 'sendrawtransaction', [made.hex])
    const { result, error } = await call(second, 'sendrawtransaction', [hex])
    expect(result).toBeNull()
    expect(error.message).toContain(`the journal has not: ${txid}`)
    expect(await node.request('getrawmempool', [])).toEqual([txid])
  })

  test('holds a payment that the first one makes from other coins while a person decides', async () => {
    const first = await start()
    let made: string | undefined
    const policy = askingPolicy(async () => {
      const coins = (await node.request('listunspent', [])) as { txid: string; vout: number }[]
      await node.request('lockunspent', [false, coins.map(({ txid, vout }) => ({ txid, vout }))])
      node.fund(node.identities[0]!.address, 100_000_000n)
      node.mine(1)
      made = (await call(first, 'sendtoaddress', [to, 0.5], 'invoice-17')).result
      node.mine(1)
      await setTimeout(1100)
      return true
    })
    const second = await start({ policy })
    const { result, error } = await call(second, 'sendtoaddress', [to, 0.5], 'invoice-17')
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(result).toBeNull()
    expect(error.message).toContain(`the journal has not: ${made}`)
    expect(await node.request('getrawmempool', [])).toEqual([])
  })

  test('makes another payment, and one whose equal payment is acknowledged', async () => {
    const first = await start()
    const { result: txid } = await call(first, 'sendtoaddress', [to, 0.5], 'invoice-17')
    node.mine()
    const second = await start({ acknowledged: [txid] })
    for (const [amount, key] of [
      [0.75, 'another'],
      [0.5, 'invoice-18'],
    ] as const) {
      const { result } = await call(second, 'sendtoaddress', [to, amount], key)
      expect(result).toMatch(/^[0-9a-f]{64}$/)
      expect(result).not.toBe(txid)
    }
  })

  const received = async () => {
    node.mine()
    const answer = await node.request('getaddressbalance', [{ addresses: [to] }])
    return BigInt((answer as { received: number }).received)
  }

  test('makes no payment that its operator names as made, and makes an equal one', async () => {
    const before = await received()
    const { result: txid } = await call(await start(), 'sendtoaddress', [to, 0.5], 'invoice-17')
    node.mine()
    const paidBy = [{ txid: txid.toUpperCase(), id: 'invoice-17' }]
    const guard = await start({ paidBy })
    const held = `the journal has not: ${txid}. If it made this payment, the operator can start`
    for (const key of [undefined, 'invoice-18']) {
      const { error } = await call(guard, 'sendtoaddress', [to, 0.5], key)
      expect(error.message).toContain(held)
    }
    for (const _ of ['recorded', 'repeated']) {
      expect((await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-17')).result).toBe(txid)
    }
    const { result: other } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-18')
    expect(other).toMatch(/^[0-9a-f]{64}$/)
    expect(other).not.toBe(txid)
    expect((await received()) - before).toBe(100_000_000n)
  })

  test('makes an acknowledged payment once more, but not for the name that it was made for', async () => {
    const { result: txid } = await call(await start(), 'sendtoaddress', [to, 0.5], 'invoice-17')
    node.mine()
    const paidBy = [{ txid, id: 'invoice-17' }]
    const guard = await start({ acknowledged: [txid.toUpperCase()], paidBy })
    const { result: other } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-18')
    expect((await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-17')).result).toBe(txid)
    expect(await node.request('getrawmempool', [])).toEqual([other])
  })

  test('pays nothing for one call without a name if --paid-by and --acknowledge have its txid', async () => {
    const { result: txid } = await call(await start(), 'sendtoaddress', [to, 0.5])
    node.mine()
    const guard = await start({ acknowledged: [txid], paidBy: [{ txid }], repeatMs: 0 })
    const { result, error } = await call(guard, 'sendtoaddress', [to, 0.5])
    expect(result ?? error.message).toContain(txid)
    expect(await node.request('getrawmempool', [])).toEqual([])
    const { result: next } = await call(guard, 'sendtoaddress', [to, 0.5])
    expect(await node.request('getrawmempool', [])).toEqual([next])
  })

  test('answers a call without a name with the payment that its operator names as made', async () => {
    const first = await start()
    const tokenid = await tokenOf(first)
    const transfer = [tokenid, node.identities[1]!.pubkey, '7']
    const { hex } = (await call(first, 'tokentransfer', transfer)).result
    const { result: txid } = await call(first, 'sendrawtransaction', [hex])
    const { result: coins } = await call(first, 'sendtoaddress', [to, 0.5])
    node.mine()
    const guard = await start({ paidBy: [{ txid }, { txid: coins }] })
    expect((await call(guard, 'tokentransfer', transfer)).result).toMatchObject({ hex })
    expect((await call(guard, 'sendrawtransaction', [hex])).result).toBe(txid)
    const { error } = await call(guard, 'sendtoaddress', [to, 0.5])
    expect(error).toMatchObject({ code: -4, message: expect.stringContaining(`made as ${coins}`) })
    expect(await node.request('getrawmempool', [])).toEqual([])
  })

  test('pays an equal call again, although its journal was shortened since --paid-by was recorded', async () => {
    const { result: txid } = await call(await start(), 'sendtoaddress', [to, 0.5])
    node.mine()
    const journal = memoryJournal()
    const guard = await start({ journal, paidBy: [{ txid }] })
    const { error } = await call(guard, 'sendtoaddress', [to, 0.5])
    expect(error.message).toContain(`made as ${txid}`)
    // The payments of the last 10,080 blocks would keep their records without a name, too.
    const chain = String(await node.request('getblockhash', [1]))
    await recordPaymentAt(journal, chain, 20_000)
    const at = new Date().toISOString()
    const book = bookOf(journal)
    for (let some = 0; some < 100; some += 1) {
      await book.note({ kind: 'forgotten', payment: 'id none', at })
    }
    vi.useFakeTimers({ now: Date.now() + 31 * 24 * 3_600_000, toFake: ['Date'] })
    try {
      await call(guard, 'sendtoaddress', [to, 0.25], 'other')
      expect(book.next).toBeLessThan(50)
      const { result } = await call(guard, 'sendtoaddress', [to, 0.5])
      expect(result).toMatch(/^[0-9a-f]{64}$/)
      expect(result).not.toBe(txid)
    } finally {
      vi.useRealTimers()
    }
  })

  const hideSpends = () => {
    for (const method of ['getaddressdeltas', 'getaddressmempool']) {
      node.faults.add({ kind: 'error', method, code: -1, message: 'no index' })
    }
  }

  test.each([undefined, 'invoice-17'])(
    'makes no payment that its operator names as made, if the daemon lists no spends (%s)',
    async (id) => {
      const { result: txid } = await call(await start(), 'sendtoaddress', [to, 0.5], 'invoice-17')
      node.mine()
      hideSpends()
      const guard = await start({ paidBy: [{ txid, ...(id !== undefined && { id }) }] })
      const { error: other } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-18')
      expect(other.message).toContain(`--paid-by names ${txid} for another call`)
      const { result, error } = await call(guard, 'sendtoaddress', [to, 0.5], id)
      expect(result ?? error.message).toContain(txid)
      expect(error?.message ?? '').not.toContain('held: the chain')
      expect(await node.request('getrawmempool', [])).toEqual([])
      const { result: next } = await call(guard, 'sendtoaddress', [to, 0.25], 'invoice-19')
      expect(await node.request('getrawmempool', [])).toEqual([next])
    },
  )

  test.each([
    ['that is another payment', 'it is another payment'],
    ['that no node has', 'the daemon does not have it'],
    ['that the journal has for another name', 'the journal has it for another payment'],
  ])('holds a payment for which its operator names a transaction %s', async (which, why) => {
    const journal = memoryJournal()
    const other = await start({ journal })
    const amount = which.endsWith('name') ? 0.5 : 0.25
    const { result } = await call(other, 'sendtoaddress', [to, amount], 'invoice-16')
    node.mine()
    const txid = which.endsWith('has') ? 'ab'.repeat(32) : result
    const paidBy = [{ txid, id: 'invoice-17' }]
    const guard = await start({ paidBy, ...(which.endsWith('name') && { journal }) })
    const { error } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-17')
    expect(error).toMatchObject({ code: -26, message: expect.stringContaining(why) })
    expect(error.message).toContain(`the operator named ${txid} by --paid-by`)
    expect(await node.request('getrawmempool', [])).toEqual([])
  })

  test('holds calls without a name while no node has a transaction that is named for one', async () => {
    const txid = 'ab'.repeat(32)
    const guard = await start({ paidBy: [{ txid }] })
    const { error } = await call(guard, 'sendtoaddress', [to, 0.5])
    expect(error.message).toContain(`named ${txid} by --paid-by`)
    expect(await node.request('getrawmempool', [])).toEqual([])
    expect((await call(guard, 'sendtoaddress', [to, 0.5], 'a')).result).toMatch(/^[0-9a-f]{64}$/)
  })
})

test('one name for two transfers, to two guards of one store, makes one of them', async () => {
  const store = memoryJournal()
  const { read, append } = store
  let [confirm, isAsked] = [(_: boolean) => {}, () => {}]
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const policy = askingPolicy(() => {
    isAsked()
    return new Promise((resolve) => {
      confirm = resolve
    })
  })
  const tokenid = await tokenOf(await start())
  const toKey = node.identities[1]!.pubkey
  const journal = { read, append, close: async () => {} }
  const [first, second] = [await start({ journal, policy }), await start({ journal: store })]
  const waiting = call(first, 'tokentransfer', [tokenid, toKey, '7'], 'invoice-17')
  await asked
  // The daemon chooses the same tokens for both, so only one of them can be mined.
  const made = await call(second, 'tokentransfer', [tokenid, toKey, '8'], 'invoice-17')
  expect(made.result).toMatchObject({ result: 'success' })
  const records = await store.read(0)
  confirm(true)
  expect((await waiting).error.message).toMatch(/this name was used for another payment/)
  expect(await store.read(0)).toEqual(records)
  const again = await call(second, 'tokentransfer', [tokenid, toKey, '8'], 'invoice-17')
  expect(again.result).toEqual(made.result)
})

test('a guard with the journal of another chain makes no payment', async () => {
  const other = await createDevNode({ time: 1_700_000_000, mine: 'manual' })
  open.push(other)
  const journal = memoryJournal()
  await call(await start({ journal }), 'sendtoaddress', [to, 0.5], 'invoice-17')
  const guard = await guardOfNode(other, { journal })
  open.push(guard)
  for (const [method, params] of [
    ['sendtoaddress', [to, 0.5]],
    ['tokencreate', ['GOLD', '0.00001']],
  ] as const) {
    const { error } = await callerOf(() => other)(guard, method, params, 'invoice-18')
    expect(error.message).toContain('the journal has payments of another chain only')
  }
  expect(await other.request('getrawmempool', [])).toEqual([])
})

test('a guard makes no payment again that was recorded while its daemon had a false block 1', async () => {
  const journal = memoryJournal()
  const daemon = tamperedClient(node, ({ method, params }) =>
    method === 'getblockhash' && params[0] === 1 ? 'ab'.repeat(32) : undefined,
  )
  const intent = {
    recipients: [{ address: to, amount: 50_000_000n }],
    from: node.identities[0]!.pubkey,
  }
  const { txid } = await payCoins(daemon, intent, { journal, id: 'invoice-17' })
  for (const blocks of [0, 1]) {
    node.mine(blocks)
    const guard = await start({ journal })
    const { result } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-17')
    expect(result).toBe(txid)
  }
  expect(await node.request('getrawmempool', [])).toEqual([])
})

test('two requests under one name are two payments for the limits of a policy', async () => {
  const asked: string[] = []
  const policy = {
    admit: () => undefined,
    async decide({ payment }: GuardedPayment) {
      asked.push(payment)
      return { verdict: 'allow' } as const
    },
  }
  const tokenid = await tokenOf(await start())
  const transfer = (guard: Guard, units: string) =>
    call(guard, 'tokentransfer', [tokenid, node.identities[1]!.pubkey, units], 'invoice-17')
  const journal = memoryJournal()
  for (const units of ['7', '8']) {
    const one = memoryJournal()
    await transfer(await start({ journal: one }), units)
    for (const record of await one.read(0)) {
      await journal.append((await journal.read(0)).length + 1, record)
    }
  }
  const guard = await start({ journal, policy })
  for (const units of ['7', '8']) {
    expect((await transfer(guard, units)).result).toMatchObject({ result: 'success' })
  }
  expect(new Set(asked).size).toBe(2)
})

// Until 2026-11-28, a guard took a name in quotation marks. It stores the name after that of the user.
test.each(['', 'ann/'])(
  'a name that the journal has in quotation marks makes no second payment (user: %j)',
  async (user) => {
    const policy: Policy = {
      isUser: () => true,
      admit: () => undefined,
      decide: () => ({ verdict: 'allow' }),
    }
    const ofUser = user === '' ? {} : { users: { authenticate: async () => 'ann' }, policy }
    const former = memoryJournal()
    const first = await start({ journal: former, ...ofUser })
    const { result: txid } = await call(first, 'sendtoaddress', [to, 0.5], 'invoice-17')
    node.mine()
    const journal = memoryJournal()
    for (const [at, text] of (await former.read(0)).entries()) {
      const record = JSON.parse(text)
      const id = `${user}"invoice-17"`
      const named = { ...record, ...(record.id !== undefined && { id }), payment: `id ${id}` }
      await journal.append(at + 1, JSON.stringify(named))
    }
    const guard = await start({ journal, repeatMs: 0, ...ofUser })
    const { error } = await call(guard, 'sendtoaddress', [to, 0.5], 'invoice-17')
    expect(error?.message).toContain('had this name in quotation marks')
    expect(error.message).toContain(`Look for ${txid} before`)
    expect(await node.request('getrawmempool', [])).toEqual([])
  },
)

describe('the state of a guard that pays', () => {
  let folder: string
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'antara-guard-')), 'state')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  const guardWith = (...options: string[]) =>
    runCommand(['guard', '--daemon', 'http://127.0.0.1:1', ...options])
  const state = () => ['--state', folder]
  const paying = () => [...state(), '--pubkey', node.identities[0]!.pubkey]

  test('does not begin by itself, so a mistyped folder stops the start', async () => {
    const { status, errors } = await guardWith(...paying())
    expect(status).toBe(64)
    expect(errors).toContain(`${join(folder, 'record.ndjson')} is missing`)
    expect(errors).toContain('--new-state')
    expect(existsSync(folder)).toBe(false)
  })

  test('begins with --new-state, once', async () => {
    expect(await guardWith(...state(), '--new-state')).toMatchObject({ status: 0 })
    expect(existsSync(join(folder, 'record.ndjson'))).toBe(true)
    expect(existsSync(join(folder, 'journal'))).toBe(true)
    const again = await guardWith(...state(), '--new-state')
    expect(again.status).toBe(64)
    expect(again.errors).toContain('has a state already')
  })

  test.each([
    ['record.ndjson', ['record.ndjson', 'record.ndjson.anchor', 'limits']],
    ['journal', ['journal']],
  ])('begins at a second attempt if the first one ended before %s', async (name, missing) => {
    await guardWith(...state(), '--new-state')
    for (const file of missing) rmSync(join(folder, file))
    const { status, errors } = await guardWith(...paying())
    expect(status).toBe(64)
    expect(errors).toContain(`${join(folder, name)} is missing`)
    expect(await guardWith(...state(), '--new-state')).toMatchObject({ status: 0 })
    expect(existsSync(join(folder, name))).toBe(true)
  })

  test('goes on with a record that a crash left under its next name', async () => {
    await guardWith(...state(), '--new-state')
    const record = join(folder, 'record.ndjson')
    renameSync(record, `${record}.next`)
    const again = await guardWith(...state(), '--new-state')
    expect(again.errors).toContain('has a state already')
    const { status, errors } = await guardWith(...paying(), '--policy', join(folder, 'absent'))
    expect(status).toBe(64)
    expect(errors).not.toContain('is missing')
    expect(errors).toContain('absent')
  })

  test('verifies older files of a record, and names the one that is missing', async () => {
    await guardWith(...state(), '--new-state')
    const record = join(folder, 'record.ndjson')
    const refused: DecisionEntry = {
      user: 'alice',
      method: 'sendmany',
      methodClass: 'build-and-send',
      decision: 'refused',
      reason: 'not allowed',
    }
    // It takes longer to read than the missing file takes to fail.
    const older = await FileRecord.open(record)
    await Promise.all(Array.from({ length: 3000 }, () => older.append(refused)))
    await older.close()
    renameSync(record, `${record}.000000000001-000000003003`)
    const { status, errors } = await guardWith('--verify-log', record)
    expect(status).toBe(64)
    expect(errors).toContain(`no such file: ${record}\n`)
  })

  test('does not begin anew where the record alone was lost', async () => {
    await guardWith(...state(), '--new-state')
    rmSync(join(folder, 'record.ndjson'))
    const { status, errors } = await guardWith(...state(), '--new-state')
    expect(status).not.toBe(0)
    expect(errors).toContain('the anchor has 2 lines')
  })

  test('shows at the start which transactions of --paid-by wait for their call', async () => {
    await guardWith(...state(), '--new-state')
    const [waiting, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const journal = fileJournal(join(folder, 'journal'))
    const about = {
      payment: 'id b',
      terms: '[]',
      request: '{}',
      id: 'b',
      at: '2026-11-28T00:00:00Z',
    }
    const record = { kind: 'attempt', ...about, txid: other, hex: '00' } as const
    await bookOf(journal).append(record, 1)
    await journal.close()
    const start = (paidBy: string) => guardWith(...paying(), '--paid-by', paidBy, '--listen', 'x')
    const { errors } = await start(`${waiting}=a,${other}=c`)
    expect(errors).toContain(`--paid-by: ${waiting} waits for the call a, which will pay nothing\n`)
    expect(errors).toContain(`the journal has ${other} for another payment than the call c\n`)
    const unnamed = await start(`${waiting},${other}=b`)
    expect(unnamed.errors).toContain(`${waiting} waits for a call without a name`)
    expect(unnamed.errors).not.toContain(other)
  })

  test.each([
    [['--coin', 'KMD', '--own', 'x'], '--coin needs --framework'],
    [['--own', 'x'], '--own needs --framework'],
    [['--framework', 'http://127.0.0.1:1', '--paid-by', 'ab'.repeat(32)], '--paid-by needs --coin'],
  ])('%j starts no guard that would ignore it', async (options, message) => {
    const { status, errors } = await runCommand(['guard', ...state(), ...options])
    expect(status).toBe(64)
    expect(errors).toContain(message)
  })

  test('needs the journal that is named', async () => {
    await guardWith(...state(), '--new-state')
    const mistyped = join(folder, 'jurnal')
    const { status, errors } = await guardWith(...paying(), '--journal', mistyped)
    expect(status).toBe(64)
    expect(errors).toContain(`${mistyped} is missing`)
    expect(existsSync(mistyped)).toBe(false)
  })
})

test('a batch takes no name of a payment', async () => {
  const guard = await start()
  const { user, password } = node.identities[0]!
  const headers = { authorization: basic(user, password), 'idempotency-key': 'invoice-17' }
  const body = `[${callText('sendtoaddress', [to, 0.5])}]`
  const answer = JSON.parse((await rawRequest(guard.url, { headers, body })).body)
  expect(answer.error.message).toContain('not with a batch')
  expect(await node.request('getrawmempool', [])).toEqual([])
})

test('payments that no client asks for again are found in blocks', async () => {
  const journal = memoryJournal()
  const guard = await start({ journal })
  const txids: string[] = []
  for (let count = 0; count < 24; count += 1) {
    const { result } = await call(guard, 'sendtoaddress', [to, 0.01], `payment-${count}`)
    txids.push(result)
    node.mine()
  }
  const book = bookOf(journal)
  await expect.poll(() => book.unsettled().length, { timeout: 20_000 }).toBeLessThan(20)
  const settled = book.payments().flatMap(({ attempts }) => attempts)
  expect(settled.some(({ fate, height }) => fate === 'settled' && height !== undefined)).toBe(true)
  // A name stays one payment, whether it was settled or not.
  for (const at of [0, 12, 23]) {
    const { result } = await call(guard, 'sendtoaddress', [to, 0.01], `payment-${at}`)
    expect(result).toBe(txids[at])
  }
})
