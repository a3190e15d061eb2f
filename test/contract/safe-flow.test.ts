import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { burnPublicKeys } from '../../src/chain/modules.ts'
import {
  addressOfScript,
  decodeTransaction,
  encodeTransaction,
  networks,
  tokenScript,
  transactionId,
} from '../../src/index.ts'
import {
  createDaemonClient,
  createToken,
  type DaemonClient,
  type SafeFlowOptions,
  type SafeFlowProgress,
  type SafeFlowResult,
  transferToken,
} from '../../src/rpc/index.ts'
import { pubkeyHashScript } from '../../src/script/key-script.ts'
import { tokenTransfer } from '../../src/verification/operations/transfer.ts'
import { chainTransaction } from '../support/komodod.ts'
import { paidBy } from '../support/paid-by.ts'
import {
  b,
  c,
  create,
  createHex,
  createIntent,
  ownNative,
  p2pk,
  privateKeys,
  transfer,
  transferHex,
  transferIntent,
  wrongTransactions,
} from '../support/resigned.ts'
import { sign } from '../support/sign.ts'
import { chain } from '../support/vectors.ts'
import { type Behaviour, type Daemon, startDaemon } from './support/daemon.ts'

let daemon: Daemon
let client: DaemonClient

async function start(behaviour: Behaviour): Promise<void> {
  daemon = await startDaemon(behaviour)
  client = createDaemonClient({
    url: daemon.url,
    user: 'user',
    password: 'pass',
    retry: { attempts: 2, baseMs: 1 },
  })
}
afterEach(() => daemon.close())

const send = (options?: SafeFlowOptions) => transferToken(client, transferIntent, options)
const owner = transferIntent.from
const transferTxid = transactionId(transferHex)
/** The recorded chain before the transfer was mined. */
const beforeTransfer = (txid: string): string | undefined =>
  txid === transferTxid ? undefined : chain.find((one) => one.txid === txid)?.hex

const chainHex = (txid: string): string | undefined => chain.find((one) => one.txid === txid)?.hex

/** The same transfer made from other coins of the wallet: it and the first can both be mined. */
function otherRightTransfer(): string {
  const coins = chain.flatMap(({ hex, txid }) => {
    if (txid === transferTxid) return []
    const { outputs } = decodeTransaction(hex)
    const isOfToken = outputs.at(-1)?.script.includes(`f274${transferIntent.tokenid}`)
    if (isOfToken !== true) return []
    return outputs.flatMap(({ script, value }, vout) =>
      script === tokenScript(owner) && value > 100n ? [{ txid, vout, value }] : [],
    )
  })
  const [token] = coins
  if (token === undefined) throw new Error('the chain has no other coin of this token')
  const [txid, vout] = ownNative
  const native = decodeTransaction(chainTransaction(txid)).outputs[vout]?.value ?? 0n
  const values = [100n, token.value - 100n, native - 10_000n, 0n]
  const tx = {
    ...transfer,
    inputs: [{ txid, vout }, token].map(({ txid, vout }) => ({
      ...{ txid, vout, scriptSig: '', sequence: 0xffffffff },
    })),
    outputs: transfer.outputs.map(({ script }, at) => ({ script, value: values[at] ?? 0n })),
  }
  return sign({ tx }, { keys: privateKeys })
}

const fetchedTxids = (): string[] =>
  daemon.received
    .map(({ body }) => JSON.parse(body))
    .flatMap(({ method, params }) => (method === 'getrawtransaction' ? [params[0]] : []))

test('an intent is validated once if the daemon claims nothing', async () => {
  const validate = vi.spyOn(tokenTransfer, 'validate')
  try {
    await start({ hex: [transferHex] })
    expect((await send()).txid).toBe(transferTxid)
    expect(validate).toHaveBeenCalledTimes(1)
  } finally {
    validate.mockRestore()
  }
})

test('a right transfer is broadcast once, the very copy that was checked', async () => {
  await start({ hex: [transferHex.toUpperCase()] })
  const steps: SafeFlowProgress[] = []
  const result = await send({ onProgress: (step) => steps.push(step) })
  expect(result.txid).toBe(transactionId(transferHex))
  expect(result.held).toBeUndefined()
  expect(result.report).toMatchObject({ ok: true, hex: transferHex, txid: result.txid })
  expect(daemon.broadcasts).toEqual([transferHex])
  expect([...new Set(steps.map(({ step }) => step))]).toEqual([
    'asking',
    'fetching',
    'verified',
    'broadcasting',
  ])
  const fetched = steps.flatMap((one) => (one.step === 'fetching' ? [one] : []))
  expect(fetched.at(-1)).toEqual({ step: 'fetching', done: fetched.length, total: fetched.length })
})

