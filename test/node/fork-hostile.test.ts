// A fork whose daemon answers falsely, hangs, goes away, reorganizes or is another one: ADR 0034.

import { describe, expect, onTestFinished, test } from 'vitest'
import { decodeTransaction, networks } from '../../src/index.ts'
import {
  createDevNode,
  type DevNode,
  type DevNodeOptions,
  ForkError,
  type ForkSource,
} from '../../src/node/index.ts'
import { between, forkedNode, unsentPayment } from './support/forked.ts'

async function forked(options?: DevNodeOptions) {
  const all = await forkedNode(options)
  onTestFinished(async () => {
    await all.close()
  })
  return { ...all, hex: await unsentPayment(all.daemon) }
}

/** Mines a token on a daemon. `transfer` returns the hex of a transfer of so many units. */
async function minedToken(daemon: DevNode) {
  const created = (await daemon.request('tokencreate', ['GOLD', '0.00001'])) as { hex: string }
  const tokenid = await daemon.request('sendrawtransaction', [created.hex])
  daemon.mine()
  const { pubkey } = daemon.identities[1]!
  const transfer = async (units: string): Promise<string> => {
    const made = await daemon.request('tokentransfer', [tokenid, pubkey, units])
    return (made as { hex: string }).hex
  }
  return { tokenid, transfer }
}

const spentTxid = (hex: string) => decodeTransaction(hex).inputs[0]!.txid

describe('a daemon that answers', () => {
  test('another transaction: an error names the txid', async () => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method, params }, { result }) =>
      method === 'getrawtransaction' && params[0] === spentTxid(hex)
        ? { result: { ...(result as object), hex } }
        : {}
    await expect(verdict(hex)).rejects.toThrow(`answered transaction ${spentTxid(hex)} with`)
  })

  test('bytes of no transaction: an error names the txid', async () => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method, params }, { result }) =>
      method === 'getrawtransaction' && params[0] === spentTxid(hex)
        ? { result: { ...(result as object), hex: '0400' } }
        : {}
    await expect(verdict(hex)).rejects.toThrow(`answered ${spentTxid(hex)} with bytes`)
  })

  test.each([
    ['value', { value: 9999999 }],
    ['script', { scriptPubKey: { asm: '', hex: '51', type: 'nonstandard' } }],
  ])('another %s of an output than its transaction has: an error', async (_, change) => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method }, { result }) =>
      method === 'gettxout' && result !== null
        ? { result: { ...(result as object), ...change } }
        : {}
    await expect(verdict(hex)).rejects.toThrow(/says that [0-9a-f]{64}:\d+ has/)
  })

  test('a spent output: the verdict is the one of its chain', async () => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method }) => (method === 'gettxout' ? { result: null } : {})
    expect(await verdict(hex)).toMatchObject({ allowed: false })
  })

  test('two states of one output: an error', async () => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method, params }) =>
      method === 'gettxout' && params[2] === false ? { result: null } : {}
    await expect(verdict(hex)).rejects.toThrow('spent in the chain, and unspent with the mempool')
  })

  test('the header of another block: an error', async () => {
    const { daemon, wire, fork } = await forked()
    const first = await daemon.request('getblockhash', [1])
    const header = await daemon.request('getblockheader', [first, false])
    daemon.mine()
    wire.change = ({ method, params }) =>
      method === 'getblockheader' && params[1] === false ? { result: header } : {}
    await expect(fork.request('getblockcount')).rejects.toThrow('answered the header of block')
  })

  test.each([
    ['getbestblockhash', { result: 7 }],
    ['getbestblockhash', { result: 'zz' }],
    ['getrawtransaction', { result: [] }],
    ['getrawtransaction', { result: null }],
    ['gettxout', { result: 'unspent' }],
    ['gettxout', { result: {} }],
  ])('%s in another form: an error, and the node goes on', async (method, change) => {
    const { wire, hex, fork, verdict } = await forked()
    wire.change = (call) => (call.method === method ? change : {})
    await expect(verdict(hex)).rejects.toThrow('the daemon of the fork')
    expect(await fork.request('help', ['stop'])).toContain('stop')
    wire.change = () => ({})
    expect(await verdict(hex)).toMatchObject({ allowed: true })
  })

  test('no transaction where its chain has one: an error asks for -txindex', async () => {
    const { daemon, wire, verdict } = await forked()
    const { tokenid, transfer } = await minedToken(daemon)
    for (const _ of [1, 2]) {
      await daemon.request('sendrawtransaction', [await transfer('100')])
      daemon.mine()
    }
    const hex = await transfer('100')
    const parents = decodeTransaction(hex).inputs.map(({ txid }) => txid)
    wire.change = ({ method, params }) =>
      method === 'getrawtransaction' && ![...parents, tokenid].includes(params[0])
        ? { result: null, error: { code: -5, message: 'No information available' } }
        : {}
    await expect(verdict(hex)).rejects.toThrow('-txindex=1')
  })

  test('no transaction for an input: the refusal says what may be missing', async () => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method }) =>
      method === 'getrawtransaction'
        ? { result: null, error: { code: -5, message: 'No information available' } }
        : {}
    const { allowed, reason, ...rest } = await verdict(hex)
    expect({ allowed, words: rest['reject-reason'] }).toEqual({
      allowed: false,
      words: 'Missing inputs',
    })
    expect(reason).toContain(`does not have ${spentTxid(hex)}; without -txindex=1`)
  })

  test('more than any reply has: an error', async () => {
    const { wire, hex, verdict } = await forked()
    wire.change = ({ method }, { result }) =>
      method === 'getbestblockhash' ? { result: `${result}${' '.repeat(1 << 20)}` } : {}
    await expect(verdict(hex)).rejects.toThrow('the daemon of the fork')
  })
})

