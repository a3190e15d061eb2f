// These tests cover what `daemonChain` makes of a daemon's lists of waiting transactions.

import { describe, expect, test } from 'vitest'

import { encodeTransaction, networks, publicKeyOf, transactionId } from '../../../src/index.ts'
import { type DaemonClient, RpcError } from '../../../src/rpc/index.ts'
import { pubkeyHashScript } from '../../../src/script/key-script.ts'
import { addressOfScript } from '../../../src/script/script.ts'
import { daemonChain, devNodeChain } from '../../../src/wallet/index.ts'
import { ownScriptsOf } from '../../../src/wallet/own-scripts.ts'
import { fundedNode, openWallet } from '../wallet/support.ts'

const network = networks.assetChain
const publicKey = publicKeyOf('8'.padStart(64, '0'))
const { addresses, watched } = ownScriptsOf([publicKey], network)
const [{ address, tokenAddress }] = addresses as [(typeof addresses)[0]]
const tokenScript = watched.find((script) => addressOfScript(script, network) === tokenAddress)!

const coin = { txid: 'cc'.repeat(32), vout: 1 }
/** Spends a token coin, and makes another one. */
const spender = encodeTransaction({
  version: 1,
  overwintered: false,
  inputs: [{ ...coin, scriptSig: '', sequence: 0 }],
  outputs: [
    { value: 7n, script: tokenScript },
    { value: 9n, script: pubkeyHashScript(publicKey) },
  ],
  lockTime: 0,
})
const txid = transactionId(spender)

interface World {
  /** Where the waiting token coins are listed. komodod lists them `without` the second parameter. */
  readonly listed: 'without' | 'with' | 'with and without'
  /** The spender waits until so many calls were answered, and is in the last block then. */
  readonly minedAfter?: number
}

function world({ listed, minedAfter = Infinity }: World) {
  let calls = 0
  const waiting = [
    { address: tokenAddress, txid, index: 0, satoshis: '7', timestamp: 1 },
    { address: tokenAddress, txid, index: 0, satoshis: '-5', prevtxid: coin.txid, prevout: 1 },
  ]
  const client = {
    async call(method: string, [asked, second]: [{ addresses: string[] }, 1?]) {
      const isMined = calls >= minedAfter
      calls += 1
      const answers: Record<string, () => unknown> = {
        getbestblockhash: () => (isMined ? 'bb' : 'aa').repeat(32),
        getblockheader: () => ({ height: isMined ? 8 : 7, time: 1 }),
        getblockhash: () => 'aa'.repeat(32),
        getaddressutxos: () => {
          if (second !== 1) return []
          const [made, spent] = [
            { txid, outputIndex: 0, height: 8, satoshis: '7' },
            { txid: coin.txid, outputIndex: 1, height: 2, satoshis: '5' },
          ]
          return [isMined ? made : spent]
        },
        getaddressdeltas: () =>
          second === 1
            ? [{ txid: coin.txid, height: 2 }, ...(isMined ? [{ txid, height: 8 }] : [])]
            : [],
        getaddressmempool: () => {
          if (isMined) return []
          const plain = { address, txid, index: 1, satoshis: '9', timestamp: 1 }
          const isCounted = listed === 'with and without' || (listed === 'with') === (second === 1)
          return [
            ...(asked.addresses.includes(address) && second !== 1 ? [plain] : []),
            ...(asked.addresses.includes(tokenAddress!) && isCounted ? waiting : []),
          ]
        },
      }
      return answers[method]!()
    },
    batch: async (asked: readonly unknown[]) =>
      asked.map(() => ({ status: 'fulfilled', value: spender })),
  }
  return { chain: daemonChain(client as unknown as DaemonClient), calls: () => calls }
}

const outpoint = ({ txid, vout }: { txid: string; vout: number }) => `${txid.slice(0, 2)}:${vout}`

describe.each(['without', 'with', 'with and without'] as const)(
  'a daemon that lists waiting token coins %s the second parameter',
  (listed) => {
    test('shows each of them once, and not what they spend', async () => {
      const unspent = await world({ listed }).chain.unspent(watched)
      const made = txid.slice(0, 2)
      expect(unspent.map(outpoint).sort()).toEqual([`${made}:0`, `${made}:1`])
    })

    test('has their transaction in its history once', async () => {
      expect(await world({ listed }).chain.history(watched)).toEqual([
        { txid: coin.txid, height: 2 },
        { txid, height: 0 },
      ])
    })
  },
)

