// Methods by which an operator looks after a daemon: peers, bans, mining and templates of blocks.
// Texts and codes are those of komodo's src/rpc/net.cpp, mining.cpp and misc.cpp.

import { describe, expect, test } from 'vitest'
import { decodeTransaction } from '../../src/index.ts'
import { useDevNode } from '../../src/node/vitest.ts'

const time = 1_800_000_000
const node = useDevNode({ time, mine: 'manual' })
const ask = (method: string, ...params: unknown[]) => node().request(method, params as never)

describe('the list of peers', () => {
  test('is kept, though nobody is there', async () => {
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

  test('belongs to one identity, and a snapshot keeps it', async () => {
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

  test('holds a range for each address in it', async () => {
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
    'refuses %j, which is no address',
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

describe('mining', () => {
  test('mines at once, and says what it was told last', async () => {
    const off = { staking: false, generate: false, numthreads: -1 }
    expect(await ask('getgenerate')).toEqual(off)
    const height = node().height
    await ask('setgenerate', true, 2)
    expect(node().height).toBe(height + 2)
    const on = { staking: false, generate: true, numthreads: 2 }
    expect(await ask('getgenerate')).toEqual(on)
    expect(await ask('getmininginfo')).toMatchObject({ ...on, genproclimit: 2 })
    await ask('setgenerate', false, -1)
    expect(await ask('getgenerate')).toEqual(off)
  })

  test('tells a miner the block that it would mine', async () => {
    const [alice, bob] = node().identities
    const first = await ask('sendtoaddress', bob!.address, 1)
    const second = await ask('sendtoaddress', bob!.address, 2)
    const template = (await ask('getblocktemplate')) as Record<string, never> & {
      transactions: { hash: string; data: string; fee: number; sigops: number; depends: number[] }[]
      coinbasetxn: { data: string; fee: number; coinbasevalue: number; required: boolean }
    }
    expect(template).toMatchObject({
      capabilities: ['proposal'],
      version: 4,
      previousblockhash: await ask('getbestblockhash'),
      height: node().height + 1,
      curtime: time + 1,
      bits: '200f0f0f',
      target: '0f0f0f0000000000000000000000000000000000000000000000000000000000',
      mutable: ['time', 'transactions', 'prevblock'],
      sizelimit: 4_000_000,
      sigoplimit: 20_000,
      noncerange: '00000000ffffffff',
    })
    expect(template.transactions.map(({ hash }) => hash)).toEqual([first, second])
    const fees = template.transactions.reduce((sum, { fee }) => sum + fee, 0)
    const { coinbasetxn } = template
    expect(coinbasetxn).toMatchObject({ fee: -fees, required: true })
    const made = decodeTransaction(coinbasetxn.data)
    expect(made.outputs[0]!.value).toBe(BigInt(coinbasetxn.coinbasevalue + fees))
    expect(made.outputs[0]!.script).toBe(`21${alice!.pubkey}ac`)
    // A payment to a key hash has one check of a signature, and so has its change.
    for (const { sigops } of template.transactions) expect(sigops).toBe(2)
    const whole = (await ask('getblocktemplate', { mode: 'disablecb' })) as typeof template
    expect(whole.coinbasetxn).toBeUndefined()
    expect(whole.transactions.map(({ depends }) => depends)[0]).toEqual([])
    expect(whole.transactions).toHaveLength(3)
    node().mine()
    const block = (await ask('getblock', String(node().height))) as { tx: string[] }
    expect(block.tx.slice(1)).toEqual([first, second])
  })

  test('refuses a template of another kind', async () => {
    await expect(ask('getblocktemplate', { mode: 1 })).rejects.toMatchObject({
      code: -8,
      message: 'Invalid mode',
    })
    await expect(ask('getblocktemplate', { mode: 'proposal' })).rejects.toMatchObject({ code: -8 })
  })

  test('knows its own blocks, and takes no others', async () => {
    const tip = (await ask('getbestblockhash')) as string
    const hex = (await ask('getblock', tip, 0)) as string
    expect(await ask('submitblock', hex)).toBe('duplicate')
    await ask('invalidateblock', tip)
    expect(await ask('submitblock', hex)).toBe('duplicate-invalid')
    const other = `05${hex.slice(2)}`
    await expect(ask('submitblock', other)).rejects.toMatchObject({
      code: -1,
      message: 'this development node takes no blocks: generate mines one',
    })
    for (const broken of ['', 'zz', hex.slice(0, 200)]) {
      await expect(ask('submitblock', broken)).rejects.toMatchObject({
        code: -22,
        message: 'Block decode failed',
      })
    }
  })

  test('takes priorities, which change nothing', async () => {
    const txid = '68'.repeat(32)
    expect(await ask('prioritisetransaction', txid, 0.5, 10_000)).toBe(true)
    await expect(ask('prioritisetransaction', 'x', 0, 0)).rejects.toMatchObject({
      code: -1,
      message: "txid must be hexadecimal string (not 'x')",
    })
    await expect(ask('prioritisetransaction', txid, 0, 0.5)).rejects.toMatchObject({
      code: -1,
      message: 'JSON integer out of range',
    })
    await expect(ask('prioritisetransaction', txid, '0', 1)).rejects.toMatchObject({
      code: -1,
      message: 'JSON value is not a number as expected',
    })
  })
})

describe('a daemon without peers, notaries and shielded addresses', () => {
  test('settles a transaction by 101 blocks', async () => {
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

  test('sends nothing again, but lists what waits', async () => {
    const txid = await ask('sendtoaddress', node().identities[1]!.address, 1)
    expect(await ask('resendwallettransactions')).toEqual([txid])
    node().mine()
    expect(await ask('resendwallettransactions')).toEqual([])
  })

  test('has a total balance, in which zeros are not written out', async () => {
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

  test('has keys enough, a version that ends, and no library of contracts', async () => {
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

describe('accounts', () => {
  test('have an address that stays until it is paid', async () => {
    const first = await ask('getaccountaddress', 'shop')
    expect(await ask('getaccountaddress', 'shop')).toBe(first)
    expect(await ask('getaccount', first)).toBe('shop')
    await ask('sendtoaddress', first, 1)
    const second = await ask('getaccountaddress', 'shop')
    expect(second).not.toBe(first)
    expect(await ask('getaddressesbyaccount', 'shop')).toEqual([first, second].sort())
    const { address } = node().identities[0]!
    expect(await ask('getaccount', address)).toBe('')
    await expect(ask('getaccount', 'nonsense')).rejects.toMatchObject({
      code: -5,
      message: 'Invalid Komodo address',
    })
  })

  test('give their address to another account, and get a new one', async () => {
    const current = await ask('getaccountaddress', 'shop')
    await ask('setaccount', current, 'kiosk')
    expect(await ask('getaccount', current)).toBe('kiosk')
    expect(await ask('getaccountaddress', 'shop')).not.toBe(current)
    await expect(ask('setaccount', node().identities[1]!.address, 'x')).rejects.toMatchObject({
      code: -1,
      message: 'setaccount can only be used with own address',
    })
  })

  test('keep their addresses in a dump', async () => {
    const current = await ask('getaccountaddress', 'shop')
    node().load(node().dump())
    expect(await ask('getaccountaddress', 'shop')).toBe(current)
  })
})

describe('blocks by time', () => {
  test('are those from the lower to before the higher one, by their order in time', async () => {
    node().mine(3, { spacing: 60 })
    const tip = (await ask('getbestblockhash')) as string
    const { time: last, previousblockhash } = (await ask('getblockheader', tip)) as {
      time: number
      previousblockhash: string
    }
    expect(await ask('getblockhashes', last + 1, last - 60)).toEqual([previousblockhash, tip])
    expect(await ask('getblockhashes', last, last - 60)).toEqual([previousblockhash])
    const logical = await ask('getblockhashes', last + 1, last, { logicalTimes: true })
    expect(logical).toEqual([{ blockhash: tip, logicalts: last }])
    await ask('invalidateblock', tip)
    expect(await ask('getblockhashes', last + 1, last)).toEqual([tip])
    expect(await ask('getblockhashes', last + 1, last, { noOrphans: true })).toEqual([])
    await expect(ask('getblockhashes', 1)).rejects.toMatchObject({ code: -1 })
    expect(await ask('getblockhashes', 2 ** 31 - 1, 0, null)).toHaveLength(node().height + 1)
  })
})

// lib/services/bitcoind.js of bitcore-node 3.1.3, on which Insight stands, calls these.
test.each([
  'estimatefee generate getaddressbalance getaddressmempool getaddresstxids getaddressutxos',
  'getbestblockhash getblock getblockhash getblockhashes getblockheader getblockchaininfo getinfo',
  'getrawtransaction getspentinfo sendrawtransaction',
])('the methods by which Insight asks a daemon are served: %s', async (names) => {
  for (const name of names.split(' ')) {
    expect(await ask('help', name)).not.toContain('unknown command')
  }
})
