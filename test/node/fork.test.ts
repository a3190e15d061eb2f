// A node that begins with the chain of a live daemon, and what each party can do to it: ADR 0034.

import { describe, expect, onTestFinished, test } from 'vitest'
import { decodeTransaction, encodeTransaction, networks } from '../../src/index.ts'
import { readMethods } from '../../src/node/fork/upstream.ts'
import { createDevNode, type DevNode, type DevNodeOptions } from '../../src/node/index.ts'
import { methodsOf } from '../../src/node/methods/table.ts'
import { forkedNode, unsentPayment } from './support/forked.ts'

async function forked(options?: DevNodeOptions) {
  const all = await forkedNode(options)
  onTestFinished(async () => {
    await all.close()
  })
  return all
}

/** Signs a spend of one output to the daemon's first key. */
async function signedSpend(
  daemon: DevNode,
  outpoint: { readonly txid: string; readonly vout: number },
  coins: number,
): Promise<string> {
  const { address } = daemon.identities[0]
  const unsigned = await daemon.request('createrawtransaction', [[outpoint], { [address]: coins }])
  const { hex } = (await daemon.request('signrawtransaction', [unsigned])) as { hex: string }
  return hex
}

describe('a fork', () => {
  test('begins at the height, the last block and the times of the daemon', async () => {
    const { daemon, fork } = await forked()
    expect(fork.height).toBe(daemon.height)
    const best = await daemon.request('getbestblockhash')
    expect(await fork.request('getbestblockhash')).toBe(best)
    const [ours, theirs] = (await Promise.all(
      [fork, daemon].map((node) => node.request('getblockheader', [best])),
    )) as Record<string, unknown>[]
    expect(theirs).toMatchObject({ ...ours, confirmations: 1 })
    const raw = [fork, daemon].map((node) => node.request('getblockheader', [best, false]))
    expect(new Set(await Promise.all(raw)).size).toBe(1)
  })

  test('tells the hash of any block, though it has the last headers alone', async () => {
    const { daemon, fork } = await forked()
    for (const height of [0, 1, 5, 21]) {
      const hash = await daemon.request('getblockhash', [height])
      expect(await fork.request('getblockhash', [height])).toBe(hash)
    }
    await expect(fork.request('getblockhash', [22])).rejects.toThrow('Block height out of range')
  })

  test('accepts a payment that the daemon accepts, with its fee', async () => {
    const { daemon, verdict } = await forked()
    const hex = await unsentPayment(daemon)
    const { ok, ...theirs } = daemon.testMempoolAccept(hex) as { ok: true; fee: bigint }
    const { txid, fee } = theirs as { txid: string; fee: bigint } & object
    expect(await verdict(hex)).toEqual({ txid, allowed: ok, fee: Number(fee) })
  })

  test('refuses what another transaction of the daemon spends already', async () => {
    const { daemon, verdict } = await forked()
    const hex = await unsentPayment(daemon)
    const spent = await unsentPayment(daemon, 2)
    await daemon.request('sendrawtransaction', [spent])
    expect(await verdict(hex)).toMatchObject({ 'reject-reason': '16: mempool conflict' })
    daemon.mine()
    const words = daemon.testMempoolAccept(hex)
    expect(await verdict(hex)).toMatchObject({
      allowed: false,
      'reject-reason': (words as { message: string }).message,
    })
  })

  test('accepts what waits at the daemon already, and a child of it', async () => {
    const { daemon, verdict } = await forked()
    const { address } = daemon.identities[0]
    const parent = await daemon.request('sendtoaddress', [address, 3])
    const hex = (await daemon.request('getrawtransaction', [parent])) as string
    expect(await verdict(hex)).toMatchObject({ allowed: true, txid: parent })
    const vout = decodeTransaction(hex).outputs.findIndex(({ value }) => value === 300000000n)
    const child = await signedSpend(daemon, { txid: parent as string, vout }, 2.9999)
    expect(await verdict(child)).toMatchObject({ allowed: true, fee: 10000 })
  })

  test('refuses a second child of what waits at the daemon', async () => {
    const { daemon, verdict } = await forked()
    const { address } = daemon.identities[0]
    const parent = (await daemon.request('sendtoaddress', [address, 3])) as string
    const hex = (await daemon.request('getrawtransaction', [parent])) as string
    const vout = decodeTransaction(hex).outputs.findIndex(({ value }) => value === 300000000n)
    const [first, second] = await Promise.all(
      [2.9999, 2.9998].map((coins) => signedSpend(daemon, { txid: parent, vout }, coins)),
    )
    await daemon.request('sendrawtransaction', [first!])
    const { code, message } = daemon.testMempoolAccept(second!) as { code: number; message: string }
    expect(message).toBe('16: mempool conflict')
    expect(await verdict(second!)).toMatchObject({ allowed: false, code, 'reject-reason': message })
  })

  test('says that a transaction of the chain is there already', async () => {
    const { daemon, verdict } = await forked()
    const hex = await unsentPayment(daemon)
    await daemon.request('sendrawtransaction', [hex])
    daemon.mine()
    expect(await verdict(hex)).toMatchObject({ allowed: false, code: -27 })
  })

  test('follows the daemon to new blocks', async () => {
    const { daemon, fork } = await forked()
    daemon.mine(30)
    expect(await fork.request('getblockcount')).toBe(daemon.height)
    expect(await fork.request('getbestblockhash')).toBe(await daemon.request('getbestblockhash'))
  })

  test('mines a transaction on top, and keeps its own blocks from then on', async () => {
    const { daemon, fork, verdict } = await forked()
    const hex = await unsentPayment(daemon)
    const rival = await unsentPayment(daemon, 2)
    const txid = await fork.request('sendrawtransaction', [hex])
    fork.mine()
    expect(fork.height).toBe(daemon.height + 1)
    daemon.mine(5)
    expect(await fork.request('getrawtransaction', [txid, 1])).toMatchObject({ confirmations: 1 })
    expect(await verdict(hex)).toMatchObject({ code: -27 })
    expect(await verdict(rival)).toMatchObject({ allowed: false })
    expect(daemon.testMempoolAccept(rival)).toMatchObject({ ok: true })
  })

  test('goes back to its snapshot, with the daemon below it', async () => {
    const { daemon, fork, verdict } = await forked()
    const hex = await unsentPayment(daemon)
    const before = fork.snapshot()
    await fork.request('sendrawtransaction', [hex])
    fork.mine()
    fork.revert(before)
    expect(await verdict(hex)).toMatchObject({ allowed: true })
  })

  test('validates a token by ancestors that the daemon has', async () => {
    const { daemon, verdict } = await forked()
    const created = (await daemon.request('tokencreate', ['GOLD', '0.00001'])) as { hex: string }
    const tokenid = await daemon.request('sendrawtransaction', [created.hex])
    daemon.mine()
    const { pubkey } = daemon.identities[1]
    for (const units of ['600', '300']) {
      const made = (await daemon.request('tokentransfer', [tokenid, pubkey, units])) as {
        hex: string
      }
      expect(await verdict(made.hex)).toMatchObject({ allowed: true })
      await daemon.request('sendrawtransaction', [made.hex])
      daemon.mine()
    }
  })

  test.each([
    ['assetChain', 'tokencreate', 'tokeninfo'],
    ['tokel', 'tokencreate', 'tokeninfo'],
    ['tokel', 'tokenv2create', 'tokenv2info'],
  ] as const)(
    'on %s says of a token that waits, made by %s, what the daemon says',
    async (chain, create, info) => {
      const { daemon, fork } = await forked({ network: networks[chain] })
      const { hex } = (await daemon.request(create, ['GOLD', '0.00001'])) as { hex: string }
      const tokenid = await daemon.request('sendrawtransaction', [hex])
      const words = await daemon.request(info, [tokenid])
      expect(words).toMatchObject({ error: 'the transaction is still in mempool' })
      expect(await fork.request(info, [tokenid])).toEqual(words)
    },
  )

  test('finds its answers again with few questions', async () => {
    const { daemon, wire, verdict } = await forked()
    const hex = await unsentPayment(daemon)
    await verdict(hex)
    wire.methods.length = 0
    await verdict(hex)
    expect(wire.methods.filter((it) => it === 'getrawtransaction')).toHaveLength(1)
  })
})

