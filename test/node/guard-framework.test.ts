// Withdrawals through a guard before a framework server that may be hostile. Its answers have the
// documented form; its transactions are signed by throw-away keys of the recorded chain.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '../../src/chain/network.ts'
import {
  createFrameworkGuard,
  type FrameworkGuardOptions,
  type Guard,
  type Policy,
} from '../../src/guard/index.ts'
import { Limits } from '../../src/guard/policy/limits.ts'
import { FilePolicy } from '../../src/guard/policy/policy.ts'
import { transactionId, verifyWithdraw } from '../../src/index.ts'
import type { Journal } from '../../src/journal/index.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { formatCoins } from '../../src/primitives/amount.ts'
import {
  classedFrameworkMethods,
  classOfFrameworkMethod,
} from '../../src/rpc/framework/method-classes.ts'
import {
  createFrameworkClient,
  forgetPayment,
  listPayments,
  resumePayments,
} from '../../src/rpc/index.ts'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import {
  evidenceFor,
  p2pkh,
  payment,
  signPayment,
  withdrawAnswer,
  worthOf,
} from '../support/payments.ts'
import { a, b, c } from '../support/resigned.ts'
import { chain, readVectors } from '../support/vectors.ts'
import { askingPolicy } from './support/guarded.ts'
import {
  type Answered,
  type Body,
  call as callOf,
  coin,
  guardOfFramework,
  own,
  post as postTo,
  to,
  userpass,
  wanted,
} from './support/guarded-framework.ts'
import { rawRequest } from './support/raw.ts'

const inputs = payment.inputs.slice(0, 2)

interface Made {
  readonly payee?: string
  readonly amount?: bigint
  readonly change?: string
  readonly fee?: bigint
  /** Number of the first coin that is spent, and of the one after the last. */
  readonly from?: number
  readonly until?: number
  /** No transaction of the framework expires: test/vectors/rpc/docs-framework.json. */
  readonly expiryHeight?: number
}

/** A transaction of the wallet, as the server would build it. */
function made(given: Made = {}) {
  const { payee = b, amount = 1_000_000n, change = a, fee = 1000n, from, until } = given
  const { expiryHeight = 0 } = given
  const coins = inputs.slice(from, until)
  const total = coins.reduce((sum, input) => sum + worthOf(input), 0n)
  const received = total - amount - fee
  const outputs = [
    { value: amount, script: p2pkh(payee) },
    { value: received, script: p2pkh(change) },
  ]
  const hex = signPayment({ ...payment, inputs: coins, outputs, expiryHeight })
  const answer = withdrawAnswer({ hex, coin, from: [own], to, spent: total, received })
  const fee_details = { type: 'Utxo', coin, amount: formatCoins(fee) }
  return { hex, details: { ...answer, fee_details } }
}

/** Stands in an answer for another transaction whose first digits are written as `\\u00XX`. */
const escapedHex = 'ESCAPED'
function withEscapes(text: string): string {
  const digits = [...made({ payee: c }).hex]
  const escaped = digits.map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join('')
  return text.replace(escapedHex, escaped)
}

let server: TestServer
let guard: Guard
let bodies: Body[]
let details: unknown
let statuses: unknown[]
let taskId: unknown
/** Members of every answer about a task. */
let hidden: object
/** Returns the txid that the server answers to a broadcast; `undefined` for no answer. */
let accepted: (hex: string) => string | undefined
const onChain = new Map<string, string>()
/** Heights of the transactions that the history of the wallet shows. */
const mined = new Map<string, number>()
const open: { close(): Promise<void> }[] = []

