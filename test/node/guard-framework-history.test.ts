// A guard before a framework whose journal lacks what its wallet paid: it was lost, is an old copy, or
// another guard has it. The history has the documented form (test/vectors/rpc/docs-framework.json)
// and the order of the framework, and its transactions are signed by throw-away keys.

import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FrameworkGuardOptions, Guard } from '../../src/guard/index.ts'
import { transactionId } from '../../src/index.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { listPayments } from '../../src/rpc/index.ts'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import { p2pkh, payment, signPayment, withdrawAnswer, worthOf } from '../support/payments.ts'
import { a, b, c } from '../support/resigned.ts'
import { chain } from '../support/vectors.ts'
import { askingPolicy } from './support/guarded.ts'
import {
  type Answered,
  type Body,
  call as callOf,
  coin,
  guardOfFramework,
  own,
  to,
  wanted,
} from './support/guarded-framework.ts'

const tip = 800_000
const amount = 1_000_000n
const daySeconds = 24 * 3600

interface Made {
  /** Number of the coin that is spent. */
  readonly spends?: 0 | 1
  readonly payee?: string
  readonly amount?: bigint
}

/** A transaction of the wallet, as the server would build it, with the server's claims. */
function made({ spends = 0, payee = b, amount: paid = amount }: Made = {}) {
  const input = payment.inputs[spends]!
  const received = worthOf(input) - paid - 1000n
  const outputs = [
    { value: paid, script: p2pkh(payee) },
    { value: received, script: p2pkh(a) },
  ]
  const hex = signPayment({ ...payment, inputs: [input], outputs, expiryHeight: 0 })
  const spent = worthOf(input)
  return withdrawAnswer({ hex, coin, from: [own], to, spent, received })
}

/** The transaction of another guard, and the one that this guard would build from another coin. */
const [other, fresh] = [made({ spends: 0 }), made({ spends: 1 })]

interface Entry extends ReturnType<typeof withdrawAnswer> {
  readonly confirmations: number
}

const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const entry = (of: typeof other, height: number, seconds = 60, more: object = {}): Entry => ({
  ...of,
  ...{ block_height: height, timestamp: ago(seconds), internal_id: of.tx_hash },
  ...{ confirmations: height === 0 ? 0 : tip + 1 - height },
  ...more,
})

let server: TestServer
let guard: Guard
let bodies: Body[]
let details: typeof other
/** The entries of the history by account; those of a wallet without accounts are under `iguana`. */
let history: Record<string, readonly Entry[]>
/** The answers about the state of the history, the last of them for ever. */
let states: string[]
/** The error of each question about the history. */
let historyError: string | undefined
/** True if the older dispatcher has the history, as after an activation by `electrum`. */
let isOlderShown: boolean
let notCompared: number
const onChain = new Map<string, string>()
const open: { close(): Promise<void> }[] = []

