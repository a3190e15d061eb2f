// These tests cover the distinctions of the safe flow, with a row for each side of a limit:
// intents, chains and sources of evidence. The client is no server here, so the tests see every
// request.

import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'

import { inputsMax } from '../../../src/chain/limits.ts'
import {
  addressOfScript,
  decodeTransaction,
  encodeTransaction,
  networks,
  transactionId,
} from '../../../src/index.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import {
  createToken,
  type DaemonClient,
  RpcError,
  type SafeFlowProgress,
  transferToken,
} from '../../../src/rpc/index.ts'
import { check, type Subject } from '../../../src/rpc/safe-flow/check.ts'
import { createFetched, daemonSource, fetchAncestors } from '../../../src/rpc/safe-flow/evidence.ts'
import { inputsOf } from '../../../src/rpc/safe-flow/transaction.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { replaceableEngine } from '../../support/replaceable-engine.ts'
import {
  b,
  c,
  createHex,
  createIntent,
  p2pk,
  privateKeys,
  transfer,
  transferHex,
  transferIntent,
} from '../../support/resigned.ts'
import { sign } from '../../support/sign.ts'
import { chain } from '../../support/vectors.ts'

const lost = new RpcError('transport', 'lost', { reason: 'connection_lost' })
const refusal = new RpcError('daemon', 'no', { code: -8, codeName: '' })
const unusable = new RpcError('shape', 'no', { reason: 'unusable_hex' })

type Answers = { readonly [Method in string]?: (...given: never[]) => unknown }

/** Answers as it is told to; what it is not told is refused. */
function clientOf(answers: Answers) {
  const asked: [method: string, ...given: unknown[]][] = []
  const client = new Proxy({} as DaemonClient, {
    get:
      (_, method: string) =>
      async (...given: unknown[]) => {
        asked.push([method, ...given])
        const answer = answers[method]
        if (answer === undefined) throw refusal
        return answer(...(given as never[]))
      },
  })
  const askedOf = (method: string) => asked.filter(([name]) => name === method)
  /** Calls that build. A lookup of who spent an output does not. */
  const built = () => askedOf('call').filter(([, method]) => method !== 'getspentinfo')
  return { client, asked, askedOf, built }
}

/** Returns a source that answers with the known transactions, and refuses any other. */
const answersFrom =
  (known: ReadonlyMap<string, string>) =>
  ({ txid }: { txid: string }) => {
    const hex = known.get(txid)
    if (hex === undefined) throw refusal
    return hex
  }

const chainHex = new Map(chain.map(({ txid, hex }) => [txid, hex]))
const spent = [...new Set(transfer.inputs.map(({ txid }) => txid))]
const transferTxid = transactionId(transferHex)

const report = { ok: true, broadcast: 'yes', findings: [], hex: transferHex, effects: [] } as const
const subject = (more: Partial<Subject> = {}): Subject => ({
  terms: {},
  pubkey: transferIntent.from,
  verify: async () => report,
  ...more,
})

