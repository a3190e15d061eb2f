// The faults of the development node between a wallet and its chain: whatever a call meets, one id
// is one payment, and the balance that follows is the node's own.

import { expect, test } from 'vitest'

import { addressOf, networks, publicKeyOf } from '../../src/index.ts'
import type { FaultRule } from '../../src/node/index.ts'
import { RpcError } from '../../src/rpc/index.ts'
import { fundedNode, openWallet } from '../unit/wallet/support.ts'

const payee = addressOf(publicKeyOf('a'.padStart(64, '0')), networks.assetChain)

const kinds: readonly FaultRule[] = [
  { kind: 'latency', milliseconds: 5 },
  { kind: 'warm_up' },
  { kind: 'queue_full' },
  { kind: 'reset' },
  { kind: 'lost_reply' },
  { kind: 'error', code: -1, message: 'out of order' },
  { kind: 'error', code: -26, message: '16: bad-txns-inputs-spent' },
]
const tampers = [
  'stolen_change',
  'wrong_destination',
  'stolen_token_change',
  'other_token_burned',
  'raised_fee',
] as const

/** The calls that a payment makes of a daemon. */
const methods = [
  'getbestblockhash',
  'getblockheader',
  'getaddressutxos',
  'getaddressmempool',
  'getrawtransaction',
  'getaddressdeltas',
  'getblockhash',
  'sendrawtransaction',
]

const rows: readonly (readonly [title: string, rules: readonly FaultRule[]])[] = [
  ...methods.map((method) => [method, kinds.map((rule) => ({ ...rule, method }))] as const),
  [
    'every answer that builds or sends',
    [
      { kind: 'wrong_txid' },
      ...tampers.map((tamper) => ({ kind: 'tampered_hex', tamper }) as const),
    ],
  ],
]

// The faults of a method run beside each other: most of the time is the client's pauses.
test.each(rows)('%s: one payment, whatever it meets', async (_, rules) => {
  await Promise.all(rules.map(payDespite))
})

async function payDespite(rule: FaultRule): Promise<void> {
  const { node, alice, bob, chain } = await fundedNode()
  const wallet = await openWallet(alice, chain)
  const created = await wallet.createToken({ name: 'GOLD', supply: 100n, id: 'gold' })
  node.mine()
  const tokenid = created.txid!
  const requests = [
    () => wallet.pay({ to: payee, amount: 1_000_000n, id: 'rent' }),
    () => wallet.transfer({ tokenid, to: bob.pubkey, amount: 30n, id: 'gold 30' }),
  ]
  for (const request of requests) {
    node.faults.add({ ...rule, times: 2 })
    // The client gives up where it may not repeat a call: the next call of the wallet goes on.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await request().catch((error: unknown) => expect(error).toBeInstanceOf(RpcError))
    }
    node.faults.clear()
    expect(await request()).toMatchObject({ status: 'accepted' })
    node.mine()
  }
  const paid = (await node.request('getaddressbalance', [{ addresses: [payee] }])) as object
  expect(paid).toMatchObject({ balance: 1_000_000 })
  expect(await node.request('tokenbalance', [tokenid, bob.pubkey])).toMatchObject({ balance: 30 })
  const { balance } = (await node.request('getaddressbalance', [
    { addresses: [alice.address] },
  ])) as { balance: number }
  expect((await wallet.balance()).total).toBe(BigInt(balance))
  expect(wallet.findings()).toEqual([])
  await node.close()
}
