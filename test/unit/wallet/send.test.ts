// One request, one payment: at once, after a crash, after a reorganization, from another machine.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import {
  addressOf,
  burnPublicKeys,
  chainModules,
  decodeTransaction,
  formatCase,
  networks,
  parseCase,
  publicKeyOf,
  signCase,
} from '../../../src/index.ts'
import { weekOfBlocks } from '../../../src/journal/recorded-payment.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import {
  createWallet,
  devNodeChain,
  fileJournal,
  memoryJournal,
  privateKeySigner,
  type Sent,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const rejects = ({ report }: Pick<Sent, 'report'>) =>
  report.findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code)
const inputsOf = ({ report }: Sent) =>
  decodeTransaction(report.hex).inputs.map(({ txid, vout }) => `${txid}:${vout}`)

function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'antara-wallet-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}

test('a conflict of two lists of thousands of recipients has a message that fits a log', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const pay = (amount: bigint) => {
    const recipients = Array.from({ length: 1000 }, () => ({ to: bob.address, amount }))
    return wallet.pay({ recipients, id: 'hour 1' })
  }
  await pay(1000n)
  const error = await pay(1001n).catch((it) => it)
  expect(error).toMatchObject({ code: 'id_conflict' })
  expect(error.message.length).toBeLessThan(3000)
  expect(JSON.parse(error.context.actual).recipients).toHaveLength(1000)
  await node.close()
})

test('an address of another chain is named by its place among the recipients', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const recipients = [bob.address, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'].map((to) => {
    return { to, amount: 5_000n }
  })
  await expect(wallet.pay({ recipients })).rejects.toMatchObject({
    code: 'unknown_address',
    context: { path: 'recipients[1].to', actual: 'prefix 0' },
  })
  await node.close()
})

test('resume looks for settled payments again until they are deep in the chain', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const { txid } = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  node.mine(100)
  for (let looks = 0; looks < 2; looks += 1) {
    const found = { name: 'id rent', result: { status: 'accepted', repeated: true, txid } }
    expect(await wallet.resume()).toMatchObject([found])
  }
  node.mine()
  let asked = 0
  const counted = tampered(chain, {
    async transactions(...given) {
      asked += 1
      return chain.transactions(...given)
    },
  })
  expect(await (await openWallet(alice, counted, { journal })).resume()).toEqual([])
  expect(asked).toBe(0)
  await node.close()
})

test('two calls at once with one request make one payment', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const request = { to: bob.address, amount: 1_000_000n }
  const [one, other] = await Promise.all([wallet.pay(request), wallet.pay(request)])
  expect(one.txid).toBe(other.txid)
  expect(await node.request('getrawmempool')).toEqual([one.txid])
  await node.close()
})

test('payments with different ids at once spend different coins', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  for (let count = 0; count < 4; count += 1) node.fund(alice.address, 2_000_000n)
  node.mine(101)
  const wallet = await openWallet(alice, chain)
  const sent = await Promise.all(
    ['a', 'b', 'c', 'd'].map((id) => wallet.pay({ to: bob.address, amount: 1_000_000n, id })),
  )
  expect(sent.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
  const spent = sent.flatMap(inputsOf)
  expect(new Set(spent).size).toBe(spent.length)
  await node.close()
})

test('a payment that waits for a person keeps its coins, and frees them when it is declined', async () => {
  const { node, alice, chain } = await fundedNode()
  const wif = '7'.padStart(64, '0')
  const own = addressOf(publicKeyOf(wif), networks.assetChain)
  // Three coins of 50,000,000: the first payment needs two of them.
  for (let count = 0; count < 3; count += 1) node.fund(own, 50_000_000n)
  node.mine(101)
  const wallet = await openWallet({ wif }, chain)
  const [most, some] = [90_000_000n, 40_000_000n]
  let decide: (answer: boolean) => void = () => undefined
  let tellAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve
  })
  const confirm = () => {
    tellAsked()
    return new Promise<boolean>((resolve) => {
      decide = resolve
    })
  }
  const to = alice.address
  const first = wallet.pay({ to, amount: most, id: 'first', confirm })
  await asked
  const second = await wallet.pay({ to, amount: some, id: 'second' })
  expect(second.status).toBe('accepted')
  const third = { to, amount: some, id: 'third' }
  await expect(wallet.pay(third)).rejects.toMatchObject({ code: 'insufficient_coins' })
  decide(false)
  const declined = await first
  expect(declined).toMatchObject({ status: 'held', held: 'declined' })
  expect(inputsOf(declined).some((it) => inputsOf(second).includes(it))).toBe(false)
  expect((await wallet.pay(third)).status).toBe('accepted')
  await node.close()
})