describe('a verification', () => {
  const getrawtransaction = answersFrom(chainHex)
  const answers = { getrawtransaction, getblockcount: () => 12, gettxout: () => ({}) }
  const run = (more: Partial<Subject>, state?: 'new' | 'on-chain', given: Answers = answers) => {
    const { client, askedOf } = clientOf(given)
    const checked = check({ client, options: {}, subject: subject(more) }, transferHex, state)
    return { checked, askedOf }
  }

  test.each([
    ['a creation', undefined, 'new', transfer.inputs.length],
    ['a creation that is mined', undefined, 'on-chain', 0],
    ['a transfer', transferIntent.tokenid, 'new', 0],
    ['a transfer that is mined', transferIntent.tokenid, 'on-chain', 0],
  ] as const)(
    'a verification of %s asks for outputs of the chain %s, %s: %d',
    async (_, tokenid, state, count) => {
      const { checked, askedOf } = run(tokenid === undefined ? {} : { tokenids: [tokenid] }, state)
      await checked
      expect(askedOf('gettxout')).toHaveLength(count)
    },
  )

  test('a verification of a creation asks for what it spends alone, however it was paid for', async () => {
    // a token that came from hand to hand: there would be more to ask for
    const [deep] = chain.filter(({ hex }) =>
      decodeTransaction(hex).inputs.some(({ txid, scriptSig }) => {
        const parent = decodeTransaction(chainHex.get(txid) ?? transferHex)
        return scriptSig.length > 200 && parent.inputs.some((it) => it.scriptSig.length > 200)
      }),
    )
    const { inputs } = decodeTransaction(deep!.hex)
    const expected = [...new Set(inputs.map(({ txid }) => txid))]
    const { client, askedOf } = clientOf(answers)
    const totals: number[] = []
    const onProgress = (progress: SafeFlowProgress) => {
      if (progress.step === 'fetching') totals.push(progress.total)
    }
    const asking = (more: Partial<Subject>) =>
      check({ client, options: { onProgress }, subject: subject(more) }, deep!.hex)
    await asking({})
    const asked = askedOf('getrawtransaction').map(([, given]) => (given as { txid: string }).txid)
    expect(asked).toEqual(expected)
    expect(new Set(totals)).toEqual(new Set([expected.length]))
    await asking({ tokenids: [transferIntent.tokenid] })
    expect(askedOf('getrawtransaction').length).toBeGreaterThan(2 * expected.length + 1)
  })

  test('says what was refused, and nothing of it where nothing was', async () => {
    expect(Object.keys(await run({}).checked)).toEqual(['report'])
    const none = { ...answers, getrawtransaction: () => Promise.reject(refusal) }
    const { refused } = await run({}, 'new', none).checked
    expect(refused?.map(({ reason }) => reason)).toEqual(spent.map(() => 'unknown'))
  })

  test.each([
    ['getblockcount', lost],
    ['getblockcount', unusable],
    ['gettxout', lost],
    ['getrawtransaction', lost],
  ])('ends where %s fails otherwise than by a refusal', async (method, error) => {
    const { checked } = run({}, 'new', { ...answers, [method]: () => Promise.reject(error) })
    await expect(checked).rejects.toBe(error)
  })

  test('goes on where the daemon refuses its height or its outputs, or says what is none', async () => {
    for (const [method, error] of [
      ['getblockcount', refusal],
      ['gettxout', refusal],
      ['gettxout', unusable],
    ] as const) {
      const seen = vi.fn(async () => report)
      const given = { ...answers, [method]: () => Promise.reject(error) }
      await run({ verify: seen as Subject['verify'] }, 'new', given).checked
      const [, evidence, claimed] = seen.mock.calls[0] as unknown as Parameters<Subject['verify']>
      expect(evidence.tipHeight).toBe(method === 'getblockcount' ? undefined : 12)
      expect(claimed.spendable).toEqual(
        method === 'gettxout'
          ? undefined
          : transfer.inputs.map(({ txid, vout }) => ({ txid, vout })),
      )
    }
  })

  test('is not a verdict if the clock ran out in its last moment, and leaves nothing behind', async () => {
    const controller = new AbortController()
    const { client } = clientOf(answers)
    const options = { signal: controller.signal, timeoutMs: 60_000 }
    const verify = async () => {
      setTimeout(() => controller.abort())
      return report
    }
    const checked = check({ client, options, subject: subject({ verify }) }, transferHex)
    await expect(checked).rejects.toMatchObject({ kind: 'aborted' })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    const other = new AbortController()
    await check({ client, options: { signal: other.signal }, subject: subject() }, transferHex)
    expect(getEventListeners(other.signal, 'abort')).toEqual([])
  })

  test('a verification that takes too long is a timeout', async () => {
    const { client } = clientOf(answers)
    const verify = () => new Promise<never>(() => undefined)
    const options = { timeoutMs: 20 }
    const checked = check({ client, options, subject: subject({ verify }) }, transferHex)
    await expect(checked).rejects.toMatchObject({ kind: 'timeout' })
  })
})

describe('whose word it is', () => {
  const reportedBy = async (terms: Subject['terms']) => {
    const { client } = clientOf({
      getrawtransaction: answersFrom(chainHex),
      gettxout: () => ({}),
    })
    const seen = vi.fn(async () => report)
    const asked = subject({ terms, verify: seen as Subject['verify'] })
    await check({ client, options: {}, subject: asked }, transferHex)
    const [, , claimed] = seen.mock.calls[0] as unknown as Parameters<Subject['verify']>
    return claimed.reportedBy
  }

  test('the daemon that was asked, behind whoever spoke before', async () => {
    const daemon = 'the daemon that was asked (spendable)'
    expect(await reportedBy({})).toBe(daemon)
    expect(await reportedBy({ reportedBy: 'my indexer', ownKeys: [] })).toBe(
      `my indexer; ${daemon}`,
    )
    expect(await reportedBy({ ownKeys: [], spendable: [] })).toBeUndefined()
  })
})

