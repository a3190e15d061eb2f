// Several sources as one: what they agree on, and what they contradict each other in.

import { beforeAll, describe, expect, test } from 'vitest'

import { createElectrumClient } from '../../../src/electrum/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import {
  type ChainSource,
  createWallet,
  devNodeChain,
  electrumChain,
  privateKeySigner,
  quorum,
} from '../../../src/wallet/index.ts'

const txidA = 'aa'.repeat(32)
const txidB = 'bb'.repeat(32)
const hash = 'cc'.repeat(32)

/** A source that answers what a test gives it. */
function source(name: string, changes: Partial<ChainSource> = {}): ChainSource {
  return {
    name,
    tip: async () => ({ height: 100, time: 1_700_000_000, hash }),
    unspent: async () => [],
    history: async () => [],
    transactions: async (txids) => txids.map(() => undefined),
    broadcast: async () => txidA,
    ...changes,
  }
}

const listing = (...heights: readonly number[]): Partial<ChainSource> => ({
  history: async () => heights.map((height, at) => ({ txid: at === 0 ? txidA : txidB, height })),
  unspent: async () =>
    heights.map((height, at) => ({ txid: at === 0 ? txidA : txidB, vout: 0, height })),
})

const atHeight = (height: number): Partial<ChainSource> => ({
  tip: async () => ({ height, time: 1_700_000_000, hash: `${height}`.padStart(64, '0') }),
})

