// Orders through the wallet, between two wallets on the development node. The node applies
// komodod's rules to each, and its list of orders is compared.

import { expect, test } from 'vitest'

import { formatReport, signCase } from '../../../src/index.ts'
import { createWallet, memoryJournal, type Sent, type Wallet } from '../../../src/wallet/index.ts'
import { fundedNode, openWallet } from './support.ts'

const rejects = ({ report }: Sent) =>
  report.findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code)

async function market() {
  const { node, alice, bob, chain } = await fundedNode()
  const [seller, buyer] = [await openWallet(alice, chain), await openWallet(bob, chain)]
  const { txid } = await seller.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const tokenid = txid!
  const unitsOf = async (wallet: Wallet) =>
    (await wallet.tokens()).find((token) => token.tokenid === tokenid)?.balance ?? 0n
  const listed = () => node.request('tokenorders', [tokenid])
  return { node, seller, buyer, tokenid, unitsOf, listed }
}

test('an ask of 100 units at 500 satoshis each asks 50,000 of the chain, and is filled in part', async () => {
  const { node, seller, buyer, tokenid, unitsOf, listed } = await market()
  const ask = await seller.ask({ tokenid, amount: 100n, price: 500n, id: 'ask' })
  expect(rejects(ask)).toEqual([])
  expect(ask.status).toBe('accepted')
  node.mine()
  expect(await unitsOf(seller)).toBe(900n)
  expect(await listed()).toMatchObject([
    { txid: ask.txid, funcid: 's', totalrequired: '0.00050000' },
  ])
  expect(await seller.orders()).toEqual([
    { order: ask.txid, kind: 'ask', tokenid, locked: 100n, wanted: 50_000n, price: 500n },
  ])

  const dear = buyer.fill({ order: ask.txid!, amount: 40n, price: 499n })
  await expect(dear).rejects.toMatchObject({ code: 'order_price' })
  const bought = await buyer.fill({ order: ask.txid!, amount: 40n, price: 500n })
  expect(rejects(bought)).toEqual([])
  expect(bought.status).toBe('accepted')
  node.mine()
  expect(await unitsOf(buyer)).toBe(40n)
  // The transaction that bought offers the rest of the order.
  expect(await seller.orders()).toMatchObject([
    { kind: 'ask', locked: 60n, wanted: 30_000n, price: 500n },
  ])
  await node.close()
})

test('a bid for one unit is filled at its price, and another is taken back', async () => {
  const { node, seller, buyer, tokenid, unitsOf } = await market()
  const bid = await buyer.bid({ tokenid, amount: 1n, price: 70_000n, id: 'bid' })
  expect(rejects(bid)).toEqual([])
  expect(bid.status).toBe('accepted')
  node.mine()
  expect(await buyer.orders()).toEqual([
    { order: bid.txid, kind: 'bid', tokenid, locked: 70_000n, wanted: 1n, price: 70_000n },
  ])
  const sold = await seller.fill({ order: bid.txid!, amount: 1n, price: 70_000n })
  expect(rejects(sold)).toEqual([])
  expect(sold.status).toBe('accepted')
  node.mine()
  expect(await unitsOf(buyer)).toBe(1n)
  expect(await unitsOf(seller)).toBe(999n)

  const second = await buyer.bid({ tokenid, amount: 1n, price: 80_000n, id: 'second' })
  node.mine()
  const before = (await buyer.balance()).total
  const back = await buyer.cancel({ order: second.txid! })
  expect(rejects(back)).toEqual([])
  expect(back.status).toBe('accepted')
  node.mine()
  expect(await buyer.orders()).toEqual([])
  expect((await buyer.balance()).total - before).toBeGreaterThan(70_000n)
  await node.close()
})

test.each([
  ['ask', 'tokenask', 'for      0.00050000 coins in all, 0.00000500 for each unit'],
  ['bid', 'tokenbid', 'for      0.00050000 coins in all, 0.00000500 for each unit'],
] as const)(
  '%s: the price of each unit is that of all in the case, and the report states both',
  async (kind, operation, text) => {
    const { node, seller, buyer, tokenid } = await market()
    const request = { tokenid, amount: 100n, price: 500n }
    const offer = { ...request, ...(kind === 'bid' && { allowUnenforcedPrice: true }) }
    const { case: made, report } = await (kind === 'ask' ? seller : buyer).prepare[kind](offer)
    expect(made).toMatchObject({ operation, intent: { units: 100n, price: 50_000n } })
    expect(formatReport(report, { given: made })).toContain(text)
    await node.close()
  },
)