describe('keys of the wallet that the daemon is asked about', () => {
  const hash = (at: number) => `76a914${at.toString(16).padStart(40, '0')}88ac`
  const askAbout = async (scripts: readonly string[]) => {
    const outputs = scripts.map((script) => ({ value: 1n, script }))
    const parent = encodeTransaction({ ...transfer, outputs })
    const txid = transactionId(parent)
    const inputs = scripts.map((_, vout) => ({ txid, vout, scriptSig: '', sequence: 0 }))
    const { client, askedOf } = clientOf({
      getrawtransaction: () => parent,
      validateaddress: () => ({ ismine: true }),
    })
    const seen = vi.fn(async () => report)
    const asked = subject({ terms: { spendable: [] }, verify: seen as Subject['verify'] })
    await check({ client, options: {}, subject: asked }, encodeTransaction({ ...transfer, inputs }))
    const [, , claimed] = seen.mock.calls[0] as unknown as Parameters<Subject['verify']>
    return { addresses: askedOf('validateaddress').map(([, given]) => given), claimed }
  }
  const addressOf = (script: string) => addressOfScript(script, networks.assetChain)

  test.each([32, 33, 40])('are 32 at most, of %d', async (count) => {
    const scripts = Array.from({ length: count }, (_, at) => hash(at))
    const { addresses, claimed } = await askAbout(scripts)
    const expected = scripts.slice(0, 32).map(addressOf)
    expect(addresses).toEqual(expected.map((address) => ({ address })))
    expect(claimed.ownKeys).toEqual(expected)
  })

  test('are compressed keys and hashes of keys, nothing else', async () => {
    // in an uncompressed key, what would be a compressed one with its push
    const uncompressed = `41${'04'.padEnd(62, '1')}21${b}ac`
    const scripthash = `a914${'11'.repeat(20)}87`
    const own = [p2pk(transferIntent.from), pubkeyHashScript(transferIntent.from)]
    // komodo src/pubkey.h, CPubKey::GetLen: no key begins with 05
    const noKey = p2pk(`05${c.slice(2)}`)
    const { claimed } = await askAbout([...own, uncompressed, scripthash, noKey, p2pk(c), hash(7)])
    expect(addressOf(uncompressed)).toBeDefined()
    expect(addressOf(noKey)).toBeUndefined()
    expect(claimed).toMatchObject({ ownKeys: [c, addressOf(hash(7))] })
  })
})

test.each([
  [inputsMax, inputsMax],
  [inputsMax + 1, 0],
])('a verification of %d inputs looks at %d', async (count, expected) => {
  const inputs = Array.from({ length: count }, (_, vout) => {
    return { txid: spent[0]!, vout, scriptSig: '', sequence: 0 }
  })
  expect(await inputsOf(encodeTransaction({ ...transfer, inputs }))).toHaveLength(expected)
})

describe('ancestors', () => {
  const fulfilled = transfer.inputs.find(({ scriptSig }) => scriptSig.length > 200)!.scriptSig
  const made = new Map<string, string>()
  const spending = (tokens: readonly string[], coins: readonly string[]): string => {
    const input = (txid: string, scriptSig = '') => ({
      txid,
      vout: 0,
      scriptSig,
      sequence: made.size,
    })
    const inputs = [
      ...coins.map((txid) => input(txid)),
      ...tokens.map((it) => input(it, fulfilled)),
    ]
    const hex = encodeTransaction({ ...transfer, inputs })
    const txid = transactionId(hex)
    made.set(txid, hex)
    return txid
  }
  const origin = 'ab'.repeat(32)
  const [one, two] = [spending([origin], []), spending([origin], [])]
  const strangers = spending([spending([origin], [])], [])
  const short = spending([one, two], [])
  const long = spending([spending([short], [])], [])
  const asset = made.get(spending([long, short], [strangers]))!

  const fetch = async (most?: number) => {
    const { client, askedOf } = clientOf({
      getrawtransaction: answersFrom(made),
    })
    const fetched = createFetched(daemonSource(client, {}), {})
    await fetched.fetch([long, short, strangers])
    const before = askedOf('getrawtransaction').length
    const options = most === undefined ? {} : { ancestorsMax: most }
    await fetchAncestors(asset, [origin], fetched, options)
    const asked = askedOf('getrawtransaction').slice(before)
    return asked.map(([, given]) => (given as { txid: string }).txid)
  }
  const between = decodeTransaction(made.get(long)!).inputs[0]!.txid

  test('ancestors of coins are not asked for, and no more than are allowed', async () => {
    expect(await fetch()).toEqual([between, one, two, origin])
    expect(await fetch(3)).toEqual([between, one, two])
    expect(await fetch(2)).toEqual([between, one])
  })

  const engine = replaceableEngine()

  test('are read once, however many ways lead to them', async () => {
    const decode = engine.decodeWithTxid!
    const read: unknown[] = []
    engine.decodeWithTxid = (...given) => {
      read.push(given[0])
      return Reflect.apply(decode, engine, given)
    }
    await fetch()
    const times = (txid: string) => read.filter((hex) => hex === made.get(txid)).length
    // when it arrives, and when its parents are looked for
    for (const txid of [long, short, between, one, two])
      expect([txid, times(txid)]).toEqual([txid, 2])
  })
})