describe('sources', () => {
  test('a source that is there twice counts once, and two of one name are refused', () => {
    const [a, b] = [source('a'), source('b')]
    expect(() => quorum([a, a, b], 3)).toThrow(TypeError)
    expect(() => quorum([a, a, b], 3)).toThrow('1 to 2')
    expect(() => quorum([a, source('a'), b], 1)).toThrow(
      'two sources have the name a; give each its own `name`',
    )
    expect(quorum([a, a, b], 2).name).toBe('2 of a, b')
    expect(() => quorum([a, b], 0)).toThrow(TypeError)
  })

  test('sources that fall back on one server are refused, however it is written', () => {
    const [a, b, c] = ['tcp://127.0.0.1:1', 'tcp://127.0.0.1:2', 'tcp://localhost:3']
    const [ab, cb] = [electrumChain([a, b]), electrumChain([c, b])]
    const [upper, aa] = [electrumChain([c.toUpperCase()]), electrumChain([a, a])]
    expect(() => quorum([ab, cb], 2)).toThrow(`share the server ${b}`)
    expect(() => quorum([cb, upper], 2)).toThrow(TypeError)
    expect(quorum([upper, aa], 2).name).toContain(`${c}, Electrum server ${a}`)
    for (const chain of [ab, cb, upper, aa]) chain.close()
  })

  test('sources on clients have the names and the servers of their clients', () => {
    const clients = [1, 2, 1].map((port) =>
      createElectrumClient({ servers: [`tcp://127.0.0.1:${port}`] }),
    )
    const [a, b, again] = clients.map((client) => electrumChain(client))
    const names = [1, 2].map((port) => `Electrum server tcp://127.0.0.1:${port}`).join(', ')
    expect(quorum([a!, b!], 1).name).toBe(`1 of ${names}`)
    expect(() => quorum([a!, b!, again!], 1)).toThrow(TypeError)
    for (const client of clients) client.close()
  })

  test('sources on clients that name no servers are told apart by their names', () => {
    const client = { call: async () => undefined, server: () => undefined, close: () => undefined }
    const of = (name?: string) => electrumChain(client as never, name === undefined ? {} : { name })
    expect(() => quorum([of(), of()], 1)).toThrow('the name Electrum server; give each its own')
    expect(quorum([of('a'), of('b')], 1).name).toBe('1 of a, b')
    expect(() => electrumChain(client as never, { title: 'a' } as never)).toThrow(TypeError)
  })

  test.each([
    ['tcp://127.0.0.1', 'tcp://127.0.0.1:50001'],
    ['tcp://127.1:1', 'TCP://127.0.0.1:00001'],
    ['ssl://[::1]:1', 'ssl://[0:0:0:0:0:0:0:1]:1'],
    ['ws://LOCALHOST/', 'ws://localhost:80'],
  ])('%s and %s are one server', (one, other) => {
    const WebSocket = class {} as never
    const a = electrumChain({ servers: ['tcp://127.0.0.1:7', one], WebSocket })
    const b = electrumChain({ servers: [other], WebSocket })
    expect(() => quorum([a, b], 2)).toThrow('share the server')
    for (const chain of [a, b]) chain.close()
  })

  test('sources that do not answer leave the others, as long as enough do', async () => {
    const broken = source('c', {
      tip: async () => {
        throw new RpcError('transport', 'no connection', { reason: 'not_connected' })
      },
    })
    expect(await quorum([source('a'), source('b'), broken], 2).tip()).toMatchObject({ height: 100 })
    await expect(quorum([source('a'), broken], 2).tip()).rejects.toMatchObject({
      kind: 'transport',
      message: expect.stringContaining('1 of 2 sources answered, 2 are needed'),
    })
  })

  test('a source that does not tell its chain stops no payment, as long as enough do', async () => {
    const failing = async () => {
      throw new RpcError('transport', 'no connection', { reason: 'not_connected' })
    }
    const broken = source('c', { chain: failing })
    const [a, b] = ['a', 'b'].map((name) => source(name, { chain: async () => hash }))
    expect(await quorum([a!, b!, broken], 2).chain!()).toBe(hash)
    await expect(quorum([a!, broken], 2).chain!()).rejects.toMatchObject({ kind: 'transport' })
  })

  test('a source of another chain stops no payment, and is named, as long as enough agree', async () => {
    const [a, b] = ['a', 'b'].map((name) => source(name, { chain: async () => hash }))
    const [other, another] = ['c', 'd'].map((name) => source(name, { chain: async () => txidA }))
    const chain = quorum([other!, a!, b!], 2)
    expect(await chain.chain!()).toBe(hash)
    expect(chain.findings()).toMatchObject([
      {
        code: 'source_disagrees',
        source: 'c',
        actual: txidA,
        expected: `block 1 ${hash}, as by a, b`,
      },
    ])
    const divided = quorum([a!, b!, other!, another!], 2)
    await expect(divided.chain!()).rejects.toThrow('different chains')
    await expect(quorum([a!, b!, other!], 3).chain!()).rejects.toThrow('different chains')
  })

  test('sources of different chains are refused', async () => {
    const chains = [txidA, txidB].map((first, at) => source(`${at}`, { chain: async () => first }))
    await expect(quorum(chains, 1).chain!()).rejects.toMatchObject({ kind: 'shape' })
    expect(await quorum([chains[0]!, source('x')], 1).chain!()).toBe(txidA)
  })
})

describe('the last block', () => {
  test('is the highest that enough sources have reached', async () => {
    const sources = [102, 101, 2_000_000_000].map((height) => source(`${height}`, atHeight(height)))
    expect((await quorum(sources, 2).tip()).height).toBe(102)
    expect((await quorum(sources, 3).tip()).height).toBe(101)
  })

  test.each([
    ['later', 9_999_999_999, hash, 100],
    ['earlier', 1, hash, 100],
    ['later, for a block of its own', 9_999_999_999, txidB, 100],
    ['later, while another source is behind', 9_999_999_999, txidB, 99],
  ])('has no time that one source alone reports: %s', async (_, time, other, height) => {
    const liar = source('a', { tip: async () => ({ height: 100, time, hash: other }) })
    const third = source('c', height === 100 ? {} : atHeight(height))
    const chain = quorum([liar, source('b'), third], 2)
    expect(await chain.tip()).toMatchObject({ height: 100, time: 1_700_000_000 })
    expect(chain.findings()).not.toEqual([])
  })

  test('is that of most, and the others are named', async () => {
    const other = source('c', {
      tip: async () => ({ height: 100, time: 1, hash: txidB }),
    })
    const chain = quorum([source('a'), source('b'), other], 2)
    expect((await chain.tip()).hash).toBe(hash)
    expect(chain.findings()).toMatchObject([{ code: 'source_disagrees', source: 'c' }])
  })
})

