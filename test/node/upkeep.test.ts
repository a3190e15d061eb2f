// Methods by which an operator looks after a daemon: peers, bans, and what a daemon without peers,
// notaries and shielded addresses answers. Texts and codes are those of komodo's src/rpc/net.cpp
// and misc.cpp.

import { describe, expect, test } from 'vitest'
import { useDevNode } from '../../src/node/vitest.ts'

const time = 1_800_000_000
const node = useDevNode({ time, mine: 'manual' })
const ask = (method: string, ...params: unknown[]) => node().request(method, params as never)

describe('the list of peers', () => {
  test('keeps what addnode adds until it is removed', async () => {
    await ask('addnode', '10.0.0.1:7770', 'add')
    await ask('addnode', 'seed.example', 'add')
    await ask('addnode', '10.0.0.9', 'onetry')
    expect(await ask('getaddednodeinfo', false)).toEqual([
      { addednode: '10.0.0.1:7770' },
      { addednode: 'seed.example' },
    ])
    expect(await ask('getaddednodeinfo', true)).toEqual([
      {
        addednode: '10.0.0.1:7770',
        connected: false,
        addresses: [{ address: '10.0.0.1:7770', connected: 'false' }],
      },
    ])
    await ask('addnode', '10.0.0.1:7770', 'remove')
    expect(await ask('getaddednodeinfo', false)).toEqual([{ addednode: 'seed.example' }])
    expect(await ask('getpeerinfo')).toEqual([])
  })

  test('refuses what a daemon refuses', async () => {
    await ask('addnode', '10.0.0.1', 'add')
    await expect(ask('addnode', '10.0.0.1', 'add')).rejects.toMatchObject({
      code: -23,
      message: 'Error: Node already added',
    })
    const missing = { code: -24, message: 'Error: Node has not been added.' }
    await expect(ask('addnode', '10.0.0.2', 'remove')).rejects.toMatchObject(missing)
    await expect(ask('getaddednodeinfo', true, '10.0.0.2')).rejects.toMatchObject(missing)
    await expect(ask('addnode', '10.0.0.2', 'wish')).rejects.toMatchObject({
      code: -1,
      message: expect.stringMatching(/^addnode "node" "add\|remove\|onetry"\n/),
    })
    await expect(ask('disconnectnode', '10.0.0.1')).rejects.toMatchObject({
      code: -29,
      message: 'Node not found in connected nodes',
    })
  })

  test('belongs to one identity, and is part of a snapshot', async () => {
    const before = node().snapshot()
    await ask('addnode', '10.0.0.1', 'add')
    expect(await node().request('getaddednodeinfo', [false], { identity: 1 })).toEqual([])
    node().revert(before)
    expect(await ask('getaddednodeinfo', false)).toEqual([])
  })
})

describe('the list of bans', () => {
  test('names addresses with the mask written out', async () => {
    await ask('setban', '144.144.140.12', 'add', 64_800)
    await ask('setban', '10.1.2.3/8', 'add')
    await ask('setban', '78.47.205.239', 'add', time + 5, true)
    expect(await ask('listbanned')).toEqual([
      { address: '10.0.0.0/255.0.0.0', banned_until: time + 86_400 },
      { address: '78.47.205.239/255.255.255.255', banned_until: time + 5 },
      { address: '144.144.140.12/255.255.255.255', banned_until: time + 64_800 },
    ])
    await ask('setban', '144.144.140.12', 'remove')
    await ask('clearbanned')
    expect(await ask('listbanned')).toEqual([])
  })

  test('refuses an address of a banned range until the ban ends', async () => {
    await ask('setban', '192.168.0.0/255.255.0.0', 'add')
    const held = { code: -23, message: 'Error: IP/Subnet already banned' }
    await expect(ask('setban', '192.168.7.7', 'add')).rejects.toMatchObject(held)
    await expect(ask('setban', '192.168.0.0/16', 'add')).rejects.toMatchObject(held)
    await ask('setban', '192.168.7.0/24', 'add')
    await ask('setban', '192.169.0.0', 'add')
    node().setTime(time + 86_401)
    await ask('setban', '192.168.7.7', 'add')
    expect(await ask('listbanned')).toHaveLength(4)
  })

  test.each(['nowhere', '256.1.1.1', '1.1.1.1/33', '1.1.1.1/2/3', '1.1.1', ''])(
    'refuses %j, which is not an address',
    async (address) => {
      await expect(ask('setban', address, 'add')).rejects.toMatchObject({
        code: -23,
        message: 'Error: Invalid IP/Subnet',
      })
    },
  )

  test('refuses to lift a ban that is not there', async () => {
    await expect(ask('setban', '1.1.1.1', 'remove')).rejects.toMatchObject({
      code: -1,
      message: 'Error: Unban failed',
    })
  })
})

