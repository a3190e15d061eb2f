// Payments in coins that a daemon makes from its own wallet, and that are verified.

import { beforeEach, describe, expect, test } from 'vitest'
import { networks } from '../../src/chain/network.ts'
import { publicKeyOf } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  memoryJournal,
  payCoins,
  resumePayments,
  type SafeFlowOptions,
} from '../../src/rpc/index.ts'
import { pubkeyHashScript } from '../../src/script/key-script.ts'
import { addressOfScript } from '../../src/script/script.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import { encodeTransaction } from '../../src/transaction/encode.ts'
import type { TransactionOutput } from '../../src/transaction/types.ts'
import { receivedBy, type SentRequest, tamperedClient } from './support/tampered-client.ts'

const amount = 50_000_000n
let node: DevNode
let to: string
let from: string
/** Methods and parameters that the node was sent, in their order. */
let sent: SentRequest[]
/** Changes what the daemon is asked, or answers in its place. */
let change: (method: string, params: unknown[]) => unknown

const client = () =>
  tamperedClient(node, ({ method, params, body }) => {
    sent.push({ method, params, body })
    return change(method, params)
  })

const received = (address = to) => receivedBy(node, address)
const intent = (more: object = {}) => ({ recipients: [{ address: to, amount }], from, ...more })

beforeEach(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  from = node.identities[0]!.pubkey
  to = node.identities[1]!.address
  sent = []
  change = () => undefined
  return () => node.close()
})

const methods = () => sent.map(({ method }) => method)

test('pays what was asked, and answers the txid of the verified transaction', async () => {
  const before = await received()
  const { report, txid, held } = await payCoins(client(), intent())
  expect({ ok: report.ok, held }).toEqual({ ok: true, held: undefined })
  expect(txid).toBe(report.verified?.txid)
  expect((await received()) - before).toBe(amount)
  expect(methods().slice(0, 4)).toEqual([
    'getinfo',
    'createrawtransaction',
    'fundrawtransaction',
    'signrawtransaction',
  ])
})

test.each([
  ['KMD', { name: 'KMD', interest: 0 }, 'the coins of the daemon earn a reward'],
  ['a chain of tokeld', { name: 'TOKEL', TokelVersion: '1' }, 'the daemon is tokeld'],
])('asks no daemon of %s for a payment on an asset chain', async (_, facts, words) => {
  const info = { version: 1, protocolversion: 1, blocks: 100, ...facts }
  change = (method) => (method === 'getinfo' ? info : undefined)
  await expect(payCoins(client(), intent())).rejects.toThrow(`intent.network: ${words}`)
  expect(methods()).toEqual(['getinfo'])
})

test('pays 2,000 recipients: the fee of the daemon is what nodes relay for this size', async () => {
  const [alice] = node.identities
  node.fund(alice!.address, 3_000_000_00000000n)
  const recipients = Array.from({ length: 2000 }, (_, at) => {
    const script = pubkeyHashScript(publicKeyOf(`${at + 1}`.padStart(64, '0')))
    return { address: addressOfScript(script, networks.assetChain)!, amount: 100_000_000_000n }
  })
  const { txid, held } = await payCoins(client(), { recipients, from })
  expect({ txid: typeof txid, held }).toEqual({ txid: 'string', held: undefined })
})

test('sends amounts exactly, whatever a double would make of them', async () => {
  // 2^53 + 1 satoshis: as a double it would lose the last one.
  const exact = 9_007_199_254_740_993n
  change = () => 'ab'.repeat(32)
  const daemon = client()
  await daemon.createrawtransaction({ inputs: [], outputs: { [to]: exact } })
  await daemon.sendtoaddress({ address: to, amount: exact })
  await daemon.sendmany({ amounts: { [to]: exact } })
  await daemon.settxfee({ amount: exact }).catch(() => undefined)
  expect(sent.map(({ body }) => /[\d.]{12,}(?=[,\]}])/.exec(body)?.[0])).toEqual([
    '90071992.54740993',
    '90071992.54740993',
    '90071992.54740993',
    '90071992.54740993',
  ])
})

