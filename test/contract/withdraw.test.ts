// `withdraw` of the framework: its shapes, and the flow that broadcasts what was verified alone.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { run } from '../../src/cli/run.ts'
import { decodeTransaction, networks, transactionId, type WithdrawIntent } from '../../src/index.ts'
import { encodeRecord } from '../../src/journal/records.ts'
import { formatCoins } from '../../src/primitives/amount.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  type FrameworkClient,
  type Journal,
  listPayments,
  memoryJournal,
  resumePayments,
  type SafeFlowProgress,
  type WithdrawOptions,
  withdrawAndSend,
} from '../../src/rpc/index.ts'
import { fileJournal } from '../../src/wallet/index.ts'
import {
  evidenceFor,
  p2pkh,
  payment,
  signPayment,
  tipHeight,
  withdrawAnswer,
  worthOf,
} from '../support/payments.ts'
import { a, b, c } from '../support/resigned.ts'
import { chain } from '../support/vectors.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

let server: TestServer
let client: FrameworkClient
type Body = {
  method: string
  mmrpc?: string
  id?: number
  params?: Record<string, string>
} & Record<string, unknown>
const sent: Body[] = []

const coin = 'TOKTEST'
const to = 'RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2'
const spent = payment.inputs.slice(0, 2).reduce((sum, input) => sum + worthOf(input), 0n)
const tx = {
  ...payment,
  inputs: payment.inputs.slice(0, 2),
  outputs: [
    { value: 1_000_000n, script: p2pkh(b) },
    { value: spent - 1_001_000n, script: p2pkh(a) },
  ],
}
const hex = signPayment(tx)
const intent = { coin, to, amount: 1_000_000n, own: [a], fee: 1000n }
const received = spent - 1_001_000n
const from = ['REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb']
const answerOf = (changed: object = {}) => ({
  ...withdrawAnswer({ hex, coin, from, to, spent, received }),
  ...changed,
})

let withdrawn: object
let transactionOf: (txid: string) => string | undefined
/** Returns the answer to a broadcast, or `undefined` where the connection breaks instead. */
let accepted: (tx_hex: string) => string | undefined
/** Heights of the transactions that the history of the wallet shows; 0 for one without a block. */
let history: ReadonlyMap<string, number> | undefined
/** The account that has the history; an HD wallet has none at the usual target. */
let hdAccount: number | undefined
/** Transactions on one page of the history. */
const pageLength = 100

function known(txid: string): string | undefined {
  const recorded = chain.find((it) => it.txid === txid)
  return recorded?.hex
}

/** A page of `my_tx_history`: test/vectors/rpc/docs-framework.json. */
function pageOf(heights: ReadonlyMap<string, number>, number: number): object {
  const all = [...heights].map(([tx_hash, block_height]) => ({
    ...withdrawAnswer({ hex, coin, from, to, spent, received }),
    ...{ tx_hash, internal_id: tx_hash, block_height, confirmations: 0 },
  }))
  const skipped = (number - 1) * pageLength
  return {
    ...{ coin, target: { type: 'iguana' }, current_block: 772_607, limit: pageLength, skipped },
    transactions: all.slice(skipped, skipped + pageLength),
    sync_status: { state: 'Finished' },
    ...{ total: all.length, total_pages: Math.ceil(all.length / pageLength) },
    paging_options: { PageNumber: number },
  }
}

beforeEach(async () => {
  sent.length = 0
  withdrawn = answerOf()
  transactionOf = known
  accepted = transactionId
  history = undefined
  hdAccount = undefined
  server = await startServer((request, response) => {
    const body = JSON.parse(request.body) as Body
    sent.push(body)
    if (body.mmrpc === undefined) {
      const tx_hash = accepted(String(body.tx_hex))
      if (tx_hash === undefined) response.destroy()
      else reply(response, 200, JSON.stringify({ tx_hash }))
      return
    }
    const asked = body.params!
    const byMethod: Record<string, () => object | string | undefined> = {
      withdraw: () => withdrawn,
      my_tx_history: () => {
        const { PageNumber } = Object(asked.paging_options)
        const { account_id } = Object(asked.target)
        return account_id === hdAccount && history ? pageOf(history, PageNumber) : undefined
      },
    }
    const found = (byMethod[body.method] ?? (() => transactionOf(asked.tx_hash!)))()
    const result = typeof found === 'string' ? { tx_hex: found } : found
    const error_type = body.method === 'my_tx_history' ? 'InvalidTarget' : 'InvalidParam'
    const error = { error: 'no such', error_path: '', error_trace: '', error_type }
    const members = result === undefined ? error : { result }
    reply(
      response,
      result === undefined ? 400 : 200,
      JSON.stringify({ mmrpc: '2.0', ...members, id: body.id }),
    )
  })
  client = createFrameworkClient({ url: server.url, userpass: 'secret', retry: false })
})
afterEach(() => server.close())

const methods = () => sent.map(({ method }) => method)
const options: WithdrawOptions = { evidence: { tipHeight } }

test('KMD without its network is refused before anything is requested', async () => {
  const refused = withdrawAndSend(client, { ...intent, coin: 'KMD' })
  await expect(refused).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
})