test('the history of the tokens is fetched back to their creation, as far as is allowed', async () => {
  await start({ hex: [otherRightTransfer()], transaction: (txid) => chainHex(txid) })
  const proven = await send({ dryRun: true })
  expect(proven.report.findings.map(({ code }) => code)).not.toContain('token_parent_unproven')
  const whole = fetchedTxids()
  expect(new Set(whole).size).toBe(whole.length)
  expect(whole).toContain(transferTxid)
  const unproven = await send({ dryRun: true, ancestorsMax: 0 })
  expect(unproven.report.findings.map(({ code }) => code)).toContain('token_parent_unproven')
  expect(fetchedTxids().length - whole.length).toBeLessThan(whole.length)
  expect(fetchedTxids().slice(whole.length)).toContain(transferIntent.tokenid)
})

test('a right creation is broadcast, and its txid is the tokenid', async () => {
  const unspent = create.inputs.map((input) => `${input.txid}:${input.vout}`)
  await start({ hex: [createHex], tip: 5, unspent })
  const { txid } = await createToken(client, createIntent)
  expect(txid).toBe(transactionId(createHex))
  expect(daemon.broadcasts).toEqual([createHex])
  expect(fetchedTxids()).toEqual([...new Set(create.inputs.map((input) => input.txid))])
  const [asked] = daemon.received.map(({ body }) => JSON.parse(body))
  expect([asked.method, ...asked.params]).toEqual([
    'tokencreate',
    createIntent.name,
    '0.00001000',
    createIntent.description,
  ])
})

test('a creation with data sends them, behind a description even if it is empty', async () => {
  await start({ hex: [createHex], tip: 5 })
  const intent = { ...createIntent, supply: 1n, description: '', data: 'F1AB' }
  expect((await createToken(client, intent)).held).toBe('rejected')
  const [asked] = daemon.received.map(({ body }) => JSON.parse(body))
  expect(asked.params).toEqual([createIntent.name, '0.00000001', '', 'f1ab'])
})

describe('a daemon that returns something else', () => {
  const wrong = wrongTransactions()

  test(`is refused, all ${wrong.length} times, and nothing is broadcast`, async () => {
    const broadcast: string[] = []
    for (const operation of ['transfer', 'create'] as const) {
      const some = wrong.filter((one) => one.operation === operation)
      await start({ hex: some.map(({ hex }) => hex), tip: operation === 'create' ? 5 : 12 })
      for (const { name, hex } of some) {
        const result =
          operation === 'create' ? await createToken(client, createIntent) : await send()
        expect(result, name).toMatchObject({ held: 'rejected', report: { ok: false, hex } })
        expect(result.txid, name).toBeUndefined()
      }
      broadcast.push(...daemon.broadcasts)
      await daemon.close()
    }
    expect(wrong.length).toBeGreaterThan(100)
    expect(broadcast).toEqual([])
    await start({ hex: [transferHex] })
  })

  test.each([
    ['a creation for a transfer', createHex],
    ['some other transaction of the chain', chain[40]?.hex ?? ''],
    ['a transfer with a byte more', `${transferHex}00`],
    ['half a transfer', transferHex.slice(0, 200)],
    ['four bytes', 'deadbeef'],
  ])('%s: refused', async (_name, hex) => {
    await start({ hex: [hex] })
    expect(await send()).toMatchObject({ held: 'rejected', report: { ok: false } })
    expect(daemon.broadcasts).toEqual([])
  })

  test('a transfer with more inputs than can be looked at is refused unread', async () => {
    const many = withInputs(1_100)
    await start({ hex: [many] })
    const { report } = await send()
    expect(report.findings.map(({ code }) => code)).toContain('too_many_inputs')
    expect(daemon.methods().filter((method) => method === 'getrawtransaction').length).toBeLessThan(
      3,
    )
  })
})