test('a confirm callback that pays the same id gets an answer instead of waiting for itself', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  let inner: Sent | undefined
  const outer = await wallet.pay({
    ...request,
    async confirm() {
      inner = await wallet.pay(request)
      return true
    },
  })
  expect(inner).toMatchObject({ status: 'held', held: 'under-way' })
  expect(outer.status).toBe('accepted')
  await node.close()
})

test('a lack of coins names the payments that have taken them and that no block has', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain, { journal: memoryJournal() })
  const { tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 9n })
  node.mine()
  const before = node.snapshot()
  await wallet.transfer({ tokenid, to: bob.pubkey, amount: 4n, id: 'gold' })
  await wallet.pay({ to: bob.address, amount: 'max', id: 'rent' })
  node.revert(before)
  const { confirmed } = await wallet.balance()
  const actual = expect.stringMatching(`^0, beside ${confirmed} taken by id [a-z]+, id [a-z]+$`)
  const units = '0, beside 9 taken by id gold'
  await expect(wallet.pay({ to: bob.address, amount: 9_000n })).rejects.toMatchObject({
    code: 'insufficient_coins',
    context: { path: 'coins', actual },
  })
  await expect(wallet.transfer({ tokenid, to: bob.pubkey, amount: 2n })).rejects.toMatchObject({
    code: 'insufficient_tokens',
    context: { path: 'tokenCoins', actual: units },
  })
  await node.close()
})

test('a signer that pays the same id gets an answer, and the coins stay reserved', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const { publicKey, sign } = privateKeySigner(alice.wif)
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  const inner: Sent[] = []
  const wallet: Wallet = await createWallet({
    chain,
    signers: [
      {
        publicKey,
        async sign(hash, context) {
          if (inner.length === 0) {
            inner.push(await wallet.pay(request))
            inner.push(await wallet.pay({ ...request, id: 'food' }))
          }
          return sign(hash, context)
        },
      },
    ],
  })
  const outer = await wallet.pay(request)
  expect(outer.status).toBe('accepted')
  expect(inner[0]).toMatchObject({ status: 'held', held: 'under-way' })
  const shared = inputsOf(outer).filter((it) => inputsOf(inner[1]!).includes(it))
  expect(shared).toEqual([])
  await node.close()
})

test.each([
  ['an id without a journal', { id: 'rent' }, {}, true],
  ['an id with a journal', { id: 'rent' }, { journal: memoryJournal() }, undefined],
  ['no id', {}, {}, undefined],
])('with %s, the result says whether memory alone has it', async (_, id, options, expected) => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain, options)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, ...id })
  expect(sent).toMatchObject({ status: 'accepted' })
  expect(sent.onlyInMemory).toBe(expected)
  await node.close()
})

test('no memory has a payment with an id that was declined', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const payment = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  const declined = await wallet.pay({ ...payment, confirm: async () => false })
  expect(declined).toMatchObject({ status: 'held', held: 'declined' })
  expect(declined.onlyInMemory).toBeUndefined()
  await node.close()
})

