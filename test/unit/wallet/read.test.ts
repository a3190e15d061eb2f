// The wallet against the development node, which has the daemon's own answers beside it.

import { expect, test } from 'vitest'

import { createDevNode } from '../../../src/node/index.ts'
import { createWallet, devNodeChain, privateKeySigner } from '../../../src/wallet/index.ts'

async function started() {
  const node = await createDevNode({ listen: false, identities: 2, mine: 'manual' })
  const [alice, bob] = node.identities
  const chain = devNodeChain(node)
  const wallet = await createWallet({ signers: [privateKeySigner(alice.wif)], chain })
  const other = await createWallet({ signers: [privateKeySigner(bob.wif)], chain })
  return { node, alice, bob, chain, wallet, other }
}

test('counts plain coins as the daemon does', async () => {
  const { node, alice, wallet } = await started()
  node.fund(alice.address, 5_000_000n)
  node.mine(101)
  const { balance } = (await node.request('getaddressbalance', [
    { addresses: [alice.address] },
  ])) as { balance: number }
  const { total, confirmed, immature, pending } = await wallet.balance()
  expect(total).toBe(BigInt(balance))
  expect(pending).toBe(0n)
  expect(confirmed + immature).toBe(total)
  expect(confirmed).toBeGreaterThan(0n)
  await node.close()
})

test('pays an address, and the payment is mined', async () => {
  const { node, alice, bob, wallet, other } = await started()
  node.fund(alice.address, 5_000_000n)
  const before = (await other.balance()).total
  node.mine(101)
  const sent = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'invoice-17' })
  expect(sent.report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  expect(sent.status).toBe('accepted')
  expect((await other.balance()).pending).toBe(1_000_000n)
  node.mine()
  expect(await wallet.waitFor(sent.txid!)).toMatchObject({ txid: sent.txid, confirmations: 1 })
  expect((await other.balance()).confirmed).toBeGreaterThanOrEqual(before + 1_000_000n)
  const again = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'invoice-17' })
  expect(again).toMatchObject({ status: 'accepted', txid: sent.txid, repeated: true })
  await node.close()
})

test('creates a token, transfers it, and reads it as proven', async () => {
  const { node, alice, bob, wallet, other } = await started()
  node.fund(alice.address, 5_000_000n)
  node.fund(bob.address, 5_000_000n)
  node.mine(101)
  const created = await wallet.createToken({ name: 'GOLD', supply: 1000n })
  expect(created.status).toBe('accepted')
  node.mine()
  const tokenid = created.txid!
  expect(await wallet.tokens()).toEqual([
    {
      tokenid,
      name: 'GOLD',
      description: '',
      balance: 1000n,
      pending: 0n,
      locked: 0n,
      disproven: 0n,
      proof: 'proven',
    },
  ])
  const sent = await wallet.transfer({ tokenid, to: bob.pubkey, amount: 300n })
  expect(sent.report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  expect(sent.status).toBe('accepted')
  node.mine()
  expect(await other.tokens()).toMatchObject([{ tokenid, balance: 300n, proof: 'proven' }])
  expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 700n, proof: 'proven' }])
  const [newest] = await wallet.history({ limit: 1 })
  expect(newest).toMatchObject({
    txid: sent.txid,
    operation: 'tokentransfer',
    units: { [tokenid]: -300n },
  })
  await node.close()
})
