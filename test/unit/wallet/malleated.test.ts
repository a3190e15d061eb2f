// A third party changes a transaction of the wallet before it is mined, and its txid with it.

import { expect, test } from 'vitest'
import { transactionId } from '../../../src/index.ts'
import { memoryJournal } from '../../../src/wallet/index.ts'
import { malleated } from '../../support/malleated.ts'
import { fundedNode, openWallet } from './support.ts'

const amount = 1_000_000n

async function paidAsCopy() {
  const { node, alice, bob, chain } = await fundedNode()
  const journal = memoryJournal()
  const open = () => openWallet(alice, chain, { journal, trustSource: true })
  const rent = { to: bob.address, amount, id: 'rent' }
  const wallet = await open()
  const { txid: ours, report } = await wallet.pay(rent)
  const copied = malleated(report.hex)
  node.importTransactions([copied])
  const received = async () => {
    node.mine()
    const utxos = await node.request('getaddressutxos', [{ addresses: [bob.address] }])
    const paid = (utxos as { satoshis: number }[]).map(({ satoshis }) => BigInt(satoshis))
    return paid.filter((value) => value === amount).length
  }
  return { node, open, wallet, rent, ours: ours!, copy: transactionId(copied), received, bob }
}

test('a payment that was mined as a copy is settled, and not paid again when the copy is deep', async () => {
  const { node, open, rent, copy, received } = await paidAsCopy()
  node.mine(150)
  const again = await (await open()).pay(rent)
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: copy })
  expect(await received()).toBe(1)
  await node.close()
})

test('resume settles a payment that was mined as a copy, and does not call the copy unrecorded', async () => {
  const { node, wallet, open, copy, bob } = await paidAsCopy()
  expect(await wallet.resume()).toMatchObject([{ result: { status: 'accepted', txid: copy } }])
  const next = await (await open()).pay({ to: bob.address, amount: 2_000_000n, id: 'food' })
  expect(next).toMatchObject({ status: 'accepted' })
  await node.close()
})

test('a payment whose copy leaves the chain is sent as it was recorded', async () => {
  const { node, wallet, ours, copy, received } = await paidAsCopy()
  await wallet.resume()
  node.reorg(1, { drop: [copy] })
  expect(await wallet.resume()).toMatchObject([{ result: { txid: ours } }])
  expect(await node.request('getrawmempool')).toEqual([ours])
  expect(await received()).toBe(1)
  await node.close()
})

test('waitFor resolves with the txid of the copy that was mined', async () => {
  const { node, wallet, ours, copy } = await paidAsCopy()
  expect(await wallet.waitFor(ours, { pollMs: 1 })).toEqual({
    txid: copy,
    height: node.height,
    confirmations: 1,
  })
  await node.close()
})

test('a copy of a recorded payment holds no other payment, even before it is settled', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  node.fund(alice.address, 50_000_000n)
  node.mine()
  const wallet = await openWallet(alice, chain, { journal: memoryJournal() })
  await wallet.pay({ to: bob.address, amount, id: 'first' })
  node.mine()
  const { report } = await wallet.pay({ to: bob.address, amount, id: 'rent' })
  node.importTransactions([malleated(report.hex)])
  node.mine()
  const next = await wallet.pay({ to: bob.address, amount: 2_000_000n, id: 'food' })
  expect(next).toMatchObject({ status: 'accepted' })
  await node.close()
})
