// An offer on a chain of tokeld's that another machine built. Its end is its builder's choice, and the
// wallet's own requests have none.

import { expect, test } from 'vitest'

import { buildTokenAsk, buildTokenBid, type Case, networks, signCase } from '../../../src/index.ts'
import { createDevNode } from '../../../src/node/index.ts'
import { devNodeChain, memoryJournal } from '../../../src/wallet/index.ts'
import { openWallet } from './support.ts'

const network = networks.tokel

test.each([
  ['an ask', 'ask', 4],
  ['a bid', 'bid', 4],
  ['an ask that ends when tokeld would let it end', 'ask', undefined],
] as const)('resume sends %s again that a reorganization dropped', async (_, kind, blocks) => {
  const node = await createDevNode({ listen: false, network, mine: 'manual', time: 1_800_000_000 })
  const [alice] = node.identities
  node.fund(alice.address, 50_000_000n)
  node.mine(101)
  const journal = memoryJournal()
  const open = () => openWallet(alice, devNodeChain(node), { network, journal })
  const wallet = await open()
  const { txid: tokenid = '' } = await wallet.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const prepared = await wallet.prepare[kind]({ tokenid, amount: 100n, price: 1000n })
  const { previousTransactions } = prepared.case
  const outpoints = prepared.case.coins.map(({ txid, vout }) => ({ txid, vout }))
  const [coins, tokenCoins] =
    kind === 'ask' ? [outpoints.slice(0, 1), outpoints.slice(1)] : [outpoints, []]
  const { height: tipHeight } = node
  const request = {
    ...{ tokenid, units: 100n, price: 100_000n, from: alice.pubkey, network, tipHeight },
    ...{ coins, previousTransactions },
    ...(blocks !== undefined && { orderExpiryHeight: tipHeight + blocks }),
  }
  const built = kind === 'ask' ? buildTokenAsk({ ...request, tokenCoins }) : buildTokenBid(request)
  const { hex } = signCase(built, [alice.wif])
  const sent = await wallet.submit({ ...built, hex } as Case, { id: 'offer' })
  expect(sent.status).toBe('accepted')
  node.mine()
  node.reorg(1, { drop: [sent.txid!] })

  const named = (await (await open()).resume()).find(({ name }) => name === 'id offer')
  expect(named).toMatchObject({ result: { status: 'accepted', txid: sent.txid } })
  expect(await node.request('getrawmempool')).toContain(sent.txid)
  await node.close()
})
