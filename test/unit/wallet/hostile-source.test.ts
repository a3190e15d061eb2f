// A chain source may answer anything: what the wallet names, what it never believes.

import { expect, test, vi } from 'vitest'

import { createFindings } from '../../../src/chain-source/source-findings.ts'
import {
  addressOf,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
} from '../../../src/index.ts'
import { checkedSource } from '../../../src/wallet/checked-source.ts'
import {
  type ChainSource,
  type HistoryEntry,
  memoryJournal,
  type SourceFindingCode,
} from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

/** The address of a third party. */
const otherKey = addressOf(publicKeyOf('7'.padStart(64, '0')), networks.assetChain)

type Tamper = (chain: ChainSource) => Partial<ChainSource>

const rows: {
  readonly title: string
  readonly code: SourceFindingCode
  readonly tamper: Tamper
}[] = [
  {
    title: 'an output of somebody else',
    code: 'source_foreign_coin',
    tamper: (chain) => ({
      async unspent(scripts) {
        const { height } = await chain.tip()
        const own = await chain.unspent(scripts)
        const [first] = own
        const hex = (await chain.transactions([first!.txid]))[0]!
        const foreign = decodeTransaction(hex).outputs.findIndex(
          ({ script }) => !scripts.includes(script),
        )
        return [...own, { txid: first!.txid, vout: foreign, height }]
      },
    }),
  },
  {
    title: 'an output that its transaction does not have',
    code: 'source_no_such_output',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, { ...own[0]!, vout: 4_000_000 }]
      },
    }),
  },
  {
    title: 'every output twice, in another case of letters',
    code: 'source_repeated_coin',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, ...own.map((it) => ({ ...it, txid: it.txid.toUpperCase() }))]
      },
    }),
  },
  {
    title: 'a transaction that it does not give',
    code: 'source_missing_transaction',
    tamper: (chain) => ({
      unspent: async (scripts) => [
        ...(await chain.unspent(scripts)),
        { txid: 'ab'.repeat(32), vout: 0, height: 1 },
      ],
    }),
  },
  {
    title: 'a block above its last one',
    code: 'source_height_above_tip',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, { ...own[0]!, vout: 0, height: 0xffff_ffff }].reverse()
      },
    }),
  },
  {
    title: 'an amount that the bytes do not have',
    code: 'source_false_value',
    tamper: (chain) => ({
      unspent: async (scripts) =>
        (await chain.unspent(scripts)).map((output) => ({ ...output, value: 21_000_000n })),
    }),
  },
  {
    title: 'two heights of one transaction',
    code: 'source_changed_height',
    tamper: (chain) => ({
      unspent: async (scripts) => {
        const own = await chain.unspent(scripts)
        return [...own, { ...own[0]!, vout: 4_000_000, height: own[0]!.height + 1 }]
      },
    }),
  },
  {
    title: 'entries of other forms',
    code: 'source_malformed_answer',
    tamper: (chain) => ({
      unspent: async (scripts) =>
        [
          ...(await chain.unspent(scripts)),
          null,
          7,
          { txid: 'zz', vout: 0, height: 1 },
          { txid: 'ab'.repeat(32), vout: -1, height: 1 },
          { txid: 'ab'.repeat(32), vout: 0, height: 1.5 },
        ] as never,
    }),
  },
]

test.each(rows)('names $title and does not count it', async ({ code, tamper }) => {
  const { node, alice, chain } = await fundedNode()
  const honest = await (await openWallet(alice, chain)).balance()
  const wallet = await openWallet(alice, tampered(chain, tamper(chain)))
  const { total } = await wallet.balance()
  expect(total).toBeLessThanOrEqual(honest.total)
  expect(wallet.findings().map((finding) => finding.code)).toContain(code)
  await node.close()
})

test('reads amounts from bytes that hash to the txid, not from other bytes', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const richer = tampered(chain, {
    async transactions(txids) {
      const found = await chain.transactions(txids)
      return found.map((hex) => {
        if (hex === undefined) return undefined
        const { outputs, ...rest } = decodeTransaction(hex)
        const doubled = outputs.map((output) => ({ ...output, value: output.value * 2n }))
        return encodeTransaction({ ...rest, outputs: doubled })
      })
    },
  })
  const wallet = await openWallet(alice, richer)
  expect((await wallet.balance()).total).toBe(0n)
  expect(wallet.findings().map(({ code }) => code)).toContain('source_missing_transaction')
  await expect(wallet.pay({ to: bob.address, amount: 1000n })).rejects.toMatchObject({
    code: 'insufficient_coins',
  })
  await node.close()
})