describe('a transaction in a block', () => {
  test('a transaction that one source leaves out counts, and that source is named', async () => {
    const chain = quorum([source('a', listing(90)), source('b', listing(90)), source('c')], 2)
    await chain.tip()
    expect(await chain.history([])).toEqual([{ txid: txidA, height: 90 }])
    expect(await chain.unspent([])).toMatchObject([{ txid: txidA }])
    expect(chain.findings()).toMatchObject([
      { code: 'source_disagrees', source: 'c', txid: txidA, expected: 'listed, as by a, b' },
    ])
  })

  test('a transaction that one source invents does not count, and that source is named', async () => {
    const chain = quorum([source('a', listing(90)), source('b'), source('c')], 2)
    await chain.tip()
    expect(await chain.history([])).toEqual([])
    expect(await chain.unspent([])).toEqual([])
    expect(chain.findings()).toMatchObject([
      { code: 'source_disagrees', source: 'a', txid: txidA, expected: 'absent, as by b, c' },
    ])
  })

  test('a transaction that a source behind does not have is not a contradiction', async () => {
    const sources = [
      source('a', { ...atHeight(101), ...listing(101) }),
      source('b', { ...atHeight(101), ...listing(101) }),
      source('c', atHeight(100)),
    ]
    const chain = quorum(sources, 2)
    await chain.tip()
    expect(await chain.history([])).toEqual([{ txid: txidA, height: 101 }])
    expect(chain.findings()).toEqual([])
  })

  test.each([
    ['in no block', 0, 90, 'in no block'],
    ['in an older block', 1, 90, 'in block 1'],
    ['in a younger block', 99, 90, 'in block 99'],
    ['in a block while the others wait for one', 90, 0, 'in block 90'],
  ])('has no height that one source alone reports: %s', async (_, height, agreed, actual) => {
    for (const at of [0, 1, 2]) {
      const honest = ['a', 'b'].map((name) => source(name, listing(agreed)))
      const chain = quorum(honest.toSpliced(at, 0, source('liar', listing(height))), 2)
      await chain.tip()
      expect(await chain.unspent([])).toEqual([{ txid: txidA, vout: 0, height: agreed }])
      expect(await chain.history([])).toEqual([{ txid: txidA, height: agreed }])
      expect(chain.findings()).toMatchObject([
        { code: 'source_disagrees', source: 'liar', txid: txidA, actual },
      ])
    }
  })

  test('has no height above the last block of the source that reports it', async () => {
    const sources = [listing(90), listing(90), listing(4_000_000)]
    const chain = quorum(
      sources.map((it, at) => source(`${at}`, it)),
      2,
    )
    expect(await chain.history([])).toEqual([{ txid: txidA, height: 90 }])
    expect(chain.findings()).toContainEqual(
      expect.objectContaining({ code: 'source_height_above_tip', source: '2' }),
    )
    const both = quorum([source('a', listing(90)), source('b', listing(4_000_000))], 2)
    expect(await both.history([])).toEqual([{ txid: txidA, height: 0 }])
  })

  test('has the height of the others while one source has not reached the block', async () => {
    const stalled = source('c', { ...atHeight(80), ...listing(0) })
    const chain = quorum([source('a', listing(90)), source('b', listing(90)), stalled], 2)
    await chain.tip()
    expect(await chain.history([])).toEqual([{ txid: txidA, height: 90 }])
    expect(await chain.unspent([])).toMatchObject([{ height: 90 }])
    expect(chain.findings()).toEqual([])
  })

  test('asks for the tips again if a height is above one, and names a source that is still below', async () => {
    let height = 100
    const growing = ['a', 'b'].map((name) =>
      source(name, {
        tip: async () => ({ height, time: 1_700_000_000, hash }),
        history: async () => {
          height = 101
          return [{ txid: txidA, height: name === 'a' ? 0 : 101 }]
        },
      }),
    )
    const chain = quorum([...growing, source('c', listing(101))], 2)
    await chain.tip()
    expect(await chain.history([])).toEqual([{ txid: txidA, height: 0 }])
    expect(chain.findings()).toMatchObject([{ source: 'c', code: 'source_height_above_tip' }])
  })

  test('has the younger of two heights', async () => {
    const chain = quorum([source('a', listing(90)), source('b', listing(0))], 2)
    expect(await chain.history([])).toEqual([{ txid: txidA, height: 0 }])
  })
})