const day = 86_400_000
test.each([
  ['of 40 days', 40 * day, 40 * day, 1],
  ['without end', Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 1],
  ['of a day', day, undefined, 0],
])(
  'a repeatMs %s is recorded if it is long, and keeps older payments',
  async (_, repeatMs, recorded, kept) => {
    const { node, alice, bob, chain } = await fundedNode()
    const journal = memoryJournal()
    const old = { payment: 'terms old', txid: 'aa'.repeat(32), at: daysAgo(35) }
    const about = { ...old, terms: 'old', request: '{}', hex: '00' }
    const records: object[] = [
      { kind: 'attempt', ...about },
      { kind: 'settled', ...old, height: 3 },
      // The payments of the last 10,080 blocks keep theirs.
      { kind: 'attempt', ...about, payment: 'terms later', at: daysAgo(0) },
      { kind: 'settled', ...old, payment: 'terms later', at: daysAgo(0), height: 3 + weekOfBlocks },
    ]
    for (let each = 0; each < 32; each += 1) {
      const payment = `terms ${each}`
      records.push({ kind: 'attempt', ...about, payment }, { kind: 'forgotten', ...old, payment })
    }
    for (const [at, record] of records.entries()) {
      await journal.append(at + 1, JSON.stringify(record))
    }
    const wallet = await openWallet(alice, chain, { journal })
    await wallet.pay({ to: bob.address, amount: 1_000_000n, repeatMs })
    const texts = (await journal.read(0)).map((text) => JSON.parse(text))
    expect(texts.filter(({ payment }) => payment === 'terms old')).toHaveLength(2 * kept)
    expect(texts.find(({ txid, kind }) => txid !== old.txid && kind === 'attempt').repeatMs).toBe(
      recorded,
    )
    await node.close()
  },
)

function daysAgo(days: number): string {
  return new Date(Date.now() - days * day).toISOString()
}

test('a public key and its address are one payee', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const first = await wallet.pay({ to: bob.pubkey, amount: 1_000_000n })
  const again = await wallet.pay({ to: bob.address, amount: 1_000_000n })
  expect(again).toMatchObject({ txid: first.txid, repeated: true })
  await node.close()
})

test('pays everything with max, and answers the same after a deposit', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const before = (await wallet.balance()).confirmed
  const first = await wallet.pay({ to: bob.address, amount: 'max', id: 'all' })
  expect(first.status).toBe('accepted')
  expect(decodeTransaction(first.report.hex).outputs.map(({ value }) => value)).toEqual([
    before - first.report.fee!,
  ])
  node.fund(alice.address, 9_000_000n)
  const again = await wallet.pay({ to: bob.address, amount: 'max', id: 'all' })
  expect(again).toMatchObject({ txid: first.txid, repeated: true })
  await node.close()
})

test('reads a request once, whatever its getters answer later', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  let reads = 0
  const request = {
    to: bob.address,
    get amount() {
      reads += 1
      return reads === 1 ? 1_000_000n : 40_000_000n
    },
  }
  const sent = await wallet.pay(request)
  expect(sent.report.effects[0]).toMatchObject({ value: 1_000_000n })
  await node.close()
})

test('holds a payment to a key that a module publishes, unless that is allowed', async () => {
  const { node, alice, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const published = chainModules.find(({ key }) => key !== undefined)!.key!.publicKey
  const request = { to: published, amount: 1_000_000n }
  expect(await wallet.pay(request)).toMatchObject({ status: 'held', held: 'warned' })
  await expect(
    wallet.transfer({ tokenid: 'ab'.repeat(32), to: burnPublicKeys.komodo, amount: 1n }),
  ).rejects.toBeInstanceOf(Error)
  expect(await node.request('getrawmempool')).toEqual([])
  const allowed = await wallet.pay({ ...request, allow: ['payee_module_key'] })
  expect(allowed.status).toBe('accepted')
  // An allowed payment is sent again without a second permission.
  node.mine()
  node.reorg(1, { drop: [allowed.txid!] })
  expect(await wallet.resume()).toMatchObject([{ result: { txid: allowed.txid } }])
  expect(await node.request('getrawmempool')).toEqual([allowed.txid])
  await node.close()
})

test('refuses keys that name another address', async () => {
  const { node, chain } = await fundedNode()
  const key = '1'.padStart(64, '0')
  expect(() => privateKeySigner('5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf')).toThrow(
    expect.objectContaining({ code: 'malformed_private_key' }),
  )
  expect(privateKeySigner(key).publicKey).toHaveLength(66)
  const forged = { publicKey: privateKeySigner(key).publicKey }
  await expect(createWallet({ signers: [forged as never], chain })).rejects.toThrow(TypeError)
  expect(JSON.stringify(privateKeySigner(key))).not.toContain(key)
  await node.close()
})

test('does not spend a pending coin of a stranger, and does spend its own change', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, other] = [await openWallet(alice, chain), await openWallet(bob, chain)]
  const all = (await other.balance()).confirmed
  await wallet.pay({ to: bob.address, amount: 30_000_000n })
  expect((await other.balance()).pending).toBe(30_000_000n)
  await expect(other.pay({ to: alice.address, amount: all + 1_000_000n })).rejects.toMatchObject({
    code: 'insufficient_coins',
  })
  const spentChange = await wallet.pay({ to: bob.address, amount: 10_000_000n })
  expect(spentChange.status).toBe('accepted')
  await node.close()
})