describe('a daemon that makes another payment pays nothing', () => {
  const stranger = `76a914${'11'.repeat(20)}88ac`
  const outputs = (edit: (all: TransactionOutput[]) => TransactionOutput[]) => (hex: unknown) => {
    const transaction = decodeTransaction(String(hex))
    return encodeTransaction({ ...transaction, outputs: edit([...transaction.outputs]) })
  }
  const isPayee = ({ value }: TransactionOutput) => value === amount
  const edits: readonly [string, (hex: unknown) => string][] = [
    [
      'another is paid',
      outputs((all) => all.map((it) => (isPayee(it) ? { ...it, script: stranger } : it))),
    ],
    [
      'less is paid',
      outputs((all) => all.map((it) => (isPayee(it) ? { ...it, value: amount - 1n } : it))),
    ],
    ['an output is added', outputs((all) => [...all, { value: 5_000n, script: stranger }])],
  ]
  const ofChange: readonly [string, (hex: unknown) => string][] = [
    [
      'the change goes elsewhere',
      outputs((all) => all.map((it) => (isPayee(it) ? it : { ...it, script: stranger }))),
    ],
    [
      'the fee is raised',
      outputs((all) =>
        all.map((it) => (isPayee(it) ? it : { ...it, value: it.value - 1_000_000n })),
      ),
    ],
  ]
  // A step's change reaches the next step as its parameter.
  const rows = [
    ...edits.map(([what, edit]) => ['fundrawtransaction', what, edit] as const),
    ...[...edits, ...ofChange].map(([what, edit]) => ['signrawtransaction', what, edit] as const),
  ]
  test.each(rows)('verification rejects what %s returns: %s', async (step, _, edit) => {
    const before = await received()
    change = (method, params) => {
      if (method === step) params[0] = edit(params[0])
      return undefined
    }
    const { report, held, txid } = await payCoins(client(), intent())
    expect({ held, txid }).toEqual({ held: 'rejected', txid: undefined })
    expect(report.findings.some(({ severity }) => severity === 'reject')).toBe(true)
    expect(methods()).not.toContain('sendrawtransaction')
    expect(await received()).toBe(before)
  })

  test('an unsigned transaction that it calls complete is rejected', async () => {
    change = (method, params) =>
      method === 'signrawtransaction' ? { hex: params[0], complete: true } : undefined
    const { held } = await payCoins(client(), intent())
    expect(held).toBe('rejected')
    expect(methods()).not.toContain('sendrawtransaction')
  })

  test('change to an unknown key is rejected', async () => {
    const { held, report } = await payCoins(client(), intent({ from: node.identities[1]!.pubkey }))
    expect(held).toBe('rejected')
    expect(report.findings.map(({ code }) => code)).toContain('unexpected_output')
    expect(methods()).not.toContain('sendrawtransaction')
  })
})

