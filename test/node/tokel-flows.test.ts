// The safe flows and a wallet on a chain of tokeld's, and tokens that several keys hold.

import { beforeEach, expect, test } from 'vitest'
import { createCaseCompleter } from '../../src/chain-source/case-evidence.ts'
import { networks, signCase, type TokenOrderIntent, verifyCase } from '../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  createToken,
  type DaemonClient,
  type SafeFlowResult,
  tradeToken,
  transferToken,
} from '../../src/rpc/index.ts'
import {
  createWallet,
  devNodeChain,
  memoryJournal,
  privateKeySigner,
} from '../../src/wallet/index.ts'
import { runCommand } from '../support/cli.ts'

const network = networks.tokel
let node: DevNode<readonly [DevIdentity, DevIdentity]>
let clients: DaemonClient[]

beforeEach(async () => {
  node = await createDevNode({ network, time: 1_800_000_000 })
  clients = node.identities.map((identity) => createDaemonClient({ ...identity, retry: false }))
  return () => node.close()
})

function sentBy({ report, txid }: SafeFlowResult): string {
  expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
  if (txid === undefined) throw new Error('it was held')
  return txid
}

const creation = (name: string) => ({
  name,
  supply: 1000n,
  description: '',
  owner: node.identities[0].pubkey,
  network,
})

async function units(identity: number, tokenid: string, method = 'tokenv2balance') {
  const answer = await node.request(method, [tokenid], { identity })
  return (answer as { balance: number }).balance
}

test('creates and transfers tokens v2, to a key and to its address', async () => {
  const tokenid = sentBy(await createToken(clients[0]!, creation('GOLD')))
  const from = node.identities[0].pubkey
  for (const destination of [node.identities[1].pubkey, node.identities[1].address]) {
    const intent = { tokenid, from, destination, amount: 30n, network }
    sentBy(await transferToken(clients[0]!, intent))
  }
  expect([await units(0, tokenid), await units(1, tokenid)]).toEqual([940, 60])
})

test("creates and transfers tokeld's tokens v1", async () => {
  const tokenid = sentBy(await createToken(clients[0]!, { ...creation('OLD'), version: 1 }))
  const { pubkey: from } = node.identities[0]
  const intent = { tokenid, from, destination: node.identities[1].pubkey, amount: 30n, network }
  sentBy(await transferToken(clients[0]!, intent))
  expect(await units(1, tokenid, 'tokenbalance')).toBe(30)
})

test('creates a token with properties, burns it, and takes it from the list', async () => {
  const properties = { url: 'https://example.org', royalty: 50 }
  const one = { ...creation('ART'), supply: 1n, properties }
  const tokenid = sentBy(await createToken(clients[0]!, one))
  expect(await clients[0]!.tokenv2infotokel({ tokenid })).toMatchObject({
    dataAsJson: properties,
    supply: 1n,
  })
  const { hex } = await clients[0]!.tokenv2burn({ tokenid, amount: 1n, remove: true })
  await clients[0]!.sendrawtransaction({ hex })
  expect(await clients[0]!.tokenv2list({})).toEqual([])
})

type Asked = TokenOrderIntent extends infer Intent
  ? Intent extends TokenOrderIntent
    ? Omit<Intent, 'tokenid' | 'from' | 'network'>
    : never
  : never

test('trades tokens v2: asks, bids, fills and cancels', async () => {
  const tokenid = sentBy(await createToken(clients[0]!, creation('GOLD')))
  const trade = async (identity: number, asked: Asked) => {
    const { pubkey: from } = node.identities[identity]!
    return sentBy(
      await tradeToken(clients[identity]!, {
        ...asked,
        tokenid,
        from,
        network,
      } as TokenOrderIntent),
    )
  }
  const ask = await trade(0, { kind: 'ask', units: 100n, price: 1_000_000n })
  const left = await trade(1, { kind: 'fillAsk', order: ask, units: 30n, price: 300_000n })
  await trade(0, { kind: 'cancelAsk', order: left })
  const bid = await trade(1, { kind: 'bid', units: 10n, price: 1_000_000n })
  const wanted = await trade(0, { kind: 'fillBid', order: bid, units: 4n, price: 400_000n })
  await trade(1, { kind: 'cancelBid', order: wanted })
  expect([await units(0, tokenid), await units(1, tokenid)]).toEqual([966, 34])
  expect(await clients[0]!.tokenv2orders({})).toEqual([])
})