test('another process finds the payment of one that was killed before the answer', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const path = temporaryFile('journal')
  const request = { to: bob.address, amount: 1_000_000n, id: 'invoice-17' }
  const journal = fileJournal(path)
  const lost = tampered(chain, {
    async broadcast(hex) {
      await chain.broadcast(hex)
      // The process ends here: nothing is recorded behind this line.
      await journal.close()
      throw new Error('killed')
    },
  })
  const dying = await openWallet(alice, lost, { journal })
  expect(await dying.pay(request)).toMatchObject({ status: 'uncertain' })
  const waiting = (await node.request('getrawmempool')) as string[]
  expect(waiting).toHaveLength(1)

  const next = fileJournal(path)
  const wallet = await openWallet(alice, chain, { journal: next })
  const again = await wallet.pay(request)
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: waiting[0] })
  expect(await node.request('getrawmempool')).toEqual(waiting)
  await next.close()
  await node.close()
})

test('resume sends the recorded bytes after a reorganization removed the payment', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  node.mine()
  expect(await wallet.resume()).toMatchObject([{ result: { status: 'accepted', txid: sent.txid } }])
  node.reorg(1, { drop: [sent.txid!] })
  expect(await node.request('getrawmempool')).toEqual([])
  const [resumed] = await wallet.resume()
  expect(resumed).toMatchObject({
    name: 'id rent',
    result: { status: 'accepted', txid: sent.txid },
  })
  expect(await node.request('getrawmempool')).toEqual([sent.txid])
  await node.close()
})

test.each([
  ['of a server that is not trusted', false],
  ['of a trusted server', true],
])('resume says why a payment can never be mined, by the word %s', async (_, trustSource) => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const silent = tampered(chain, { broadcast: async (hex) => decodeTransaction(hex).txid })
  const wallet = await openWallet(alice, silent, { journal })
  const { txid } = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  node.mine(220)
  const again = await openWallet(alice, chain, { journal, trustSource })
  const [resumed] = await again.resume()
  expect(resumed).toMatchObject({ name: 'id rent', lost: { reason: 'expired', txid } })
  expect(resumed!.result?.status).not.toBe('accepted')
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

// Once the tip is above its expiry height, such a payment would be called lost, and be paid again.
test.each<[string, (payment: string, spent: readonly string[]) => readonly string[]]>([
  ['a transaction that it spends', (_, spent) => spent],
  ['its bytes', (payment) => [payment]],
])(
  'resume never calls a payment lost that the server lists in a block without %s',
  async (_, withheld) => {
    const { node, alice, bob, chain } = await fundedNode()
    const journal = memoryJournal()
    const wallet = await openWallet(alice, chain, { journal })
    const paid = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
    const inputs = decodeTransaction(paid.report.hex).inputs.map(({ txid }) => txid)
    const hidden = withheld(paid.txid!, inputs)
    const hiding = tampered(chain, {
      transactions: async (txids) =>
        (await chain.transactions(txids)).map((hex, at) =>
          hidden.includes(txids[at]!) ? undefined : hex,
        ),
    })
    node.mine(220)
    const again = await openWallet(alice, hiding, { journal })
    const [resumed] = await again.resume()
    expect(resumed!.result?.status).not.toBe('accepted')
    expect(resumed!.lost).toBeUndefined()
    await node.close()
  },
)

test('another key with the same journal does not pay an id again', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const to = addressOf(
    `02${'c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'}`,
    networks.assetChain,
  )
  const request = { to, amount: 1_000_000n, id: 'rent' }
  const first = await (await openWallet(alice, chain, { journal })).pay(request)
  node.mine()
  const rotated = await (await openWallet(bob, chain, { journal })).pay(request)
  expect(rotated).toMatchObject({ status: 'accepted', repeated: true, txid: first.txid })
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

test('an old copy of the journal holds payments until its owner looks at them', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const path = temporaryFile('journal')
  const [journal, copy] = [fileJournal(path), `${path}.copy`]
  const wallet = await openWallet(alice, chain, { journal })
  await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'monday' })
  node.mine()
  await wallet.resume()
  copyFileSync(path, copy)
  const tuesday = { to: bob.address, amount: 2_000_000n, id: 'tuesday' }
  const paid = await wallet.pay(tuesday)
  expect(paid.status).toBe('accepted')
  node.mine()
  await journal.close()

  const restored = fileJournal(copy)
  const again = await openWallet(alice, chain, { journal: restored })
  const held = await again.pay(tuesday)
  expect(held).toMatchObject({
    status: 'held',
    held: 'unrecorded-spends',
    unrecorded: [paid.txid],
  })
  expect(await node.request('getrawmempool')).toEqual([])
  const acknowledged = [paid.txid!]
  const next = await again.pay({ ...tuesday, id: 'wednesday', amount: 3_000_000n, acknowledged })
  expect(next.status).toBe('accepted')
  await restored.close()
  await node.close()
})