describe('the flow', () => {
  test('a flow with a journal survives the client: its id is one payment', async () => {
    const journal = memoryJournal()
    const newClient = () =>
      createFrameworkClient({ url: server.url, userpass: 'secret', retry: false })
    accepted = () => undefined
    const lost = withdrawAndSend(newClient(), intent, { ...options, journal, id: 'payout-7' })
    await expect(lost).rejects.toMatchObject({ uncertain: true, txid: transactionId(hex) })
    // It arrived all the same.
    transactionOf = (txid) => (txid === transactionId(hex) ? hex : known(txid))
    history = new Map([[transactionId(hex), 766_923]])
    const { txid, repeated } = await withdrawAndSend(newClient(), intent, {
      ...options,
      journal,
      id: 'payout-7',
    })
    expect({ txid, repeated }).toEqual({ txid: transactionId(hex), repeated: true })
    expect(methods().filter((method) => method === 'withdraw')).toHaveLength(1)
    const other = { ...intent, amount: 999_999n }
    const conflict = withdrawAndSend(newClient(), other, { ...options, journal, id: 'payout-7' })
    await expect(conflict).rejects.toMatchObject({ code: 'id_conflict' })
    const [payment] = await listPayments(journal)
    expect(payment).toMatchObject({ id: 'payout-7', state: 'settled' })
    expect(JSON.parse(payment!.request!)).toMatchObject({ operation: 'withdraw', coin, to })
  })

  describe('a withdrawal that the server has', () => {
    const other = (count: number) =>
      Array.from({ length: count }, (_, at) => [String(at).padStart(64, '0'), 5] as const)
    const mined = [[transactionId(hex), 766_923]] as const

    test.each<[string, ReadonlyMap<string, number> | undefined]>([
      ['the server has no history', undefined],
      ['the history is that of others', new Map(other(3))],
      ['it waits for a block', new Map([[transactionId(hex), 0]])],
      ['its block is above the last one', new Map([[transactionId(hex), 772_608]])],
      ['more than 1,000 others came after it', new Map([...other(1_000), ...mined])],
    ])('is repeated without an end, and keeps its bytes, if %s', async (_, shown) => {
      const journal = memoryJournal()
      const pay = () => withdrawAndSend(client, intent, { ...options, journal, repeatMs: 0 })
      const { txid } = await pay()
      transactionOf = (it) => (it === txid ? hex : known(it))
      history = shown
      withdrawn = answerOf({ tx_hex: undefined })
      for (let round = 0; round < 2; round += 1) {
        expect(await pay()).toMatchObject({ txid, repeated: true })
      }
      expect(await listPayments(journal)).toMatchObject([
        { state: 'unsettled', attempts: [{ state: 'accepted', hex }] },
      ])
    })

    test.each([
      ['first', mined],
      ['after 999 others', [...other(999), ...mined]],
    ])(
      'is settled at the height of its history, so an equal call is another payment: %s',
      async (_, all) => {
        const journal = memoryJournal()
        const pay = () => withdrawAndSend(client, intent, { ...options, journal, repeatMs: 0 })
        const { txid } = await pay()
        transactionOf = (it) => (it === txid ? hex : known(it))
        history = new Map(all)
        // The server builds the same transaction again, which pays only once.
        expect((await pay()).held).toBe('reserved-inputs')
        expect(await listPayments(journal)).toMatchObject([
          { state: 'settled', attempts: [{ height: 766_923 }] },
        ])
      },
    )

    test('is settled by later withdrawals, if many are unsettled', async () => {
      const journal = memoryJournal()
      const { txid } = await withdrawAndSend(client, intent, { ...options, journal, id: 'rent' })
      for (let at = 2; at <= 16; at += 1) {
        const about = { payment: `id ${at}`, txid: `t${at}`, at: new Date().toISOString() }
        const request = { terms: '', request: '{}', id: `${at}`, hex: '' }
        await journal.append(2 * at - 1, JSON.stringify({ kind: 'attempt', ...about, ...request }))
        await journal.append(2 * at, JSON.stringify({ kind: 'accepted', ...about }))
      }
      transactionOf = (it) => (it === txid ? hex : known(it))
      history = new Map(mined)
      const random = vi.spyOn(Math, 'random').mockReturnValue(0)
      const more = { ...intent, amount: 2_000_000n }
      const next = await withdrawAndSend(client, more, { ...options, journal, id: 'next' })
      random.mockRestore()
      expect(next.held).toBe('rejected')
      const rent = (await listPayments(journal)).filter(({ id }) => id === 'rent')
      expect(rent).toMatchObject([{ state: 'settled', attempts: [{ height: 766_923 }] }])
    })

    // komodo-defi-framework utxo_tx_history_v2.rs, get_tx_history_filters
    test.each<[string, number, WithdrawOptions['from']]>([
      ['its first account', 0, undefined],
      ['the paying account', 2, { account_id: 2, chain: 'External', address_id: 1 }],
      ['the account of the paying path', 3, { derivation_path: "m/44'/141'/3'/0/1" }],
    ])('is settled by the history of an HD wallet: %s', async (_, account, payer) => {
      const journal = memoryJournal()
      const paying = { ...options, journal, repeatMs: 0, ...(payer && { from: payer }) }
      const { txid } = await withdrawAndSend(client, intent, paying)
      transactionOf = (it) => (it === txid ? hex : known(it))
      hdAccount = account
      history = new Map(mined)
      expect((await withdrawAndSend(client, intent, paying)).held).toBe('reserved-inputs')
      expect(await listPayments(journal)).toMatchObject([{ attempts: [{ height: 766_923 }] }])
    })

    test('is settled by a resume, which knows the paying account from the journal', async () => {
      const journal = memoryJournal()
      const payer = { account_id: 7, chain: 'External', address_id: 1 } as const
      const { txid } = await withdrawAndSend(client, intent, { ...options, journal, from: payer })
      transactionOf = (it) => (it === txid ? hex : known(it))
      hdAccount = 7
      history = new Map(mined)
      expect(await resumePayments(client, { journal })).toMatchObject([{ result: { txid } }])
      expect(await listPayments(journal)).toMatchObject([{ attempts: [{ height: 766_923 }] }])
    })
  })

  describe('a withdrawal that the history has and the journal lacks', () => {
    const txid = transactionId(hex)
    const pay = (more: WithdrawOptions = {}) =>
      withdrawAndSend(client, intent, { ...options, journal: memoryJournal(), id: 'rent', ...more })
    const steps: string[] = []
    const onProgress = ({ step }: SafeFlowProgress) => steps.push(step)

    beforeEach(() => {
      steps.length = 0
      history = new Map([[txid, 772_600]])
      transactionOf = (it) => (it === txid ? hex : known(it))
    })

    test('is held, and nothing is built', async () => {
      expect(await pay({ onProgress })).toMatchObject({
        held: 'unrecorded-spends',
        unrecorded: [txid],
      })
      expect(methods()).not.toContain('withdraw')
      expect(steps).not.toContain('not-compared')
    })

    test('is recorded as paidBy, and made again as acknowledged', async () => {
      expect(await pay({ paidBy: txid })).toMatchObject({ txid, repeated: true })
      // The server of this test builds the same transaction, which is sent once more.
      expect(await pay({ acknowledged: [txid] })).toMatchObject({ txid })
      expect(methods().filter((method) => method === 'withdraw')).toHaveLength(1)
    })

    test('is made as before by a server without a history, and without a journal', async () => {
      expect(await withdrawAndSend(client, intent, options)).toMatchObject({ txid })
      expect(methods()).not.toContain('my_tx_history')
      history = undefined
      expect(await pay({ onProgress })).toMatchObject({ txid })
      expect(steps.filter((step) => step === 'not-compared')).toHaveLength(1)
    })

    test.each([
      ['of the same coin', coin, '', 'unrecorded-spends'],
      ['of the same coin, by a user of a guard', coin, 'ann', 'unrecorded-spends'],
      ['of another coin', 'OTHER', '', undefined],
      ['of another coin, by a user of a guard', 'OTHER', 'ann', undefined],
    ])('is sought back to the first payment, which is one %s', async (_, of, user, held) => {
      const journal = memoryJournal()
      const about = { payment: 'id other', txid: 'cd'.repeat(32), at: '2026-11-01T00:00:00.000Z' }
      const key = JSON.stringify(['withdraw', of, p2pkh(c), '1', ''])
      const terms = user === '' ? key : JSON.stringify([user, key])
      const attempt = { kind: 'attempt', ...about, id: 'other', terms, request: '{}' } as const
      await journal.append(1, encodeRecord({ ...attempt, hex: '00' }))
      await journal.append(2, encodeRecord({ kind: 'settled', ...about, height: 1000 }))
      history = new Map([[txid, 500_000]])
      expect((await pay({ journal })).held).toBe(held)
    })

    test('is not sent again from the journal', async () => {
      const journal = memoryJournal()
      const other = 'ab'.repeat(32)
      history = new Map()
      accepted = () => undefined
      await expect(pay({ journal })).rejects.toMatchObject({ uncertain: true })
      transactionOf = known
      const rival = signPayment({
        ...tx,
        inputs: payment.inputs.slice(0, 1),
        outputs: [
          tx.outputs[0]!,
          { value: worthOf(payment.inputs[0]!) - 1_001_000n, script: p2pkh(a) },
        ],
      })
      transactionOf = (it) => (it === transactionId(rival) ? rival : known(it))
      history = new Map([
        [other, 772_600],
        [transactionId(rival), 772_600],
      ])
      const before = methods().length
      expect(await pay({ journal })).toMatchObject({
        held: 'unrecorded-spends',
        unrecorded: [transactionId(rival)],
        unsettled: [{ txid }],
      })
      expect(methods().slice(before)).not.toContain('send_raw_transaction')
    })
  })

  test('asks, verifies, and has the verified copy broadcast', async () => {
    withdrawn = answerOf({ tx_hex: hex.toUpperCase() })
    const result = await withdrawAndSend(client, intent, options)
    expect(result).not.toHaveProperty('refused')
    const { report, txid, held } = result
    expect({ ok: report.ok, txid, held }).toEqual({
      ok: true,
      txid: transactionId(hex),
      held: undefined,
    })
    expect(methods()).toEqual([
      'withdraw',
      'get_raw_transaction',
      'get_raw_transaction',
      'send_raw_transaction',
    ])
    expect(sent[0]!.params).toEqual({
      coin,
      to,
      amount: '0.01000000',
      fee: { type: 'UtxoFixed', amount: '0.00001000' },
    })
    expect(sent.at(-1)).toMatchObject({ coin, tx_hex: hex })
  })

  test('does not broadcast change that is split to raise a fee by its rate', async () => {
    const feeRate = 100_000n
    const rest = tx.outputs[1]!.value
    const own = Array.from({ length: 500 }, () => ({ value: 5400n, script: p2pkh(a) }))
    const wide = { ...tx, outputs: [...tx.outputs, ...own] }
    const fee = feeRate * BigInt(Math.ceil(signPayment(wide).length / 2000))
    const change = { value: rest + 1000n - fee - 500n * 5400n, script: p2pkh(a) }
    const split = signPayment({ ...tx, outputs: [tx.outputs[0]!, change, ...own] })
    withdrawn = answerOf({ tx_hex: split, tx_hash: transactionId(split) })
    const { fee: _, ...asked } = intent
    const { report, txid } = await withdrawAndSend(client, { ...asked, feeRate }, options)
    const codes = report.findings.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(['change_split', 'fee_too_high']))
    expect(txid).toBeUndefined()
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test.each<[string, object]>([
    [
      'another destination',
      {
        tx_hex: signPayment({
          ...tx,
          outputs: [{ ...tx.outputs[0]!, script: p2pkh(c) }, tx.outputs[1]!],
        }),
      },
    ],
    [
      'stolen change',
      {
        tx_hex: signPayment({
          ...tx,
          outputs: [tx.outputs[0]!, { ...tx.outputs[1]!, script: p2pkh(c) }],
        }),
      },
    ],
    ['another fee', { fee_details: { type: 'Utxo', coin, amount: '0.1' } }],
    ['another family', { fee_details: { type: 'Tendermint', coin, gas_limit: 1 } }],
    ['nothing signed', { tx_hex: undefined }],
  ])('%s is never broadcast', async (_, changed) => {
    withdrawn = answerOf(changed)
    expect(await withdrawAndSend(client, intent, options)).toMatchObject({
      held: 'rejected',
      report: { ok: false },
    })
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test('reports a transaction as missing that neither the server shows nor the caller has', async () => {
    transactionOf = () => undefined
    expect((await withdrawAndSend(client, intent, options)).held).toBe('rejected')
    const { previousTransactions } = evidenceFor(tx)
    const evidence = { tipHeight, previousTransactions }
    sent.length = 0
    expect((await withdrawAndSend(client, intent, { evidence })).txid).toBe(transactionId(hex))
    expect(methods()).toEqual(['withdraw', 'send_raw_transaction'])
  })

  test('reports malformed transactions of the caller, and asks the server for them', async () => {
    const evidence = { tipHeight, previousTransactions: ['abcd'] }
    const { held, report } = await withdrawAndSend(client, intent, { evidence })
    const reported = report.findings.find(({ path }) => path.startsWith('evidence'))
    expect(reported).toMatchObject({ path: 'evidence.previousTransactions[0]' })
    expect(held).toBe(report.ok ? 'warned' : 'rejected')
    expect(methods()).toContain('get_raw_transaction')
  })

  test('previous transactions that are others are not a proof', async () => {
    transactionOf = () => known(tx.inputs[0]!.txid)
    expect((await withdrawAndSend(client, intent, options)).held).toBe('rejected')
  })

  test('a withdrawal that never expires is sent, since no server builds another', async () => {
    const unending = signPayment({ ...tx, expiryHeight: 0 })
    withdrawn = withdrawAnswer({ hex: unending, coin, from, to, spent, received })
    const { held, txid } = await withdrawAndSend(client, intent)
    expect({ held, txid }).toEqual({ held: undefined, txid: transactionId(unending) })
  })

  test('stops where it is told to', async () => {
    expect((await withdrawAndSend(client, intent, { ...options, dryRun: true })).held).toBe(
      'dry-run',
    )
    expect((await withdrawAndSend(client, intent, { ...options, confirm: () => false })).held).toBe(
      'declined',
    )
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test('another txid in the answer is an error', async () => {
    accepted = () => '11'.repeat(32)
    await expect(withdrawAndSend(client, intent, options)).rejects.toMatchObject({
      kind: 'shape',
      reason: 'wrong_txid',
    })
  })

  test('hides an answer that is not a txid, because it may be a secret', async () => {
    accepted = () => 'secret'
    const error = await withdrawAndSend(client, intent, options).catch((thrown) => thrown)
    expect(error).toMatchObject({ reason: 'wrong_txid', expected: transactionId(hex) })
    expect(error.method).toBe('send_raw_transaction')
    expect(error.message).toMatch(/^send_raw_transaction: the server answered /)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret')
  })

  test('sends an unanswered withdrawal again, and makes no second one', async () => {
    accepted = () => undefined
    await expect(withdrawAndSend(client, intent, options)).rejects.toMatchObject({
      kind: 'transport',
    })
    sent.length = 0
    accepted = transactionId
    const again = await withdrawAndSend(client, { ...intent, fee: 1000n, maxFee: 5000n }, options)
    expect(again).toMatchObject({ txid: transactionId(hex), report: { hex } })
    expect(again).not.toHaveProperty('response')
    expect(methods()).not.toContain('withdraw')
    // The same transaction pays nothing more.
    expect(await withdrawAndSend(client, intent, options)).toMatchObject({
      held: 'reserved-inputs',
      response: {},
    })
  })

  test('finds an unanswered withdrawal on the chain, and makes no second one', async () => {
    accepted = () => undefined
    await expect(withdrawAndSend(client, intent, options)).rejects.toMatchObject({
      kind: 'transport',
    })
    sent.length = 0
    transactionOf = (txid) => (txid === transactionId(hex) ? hex : known(txid))
    expect((await withdrawAndSend(client, intent, options)).txid).toBe(transactionId(hex))
    expect(methods()).toEqual(['get_raw_transaction', 'get_raw_transaction', 'get_raw_transaction'])
  })

  test('records what paidBy names under the id, and requests and sends nothing', async () => {
    const txid = transactionId(hex)
    transactionOf = (asked) => (asked === txid ? hex : known(asked))
    const journal = memoryJournal()
    const options = { journal, id: 'rent', evidence: evidenceFor(tx), paidBy: txid }
    const other = { ...intent, amount: 999_999n }
    const rejected = await withdrawAndSend(client, other, { ...options, id: 'other' })
    expect(rejected.held).toBe('rejected')
    const paid = await withdrawAndSend(client, intent, options)
    expect(paid).toMatchObject({ txid, repeated: true })
    expect(await listPayments(journal)).toMatchObject([{ id: 'rent', attempts: [{ txid }] }])
    expect(methods()).not.toContain('withdraw')
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test('holds a withdrawal that could be mined beside an attempt of another process', async () => {
    const [, , ...others] = payment.inputs
    const worth = others.reduce((sum, input) => sum + worthOf(input), 0n)
    // It spends a foreign coin, so it cannot be sent again; but it may have been sent.
    const outputs = [tx.outputs[0]!, { value: worth - 1_001_000n, script: p2pkh(a) }]
    const earlier = signPayment({ ...tx, inputs: others, outputs })
    expect((await withdrawAndSend(client, intent, { ...options, earlier })).held).toBe(
      'different-inputs',
    )
    expect(methods()).not.toContain('send_raw_transaction')
    const both = { ...options, differentInputs: true }
    expect((await withdrawAndSend(client, intent, both)).txid).toBe(transactionId(hex))
  })

  test.each([
    ['under the same id', 'invoice-18', { txid: 'first' }],
    ['with an id that the first call lacked', undefined, { held: 'different-inputs' }],
  ])(
    'broadcasts no second signature of a device for a lost answer: %s',
    async (_, id, expected) => {
      const signedBy = (inputs: typeof tx.inputs): string => {
        const worth = inputs.reduce((sum, input) => sum + worthOf(input), 0n)
        const outputs = [tx.outputs[0]!, { value: worth - 1_001_000n, script: p2pkh(a) }]
        return signPayment({ ...tx, inputs, outputs })
      }
      const [first, second] = tx.inputs.map((input) => signedBy([input]))
      const recorded = { ...options, journal: memoryJournal(), resumeOnly: true }
      accepted = () => undefined
      const lost = withdrawAndSend(client, intent, {
        ...recorded,
        ...(id && { id }),
        earlier: first!,
      })
      await expect(lost).rejects.toMatchObject({ uncertain: true })
      // The program begins again, so the device signs other coins.
      accepted = transactionId
      const named = { ...recorded, id: 'invoice-18', earlier: second! }
      const { txid, held } = await withdrawAndSend(client, intent, named)
      expect(txid === transactionId(first!) ? { txid: 'first' } : { held }).toEqual(expected)
      expect(sent.map(({ tx_hex }) => tx_hex)).not.toContain(second)
      expect(sent.map(({ tx_hex }) => tx_hex)).toContain(first)
    },
  )

  test('each spent transaction may be as large as one can be', async () => {
    const [first] = tx.inputs
    transactionOf = (txid) => (txid === first!.txid ? '00'.repeat(600_000) : known(txid))
    const { held, refused } = await withdrawAndSend(client, intent, options)
    expect({ held, refused }).toEqual({
      held: 'rejected',
      refused: [{ txid: first!.txid, reason: 'too-large' }],
    })
  })

  test('a caller who loses patience hears nothing of a verdict', async () => {
    const stop = new AbortController()
    transactionOf = (txid) => {
      stop.abort()
      return known(txid)
    }
    await expect(
      withdrawAndSend(client, intent, { ...options, signal: stop.signal }),
    ).rejects.toMatchObject({ kind: 'aborted' })
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test('misuse shows before anything is asked for', async () => {
    await expect(withdrawAndSend(client, { ...intent, amount: 1 } as never)).rejects.toThrow(
      TypeError,
    )
    expect(sent).toEqual([])
  })

  // rpc-kdf.md, withdraw: fee and from are optional
  test('no fee is asked for where none is meant, and who pays where that is', async () => {
    const { fee: _, ...asked } = intent
    const from = { derivation_path: "m/44'/141'/0'/0/0" }
    const dry = { ...options, dryRun: true }
    await withdrawAndSend(client, asked, dry)
    expect(sent[0]!.params).toEqual({ coin, to, amount: '0.01000000' })
    sent.length = 0
    await withdrawAndSend(client, asked, { ...dry, from })
    expect(sent[0]!.params).toEqual({ coin, to, amount: '0.01000000', from })
  })

  test('everything by a rate', async () => {
    const all = { ...tx, outputs: [{ value: spent - 350n, script: p2pkh(b) }] }
    const sweep = signPayment(all)
    withdrawn = answerOf({
      tx_hex: sweep,
      tx_hash: transactionId(sweep),
      received_by_me: '0',
      my_balance_change: formatCoins(-spent),
      fee_details: { type: 'Utxo', amount: '0.0000035' },
    })
    const { fee: _, ...rest } = intent
    const asked = { ...rest, amount: 'max' as const, feeRate: 1000n }
    expect((await withdrawAndSend(client, asked, options)).txid).toBe(transactionId(sweep))
    expect(sent[0]!.params).toEqual({
      coin,
      to,
      max: true,
      fee: { type: 'UtxoPerKbyte', amount: '0.00001000' },
    })
  })
})

/** Runs the command line in this process, without a terminal. */
async function antaraTx(...args: readonly string[]) {
  const ended = { status: -1, output: '', errors: '' }
  ended.status = await run([...args], {
    print: (text) => {
      ended.output += text
    },
    printError: (text) => {
      ended.errors += text
    },
    readStdin: async () => '',
    isInteractive: false,
    hasColor: false,
  })
  return ended
}

describe('resumePayments', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'antara-tx-withdraw-'))
    return () => rmSync(folder, { recursive: true })
  })
  const { evidence } = options
  const resumed = (journal: Journal, more: object = {}) =>
    resumePayments(client, { journal, evidence, ...more })
  /** A journal with a withdrawal whose answer was lost. */
  async function interrupted(asked: WithdrawIntent = intent): Promise<Journal> {
    const journal = memoryJournal()
    accepted = () => undefined
    const lost = withdrawAndSend(client, asked, { ...options, journal, id: 'payout-7' })
    await expect(lost).rejects.toMatchObject({ uncertain: true })
    accepted = transactionId
    sent.length = 0
    return journal
  }
  const shows = (txid: string) => {
    transactionOf = (it) => (it === txid ? hex : known(it))
  }

  test('settles a withdrawal that the framework has', async () => {
    const journal = await interrupted()
    shows(transactionId(hex))
    history = new Map([[transactionId(hex), 766_923]])
    const [outcome] = await resumed(journal)
    expect(outcome).toMatchObject({
      payment: { id: 'payout-7', state: 'settled', attempts: [{ height: 766_923 }] },
      result: { txid: transactionId(hex), repeated: true },
    })
    expect(methods()).not.toContain('withdraw')
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test.each([
    ['two hours later', 2],
    ['by a clock that is two hours behind', -2],
  ])('settles a withdrawal of KMD that was mined, %s', async (_, hours) => {
    // komodo-defi-framework utxo_common.rs, calc_interest_if_required: the lock time without a reward
    const lockTime = Math.floor(Date.now() / 1000) - 3600 + 777 * 2
    const locked = signPayment({ ...tx, lockTime })
    const asked = { ...intent, network: networks.komodo }
    withdrawn = withdrawAnswer({ hex: locked, coin, from, to, spent, received })
    const journal = await interrupted(asked)
    const txid = transactionId(locked)
    transactionOf = (it) => (it === txid ? locked : known(it))
    history = new Map([[txid, 766_923]])
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000)
    try {
      const [outcome] = await resumed(journal)
      expect(outcome).toMatchObject({
        payment: { state: 'settled' },
        result: { txid, repeated: true },
      })
      const again = await withdrawAndSend(client, asked, { ...options, journal, id: 'payout-7' })
      expect(again).toMatchObject({ txid, repeated: true, report: { ok: true } })
    } finally {
      vi.restoreAllMocks()
    }
    expect(methods()).not.toContain('withdraw')
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test('sends the recorded bytes of a withdrawal again, and requests no other', async () => {
    const journal = await interrupted()
    const [outcome] = await resumed(journal)
    expect(outcome).toMatchObject({ result: { txid: transactionId(hex) } })
    expect(sent.at(-1)).toMatchObject({ method: 'send_raw_transaction', coin, tx_hex: hex })
    expect(methods()).not.toContain('withdraw')
    expect((await listPayments(journal))[0]!.attempts[0]!.state).toBe('accepted')
  })

  test('leaves a withdrawal unsettled that the framework refuses, and requests no other', async () => {
    const journal = await interrupted()
    transactionOf = () => undefined
    const [outcome] = await resumed(journal)
    expect(outcome).toMatchObject({
      payment: { state: 'unsettled' },
      result: { held: 'unsettled' },
    })
    // The history is compared before recorded bytes are sent again.
    expect(new Set(methods())).toEqual(new Set(['get_raw_transaction', 'my_tx_history']))
  })

  test('verifies by the recorded fee, keys and network', async () => {
    const all = { ...intent, fee: 900n, maxFee: 2000n, network: networks.komodo }
    const journal = await interrupted(all)
    const [payment] = await listPayments(journal)
    expect(JSON.parse(payment!.request!)).toMatchObject({
      ...{ operation: 'withdraw', coin, to, amount: '1000000', network: 'komodo' },
      intent: { own: [a], fee: '900', maxFee: '2000' },
    })
    expect((await resumed(journal))[0]).toMatchObject({ result: { txid: transactionId(hex) } })
  })

  test.each(['id', 'earlier', 'dryRun', 'paidBy'])(
    'refuses %s, which belongs to one payment',
    async (name) => {
      const value = { id: 'rent', earlier: hex, dryRun: true, paidBy: transactionId(hex) }[name]
      const refused = resumePayments(client, { journal: memoryJournal(), [name]: value })
      await expect(refused).rejects.toThrow(TypeError)
      await expect(refused).rejects.toThrow(`${name}: belongs to one payment`)
      expect(sent).toEqual([])
    },
  )

  test('takes an option of one payment that is undefined, as programs pass options on', async () => {
    const options = { id: undefined, earlier: undefined, dryRun: undefined, paidBy: undefined }
    const given = { journal: await interrupted(), ...options }
    expect(await resumePayments(client, given)).toHaveLength(1)
  })

  test('does not send other bytes than the recorded request allows', async () => {
    const journal = await interrupted()
    const outputs = [{ ...tx.outputs[0]!, script: p2pkh(c) }, tx.outputs[1]!]
    const stolen = signPayment({ ...tx, outputs })
    const changed = memoryJournal()
    for (const [index, text] of (await journal.read(0)).entries()) {
      const record = { ...JSON.parse(text), hex: stolen, txid: transactionId(stolen) }
      await changed.append(index + 1, JSON.stringify(record))
    }
    expect((await resumed(changed))[0]).toMatchObject({ payment: { state: 'unsettled' } })
    expect(methods()).not.toContain('send_raw_transaction')
  })

  test('leaves a withdrawal of an earlier version, whose keys are not recorded, to its caller', async () => {
    const journal = await interrupted()
    const earlier = memoryJournal()
    for (const [index, text] of (await journal.read(0)).entries()) {
      const { intent: _, network: __, ...request } = JSON.parse(JSON.parse(text).request)
      const record = { ...JSON.parse(text), request: JSON.stringify(request) }
      await earlier.append(index + 1, JSON.stringify(record))
    }
    const [outcome] = await resumed(earlier)
    expect(outcome).toEqual({ payment: expect.objectContaining({ state: 'unsettled' }) })
    expect(sent).toEqual([])
  })

  test('does not find a mined withdrawal expired', async () => {
    const expiring = { ...tx, expiryHeight: tipHeight + 10 }
    const mined = signPayment(expiring)
    withdrawn = answerOf({ tx_hex: mined, tx_hash: transactionId(mined) })
    const journal = await interrupted()
    transactionOf = (it) => (it === transactionId(mined) ? mined : known(it))
    const [outcome] = await resumed(journal, { evidence: { tipHeight: tipHeight + 500 } })
    expect(outcome).toMatchObject({ result: { txid: transactionId(mined), repeated: true } })
  })

  test('keeps no text that may be a private key', async () => {
    const journal = memoryJournal()
    const wif = 'UwFidzEUrsZQqmSXXmxuEQmTVc2bsHXg2yRTdWDEmKE4xtBi6qMi'
    const asked = { ...intent, own: [wif], ownKeys: [wif] }
    await withdrawAndSend(client, asked, { ...options, journal, earlier: hex })
    const texts = (await journal.read(0)).join()
    expect(texts).toContain('what may be a private key')
    expect(texts).not.toContain(wif)
  })

  test('resumePayments from the command line names the server of each payment, and settles by it', async () => {
    const path = join(folder, 'journal')
    const journal = fileJournal(path)
    accepted = () => undefined
    const lost = withdrawAndSend(client, intent, { ...options, journal, id: 'payout-7' })
    await expect(lost).rejects.toMatchObject({ uncertain: true })
    await journal.close()
    accepted = transactionId
    const { port } = new URL(server.url)
    writeFileSync(join(folder, 'TEST.conf'), `rpcuser=u\nrpcpassword=p\nrpcport=${port}\n`)
    const conf = { rpc_password: 'secret', rpcport: Number(port) }
    writeFileSync(join(folder, 'MM2.json'), JSON.stringify(conf))
    const resume = (...args: readonly string[]) =>
      antaraTx('attempts', 'resume', ...args, '--journal', path)
    const byDaemon = await resume('--conf', join(folder, 'TEST.conf'))
    expect(byDaemon.status).toBe(75)
    const remedy = `settle it with antara-tx attempts resume framework --journal ${path}\n`
    expect(byDaemon.output).toContain(remedy)
    const framework = ['framework', '--conf', join(folder, 'MM2.json')]
    expect((await resume(...framework, '--trust-daemon')).status).toBe(64)
    sent.length = 0
    const byFramework = await resume(...framework)
    expect(sent.at(-1)).toMatchObject({ method: 'send_raw_transaction', tx_hex: hex })
    expect(byFramework.output).toContain(`${transactionId(hex)} accepted`)
    expect(byFramework.status).toBe(75)
    transactionOf = (txid) => (txid === transactionId(hex) ? hex : known(txid))
    // The server has it, and no block is known to have it.
    expect((await resume(...framework)).status).toBe(75)
    history = new Map([[transactionId(hex), 766_923]])
    expect((await resume(...framework)).status).toBe(0)
  })

  test('resumePayments through a daemon leaves withdrawals, and through a framework leaves transfers', async () => {
    const journal = await interrupted()
    const daemon = createDaemonClient({ url: server.url, user: 'u', password: 'p', retry: false })
    expect(await resumePayments(daemon, { journal })).toEqual([
      { payment: expect.objectContaining({ id: 'payout-7', state: 'unsettled' }) },
    ])
    expect(sent).toEqual([])
  })
})

describe('the typed calls', () => {
  test('keep what they do not know, and amounts as texts', async () => {
    withdrawn = answerOf({ newer: { x: 1 }, kmd_rewards: { amount: '5.6', claimed_by_me: true } })
    const details = await client.withdraw({ coin, to, max: true })
    expect(details.total_amount).toBe(formatCoins(spent))
    expect(details).toHaveProperty('newer')
    expect(details.kmd_rewards).toEqual({ amount: '5.6', claimed_by_me: true })
    expect(sent[0]).toMatchObject({
      mmrpc: '2.0',
      method: 'withdraw',
      params: { coin, to, max: true },
    })
  })

  test('refuse an answer of another shape', async () => {
    withdrawn = answerOf({ from: 'R' })
    await expect(client.withdraw({ coin, to, max: true })).rejects.toMatchObject({
      kind: 'shape',
      path: 'result.from',
    })
  })

  test.each<[string, object]>([
    ['a member that no version has', { coin, to, amount: '1', speed: 'high' }],
    ['neither an amount nor all', { coin, to }],
    ['both', { coin, to, amount: '1', max: true }],
    ['an amount that is a number', { coin, to, amount: 1 }],
    ['no recipient', { coin, amount: '1' }],
  ])('refuse %s', async (_, params) => {
    await expect(client.withdraw(params as never)).rejects.toThrow(TypeError)
    expect(() => client.withdrawTask(params as never)).toThrow(TypeError)
    expect(sent).toEqual([])
  })

  test('a task ends with what the call answers', async () => {
    server.answer((request, response) => {
      const { id, method } = JSON.parse(request.body)
      sent.push(JSON.parse(request.body))
      const result = method.endsWith('init')
        ? { task_id: 7 }
        : { status: 'Ok', details: answerOf() }
      reply(response, 200, JSON.stringify({ mmrpc: '2.0', result, id }))
    })
    const details = await client.withdrawTask({ coin, to, amount: '0.01' }, { pollMs: 1 })
    expect(details.tx_hash).toBe(transactionId(hex))
    expect(methods()).toEqual([
      'task::withdraw::init',
      'task::withdraw::status',
      'task::withdraw::status',
    ])
    expect(decodeTransaction(details.tx_hex!).outputs).toHaveLength(2)
  })

  describe('a task that broadcasts', () => {
    const wanted = { coin: 'ETH', to: '0x1', amount: '0.01', broadcast: true }
    const failure = (error_type: string) => {
      return { error: 'no', error_path: '', error_trace: '', error_type, error_data: 7 }
    }
    type Answers = Record<string, object | undefined>
    /** Answers by the last word of the method; breaks the connection where there is no answer. */
    const taskOf = (params: typeof wanted, answers: Answers, signal?: AbortSignal) => {
      server.answer((request, response) => {
        const { id, method } = JSON.parse(request.body)
        const begun = { init: { result: { task_id: 7 } }, ...answers }
        const answer = (begun as Answers)[method.split('::').at(-1)]
        if (answer === undefined) return void response.destroy()
        reply(response, 200, JSON.stringify({ mmrpc: '2.0', ...answer, id }))
      })
      return client.withdrawTask(params, { pollMs: 1, signal })
    }
    const failed = { result: { status: 'Error', details: failure('Transport') } }
    const lastsLong = { result: { status: 'InProgress', details: 'Broadcasting' } }

    test.each<[string, string, Answers]>([
      ['fails', 'task', { status: failed }],
      ['answers no more', 'transport', {}],
      ['was forgotten by a restart', 'framework', { status: failure('NoSuchTask') }],
      ['has no number, since the answer was lost', 'transport', { init: undefined }],
    ])('is uncertain if it %s', async (_, kind, answers) => {
      await expect(taskOf(wanted, answers)).rejects.toMatchObject({ kind, uncertain: true })
      const { broadcast: _broadcast, ...built } = wanted
      const error = await taskOf(built as typeof wanted, answers).then(String, (it) => it)
      if (!('init' in answers)) expect(error).not.toHaveProperty('uncertain')
    })

    test('is uncertain after its cancellation, and not if it never began', async () => {
      const leave = new AbortController()
      const answers = { status: lastsLong, cancel: { result: 'success' } }
      const task = taskOf(wanted, answers, leave.signal)
      await task.id
      leave.abort()
      const cancelled = { kind: 'aborted', cancellation: 'cancelled', uncertain: true }
      await expect(task).rejects.toMatchObject(cancelled)
      const unbegun = await taskOf(wanted, answers, leave.signal).then(String, (it) => it)
      expect(unbegun).toMatchObject({ kind: 'aborted' })
      expect(unbegun).not.toHaveProperty('uncertain')
    })
  })
})