describe('a daemon that', () => {
  test('has another last block each time: an error after three rounds', async () => {
    const { daemon, wire, hex, verdict } = await forked()
    wire.before = () => {
      daemon.mine()
      return undefined
    }
    await expect(verdict(hex)).rejects.toThrow('new blocks each time')
  })

  test('gets a block while it is read: the verdict is of the new block', async () => {
    const { daemon, wire, fork, hex, verdict } = await forked()
    let left = 3
    wire.before = () => {
      left -= 1
      if (left === 0) daemon.mine()
      return undefined
    }
    expect(await verdict(hex)).toMatchObject({ allowed: true })
    expect(fork.height).toBe(daemon.height)
  })

  test('reorganizes: the fork follows it, and the transaction that is gone is gone', async () => {
    const { daemon, fork, hex, verdict } = await forked()
    const txid = await daemon.request('sendrawtransaction', [hex])
    daemon.mine()
    expect(await fork.request('getrawtransaction', [txid])).toBe(hex)
    daemon.reorg(2, { drop: [txid as string] })
    expect(await fork.request('getbestblockhash')).toBe(await daemon.request('getbestblockhash'))
    expect(await verdict(hex)).toMatchObject({ allowed: true })
  })

  test('replaces the block below blocks of the fork: an error tells to start again', async () => {
    const { daemon, fork, hex } = await forked()
    await fork.request('sendrawtransaction', [hex])
    fork.mine()
    daemon.reorg(1)
    await expect(fork.request('getblockcount')).rejects.toThrow('start the node again')
  })

  test('never answers: the call ends with the time of the client, and the node can be ended', async () => {
    const { daemon } = await forked()
    const wire = between(daemon)
    const silent = between(daemon, { timeoutMs: 1 })
    silent.before = () => new Promise<Response>(() => undefined)
    let { client } = wire
    const source: ForkSource = { batch: (calls, options) => client.batch(calls, options) }
    const fork = await createDevNode({ listen: false, fork: source })
    client = silent.client
    await expect(fork.request('getblockcount')).rejects.toThrow('the daemon of the fork')
    expect(await fork.request('stop')).toContain('stopping')
    await fork.close()
  })

  test('goes away and comes back: the call fails, and the next one is answered', async () => {
    const { wire, hex, verdict } = await forked()
    wire.before = () => {
      throw new TypeError('fetch failed')
    }
    await expect(verdict(hex)).rejects.toThrow('the daemon of the fork')
    wire.before = () => undefined
    expect(await verdict(hex)).toMatchObject({ allowed: true })
  })

  test('refuses the password: the error does not repeat it', async () => {
    const { daemon } = await forked()
    const wire = between(daemon, { password: 'correct horse battery' })
    wire.before = () => new Response('', { status: 401 })
    const error = await createDevNode({ listen: false, fork: wire.client }).catch((it) => it)
    expect(error).toBeInstanceOf(ForkError)
    expect(error.code).toBe('unanswered')
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('horse')
  })

  test.each([
    ['begins with another block', 'getblockhash', 'ab'.repeat(32), 'the first block of'],
    ['has KMD', 'getinfo', { name: 'KMD' }, 'KMD, which this node does not serve'],
  ])('%s: other_chain', async (_, method, changed, words) => {
    const { daemon } = await forked()
    const wire = between(daemon)
    wire.change = (call, { result }) => {
      if (call.method !== method) return {}
      return {
        result: typeof changed === 'string' ? changed : { ...(result as object), ...changed },
      }
    }
    const error = await createDevNode({ listen: false, fork: wire.client }).catch((it) => it)
    expect(error.code).toBe('other_chain')
    expect(error.message).toContain(words)
  })

  test('is a komodod where a tokeld is expected, and the other way round: other_chain', async () => {
    const { daemon } = await forked()
    await expect(
      createDevNode({ listen: false, network: networks.tokel, fork: between(daemon).client }),
    ).rejects.toMatchObject({ code: 'other_chain' })
    await using tokeld = await createDevNode({ listen: false, network: networks.tokel })
    await expect(
      createDevNode({ listen: false, network: networks.assetChain, fork: between(tokeld).client }),
    ).rejects.toMatchObject({ code: 'other_chain' })
    await using fork = await createDevNode({ listen: false, fork: between(tokeld).client })
    expect(fork.network.conditions).toBe('tokel')
  })
})