function withInputs(count: number): string {
  const [input] = transfer.inputs
  const inputs = Array.from({ length: count }, (_, vout) => ({
    txid: input?.txid ?? '',
    vout,
    scriptSig: '',
    sequence: 0xffffffff,
  }))
  return encodeTransaction({ ...transfer, inputs })
}

describe('a daemon that lies about what is spent', () => {
  test.each<[string, (txid: string) => string | undefined]>([
    ['nothing', () => undefined],
    ['another transaction', () => createHex],
    ['prose', () => 'not found'],
    ['bytes that are none', () => 'ffff'],
    ['megabytes', () => '00'.repeat(1_000_000)],
  ])('%s in place of a previous transaction: refused', async (_name, transaction) => {
    await start({ hex: [transferHex], transaction })
    const { report, held, refused } = await send()
    expect(held).toBe('rejected')
    expect(report.findings.map(({ code }) => code)).toContain('prevout_missing')
    expect(refused?.map(({ txid }) => txid)).toContain(transfer.inputs[0]?.txid)
    expect(daemon.broadcasts).toEqual([])
  })

  test('no height at all: the report says that the expiry was not checked', async () => {
    await start({ hex: [transferHex], tip: null })
    const { report } = await send({ dryRun: true })
    expect(report.findings.map(({ code }) => code)).toContain('expiry_not_checked')
  })

  test('a height that makes the transfer expired, or that is not a height, is refused', async () => {
    for (const tip of [500, 2 ** 40]) {
      await start({ hex: [transferHex], tip })
      expect((await send()).held).toBe('rejected')
      expect(daemon.broadcasts).toEqual([])
      await daemon.close()
    }
    await start({ hex: [transferHex] })
  })
})

describe('an intent that cannot be right', () => {
  test.each([
    ['no key', { destination: 'RTTg3izdeVnqkTTxjzsPFrdUQexgqCy1qb' }],
    ['a key off the curve', { destination: `02${'ff'.repeat(32)}` }],
    ['the burn key by accident', { destination: burnPublicKeys.komodo }],
    ['nothing', { amount: 0n }],
    ['half a tokenid', { tokenid: 'ab'.repeat(16) }],
  ])('%s: the daemon is not even asked', async (_name, change) => {
    await start({ hex: [transferHex] })
    const result = await transferToken(client, { ...transferIntent, ...change })
    expect(result).toMatchObject({ held: 'rejected', report: { ok: false } })
    expect(daemon.received).toEqual([])
  })

  test('an amount of the wrong type is a TypeError, and so is more than one recipient', async () => {
    await start({ hex: [transferHex] })
    const { destination, from } = transferIntent
    const recipients = [destination, from].map((pubkey) => ({ pubkey, amount: 100n }))
    await expect(transferToken(client, { ...transferIntent, recipients })).rejects.toThrow(
      TypeError,
    )
    await expect(
      transferToken(client, { ...transferIntent, amount: 100 as never }),
    ).rejects.toThrow(TypeError)
    await expect(createToken(client, { ...createIntent, supply: '1' as never })).rejects.toThrow(
      TypeError,
    )
    expect(daemon.received).toEqual([])
  })
})