test('fills turn the price of each unit into that of all, in the case and the report', async () => {
  const { node, seller, buyer, tokenid } = await market()
  const ask = await seller.ask({ tokenid, amount: 100n, price: 500n })
  const bid = await buyer.bid({ tokenid, amount: 1n, price: 70_000n })
  node.mine()
  const buy = await buyer.prepare.fill({ order: ask.txid!, amount: 40n, price: 500n })
  expect(buy.case).toMatchObject({ operation: 'tokenfillask', intent: { price: 20_000n } })
  expect(formatReport(buy.report, { given: buy.case })).toContain(
    'for      0.00020000 coins in all, 0.00000500 for each unit',
  )
  const sell = await seller.prepare.fill({ order: bid.txid!, amount: 1n, price: 70_000n })
  expect(sell.case).toMatchObject({ operation: 'tokenfillbid', intent: { price: 70_000n } })
  expect(formatReport(sell.report, { given: sell.case })).toContain(
    'for      0.00070000 coins in all',
  )
  await node.close()
})

test('a bid for several units is refused on this chain unless it is allowed', async () => {
  const { node, buyer, tokenid } = await market()
  const request = { tokenid, amount: 5n, price: 1000n }
  await expect(buyer.bid(request)).rejects.toMatchObject({ code: 'amount_out_of_range' })
  const allowed = await buyer.bid({ ...request, allowUnenforcedPrice: true })
  expect(allowed.report.findings.map(({ code }) => code)).toContain('bid_price_unenforced')
  expect(allowed.status).toBe('accepted')
  await node.close()
})

test('an ask is taken back, and its units return', async () => {
  const { node, seller, tokenid, unitsOf } = await market()
  const ask = await seller.ask({ tokenid, amount: 100n, price: 500n })
  node.mine()
  const back = await seller.cancel({ order: ask.txid! })
  expect(rejects(back)).toEqual([])
  expect(back.status).toBe('accepted')
  node.mine()
  expect(await unitsOf(seller)).toBe(1000n)
  expect(await seller.orders()).toEqual([])
  await node.close()
})

test('open orders are in the balances, and every step of an order is named in the history', async () => {
  const { node, seller, buyer, tokenid } = await market()
  const ask = await seller.ask({ tokenid, amount: 1000n, price: 500n })
  const bid = await buyer.bid({ tokenid, amount: 1n, price: 70_000n })
  node.mine()
  expect(await seller.tokens()).toMatchObject([
    { tokenid, name: 'GOLD', balance: 0n, locked: 1000n, proof: 'proven' },
  ])
  expect(await buyer.balance()).toMatchObject({ locked: 70_000n })
  expect(await seller.balance()).toMatchObject({ locked: 0n })
  await buyer.fill({ order: ask.txid!, amount: 400n, price: 500n })
  node.mine()
  expect(await seller.tokens()).toMatchObject([{ balance: 0n, locked: 600n }])
  expect(await buyer.tokens()).toMatchObject([{ balance: 400n, locked: 0n }])
  const [open] = await seller.orders()
  await seller.cancel({ order: open!.order })
  await buyer.cancel({ order: bid.txid! })
  node.mine()
  expect(await seller.tokens()).toMatchObject([{ balance: 600n, locked: 0n }])
  expect(await buyer.balance()).toMatchObject({ locked: 0n })
  const steps = async (wallet: Wallet) =>
    (await wallet.history())
      .map(({ operation }) => operation)
      .filter((operation) => operation.startsWith('token'))
      .toReversed()
  expect(await steps(seller)).toEqual([
    ...['tokencreate', 'tokenask', 'tokenfillask', 'tokencancelask'],
  ])
  expect(await steps(buyer)).toEqual(['tokenbid', 'tokenfillask', 'tokencancelbid'])
  await node.close()
})

test('lists an open ask of a non-fungible token, which another script holds', async () => {
  const { node, seller } = await market()
  const token = { name: 'ART', supply: 1n, description: '', data: 'f1aabb' }
  const { txid: tokenid = '' } = await seller.createToken(token)
  node.mine()
  const { txid } = await seller.ask({ tokenid, amount: 1n, price: 70_000n })
  node.mine()
  expect(await seller.orders()).toMatchObject([{ order: txid, kind: 'ask', locked: 1n }])
  await node.close()
})