describe('a daemon without peers, notaries and shielded addresses', () => {
  test('reports a transaction as notarized after 101 blocks', async () => {
    const txid = (await ask('sendtoaddress', node().identities[1]!.address, 1)) as string
    expect(await ask('txnotarizedconfirmed', txid)).toEqual({ result: false })
    node().mine(100)
    expect(await ask('txnotarizedconfirmed', txid)).toEqual({ result: false })
    node().mine()
    expect(await ask('txnotarizedconfirmed', txid)).toEqual({ result: true })
    expect(await ask('txnotarizedconfirmed', 'nonsense')).toEqual({ result: false })
  })

  test('names no miners of a young chain', async () => {
    expect(await ask('minerids', '1')).toEqual({ error: 'couldnt extract minerids' })
    await expect(ask('minerids', 1)).rejects.toMatchObject({ code: -1 })
    await expect(ask('minerids', '1000')).rejects.toMatchObject({
      message: 'minerids: this development node has no notaries',
    })
  })

  test('lists the transactions of the wallet that wait, and sends none again', async () => {
    const txid = await ask('sendtoaddress', node().identities[1]!.address, 1)
    expect(await ask('resendwallettransactions')).toEqual([txid])
    node().mine()
    expect(await ask('resendwallettransactions')).toEqual([])
  })

  test('writes the total balance without zeros at its end', async () => {
    const transparent = String(await ask('getbalance'))
    const none = { interest: '0.00', private: '0.00' }
    expect(transparent).toMatch(/\.\d{3,7}$/)
    expect(await ask('z_gettotalbalance')).toEqual({ transparent, ...none, total: transparent })
    expect(await node().request('z_gettotalbalance', [0, true], { identity: 1 })).toEqual({
      transparent: '10000.00',
      ...none,
      total: '10000.00',
    })
    await expect(ask('z_gettotalbalance', -1)).rejects.toMatchObject({
      code: -8,
      message: 'Minimum number of confirmations cannot be less than 0',
    })
    expect(await ask('z_listaddresses')).toEqual([])
    expect(await ask('z_listoperationids', 'success')).toEqual([])
  })

  test('answers keypoolrefill, getdeprecationinfo and cclib', async () => {
    expect(await ask('keypoolrefill', 200)).toBeNull()
    await expect(ask('keypoolrefill', -1)).rejects.toMatchObject({ code: -8 })
    const { version } = (await ask('getinfo')) as { version: number }
    expect(await ask('getdeprecationinfo')).toMatchObject({ version, deprecationheight: 4_820_333 })
    await expect(ask('cclib', 'method')).rejects.toMatchObject({
      code: -1,
      message: 'no -ac_cclib= specified\n',
    })
  })
})

// lib/services/bitcoind.js of bitcore-node 3.1.3 calls these. Insight is built on it.
test.each([
  'estimatefee generate getaddressbalance getaddressmempool getaddresstxids getaddressutxos',
  'getbestblockhash getblock getblockhash getblockhashes getblockheader getblockchaininfo getinfo',
  'getrawtransaction getspentinfo sendrawtransaction',
])('the node serves the methods that Insight calls: %s', async (names) => {
  for (const name of names.split(' ')) {
    expect(await ask('help', name)).not.toContain('unknown command')
  }
})