test('two spenders of one coin are named, also by a source that is behind', async () => {
  await using node = await createDevNode({ listen: false, mine: 'manual' })
  const [alice, bob] = node.identities
  node.fund(alice.address, 50_000_000n)
  node.mine(101)
  const real = devNodeChain(node)
  const snapshot = node.snapshot()
  const paid: { readonly txid: string; readonly hex: string }[] = []
  for (const amount of [1_000_000n, 2_000_000n]) {
    const wallet = await createWallet({ signers: [privateKeySigner(alice.wif)], chain: real })
    const { txid } = await wallet.pay({ to: bob.address, amount })
    const [hex] = await real.transactions([txid!])
    paid.push({ txid: txid!, hex: hex! })
    node.revert(snapshot)
  }
  const seen = (at: number, height: number): Partial<ChainSource> => ({
    history: async () => [{ txid: paid[at]!.txid, height }],
    transactions: async (txids) => txids.map((it) => paid.find(({ txid }) => txid === it)?.hex),
  })
  const chain = quorum(
    [source('a', { ...atHeight(101), ...seen(0, 101) }), source('b', { ...seen(1, 0) })],
    2,
  )
  await chain.tip()
  expect(await chain.history([])).toEqual([])
  expect(chain.findings()).toMatchObject([
    { code: 'source_disagrees', expected: paid[0]!.txid, actual: paid[1]!.txid },
  ])
})

describe('transactions', () => {
  test('come from the next source where one gives others, or none', async () => {
    await using node = await createDevNode({ listen: false })
    const txid = node.fund(node.identities[0].address, 1_000_000n)
    const real = devNodeChain(node)
    const [hex] = await real.transactions([txid])
    const false_ = source('a', { transactions: async () => [hex!.replace(/.$/, '1')] })
    const broken = source('b', {
      transactions: async () => {
        throw new RpcError('transport', 'no connection')
      },
    })
    expect(await quorum([false_, broken, real], 1).transactions([txid])).toEqual([hex])
    expect(await quorum([false_, source('c')], 1).transactions([txid])).toEqual([undefined])
    await expect(quorum([broken], 1).transactions([txid])).rejects.toMatchObject({
      kind: 'transport',
    })
  })

  test('are sent to every source, and an uncertain error weighs more than a refusal', async () => {
    const sent: string[] = []
    const failing = (name: string, error: RpcError) =>
      source(name, {
        broadcast: async () => {
          sent.push(name)
          throw error
        },
      })
    const refusing = failing('a', new RpcError('daemon', 'refused', { code: -26 }))
    const silent = failing('b', new RpcError('timeout', 'no answer', { uncertain: true }))
    expect(await quorum([refusing, silent, source('c')], 1).broadcast('00')).toBe(txidA)
    expect(sent).toEqual(['a', 'b'])
    await expect(quorum([refusing, silent], 1).broadcast('00')).rejects.toMatchObject({
      uncertain: true,
    })
    await expect(quorum([refusing], 1).broadcast('00')).rejects.toMatchObject({ kind: 'daemon' })
    // A server that was not reached says nothing of the others, whatever they answered.
    const absent = failing('c', new RpcError('transport', 'absent', { reason: 'not_connected' }))
    const repeated = new RpcError('daemon', 'refused', { code: -25, uncertain: true })
    const broken = new TypeError('of a source of the caller')
    for (const open of [silent, failing('d', repeated)]) {
      for (const order of [
        [absent, open],
        [open, absent],
        [refusing, absent, open],
      ]) {
        await expect(quorum(order, 1).broadcast('00')).rejects.toMatchObject({ uncertain: true })
      }
    }
    const own = failing('e', broken as never)
    await expect(quorum([absent, refusing, own], 1).broadcast('00')).rejects.toBe(broken)
    await expect(quorum([absent, refusing], 1).broadcast('00')).rejects.not.toHaveProperty(
      'uncertain',
    )
  })
})

