// Requests that are spelled in another way, on a chain of tokeld's: without an id, each is the same
// payment.

import { expect, test } from 'vitest'

import { networks } from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { createWallet, devNodeChain, privateKeySigner } from '../../../src/wallet/index.ts'

const network = networks.tokel

async function tokelWallet() {
  const node = await createDevNode({ listen: false, identities: 2, mine: 'manual', network })
  const [alice, bob] = node.identities
  node.fund(alice.address, 50_000_000n)
  node.fund(alice.address, 50_000_000n)
  node.mine(101)
  const signers = [privateKeySigner(alice.wif, network)]
  const wallet = await createWallet({ signers, chain: devNodeChain(node), network })
  return { node, bob, wallet }
}

test('a creation whose default module is spelled out is the same creation', async () => {
  const { node, wallet } = await tokelWallet()
  const token = { name: 'GOLD', supply: 100n }
  const { txid } = await wallet.createToken(token)
  expect(await wallet.createToken({ ...token, version: 2 })).toMatchObject({ txid })
  const other = await wallet.createToken({ ...token, version: 1 })
  expect(other.status).toBe('accepted')
  expect(other.txid).not.toBe(txid)
  await node.close()
})

test('a transfer to the address of a key, or to one key of one, is the transfer to the key', async () => {
  const { node, bob, wallet } = await tokelWallet()
  const { tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 100n })
  node.mine()
  const { txid } = await wallet.transfer({ tokenid, to: bob.pubkey, amount: 5n })
  expect(await wallet.transfer({ tokenid, to: bob.address, amount: 5n })).toMatchObject({ txid })
  // The script of one key of one is another one, so the recorded transaction is not sent for it.
  const keys = { required: 1, pubkeys: [bob.pubkey.toUpperCase()] }
  expect(await wallet.transfer({ tokenid, to: keys, amount: 5n })).toMatchObject({
    status: 'uncertain',
    held: 'rejected',
    unsettled: [{ txid }],
  })
  expect(await node.request('getrawmempool')).toEqual([txid])
  await node.close()
})

test('the same keys are another receiver if more of them must sign', async () => {
  const { node, bob, wallet } = await tokelWallet()
  const [alice] = node.identities
  const { tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 100n })
  node.mine()
  const pubkeys = [alice!.pubkey, bob.pubkey]
  const pay = (required: number) =>
    wallet.transfer({ tokenid, to: { required, pubkeys }, amount: 5n })
  const one = await pay(1)
  node.mine()
  const two = await pay(2)
  expect(two.status).toBe('accepted')
  expect(two.txid).not.toBe(one.txid)
  await node.close()
})