describe('facts that are requested from the daemon about its wallet and its chain', () => {
  const addressOf = (pubkey: string) =>
    addressOfScript(pubkeyHashScript(pubkey), networks.assetChain) ?? ''
  /** A transfer whose fee other keys pay, and the daemon that has their coins. */
  const startWithFeeOf = async (scripts: readonly string[], wallet?: readonly string[]) => {
    const { hex, evidence } = paidBy(transfer, 12, scripts)
    const made = new Map(evidence.previousTransactions.map((raw) => [transactionId(raw), raw]))
    const transaction = (txid: string) => made.get(txid) ?? chainHex(txid)
    await start({ hex: [hex], transaction, ...(wallet && { wallet }) })
    return transactionId(hex)
  }
  const codesOf = ({ report }: SafeFlowResult) => report.findings.map(({ code }) => code)
  const askedAddresses = () =>
    daemon.received
      .map(({ body }) => JSON.parse(body))
      .flatMap(({ method, params }) => (method === 'validateaddress' ? [params[0]] : []))

  test.each([
    ['a key', p2pk(c)],
    ['an address', pubkeyHashScript(c)],
  ])(
    'a fee from %s of its wallet is right, and it is the daemon that says so',
    async (_, script) => {
      const txid = await startWithFeeOf([script], [addressOf(c)])
      const result = await send()
      expect(result.txid).toBe(txid)
      expect(result.report.findings).toContainEqual(
        expect.objectContaining({
          code: 'intent_asserted',
          path: 'intent.ownKeys',
          actual: 'the daemon that was asked (ownKeys)',
        }),
      )
      expect(askedAddresses()).toEqual([addressOf(c)])
    },
  )

  test('a fee from a key that is not is rejected, as is one that it will not speak of', async () => {
    for (const wallet of [[addressOf(b)], undefined]) {
      await startWithFeeOf([p2pk(c)], wallet)
      const result = await send()
      expect(result.held).toBe('rejected')
      expect(codesOf(result)).toContain('unexpected_input')
      expect(codesOf(result)).not.toContain('intent_asserted')
      await daemon.close()
    }
    await start({ hex: [transferHex] })
  })

  test('own keys of the intent are the wallet’s own word: nobody else is asked', async () => {
    const txid = await startWithFeeOf([p2pk(c)], [])
    const ownKeys = [c]
    const result = await transferToken(client, { ...transferIntent, ownKeys })
    expect(result.txid).toBe(txid)
    expect(codesOf(result)).not.toContain('intent_asserted')
    expect(askedAddresses()).toEqual([])
  })

  test('the own key of the intent needs no request', async () => {
    await start({ hex: [transferHex], wallet: [] })
    expect((await send({ dryRun: true })).held).toBe('dry-run')
    expect(askedAddresses()).toEqual([])
  })

  const createOutpoints = create.inputs.map(({ txid, vout }) => `${txid}:${vout}`)
  const creation = (more: object = {}) =>
    createToken(client, { ...createIntent, ...more }, { dryRun: true })

  test('a creation is bound to the chain that has what it spends, as the daemon says', async () => {
    await start({ hex: [createHex], tip: 5, unspent: createOutpoints })
    const result = await creation()
    expect(result.held).toBe('dry-run')
    expect(codesOf(result)).not.toContain('chain_unbound')
    expect(result.report.findings).toContainEqual(
      expect.objectContaining({
        code: 'intent_asserted',
        path: 'intent.spendable',
        actual: 'the daemon that was asked (spendable)',
      }),
    )
  })

  test('a creation from coins of another chain is rejected', async () => {
    await start({ hex: [createHex], tip: 5, unspent: createOutpoints.slice(1) })
    const result = await creation()
    expect(result.held).toBe('rejected')
    expect(codesOf(result)).toContain('unlisted_input')
  })

  test('a daemon that will not say leaves the warning', async () => {
    await start({ hex: [createHex], tip: 5 })
    expect(codesOf(await creation())).toContain('chain_unbound')
  })

  test('outputs that the intent names are the wallet’s own word', async () => {
    await start({ hex: [createHex], tip: 5, unspent: [] })
    const spendable = create.inputs.map(({ txid, vout }) => ({ txid, vout }))
    const result = await creation({ spendable, reportedBy: 'my indexer' })
    expect(result.held).toBe('dry-run')
    expect(result.report.findings).toContainEqual(
      expect.objectContaining({ code: 'intent_asserted', actual: 'my indexer' }),
    )
    expect(daemon.methods()).not.toContain('gettxout')
  })
})

describe('a verification', () => {
  test('ends with the signal, whatever it was doing', async () => {
    await start({ hex: [transferHex] })
    const reason = new Error('enough')
    for (const end of ['fetching', 'judging']) {
      const controller = new AbortController()
      const onProgress = (progress: SafeFlowProgress) => {
        if (progress.step !== 'fetching') return
        // The last answer is here: from now on there is nothing to wait for.
        if (end === 'fetching') controller.abort(reason)
        else if (progress.done === progress.total) setImmediate(() => controller.abort(reason))
      }
      await expect(send({ signal: controller.signal, onProgress })).rejects.toMatchObject({
        kind: 'aborted',
        cause: reason,
      })
    }
    expect(daemon.broadcasts).toEqual([])
  })

  test('has the time of a call as a whole', async () => {
    await start({ hex: [otherRightTransfer()], transaction: chainHex, delayMs: 400 })
    // Enough for each answer, too little for one that is asked for only after another.
    const timeoutMs = 750
    await expect(send({ timeoutMs, retry: false })).rejects.toMatchObject({ kind: 'timeout' })
    expect(daemon.methods()).toContain('getrawtransaction')
    expect(daemon.broadcasts).toEqual([])
  })
})