describe('intents', () => {
  /** A wallet's daemon that makes the recorded transfer, and gets it nowhere. */
  const daemon = (more: Answers = {}) =>
    clientOf({
      call: () => ({ hex: transferHex }),
      getrawtransaction: answersFrom(
        new Map([...chainHex].filter(([txid]) => txid !== transferTxid)),
      ),
      getblockcount: () => 12,
      sendrawtransaction: () => Promise.reject(lost),
      ...more,
    })
  const { tokenid, destination, amount, from } = transferIntent

  test('ask for just that transfer', async () => {
    const { client, askedOf } = daemon()
    await transferToken(client, transferIntent, { dryRun: true })
    const [[, method, params]] = askedOf('call') as [[string, string, string[]]]
    expect([method, ...params]).toEqual(['tokentransfer', tokenid, destination, `${amount}`])
  })

  test('may name their one recipient in a list', async () => {
    const { client } = daemon()
    const recipients = [{ pubkey: destination, amount }]
    const given = { ...transferIntent, recipients }
    expect((await transferToken(client, given, { dryRun: true })).held).toBe('dry-run')
  })

  test.each([
    ['another recipient', { destination: c }],
    ['another amount', { amount: 99n }],
    ['another token', { tokenid: 'ab'.repeat(32) }],
    ['another sender', { from: b }],
  ])(
    'intents with %s are another payment: what was sent for one is not sent for it',
    async (_, change) => {
      const { client, askedOf, built } = daemon()
      await expect(transferToken(client, transferIntent)).rejects.toThrow(lost.message)
      expect(askedOf('sendrawtransaction')).toHaveLength(1)
      const other = await transferToken(client, { ...transferIntent, ...change })
      expect(other.held).toBe('rejected')
      expect(askedOf('sendrawtransaction')).toHaveLength(1)
      expect(built()).toHaveLength(2)
      // and the same one, spelled otherwise, is
      const same = { tokenid: tokenid.toUpperCase(), from: from.toUpperCase() }
      await expect(transferToken(client, { ...transferIntent, ...same })).rejects.toThrow(
        lost.message,
      )
      expect(askedOf('sendrawtransaction')).toHaveLength(2)
      expect(built()).toHaveLength(2)
    },
  )

  test.each([
    ['another amount', { amount: 99n }],
    ['another recipient', { destination: c }],
  ])('intents with %s have room for attempts of their own', async (_, change) => {
    const { client } = daemon()
    const earlier = Array.from({ length: 17 }, (_, at) =>
      encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + at + 1 }),
    )
    const first = await transferToken(client, transferIntent, { earlier })
    expect(first.held).toBe('too-many-attempts')
    const more = encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + 100 })
    const second = { ...transferIntent, ...change }
    expect((await transferToken(client, second, { earlier: more })).held).toBe('rejected')
  })

  test.each([
    ['other data', { data: '01' }, { data: '02' }],
    ['other properties', { properties: { id: 1 } }, { properties: { id: 2 } }],
    ['another version', { version: 1 }, { version: 2 }],
  ] as const)(
    'intents to create with %s have room for attempts of their own',
    async (_, one, other) => {
      const { client } = daemon()
      const intent = { ...createIntent, network: networks.tokel }
      const earlier = Array.from({ length: 17 }, (_, at) =>
        encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + at + 1 }),
      )
      const first = await createToken(client, { ...intent, ...one }, { earlier })
      expect(first.held).toBe('too-many-attempts')
      const more = encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + 100 })
      const second = await createToken(client, { ...intent, ...other }, { earlier: more })
      expect(second.held).toBe('rejected')
      const same = await createToken(client, { ...intent, ...one }, { earlier: more })
      expect(same.held).toBe('too-many-attempts')
    },
  )

  const properties = { id: 1, url: 'u', royalty: 2, arbitrary: 'ab' }

  test.each([
    ['properties in another order', { arbitrary: 'ab', royalty: 2, url: 'u', id: 1 }, true],
    ['hex in capitals', { ...properties, arbitrary: 'AB' }, true],
    ['another id', { ...properties, id: 2 }, false],
    ['another url', { ...properties, url: 'U' }, false],
    ['another royalty', { ...properties, royalty: 1 }, false],
    ['another content', { ...properties, arbitrary: 'ac' }, false],
    ['one that says less', { id: 1, url: 'u', royalty: 2 }, false],
  ])(
    'creations with %s count as one payment only if they say the same',
    async (_, other, isSame) => {
      const { client } = daemon()
      const intent = { ...createIntent, network: networks.tokel }
      const earlier = Array.from({ length: 17 }, (_, at) =>
        encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + at + 1 }),
      )
      await createToken(client, { ...intent, properties }, { earlier })
      const given = { ...intent, properties: other }
      const again = await createToken(client, given, { earlier: transferHex })
      expect(again.held).toBe(isSame ? 'too-many-attempts' : 'rejected')
    },
  )

  test('intents of several tokens are the same in any order', async () => {
    const { client } = daemon()
    const earlier = Array.from({ length: 17 }, (_, at) =>
      encodeTransaction({ ...transfer, expiryHeight: transfer.expiryHeight + at + 1 }),
    )
    const [one, two, three] = ['01', '02', '03'].map((byte) => byte.repeat(32)) as [
      string,
      string,
      string,
    ]
    const given = (tokenids: readonly [string, string]) => ({
      ...transferIntent,
      network: networks.tokel,
      tokenid: tokenids[0],
      tokenids,
    })
    await transferToken(client, given([one, two]), { earlier })
    const again = await transferToken(client, given([two, one]), { earlier: transferHex })
    expect(again.held).toBe('too-many-attempts')
    const other = await transferToken(client, given([one, three]), { earlier: transferHex })
    expect(other.held).toBe('rejected')
  })

  test('intents whose attempt is lost again when it is sent again are not paid anew', async () => {
    const { client, built } = daemon()
    for (const _ of [1, 2, 3]) {
      await expect(transferToken(client, transferIntent)).rejects.toThrow(lost.message)
    }
    expect(built()).toHaveLength(1)
  })

  test('intents whose attempt has expired are paid anew, by what conflicts with it', async () => {
    const later = sign(
      { tx: { ...transfer, expiryHeight: transfer.expiryHeight + 100 } },
      { keys: privateKeys },
    )
    let tip = 12
    const { client } = daemon({
      call: () => ({ hex: later }),
      getblockcount: () => tip,
      sendrawtransaction: ({ hex }: { hex: string }) => transactionId(hex),
    })
    tip = transfer.expiryHeight
    const result = await transferToken(client, transferIntent, { earlier: transferHex })
    expect(result.txid).toBe(transactionId(later))
  })

  // rpc-daemon.md, getrawtransaction: hex of the transaction with that id, which a daemon may not
  // give
  test.each<[string, string, boolean]>([
    ['another transaction', createHex, false],
    ['the transaction in capitals', transferHex.toUpperCase(), true],
  ])('an attempt is settled by its own bytes alone: %s', async (_, shown, isSettled) => {
    const answers = answersFrom(new Map([...chainHex, [transferTxid, shown]]))
    const { client, askedOf } = daemon({ getrawtransaction: answers })
    const sent = transferToken(client, transferIntent, { earlier: transferHex })
    if (isSettled) expect(await sent).toMatchObject({ txid: transferTxid })
    else {
      const unsettled = [{ txid: transferTxid, hex: transferHex }]
      await expect(sent).rejects.toMatchObject({ kind: 'transport', uncertain: true, unsettled })
    }
    expect(askedOf('sendrawtransaction')).toHaveLength(isSettled ? 0 : 1)
  })

  test('a failure before the journal has an earlier attempt names that attempt', async () => {
    const journal = memoryJournal()
    const { client, askedOf } = daemon({ call: () => Promise.reject(lost) })
    const sent = transferToken(client, transferIntent, { journal, earlier: transferHex })
    const unsettled = [{ txid: transferTxid, hex: transferHex }]
    await expect(sent).rejects.toMatchObject({ uncertain: true, txid: transferTxid, unsettled })
    expect(await journal.read(0)).toEqual([])
    expect(askedOf('sendrawtransaction')).toEqual([])
  })

  test('intents that are settled leave nothing behind', async () => {
    const forgotten = vi.spyOn(Map.prototype, 'delete')
    const { client } = daemon()
    await transferToken(client, transferIntent, { dryRun: true })
    const keys = forgotten.mock.calls.map(([key]) => key)
    forgotten.mockRestore()
    expect(keys).toContainEqual(expect.stringContaining(tokenid))
  })
})
