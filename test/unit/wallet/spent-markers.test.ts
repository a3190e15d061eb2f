// A stranger spends the marker of an open order on a chain of tokeld's. The module's published key can
// sign for it, and the rules look only at that key once another order has ended.

import { beforeEach, expect, test } from 'vitest'

import {
  assetsV2EvalCode,
  assetsV2GlobalPubkey,
  moduleOfEvalCode,
} from '../../../src/chain/modules.ts'
import {
  decodeTransaction,
  moduleCondition,
  networks,
  signTransaction,
} from '../../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../../src/node/index.ts'
import { devNodeChain, type Wallet } from '../../../src/wallet/index.ts'
import { builtBy, sentBy } from '../../node/support/tokel-calls.ts'
import { openWallet } from './support.ts'

const network = networks.tokel
const evalCodes = [assetsV2EvalCode]
const moduleKey = moduleOfEvalCode(assetsV2EvalCode)!.key!.privateKey

let node: DevNode<readonly [DevIdentity, DevIdentity]>
let maker: Wallet
let taker: Wallet
let tokenid: string
let ask: string

beforeEach(async () => {
  node = await createDevNode({ listen: false, network, mine: 'manual', time: 1_800_000_000 })
  for (const { address } of node.identities) node.fund(address, 50_000_000n)
  node.mine(101)
  const chain = devNodeChain(node)
  ;[maker, taker] = (await Promise.all(
    node.identities.map((it) => openWallet(it, chain, { network })),
  )) as [Wallet, Wallet]
  ;({ txid: tokenid = '' } = await maker.createToken({ name: 'GOLD', supply: 1000n }))
  node.mine()
  ;({ txid: ask = '' } = await maker.ask({ tokenid, amount: 900n, price: 1000n }))
  node.mine()
  await takeMarker()
  return () => node.close()
})

/** The taker cancels a bid of its own that has ended, with the marker of the ask. */
async function takeMarker(): Promise<void> {
  const end = String(node.height + 2)
  const bid = await sentBy(node, 1, 'tokenv2bid', '1', tokenid, '0.001', end)
  node.mine(2)
  const made = decodeTransaction(await builtBy(node, 1, 'tokenv2cancelbid', tokenid, bid))
  const marker = { txid: ask, vout: 1 }
  const inputs = made.inputs.map((input) => ({
    ...input,
    ...(input.txid === bid && input.vout === 1 && marker),
    scriptSig: '',
  }))
  const prevouts = await Promise.all(
    inputs.map(async ({ txid, vout }) => {
      const spent = (await node.request('getrawtransaction', [txid])) as string
      const keys = vout === 0 ? [] : [node.identities[0].pubkey]
      const condition = moduleCondition([...keys, assetsV2GlobalPubkey], { evalCodes })
      return { ...decodeTransaction(spent).outputs[vout]!, condition }
    }),
  )
  const { hex } = signTransaction({ ...made, inputs }, [moduleKey], prevouts, network)
  await node.request('sendrawtransaction', [hex], { identity: 1 })
  expect(decodeTransaction(hex).inputs).toMatchObject([{ txid: bid }, marker])
  node.mine()
}

test('lists an ask whose marker is spent, and counts its units as locked', async () => {
  const again = await openWallet(node.identities[0], devNodeChain(node), { network })
  for (const wallet of [maker, again]) {
    expect(await wallet.orders()).toMatchObject([{ order: ask, locked: 900n }])
    expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 100n, locked: 900n }])
  }
})

test('lists the rest alone once the ask is filled in part', async () => {
  const { txid } = await taker.fill({ order: ask, amount: 10n, price: 1000n })
  node.mine()
  expect(await maker.orders()).toMatchObject([{ order: txid, locked: 890n }])
})

test('the maker gets a new marker by filling one unit, and cancels the rest', async () => {
  await expect(maker.cancel({ order: ask, id: 'first' })).rejects.toThrow('bad-txns-inputs-spent')
  const { txid: rest = '' } = await maker.fill({ order: ask, amount: 1n, price: 1000n })
  node.mine()
  expect((await maker.cancel({ order: rest, id: 'rest' })).status).toBe('accepted')
  node.mine()
  expect(await maker.orders()).toEqual([])
  expect(await maker.tokens()).toMatchObject([{ tokenid, balance: 1000n, locked: 0n }])
})
