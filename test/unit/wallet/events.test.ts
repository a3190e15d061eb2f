// Changes of the history, as a reader sees them who looks now and then.

import { expect, test } from 'vitest'

import { NotMined, type WalletEvent } from '../../../src/wallet/index.ts'
import { isQuick } from '../../support/share.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

test('reports what comes, what is confirmed and what a reorganization removes, each once', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, payer] = [await openWallet(bob, chain), await openWallet(alice, chain)]
  const stop = new AbortController()
  const events: WalletEvent[] = []
  let seen: () => void = () => undefined
  const reading = (async () => {
    for await (const event of wallet.events({ pollMs: 1, signal: stop.signal })) {
      if (event.type === 'balance') continue
      events.push(event)
      seen()
    }
  })()
  const until = async (count: number): Promise<void> => {
    while (events.length < count) {
      await new Promise<void>((resolve) => {
        seen = resolve
      })
    }
  }
  const { txid } = await payer.pay({ to: bob.address, amount: 1_000_000n })
  await until(1)
  expect(events[0]).toMatchObject({ type: 'received', entry: { txid, coins: 1_000_000n } })
  const height = node.height + 1
  node.mine()
  await until(2)
  expect(events[1]).toEqual({ type: 'confirmed', txid, height })
  node.reorg(1, { drop: [txid!] })
  await until(3)
  expect(events[2]).toEqual({ type: 'reorganized', txid, was: height })
  const sent = await wallet.pay({ to: alice.address, amount: 1_000_000n })
  await until(4)
  expect(events[3]).toMatchObject({ type: 'sent', entry: { txid: sent.txid } })
  stop.abort()
  await reading
  expect(events).toHaveLength(4)
  await node.close()
})

test('reports the balance when it changes, also because coins of a block matured', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, payer] = [await openWallet(bob, chain), await openWallet(alice, chain)]
  const before = await wallet.balance()
  const events = wallet.events({ pollMs: 1 })
  const nextBalance = async () => {
    for (;;) {
      const { value } = await events.next()
      if (value?.type === 'balance') return value.balance
    }
  }
  const first = nextBalance()
  await payer.pay({ to: bob.address, amount: 1_000_000n })
  expect(await first).toEqual({
    ...before,
    pending: 1_000_000n,
    total: before.total + 1_000_000n,
  })
  const second = nextBalance()
  node.mine()
  const { pending, confirmed } = await second
  expect(pending).toBe(0n)
  expect(confirmed).toBeGreaterThanOrEqual(before.confirmed + 1_000_000n)
  await events.return()
  await node.close()
})

test('a reader that stops looking misses nothing that is still there', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, payer] = [await openWallet(bob, chain), await openWallet(alice, chain)]
  const events = wallet.events({ pollMs: 1 })
  const first = events.next()
  const one = await payer.pay({ to: bob.address, amount: 1_000_000n, id: 'one' })
  expect((await first).value).toMatchObject({ type: 'received', entry: { txid: one.txid } })
  const more: (string | undefined)[] = []
  for (let count = 0; count < (isQuick ? 8 : 20); count += 1) {
    more.push((await payer.pay({ to: bob.address, amount: 1_000_000n, id: `${count}` })).txid)
    node.mine()
  }
  const received: string[] = []
  while (received.length < more.length) {
    const { value } = await events.next()
    if (value?.type === 'received' && value.entry.coins === 1_000_000n) {
      received.push(value.entry.txid)
    }
  }
  expect(received.toSorted()).toEqual(more.toSorted())
  await events.return()
  await node.close()
})