beforeEach(async () => {
  bodies = []
  details = fresh
  history = { iguana: [] }
  states = ['Finished']
  historyError = undefined
  isOlderShown = false
  notCompared = 0
  onChain.clear()
  for (const { txid, hex } of [...chain]) onChain.set(txid, hex)
  for (const { tx_hash, tx_hex } of [other]) onChain.set(tx_hash, tx_hex)
  server = await startServer(({ body }, response) => {
    const call = JSON.parse(body) as Body
    bodies.push(call)
    const { method, params = {}, id = null } = call
    const answer = (result: unknown) =>
      reply(response, 200, JSON.stringify({ mmrpc: '2.0', result, id }))
    const fail = (error_type: string) => {
      const where = { error_path: '', error_trace: '' }
      const error = { mmrpc: '2.0', error: 'no', ...where, error_type, id }
      reply(response, 400, JSON.stringify(error))
    }
    switch (method) {
      case 'withdraw':
        return answer(details)
      case 'task::withdraw::init':
        return answer({ task_id: 0 })
      case 'task::withdraw::status':
        return answer({ status: 'Ok', details })
      case 'get_raw_transaction': {
        const tx_hex = onChain.get(String(params.tx_hash))
        return tx_hex === undefined ? fail('InvalidParam') : answer({ tx_hex })
      }
      case 'send_raw_transaction': {
        const hex = String(call.tx_hex)
        onChain.set(transactionId(hex), hex)
        return reply(response, 200, JSON.stringify({ tx_hash: transactionId(hex) }))
      }
      case 'my_tx_history': {
        const { type = 'iguana', account_id = type } = Object(params.target)
        const all = history[String(account_id)]
        const isOlder = call.mmrpc === undefined
        if (isOlder && !isOlderShown) return reply(response, 500, '{"error":"lp_coins:5357] none"}')
        if (!isOlder && historyError !== undefined) return fail(historyError)
        if (all === undefined) return fail('InvalidTarget')
        const { PageNumber: number = call.page_number } = Object(params.paging_options)
        const limit = Number(isOlder ? call.limit : params.limit)
        const skipped = (number - 1) * limit
        const state = states.length > 1 ? states.shift() : states[0]
        const page = {
          ...{ coin, target: { type: 'iguana' }, current_block: tip, limit, skipped },
          transactions: all.slice(skipped, skipped + limit),
          sync_status: { state },
          ...{ total: all.length, total_pages: Math.ceil(all.length / limit) },
          paging_options: { PageNumber: number },
        }
        const { coin: _, target: _target, paging_options: _paging, ...older } = page
        return isOlder ? reply(response, 200, JSON.stringify({ result: older })) : answer(page)
      }
      default:
        return fail('NoSuchMethod')
    }
  })
  open.push(server)
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Starts a guard with an empty journal, unless one is given. */
async function start(options: Partial<FrameworkGuardOptions> = {}): Promise<Guard> {
  guard = await guardOfFramework(server.url, {
    journal: memoryJournal(),
    onNotCompared() {
      notCompared += 1
    },
    ...options,
  })
  open.push(guard)
  return guard
}

const call = (method: string, params: object, key?: string) =>
  callOf(guard, method, params, key === undefined ? {} : { 'idempotency-key': key })
const withdraw = (key?: string, more: object = {}) => call('withdraw', { ...wanted, ...more }, key)
const send = (tx_hex: string) => call('send_raw_transaction', { coin, tx_hex })
const methods = () => bodies.map(({ method }) => method)
const asTask = async (key?: string): Promise<Answered> => {
  const { result } = await call('task::withdraw::init', wanted, key)
  return call('task::withdraw::status', { task_id: result!.task_id })
}

function expectHeld({ status, text, error }: Answered, txid = other.tx_hash): void {
  expect(status).toBe(400)
  expect(error).toContain(
    `guard: held: the chain has the same payment, and the journal has not: ${txid}.`,
  )
  expect(text).not.toMatch(/[0-9a-f]{170,}/)
}

describe('a guard with an empty journal', () => {
  test.each([
    ['waits for a block', () => [entry(other, 0)]],
    ['is in the last block', () => [entry(other, tip)]],
    ['is in the last day, many blocks ago', () => [entry(other, tip - 50_000, daySeconds - 60)]],
    ['is in the last 1,440 blocks, days ago', () => [entry(other, tip - 1439, 9 * daySeconds)]],
    [
      'is on a later page of the history',
      () => [
        ...Array.from({ length: 150 }, (_, at) =>
          entry({ ...other, tx_hash: String(at).padStart(64, '0'), spent_by_me: '0' }, tip),
        ),
        entry(other, tip - 1),
      ],
    ],
  ])('holds the same withdrawal that %s', async (_, listed) => {
    history = { iguana: listed() }
    await start()
    expectHeld(await withdraw())
    expectHeld(await withdraw('rent'))
    expectHeld(await asTask('rent'))
    // A held call lets the framework build nothing.
    expect(methods()).not.toContain('withdraw')
    expect(notCompared).toBe(0)
  })

  test('holds the same withdrawal that another account of an HD wallet paid', async () => {
    history = { '0': [], '1': [], '2': [entry(other, tip)] }
    await start()
    expectHeld(await withdraw())
    expectHeld(await withdraw(undefined, { from: { derivation_path: "m/44'/141'/1'/0/0" } }))
  })

  test('holds what the account of the path paid, although accounts before it are missing', async () => {
    history = { '0': [], '7': [entry(other, tip)] }
    await start()
    const from = { account_id: 7, chain: 'External', address_id: 0 }
    expectHeld(await withdraw(undefined, { from }))
  })

  test('holds what the history of the older dispatcher has, on a later page too', async () => {
    historyError = 'StorageIsNotInitialized'
    isOlderShown = true
    const received = Array.from({ length: 120 }, () => entry({ ...fresh, spent_by_me: '0' }, tip))
    history = { iguana: [...received, entry(other, tip - 1)] }
    await start()
    expectHeld(await withdraw())
    expect(notCompared).toBe(0)
    states = ['NotEnabled']
    history = { iguana: [] }
    expect((await withdraw()).result).toEqual(fresh)
    expect(notCompared).toBe(1)
  })

  test('holds a withdrawal of everything that there is', async () => {
    const input = payment.inputs[0]!
    const spent = worthOf(input)
    const outputs = [{ value: spent - 1000n, script: p2pkh(b) }]
    const hex = signPayment({ ...payment, inputs: [input], outputs, expiryHeight: 0 })
    const all = withdrawAnswer({ hex, coin, from: [own], to, spent, received: 0n })
    onChain.set(all.tx_hash, all.tx_hex)
    history = { iguana: [entry(all, tip)] }
    await start()
    expectHeld(await call('withdraw', { coin, to, max: true }), all.tx_hash)
  })
})

describe('a withdrawal', () => {
  test.each([
    ['the history has another amount', () => [entry(made({ amount: amount + 1n }), tip)]],
    ['the history has another payee', () => [entry(made({ payee: c }), tip)]],
    [
      'the same one is over a day and 1,440 blocks old',
      () => [entry(other, tip - 1440, daySeconds + 60)],
    ],
    ['the history lists what was received', () => [entry(other, tip, 60, { spent_by_me: '0' })]],
    ['the framework does not have the listed one', () => [entry(made({ amount: 5n }), 0)]],
  ])('is handed over if %s', async (_, listed) => {
    const entries = listed()
    for (const { tx_hash, tx_hex } of entries.slice(0, 1)) onChain.set(tx_hash, tx_hex)
    history = { iguana: entries }
    await start()
    expect((await withdraw()).result).toEqual(fresh)
    expect(notCompared).toBe(0)
  })

  test('is handed over if the same one has another name in the journal', async () => {
    await start()
    details = other
    await withdraw('first')
    await send(other.tx_hex)
    history = { iguana: [entry(other, tip)] }
    details = fresh
    expect((await withdraw('second')).result).toEqual(fresh)
  })

  test('is handed over if the operator acknowledges the same one', async () => {
    history = { iguana: [entry(other, tip)] }
    await start({ acknowledged: [other.tx_hash.toUpperCase()] })
    expect((await withdraw()).result).toEqual(fresh)
  })

  test.each([
    ['keeps no history of the coin', 'StorageIsNotInitialized'],
    ['has no history of this kind of coin', 'NotSupportedFor'],
    ['is too old to have one', 'NoSuchMethod'],
  ])('is handed over and not compared if the framework %s', async (_, error) => {
    historyError = error
    await start()
    expect((await withdraw()).result).toEqual(fresh)
    expect(notCompared).toBe(1)
  })

  // utxo_coin_builder.rs, initial_history_state; utxo_tx_history_v2.rs, Stopped
  test.each(['NotEnabled', 'Error'])(
    'is not compared if the state of the history is %s; what it lists holds all the same',
    async (state) => {
      states = [state]
      await start()
      expect((await withdraw()).result).toEqual(fresh)
      expect(notCompared).toBe(1)
      history = { iguana: [entry(other, tip)] }
      await start()
      expectHeld(await withdraw())
    },
  )

  test('is compared from the first withdrawal on if the guard has no journal', async () => {
    await start({ journal: undefined })
    expect((await withdraw('rent')).result).toEqual(fresh)
    expect((await send(fresh.tx_hex)).status).toBe(200)
    history = { iguana: [entry(fresh, tip)] }
    // The repeated call records the block.
    expect((await withdraw('rent')).result).toMatchObject({ tx_hex: fresh.tx_hex })
    history = { iguana: [entry(other, 0), entry(fresh, tip)] }
    expectHeld(await withdraw('next'))
  })

  test('is handed over without a comparison if the guard has no journal', async () => {
    history = { iguana: [entry(other, tip)] }
    await start({ journal: undefined })
    expect((await withdraw()).result).toEqual(fresh)
  })
})

describe('a framework that still reads its history', () => {
  test('is waited for, and then shows the same payment', async () => {
    states = ['NotStarted', 'InProgress', 'Finished']
    history = { iguana: [entry(other, tip)] }
    await start()
    expectHeld(await withdraw())
  })

  test('makes no withdrawal while it does not end', async () => {
    states = ['InProgress']
    await start()
    const { status, error } = await withdraw()
    expect(status).toBe(500)
    expect(error).toContain('guard: the framework still reads the history of its wallet')
    expect(methods()).not.toContain('withdraw')
    states = ['Finished']
    expect((await withdraw()).result).toEqual(fresh)
  }, 20_000)
})

test.each(['RpcError', 'StorageError', 'Internal'])(
  'a history that fails for a while (%s) makes no withdrawal',
  async (error) => {
    historyError = error
    await start()
    expect((await withdraw()).status).toBe(500)
    expect(methods()).not.toContain('withdraw')
    historyError = undefined
    history = { iguana: [entry(other, tip)] }
    expectHeld(await withdraw())
  },
)

test('handed-over bytes are not sent once another guard made the same payment', async () => {
  await start()
  expect((await withdraw()).result).toEqual(fresh)
  history = { iguana: [entry(other, 0)] }
  const { error } = await send(fresh.tx_hex)
  expect(error).toContain(`the journal has not: ${other.tx_hash}`)
  expect(methods()).not.toContain('send_raw_transaction')
})

test('a withdrawal that another guard makes while a person decides is not handed over', async () => {
  async function ask(): Promise<boolean> {
    history = { iguana: [entry(other, 0)] }
    await setTimeout(1100)
    return true
  }
  await start({ policy: askingPolicy(ask) })
  expectHeld(await withdraw('rent'))
  expect(methods()).toContain('withdraw')
})

describe('a withdrawal that its operator names as made', () => {
  const paidBy = [{ txid: other.tx_hash.toUpperCase(), id: 'rent' }]

  test('is answered with its transaction, and an equal one of another name is made', async () => {
    history = { iguana: [entry(other, tip)] }
    const journal = memoryJournal()
    await start({ paidBy, journal })
    const { error } = await withdraw('other')
    expect(error).toContain(`--paid-by names ${other.tx_hash} for another call`)
    const { result } = await withdraw('rent')
    expect(result).toMatchObject({ tx_hex: other.tx_hex, tx_hash: other.tx_hash })
    const sent = await send(other.tx_hex)
    expect(sent.result).toEqual({ tx_hash: other.tx_hash })
    expect(methods()).not.toContain('withdraw')
    expect(methods()).not.toContain('send_raw_transaction')
    expect(await listPayments(journal)).toMatchObject([{ id: 'rent', state: 'settled' }])
    expect((await withdraw('other')).result).toEqual(fresh)
  })

  test('is answered with its transaction as a task, too', async () => {
    await start({ paidBy })
    const { result } = await asTask('rent')
    expect(result).toMatchObject({ status: 'Ok', details: { tx_hash: other.tx_hash } })
  })

  test('is compared with a call without a name, although no history is shown', async () => {
    historyError = 'StorageIsNotInitialized'
    await start({ paidBy: [{ txid: other.tx_hash }] })
    expect((await withdraw('first')).error).toContain('--paid-by names')
    expect((await withdraw()).result).toMatchObject({ tx_hash: other.tx_hash })
    expect(methods()).not.toContain('withdraw')
  })

  test('is held if the framework does not have the transaction, or if it pays another', async () => {
    onChain.delete(other.tx_hash)
    await start({ paidBy })
    expect((await withdraw('rent')).error).toContain('but the framework does not have it')
    const payee = made({ payee: c })
    onChain.set(payee.tx_hash, payee.tx_hex)
    await start({ paidBy: [{ txid: payee.tx_hash, id: 'rent' }] })
    expect((await withdraw('rent')).error).toContain('but it is another payment')
    expect(methods()).not.toContain('withdraw')
  })
})

describe('a withdrawal from another account of an HD wallet', () => {
  const from = { account_id: 2, chain: 'External', address_id: 1 } as const

  test('is recorded with its account, and passed on with it', async () => {
    history = { '0': [], '2': [] }
    const journal = memoryJournal()
    await start({ journal })
    await withdraw('rent', { from })
    const [recorded] = await listPayments(journal)
    expect(JSON.parse(recorded!.request!)).toMatchObject({ operation: 'withdraw', from })
    expect(bodies.find(({ method }) => method === 'withdraw')!.params).toMatchObject({ from })
  })

  test.each([
    ['the same call', () => withdraw('rent', { from })],
    ['the call without its account', () => withdraw('rent')],
  ])('is settled by the history of its account: %s', async (_, again) => {
    history = { '0': [], '2': [] }
    const journal = memoryJournal()
    await start({ journal })
    await withdraw('rent', { from })
    await send(fresh.tx_hex)
    history = { '0': [], '2': [entry(fresh, tip)] }
    expect((await again()).result).toMatchObject({ tx_hash: fresh.tx_hash })
    expect(await listPayments(journal)).toMatchObject([
      { state: 'settled', attempts: [{ height: tip }] },
    ])
  })
})