describe('a transaction that is sent', () => {
  let [hex, txid, otherHex] = ['', '', '']
  beforeAll(async () => {
    await using node = await createDevNode({ listen: false })
    txid = node.fund(node.identities[0].address, 1_000_000n)
    const other = node.fund(node.identities[1].address, 1_000_000n)
    const shown = await devNodeChain(node).transactions([txid, other])
    ;[hex, otherHex] = [shown[0]!, shown[1]!]
  })
  const refusal = new RpcError('daemon', 'refused', { code: -25 })
  const refuses: Partial<ChainSource> = { broadcast: () => Promise.reject(refusal) }
  const takes: Partial<ChainSource> = { broadcast: async () => txid.toUpperCase() }
  const falseTxid: Partial<ChainSource> = { broadcast: async () => txidB }
  const has: Partial<ChainSource> = { ...refuses, transactions: async () => [hex] }
  const hasOther: Partial<ChainSource> = { ...refuses, transactions: async () => [otherHex] }
  const breaks: Partial<ChainSource> = {
    ...refuses,
    transactions() {
      throw new TypeError('broken')
    },
  }
  const of = (...all: readonly Partial<ChainSource>[]) =>
    quorum(
      all.map((it, at) => source(`${at}`, it)),
      2,
    )

  test.each([
    ['two take it', [takes, refuses, takes]],
    ['two take it, and one answers with another txid', [falseTxid, takes, takes]],
    ['one takes it, and one has it', [has, refuses, takes]],
    ['two have it', [has, has, refuses]],
    ['two have it, and one breaks', [breaks, has, has]],
  ])('is accepted where %s', async (_, sources) => {
    expect(await of(...sources).broadcast(hex)).toBe(txid)
  })

  test.each([
    ['one takes it', [takes, refuses, refuses]],
    ['one takes it, and one breaks', [takes, breaks, refuses]],
    ['one has it', [refuses, has, refuses]],
    ['one takes it, and one shows another transaction', [takes, hasOther, refuses]],
    ['one takes it, and one answers with another txid', [takes, falseTxid, refuses]],
    ['one answers with another txid', [refuses, refuses, falseTxid]],
  ])('is uncertain where only %s', async (_, sources) => {
    await expect(of(...sources).broadcast(hex)).rejects.toMatchObject({
      uncertain: true,
      message: expect.stringContaining('2 are needed'),
    })
  })

  const never = () => new Promise<never>(() => {})
  const silent: Partial<ChainSource> = { broadcast: never, transactions: never }
  const hides: Partial<ChainSource> = { ...refuses, transactions: never }

  test.each([
    ['two take it, and one never answers', [silent, takes, takes]],
    ['one takes it, one has it, and one never answers', [takes, silent, has]],
    ['two take it, and one never shows whether it has it', [takes, hides, takes]],
  ])('is accepted where %s', async (_, sources) => {
    expect(await of(...sources).broadcast(hex)).toBe(txid)
  })

  test('is sent to no source after an abort', async () => {
    const sent: string[] = []
    const noting: Partial<ChainSource> = {
      broadcast: async () => {
        sent.push('a')
        return txid
      },
    }
    const failure = of(noting, noting).broadcast(hex, { signal: AbortSignal.abort() })
    await expect(failure).rejects.toMatchObject({ kind: 'aborted' })
    await expect(failure).rejects.not.toHaveProperty('uncertain')
    expect(sent).toEqual([])
  })

  test('is uncertain after an abort that a source does not heed', async () => {
    for (const mute of [silent, hides]) {
      const controller = new AbortController()
      const sent = of(mute, takes, refuses).broadcast(hex, { signal: controller.signal })
      controller.abort()
      await expect(sent).rejects.toMatchObject({ kind: 'aborted', uncertain: true })
    }
  })

  test('is refused where all refuse it, and a false txid is named', async () => {
    await expect(of(refuses, refuses, refuses).broadcast(hex)).rejects.toBe(refusal)
    const chain = of(takes, takes, falseTxid)
    await chain.broadcast(hex)
    expect(chain.findings()).toMatchObject([
      { code: 'source_disagrees', source: '2', txid, actual: txidB },
    ])
  })
})