test('a transfer to two keys is signed by both, one after the other', async () => {
  const tokenid = sentBy(await createToken(clients[0]!, creation('GOLD')))
  const destpubkeys = node.identities.map(({ pubkey }) => pubkey)
  const together = { tokenid, destpubkeys, M: 2, amount: 20n }
  const { hex } = await clients[0]!.tokenv2transferMofN(together)
  const txid = await clients[0]!.sendrawtransaction({ hex })
  const paid = (await node.request('getrawtransaction', [txid, 1])) as {
    vout: { scriptPubKey: { addresses: string[] } }[]
  }
  const [ccaddressMofN] = paid.vout[0]!.scriptPubKey.addresses as [string]
  const back = { tokenid, ccaddressMofN, destpubkeys: destpubkeys.slice(0, 1), M: 1, amount: 8n }
  const half = await clients[0]!.tokenv2transferMofN(back)
  await expect(clients[0]!.sendrawtransaction({ hex: half.hex })).rejects.toMatchObject({
    message: expect.stringContaining('Crypto-Condition payload is invalid'),
  })
  const whole = await clients[1]!.addccv2signature({
    hextx: half.hex,
    conditions: half.PartiallySigned!,
  })
  await clients[1]!.sendrawtransaction({ hex: whole.hex })
  expect(await units(0, tokenid)).toBe(988)
})

test('transfers several tokens at once', async () => {
  const tokenids = [
    sentBy(await createToken(clients[0]!, creation('GOLD'))),
    sentBy(await createToken(clients[0]!, creation('SILVER'))),
  ]
  const destpubkey = node.identities[1].pubkey
  const { hex } = await clients[0]!.tokenv2transfermany({ tokenids, destpubkey, amount: 7n })
  await clients[0]!.sendrawtransaction({ hex })
  expect(await clients[1]!.tokenv2allbalances({})).toHaveLength(2)
  node.mine()
  // Its evidence goes back to the creation of each token, so that no warning holds it.
  const [tokenid] = tokenids as [string, string]
  const from = node.identities[0].pubkey
  const intent = { tokenid, tokenids, destination: destpubkey, amount: 5n, from, network }
  const sent = await transferToken(clients[0]!, intent)
  expect(sent).not.toHaveProperty('held')
  // A case without evidence gets as much from the chain.
  const evidence = { previousTransactions: [] }
  const bare = { operation: 'tokentransfer', intent, hex: sent.report.hex, evidence } as const
  const { given } = await createCaseCompleter(devNodeChain(node))(bare)
  // The daemon has mined it, which the completed case shows.
  const open = verifyCase(given).findings.filter(({ severity }) => severity !== 'info')
  expect(open.map(({ code }) => code)).toEqual(['already_in_block'])
})

test('a wallet pays, creates, transfers and trades', async () => {
  const wallet = await createWallet({
    signers: [privateKeySigner(node.identities[0].wif)],
    chain: devNodeChain(node),
    network,
    coinbaseMaturity: 1,
  })
  const created = await wallet.createToken({ name: 'GOLD', supply: 500n })
  node.mine()
  const tokenid = created.txid!
  expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 500n, proof: 'proven' }])
  const { pubkey, address } = node.identities[1]
  const sent = [
    await wallet.transfer({ tokenid, amount: 3n, to: pubkey }),
    await wallet.pay({ to: address, amount: 12_345n }),
    await wallet.ask({ tokenid, amount: 5n, price: 600n }),
  ]
  expect(sent.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted'])
  node.mine()
  expect(await units(1, tokenid)).toBe(3)
  expect(await wallet.orders()).toMatchObject([{ kind: 'ask', locked: 5n, price: 600n }])
})

