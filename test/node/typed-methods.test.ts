// The typed client calls methods of peers, miners, accounts and shielded addresses, and tokeld's own
// methods of tokens v1. The node reads the parameters as a daemon does.

import { expect, onTestFinished, test, vi } from 'vitest'
import { isAntaraError, networks } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, type DaemonClient } from '../../src/rpc/index.ts'
import { runCommand } from '../support/cli.ts'

const time = 1_800_000_000

async function onNode(
  network: (typeof networks)['assetChain' | 'tokel'],
  work: (client: DaemonClient, node: DevNode) => Promise<void>,
): Promise<void> {
  const node = await createDevNode({ network, time, mine: 'manual' })
  try {
    await work(createDaemonClient({ ...node.identities[0]!, retry: false }), node)
  } finally {
    await node.close()
  }
}

const onKomodo = (work: Parameters<typeof onNode>[1]) => () => onNode(networks.assetChain, work)
const onTokel = (work: Parameters<typeof onNode>[1]) => () => onNode(networks.tokel, work)

test(
  'peers are added, listed and removed',
  onKomodo(async (client) => {
    expect(await client.addnode({ node: '10.0.0.1:7', command: 'add' })).toBeNull()
    expect(await client.getaddednodeinfo({ dns: false })).toEqual([{ addednode: '10.0.0.1:7' }])
    expect(await client.getaddednodeinfo({ dns: true, node: '10.0.0.1:7' })).toEqual([
      {
        addednode: '10.0.0.1:7',
        connected: false,
        addresses: [{ address: '10.0.0.1:7', connected: 'false' }],
      },
    ])
    await client.addnode({ node: '10.0.0.1:7', command: 'remove' })
    expect(await client.getaddednodeinfo({ dns: false })).toEqual([])
    await expect(client.disconnectnode({ node: '10.0.0.1:7' })).rejects.toMatchObject({ code: -29 })
  }),
)

test(
  'bans end after some seconds, at a time, or when they are removed',
  onKomodo(async (client) => {
    await client.setban({ ip: '10.0.0.1', command: 'add', bantime: 60 })
    await client.setban({ ip: '10.0.1.0/24', command: 'add', bantime: time + 7, absolute: true })
    expect(await client.listbanned()).toMatchObject([
      { address: '10.0.0.1/255.255.255.255' },
      { address: '10.0.1.0/255.255.255.0', banned_until: time + 7 },
    ])
    await client.setban({ ip: '10.0.0.1', command: 'remove' })
    expect(await client.listbanned()).toHaveLength(1)
    expect(await client.clearbanned()).toBeNull()
    expect(await client.listbanned()).toEqual([])
    expect((await client.getdeprecationinfo()).deprecationheight).toBeGreaterThan(0)
  }),
)

test(
  'a template has the fees of waiting transactions in satoshis',
  onKomodo(async (client, node) => {
    const address = node.identities[1]!.address
    const txid = await client.sendtoaddress({ address, amount: 12_345_678n })
    const { fee } = await client.gettransaction({ txid })
    const { transactions, coinbasetxn, height } = await client.getblocktemplate()
    expect(transactions).toMatchObject([{ hash: txid, fee: -fee! }])
    expect(coinbasetxn).toMatchObject({ fee, required: true })
    expect(coinbasetxn!.coinbasevalue).toBeTypeOf('bigint')
    expect(height).toBe(node.height + 1)
    const whole = await client.getblocktemplate({ jsonrequestobject: { mode: 'disablecb' } })
    expect(whole.coinbasetxn).toBeUndefined()
    expect(whole.transactions).toHaveLength(2)
    const order = { txid, priority_delta: 0.5, fee_delta: -10_000n }
    expect(await client.prioritisetransaction(order)).toBe(true)
    expect(await client.getnetworkhashps()).toBe(0)
    expect(await client.resendwallettransactions()).toEqual([txid])
  }),
)

test(
  'a block that the daemon has is a duplicate, and a young chain has no miners to count',
  onKomodo(async (client) => {
    const block = await client.getblock({ block: 1, verbosity: 0 })
    expect(await client.submitblock({ hexdata: block as string })).toBe('duplicate')
    expect(await client.minerids({ height: 0 })).toEqual({ error: 'couldnt extract minerids' })
  }),
)

test(
  'blocks are found by their times',
  onKomodo(async (client, node) => {
    node.mine()
    const tip = await client.getbestblockhash()
    const { time: mined } = (await client.getblock({ block: tip })) as { time: number }
    const range = { low: mined, high: mined + 1 }
    expect(await client.getblockhashes(range)).toEqual([tip])
    const options = { noOrphans: true, logicalTimes: true } as const
    expect(await client.getblockhashes({ ...range, ...options })).toEqual([
      { blockhash: tip, logicalts: mined },
    ])
    const { tx } = (await client.getblock({ block: tip })) as { tx: readonly string[] }
    expect(await client.txnotarizedconfirmed({ txid: tx[0]! })).toEqual({ result: false })
    node.mine(100)
    expect(await client.txnotarizedconfirmed({ txid: tx[0]! })).toEqual({ result: true })
  }),
)