test('the same id of a fill is not used again for the rest of the order', async () => {
  const { node, seller, buyer, tokenid, unitsOf } = await market()
  const ask = await seller.ask({ tokenid, amount: 100n, price: 500n })
  node.mine()
  const request = { order: ask.txid!, amount: 40n, price: 500n, id: 'buy' }
  const first = await buyer.fill(request)
  node.mine()
  const again = await buyer.fill(request)
  expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: first.txid })
  node.mine()
  expect(await unitsOf(buyer)).toBe(40n)
  await node.close()
})

test('the same id of a fill at another price is an error, not a rejected payment', async () => {
  const { node, seller, buyer, tokenid } = await market()
  const { txid = '' } = await seller.ask({ tokenid, amount: 100n, price: 500n })
  node.mine()
  const request = { order: txid, amount: 40n, price: 500n, id: 'buy' }
  expect((await buyer.fill(request)).status).toBe('accepted')
  for (const price of [499n, 501n]) {
    const repeated = buyer.fill({ ...request, price })
    await expect(repeated).rejects.toMatchObject({ code: 'id_conflict' })
  }
  // Without an id it is another payment, but it would spend the same order.
  const unnamed = await buyer.fill({ order: txid, amount: 40n, price: 600n })
  expect(unnamed.held).toBe('reserved-inputs')
  node.mine()
  expect((await buyer.fill(request)).repeated).toBe(true)
  await node.close()
})

// A fill at a better price than the requested one is still the requested fill.
test('a prepared fill at a better price is the request of its id after a restart', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const seller = await openWallet(alice, chain)
  const { txid: tokenid = '' } = await seller.createToken({ name: 'GOLD', supply: 1000n })
  node.mine()
  const ask = await seller.ask({ tokenid, amount: 100n, price: 500n })
  const offer = { tokenid, amount: 1n, price: 70_000n }
  const bid = await (await openWallet(bob, chain)).bid(offer)
  node.mine()
  for (const [{ wif, pubkey }, request] of [
    [bob, { order: ask.txid!, amount: 40n, price: 600n, id: 'buy' }],
    [alice, { order: bid.txid!, amount: 1n, price: 60_000n, id: 'sell' }],
  ] as const) {
    const journal = memoryJournal()
    const watching = () => createWallet({ publicKeys: [pubkey], chain, journal })
    const { case: made } = await (await watching()).prepare.fill(request)
    const signed = { ...made, hex: signCase(made, [wif]).hex }
    const sent = await (await watching()).submit(signed, { id: request.id })
    expect(sent.status).toBe('accepted')
    const again = await (await openWallet({ wif }, chain, { journal })).fill(request)
    expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: sent.txid })
    node.mine()
  }
  await node.close()
})

test.each(['fill', 'cancel'] as const)(
  'a %s of an order that was filled in part names the order that has the rest',
  async (kind) => {
    const { node, seller, buyer, tokenid } = await market()
    const { txid: order = '' } = await seller.ask({ tokenid, amount: 100n, price: 500n })
    node.mine()
    const { txid: rest = '' } = await buyer.fill({ order, amount: 40n, price: 500n, id: 'buy' })
    node.mine()
    const again =
      kind === 'fill'
        ? buyer.fill({ order, amount: 10n, price: 500n, id: 'more' })
        : seller.cancel({ order })
    await expect(again).rejects.toMatchObject({ code: 'order_malformed' })
    await expect(again).rejects.toThrow(`the rest is the order ${rest}`)
    const [open] = await seller.orders()
    expect(open).toMatchObject({ order: rest, locked: 60n })
    expect((await seller.cancel({ order: rest })).status).toBe('accepted')
    await node.close()
  },
)

test('an order of somebody else cannot be taken back', async () => {
  const { node, seller, buyer, tokenid } = await market()
  const { txid = '' } = await seller.ask({ tokenid, amount: 100n, price: 500n })
  node.mine()
  await expect(buyer.cancel({ order: txid })).rejects.toMatchObject({ code: 'order_not_own' })
  await node.close()
})

test('refuses a txid that is not an order', async () => {
  const { node, buyer, tokenid } = await market()
  const fill = buyer.fill({ order: tokenid, amount: 1n, price: 1n })
  await expect(fill).rejects.toMatchObject({ code: 'order_malformed' })
  await node.close()
})
