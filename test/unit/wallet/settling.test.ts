// A wallet settles what is deep in the chain before it pays again, so its journal never gets full.

import { expect, test } from 'vitest'
import { transactionId } from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { type Journal, memoryJournal } from '../../../src/journal/index.ts'
import { listPayments, RpcError } from '../../../src/rpc/index.ts'
import { attemptDigitsMax } from '../../../src/rpc/safe-flow/attempts.ts'
import { loadAttemptReader } from '../../../src/rpc/safe-flow/transaction.ts'
import { inTurn } from '../../../src/rpc/safe-flow/turns.ts'
import { type ChainSource, devNodeChain } from '../../../src/wallet/index.ts'
import type { SenderContext } from '../../../src/wallet/payment-of-call.ts'
import type { Plan } from '../../../src/wallet/plan.ts'
import { createSender } from '../../../src/wallet/send.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

/** A wallet that has made so many payments, each in a block of its own. */
async function payer(payments: number, source = (chain: ChainSource) => chain) {
  const { node, alice, bob } = await fundedNode({ further: 4 })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, source(devNodeChain(node)), { journal })
  const pay = (id: string) => wallet.pay({ to: bob.address, amount: 20_000n, id })
  for (let at = 0; at < payments; at += 1) {
    expect(await pay(`hour ${at}`)).toMatchObject({ status: 'accepted' })
    node.mine()
  }
  const settled = async () =>
    (await listPayments(journal)).filter(({ state }) => state === 'settled').length
  return { node, journal, wallet, pay, settled }
}

test('a call settles a few payments that are deep in the chain', async () => {
  const { node, pay, settled } = await payer(16)
  node.mine(99 - 16)
  await pay('not deep')
  expect(await settled()).toBe(0)
  node.mine(30)
  await pay('next')
  expect(await settled()).toBe(4)
  await node.close()
})

test('pays although the unsettled payments of the journal take all of its room', async () => {
  const { node, journal, pay, settled } = await payer(16)
  const book = bookOf(journal)
  // Payouts with thousands of recipients, which fill the journal after some days.
  const { hex } = book.unsettled()[0]!.attempts[0]!
  const ofEach = (attemptDigitsMax - book.digits) / 10
  const long = hex.padEnd(ofEach - (ofEach % 2), '0')
  for (let at = 0; at < 10; at += 1) {
    const about = { payment: `id long ${at}`, txid: `${at}`.repeat(64), id: `long ${at}` }
    const record = { ...about, at: new Date().toISOString(), terms: 't', request: '{}', hex: long }
    await book.append({ kind: 'attempt', ...record }, book.next)
  }
  expect(await pay('held')).toMatchObject({ status: 'held', held: 'too-many-attempts' })
  node.mine(120)
  expect(await pay('made')).toMatchObject({ status: 'accepted' })
  expect(await settled()).toBe(4)
  await node.close()
})

/** Records that a server accepted an earlier attempt at the first payment, by the same coins. */
async function acceptEarlier(journal: Journal): Promise<void> {
  const book = bookOf(journal)
  await book.catchUp()
  const record = JSON.parse((await journal.read(0))[0]!)
  const expiry = record.hex.length - 30
  const hex = `${record.hex.slice(0, expiry)}ffff0000${record.hex.slice(expiry + 8)}`
  const { txid } = (await loadAttemptReader())(hex)!
  await book.append({ ...record, txid, hex }, book.next)
  await book.note({ kind: 'accepted', payment: record.payment, txid, at: record.at })
}