describe('a block that comes between two answers', () => {
  test('brings no spent coin back, and no coin twice', async () => {
    const still = world({ listed: 'without' })
    await still.chain.unspent(watched)
    for (let minedAfter = 0; minedAfter <= still.calls(); minedAfter += 1) {
      const unspent = await world({ listed: 'without', minedAfter }).chain.unspent(watched)
      const tokens = unspent.map(outpoint).filter((it) => it !== outpoint({ txid, vout: 1 }))
      expect({ minedAfter, tokens }).toEqual({ minedAfter, tokens: [outpoint({ txid, vout: 0 })] })
    }
  })

  test('hides no transaction from the history', async () => {
    const still = world({ listed: 'without' })
    await still.chain.history(watched)
    for (let minedAfter = 0; minedAfter <= still.calls(); minedAfter += 1) {
      const listed = await world({ listed: 'without', minedAfter }).chain.history(watched)
      expect({ minedAfter, isListed: listed.some((it) => it.txid === txid) }).toEqual({
        minedAfter,
        isListed: true,
      })
    }
  })
})

/** A block, and the transactions in blocks up to it that concern a script. */
interface Branch {
  readonly hash: string
  readonly height: number
  readonly rows: readonly { readonly txid: string; readonly height: number }[]
}

test('a payment stays in its block, though another branch answered for a moment', async () => {
  const [first, later] = ['a0'.repeat(32), 'a2'.repeat(32)]
  const rows = [{ txid, height: 100 }]
  let best: Branch = { hash: first, height: 100, rows }
  const rival: Branch = { hash: 'b1'.repeat(32), height: 101, rows: [{ txid, height: 99 }] }
  const client = {
    async call(method: string, [asked]: [{ start: number; end: number }]) {
      const { hash, height } = best
      const answers: Record<string, () => unknown> = {
        getbestblockhash: () => hash,
        getblockheader: () => ({ height, time: 1 }),
        getblockhash: () => (best === rival ? rival.hash : first),
        getaddressmempool: () => [],
        getaddressdeltas() {
          if (hash === first) best = rival
          return best.rows.filter((it) => it.height >= asked.start && it.height <= asked.end)
        },
      }
      return answers[method]!()
    },
  }
  const chain = daemonChain(client as unknown as DaemonClient)
  await chain.history([tokenScript])
  best = { hash: later, height: 102, rows }
  expect(await chain.history([tokenScript])).toEqual(rows)
})

describe('the histories of several lists of scripts', () => {
  const hashAt = (at: number) => `${at}`.padStart(64, '0')
  const listOf = (at: number) => [`76a914${`${at}`.padStart(40, '0')}88ac`]
  const own = [tokenScript, ...listOf(10)]

  /** A daemon with empty blocks, and the first blocks from which histories are read. */
  function world() {
    const starts: number[] = []
    const now = { height: 100 }
    const client = {
      async call(method: string, [asked]: readonly unknown[]) {
        const { height } = now
        if (method === 'getaddressmempool') return []
        if (method === 'getblockheader') return { height, time: 1 }
        if (method === 'getbestblockhash') return hashAt(height)
        if (method === 'getblockhash') return hashAt(asked as number)
        starts.push((asked as { start: number }).start)
        return []
      },
    }
    return { chain: daemonChain(client as unknown as DaemonClient), starts, now }
  }

  test('are read from new blocks alone if two lists alternate', async () => {
    const { chain, starts, now } = world()
    const lists = [[tokenScript], own]
    for (const scripts of lists) await chain.history(scripts)
    now.height = 101
    starts.length = 0
    for (const scripts of lists) await chain.history(scripts)
    expect([...new Set(starts)]).toEqual([101])
  })

  test('do not drop the one that is asked for between all others', async () => {
    const { chain, starts } = world()
    for (const at of [11, 12, 13, 14, 15, 16]) {
      await chain.history(own)
      await chain.history(listOf(at))
    }
    starts.length = 0
    await chain.history(own)
    expect(starts).toEqual([])
  })
})

/** A daemon that gives the same answer to each call of a method. */
function answering(answers: Record<string, unknown>) {
  const replies: Record<string, unknown> = {
    getbestblockhash: 'aa'.repeat(32),
    getblockheader: { height: 7, time: 1 },
    getaddressmempool: [],
    ...answers,
  }
  const client = {
    async call(method: string) {
      if (replies[method] instanceof Error) throw replies[method]
      return replies[method]
    },
    batch: async (asked: readonly unknown[]) =>
      asked.map(() => ({ status: 'fulfilled', value: replies.getrawtransaction })),
  }
  return daemonChain(client as unknown as DaemonClient)
}

