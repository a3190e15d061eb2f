// Limits of a policy file in front of a node that validates: no way of paying may pass them by.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createGuard,
  type DecisionEntry,
  type Guard,
  type GuardOptions,
  type Policy,
} from '../../src/guard/index.ts'
import { LimitExceeded, Limits } from '../../src/guard/policy/limits.ts'
import { FilePolicy } from '../../src/guard/policy/policy.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, listPayments, resumePayments } from '../../src/rpc/index.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { encodeTransaction } from '../../src/transaction/encode.ts'
import type { TransactionOutput } from '../../src/transaction/types.ts'
import { reply, startServer } from '../contract/support/server.ts'
import { askingPolicy, callText, guardOfNode } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let node: DevNode
let guard: Guard
let to: string
const open: { close(): Promise<void> }[] = []

async function start(options: Partial<GuardOptions> = {}): Promise<Guard> {
  const started = await guardOfNode(node, options)
  open.push(started)
  return started
}

const anything = { recipients: 'any', coins: 'any', tokens: 'any' }

async function policyOf(rules: object): Promise<FilePolicy> {
  return new FilePolicy(
    JSON.stringify({ ...anything, ...rules }),
    await Limits.open(memoryJournal()),
  )
}

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  to = node.identities[1]!.address
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await node.close()
})

interface Answered {
  readonly result: unknown
  readonly error: { readonly code: number; readonly message: string } | null
}

async function call(method: string, params: readonly unknown[]): Promise<Answered> {
  const { user, password } = node.identities[0]!
  const { body } = await rawRequest(guard.url, {
    headers: { authorization: basic(user, password) },
    body: callText(method, params),
  })
  return JSON.parse(body)
}

async function received(): Promise<bigint> {
  const answer = await node.request('getaddressbalance', [{ addresses: [to] }])
  return BigInt((answer as { balance: number }).balance)
}

const txid = expect.stringMatching(/^[0-9a-f]{64}$/)
const messageOf = ({ error, result }: Answered): string =>
  error?.message ?? (result as { error?: string }).error ?? ''

describe('the same request once more, after the time in which it is a repetition,', () => {
  test('consumes its limits again', async () => {
    const policy = await policyOf({ coins: { perHour: '0.6' } })
    guard = await start({ policy, repeatMs: 0 })
    expect(await call('sendtoaddress', [to, 0.5])).toMatchObject({ result: txid })
    expect(messageOf(await call('sendtoaddress', [to, 0.5]))).toContain('coins.perHour')
  })

  test('is asked about again', async () => {
    const policy = await policyOf({
      coins: { confirmAbove: '0.1' },
      confirm: { command: ['/bin/false'] },
    })
    const asked: string[] = []
    guard = await start({
      repeatMs: 0,
      policy: {
        admit: (it) => policy.admit(it),
        async decide(payment, state) {
          const decision = await policy.decide(payment, state)
          if (decision.verdict !== 'confirm') return decision
          asked.push(payment.txid)
          return { ...decision, ask: async () => true }
        },
      },
    })
    for (let round = 0; round < 2; round += 1) {
      expect(await call('sendtoaddress', [to, 0.5])).toMatchObject({ result: txid })
    }
    expect(new Set(asked).size).toBe(2)
  })
})

test('a creation consumes the coins that become tokens', async () => {
  guard = await start({ policy: await policyOf({ coins: { perPayment: '0.6' } }) })
  expect(messageOf(await call('tokencreate', ['GOLD', '0.7']))).toContain('coins.perPayment')
  expect(JSON.stringify(await call('tokencreate', ['GOLD', '0.5']))).toContain('"hex"')
})

test('a reservation ends when another guard records the same transaction first', async () => {
  const inner = memoryJournal()
  let isFirst = true
  const journal: Journal = {
    ...inner,
    async append(position, text) {
      if (isFirst && JSON.parse(text).kind === 'attempt') {
        isFirst = false
        await inner.append(position, text)
      }
      return inner.append(position, text)
    },
  }
  const reserved = new Set<number>()
  let count = 0
  guard = await start({
    journal,
    policy: {
      admit: () => undefined,
      decide() {
        const number = ++count
        reserved.add(number)
        const end = () => void reserved.delete(number)
        return { verdict: 'allow', reservation: { keep: end, release: end } }
      },
    },
  })
  expect(await call('sendtoaddress', [to, 0.5])).toMatchObject({ result: txid })
  expect(count).toBe(2)
  expect(reserved).toEqual(new Set())
})

