// A server refused a payment. Its next attempt shares a coin with it, because the refusal may be false.

import { expect, test } from 'vitest'

import { decodeTransaction } from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { devNodeChain, memoryJournal, type Sent, type Wallet } from '../../../src/wallet/index.ts'
import { keyOfOutpoint } from '../../../src/wallet/outpoint-key.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const inputsOf = (hex: string) => decodeTransaction(hex).inputs.map(keyOfOutpoint)

/** A wallet with a small coin and large ones, and with 700 and 300 units of a token. */
async function refusing(small: bigint) {
  const { node, alice, bob } = await fundedNode()
  const chain = devNodeChain(node)
  const maker = await openWallet(alice, chain)
  const other = await openWallet(bob, chain)
  const { tokenid = '' } = await maker.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  await maker.transfer({ tokenid, to: bob.pubkey, amount: 300n })
  node.mine()
  await other.transfer({ tokenid, to: alice.pubkey, amount: 300n })
  await other.pay({ to: alice.address, amount: small })
  node.mine()
  const refused: string[] = []
  let hidden: readonly bigint[] = []
  let isRefusing = false
  const source = tampered(chain, {
    async unspent(scripts, options) {
      const all = await chain.unspent(scripts, options)
      return all.filter(({ value = 0n }) => !hidden.some((most) => value === most))
    },
    async broadcast(hex, options) {
      if (!isRefusing) return chain.broadcast(hex, options)
      refused.push(hex)
      throw new RpcError('daemon', '66: insufficient priority', { code: -26 })
    },
  })
  const wallet = await openWallet(alice, source, { journal: memoryJournal() })
  const plain = (await wallet.coins()).map(({ value }) => value).filter((it) => it > small)
  /** Makes a first attempt from the small coin and the coin of 700 units. */
  async function refuse(call: () => Promise<Sent>): Promise<string> {
    hidden = [...plain, 300n]
    isRefusing = true
    await expect(call()).rejects.toThrow('insufficient priority')
    hidden = []
    isRefusing = false
    return refused[0]!
  }
  return { node, bob, wallet, tokenid, refuse }
}

type Call = (wallet: Wallet, tokenid: string, to: string, fee: bigint) => Promise<Sent>

test.each<[string, bigint, Call]>([
  [
    'a transfer',
    15_000n,
    (wallet, tokenid, to, fee) => wallet.transfer({ tokenid, to, amount: 200n, fee, id: 'a' }),
  ],
  [
    'an ask',
    25_000n,
    (wallet, tokenid, _, fee) => wallet.ask({ tokenid, amount: 200n, price: 500n, fee, id: 'a' }),
  ],
  [
    'a bid',
    25_000n,
    (wallet, tokenid, _, fee) => wallet.bid({ tokenid, amount: 1n, price: 5000n, fee, id: 'a' }),
  ],
  [
    'a creation',
    25_000n,
    (wallet, _, __, fee) => wallet.createToken({ name: 'NEW', supply: 5000n, fee, id: 'a' }),
  ],
])(
  '%s that was refused is made with a higher fee from its own coin and others',
  async (...given) => {
    const [, small, call] = given
    const { node, bob, wallet, tokenid, refuse } = await refusing(small)
    const first = await refuse(() => call(wallet, tokenid, bob.pubkey, 10_000n))
    const sent = await call(wallet, tokenid, bob.pubkey, 20_000n)
    expect(sent).toMatchObject({ status: 'accepted', report: { fee: 20_000n } })
    expect(inputsOf(first).some((it) => inputsOf(sent.report.hex).includes(it))).toBe(true)
    await node.close()
  },
)

/** A wallet of alice whose source shows some coins alone, and refuses the first payment. */
async function refusedOnce(...values: readonly bigint[]) {
  const { node, alice, bob } = await fundedNode()
  for (const value of values) node.fund(alice.address, value)
  node.mine(101)
  const chain = devNodeChain(node)
  let shown: readonly bigint[] = values
  const refused = new Set<string>()
  let refusedMax = 1
  const source = tampered(chain, {
    async unspent(scripts, options) {
      const all = await chain.unspent(scripts, options)
      return all.filter(({ value = 0n }) => shown.includes(value))
    },
    async broadcast(hex, options) {
      if (refused.size < refusedMax) refused.add(hex)
      if (!refused.has(hex)) return chain.broadcast(hex, options)
      throw new RpcError('daemon', '66: insufficient priority', { code: -26 })
    },
  })
  const wallet = await openWallet(alice, source, { journal: memoryJournal() })
  const show = (...some: readonly bigint[]) => {
    shown = some
  }
  const refuseOneMore = () => {
    refusedMax += 1
  }
  return { node, bob, wallet, show, refuseOneMore }
}