test('one id with another request is an error', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'rent' })
  await expect(
    wallet.pay({ to: bob.address, amount: 2_000_000n, id: 'rent' }),
  ).rejects.toMatchObject({ code: 'id_conflict' })
  await node.close()
})

test('a journal of another chain is refused', async () => {
  const one = await fundedNode()
  const other = await fundedNode()
  const journal = memoryJournal()
  const request = { to: one.bob.address, amount: 1_000_000n, id: 'rent' }
  await (await openWallet(one.alice, one.chain, { journal })).pay(request)
  const elsewhere = tampered(other.chain, { chain: async () => 'cd'.repeat(32) })
  const wallet = await openWallet(other.alice, elsewhere, { journal })
  await expect(wallet.pay(request)).rejects.toMatchObject({ code: 'journal_chain' })
  expect(await other.node.request('getrawmempool')).toEqual([])
  await one.node.close()
  await other.node.close()
})

/** A wallet whose payment without an id a block has, and one with its journal on another chain. */
async function paidElsewhere() {
  const one = await fundedNode()
  const other = await fundedNode()
  other.node.fund(other.alice.address, 1_020_000n)
  const journal = memoryJournal()
  const request = { to: one.bob.address, amount: 1_000_000n }
  const here = await openWallet(one.alice, one.chain, { journal })
  const { txid } = await here.pay(request)
  one.node.mine()
  expect(await here.pay(request)).toMatchObject({ repeated: true, txid })
  const elsewhere = tampered(other.chain, { chain: async () => 'cd'.repeat(32) })
  const wallet = await openWallet(other.alice, elsewhere, { journal })
  const sent = () => other.node.request('getrawmempool')
  const close = () => Promise.all([one.node.close(), other.node.close()])
  return { wallet, here, request, txid, journal, sent, close }
}

test('a settled payment without an id is not sent on another chain', async () => {
  const { wallet, here, request, txid, journal, sent, close } = await paidElsewhere()
  const records = await journal.read(0)
  await expect(wallet.pay(request)).rejects.toMatchObject({ code: 'journal_chain' })
  expect(await wallet.resume()).toMatchObject([{ error: { code: 'journal_chain' } }])
  expect(await sent()).toEqual([])
  expect(await journal.read(0)).toEqual(records)
  expect(await here.pay(request)).toMatchObject({ repeated: true, txid })
  await close()
})