const statesOf = async (journal: Journal) =>
  (await listPayments(journal)).flatMap(({ attempts }) => attempts.map(({ state }) => state))

test('a handed-over transaction whose record fails is not sent, and stays handed over', async () => {
  const shared = memoryJournal()
  let isFull = false
  const record = {
    append: async () => {
      if (isFull) throw new Error('the disk is full')
    },
    close: async () => undefined,
  }
  guard = await start({ journal: shared, record })
  const { result } = (await call('tokencreate', ['GOLD', '0.00001'])) as { result: { hex: string } }
  isFull = true
  expect((await call('sendrawtransaction', [result.hex])).error).not.toBeNull()
  expect(await statesOf(shared)).toEqual(['handed-over'])
  await resumePayments(createDaemonClient(node.identities[0]!), { journal: shared })
  expect(await statesOf(shared)).toEqual(['handed-over'])
  isFull = false
  expect((await call('sendrawtransaction', [result.hex])).error).toBeNull()
})

test('a limit that another guard used up meanwhile refuses the payment, and is recorded', async () => {
  const bound = {
    rule: 'coins.perDay',
    scope: '',
    asset: 'coins',
    window: 'day',
    most: 1n,
  } as const
  const keep = () => Promise.reject(new LimitExceeded(bound, 0n))
  const entries: DecisionEntry[] = []
  const shared = memoryJournal()
  guard = await start({
    journal: shared,
    policy: {
      admit: () => undefined,
      decide: () => ({ verdict: 'allow', reservation: { keep, release: () => undefined } }),
    },
    onDecision: (entry) => entries.push(entry),
  })
  const before = await received()
  expect(messageOf(await call('sendtoaddress', [to, 0.5]))).toContain('coins.perDay: used up')
  expect(entries).toMatchObject([{ decision: 'refused', reason: 'coins.perDay' }])
  expect(await received()).toBe(before)
  expect(await statesOf(shared)).toEqual(['refused'])
})

test('a payment that the daemon lost does not stand for a second customer', async () => {
  guard = await start({ journal: memoryJournal() })
  const before = node.snapshot()
  const first = await call('sendtoaddress', [to, 0.5])
  expect(first).toMatchObject({ result: txid })
  const paid = await received()
  node.revert(before)
  expect(await received()).toBe(paid - 50_000_000n)
  const second = await call('sendtoaddress', [to, 0.5])
  expect(messageOf(second)).toContain(
    `held as a repetition: the same payment was made as ${first.result}`,
  )
  // The bytes of the first were sent again, and nothing else.
  expect(await received()).toBe(paid)
})

/** A promise, and the function that resolves it. */
function later<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe('a confirmation', () => {
  test.each([true, false])(
    'a confirmation of a client that left is a no, if it says %s',
    async (answer) => {
      const { user, password } = node.identities[0]!
      const before = await received()
      const client = new AbortController()
      const asked = later<AbortSignal>()
      const ended = later<unknown>()
      guard = await start({
        policy: askingPolicy((signal) => {
          asked.resolve(signal)
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(answer)))
        }),
        onDecision: ended.resolve,
      })
      const request = fetch(guard.url, {
        method: 'POST',
        headers: { authorization: basic(user, password) },
        body: callText('sendtoaddress', [to, 0.5]),
        signal: client.signal,
      })
      await asked.promise
      client.abort()
      await expect(request).rejects.toThrow()
      expect(await ended.promise).toMatchObject({ decision: 'refused', reason: 'confirm' })
      expect(await received()).toBe(before)
    },
  )
})

/** Calls as a user of the guard. */
async function as(name: string, amount: number, key?: string): Promise<Answered> {
  const headers = { authorization: basic(name, 'x'), ...(key && { 'idempotency-key': key }) }
  const { body } = await rawRequest(guard.url, {
    headers,
    body: callText('sendtoaddress', [to, amount]),
  })
  return JSON.parse(body)
}