test(
  'addresses have names, and the wallet counts its coins in satoshis',
  onKomodo(async (client) => {
    const address = await client.getaccountaddress({ account: 'shop' })
    expect(await client.getaccount({ address })).toBe('shop')
    await client.setaccount({ address, account: 'other' })
    expect(await client.getaccount({ address })).toBe('other')
    expect(await client.keypoolrefill({ newsize: 10 })).toBeNull()
    const { transparent, total, private: shielded } = await client.z_gettotalbalance()
    expect([transparent, shielded]).toEqual([await client.getbalance(), 0n])
    expect(total).toBe(transparent)
    expect(await client.z_gettotalbalance({ minconf: 1000 })).toMatchObject({ total: 0n })
    expect(await client.z_listaddresses({ includeWatchonly: true })).toEqual([])
    expect(await client.z_listoperationids({ status: 'success' })).toEqual([])
  }),
)

test(
  'a chain without a library of contracts says so',
  onKomodo(async (client) => {
    await expect(client.cclib({ method: 'info', evalcode: '17' })).rejects.toMatchObject({
      code: -1,
      message: expect.stringContaining('no -ac_cclib= specified'),
    })
  }),
)

test(
  "tokeld's tokens v1 with properties are created, told, counted and burned",
  onTokel(async (client, node) => {
    const properties = { url: 'https://example.org', royalty: 50 }
    const made = await client.tokencreatetokel({ name: 'ART', supply: 1n, data: properties })
    const tokenid = await client.sendrawtransaction({ hex: made.hex })
    node.mine()
    expect(await client.tokeninfotokel({ tokenid })).toMatchObject({
      supply: 1n,
      dataAsJson: properties,
    })
    expect(await client.tokenallbalances()).toEqual([{ [tokenid]: 1n }])
    const { 'mypk Normal Balance': balance, ...addresses } = await client.tokenindexkey()
    expect(balance).toBeTypeOf('bigint')
    const { pubkey } = node.identities[1]!
    expect(await client.assetsindexkey({ pubkey })).toMatchObject({
      'mypk Normal Address': addresses['mypk Normal Address'],
      'pubkey Assets CC Balance': 0n,
    })
    const burned = await client.tokenburn({ tokenid, amount: 1n, remove: true })
    await client.sendrawtransaction({ hex: burned.hex })
    node.mine()
    expect(await client.tokenallbalances()).toEqual([])
    expect(await client.tokenlist()).toEqual([])
  }),
)

test(
  'a wrong word, amount or height is refused before anything is sent',
  onKomodo(async (client, node) => {
    const txid = 'ab'.repeat(32)
    const calls: readonly [() => Promise<unknown>, string][] = [
      [() => client.addnode({ node: 'a', command: 'drop' as never }), 'add or remove or onetry'],
      [() => client.setban({ ip: 'a', command: 'onetry' as never }), 'add or remove'],
      [() => client.setban({ ip: 'a', command: 'add', bantime: -1 }), 'bantime'],
      [() => client.minerids({ height: 1.5 }), 'height'],
      [() => client.getblockhashes({ high: '1' as never, low: 0 }), 'high'],
      [
        () => client.prioritisetransaction({ txid, priority_delta: 0, fee_delta: 1 as never }),
        'fee_delta',
      ],
      [
        () => client.prioritisetransaction({ txid, priority_delta: Number.NaN, fee_delta: 1n }),
        'priority_delta',
      ],
    ]
    for (const [call, words] of calls) {
      const error = await call().then(
        () => undefined,
        (cause) => cause,
      )
      expect(error).toBeInstanceOf(TypeError)
      expect((error as TypeError).message).toContain(words)
    }
    const huge = { txid, priority_delta: 0, fee_delta: 2n ** 63n }
    const refused = await client.prioritisetransaction(huge).catch((cause) => cause)
    expect(isAntaraError(refused, 'amount_out_of_range')).toBe(true)
    expect(refused.context.expected).toBe('-9223372036854775807 to 9223372036854775807')
    const many = { address: node.identities[0]!.address, amount: 2n ** 63n }
    const tooMany = await client.sendtoaddress(many).catch((cause) => cause)
    expect(tooMany.context.expected).toBe('1 to 9223372036854775807')
  }),
)

test(
  'the command line calls them by name',
  onKomodo(async (_, node) => {
    const { url, user, password } = node.identities[0]!
    vi.stubEnv('ANTARA_RPC_USER', user)
    vi.stubEnv('ANTARA_RPC_PASSWORD', password)
    onTestFinished(() => void vi.unstubAllEnvs())
    const rpc = (...args: readonly string[]) => runCommand(['rpc', 'daemon', ...args, '--url', url])
    const txid = 'ab'.repeat(32)
    const order = await rpc('prioritisetransaction', txid, '0.5', 'fee_delta=-10000')
    expect(order).toMatchObject({ status: 0, output: 'true\n' })
    const wrong = await rpc('prioritisetransaction', txid, '0', '1.5')
    expect(wrong.status).toBe(64)
    expect(wrong.errors).toContain('fee_delta: expected a whole number')
    expect((await rpc('z_gettotalbalance', '1000', '--json')).output).toContain('"total": "0"')
    const { address } = node.identities[0]!
    const ownForm = JSON.stringify({ addresses: [address] })
    const byName = await rpc('getaddressbalance', `addresses=${address}`)
    expect(byName.output).toMatch(/^balance +\d+$/m)
    expect(await rpc('getaddressbalance', ownForm)).toEqual(byName)
    const range = JSON.stringify({ addresses: [address], start: 1, end: 1 })
    const txids = await rpc('getaddresstxids', range, '--json')
    expect(JSON.parse(txids.output)).toHaveLength(1)
    const mistyped = await rpc('getaddressbalance', '{"adresses":[]}')
    expect(mistyped).toMatchObject({ status: 64 })
    expect(mistyped.errors).toContain('did you mean addresses?')
  }),
)