test.each([
  ['alone', async () => undefined],
  ['beside a known one', acceptEarlier],
])('a payment whose answer was lost is left to its own call: %s', async (_, record) => {
  const { node, alice, bob } = await fundedNode({ further: 4 })
  const journal = memoryJournal()
  const chain = devNodeChain(node)
  let isLost = true
  const source = tampered(chain, {
    async broadcast(hex, options) {
      const txid = await chain.broadcast(hex, options)
      if (isLost) throw new RpcError('transport', 'the answer was lost', { uncertain: true })
      return txid
    },
  })
  const wallet = await openWallet(alice, source, { journal })
  const pay = (id?: string, amount = 20_000n) =>
    wallet.pay({ to: bob.address, amount, ...(id !== undefined && { id }) })
  expect(await pay(undefined, 30_000n)).toMatchObject({ status: 'uncertain' })
  isLost = false
  await record(journal)
  node.mine()
  for (let at = 0; at < 16; at += 1) await pay(`hour ${at}`)
  node.mine(120)
  await pay('next')
  const [lost, ...others] = await listPayments(journal)
  expect(lost).toMatchObject({ state: 'unsettled' })
  expect(others.filter(({ state }) => state === 'settled')).toHaveLength(4)
  await node.close()
})

test('an attempt whose answer was lost, after one that was accepted, is left to its own call', async () => {
  const { node, alice, bob } = await fundedNode({ further: 4 })
  const chain = devNodeChain(node)
  let answer: 'given' | 'lost' | 'false' = 'false'
  const source = tampered(chain, {
    async broadcast(hex, options) {
      if (answer === 'false') return transactionId(hex)
      const txid = await chain.broadcast(hex, options)
      if (answer === 'given') return txid
      throw new RpcError('transport', 'the answer was lost', { uncertain: true })
    },
  })
  // The first attempt expires, and the wallet believes its source that it did.
  const wallet = await openWallet(alice, source, { journal: memoryJournal(), trustSource: true })
  const request = { to: bob.address, amount: 30_000n, repeatMs: 0 }
  const first = await wallet.pay(request)
  expect(first).toMatchObject({ status: 'accepted' })
  node.mine(320)
  answer = 'lost'
  const second = await wallet.pay(request)
  expect(second).toMatchObject({ status: 'uncertain' })
  expect(second.txid).not.toBe(first.txid)
  answer = 'given'
  node.mine()
  for (let at = 0; at < 16; at += 1) {
    await wallet.pay({ to: bob.address, amount: 20_000n, id: `hour ${at}` })
  }
  node.mine(120)
  const repeated = await wallet.pay(request)
  expect(repeated).toMatchObject({ status: 'accepted', txid: second.txid, repeated: true })
  await node.close()
})

test('a source of another chain is not believed that its blocks have them', async () => {
  const { node, journal, settled } = await payer(16)
  node.mine(120)
  const other = tampered(devNodeChain(node), { chain: async () => 'cd'.repeat(32) })
  const [alice, bob] = node.identities
  const wallet = await openWallet(alice, other, { journal })
  await wallet.pay({ to: bob.address, amount: 20_000n, id: 'next' })
  expect(await settled()).toBe(0)
  await node.close()
})

test.each(['history', 'transactions'] as const)(
  'a server that answers no %s delays a call by one request',
  async (method) => {
    let fails = false
    let asked = 0
    const { node, pay } = await payer(16, (chain) => {
      const answer = chain[method] as (...args: unknown[]) => Promise<never>
      return tampered(chain, {
        async [method](...args: unknown[]) {
          if (!fails) return answer(...args)
          asked += 1
          throw new RpcError('transport', 'no answer')
        },
      })
    })
    node.mine(120)
    fails = true
    await pay('next').catch(() => undefined)
    // The payment itself asks once.
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(2)
    await node.close()
  },
)

test('does not wait for a call whose signer may wait for this one', async () => {
  const { node, journal } = await payer(1)
  const [recorded] = bookOf(journal).unsettled()
  const sender = createSender({ chain: devNodeChain(node), journal } as SenderContext)
  let finish = (): void => undefined
  const call = inTurn(journal, recorded!.name, undefined, () => {
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  await sender.settle({ key: recorded!.terms } as Plan, recorded!, {})
  finish()
  await call
  expect(await listPayments(journal)).toMatchObject([{ state: 'unsettled' }])
  await node.close()
})