describe('a payment', () => {
  test('is found again: a lost answer is not a second payment', async () => {
    const before = await received()
    const daemon = client()
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
    const error = await payCoins(daemon, intent()).catch((it: unknown) => it)
    expect(error).toMatchObject({ uncertain: true, txid: expect.any(String) })
    const again = await payCoins(daemon, intent())
    expect(again.txid).toBe((error as { txid: string }).txid)
    expect((await received()) - before).toBe(amount)
  })

  test('is settled from the journal after an uncertain end', async () => {
    const journal = memoryJournal()
    node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
    await expect(payCoins(client(), intent(), { journal, id: 'one' })).rejects.toMatchObject({
      uncertain: true,
    })
    const before = await received()
    const [resumed] = await resumePayments(client(), { journal })
    expect(resumed).toMatchObject({ payment: { id: 'one', state: 'settled' }, result: {} })
    expect(resumed?.result).toHaveProperty('txid')
    expect(await received()).toBe(before)
    expect(methods().filter((it) => it === 'createrawtransaction')).toHaveLength(1)
  })

  test('is made once: one id is one payment', async () => {
    const before = await received()
    const options: SafeFlowOptions = { journal: memoryJournal(), id: 'invoice-17' }
    const first = await payCoins(client(), intent(), options)
    const second = await payCoins(client(), intent(), options)
    expect(second).toMatchObject({ txid: first.txid, repeated: true })
    expect((await received()) - before).toBe(amount)
    await expect(
      payCoins(client(), intent({ recipients: [{ address: to, amount: 1_000n }] }), options),
    ).rejects.toMatchObject({ code: 'id_conflict' })
  })

  test('is tied to the chain when it is repeated, as it was at first', async () => {
    const options: SafeFlowOptions = { journal: memoryJournal(), id: 'invoice-18' }
    const codes = async () =>
      (await payCoins(client(), intent(), options)).report.findings.map(({ code }) => code)
    const first = await codes()
    expect(first).toContain('intent_asserted')
    expect(first).not.toContain('chain_unbound')
    // A transaction in a block has not expired.
    expect(await codes()).toEqual(['expiry_not_checked', ...first])
  })

  test('is not tied to the chain by the daemon if the caller names its transactions', async () => {
    const options: SafeFlowOptions = { journal: memoryJournal(), id: 'invoice-22' }
    await payCoins(client(), intent(), options)
    const own = intent({ onChain: ['11'.repeat(32)] })
    const { report } = await payCoins(client(), own, options)
    expect(report.findings.map(({ code }) => code)).toContain('chain_unproven')
  })

  test.each([
    ['an id without a journal', { id: 'invoice-19' }, true],
    ['an id with a journal', { id: 'invoice-20', journal: memoryJournal() }, undefined],
    ['no id', {}, undefined],
  ])('with %s, the result says whether memory alone has it', async (_, options, expected) => {
    const paid = await payCoins(client(), intent(), options)
    expect(paid.txid).toBeDefined()
    expect(paid.onlyInMemory).toBe(expected)
  })

  test('is in no memory if it was declined', async () => {
    const declined = { id: 'invoice-21', confirm: async () => false }
    const { held, onlyInMemory } = await payCoins(client(), intent(), declined)
    expect([held, onlyInMemory]).toEqual(['declined', undefined])
  })

  test('waits for the one before: five at once spend different coins', async () => {
    const before = await received()
    const daemon = client()
    const amounts = [1n, 2n, 3n, 4n, 5n].map((it) => it * 10_000n)
    const results = await Promise.all(
      amounts.map((sats) =>
        payCoins(daemon, intent({ recipients: [{ address: to, amount: sats }] })),
      ),
    )
    expect(new Set(results.map(({ txid }) => txid)).size).toBe(5)
    expect((await received()) - before).toBe(150_000n)
  })

  test.each<[string, (pay: () => Promise<void>) => SafeFlowOptions]>([
    [
      'confirm',
      (pay) => ({
        confirm: async () => {
          await pay()
          return false
        },
      }),
    ],
    [
      'onProgress before the broadcast',
      (pay) => ({ onProgress: ({ step }) => (step === 'broadcasting' ? pay() : undefined) }),
    ],
  ])('holds up nobody while it waits for an answer: its %s may pay meanwhile', async (_, from) => {
    const daemon = client()
    const other = intent({ recipients: [{ address: to, amount: 7_000n }] })
    let inner: { readonly txid?: string; readonly held?: string } | undefined
    await payCoins(
      daemon,
      intent(),
      from(async () => {
        inner = await payCoins(daemon, other)
      }),
    )
    // After `confirm` the first payment has reserved its coins, which the daemon chooses again.
    expect(inner?.txid ?? inner?.held).toMatch(/^[0-9a-f]{64}$|^reserved-inputs$/)
  })
})

test.each<[string, () => object, RegExp]>([
  [
    'twice the same address',
    () => ({
      recipients: [
        { address: to, amount },
        { address: to, amount },
      ],
    }),
    /once/,
  ],
  ['everything', () => ({ recipients: [{ address: to, amount: 'max' }] }), /a bigint/],
  ['a script', () => ({ recipients: [{ script: '51', amount }] }), /script/],
  ['a lock time', () => ({ lockTime: 5 }), /lockTime/],
  ['data', () => ({ nulldata: 'ab' }), /nulldata/],
  ['an address in place of the key', () => ({ from: to }), /intent\.from: expected a compressed/],
  ['no key', () => ({ from: undefined }), /intent\.from: expected a compressed/],
  ['coins that earn a reward', () => ({ network: networks.komodo }), /reward/],
])('a payment of %s is refused before anything is sent', async (_, more, message) => {
  await expect(payCoins(client(), intent(more()) as never)).rejects.toThrow(message)
  expect(sent).toEqual([])
})

test('a payment to no address is rejected before anything is sent', async () => {
  const recipients = [{ address: 'nobody', amount }]
  const { held, report } = await payCoins(client(), intent({ recipients }))
  expect({ held, ok: report.ok }).toEqual({ held: 'rejected', ok: false })
  expect(sent).toEqual([])
})

test('sendtoaddress is sent once, and its error is uncertain', async () => {
  const { url, user, password } = node.identities[0]!
  const daemon = createDaemonClient({ url, user, password })
  node.faults.add({ kind: 'lost_reply', method: 'sendtoaddress', times: 1 })
  const before = await received()
  await expect(daemon.sendtoaddress({ address: to, amount })).rejects.toMatchObject({
    uncertain: true,
    attempts: 1,
  })
  expect((await received()) - before).toBe(amount)
})