test('a wallet over a quorum pays, and its findings have those of the quorum', async () => {
  await using node = await createDevNode({ listen: false, mine: 'manual' })
  const [alice, bob] = node.identities
  node.fund(alice.address, 50_000_000n)
  node.mine(101)
  const real = devNodeChain(node)
  const hiding: ChainSource = { ...real, name: 'hiding', history: async () => [] }
  const chain = quorum([{ ...real, name: 'one' }, { ...real, name: 'two' }, hiding], 2)
  const wallet = await createWallet({ signers: [privateKeySigner(alice.wif)], chain })
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  expect(sent.status).toBe('accepted')
  node.mine()
  await wallet.history()
  const findings = wallet.findings()
  expect(findings.length).toBeGreaterThan(0)
  expect(new Set(findings.map(({ code, source: by }) => `${code} ${by}`))).toEqual(
    new Set(['source_disagrees hiding']),
  )
})

test.each([
  ['a source that reports it in no block', 0],
  ['a source that reports another block', 4_000_000],
])('%s does not undo a payment that two others have in a block', async (_, height) => {
  await using node = await createDevNode({ listen: false, mine: 'manual' })
  const [alice, bob] = node.identities
  for (let count = 0; count < 3; count += 1) node.fund(bob.address, 50_000_000n)
  node.mine(101)
  const real = devNodeChain(node)
  let isFalse = false
  const changed = <Item extends { readonly height: number }>(items: readonly Item[]): Item[] =>
    items.map((it) => (isFalse ? { ...it, height } : it))
  const liar: ChainSource = {
    ...real,
    name: 'liar',
    history: async (scripts) => changed(await real.history(scripts)),
    unspent: async (scripts) => changed(await real.unspent(scripts)),
  }
  const chain = quorum([liar, { ...real, name: 'one' }, { ...real, name: 'two' }], 2)
  const wallet = await createWallet({ signers: [privateKeySigner(bob.wif)], chain })
  const sent = await wallet.pay({ to: alice.address, amount: 1_000_000n, id: 'k' })
  node.mine()
  const before = await wallet.balance()
  const stop = new AbortController()
  const events = wallet.events({ signal: stop.signal, pollMs: 20 })
  const seen: string[] = []
  const reading = (async () => {
    for await (const { type } of events) seen.push(type)
  })()
  await new Promise((resolve) => setTimeout(resolve, 100))
  isFalse = true
  node.mine(250)
  const limits = { pollMs: 20, signal: AbortSignal.timeout(5000) }
  const confirmed = await sent.confirmed(limits).catch((error) => error)
  const after = await wallet.balance()
  await new Promise((resolve) => setTimeout(resolve, 100))
  stop.abort()
  await reading
  expect(confirmed.confirmations).toBe(251)
  expect(after.confirmed).toBe(before.confirmed)
  expect(seen).not.toContain('reorganized')
  const named = wallet.findings().map((it) => `${it.code} ${it.source} ${it.txid}`)
  expect(named).toContain(`source_disagrees liar ${sent.txid}`)
})
