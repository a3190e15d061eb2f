// Strangers can pay thousands of coins of little value to a wallet. They must not stop it.

import { expect, test } from 'vitest'

import { fundedNode, openWallet } from './support.ts'

test('coins that cost more than they bring stop no merge and no payment of everything', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 600 })
  const payer = await openWallet(bob, chain)
  const recipients = Array.from({ length: 600 }, () => ({ to: alice.address, amount: 54n }))
  await payer.pay({ recipients, allow: ['dust'], fee: 100_000n, maxFee: 100_000n })
  node.mine(100)
  const wallet = await openWallet(alice, chain)
  const request = { to: bob.address, amount: 'max', id: 'all' } as const
  const held = await wallet.pay(request)
  expect(held).toMatchObject({ status: 'held', held: 'needs-merge' })
  const merged = await wallet.mergeAll()
  expect(merged).toMatchObject({ status: 'merged' })
  node.mine()
  const sent = await wallet.pay(request)
  expect(sent).toMatchObject({ status: 'accepted' })
  node.mine()
  const left = (await wallet.coins()).filter(({ isCoinbase }) => !isCoinbase)
  expect(left.map(({ value }) => value)).toEqual(Array(600).fill(54n))
  const { status } = await wallet.mergeAll({ maxFee: 10_000n })
  expect(status).toBe('merged')
  node.mine()
  expect((await wallet.coins()).filter(({ value }) => value === 54n)).toEqual([])
  await node.close()
})

test('coins of little value leave a payment of everything no merge that has no steps', async () => {
  const { node, alice, bob, chain } = await fundedNode({ further: 60 })
  const payer = await openWallet(bob, chain)
  const recipients = Array.from({ length: 600 }, () => ({ to: alice.address, amount: 54n }))
  await payer.pay({ recipients, allow: ['dust'], fee: 100_000n, maxFee: 100_000n })
  node.mine(100)
  const wallet = await openWallet(alice, chain)
  const request = { to: bob.address, amount: 'max', dryRun: true } as const
  for (const terms of [{ maxFee: 20_000n }, { feeRate: 1000n, maxFee: 100_000n }]) {
    expect(await wallet.pay({ ...request, ...terms })).toMatchObject({ held: 'dry-run' })
  }
  // Merges would change nothing, so the error names the fee.
  const low = wallet.pay({ ...request, fee: 100n })
  await expect(low).rejects.toMatchObject({ code: 'fee_below_relay' })
  await node.close()
})