test('reads the amounts that the daemon states beside the bytes', async () => {
  const { node, alice, chain } = await fundedNode()
  const stated = await chain.unspent([(await openWallet(alice, chain)).addresses()[0]!.scripts[0]!])
  expect(stated.filter(({ value }) => value === 50_000_000n)).toHaveLength(1)
  const wallet = await openWallet(alice, chain)
  await wallet.balance()
  expect(wallet.findings()).toEqual([])
  await node.close()
})

test('names heights that change while the last block stays', async () => {
  const { node, alice, chain } = await fundedNode()
  let moved = 0
  const moving = tampered(chain, {
    unspent: async (scripts) =>
      (await chain.unspent(scripts)).map((output) => ({
        ...output,
        height: output.height - moved,
      })),
  })
  const wallet = await openWallet(alice, moving)
  await wallet.balance()
  moved = 1
  await wallet.balance()
  expect(wallet.findings().map(({ code }) => code)).toEqual(
    expect.arrayContaining(['source_changed_height']),
  )
  await node.close()
})

const historyRows: {
  readonly title: string
  readonly code: SourceFindingCode
  readonly change: (entries: readonly HistoryEntry[], foreign: string) => readonly unknown[]
}[] = [
  {
    title: 'a transaction twice',
    code: 'source_repeated_transaction',
    change: (entries) => [
      ...entries,
      ...entries.map((it) => ({ ...it, txid: it.txid.toUpperCase() })),
    ],
  },
  {
    title: 'a transaction of others',
    code: 'source_foreign_transaction',
    change: (entries, foreign) => [{ txid: foreign, height: 1 }, ...entries],
  },
  {
    title: 'a transaction that it does not give',
    code: 'source_missing_transaction',
    change: (entries) => [...entries, { txid: 'ab'.repeat(32), height: 1 }],
  },
  {
    title: 'entries of other forms',
    code: 'source_malformed_answer',
    change: (entries) => [null, 7, { txid: 'zz', height: 1 }, ...entries, { height: 1 }],
  },
]

test.each(historyRows)('names $title in the history and leaves it out', async (row) => {
  const { node, alice, bob, chain } = await fundedNode()
  const other = await openWallet(bob, chain)
  const { txid: foreign } = await other.pay({ to: otherKey, amount: 1_000_000n })
  node.mine()
  const honest = await (await openWallet(alice, chain)).history({ limit: 1000 })
  const source = tampered(chain, {
    history: async (scripts) => row.change(await chain.history(scripts), foreign!) as never,
  })
  const wallet = await openWallet(alice, source)
  const listed = await wallet.history({ limit: 1000 })
  expect(listed.map((entry) => ({ ...entry, findings: [] }))).toEqual(honest)
  // An entry names what was repeated as well.
  const named = listed.flatMap(({ findings }) => findings.map(({ code }) => code))
  const isRepeated = row.code === 'source_repeated_transaction'
  expect(named).toEqual(isRepeated ? listed.map(() => row.code) : [])
  expect(new Set(wallet.findings().map(({ code }) => code))).toEqual(new Set([row.code]))
  await node.close()
})

test('a block above the last one confirms nothing', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const source = tampered(chain, {
    history: async (scripts) =>
      (await chain.history(scripts)).map(({ txid, height }) => ({
        txid,
        height: height === 0 ? 4_000_000 : height,
      })),
  })
  const wallet = await openWallet(alice, source)
  const { txid = '' } = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  const signal = AbortSignal.timeout(100)
  await expect(wallet.waitFor(txid, { pollMs: 10, signal })).rejects.toThrow(/timeout/)
  const found = wallet.findings().filter(({ code }) => code === 'source_height_above_tip')
  expect(found).toMatchObject([{ txid, actual: '4000000' }])
  await node.close()
})

test.each([
  ['tip', { height: -1, time: 0 }],
  ['unspent', undefined],
  ['transactions', null],
] as const)(
  '%s that answers in another form is an error, not an empty wallet',
  async (method, answer) => {
    const { node, alice, chain } = await fundedNode()
    const wallet = await openWallet(
      alice,
      tampered(chain, { [method]: async () => answer } as never),
    )
    await expect(wallet.balance()).rejects.toMatchObject({ kind: 'shape', method })
    await node.close()
  },
)