test('a refused payment takes one coin more if its change would be dust, which exceeds the fee', async () => {
  const { node, bob, wallet, show } = await refusedOnce(5_000_000n, 10_030n, 10_010n)
  show(5_000_000n)
  const request = { to: bob.address, amount: 4_990_000n, id: 'invoice' }
  await expect(wallet.pay(request)).rejects.toThrow('insufficient priority')
  show(5_000_000n, 10_030n, 10_010n)
  const sent = await wallet.pay({ ...request, fee: 20_000n, maxFee: 20_000n })
  expect(sent).toMatchObject({ status: 'accepted', report: { fee: 20_000n } })
  await node.close()
})

test('each transaction that is prepared under one id spends the coins of all before it', async () => {
  const { node, bob, wallet, show } = await refusedOnce(5_000_000n, 5_000_001n, 40_000_000n)
  show(5_000_000n, 5_000_001n)
  const request = { to: bob.address, amount: 9_985_000n, id: 'invoice' }
  const prepared = async (fee: bigint) => {
    const { hex } = (await wallet.prepare.pay({ ...request, fee })).case
    return inputsOf(hex)
  }
  const first = await prepared(10_000n)
  show(5_000_000n, 5_000_001n, 40_000_000n)
  const second = await prepared(20_000n)
  expect(second).toEqual(expect.arrayContaining(first))
  // The coin of 40,000,000 satoshis would suffice, and both could be mined then.
  expect(await prepared(20_000n)).toEqual(second)
  await node.close()
})

test('a refused payment leaves a coin to another payment that took it, if it has others', async () => {
  const { node, bob, wallet, show } = await refusedOnce(5_000_000n, 5_000_001n, 5_000_002n)
  show(5_000_000n, 5_000_001n)
  const request = { to: bob.address, amount: 8_000_000n, id: 'invoice' }
  await expect(wallet.pay(request)).rejects.toThrow('insufficient priority')
  show(5_000_000n)
  let again: Sent | undefined
  const other = await wallet.pay({
    to: bob.address,
    amount: 1_000_000n,
    id: 'other',
    async confirm() {
      show(5_000_000n, 5_000_001n, 5_000_002n)
      again = await wallet.pay(request)
      return true
    },
  })
  expect([again?.status, other.status]).toEqual(['accepted', 'accepted'])
  expect(await wallet.resume()).toMatchObject([
    { result: { status: 'accepted' } },
    { result: { status: 'accepted' } },
  ])
  await node.close()
})

test('a payment is held while another has taken the only coin of one of its attempts', async () => {
  const { node, bob, wallet, show, refuseOneMore } = await refusedOnce(
    ...[5_000_000n, 5_000_001n, 40_000_000n],
  )
  const request = { to: bob.address, amount: 4_980_000n, id: 'invoice', maxFee: 100_000n }
  show(5_000_000n)
  await expect(wallet.pay(request)).rejects.toThrow('insufficient priority')
  show(5_000_000n, 5_000_001n)
  refuseOneMore()
  const second = wallet.pay({ ...request, fee: 25_000n })
  await expect(second).rejects.toThrow('insufficient priority')
  show(5_000_000n)
  const other = await wallet.pay({ to: bob.address, amount: 1_000_000n, id: 'other' })
  expect(other).toMatchObject({ status: 'accepted' })
  // The server may still send the first attempt on instead of the other payment.
  show(5_000_001n, 40_000_000n)
  const third = await wallet.pay({ ...request, fee: 30_000n })
  expect(third).toMatchObject({ status: 'held', held: 'different-inputs' })
  expect(await node.request('getrawmempool')).toEqual([other.txid])
  await node.close()
})

test('a server that refuses a payment and sends it on makes nobody pay twice by the same call', async () => {
  const { node, alice, bob } = await fundedNode()
  const chain = devNodeChain(node)
  let isRefusing = true
  const source = tampered(chain, {
    async broadcast(hex, options) {
      const txid = await chain.broadcast(hex, options)
      if (isRefusing) throw new RpcError('daemon', '66: insufficient priority', { code: -26 })
      return txid
    },
  })
  const journal = memoryJournal()
  const wallet = await openWallet(alice, source, { journal })
  const request = { to: bob.address, amount: 1_000_000n, id: 'invoice' }
  await expect(wallet.pay(request)).rejects.toMatchObject({ kind: 'daemon' })
  const [txid] = (await node.request('getrawmempool')) as string[]
  // It shows what it claims to refuse.
  const again = await wallet.pay({ ...request, fee: 20_000n })
  expect(again).toMatchObject({ status: 'uncertain', txid })
  expect(await node.request('getrawmempool')).toEqual([txid])
  node.mine()
  isRefusing = false
  const found = { status: 'accepted', txid, repeated: true }
  const another = await openWallet(alice, chain, { journal })
  expect(await another.resume()).toMatchObject([{ result: found }])
  expect(await node.request('getrawmempool')).toEqual([])
  await node.close()
})