test('a payment without an id that is over is a new one on another chain', async () => {
  const { wallet, here, request, txid, sent, close } = await paidElsewhere()
  const next = await wallet.pay({ ...request, repeatMs: 0 })
  expect(next).toMatchObject({ status: 'accepted' })
  expect(next.repeated).toBeUndefined()
  expect(await sent()).toEqual([next.txid])
  expect(next.txid).not.toBe(txid)
  await expect(here.pay(request)).rejects.toMatchObject({ code: 'journal_chain' })
  await close()
})

test('a source that shows another chain than before gets no payment', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 2 })
  let first = await chain.chain!()
  const moving = tampered(chain, { chain: async () => first })
  const wallet = await openWallet(alice, moving, { journal: memoryJournal() })
  const request = { to: bob.address, amount: 1_000_000n }
  expect(await wallet.pay({ ...request, id: 'a' })).toMatchObject({ status: 'accepted' })
  const own = first
  first = 'cd'.repeat(32)
  await expect(wallet.pay({ ...request, id: 'b' })).rejects.toMatchObject({
    kind: 'shape',
    expected: own,
    received: first,
  })
  expect(await node.request('getrawmempool')).toHaveLength(1)
  first = own
  expect(await wallet.pay({ ...request, id: 'b' })).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('the error of a refused payment names the transaction that the journal has', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const refusing = tampered(chain, {
    broadcast: () => Promise.reject(new RpcError('daemon', 'no', { method: 'broadcast' })),
  })
  const wallet = await openWallet(alice, refusing, { journal: memoryJournal() })
  const request = { to: bob.address, amount: 1_000_000n, id: 'refused' }
  const error = await wallet.pay(request).then(String, (given: RpcError) => given)
  expect(error).toMatchObject({ kind: 'daemon', txid: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(error).not.toHaveProperty('uncertain')
  await node.close()
})

test('a lack of coins leaves a payment uncertain that an earlier call may have sent', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  let hidden: string | undefined
  const hiding = tampered(chain, {
    async broadcast(hex, options) {
      if (hidden !== undefined) throw new RpcError('daemon', 'Missing inputs', { method: 'send' })
      hidden = await chain.broadcast(hex, options)
      throw new RpcError('transport', 'lost', { method: 'send', uncertain: true })
    },
    unspent: async (scripts) => (hidden === undefined ? chain.unspent(scripts) : []),
    history: async (scripts) =>
      (await chain.history(scripts)).filter(({ txid }) => txid !== hidden),
    transactions: async (txids) =>
      (await chain.transactions(txids)).map((hex, at) => (txids[at] === hidden ? undefined : hex)),
    heights: async () => new Map(),
  })
  const wallet = await openWallet(alice, hiding, { journal: memoryJournal() })
  const request = { to: bob.address, amount: 1_000_000n, id: 'rent' }
  expect(await wallet.pay(request)).toMatchObject({ status: 'uncertain' })
  expect(await wallet.pay(request)).toMatchObject({
    status: 'uncertain',
    txid: hidden,
    unsettled: [{ txid: hidden }],
    error: { code: 'insufficient_coins' },
  })
  const other = wallet.pay({ ...request, id: 'other' })
  await expect(other).rejects.toMatchObject({ code: 'insufficient_coins' })
  await node.close()
})

test('a source of another chain than the wallet names is not read, and gets no payment', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 2 })
  const own = (await chain.chain!())!
  let first: string | undefined = own
  const moving = tampered(chain, { chain: async () => first })
  const wallet = await openWallet(alice, moving, { firstBlock: own.toUpperCase() })
  const pay = (id: string) => wallet.pay({ to: bob.address, amount: 1_000_000n, id })
  expect(await pay('a')).toMatchObject({ status: 'accepted' })
  const another = { kind: 'shape', reason: 'unexpected_value', expected: own }
  const unknown = { kind: 'transport', reason: 'not_connected', expected: own }
  for (const refused of [another, unknown]) {
    first = refused === another ? 'cd'.repeat(32) : undefined
    const events = wallet.events({ pollMs: 1 })
    const calls = [
      pay('b'),
      wallet.balance(),
      wallet.history(),
      wallet.unusedAddress(),
      wallet.waitFor('ab'.repeat(32)),
      events.next(),
    ]
    const results = await Promise.allSettled(calls)
    expect(results.map((result) => (result as PromiseRejectedResult).reason)).toEqual(
      calls.map(() => expect.objectContaining(refused)),
    )
  }
  expect(await node.request('getrawmempool')).toHaveLength(1)
  const fresh = await openWallet(alice, chain, { firstBlock: 'ab'.repeat(32) })
  await expect(fresh.balance()).rejects.toMatchObject({ kind: 'shape', received: own })
  await node.close()
})