test('a source that takes long is named, and its answer is used', async () => {
  const { node, alice, chain } = await fundedNode()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const source = tampered(chain, {
      async unspent(scripts) {
        await new Promise((resolve) => setTimeout(resolve, 60_000))
        return chain.unspent(scripts)
      },
    })
    const wallet = await openWallet(alice, source)
    const balance = wallet.balance()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(wallet.findings()).toEqual([])
    await vi.advanceTimersByTimeAsync(50_001)
    expect((await balance).total).toBeGreaterThan(0n)
    expect(wallet.findings()).toMatchObject([{ code: 'source_slow', actual: 'unspent' }])
  } finally {
    vi.useRealTimers()
  }
  await node.close()
})

test('a call ends with its own signal, and others that wait for the same answer go on', async () => {
  const { node, alice, chain } = await fundedNode()
  let answers: () => void = () => undefined
  let looks = 0
  const source = tampered(chain, {
    async unspent(scripts, { signal } = {}) {
      looks += 1
      await new Promise<void>((resolve, reject) => {
        answers = resolve
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      return chain.unspent(scripts)
    },
  })
  const wallet = await openWallet(alice, source)
  const [first, second] = [new AbortController(), new AbortController()]
  const aborted = wallet.balance({ signal: first.signal })
  const alsoAborted = wallet.balance({ signal: second.signal })
  const patient = wallet.balance()
  await vi.waitFor(() => expect(looks).toBe(1))
  second.abort(new Error('second'))
  await expect(alsoAborted).rejects.toThrow('second')
  first.abort(new Error('first'))
  await expect(aborted).rejects.toThrow('first')
  await vi.waitFor(() => expect(looks).toBe(2))
  answers()
  expect((await patient).total).toBeGreaterThan(0n)
  await node.close()
})

test('names a coin that the source hides while no transaction spends it', async () => {
  const { node, alice, chain } = await fundedNode()
  let hides = false
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      unspent: async (scripts) => (hides ? [] : chain.unspent(scripts)),
    }),
  )
  const { total } = await wallet.balance()
  expect(total).toBeGreaterThan(0n)
  hides = true
  expect((await wallet.balance()).total).toBe(0n)
  expect(wallet.findings().map(({ code }) => code)).toContain('source_hidden_coin')
  await node.close()
})

test('does not call a spent coin hidden', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  await wallet.pay({ to: bob.address, amount: 1_000_000n })
  await wallet.balance()
  node.mine()
  await wallet.balance()
  expect(wallet.findings()).toEqual([])
  await node.close()
})

test('decides nothing by a source that has fallen behind', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let behind = 0
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      async tip() {
        const tip = await chain.tip()
        return { ...tip, height: tip.height - behind }
      },
    }),
  )
  await wallet.balance()
  behind = 60
  await expect(wallet.pay({ to: bob.address, amount: 1000n })).rejects.toThrow(/its last block is/)
  expect(wallet.findings().map(({ code }) => code)).toContain('source_behind')
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

test('a tip that rises faster than its time is named, and new payments expire as before', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let ahead = 0
  const source = tampered(chain, {
    async tip() {
      const tip = await chain.tip()
      return { ...tip, height: tip.height + ahead }
    },
  })
  const wallet = await openWallet(alice, source)
  await wallet.balance()
  expect(wallet.findings()).toEqual([])
  ahead = 1000
  const { height } = await chain.tip()
  for (const id of ['one', 'two', 'three']) {
    const { report } = await wallet.pay({ to: bob.address, amount: 1000n, id, dryRun: true })
    const { expiryHeight } = decodeTransaction(report.hex)
    expect(expiryHeight).toBe(height + 201)
  }
  expect(wallet.findings()).toMatchObject([
    { code: 'source_tip_ahead', actual: `${height + 1000}` },
  ])
  // The source answers as it should again, and the wallet goes on.
  ahead = 0
  node.mine(2)
  const sent = await wallet.pay({ to: bob.address, amount: 1000n, id: 'four' })
  expect(sent.status).toBe('accepted')
  await node.close()
})

test('a tip that was false from the first answer on lengthens the life of a payment, which is paid once', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const ahead = 1000
  const source = tampered(chain, {
    async tip() {
      const tip = await chain.tip()
      return { ...tip, height: tip.height + ahead }
    },
  })
  const { height } = await chain.tip()
  const journal = memoryJournal()
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  const first = await (await openWallet(alice, source, { journal })).pay(request)
  const { expiryHeight } = decodeTransaction(first.report.hex)
  expect(expiryHeight).toBeGreaterThan(height + ahead)
  // A second process knows the height, and finds the same payment.
  const again = await (await openWallet(alice, chain, { journal })).pay(request)
  expect(again).toMatchObject({ txid: first.txid, repeated: true })
  expect(await node.request('getrawmempool')).toEqual([first.txid])
  await node.close()
})