describe('a program that calls a fork', () => {
  test('makes nothing leave it but the methods that read', { timeout: 60_000 }, async () => {
    const { daemon, wire, fork } = await forked({ mine: 'auto' })
    const hex = await unsentPayment(daemon)
    const count = await daemon.request('getblockcount')
    const { address, wif, pubkey } = daemon.identities[0]
    const params = [[], [hex], [address, 1], [wif], [pubkey, 1], [[hex]]]
    const methods = Object.keys(
      methodsOf({ engine: { rules: { network: networks.assetChain } } } as never),
    )
    for (const method of methods.filter((it) => it !== 'stop')) {
      for (const given of params) await fork.request(method, given).catch(() => undefined)
    }
    expect(wire.methods.length).toBeGreaterThan(100)
    expect([...new Set(wire.methods)].filter((it) => !readMethods.includes(it as never))).toEqual(
      [],
    )
    expect(await daemon.request('getrawmempool')).toEqual([])
    expect(await daemon.request('getblockcount')).toBe(count)
  })

  test('sends a huge transaction: it is refused before its inputs are looked up', async () => {
    const { wire, verdict } = await forked()
    const inputs = Array.from({ length: 5_000 }, (_, vout) => ({
      txid: 'ab'.repeat(32),
      vout,
      scriptSig: '00'.repeat(20),
      sequence: 0xffffffff,
    }))
    const outputs = [{ value: 1000n, script: `21${'02'.repeat(33)}ac` }]
    const hex = encodeTransaction({
      version: 4,
      overwintered: true,
      versionGroupId: 0x892f2085,
      inputs,
      outputs,
      lockTime: 0,
    })
    wire.methods.length = 0
    expect(await verdict(hex)).toMatchObject({ allowed: false })
    expect(wire.methods.length).toBeLessThan(10)
  })

  test.each([
    ['getaddressutxos', [{ addresses: ['RSdxyihSZf74DuvBi1oeWS91sRVyguUMf8'] }]],
    ['listunspent', []],
    ['getbalance', []],
    ['gettxoutsetinfo', []],
    ['verifychain', []],
    ['coinsupply', []],
    ['getblock', ['5']],
    ['getchaintxstats', []],
  ])('asks %s, which needs the whole chain: it is told so', async (method, params) => {
    const { fork } = await forked()
    await expect(fork.request(method, params)).rejects.toThrow(/a forked node .*: ask the daemon/)
  })

  test.each(['dump', 'reorg', 'load', 'importTransactions', 'testMempoolAccept'] as const)(
    'calls %s, which cannot ask the daemon: a RangeError',
    async (name) => {
      const { fork } = await forked()
      const call = fork[name] as (given: unknown) => unknown
      expect(() => call(1)).toThrow(RangeError)
    },
  )

  test.each([
    ['load', { load: '[]' }],
    ['electrum', { electrum: true }],
    ['proofOfWork', { proofOfWork: true }],
  ])('gives options.%s as well: a TypeError', async (name, options) => {
    const { wire } = await forked()
    const start = createDevNode({ listen: false, fork: wire.client, ...options })
    await expect(start).rejects.toThrow(`options.${name} cannot be combined with options.fork`)
  })

  test('invalidates a block of the daemon: it stays', async () => {
    const { fork } = await forked()
    const best = await fork.request('getbestblockhash')
    await expect(fork.request('invalidateblock', [best])).rejects.toThrow('a forked node keeps')
  })

  test('mines what spends a waiting transaction of the daemon: it is told to send that first', async () => {
    const { daemon, fork } = await forked()
    const { address } = daemon.identities[0]
    const txid = await daemon.request('sendtoaddress', [address, 3])
    const hex = (await daemon.request('getrawtransaction', [txid])) as string
    const vout = decodeTransaction(hex).outputs.findIndex(({ value }) => value === 300000000n)
    const unsigned = await daemon.request('createrawtransaction', [
      [{ txid, vout }],
      { [address]: 2.9999 },
    ])
    const signed = (await daemon.request('signrawtransaction', [unsigned])) as { hex: string }
    await expect(fork.request('sendrawtransaction', [signed.hex])).rejects.toThrow(
      `cannot mine what spends ${txid}`,
    )
  })
})