test('reports what happened since a program stored its history, also before the first look', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [wallet, payer] = [await openWallet(bob, chain), await openWallet(alice, chain)]
  const paid = async (amount: bigint) => (await payer.pay({ to: bob.address, amount })).txid!
  const [waiting, mined] = [await paid(100_001n), await paid(100_002n)]
  node.mine()
  const height = node.height
  const dropped = await paid(100_003n)
  const stored = await wallet.history({ limit: 1000 })
  const without = stored.map((entry) => (entry.txid === waiting ? { txid: waiting } : entry))
  // The program reads its history, and ends. All of this comes before it looks again.
  node.reorg(1, { drop: [mined, dropped] })
  const late = await paid(100_004n)
  const restarted = await openWallet(bob, chain)
  const looked = async (since: readonly { readonly txid: string }[]): Promise<WalletEvent[]> => {
    const events: WalletEvent[] = []
    for await (const event of restarted.events({ pollMs: 1, since })) {
      events.push(event)
      if (event.type === 'balance') break
    }
    return events
  }
  const events = await looked(without)
  expect(events).toHaveLength(5)
  expect(events).toEqual(
    expect.arrayContaining([
      { type: 'received', entry: expect.objectContaining({ txid: late, coins: 100_004n }) },
      { type: 'dropped', txid: dropped },
      { type: 'confirmed', txid: waiting, height },
      { type: 'reorganized', txid: mined, was: height },
      { type: 'balance', balance: await restarted.balance() },
    ]),
  )
  // A program that has stored nothing gets everything, once.
  const all = await looked([])
  const entries = await restarted.history({ limit: 1000 })
  expect(all.slice(0, -1).map((event) => 'entry' in event && event.entry)).toEqual(
    entries.toReversed(),
  )
  expect(await looked(entries)).toEqual([all.at(-1)])
  await node.close()
})

test.each([
  [{}, 'since: expected an array, got Object'],
  ['', 'since: expected an array, got a string'],
  [[null], /^since\[0\]\.txid/],
  [[{ txid: 'ab' }], /^since\[0\]\.txid/],
  [[{ txid: 'ab'.repeat(32), height: -1 }], /^since\[0\]\.height/],
])('refuses %o as what a program knows', async (since, message) => {
  const { node, bob, chain } = await fundedNode()
  const wallet = await openWallet(bob, chain)
  expect(() => wallet.events({ since: since as never })).toThrow(message)
  await node.close()
})

test('waits for depth, and ends when the transaction can no longer be mined', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'deep' })
  const deep = wallet.waitFor(sent.txid!, { confirmations: 3, pollMs: 1 })
  node.mine(3)
  expect(await deep).toMatchObject({ txid: sent.txid, confirmations: 3 })

  const late = await wallet.pay({ to: bob.address, amount: 2_000_000n, id: 'late' })
  node.mine()
  node.reorg(1, { drop: [late.txid!] })
  node.mine(220)
  await expect(wallet.waitFor(late.txid!, { pollMs: 1 })).rejects.toMatchObject({
    name: 'NotMined',
    reason: 'expired',
    txid: late.txid,
  })
  await node.close()
})

test('a payment whose coin another transaction took is conflicted', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const prepared = await wallet.prepare.pay({ to: bob.address, amount: 'max' })
  expect(prepared.case.coins.length).toBeGreaterThan(0)
  const lost = await wallet.pay({ to: bob.address, amount: 2_000_000n, id: 'lost' })
  node.mine()
  node.reorg(1, { drop: [lost.txid!] })
  // Another program with the same key spends the same coins.
  const other = await openWallet(alice, chain)
  await other.pay({ to: bob.address, amount: 'max', id: 'all' })
  node.mine()
  const wait = wallet.waitFor(lost.txid!, { pollMs: 1 })
  await expect(wait).rejects.toBeInstanceOf(NotMined)
  await expect(wait).rejects.toMatchObject({ reason: 'conflicted' })
  await node.close()
})

test('an abort ends a wait with its reason', async () => {
  const { node, alice, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const stop = new AbortController()
  const wait = wallet.waitFor('ab'.repeat(32), { signal: stop.signal, pollMs: 60_000 })
  stop.abort(new Error('enough'))
  await expect(wait).rejects.toThrow('enough')
  await node.close()
})

test('a deposit whose bytes the source does not give at first is reported when it does', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const payer = await openWallet(alice, chain)
  let refusals = 0
  let hidden: string | undefined
  const forgetful = tampered(chain, {
    async transactions(txids, options) {
      const hexes = await chain.transactions(txids, options)
      const isHidden = hidden !== undefined && txids.includes(hidden) && refusals < 5
      if (!isHidden) return hexes
      refusals += 1
      return hexes.map((hex, at) => (txids[at] === hidden ? undefined : hex))
    },
  })
  const wallet = await openWallet(bob, forgetful)
  const events = wallet.events({ pollMs: 1 })
  const first = (async () => {
    for (;;) {
      const { value } = await events.next()
      if (value?.type !== 'balance') return value
    }
  })()
  ;({ txid: hidden } = await payer.pay({ to: bob.address, amount: 1_000_000n }))
  expect(await first).toMatchObject({ type: 'received', entry: { txid: hidden } })
  expect(refusals).toBe(5)
  await events.return()
  await node.close()
}, 20_000)