test('a source that fails ends in its error, never in an empty wallet', async () => {
  const { node, alice, chain } = await fundedNode()
  const failing = tampered(chain, {
    unspent: () => Promise.reject(new Error('history too large')),
  })
  const wallet = await openWallet(alice, failing)
  await expect(wallet.balance()).rejects.toThrow('history too large')
  await expect(wallet.tokens()).rejects.toThrow('history too large')
  await node.close()
})

test.each(['unspent', 'history'] as const)(
  'reads no list with more entries than it takes: %s',
  async (method) => {
    const { node, alice, chain } = await fundedNode()
    const { scripts } = (await openWallet(alice, chain)).addresses()[0]!
    const { length } = await chain[method](scripts)
    const wallet = await openWallet(alice, chain, { entriesMax: length - 1 })
    const read = () => (method === 'unspent' ? wallet.balance() : wallet.history())
    await expect(read()).rejects.toMatchObject({
      kind: 'shape',
      reason: 'reply_too_large',
      message: expect.stringContaining(
        `development node: ${method} has ${length} entries, and the wallet reads at most ${length - 1} (entriesMax). If your keys`,
      ),
    })
    await node.close()
  },
)

test('a bound of lists does not count the transactions that the wallet asks for', async () => {
  const { node, alice, chain } = await fundedNode({ further: 2 })
  const { scripts } = (await openWallet(alice, chain)).addresses()[0]!
  const txids = (await chain.history(scripts)).slice(0, 3).map(({ txid }) => txid)
  const findings = createFindings(chain.name)
  const source = checkedSource(chain, findings, { entriesMax: 2, firstBlock: undefined })
  expect(await source.transactions(txids)).toHaveLength(3)
  await expect(source.history(scripts)).rejects.toMatchObject({ reason: 'reply_too_large' })
  await node.close()
})

test('an answer with another txid leaves the payment uncertain, and the next call finds it', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let tampers = true
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      async broadcast(hex) {
        const txid = await chain.broadcast(hex)
        return tampers ? 'ab'.repeat(32) : txid
      },
    }),
  )
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  const first = await wallet.pay(request)
  expect(first.status).toBe('uncertain')
  expect(first.txid).toMatch(/^[0-9a-f]{64}$/)
  tampers = false
  const again = await wallet.pay(request)
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: first.txid })
  expect(await node.request('getrawmempool')).toEqual([first.txid])
  await node.close()
})

test('a source that relays nothing is sent the same bytes again', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const sent: string[] = []
  const wallet = await openWallet(
    alice,
    tampered(chain, {
      async broadcast(hex) {
        sent.push(hex)
        return sent.length === 1 ? decodeTransaction(hex).txid : chain.broadcast(hex)
      },
    }),
  )
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  expect((await wallet.pay(request)).status).toBe('accepted')
  expect(await node.request('getrawmempool')).toEqual([])
  expect((await wallet.pay(request)).status).toBe('accepted')
  expect(sent[1]).toBe(sent[0])
  expect(await node.request('getrawmempool')).toHaveLength(1)
  await node.close()
})

test('a broadcast that fails without a reason leaves the payment uncertain, and it is paid once', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let hasFailed = false
  const failing = tampered(chain, {
    async broadcast(hex, options) {
      const txid = await chain.broadcast(hex, options)
      if (hasFailed) return txid
      hasFailed = true
      throw new Error('the connection broke')
    },
  })
  const wallet = await openWallet(alice, failing, { journal: memoryJournal() })
  const request = { to: bob.address, amount: 2000n, id: 'rent' }
  const first = await wallet.pay(request)
  expect(first.status).toBe('uncertain')
  expect(first.error).toMatchObject({ cause: new Error('the connection broke') })
  // The report is of the transaction that may have been sent.
  const { hex } = first.unsettled![0]!
  expect(first.report).toMatchObject({ ok: true, broadcast: 'yes', txid: first.txid, hex })
  expect(first.report).not.toHaveProperty('unverified')
  const second = await wallet.pay(request)
  expect(second).toMatchObject({ status: 'accepted', txid: first.txid, repeated: true })
  expect(await node.request('getrawmempool')).toEqual([first.txid])
  await node.close()
})

