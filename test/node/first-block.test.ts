// A caller names its chain by the hash of block 1. A server of another chain is then neither read nor
// paid through, whatever part of the package asks it.

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { decodeBlockHeader } from '../../src/block/header.ts'
import { networks } from '../../src/chain/network.ts'
import { createElectrumClient } from '../../src/electrum/index.ts'
import type { Guard, GuardOptions } from '../../src/guard/index.ts'
import { bookOf } from '../../src/journal/book.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  createToken,
  payCoins,
  RpcError,
  resumePayments,
  type SafeFlowOptions,
  tradeToken,
  transferToken,
  withdrawAndSend,
} from '../../src/rpc/index.ts'
import { scriptOfAddress } from '../../src/script/script.ts'
import {
  type ChainSource,
  createWallet,
  daemonChain,
  type ElectrumChainOptions,
  electrumChain,
  type Journal,
  memoryJournal,
  privateKeySigner,
  quorum,
} from '../../src/wallet/index.ts'
import { askingPolicy, callerOf, guardOfNode } from './support/guarded.ts'
import { tamperedClient } from './support/tampered-client.ts'

const elsewhere = 'ab'.repeat(32)
const another = {
  kind: 'shape',
  reason: 'unexpected_value',
  message: expect.stringContaining('another chain than firstBlock names'),
}
const amount = 1_000_000n

let node: DevNode
let firstBlock: string
/** Block 1 as the daemon shows it, if that is not its own. */
let shown: unknown
let asked: string[]
let journal: Journal

const client = () =>
  tamperedClient(node, ({ method, params }) => {
    asked.push(method)
    return method === 'getblockhash' && params[0] === 1 ? shown : undefined
  })

beforeEach(async () => {
  node = await createDevNode({ listen: false, time: 1_800_000_000, mine: 'manual' })
  for (let count = 0; count < 4; count += 1) node.fund(node.identities[0]!.address, 50_000_000n)
  node.mine(101)
  firstBlock = String(await node.request('getblockhash', [1]))
  shown = undefined
  asked = []
  journal = memoryJournal()
  return () => node.close()
})

async function recorded() {
  const book = bookOf(journal)
  await book.catchUp()
  return book.payments()
}

const waiting = async () => (await node.request('getrawmempool')) as string[]