describe('the last gate', () => {
  test('a dry run stops before it', async () => {
    await start({ hex: [transferHex] })
    expect(await send({ dryRun: true })).toMatchObject({ held: 'dry-run', report: { ok: true } })
    expect(daemon.broadcasts).toEqual([])
  })

  test('a confirmation may decline, or fail', async () => {
    await start({ hex: [transferHex] })
    expect(await send({ confirm: () => false })).toMatchObject({ held: 'declined' })
    expect(await send({ confirm: async () => 'yes' as never })).toMatchObject({ held: 'declined' })
    const refusal = new Error('no')
    await expect(send({ confirm: () => Promise.reject(refusal) })).rejects.toBe(refusal)
    expect(daemon.broadcasts).toEqual([])
    expect(await send({ confirm: ({ ok }) => ok })).toHaveProperty('txid')
  })

  test('the confirmation cannot change what is sent', async () => {
    await start({ hex: [transferHex] })
    const confirm = (report: { hex: string; txid?: string; ok: boolean }) => {
      Object.assign(report, { hex: createHex, txid: transactionId(createHex) })
      return true
    }
    expect((await send({ confirm })).txid).toBe(transferTxid)
    expect(daemon.broadcasts).toEqual([transferHex])
  })

  test('an abort while somebody is asked stops the broadcast', async () => {
    await start({ hex: [transferHex] })
    const controller = new AbortController()
    const confirm = () => {
      controller.abort()
      return true
    }
    await expect(send({ confirm, signal: controller.signal })).rejects.toMatchObject({
      kind: 'aborted',
    })
    expect(daemon.broadcasts).toEqual([])
  })

  test('the confirmation cannot change the report of the result', async () => {
    await start({ hex: [transferHex] })
    const { report: expected } = await send({ dryRun: true })
    const { report } = await send({
      confirm: (shown) => {
        Object.assign(shown, { ok: false, txid: 'none' })
        Object.assign(shown.effects[0]!, { value: 1n })
        ;(shown.effects as unknown[]).length = 1
        return true
      },
    })
    expect(report).toEqual(expected)
  })

  test.each([
    ['confirm', (again: () => Promise<unknown>) => ({ confirm: async () => !!(await again()) })],
    [
      'onProgress',
      (again: () => Promise<unknown>) => ({
        onProgress: ({ step }: SafeFlowProgress) => (step === 'broadcasting' ? again() : undefined),
      }),
    ],
  ])('a %s that makes the same payment and waits gets an answer', async (_, options) => {
    await start({ hex: [transferHex] })
    const inner: unknown[] = []
    const again = async () => {
      for (const id of [undefined, 'a']) {
        const given = id === undefined ? {} : { id, dryRun: true }
        inner.push(await transferToken(client, transferIntent, given))
      }
      return true
    }
    const outer = await send(options(again))
    expect(inner).toMatchObject([{ held: 'under-way', report: { hex: '' } }, { held: 'dry-run' }])
    expect(outer.txid).toBe(transferTxid)
    expect(daemon.broadcasts).toEqual([transferHex])
  })

  test('one that never answers ends with the signal, and a later answer sends nothing', async () => {
    await start({ hex: [transferHex] })
    const [controller, late] = [new AbortController(), new AbortController()]
    const answer = once(late.signal, 'abort').then(() => true)
    const waiting = send({
      confirm: () => {
        setTimeout(() => controller.abort(), 5)
        return answer
      },
      signal: controller.signal,
    })
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' })
    expect((await send({ dryRun: true })).held).toBe('dry-run')
    late.abort()
    await answer
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(daemon.broadcasts).toEqual([])
    expect((await send()).txid).toBe(transferTxid)
  })

  test('a txid that is not the transaction’s is an error', async () => {
    await start({ hex: [transferHex], onBroadcast: () => 'lie' })
    await expect(send()).rejects.toMatchObject({ kind: 'shape', reason: 'wrong_txid' })
  })
})