test('the demo shows a transfer of tokens v2, and refuses every lie about it', async () => {
  const { status, output } = await runCommand(['demo', '--network', 'tokel'])
  expect(status).toBe(0)
  expect(output).toContain('tokenv2transfer 400 to B')
  expect(output.match(/: not broadcast\n {4}[a-z_]+: /g)).toHaveLength(4)
  expect(output.match(/A 600, B 400/g)).toHaveLength(2)
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test('the demo has no network without tokens', async () => {
  const { status, errors } = await runCommand(['demo', '--network', 'komodo'])
  expect(status).toBe(64)
  expect(errors).toContain('--network: assetChain or tokel expected')
})

test('a wallet that sells to a bid gets its price without the royalty', async () => {
  const [seller, buyer] = await Promise.all(
    node.identities.map(({ wif }) =>
      createWallet({
        signers: [privateKeySigner(wif)],
        chain: devNodeChain(node),
        network,
        coinbaseMaturity: 1,
      }),
    ),
  )
  // A royalty of 100 thousandths.
  const data = 'f7010364'
  const tokenid = (await buyer!.createToken({ name: 'ART', supply: 10n, data })).txid!
  node.mine()
  await buyer!.transfer({ tokenid, amount: 5n, to: node.identities[0].pubkey })
  node.mine()
  const { txid: order = '' } = await buyer!.bid({ tokenid, amount: 2n, price: 100_000n })
  node.mine()
  const request = { order, amount: 1n, id: 'sale' }
  await expect(seller!.fill({ ...request, price: 90_001n })).rejects.toMatchObject({
    code: 'order_price',
    context: { path: 'priceMin', actual: 90_000n },
  })
  const { status, report } = await seller!.fill({ ...request, price: 90_000n })
  expect(status).toBe('accepted')
  expect(report.effects.find(({ role }) => role === 'payment')?.value).toBe(90_000n)
})

test.each([
  ['of units that do not divide what arrives', 7n],
  ['of units that divide it', 10n],
])(
  'a prepared sale with a royalty %s is the request of its id after a restart',
  async (_, amount) => {
    const [{ wif, pubkey }, { wif: buyerWif }] = node.identities
    const chain = devNodeChain(node)
    const common = { chain, network, coinbaseMaturity: 1 }
    const buyer = await createWallet({ ...common, signers: [privateKeySigner(buyerWif)] })
    // A royalty of 100 thousandths.
    const data = 'f7010364'
    const tokenid = (await buyer.createToken({ name: 'ART', supply: 100n, data })).txid!
    node.mine()
    await buyer.transfer({ tokenid, amount: 50n, to: pubkey })
    node.mine()
    const { txid: order = '' } = await buyer.bid({ tokenid, amount: 20n, price: 100_500n })
    node.mine()
    const journal = memoryJournal()
    const watching = () => createWallet({ ...common, publicKeys: [pubkey], journal })
    const request = { order, amount, price: 90_000n, id: 'sale' }
    const seller = await watching()
    const { case: made } = await seller.prepare.fill(request)
    const signed = { ...made, hex: signCase(made, [wif]).hex }
    expect(await seller.submit(signed, { id: 'sale', dryRun: true })).toMatchObject({
      held: 'dry-run',
    })
    const sent = await (await watching()).submit(signed, { id: 'sale' })
    expect(sent.status).toBe('accepted')
    const signers = [privateKeySigner(wif)]
    const again = await (await createWallet({ ...common, signers, journal })).fill(request)
    expect(again).toMatchObject({ status: 'accepted', repeated: true, txid: sent.txid })
  },
)