beforeEach(async () => {
  bodies = []
  details = made().details
  statuses = []
  taskId = 0
  hidden = {}
  accepted = transactionId
  onChain.clear()
  mined.clear()
  for (const { txid, hex } of chain) onChain.set(txid, hex)
  server = await startServer(({ body }, response) => {
    const call = JSON.parse(body) as Body
    bodies.push(call)
    const { method, params = {}, id = null } = call
    const answer = (result: unknown) =>
      reply(response, 200, withEscapes(JSON.stringify({ mmrpc: '2.0', result, id })))
    const fail = (error_type: string) =>
      reply(
        response,
        400,
        JSON.stringify({
          mmrpc: '2.0',
          error: 'no',
          error_path: '',
          error_trace: '',
          error_type,
          id,
        }),
      )
    switch (method) {
      case 'withdraw':
        return call.mmrpc === undefined
          ? reply(response, 200, JSON.stringify(details))
          : answer(details)
      case 'task::withdraw::init':
        return answer({ task_id: taskId, ...hidden })
      case 'task::withdraw::user_action':
      case 'task::withdraw::cancel':
        return answer(hidden)
      case 'task::withdraw::status': {
        const status = statuses.length > 1 ? statuses.shift() : statuses[0]
        return answer(status ?? { status: 'Ok', details })
      }
      case 'get_raw_transaction': {
        const tx_hex = onChain.get(String(params.tx_hash))
        return tx_hex === undefined ? fail('InvalidParam') : answer({ tx_hex })
      }
      case 'send_raw_transaction': {
        const hex = String(call.tx_hex)
        const tx_hash = accepted(hex)
        if (tx_hash === undefined) return void response.destroy()
        return reply(response, 200, JSON.stringify({ tx_hash }))
      }
      case 'my_balance':
        return reply(response, 200, '{"coin":"TOKTEST",  "balance":"1.50"}')
      case 'get_enabled_coins':
        return answer({ coins: [{ ticker: coin }] })
      case 'my_tx_history': {
        const transactions = [...mined].map(([tx_hash, block_height]) => {
          return { ...made().details, tx_hash, block_height, confirmations: 1, internal_id: '' }
        })
        const page = { limit: 100, skipped: 0, total: mined.size, total_pages: 1 }
        const target = { type: 'iguana' }
        const [sync_status, paging_options] = [{ state: 'Finished' }, { PageNumber: 1 }]
        const about = { coin, target, current_block: 800_000, sync_status, paging_options }
        return answer({ ...about, ...page, transactions })
      }
      default:
        return fail('NoSuchMethod')
    }
  })
  open.push(server)
  guard = await start()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(options: Partial<FrameworkGuardOptions> = {}): Promise<Guard> {
  const started = await guardOfFramework(server.url, options)
  open.push(started)
  return started
}

const post = (body: string, headers?: Record<string, string>) => postTo(guard, body, headers)
const call = (method: string, params: object, headers?: Record<string, string>) =>
  callOf(guard, method, params, headers)
const fixedFee = { type: 'UtxoFixed', amount: '0.00001' }
const send = (tx_hex: string) =>
  post(JSON.stringify({ userpass, method: 'send_raw_transaction', coin, tx_hex }))
const methods = () => bodies.map(({ method }) => method)
const sent = () =>
  bodies.flatMap(({ method, tx_hex }) => (method === 'send_raw_transaction' ? [tx_hex] : []))

describe('a withdrawal', () => {
  test('comes back as the server wrote it, and is sent once', async () => {
    const { text, status } = await call('withdraw', wanted)
    expect(status).toBe(200)
    expect(text).toBe(JSON.stringify({ mmrpc: '2.0', result: details, id: 7 }))
    const { hex } = made()
    const txid = transactionId(hex)
    expect((await send(hex.toUpperCase())).text).toBe(`{"tx_hash":"${txid}"}`)
    onChain.set(txid, hex)
    expect((await send(hex)).text).toBe(`{"tx_hash":"${txid}"}`)
    const typed = await call('send_raw_transaction', { coin, tx_hex: hex })
    expect(typed.result).toEqual({ tx_hash: txid })
    expect(sent()).toEqual([hex])
    // The guard wrote every request itself, with the password of the server.
    expect(bodies.every((it) => it.userpass === userpass)).toBe(true)
  })

  test('is found in blocks after later calls, if many are unsettled', async () => {
    const journal = memoryJournal()
    guard = await start({ journal })
    await call('withdraw', wanted, { 'idempotency-key': 'rent' })
    const { hex } = made()
    const txid = transactionId(hex)
    await send(hex)
    let position = (await journal.read(0)).length
    for (let at = 2; at <= 16; at += 1) {
      const about = { payment: `id ${at}`, txid: `t${at}`, at: new Date().toISOString() }
      const request = { terms: '', request: '{}', id: `${at}`, hex: '' }
      const records = [
        { kind: 'attempt', ...about, ...request },
        { kind: 'accepted', ...about },
      ]
      for (const it of records) await journal.append(++position, JSON.stringify(it))
    }
    onChain.set(txid, hex)
    mined.set(txid, 766_923)
    await call('withdraw', { ...wanted, amount: '0.02' })
    const rent = async () => (await listPayments(journal)).filter(({ id }) => id === 'rent')
    await expect.poll(rent).toMatchObject([{ state: 'settled', attempts: [{ height: 766_923 }] }])
  })

  test('is answered again if it was sent, although the policy refuses it by now', async () => {
    let isQuiet = false
    const quiet = { verdict: 'refuse', rule: 'quietHours', reason: 'no payments' } as const
    const policy: Policy = {
      admit: () => (isQuiet ? quiet : undefined),
      decide: () => ({ verdict: 'allow' }),
    }
    guard = await start({ policy })
    const { hex } = made()
    const txid = transactionId(hex)
    await call('withdraw', wanted)
    isQuiet = true
    const error = `guard: the policy refuses this (quietHours): no payments. ${txid} may be the same payment and may still be mined: look for it before you pay again`
    expect(await send(hex)).toMatchObject({ status: 500, error })
    expect(await call('withdraw', wanted)).toMatchObject({ status: 403, error })
    expect(await call('task::withdraw::init', wanted)).toMatchObject({ status: 403 })
    expect(sent()).toEqual([])
    isQuiet = false
    await send(hex)
    onChain.set(txid, hex)
    isQuiet = true
    expect((await send(hex)).text).toBe(`{"tx_hash":"${txid}"}`)
    expect((await call('withdraw', wanted)).result).toMatchObject({ tx_hex: hex })
    expect(sent()).toEqual([hex])
    expect(methods()).not.toContain('task::withdraw::init')
  })

  test('the older form has the details alone', async () => {
    const { text } = await post(JSON.stringify({ userpass, method: 'withdraw', ...wanted }))
    expect(text).toBe(JSON.stringify(details))
    expect((await send(made().hex)).status).toBe(200)
  })

  test.each<[string, Made]>([
    ['to another payee', { payee: c }],
    ['of another amount', { amount: 2_000_000n }],
    ['with change for a stranger', { change: c }],
    ['at a hundred times the fee', { fee: 100_000n }],
  ])('%s is rejected, and its hex is nowhere', async (_, what) => {
    const seen: string[] = []
    guard = await start({
      onDecision: (entry) => seen.push(JSON.stringify(entry)),
      onFailure: (error) => seen.push(String(error)),
    })
    const { hex, details: false_ } = made(what)
    details = { ...false_, to: [to], from: [own] }
    const { status, error, error_type, text } = await call('withdraw', wanted)
    expect({ status, error_type }).toEqual({ status: 400, error_type: 'GuardRejected' })
    expect(error).toMatch(/^guard: rejected: /)
    expect(text + seen.join()).not.toMatch(/[0-9a-f]{170,}/i)
    expect((await send(hex)).error).toContain('was not handed over')
    expect(sent()).toEqual([])
  })

  test('a warning that could cost money holds it, unless the operator allows that', async () => {
    // No call tells the height of the chain, so nobody knows whether this one has expired.
    const { hex, details: expiring } = made({ expiryHeight: 261 })
    details = expiring
    const { error, text } = await call('withdraw', wanted)
    expect(error).toContain('guard: held, as a warning could cost money: expiry_not_checked')
    expect(text).not.toMatch(/[0-9a-f]{170,}/i)
    guard = await start({ allow: ['expiry_not_checked'] })
    expect((await call('withdraw', wanted)).result).toMatchObject({ tx_hex: hex })
  })

  test.each([
    ['above the limit', 100_000n, '0.001', {}],
    ['above the limit that the operator sets', 2_000n, '0.00005', { maxFee: 1_999n }],
  ])('a fee rate whose fee is %s is rejected', async (_, paid, amount, options) => {
    const { hex, details: dear } = made({ fee: paid })
    details = dear
    const fee = { type: 'UtxoPerKbyte', amount }
    guard = await start(options)
    const { error, text } = await call('withdraw', { ...wanted, fee })
    expect(error).toMatch(/^guard: rejected: fee/)
    expect(text).not.toContain(hex)
  })

  test('a fee rate whose fee is the limit that the operator sets is handed over', async () => {
    details = made({ fee: 2_000n }).details
    guard = await start({ maxFee: 2_000n })
    const fee = { type: 'UtxoPerKbyte', amount: '0.00005' }
    expect((await call('withdraw', { ...wanted, fee })).result).toEqual(details)
  })

  test('one false claim rejects it', async () => {
    details = { ...made().details, received_by_me: '5' }
    const { error, text } = await call('withdraw', wanted)
    expect(error).toContain('response_contradicts')
    expect(text).not.toContain(made().hex)
  })

  test.each([
    ['two transactions', () => ({ ...made().details, memo: made({ payee: c }).hex })],
    ['a transaction in another member', () => ({ tx_hash: made().hex })],
    ['a transaction beside an error', () => ({ error: made().hex, ...made().details })],
    ['no transaction', () => ({ ...made().details, tx_hex: '' })],
    ['a list', () => [made().details]],
    ['a second transaction in escapes', () => ({ ...made().details, memo: escapedHex })],
  ])('an answer with %s is not handed over', async (_, answer) => {
    details = answer()
    const { text, status } = await call('withdraw', wanted)
    expect(text).not.toContain(made().hex)
    expect(status).toBeGreaterThanOrEqual(400)
  })

  test.each([
    ['broadcast: true', { ...wanted, broadcast: true }],
    ['broadcast as a text', { ...wanted, broadcast: 'true' }],
    ['broadcast as a number', { ...wanted, broadcast: 1 }],
    ['another coin', { ...wanted, coin: 'KMD' }],
    ['no coin', { to, amount: '0.01' }],
    ['an amount and max', { ...wanted, max: true }],
    ['max as a text', { coin, to, max: 'true' }],
    ['an exponent', { ...wanted, amount: '1e-2' }],
    ['blanks in the amount', { ...wanted, amount: ' 0.01' }],
    ['nine decimals', { ...wanted, amount: '0.010000001' }],
    ['no amount', { coin, to }],
    ['zero', { ...wanted, amount: '0' }],
    ['a memo', { ...wanted, memo: 'a' }],
    ['an unknown member', { ...wanted, fe: 1 }],
    ['a fee of gas', { ...wanted, fee: { type: 'EthGas', gas: 1, gas_price: '1' } }],
    ['a fee with a further member', { ...wanted, fee: { ...fixedFee, gas: 1 } }],
    ['a fee above the limit', { ...wanted, fee: { type: 'UtxoFixed', amount: '0.00020001' } }],
    ['an event stream', { ...wanted, client_id: 1 }],
  ])('a call with %s reaches no server', async (_, params) => {
    for (const method of ['withdraw', 'task::withdraw::init']) {
      const { status, error } = await call(method, params)
      expect({ status, error }).toMatchObject({
        status: 400,
        error: expect.stringMatching(/^guard: params/),
      })
    }
    expect(bodies).toEqual([])
  })

  test.each([
    [networks.assetChain, '92233720368.54775807', '92233720368.54775808'],
    [networks.komodo, '200000000', '200000000.00000001'],
  ])(
    'an amount may be the maxMoney of the network, and is refused above it',
    async (network, most, over) => {
      guard = await start({ network })
      const { error } = await call('withdraw', { ...wanted, amount: over })
      expect(error).toBe(
        `guard: params.amount: expected coins above 0, at most ${formatCoins(network.maxMoney)}, in decimal digits with at most 8 decimals`,
      )
      expect(bodies).toEqual([])
      // The server answers with another amount, which the guard rejects afterwards.
      expect((await call('withdraw', { ...wanted, amount: most })).error).toContain(
        'guard: rejected',
      )
      expect(bodies.at(0)!.params).toMatchObject({ amount: most })
    },
  )

  test('the limit of a fee is named in coins, as the fee is', async () => {
    const fee = { type: 'UtxoFixed', amount: '0.001' }
    expect((await call('withdraw', { ...wanted, fee })).error).toBe(
      'guard: params.fee.amount: expected at most 0.00020000 coins',
    )
  })

  test('a fixed fee and a rate are requested so', async () => {
    expect((await call('withdraw', { ...wanted, fee: fixedFee })).status).toBe(200)
    expect(bodies[0]!.params).toEqual({ ...wanted, fee: fixedFee })
    const rate = { type: 'UtxoPerKbyte', amount: '0.00001' }
    const other = { ...wanted, amount: 0.02, fee: rate, from: { derivation_path: 'm/44' } }
    details = made({ amount: 2_000_000n, fee: 400n }).details
    const { error = '' } = await call('withdraw', other, { 'idempotency-key': 'second' })
    // The coins of the first are reserved, so the second was verified and held.
    expect(error).toContain('reserved-inputs')
    expect(bodies.findLast(({ method }) => method === 'withdraw')!.params).toEqual(other)
  })

  test('repeated gives the same bytes, after a restart too', async () => {
    const journal = memoryJournal()
    guard = await start({ journal })
    const first = await call('withdraw', wanted)
    details = made({ from: 1 }).details
    expect((await call('withdraw', wanted)).text).toBe(first.text)
    guard = await start({ journal })
    const { result } = await call('withdraw', wanted)
    expect(result!.tx_hex).toBe(made().hex)
    const { outputs: _, ...tx } = payment
    const report = verifyWithdraw(
      result,
      { coin, to, amount: 1_000_000n, own: [own] },
      evidenceFor({ ...tx, inputs, outputs: [] }),
    )
    expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  })

  test('comes back as another process recorded it while a person decided', async () => {
    const journal = memoryJournal()
    const shared: Journal = {
      read: (after) => journal.read(after),
      append: (position, record) => journal.append(position, record),
      close: async () => undefined,
    }
    const theirs = made({ from: 1 })
    const first = await start({ journal, policy: askingPolicy(ask) })
    let recorded: Answered | undefined
    async function ask(): Promise<boolean> {
      // The person is asked about the other transaction, too.
      if (recorded !== undefined) return true
      details = theirs.details
      guard = await start({ journal: shared })
      recorded = await call('withdraw', wanted)
      return true
    }
    guard = first
    const { text } = await call('withdraw', wanted)
    expect(recorded?.result).toEqual(theirs.details)
    expect(text).toContain(theirs.hex)
    expect(text).not.toContain(made().hex)
    expect(methods().filter((it) => it === 'withdraw')).toHaveLength(2)
  })

  test('beyond the limits of a policy stays inside, and its limits are consumed once', async () => {
    const rules = { recipients: 'any', coins: { perPayment: '0.01', perHour: '0.015' }, tokens: {} }
    const policy = new FilePolicy(JSON.stringify(rules), await Limits.open(memoryJournal()))
    guard = await start({ policy })
    details = made({ amount: 1_000_001n }).details
    const above = await call('withdraw', { ...wanted, amount: '0.01000001' })
    expect(above.error).toContain('coins.perPayment')
    expect(above.text).not.toMatch(/[0-9a-f]{170,}/)
    details = made({ until: 1 }).details
    expect((await call('withdraw', wanted)).status).toBe(200)
    expect((await send(made({ until: 1 }).hex)).status).toBe(200)
    const further = (amount: bigint) => {
      details = made({ from: 1, amount }).details
      const params = { ...wanted, amount: formatCoins(amount) }
      return call('withdraw', params, { 'idempotency-key': `${amount}` })
    }
    expect((await further(499_000n)).error).toContain('coins.perHour')
    // It would be refused, too, if the send had consumed the limits again.
    expect((await further(498_000n)).status).toBe(200)
  })

  test.each([
    ['a call', (key: string) => call('withdraw', wanted, { 'idempotency-key': key })],
    [
      'a task',
      async (key: string) => {
        const begun = await call('task::withdraw::init', wanted, { 'idempotency-key': key })
        const { task_id } = begun.result!
        const { result } = await call('task::withdraw::status', { task_id })
        return { result: result!.details as Record<string, unknown> }
      },
    ],
  ])('a withdrawal of %s with another name is another payment', async (_, named) => {
    const first = made({ until: 1 })
    const second = made({ from: 1 })
    details = first.details
    expect((await named('first')).result).toEqual(first.details)
    details = second.details
    expect((await named('first')).result).toEqual(first.details)
    expect((await named('second')).result).toEqual(second.details)
    for (const { hex } of [first, second]) expect((await send(hex)).status).toBe(200)
    expect(sent()).toEqual([first.hex, second.hex])
  })

  test.each([
    ['another coin', { coin: 'KMD' }],
    ['no coin', { coin: undefined }],
    ['a further member', { max_fee: '0' }],
    ['no hex', { tx_hex: 1 }],
  ])('a send with %s is refused', async (_, change) => {
    await call('withdraw', wanted)
    const { error } = await call('send_raw_transaction', { coin, tx_hex: made().hex, ...change })
    expect(error).toMatch(/^guard: params/)
    expect(sent()).toEqual([])
  })

  test('a transaction beside an error is not handed over in the older form', async () => {
    details = { ...made().details, error: 'no' }
    const { status, text } = await post(JSON.stringify({ userpass, method: 'withdraw', ...wanted }))
    expect(status).toBe(500)
    expect(text).not.toContain(made().hex)
  })

  test('a send that lost its answer is uncertain, and the same call finds it', async () => {
    const { hex } = made()
    await call('withdraw', wanted)
    accepted = () => undefined
    expect((await send(hex)).error).toContain('uncertain whether the framework has transaction')
    onChain.set(transactionId(hex), hex)
    expect((await send(hex)).text).toBe(`{"tx_hash":"${transactionId(hex)}"}`)
    expect(new Set(sent())).toEqual(new Set([hex]))
  })

  test('a failure names the framework', async () => {
    await server.close()
    const { status, error } = await call('withdraw', wanted)
    expect(status).toBe(500)
    expect(error).toContain('no connection to the framework')
    const { error: read } = await post(JSON.stringify({ userpass, method: 'my_balance', coin }))
    expect(read).toContain('no connection to the framework')
  })

  test('a refusal of the server comes back unchanged', async () => {
    details = undefined
    guard = await start()
    await server.close()
    server = await startServer((_, response) =>
      reply(
        response,
        500,
        '{"mmrpc":"2.0","error":"NotSufficientBalance","error_type":"NotSufficientBalance","id":7}',
      ),
    )
    open.push(server)
    guard = await start()
    const { status, error_type } = await call('withdraw', wanted)
    expect({ status, error_type }).toEqual({ status: 500, error_type: 'NotSufficientBalance' })
  })
})

describe('a withdrawal that was handed over', () => {
  const { hex } = made()
  const txid = transactionId(hex)
  let journal: Journal

  beforeEach(async () => {
    journal = memoryJournal()
    guard = await start({ journal })
    await call('withdraw', wanted)
  })

  const resume = (handedOver: readonly string[] = []) =>
    resumePayments(createFrameworkClient({ url: server.url, userpass, retry: false }), {
      journal,
      handedOver,
    })
  const state = async () => (await listPayments(journal))[0]!.attempts[0]!.state

  test('is sent by a resume that names it, to a user of the guard too', async () => {
    journal = memoryJournal()
    guard = await start({ journal, users: { authenticate: async (name) => name } })
    const ofAnn = { userpass: 'ann:x', mmrpc: '2.0', method: 'withdraw', params: wanted, id: 7 }
    await post(JSON.stringify(ofAnn))
    expect(await resume()).toMatchObject([{ result: { held: 'unsettled' } }])
    expect(await resume([txid])).toMatchObject([{ result: { txid } }])
    expect([sent(), await state()]).toEqual([[hex], 'accepted'])
  })

  test('is sent by a resume that names it, and by no other', async () => {
    expect(await state()).toBe('handed-over')
    expect(await resume()).toMatchObject([{ result: { held: 'unsettled' } }])
    expect(await resume([transactionId(made({ from: 1 }).hex)])).toHaveLength(1)
    expect([sent(), await state()]).toEqual([[], 'handed-over'])
    expect(await resume([txid.toUpperCase()])).toMatchObject([{ result: { txid } }])
    expect([sent(), await state()]).toEqual([[hex], 'accepted'])
  })

  test('comes back the same for a repeated call, and stays unsent', async () => {
    details = made({ from: 1 }).details
    expect((await call('withdraw', wanted)).result!.tx_hex).toBe(hex)
    await resume()
    expect([sent(), await state()]).toEqual([[], 'handed-over'])
  })

  test('is sent for its program after a resume and a restart, and again by a later resume', async () => {
    await resume()
    guard = await start({ journal })
    expect((await send(hex)).text).toBe(`{"tx_hash":"${txid}"}`)
    expect(await state()).toBe('accepted')
    await call('withdraw', wanted)
    expect(await resume()).toMatchObject([{ result: { txid } }])
    expect(sent()).toEqual([hex, hex])
  })

  test('is sent again by a resume if its program sent it and the answer was lost', async () => {
    accepted = () => undefined
    expect((await send(hex)).error).toContain('uncertain')
    expect(await state()).toBe('uncertain')
    accepted = transactionId
    const before = sent().length
    expect(await resume()).toMatchObject([{ result: { txid } }])
    expect(sent().length).toBe(before + 1)
  })

  test('counts as sent once the server has it, whoever sent it', async () => {
    onChain.set(txid, hex)
    expect(await resume()).toMatchObject([{ result: { txid, repeated: true } }])
    expect(await state()).toBe('accepted')
    onChain.delete(txid)
    await resume()
    expect(sent()).toEqual([hex])
  })

  test('is named to a payment that would spend its coin, with its request and the way out', async () => {
    details = made({ amount: 2_000_000n }).details
    const second = { ...wanted, amount: '0.02' }
    const held = await call('withdraw', second)
    expect(held.error).toContain(`guard: held (reserved-inputs): it spends a coin of ${txid},`)
    expect(held.error).toContain('"operation":"withdraw"')
    expect(held.error).toContain(`antara-tx attempts forget ${txid}`)
    expect(held.text).not.toMatch(/[0-9a-f]{170,}/)
    await send(hex)
    expect((await call('withdraw', second)).error).toContain(
      'If that is another payment, repeat this call when a block has it',
    )
    await forgetPayment(journal, (await listPayments(journal))[0]!.name)
    expect((await call('withdraw', second)).result).toEqual(details)
  })

  test('is sent again if an earlier version recorded it as accepted', async () => {
    const [text] = await journal.read(0)
    const { kind, ...record } = JSON.parse(text!)
    expect(kind).toBe('handed-over')
    journal = memoryJournal()
    const { payment, at } = record
    await journal.append(1, JSON.stringify({ kind: 'attempt', ...record }))
    await journal.append(2, JSON.stringify({ kind: 'accepted', payment, txid, at }))
    expect(await resume()).toMatchObject([{ result: { txid } }])
    expect(sent()).toEqual([hex])
  })
})

describe('a withdrawal as a task', () => {
  let task_id: number
  const begin = async (params: object = wanted): Promise<number> => {
    const { result } = await call('task::withdraw::init', params)
    task_id = result!.task_id as number
    return task_id
  }
  const status = (params: object = {}) => call('task::withdraw::status', { task_id, ...params })
  beforeEach(() => {
    task_id = 0
  })

  test('is verified when it ends, and can be looked at again', async () => {
    const begun = { status: 'InProgress', details: 'GeneratingTransaction' }
    statuses = [begun, { status: 'Ok', details }]
    // The server counts from 0, also after a restart.
    expect(await begin()).toBeGreaterThanOrEqual(2 ** 31)
    expect((await status()).result).toEqual(begun)
    const done = await status()
    expect(done.result).toEqual({ status: 'Ok', details })
    statuses = [{ status: 'Error', details: 'forgotten' }]
    expect((await status()).result).toEqual(done.result)
    expect((await send(made().hex)).status).toBe(200)
    const looks = bodies.filter(({ method }) => method === 'task::withdraw::status')
    expect(looks.map(({ params }) => params!.forget_if_finished)).toEqual([false, false, true])
  })

  test('another payment is rejected, and is not forgotten by the server', async () => {
    await begin()
    details = made({ payee: c }).details
    expect((await status()).error).toMatch(/^guard: rejected/)
    // The evidence may have been missing: the next look is verified again.
    details = made().details
    expect((await status()).result).toEqual({ status: 'Ok', details })
    const looks = bodies.filter(({ method }) => method === 'task::withdraw::status')
    expect(looks.map(({ params }) => params!.forget_if_finished)).toEqual([false, false, true])
  })

  test('a number that nobody began here, or that runs again after a restart, is unknown', async () => {
    expect((await status()).error).toContain('no such task')
    expect(bodies).toEqual([])
    const first = await begin()
    // The server restarts, and has number 0 for another program.
    await begin({ ...wanted, amount: '0.02' })
    expect((await status({ task_id: first })).error).toContain('no such task')
    expect((await send(made().hex)).error).toContain('was not handed over')
  })

  test('gets no number that it had before guard and server restarted', async () => {
    const first = await begin()
    await guard.close()
    guard = await start()
    await begin({ ...wanted, amount: '0.02' })
    details = made({ amount: 2_000_000n }).details
    expect((await status({ task_id: first })).error).toContain('no such task')
    expect((await status()).result).toEqual({ status: 'Ok', details })
  })

  test('keeps its number if a restarted server gives that to another one', async () => {
    const first = await begin()
    // Another window begins another withdrawal after the restart.
    const second = await begin({ ...wanted, amount: '0.02' })
    expect(second).not.toBe(first)
    details = made({ amount: 2_000_000n }).details
    bodies = []
    for (const verb of ['status', 'cancel', 'user_action']) {
      const { error } = await call(`task::withdraw::${verb}`, { task_id: first })
      expect(error).toContain('no such task')
    }
    expect(bodies).toEqual([])
    expect((await status()).result).toEqual({ status: 'Ok', details })
    await call('task::withdraw::user_action', {
      task_id,
      user_action: { action_type: 'TrezorPin' },
    })
    const asked = bodies.filter(({ method }) => method.startsWith('task::'))
    expect(asked.map(({ params }) => params!.task_id)).toEqual([0, 0, 0])
    expect([first, second]).not.toContain(await begin())
    // The guard has this result, so the server is not asked for it.
    expect((await status({ task_id: second })).result).toEqual({ status: 'Ok', details })
    expect((await status({ task_id: first })).error).toContain('no such task')
  })

  test('takes the name of its payment only when it begins', async () => {
    const look = { task_id: await begin() }
    const { error } = await call('task::withdraw::status', look, { 'idempotency-key': 'late' })
    expect(error).toContain('task::withdraw::init only')
    expect(methods()).toEqual(['task::withdraw::init'])
  })

  test('belongs to its user', async () => {
    const users = { authenticate: async (name: string) => name }
    guard = await start({ users })
    const as = (name: string, method: string, params: object) =>
      post(JSON.stringify({ userpass: `${name}:x`, mmrpc: '2.0', method, params }))
    const { result: begun } = await as('alice', 'task::withdraw::init', wanted)
    for (const verb of ['status', 'cancel', 'user_action']) {
      const { error } = await as('bob', `task::withdraw::${verb}`, begun!)
      expect(error).toContain('no such task')
    }
    const { result } = await as('alice', 'task::withdraw::status', begun!)
    expect(result).toEqual({ status: 'Ok', details })
    const { hex } = made()
    const stolen = await as('bob', 'send_raw_transaction', { coin, tx_hex: hex })
    expect(stolen.error).toContain('was not handed over')
    expect((await as('alice', 'send_raw_transaction', { coin, tx_hex: hex })).status).toBe(200)
  })

  test('belongs to its user in a batch as well', async () => {
    guard = await start({ users: { authenticate: async (name: string) => name } })
    const of = (name: string) => {
      const params = { ...wanted }
      const method = 'task::withdraw::init'
      return { userpass: `${name}:x`, mmrpc: '2.0', method, params, id: 7 }
    }
    const { body } = await rawRequest(guard.url, {
      body: JSON.stringify([of('alice'), of('bob')]),
    })
    const begun = (JSON.parse(body) as Answered[])[1]?.result
    const cancel = { mmrpc: '2.0', method: 'task::withdraw::cancel', params: begun, id: 7 }
    const { error } = await post(JSON.stringify({ ...cancel, userpass: 'alice:x' }))
    expect(error).toContain('no such task')
    const { result } = await post(JSON.stringify({ ...cancel, userpass: 'bob:x' }))
    expect(result).toEqual({})
  })

  test('an answer that hides a transaction is not passed on', async () => {
    await begin()
    statuses = [{ status: 'InProgress', details: made({ payee: c }).hex }]
    expect((await status()).error).toContain('another form')
    statuses = [{ status: 'InProgress', details: escapedHex }]
    expect((await status()).error).toContain('another form')
    hidden = { note: made({ payee: c }).hex }
    for (const verb of ['user_action', 'cancel']) {
      const { error } = await call(`task::withdraw::${verb}`, { task_id })
      expect(error).toContain('another form')
    }
    expect((await call('task::withdraw::init', wanted)).error).toContain('another form')
  })

  test('an answer without a task number is a failure of the framework', async () => {
    taskId = 'zero'
    const { status: code, error, error_type } = await call('task::withdraw::init', wanted)
    expect({ code, error_type }).toEqual({ code: 500, error_type: 'Internal' })
    expect(error).toContain('the framework answered in another form')
  })
})

describe('a request', () => {
  test.each([
    ['a member twice', '{"userpass":"U","mmrpc":"2.0","method":"withdraw","method":"my_balance"}'],
    [
      'parameters in two places',
      '{"userpass":"U","method":"my_balance","coin":"TOKTEST","params":{"coin":"KMD"}}',
    ],
    ['an id in the older form', '{"userpass":"U","method":"my_balance","coin":"KMD","id":7}'],
    [
      'both forms',
      '{"userpass":"U","mmrpc":"2.0","method":"get_enabled_coins","coin":"KMD","params":{}}',
    ],
    ['mmrpc of null', '{"userpass":"U","mmrpc":null,"method":"my_balance","coin":"TOKTEST"}'],
    ['another version', '{"userpass":"U","mmrpc":"1.0","method":"get_enabled_coins"}'],
    ['an id of text', '{"userpass":"U","mmrpc":"2.0","method":"get_enabled_coins","id":"7"}'],
    [
      'a list of parameters',
      '{"userpass":"U","mmrpc":"2.0","method":"get_enabled_coins","params":[]}',
    ],
    ['a new method in the older form', '{"userpass":"U","method":"get_raw_transaction"}'],
    ['two documents', '{"userpass":"U","method":"version"}{}'],
    ['no method', '{"userpass":"U"}'],
  ])('a call with %s reaches no server', async (_, body) => {
    const { status } = await post(body.replace('"U"', JSON.stringify(userpass)))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(bodies).toEqual([])
  })

  test.each(['9999999999999999999', '10000000000000000000', '18446744073709551615'])(
    'the id %s has 64 bits and reaches the server',
    async (id) => {
      const { status } = await post(
        `{"userpass":${JSON.stringify(userpass)},"mmrpc":"2.0","method":"get_enabled_coins","id":${id}}`,
      )
      expect(status).toBe(200)
      expect(server.received.at(-1)!.body).toMatch(new RegExp(`"id":${id}}$`))
    },
  )

  test.each(['18446744073709551616', '-1', '1.0', '1e3', '100000000000000000000', '"7"'])(
    'the id %s is refused with the range of ids',
    async (id) => {
      const { status, error } = await post(
        `{"userpass":${JSON.stringify(userpass)},"mmrpc":"2.0","method":"get_enabled_coins","id":${id}}`,
      )
      expect({ status, error }).toEqual({
        status: 400,
        error: 'guard: expected id: a whole number from 0 to 2^64 - 1',
      })
      expect(bodies).toEqual([])
    },
  )

  test('an unknown method that a policy names passes with mmrpc only', async () => {
    const policy: Policy = { admit: () => 'allow', decide: () => ({ verdict: 'allow' }) }
    guard = await start({ policy })
    const old = await post(JSON.stringify({ userpass, method: 'orderbok' }))
    expect(old.error).toBe(
      'guard: expected mmrpc: "2.0", since the guard knows no older form of this method',
    )
    expect(bodies).toEqual([])
    await call('orderbok', {})
    expect(methods()).toEqual(['orderbok'])
  })

  test('the older form with an id is refused with what it must not have', async () => {
    const { error } = await post(JSON.stringify({ userpass, method: 'my_balance', coin, id: 7 }))
    expect(error).toBe(
      'guard: expected mmrpc: "2.0", since the older form has neither params nor an id',
    )
  })

  test('a read is passed on, and its answer comes back byte for byte', async () => {
    const { text } = await post(JSON.stringify({ userpass, method: 'my_balance', coin }))
    expect(text).toBe('{"coin":"TOKTEST",  "balance":"1.50"}')
    const { result } = await post(
      `{"userpass":${JSON.stringify(userpass)},"mmrpc":"2.0","method":"get_enabled_coins","id":9007199254740993}`,
    )
    expect(result).toEqual({ coins: [{ ticker: coin }] })
    expect(server.received.at(-1)!.body).toMatch(/"id":9007199254740993\}$/)
    expect(bodies.at(-1)).toMatchObject({ userpass, mmrpc: '2.0', method: 'get_enabled_coins' })
  })

  test('in a batch is answered in order, and refused by itself', async () => {
    const one = { userpass, mmrpc: '2.0', method: 'get_enabled_coins', id: 1 }
    const body = [one, { ...one, method: 'get_mnemonic', id: 2 }, { ...one, id: 3 }]
    const { body: text } = await rawRequest(guard.url, { body: JSON.stringify(body) })
    const answers = JSON.parse(text)
    expect(answers.map((it: Answered) => it.id)).toEqual([1, 2, 3])
    expect(answers[1]).toMatchObject({ error_type: 'GuardRefused' })
    expect(methods()).toEqual(['get_enabled_coins', 'get_enabled_coins'])
  })

  test.each([
    ['that answers the withdrawal too', (own: string, other: string) => `${own},${other}`],
    ['with the id of the withdrawal', (_: string, other: string) => other],
  ])('an answer to a read %s fails that read alone', async (_, forged) => {
    const answers = ['1', '2'].map((id) => `{"mmrpc":"2.0","result":{"tx_hash":"ab"},"id":${id}}`)
    const hostile = await startServer((_, response) =>
      reply(response, 200, forged(answers[0]!, answers[1]!)),
    )
    open.push(hostile)
    guard = await start({ framework: { url: hostile.url, userpass } })
    const of = (method: string, id: number, params = {}) => ({
      ...{ userpass, mmrpc: '2.0', method, params, id },
    })
    const body = [of('get_enabled_coins', 1), of('withdraw', 2, { ...wanted, broadcast: true })]
    const { body: text } = await rawRequest(guard.url, { body: JSON.stringify(body) })
    const read: Answered[] = JSON.parse(text)
    expect(read.map(({ id }) => id)).toEqual([1, 2])
    expect(read[0]!.error).toContain('no answer to this call')
    expect(read[1]!.error).toContain('params.broadcast')
  })

  test('an answer about a withdrawal with the id of another call is not passed on', async () => {
    const hostile = await startServer((_, response) =>
      reply(response, 200, '{"mmrpc":"2.0","error":"no","error_type":"X","id":2}'),
    )
    open.push(hostile)
    guard = await start({ framework: { url: hostile.url, userpass } })
    const { error, id } = await call('withdraw', wanted)
    expect({ error, id }).toEqual({ error: expect.stringContaining('another form'), id: 7 })
  })

  test('a policy that names a withdrawal lets none pass a guard without a coin', async () => {
    guard = await createFrameworkGuard({
      framework: { url: server.url, userpass },
      policy: { admit: () => 'allow', decide: () => ({ verdict: 'allow' }) },
    })
    open.push(guard)
    for (const [method, params] of [
      ['withdraw', { ...wanted, broadcast: true }],
      ['task::withdraw::init', wanted],
      ['send_raw_transaction', { coin, tx_hex: made().hex }],
    ] as const) {
      expect((await call(method, params)).error).toContain('the guard has no key or coin')
    }
    expect(bodies).toEqual([])
  })

  test('a withdrawal in a batch takes no name of a payment', async () => {
    const body = JSON.stringify([
      { userpass, mmrpc: '2.0', method: 'withdraw', params: wanted, id: 1 },
    ])
    const { error } = await post(body, { 'idempotency-key': 'first' })
    expect(error).toContain('Idempotency-Key')
    expect(bodies).toEqual([])
  })

  test.each([
    'buy',
    'setprice',
    'electrum',
    'task::enable_utxo::init',
    'get_mnemonic',
    'show_priv_key',
    'sign_raw_transaction',
    'consolidate_utxos',
    'start_simple_market_maker_bot',
    'lightning::payments::send_payment',
    'stop',
    'a_new_method',
  ])('the method %s is refused', async (method) => {
    const { status, error_type } = await call(method, {})
    expect({ status, error_type }).toEqual({ status: 403, error_type: 'GuardRefused' })
    expect(bodies).toEqual([])
  })

  test('with a wrong password never reaches the server, which would ban this machine', async () => {
    const one = { mmrpc: '2.0', method: 'get_enabled_coins' }
    for (const body of [
      one,
      { ...one, userpass: 'wrong' },
      { ...one, userpass: null },
      [{ ...one, userpass }, one],
    ]) {
      const { status, error_type } = await post(JSON.stringify(body))
      expect({ status, error_type }).toEqual({ status: 403, error_type: 'UserpassIsInvalid' })
    }
    expect(bodies).toEqual([])
  })

  test('leaves no password in answers, decisions and failures', async () => {
    const seen: string[] = []
    guard = await start({
      onDecision: (entry) => seen.push(JSON.stringify(entry)),
      onFailure: (error) => seen.push(String(error)),
      record: {
        append: async (entry) => void seen.push(JSON.stringify(entry)),
        close: async () => undefined,
      },
    })
    const answers = [
      await call('withdraw', { ...wanted, to: userpass }),
      await call('withdraw', { ...wanted, [userpass]: userpass }),
      await call('get_mnemonic', { password: userpass }),
      await call('my_tx_history', {}),
      await post(JSON.stringify({ userpass: `${userpass}x`, mmrpc: '2.0', method: 'withdraw' })),
    ]
    expect(seen.length).toBeGreaterThan(2)
    // A finding tells the client which address was wrong, and nobody else.
    const [named, ...others] = answers.map(({ text }) => text)
    expect(named).toContain('intent_address')
    expect(seen.join() + others.join()).not.toContain(userpass)
  })
})

test('every documented method has a class, and reads have none that spends', () => {
  const { exchanges } = readVectors('rpc/docs-framework.json') as {
    exchanges: { method: string | null }[]
  }
  const documented = new Set(exchanges.flatMap(({ method }) => method ?? []))
  const unclassed = [...documented].filter((it) => classOfFrameworkMethod(it) === 'unknown')
  // Documented, and in no dispatcher of the server.
  expect(unclassed).toEqual(['can_get_new_address'])
  const reads = classedFrameworkMethods().filter((it) => classOfFrameworkMethod(it) === 'read')
  expect(reads.length).toBeGreaterThan(50)
  const spends = /withdraw|send|(?<!get_)enable|sign_|buy|sell|price$|electrum/
  expect(reads.filter((it) => spends.test(it))).toEqual([])
})

test('wrong options are refused at once', async () => {
  const framework = { url: server.url, userpass }
  for (const options of [
    { framework, coin },
    { framework, own: [own] },
    { framework, coin, own: [] },
    { framework, coin, own: ['no address'] },
    { framework: { url: server.url } },
    { framework: { url: 'http://example.com:7783', userpass } },
    { framework, coins: 'KMD' },
    { framework, coin: 'KMD', own: [own] },
    { framework, allow: ['no_expirys'] },
    { framework, allow: ['fee_too_high'] },
    { framework, coin, own: [own], maxFee: '0.0002' },
    { framework, coin, own: [own], repeatMs: Number.NaN },
  ]) {
    await expect(createFrameworkGuard(options as FrameworkGuardOptions)).rejects.toThrow(TypeError)
  }
})