describe('a broadcast of which nothing good was heard', () => {
  const asked = () => daemon.methods().filter((method) => method === 'tokentransfer').length

  test('a broadcast that arrived is found again, and nothing is made anew', async () => {
    const other = otherRightTransfer()
    await start({
      hex: [transferHex, other],
      transaction: beforeTransfer,
      onBroadcast: () => 'lose',
    })
    await expect(send()).rejects.toMatchObject({ kind: 'transport' })
    expect(daemon.broadcasts).toEqual([transferHex, transferHex])
    expect((await send()).txid).toBe(transferTxid)
    expect(daemon.broadcasts).toHaveLength(2)
    expect(asked()).toBe(1)
    // Settled: the same intent is now another payment.
    expect((await send({ dryRun: true })).report.hex).toBe(other)
  })

  test('a broadcast that arrived is still the payment after a dry run', async () => {
    await start({
      hex: [transferHex, otherRightTransfer()],
      transaction: beforeTransfer,
      onBroadcast: () => 'lose',
    })
    await expect(send()).rejects.toMatchObject({ kind: 'transport' })
    for (const dryRun of [true, true, false]) {
      expect((await send({ dryRun })).txid).toBe(transferTxid)
    }
    expect(asked()).toBe(1)
    // Told as paid, it is: the next is another.
    expect((await send({ dryRun: true })).held).toBe('dry-run')
  })

  test('a broadcast that arrived is the payment, even if its inputs are unknown', async () => {
    let isLost = false
    await start({
      hex: [transferHex],
      transaction: (txid) => (isLost && txid !== transferTxid ? undefined : chainHex(txid)),
      onBroadcast: () => 'lose',
    })
    await expect(send()).rejects.toMatchObject({ kind: 'transport' })
    isLost = true
    const { txid, report } = await send()
    expect([txid, report.ok]).toEqual([transferTxid, false])
    expect(asked()).toBe(1)
  })

  test('a broadcast that did not arrive is sent again as it was', async () => {
    await start({
      hex: [transferHex, otherRightTransfer()],
      transaction: beforeTransfer,
      onBroadcast: (_, count) => (count === 1 ? 'refuse' : 'accept'),
    })
    await expect(send()).rejects.toMatchObject({ kind: 'daemon', code: -26 })
    expect((await send()).txid).toBe(transferTxid)
    expect(daemon.broadcasts).toEqual([transferHex, transferHex])
    expect(asked()).toBe(1)
  })

  test('is not followed by a payment from other coins unless that is allowed', async () => {
    const other = otherRightTransfer()
    await start({
      hex: [transferHex, other],
      transaction: beforeTransfer,
      onBroadcast: (hex) => (hex === transferHex ? 'refuse' : 'accept'),
    })
    await expect(send()).rejects.toMatchObject({ kind: 'daemon' })
    expect(await send()).toMatchObject({ held: 'different-inputs', report: { ok: true } })
    expect(daemon.broadcasts).not.toContain(other)
    // The same intent, whatever is written out or allowed for its fee.
    for (const fees of [
      { fee: 10_000n },
      { maxFee: 15_000n },
      { tokenid: transferIntent.tokenid.toUpperCase() },
    ]) {
      const again = await transferToken(client, { ...transferIntent, ...fees })
      expect(again).toMatchObject({ held: 'different-inputs' })
    }
    expect(daemon.broadcasts).not.toContain(other)
    // The coins of the other transaction have no history here.
    const allow = ['token_parent_unproven'] as const
    expect((await send({ differentInputs: true, allow })).txid).toBe(transactionId(other))
  })

  test('may be followed by one that spends a coin of the first: only one can be mined', async () => {
    const sooner = { ...transfer, expiryHeight: transfer.expiryHeight - 1 }
    const replacement = sign({ tx: sooner }, { keys: privateKeys })
    await start({
      hex: [transferHex, replacement],
      transaction: beforeTransfer,
      onBroadcast: (hex) => (hex === transferHex ? 'refuse' : 'accept'),
    })
    await expect(send()).rejects.toMatchObject({ kind: 'daemon' })
    expect((await send()).txid).toBe(transactionId(replacement))
  })

  test('a broadcast of another process is known by its hex', async () => {
    await start({ hex: [otherRightTransfer()], transaction: beforeTransfer })
    expect((await send({ earlier: transferHex })).txid).toBe(transferTxid)
    expect(daemon.broadcasts).toEqual([transferHex])
    expect(asked()).toBe(0)
    expect(await send({ earlier: 'abcd' })).toMatchObject({ held: 'rejected' })
  })

  test('a broadcast of another process that was mined long ago has not expired', async () => {
    await start({ hex: [otherRightTransfer()], tip: transfer.expiryHeight + 1000 })
    const { txid, report } = await send({ earlier: transferHex })
    expect(txid).toBe(transferTxid)
    expect(report).toMatchObject({ ok: true, txid })
    expect(daemon.broadcasts).toEqual([])
  })

  test('is not what another process sent for something else, on the chain or not', async () => {
    await start({ hex: [otherRightTransfer()] })
    const found = await send({ earlier: createHex })
    expect(found).toMatchObject({ held: 'rejected', report: { ok: false, hex: createHex } })
    expect(found).not.toHaveProperty('txid')
    // The flow forgets no attempt, and makes no second one.
    expect(await send()).toMatchObject({ held: 'rejected', report: { hex: createHex } })
    expect([daemon.broadcasts, asked()]).toEqual([[], 0])
    // Among several the one that is this payment counts.
    for (const earlier of [
      [transferHex, createHex],
      [createHex, transferHex],
    ]) {
      client = createDaemonClient({ url: daemon.url, user: 'user', password: 'pass' })
      expect((await send({ earlier })).txid).toBe(transferTxid)
    }
  })

  test('broadcasts of other processes are known by their hex, and all of them count', async () => {
    const sooner = { ...transfer, expiryHeight: transfer.expiryHeight - 1 }
    const replacement = sign({ tx: sooner }, { keys: privateKeys })
    const other = otherRightTransfer()
    await start({ hex: [other], transaction: beforeTransfer, onBroadcast: () => 'refuse' })
    const earlier = [transferHex, replacement]
    expect(await send({ earlier })).toMatchObject({ held: 'different-inputs' })
    expect(new Set(daemon.broadcasts)).toEqual(new Set(earlier))
  })

  test('more of them than are remembered: nothing is made at all', async () => {
    await start({ hex: [transferHex], transaction: beforeTransfer })
    const earlier = Array.from({ length: 17 }, (_, at) =>
      encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + at }),
    )
    expect(await send({ earlier })).toMatchObject({ held: 'too-many-attempts' })
    expect(daemon.broadcasts).toEqual([])
  })

  test('two calls at once pay one after the other, each knowing of the one before', async () => {
    const other = otherRightTransfer()
    await start({
      hex: [transferHex, other],
      transaction: beforeTransfer,
      onBroadcast: (_, count) => (count <= 2 ? 'lose' : 'accept'),
    })
    const [first, second] = await Promise.allSettled([send(), send()])
    expect(first).toMatchObject({ status: 'rejected', reason: { kind: 'transport' } })
    expect(second).toMatchObject({ status: 'fulfilled', value: { txid: transferTxid } })
    expect(asked()).toBe(1)
  })

  test('one that waits for another can be aborted', async () => {
    await start({ hex: [transferHex] })
    const controller = new AbortController()
    const decision = new AbortController()
    const decided = once(decision.signal, 'abort')
    const first = send({ confirm: () => decided.then(() => false) })
    const second = send({ signal: controller.signal })
    controller.abort()
    await expect(second).rejects.toMatchObject({ kind: 'aborted' })
    decision.abort()
    expect((await first).held).toBe('declined')
  })

  test('one that gave up waiting lets nobody pay beside the one that it waited for', async () => {
    const other = otherRightTransfer()
    await start({
      hex: [transferHex, other],
      transaction: beforeTransfer,
      onBroadcast: () => 'lose',
    })
    const [second, decision] = [new AbortController(), new AbortController()]
    const decided = once(decision.signal, 'abort')
    const first = send({ confirm: () => decided.then(() => true) })
    const waiting = send({ signal: second.signal })
    second.abort()
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' })
    const third = send()
    third.catch(() => undefined)
    await expect.poll(() => daemon.methods()).toContain('getblockcount')
    await new Promise((resolve) => setTimeout(resolve, 50))
    decision.abort()
    await expect(first).rejects.toMatchObject({ kind: 'transport' })
    expect((await third).txid).toBe(transferTxid)
    expect(daemon.broadcasts).not.toContain(other)
  })
})
