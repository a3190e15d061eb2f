// The question of a wallet before it sends: ADR 0034.

import { expect, onTestFinished, test } from 'vitest'
import { createDevNode } from '../../../src/node/index.ts'
import { createDaemonClient } from '../../../src/rpc/index.ts'
import type { Simulator } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet } from './support.ts'

const amount = 5_000_000n

/** A wallet on a live node, and its forked node. */
async function simulating(simulator?: Simulator) {
  const { node, alice, bob, chain } = await fundedNode()
  const clientOf = ({ identities, fetch }: typeof node) =>
    createDaemonClient({ ...identities[0], url: 'http://127.0.0.1', fetch })
  const fork = await createDevNode({ listen: false, fork: clientOf(node) })
  onTestFinished(async () => {
    await fork.close()
    await node.close()
  })
  const wallet = await openWallet(alice, chain, { simulator: simulator ?? clientOf(fork) })
  return { node, fork, wallet, to: bob.address }
}

test('a payment that the network would accept is allowed, with its fee, and is not sent', async () => {
  const { node, fork, wallet, to } = await simulating()
  const { report, status } = await wallet.pay({ to, amount, dryRun: true })
  expect(status).toBe('held')
  const { txid, allowed, fee } = await wallet.simulate(report.hex)
  expect({ txid, allowed }).toEqual({ txid: report.txid, allowed: true })
  expect(fee).toBe(report.fee)
  for (const one of [node, fork]) expect(await one.request('getrawmempool')).toEqual([])
  const sent = await wallet.pay({ to, amount })
  expect(sent).toMatchObject({ status: 'accepted', txid })
})

test('a payment whose coins are spent meanwhile is refused, in the words of the daemon', async () => {
  const { node, wallet, to } = await simulating()
  const { report } = await wallet.pay({ to, amount, dryRun: true })
  const everything = await wallet.pay({ to, amount: 'max' })
  expect(await wallet.simulate(report.hex)).toEqual({
    txid: report.txid,
    allowed: false,
    code: -26,
    words: '16: mempool conflict',
  })
  expect(everything.status).toBe('accepted')
  node.mine()
  expect(await wallet.simulate(report.hex)).toMatchObject({ allowed: false })
})

test.each<[string, unknown]>([
  ['another transaction', [{ txid: 'ab'.repeat(32), allowed: true, fee: 1n }]],
  ['no transaction', [{ allowed: true, fee: 1n }]],
  ['an empty list', []],
])('a simulator that answers about %s: another transaction is an error', async (_, answers) => {
  const { wallet, to } = await simulating({ testmempoolaccept: async () => answers as never })
  const { report } = await wallet.pay({ to, amount, dryRun: true })
  await expect(wallet.simulate(report.hex)).rejects.toMatchObject({
    kind: 'shape',
    reason: 'wrong_txid',
    txid: report.txid,
  })
})

test('a wallet without a simulator, and malformed hex, are refused before anything is asked', async () => {
  const { alice, chain, node } = await fundedNode()
  onTestFinished(() => node.close())
  const wallet = await openWallet(alice, chain)
  await expect(wallet.simulate('00')).rejects.toThrow(/simulator: expected a client/)
  let asked = 0
  const { wallet: other } = await simulating({
    testmempoolaccept: async () => {
      asked += 1
      return []
    },
  })
  await expect(other.simulate('0400')).rejects.toMatchObject({ name: 'AntaraError' })
  await expect(other.simulate(7 as never)).rejects.toThrow(TypeError)
  await expect(other.simulate('00', { sginal: 1 } as never)).rejects.toThrow(/sginal/)
  expect(asked).toBe(0)
})