test('a first block is a hash, and needs a source that shows its chain', async () => {
  const { node, alice, chain } = await fundedNode()
  const silent = { ...chain }
  delete silent.chain
  await expect(openWallet(alice, chain, { firstBlock: 'ab' })).rejects.toThrow(/firstBlock/)
  await expect(openWallet(alice, silent, { firstBlock: 'ab'.repeat(32) })).rejects.toThrow(
    'firstBlock: expected a chain source with the function chain',
  )
  await node.close()
})

test('a wallet of public keys prepares; another machine signs; the first sends', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const watching = await createWallet({ publicKeys: [alice.pubkey], chain })
  await expect(watching.pay({ to: bob.address, amount: 1_000_000n })).rejects.toThrow(
    /only watches/,
  )
  const prepared = await watching.prepare.pay({ to: bob.address, amount: 1_000_000n })
  expect(rejects(prepared)).toEqual(['unsigned'])
  // The other machine has the file and the key, and no chain source.
  const file = formatCase(prepared.case)
  const given = parseCase(file)
  const signed = signCase(given, [alice.wif])
  expect(signed.ok).toBe(true)
  const sent = await watching.submit({ ...given, hex: signed.hex }, { id: 'invoice-17' })
  expect(sent).toMatchObject({ status: 'accepted' })
  node.mine()
  expect(await watching.waitFor(sent.txid!)).toMatchObject({ confirmations: 1 })
  await node.close()
})

test('submit refuses hex that does something else than the case', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const small = await wallet.prepare.pay({ to: bob.address, amount: 1_000_000n })
  const large = await wallet.prepare.pay({ to: bob.address, amount: 9_000_000n })
  const { hex } = signCase(large.case, [alice.wif])
  const sent = await wallet.submit({ ...small.case, hex })
  expect(sent).toMatchObject({ status: 'rejected' })
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})

test('burns units and merges coins', async () => {
  const { node, alice, chain } = await fundedNode()
  for (let count = 0; count < 5; count += 1) node.fund(alice.address, 500_000n)
  node.mine(101)
  const wallet = await openWallet(alice, chain)
  const { txid: tokenid } = await wallet.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const burnt = await wallet.burn({ tokenid: tokenid!, amount: 400n })
  expect(rejects(burnt)).toEqual([])
  node.mine()
  expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 600n }])
  const merged = await wallet.merge({ maxInputs: 4 })
  expect(merged.status).toBe('accepted')
  const { inputs, outputs } = decodeTransaction(merged.report.hex)
  expect([inputs.length, outputs.length]).toEqual([4, 1])
  // While no block has it, the same call is the same merge; afterwards it is another one.
  expect((await wallet.merge({ maxInputs: 4 })).txid).toBe(merged.txid)
  node.mine()
  const second = await wallet.merge({ maxInputs: 4 })
  expect(second.status).toBe('accepted')
  expect(second.txid).not.toBe(merged.txid)
  await node.close()
})

test('a non-fungible token is created, found and sent', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, other] = [await openWallet(alice, chain), await openWallet(bob, chain)]
  const { txid } = await wallet.createToken({ name: 'ART', supply: 1n, data: 'f1aabb' })
  node.mine()
  const sent = await wallet.transfer({ tokenid: txid!, to: bob.pubkey, amount: 1n })
  expect(rejects(sent)).toEqual([])
  node.mine()
  expect(await wallet.tokens()).toEqual([])
  expect(await other.tokens()).toMatchObject([{ tokenid: txid, balance: 1n, proof: 'proven' }])
  await node.close()
})

const malformed = { code: 'malformed_case', context: { path: 'request' } }