describe('a daemon that moves while the fork reads it', () => {
  test('mines a rival of a transfer that the fork is checking: the fork refuses the transfer', async () => {
    const { daemon, wire, fork } = await forked()
    const { transfer } = await minedToken(daemon)
    const [hex, rival] = [await transfer('10'), await transfer('20')]
    await fork.request('getblockcount')
    wire.methods.length = 0
    let isMined = false
    wire.before = async () => {
      // The first call after the outputs were read: for an ancestor, or for the last block.
      const hasOutputs = wire.methods.includes('gettxout')
      if (isMined || !hasOutputs || wire.methods.at(-1) === 'gettxout') return undefined
      isMined = true
      await daemon.request('sendrawtransaction', [rival])
      daemon.mine()
      await fork.request('getblockcount')
      return undefined
    }
    // The coin is missing, or known to be spent, as the fork has read one block or the other.
    const refused = await fork.request('sendrawtransaction', [hex]).catch((error) => error)
    expect([-25, -26], String(refused)).toContain((refused as { code?: number }).code)
    expect(isMined).toBe(true)
    expect(await fork.request('getrawmempool')).toEqual([])
  })

  test('replaces a block that the fork does not have: its transaction is in no block', async () => {
    const { daemon, wire, fork, hex } = await forked()
    const below = daemon.snapshot()
    const txid = (await daemon.request('sendrawtransaction', [hex])) as string
    // The block comes after the fork compared the daemon's last one, and before it reads.
    wire.before = () => {
      if (wire.methods.at(-1) === 'getrawtransaction') {
        wire.before = () => undefined
        daemon.mine()
      }
      return undefined
    }
    const read = () => fork.request('getrawtransaction', [txid, 1])
    await expect(read()).rejects.toMatchObject({ code: -5 })
    daemon.revert(below)
    daemon.mine(2)
    await expect(read()).rejects.toMatchObject({ code: -5 })
  })
})