describe('while a person thinks about a payment of one user', () => {
  const users = { authenticate: async (name: string) => name }
  /** Asks about payments of ben, and allows others, within limits. */
  async function asking(rules: object) {
    const inner = await policyOf(rules)
    const questions: ((answer: boolean) => void)[] = []
    const policy: Policy = {
      admit: () => undefined,
      async decide(payment, { isConfirmed }) {
        if (isConfirmed || payment.user !== 'ben')
          return inner.decide({ ...payment, user: '' }, { isConfirmed })
        const ask = () => new Promise<boolean>((resolve) => questions.push(resolve))
        return { verdict: 'confirm', rule: 'confirm', ask }
      },
    }
    return { policy, questions }
  }
  const count = async (questions: readonly unknown[], expected: number) =>
    expect.poll(() => questions.length).toBe(expected)

  test('another user pays, and the questions follow each other', async () => {
    const { policy, questions } = await asking({})
    guard = await start({ policy, users })
    const before = await received()
    const asked = [as('ben', 0.5, 'b1'), as('ben', 0.6, 'b2')]
    await count(questions, 1)
    expect((await as('ann', 0.1, 'a')).error).toBeNull()
    expect((await received()) - before).toBe(10_000_000n)
    expect(questions.length).toBe(1)
    questions[0]!(false)
    await count(questions, 2)
    questions[1]!(false)
    expect((await Promise.all(asked)).map(messageOf)).toEqual(
      Array(2).fill(expect.stringContaining('Nobody agreed')),
    )
    expect((await received()) - before).toBe(10_000_000n)
  })

  test('another payment takes its coins: it is not sent, and made anew when it is repeated', async () => {
    const { policy, questions } = await asking({})
    guard = await start({ policy, users })
    const before = await received()
    // One coin is left, so that the daemon takes it twice.
    const { balance } = (await node.request('getaddressbalance', [
      { addresses: [node.identities[0]!.address] },
    ])) as { balance: number }
    expect((await as('ann', Number((balance / 1e8 - 10).toFixed(8)), 'all')).error).toBeNull()
    const paid = await received()
    const asked = as('ben', 0.5, 'b')
    await count(questions, 1)
    expect((await as('ann', 0.1, 'a')).error).toBeNull()
    node.mine()
    // It is known to be in a block.
    expect((await as('ann', 0.1, 'a')).error).toBeNull()
    questions[0]!(true)
    expect(messageOf(await asked)).toContain('does not pass verification any more')
    const again = as('ben', 0.5, 'b')
    await count(questions, 2)
    questions[1]!(true)
    expect((await again).error).toBeNull()
    expect((await received()) - paid).toBe(60_000_000n)
    expect(before).toBeLessThan(paid)
  })
})

describe('a method that the policy allows by name', () => {
  test('is not passed on while the record fails', async () => {
    const address = node.identities[0]!.address
    const policy = await policyOf({ methods: ['dumpprivkey', 'getblockcount'] })
    const record = {
      append: () => Promise.reject(new Error('disk full')),
      close: async () => undefined,
    }
    guard = await start({ policy, record })
    expect(messageOf(await call('dumpprivkey', [address]))).toContain('the record failed')
    expect((await call('getblockcount', [])).error).toBeNull()
    guard = await start({ policy })
    expect((await call('dumpprivkey', [address])).error).toBeNull()
  })

  test('does not pay while payments are held', async () => {
    const policy = await policyOf({ methods: ['sendfrom', '@read'] })
    guard = await start({ policy })
    policy.hold('the limits lack 1 payments that the record has')
    expect(messageOf(await call('sendfrom', ['', to, 0.5]))).toContain('(limits)')
    expect((await call('getblockcount', [])).error).toBeNull()
  })
})