test.each<[string, string, object]>([
  ['is not JSON', 'no json', malformed],
  ['is not an object', 'null', malformed],
  [
    'has an amount without digits',
    '{"operation":"wallet","wallet":"pay","amount":"ten"}',
    malformed,
  ],
  [
    'a later version wrote',
    '{"operation":"wallet","wallet":"pay","tip":"1"}',
    { name: 'TypeError', message: expect.stringContaining('unknown member tip') },
  ],
  [
    'has the expiry height of an order in a transfer',
    '{"operation":"wallet","wallet":"transfer","expiryHeight":300}',
    { name: 'TypeError', message: expect.stringContaining('unknown member expiryHeight') },
  ],
])('a recorded request that %s does not keep resume from the others', async (_, request, error) => {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const wallet = await openWallet(alice, chain, { journal })
  const { txid } = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'good' })
  const texts = await journal.read(0)
  const other = { payment: 'id other', id: 'other', request, txid: 'aa'.repeat(32), hex: '00' }
  const mixed = memoryJournal()
  await mixed.append(1, JSON.stringify({ ...JSON.parse(texts[0]!), ...other }))
  for (const [at, text] of texts.entries()) await mixed.append(at + 2, text)
  node.mine()
  const again = await openWallet(alice, chain, { journal: mixed })
  expect(await again.resume()).toMatchObject([
    { name: 'id other', error },
    { name: 'id good', result: { status: 'accepted', txid } },
  ])
  await node.close()
})

test('a refused payment is made with a higher fee, from its own coin and another one', async () => {
  const { node, alice, bob } = await fundedNode({ further: 1 })
  node.mine(100)
  const chain = devNodeChain(node)
  let refused: string | undefined
  const source = tampered(chain, {
    async unspent(scripts, options) {
      const all = await chain.unspent(scripts, options)
      return all.filter(({ value }) => value === 5_000_000n || value === 50_000_000n)
    },
    async broadcast(hex, options) {
      refused ??= hex
      if (hex !== refused) return chain.broadcast(hex, options)
      throw new RpcError('daemon', '66: insufficient priority', { code: -26 })
    },
  })
  const wallet = await openWallet(alice, source, { journal: memoryJournal() })
  // The coin of 5,000,000 satoshis suffices for the usual fee, and for no higher one.
  const request = { to: bob.address, amount: 4_990_000n, id: 'invoice' }
  await expect(wallet.pay(request)).rejects.toThrow('insufficient priority')
  const sent = await wallet.pay({ ...request, fee: 20_000n })
  expect(sent).toMatchObject({ status: 'accepted', report: { fee: 20_000n } })
  const [first] = decodeTransaction(refused!).inputs
  const { inputs } = decodeTransaction(sent.report.hex)
  expect(inputs).toHaveLength(2)
  expect(inputs).toContainEqual(expect.objectContaining({ txid: first!.txid, vout: first!.vout }))
  await node.close()
})

test('the second request under an id is built again from its own coins', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 4 })
  const journal = memoryJournal()
  const pay = (amount: bigint, by: Wallet) => by.pay({ to: bob.address, amount, id: 'a' })
  const wallet = await openWallet(alice, chain, { journal })
  const first = await pay(20_000n, wallet)
  // Two journals that are joined may have one id for two requests.
  const store = memoryJournal()
  const keeping = tampered(chain, { broadcast: async (hex) => decodeTransaction(hex).txid })
  const kept = await pay(30_000n, await openWallet(alice, keeping, { journal: store }))
  for (const text of await store.read(0)) {
    await journal.append((await journal.read(0)).length + 1, text)
  }
  const request = { to: bob.address, amount: 30_000n, id: 'a' }
  await expect(wallet.prepare.pay(request)).rejects.toMatchObject({ txids: [kept.txid] })
  node.mine(320)
  const again = await pay(30_000n, wallet)
  expect(again).toMatchObject({ status: 'accepted' })
  expect(again.txid).not.toBe(kept.txid)
  expect(inputsOf(kept)).toEqual(expect.arrayContaining(inputsOf(again)))
  expect(inputsOf(first)).not.toEqual(expect.arrayContaining(inputsOf(again)))
  await node.close()
})