test('a source that never answers holds up other payments only until the first is aborted', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let isSilent = true
  const silent = tampered(chain, {
    unspent: (scripts, options) =>
      isSilent ? new Promise(() => undefined) : chain.unspent(scripts, options),
  })
  const wallet = await openWallet(alice, silent)
  const controller = new AbortController()
  const waiting = wallet.pay({ to: bob.address, amount: 2000n, signal: controller.signal })
  setTimeout(() => {
    isSilent = false
    controller.abort(new Error('enough'))
  }, 50)
  await expect(waiting).rejects.toThrow('enough')
  const later = new AbortController()
  const given = { to: bob.address, amount: 3000n, signal: later.signal }
  const next = wallet.pay(given).then(({ status }) => status)
  const timeout = new Promise((resolve) => setTimeout(resolve, 20_000, 'no answer'))
  expect(await Promise.race([next, timeout])).toBe('accepted')
  await node.close()
})

test('units without a history are disproven in the list and the history, and never spent', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const maker = await openWallet(bob, chain)
  const { tokenid = '' } = await maker.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const real = await maker.transfer({ tokenid, to: alice.pubkey, amount: 5n })
  node.mine()
  // The same outputs, made from a plain coin: nobody signed these units away.
  const { txid: plain, vout } = (await maker.coins())[0]!
  const made = decodeTransaction(real.report.hex)
  const forgedHex = encodeTransaction({
    ...made,
    inputs: [{ ...made.inputs[0]!, txid: plain, vout }],
  })
  const { txid } = decodeTransaction(forgedHex)
  const { height } = await chain.tip()
  const forging = tampered(chain, {
    unspent: async (scripts) => [...(await chain.unspent(scripts)), { txid, vout: 0, height }],
    history: async (scripts) => [...(await chain.history(scripts)), { txid, height }],
    async transactions(txids) {
      const found = await chain.transactions(txids)
      return found.map((hex, at) => (txids[at] === txid ? forgedHex : hex))
    },
  })
  const wallet = await openWallet(alice, forging)
  expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 5n, disproven: 5n }])
  const [forged, proven] = await wallet.history({ limit: 2 })
  expect(forged).toMatchObject({
    txid,
    units: { [tokenid]: 5n },
    proofs: { [tokenid]: 'disproven' },
  })
  expect(proven).toMatchObject({ txid: real.txid, proofs: { [tokenid]: 'proven' } })
  await expect(wallet.transfer({ tokenid, to: bob.pubkey, amount: 6n })).rejects.toMatchObject({
    code: 'insufficient_tokens',
  })
  // The recipe for a move to a new key leaves out the coins of such a history entry.
  const coins = await wallet.coins({ tokenid })
  expect(coins.map((coin) => coin.txid).toSorted()).toEqual([real.txid, txid].toSorted())
  const amount = coins.find((coin) => coin.txid !== forged!.txid)!.value
  const moved = await wallet.transfer({ tokenid, to: bob.pubkey, amount })
  expect(moved).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('a block between two answers of a source hides no coin, and blames nobody', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let isRacing = false
  const racing = tampered(chain, {
    async unspent(scripts, options) {
      if (isRacing) node.mine()
      return chain.unspent(scripts, options)
    },
  })
  const wallet = await openWallet(bob, racing)
  const { total } = await wallet.balance()
  const payer = await openWallet(alice, chain)
  await payer.pay({ to: bob.address, amount: 1_000_000n })
  expect((await wallet.balance()).total).toBe(total + 1_000_000n)
  isRacing = true
  expect((await wallet.balance()).total).toBe(total + 1_000_000n)
  expect(wallet.findings()).toEqual([])
  await node.close()
})

test('a payment whose wallet reaches its bound is repeated once it takes more', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const sent: string[] = []
  const counted = tampered(chain, {
    async broadcast(hex) {
      sent.push(hex)
      return await chain.broadcast(hex)
    },
  })
  const losing = tampered(chain, {
    async broadcast(hex) {
      await counted.broadcast(hex)
      throw new Error('the connection broke')
    },
  })
  const request = { to: bob.address, amount: 1000n, id: 'once' }
  const first = await openWallet(alice, losing, { journal })
  expect(await first.pay(request)).toMatchObject({ status: 'uncertain' })
  const bounded = await openWallet(alice, counted, { journal, bytesMax: 100 })
  await expect(bounded.pay({ ...request, id: 'other' })).rejects.toThrow('bytesMax')
  const open = await bounded.pay(request)
  expect(open).toMatchObject({ status: 'uncertain', error: { reason: 'reply_too_large' } })
  // This call verified nothing, so its `no` is not about what the first call may have sent.
  expect(open.report).toMatchObject({ ok: false, broadcast: 'no', unverified: true })
  expect(sent).toHaveLength(1)
  const larger = await openWallet(alice, counted, { journal })
  expect(await larger.pay(request)).toMatchObject({ status: 'accepted' })
  expect(new Set(sent).size).toBe(1)
  await node.close()
})