describe('another daemon at the same port', () => {
  let block: string | undefined
  let daemon: Awaited<ReturnType<typeof startServer>>

  async function behind(options: Partial<GuardOptions> = {}): Promise<Guard> {
    const { user, password, pubkey } = node.identities[0]!
    block = undefined
    daemon = await startServer(async ({ body }, response) => {
      const { method, params, id } = JSON.parse(body)
      const isAsked = block !== undefined && method === 'getblockhash' && params[0] === 1
      const result = isAsked
        ? block
        : method === 'tokencancelask'
          ? { result: 'success', hex: 'ab'.repeat(100) }
          : await node.request(method, params)
      reply(response, 200, JSON.stringify({ result, error: null, id }))
    })
    open.push(daemon)
    const credentials = () => ({ user, password })
    const started = await createGuard({
      daemon: { url: daemon.url, credentials },
      pubkey,
      ...options,
    })
    open.push(started)
    return started
  }

  test('is paid by no guard that paid on another chain', async () => {
    const decisions: DecisionEntry[] = []
    guard = await behind({ onDecision: (entry) => decisions.push(entry) })
    expect((await call('sendtoaddress', [to, 0.5])).error).toBeNull()
    const handedOver = ['tokencreate', ['SILVER', '0.00001']] as const
    expect((await call(...handedOver)).result).toMatchObject({ result: 'success' })
    block = '11'.repeat(32)
    const count = daemon.received.length
    for (const [method, params] of [
      ['sendtoaddress', [to, 0.25]],
      ['tokencreate', ['GOLD', '0.00001']],
      handedOver,
      // No amount of a cancelled order is compared with spends, so its build alone looks at the chain.
      ['tokencancelask', ['22'.repeat(32), '33'.repeat(32)]],
    ] as const) {
      const answer = await call(method, params)
      expect(answer).toMatchObject({ result: null, error: { code: -32603 } })
      expect(messageOf(answer)).toContain('another chain than at the first payment')
    }
    const asked = daemon.received.slice(count).map(({ body }) => JSON.parse(body).method)
    // It may build, because that pays nothing: the guard drops what it built.
    expect(new Set(asked)).toEqual(new Set(['getblockhash', 'tokencreate', 'tokencancelask']))
    expect(decisions.slice(-4).map(({ decision, reason }) => [decision, reason])).toEqual(
      Array(4).fill(['refused', 'network']),
    )
    block = undefined
    expect((await call('sendtoaddress', [to, 0.25])).error).toBeNull()
  })

  test('is asked for its chain again after a person agreed', async () => {
    guard = await behind({
      policy: askingPolicy(async () => {
        block = '11'.repeat(32)
        return true
      }),
    })
    const answer = await call('sendtoaddress', [to, 0.5])
    expect(messageOf(answer)).toContain('another chain than at the first payment')
    const methods = daemon.received.map(({ body }) => JSON.parse(body).method)
    expect(methods).not.toContain('sendrawtransaction')
  })
})

describe('guard_submit', () => {
  /** A payment that the node signs, with its change as `change` makes it. */
  async function signed(change: (output: TransactionOutput) => TransactionOutput): Promise<string> {
    const created = await node.request('createrawtransaction', [[], { [to]: 0.5 }])
    const { hex: funded } = (await node.request('fundrawtransaction', [created])) as never
    const transaction = decodeTransaction(String(funded))
    const outputs = transaction.outputs.map((it) => (it.value === 50_000_000n ? it : change(it)))
    const changed = encodeTransaction({ ...transaction, outputs })
    return ((await node.request('signrawtransaction', [changed])) as { hex: string }).hex
  }
  const caseOf = (intent: object, more: object = {}) => ({
    operation: 'payment',
    network: 'assetChain',
    intent: {
      recipients: [{ address: to, amount: '50000000' }],
      own: [node.identities[0]!.pubkey],
      ...intent,
    },
    ...more,
  })

  test('counts change that a case claims to be its own', async () => {
    guard = await start({ policy: await policyOf({ coins: { perPayment: '0.6' } }) })
    const stranger = `76a914${'11'.repeat(20)}88ac`
    const hex = await signed((it) => ({ ...it, script: stranger }))
    const claim = caseOf({ own: [node.identities[0]!.pubkey, stranger] })
    expect(messageOf(await call('guard_submit', [hex, claim]))).toContain('coins.perPayment')
    const honest = await signed((it) => it)
    expect(await call('guard_submit', [honest, caseOf({})])).toMatchObject({ result: txid })
  })

  test('keeps the highest fee of the guard, whatever the case allows', async () => {
    guard = await start()
    const hex = await signed((it) => ({ ...it, value: it.value - 500_000n }))
    for (const intent of [{ maxFee: '1000000' }, { fee: '510000' }, { maxFee: '20001' }]) {
      const answer = await call('guard_submit', [hex, caseOf(intent)])
      expect(answer.error, JSON.stringify(intent)).toMatchObject({ code: -8 })
      expect(messageOf(answer)).toContain('at most 20000 satoshis')
    }
    guard = await start({ maxFee: 1_000_000n })
    expect(await call('guard_submit', [hex, caseOf({ maxFee: '1000000' })])).toMatchObject({
      result: txid,
    })
  })

  test('refuses another network, and what the guard does not allow', async () => {
    guard = await start()
    const { pubkey } = node.identities[0]!
    const hex = await signed((it) => it)
    const tokenid = 'aa'.repeat(32)
    const bid = { tokenid, units: '5', price: '500', from: pubkey, allowUnenforcedPrice: true }
    for (const given of [
      caseOf({}, { network: 'komodo' }),
      { operation: 'tokenbid', network: 'assetChain', intent: bid },
    ]) {
      expect((await call('guard_submit', [hex, given])).error).toMatchObject({ code: -8 })
    }
    expect(await node.request('getrawmempool', [])).toEqual([])
  })
})