describe('flows of a daemon', () => {
  const owner = () => node.identities[0]!.pubkey
  const pay = (options: SafeFlowOptions) =>
    payCoins(
      client(),
      { recipients: [{ address: node.identities[1]!.address, amount }], from: owner() },
      options,
    )

  test.each<[string, (options: SafeFlowOptions) => Promise<unknown>]>([
    ['payCoins', pay],
    [
      'createToken',
      (options) => createToken(client(), { name: 'A', supply: 1n, owner: owner() }, options),
    ],
    [
      'transferToken',
      (options) => {
        const [from, destination] = node.identities.map(({ pubkey }) => pubkey)
        const intent = { tokenid: elsewhere, destination: destination!, amount: 1n, from: from! }
        return transferToken(client(), intent, options)
      },
    ],
    [
      'tradeToken',
      (options) => {
        const intent = { kind: 'ask', tokenid: elsewhere, units: 1n, price: 1000n } as const
        return tradeToken(client(), { ...intent, from: owner() }, options)
      },
    ],
  ])('%s asks a daemon of another chain for nothing more', async (_, flow) => {
    for (const options of [{ journal, id: 'a' }, { journal }, {}]) {
      asked = []
      const named = { ...options, firstBlock: elsewhere }
      await expect(flow(named)).rejects.toMatchObject({
        ...another,
        expected: elsewhere,
        received: firstBlock,
      })
      expect(asked).toEqual(['getblockhash'])
    }
    expect(await recorded()).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test('a daemon of the named chain is paid through', async () => {
    const { txid } = await pay({ journal, id: 'a', firstBlock: firstBlock.toUpperCase() })
    expect(await waiting()).toEqual([txid])
    expect(await recorded()).toMatchObject([{ chain: firstBlock }])
  })

  test.each([
    ['has no such block', null],
    ['answers something else', 7],
  ])('a daemon that %s may be of the chain, and is not paid through', async (_, answer) => {
    shown = answer
    const failure = { kind: 'transport', reason: 'not_connected', expected: firstBlock }
    for (const options of [{ journal }, {}]) {
      await expect(pay({ ...options, firstBlock })).rejects.toMatchObject(failure)
    }
    expect(await waiting()).toEqual([])
  })

  test.each([true, false])(
    'another daemon that answers after the confirmation gets nothing, with a journal: %s',
    async (isDurable) => {
      const confirm = () => {
        shown = elsewhere
        return true
      }
      const options = { firstBlock, confirm, ...(isDurable && { journal }) }
      await expect(pay(options)).rejects.toMatchObject({ ...another, received: elsewhere })
      expect(await waiting()).toEqual([])
      expect(await recorded()).toEqual([])
      // The payment is not held once the right daemon is back.
      shown = undefined
      const { txid } = await pay({ firstBlock, ...(isDurable && { journal }) })
      expect(await waiting()).toEqual([txid])
    },
  )

  test('resume leaves payments as they are on another chain, and settles them on their own', async () => {
    const { txid } = await pay({ journal, id: 'a' })
    node.mine()
    const before = await recorded()
    shown = elsewhere
    const trustServer = true
    const [refused] = await resumePayments(client(), { journal, firstBlock, trustServer })
    expect(refused).toMatchObject({ error: another, payment: { state: 'unsettled' } })
    expect(await recorded()).toEqual(before)
    shown = undefined
    const [settled] = await resumePayments(client(), { journal, firstBlock })
    expect(settled).toMatchObject({ result: { txid }, payment: { state: 'settled' } })
  })

  test('a framework server shows no block 1, so its flow refuses the option', async () => {
    const framework = createFrameworkClient({ url: 'http://127.0.0.1:1', userpass: 'secret' })
    const intent = { coin: 'KMD', to: node.identities[1]!.address, amount, own: [] }
    const withdrawn = withdrawAndSend(framework, intent, { firstBlock } as object)
    await expect(withdrawn).rejects.toThrow('firstBlock: a framework server shows no blocks')
  })

  test.each(['ab', `0x${elsewhere}`, 1])(
    'a hash is 64 digits of hex, and not %s',
    async (wrong) => {
      await expect(pay({ firstBlock: wrong as string })).rejects.toThrow(/^firstBlock: expected a/)
      expect(asked).toEqual([])
    },
  )
})

describe('a guard', () => {
  const call = callerOf(() => node)
  const paying = [
    ['sendtoaddress', () => [node.identities[1]!.address, 0.5]],
    ['tokencreate', () => ['GOLD', '0.00001', 'a token']],
    ['sendrawtransaction', () => ['00']],
    ['guard_submit', () => ['00', {}]],
  ] as const

  async function start(options: Partial<GuardOptions>): Promise<Guard> {
    const guard = await guardOfNode(node, { journal, ...options })
    onTestFinished(() => guard.close())
    return guard
  }

  beforeEach(async () => {
    await node.close()
    node = await createDevNode({ time: 1_800_000_000, mine: 'manual' })
    node.mine(101)
    firstBlock = String(await node.request('getblockhash', [1]))
  })

  test('before a daemon of another chain passes on reads alone', async () => {
    const guard = await start({ firstBlock: elsewhere })
    for (const [method, params] of paying) {
      const { result, error } = await call(guard, method, params(), method)
      expect(JSON.stringify(result ?? error), method).toContain(
        'another chain than firstBlock names',
      )
    }
    expect(await call(guard, 'getblockcount', [])).toMatchObject({ result: node.height })
    expect(await recorded()).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test('before a daemon of the named chain pays', async () => {
    const guard = await start({ firstBlock })
    const { result } = await call(guard, 'sendtoaddress', paying[0]![1]())
    expect(await waiting()).toEqual([result])
  })

  test('asks again after a person confirmed', async () => {
    const ask = vi.fn(async () => {
      // Meanwhile, a daemon without blocks takes the place of the first one.
      node.faults.add({ kind: 'error', method: 'getblockhash', code: -8, message: 'no block' })
      return true
    })
    const guard = await start({ firstBlock, policy: askingPolicy(ask) })
    const { error } = await call(guard, 'sendtoaddress', paying[0]![1]())
    expect(ask).toHaveBeenCalled()
    expect(error?.message).toContain('no block 1 to compare with firstBlock')
    expect(await waiting()).toEqual([])
  })

  test('needs a key to pay with, because it compares payments alone', async () => {
    const started = guardOfNode(node, { firstBlock, pubkey: undefined })
    await expect(started).rejects.toThrow('options.firstBlock: needs options.pubkey')
    const wrong = guardOfNode(node, { firstBlock: 'ab' })
    await expect(wrong).rejects.toThrow('options.firstBlock: expected a hash of 64 hex digits')
  })
})

describe('a wallet', () => {
  const open = () =>
    createWallet({
      signers: [privateKeySigner(node.identities[0]!.wif)],
      chain: daemonChain(client()),
      journal,
      firstBlock,
    })

  test('pays no other daemon that answers after the confirmation', async () => {
    const wallet = await open()
    const confirm = () => {
      shown = elsewhere
      return true
    }
    const request = { to: node.identities[1]!.address, amount, id: 'a' }
    await expect(wallet.pay({ ...request, confirm })).rejects.toMatchObject(another)
    expect(await recorded()).toEqual([])
    expect(await waiting()).toEqual([])
    shown = undefined
    const { txid } = await wallet.pay(request)
    expect(await waiting()).toEqual([txid])
  })

  test('resumes nothing on another chain', async () => {
    const wallet = await open()
    await wallet.pay({ to: node.identities[1]!.address, amount, id: 'a' })
    shown = elsewhere
    await expect(wallet.resume()).rejects.toMatchObject(another)
    shown = undefined
    expect(await wallet.resume()).toMatchObject([{ result: { status: 'accepted' } }])
  })
})

describe('a source of a daemon', () => {
  const calls: Readonly<Record<string, (chain: ChainSource) => Promise<unknown>>> = {
    chain: (chain) => chain.chain!(),
    tip: (chain) => chain.tip(),
    unspent: (chain) => chain.unspent(['51']),
    history: (chain) => chain.history(['51']),
    heights: (chain) => chain.heights!([{ txid: elsewhere, script: '51' }]),
    headers: (chain) => chain.headers!(1, 1),
    inclusion: (chain) => chain.inclusion!(elsewhere, 1),
    broadcast: (chain) => chain.broadcast('00'),
  }

  test.each(Object.entries(calls))('does not answer %s on another chain', async (_, ask) => {
    const chain = daemonChain(client(), { firstBlock: elsewhere })
    await expect(ask(chain)).rejects.toMatchObject(another)
    expect(asked).toEqual(['getblockhash'])
  })

  // komodo src/rpc/blockchain.cpp, getblockhash, and src/rpc/server.cpp, RPC_IN_WARMUP
  test.each([-8, -28])(
    'takes a refusal of block 1 (%d) for no refusal of a payment',
    async (code) => {
      const starting = createDaemonClient({
        ...{ url: 'http://127.0.0.1/', user: 'user', password: 'pass', retry: false },
        async fetch(_input, init) {
          const { method, id } = JSON.parse(String(init?.body))
          asked.push(method)
          return Response.json({ result: null, error: { code, message: 'no' }, id })
        },
      })
      const chain = daemonChain(starting, { firstBlock })
      for (const ask of Object.values(calls)) {
        await expect(ask(chain)).rejects.toMatchObject({
          ...{ kind: 'transport', reason: 'not_connected', expected: firstBlock },
          message: expect.stringContaining('daemon shows no block 1'),
        })
      }
      expect(new Set(asked)).toEqual(new Set(['getblockhash']))
    },
  )

  test('is named by the first caller that names a chain', async () => {
    const chain = daemonChain(client())
    expect((await chain.tip()).height).toBe(node.height)
    await expect(chain.chain!({ firstBlock: elsewhere })).rejects.toMatchObject(another)
    await expect(chain.tip()).rejects.toMatchObject(another)
  })

  test('is left out of a quorum on another chain, if the wallet names the chain', async () => {
    const { wif, address } = node.identities[0]!
    const other = await createDevNode({ listen: false, time: 1_700_000_000, mine: 'manual' })
    onTestFinished(() => other.close())
    other.fund(address, 70_000_000n)
    other.mine(101)
    const wrong = daemonChain(
      tamperedClient(other, () => undefined),
      { name: 'wrong' },
    )
    const chain = quorum([wrong, daemonChain(client(), { name: 'right' })], 1)
    const signers = [privateKeySigner(wif)]
    const alone = await createWallet({ signers, chain: daemonChain(client()) })
    const wallet = await createWallet({ signers, chain, firstBlock })
    expect(await wallet.balance()).toEqual(await alone.balance())
  })
})

interface Coinbase {
  readonly vout: readonly { readonly scriptPubKey: { readonly hex: string } }[]
}

describe('Electrum servers', () => {
  /** The right server, and one of another chain where the same key has other coins. */
  async function servers() {
    const [right, wrong] = await Promise.all(
      [1_800_000_000, 1_700_000_000].map((time) =>
        createDevNode({ listen: false, electrum: true, mine: 'manual', time }),
      ),
    )
    onTestFinished(async () => {
      await Promise.all([right!.close(), wrong!.close()])
    })
    for (const [one, coins] of [
      [right!, 50_000_000n],
      [wrong!, 70_000_000n],
    ] as const) {
      one.fund(one.identities[0]!.address, coins)
      one.mine(101)
    }
    const hash = String(await right!.request('getblockhash', [1]))
    return { right: right!, wrong: wrong!, hash }
  }

  function open(urls: readonly string[], options: ElectrumChainOptions = {}) {
    const chain = electrumChain(urls, options)
    onTestFinished(() => chain.close())
    return chain
  }

  test.each(['source', 'wallet'])(
    'of another chain are left out, the first one too, if a %s names the chain',
    async (named) => {
      const { right, wrong, hash } = await servers()
      const urls = [wrong.electrumUrl, right.electrumUrl]
      const chain = open(urls, named === 'source' ? { firstBlock: hash } : {})
      const signers = [privateKeySigner(right.identities[0]!.wif)]
      const options = named === 'wallet' ? { firstBlock: hash } : {}
      const wallet = await createWallet({ signers, chain, ...options })
      const alone = await createWallet({ signers, chain: open([right.electrumUrl]) })
      expect(await wallet.balance()).toEqual(await alone.balance())
      const { status, txid } = await wallet.pay({ to: right.identities[1]!.address, amount })
      expect(status).toBe('accepted')
      expect(await right.request('getrawmempool')).toEqual([txid])
      expect(wallet.findings()).toMatchObject([
        {
          code: 'source_disagrees',
          expected: `block 1 ${hash}, as firstBlock names it`,
          actual: expect.stringContaining(wrong.electrumUrl),
        },
      ])
    },
  )

  test('are left out with firstBlock as the reason', async () => {
    const { right, wrong, hash } = await servers()
    const lost: string[] = []
    const client = createElectrumClient({
      servers: [wrong.electrumUrl, right.electrumUrl],
      onConnection(event) {
        if (event.type === 'lost') lost.push(`${event.server}: ${event.error?.message}`)
      },
    })
    const chain = electrumChain(client, { firstBlock: hash })
    onTestFinished(() => chain.close())
    await chain.tip()
    const reason = 'serves another chain than firstBlock names'
    expect(lost).toEqual([expect.stringContaining(`${wrong.electrumUrl} ${reason}`)])
  })

  test('a source that believed the wrong server forgets it once a wallet names the chain', async () => {
    const { right, wrong, hash } = await servers()
    const chain = open([wrong.electrumUrl, right.electrumUrl])
    expect(await chain.chain!()).not.toBe(hash)
    const signers = [privateKeySigner(right.identities[0]!.wif)]
    const before = await (await createWallet({ signers, chain })).balance()
    const wallet = await createWallet({ signers, chain, firstBlock: hash })
    const own = await wallet.balance()
    expect(own).not.toEqual(before)
    const alone = await createWallet({ signers, chain: open([right.electrumUrl]) })
    expect(own).toEqual(await alone.balance())
  })

  const calls: Readonly<Record<string, (chain: ChainSource) => Promise<unknown>>> = {
    chain: (chain) => chain.chain!(),
    tip: (chain) => chain.tip(),
    unspent: (chain) => chain.unspent(['51']),
    history: (chain) => chain.history(['51']),
    transactions: (chain) => chain.transactions([elsewhere]),
    heights: (chain) => chain.heights!([{ txid: elsewhere, script: '51' }]),
    headers: (chain) => chain.headers!(1, 1),
    inclusion: (chain) => chain.inclusion!(elsewhere, 1),
    broadcast: (chain) => chain.broadcast('00'),
  }

  test.each(Object.entries(calls))(
    'do not answer %s if all are of another chain',
    async (_, ask) => {
      const { right, wrong } = await servers()
      const urls = [right.electrumUrl, wrong.electrumUrl]
      const chain = open(urls, { firstBlock: elsewhere })
      const failure = await ask(chain).catch((error: unknown) => error)
      expect(failure).toMatchObject({ ...another, expected: elsewhere })
      for (const one of [right, wrong]) {
        const hash = await one.request('getblockhash', [1])
        expect(failure).toMatchObject({
          message: expect.stringContaining(`${one.electrumUrl} shows block 1 ${hash}`),
        })
      }
    },
  )

  test('are not read any more on a connection that was read before the chain was named', async () => {
    const { wrong, hash } = await servers()
    const chain = open([wrong.electrumUrl])
    const script = scriptOfAddress(wrong.identities[0]!.address, networks.assetChain)
    expect(await chain.unspent([script])).not.toEqual([])
    await expect(chain.chain!({ firstBlock: hash })).rejects.toMatchObject(another)
    await expect(chain.unspent([script])).rejects.toMatchObject(another)
    await expect(chain.history([script])).rejects.toMatchObject(another)
  })

  describe.each(['firstBlock', 'the first server'])(
    'of another chain, on a new connection after the comparison with %s,',
    (known) => {
      /** Returns a source whose connection moves to a server of another chain before a method is called. */
      async function moving(method: string) {
        const { right, wrong, hash } = await servers()
        const client = createElectrumClient({ servers: [right.electrumUrl, wrong.electrumUrl] })
        const call = client.call.bind(client)
        let isMoved = false
        client.call = (called, ...rest) => {
          if (called === method && !isMoved) {
            isMoved = true
            client.avoid!(client.server()!, new RpcError('transport', 'lost'))
          }
          return call(called, ...rest)
        }
        const chain = electrumChain(client, known === 'firstBlock' ? { firstBlock: hash } : {})
        onTestFinished(() => chain.close())
        expect(await chain.chain!()).toBe(hash)
        return { right, wrong, chain }
      }

      const coinbase = async (of: DevNode) => {
        const block = (await of.request('getblock', [String(of.height)])) as { tx: string[] }
        return block.tx[0]!
      }

      test('do not answer transactions', async () => {
        const { right, wrong, chain } = await moving('blockchain.transaction.get')
        const txids = await Promise.all([right, wrong].map(coinbase))
        const [own, foreign] = await chain.transactions(txids)
        expect(own).toMatch(/^[0-9a-f]+$/)
        expect(foreign).toBeUndefined()
      })

      test('do not answer heights', async () => {
        const { right, chain } = await moving('blockchain.scripthash.get_history')
        const txid = await coinbase(right)
        const { vout } = (await right.request('getrawtransaction', [txid, 1])) as Coinbase
        const script = vout[0]!.scriptPubKey.hex
        expect(await chain.heights!([{ txid, script }])).toEqual(new Map([[txid, right.height]]))
      })

      test('do not answer inclusion', async () => {
        const { right, chain } = await moving('blockchain.transaction.get_merkle')
        const { fault } = await chain.inclusion(await coinbase(right), right.height)
        expect(fault).toBeUndefined()
      })

      test('do not answer headers', async () => {
        const { right, chain } = await moving('blockchain.block.headers')
        const { headers, sources } = await chain.headers(1, 1)
        const hash = await right.request('getblockhash', [1])
        expect(headers.map((hex) => decodeBlockHeader(hex).hash)).toEqual([hash])
        expect(sources).toEqual([right.electrumUrl])
      })

      test('leave a broadcast uncertain', async () => {
        const { chain } = await moving('blockchain.transaction.broadcast')
        await expect(chain.broadcast('00')).rejects.toMatchObject({
          kind: 'transport',
          uncertain: true,
        })
        await expect(chain.broadcast('00')).rejects.toMatchObject({ kind: 'daemon' })
      })
    },
  )

  test('are waited for while one that does not answer may be of the chain', async () => {
    const { right, wrong, hash } = await servers()
    const chain = open([wrong.electrumUrl, right.electrumUrl], { firstBlock: hash })
    await right.close()
    await expect(chain.tip()).rejects.toMatchObject({
      kind: 'transport',
      message: expect.stringContaining(`${right.electrumUrl} shows no block 1`),
    })
  })

  test('of two chains are named with their blocks, and with what to do, if no chain is named', async () => {
    const { right, wrong, hash } = await servers()
    const chain = open([wrong.electrumUrl, right.electrumUrl])
    const believed = await chain.chain!()
    await wrong.close()
    const failure = await chain.tip().catch((error: Error) => error.message)
    expect(failure).toContain(`${wrong.electrumUrl} shows block 1 ${believed}`)
    expect(failure).toContain(`${right.electrumUrl} shows block 1 ${hash}`)
    expect(failure).toContain('pass the hash of its block 1 as firstBlock (--first-block)')
    expect(chain.findings!()).toMatchObject([
      {
        code: 'source_disagrees',
        expected: `block 1 ${believed}, as by ${wrong.electrumUrl}`,
        actual: `${right.electrumUrl}: ${hash}`,
      },
    ])
  })
})