test('a coin stays, though another branch answered for a moment', async () => {
  const own = { txid: '11'.repeat(32), outputIndex: 0, height: 50, satoshis: 7 }
  const rival = { txid: '22'.repeat(32), outputIndex: 0, height: 101, satoshis: 9 }
  const [first, second] = ['aa'.repeat(32), 'bb'.repeat(32)]
  const replies: Record<string, unknown> = {
    getblockheader: { height: 100, time: 1 },
    getaddressmempool: [],
  }
  let best = first
  let hasChanged = false
  const client = {
    async call(method: string) {
      if (method === 'getbestblockhash') return best
      if (method !== 'getaddressutxos') return replies[method]
      // A block of the other branch comes before the first answer.
      if (!hasChanged) best = second
      hasChanged = true
      return [best === second ? rival : own]
    },
  }
  const chain = daemonChain(client as unknown as DaemonClient)
  await chain.unspent([tokenScript])
  best = first
  expect(await chain.unspent([tokenScript])).toMatchObject([{ txid: own.txid, height: 50 }])
})

test.each([[{ toString: 1, valueOf: 1 }], [[['5']]], [true], [null], ['5.0']])(
  'an amount of a row that is %j is none',
  async (satoshis) => {
    const row = { txid: coin.txid, outputIndex: 1, height: 2, satoshis }
    const [output] = await answering({ getaddressutxos: [row] }).unspent([tokenScript])
    expect(output).toEqual({ ...coin, height: 2 })
  },
)

test.each([[null], [5], [{ hex: 'aa' }]])(
  'an answer of %j is no report that a transaction is unknown',
  async (getrawtransaction) => {
    const asking = answering({ getrawtransaction }).transactions([txid])
    await expect(asking).rejects.toMatchObject({ kind: 'shape', method: 'getrawtransaction' })
  },
)

test.each([[null], [5], ['zz']])('an answer of %j names no first block', async (getblockhash) => {
  const asking = answering({ getblockhash }).chain!()
  await expect(asking).rejects.toMatchObject({ kind: 'shape', method: 'getblockhash' })
})

describe('a refused call of the address index', () => {
  const refusal = (code: number, text: string) =>
    new RpcError('daemon', `getaddressutxos: ${text}`, { method: 'getaddressutxos', code })
  const refused = (error: RpcError) =>
    answering({ getaddressutxos: error })
      .unspent([tokenScript])
      .catch((it: unknown) => it)

  test('is passed on as it is if the daemon is only starting', async () => {
    const starting = refusal(-28, 'Loading block index...')
    expect(await refused(starting)).toBe(starting)
  })

  test('keeps its code, and names the options that a daemon without the index needs', async () => {
    const error = await refused(refusal(-5, 'No information available for address'))
    expect(error).toMatchObject({ kind: 'daemon', code: -5, method: 'getaddressutxos' })
    expect(error).toMatchObject({
      message: expect.stringMatching(/^getaddressutxos: No .*-addressindex=1/),
    })
  })
})

test('a waiting payment of coins to a token address is not taken for an answer about tokens', async () => {
  const { node, alice, bob, chain } = await fundedNode()
  const [sender, receiver] = [await openWallet(alice, chain), await openWallet(bob, chain)]
  const look = async () => ({ ...(await receiver.balance()), entries: await receiver.history() })
  const before = await look()
  const { tokenAddress: to = '' } = receiver.addresses()[0]!
  expect((await sender.pay({ to, amount: 5_000_000n })).status).toBe('accepted')
  expect(await look()).toEqual(before)
  expect(receiver.findings()).toEqual([])
  await node.close()
})

test('a development node has its own network where the option is undefined', async () => {
  const { node } = await fundedNode()
  const asked: string[] = []
  const own = { ...network, pubKeyHashPrefix: 50 }
  const recording: typeof fetch = (url, init) => {
    asked.push(String(init?.body))
    return node.fetch(url, init)
  }
  const absent = { network: undefined } as object
  const chain = devNodeChain({ fetch: recording, network: own }, absent)
  const script = pubkeyHashScript(publicKey)
  await chain.unspent([script]).catch(() => undefined)
  expect(asked.join()).toContain(addressOfScript(script, own))
})
