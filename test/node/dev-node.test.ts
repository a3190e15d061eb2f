import { describe, expect, test } from 'vitest'
import { networks } from '../../src/index.ts'
import { identityKey, newKey } from '../../src/node/identities.ts'
import { createDevNode, type DevNode, RpcFailure } from '../../src/node/index.ts'
import { createDaemonClient, transferToken } from '../../src/rpc/index.ts'
import { chain } from '../support/vectors.ts'

interface Built {
  result: string
  hex: string
}

const offline = { listen: false, time: 1_800_000_000 } as const

async function tokenOf(node: DevNode, supply = '0.00001'): Promise<string> {
  const { hex } = (await node.request('tokencreate', ['GOLD', supply, 'a token'])) as Built
  return (await node.request('sendrawtransaction', [hex])) as string
}

async function balance(node: DevNode, tokenid: string, identity = 0): Promise<number> {
  const answer = await node.request('tokenbalance', [tokenid], { identity })
  return (answer as { balance: number }).balance
}

describe('a node in process', () => {
  test('creates, lists and transfers a token', async () => {
    await using node = await createDevNode(offline)
    const tokenid = await tokenOf(node)
    const [, other] = node.identities
    expect(await node.request('tokenlist')).toEqual([tokenid])
    const { hex } = (await node.request('tokentransfer', [tokenid, other!.pubkey, '400'])) as Built
    await node.request('sendrawtransaction', [hex])
    expect([await balance(node, tokenid), await balance(node, tokenid, 1)]).toEqual([600, 400])
  })

  test('refuses what a daemon refuses, in its words', async () => {
    await using node = await createDevNode(offline)
    await expect(node.request('tokencreate', ['GOLD', 1])).rejects.toThrow(
      'JSON value is not a string as expected',
    )
    await expect(node.request('nosuch')).rejects.toMatchObject({ code: -32601 })
    await expect(node.request('sendrawtransaction', ['00'])).rejects.toBeInstanceOf(RpcFailure)
  })

  test('holds transactions back until it is told to mine', async () => {
    await using node = await createDevNode({ ...offline, mine: 'manual' })
    const tokenid = await tokenOf(node)
    expect(await node.request('tokeninfo', [tokenid])).toEqual({
      result: 'error',
      error: 'the transaction is still in mempool',
    })
    node.mine()
    expect(await node.request('tokeninfo', [tokenid])).toMatchObject({ name: 'GOLD', supply: 1000 })
  })
})

test('the keys that are written down are those that follow from their names', () => {
  for (const at of [0, 1]) {
    expect(identityKey(networks.assetChain, at)).toEqual(newKey(networks.assetChain, String(at)))
  }
})

describe('snapshots', () => {
  test('are exact, can be used again, and an unknown one is an error', async () => {
    await using node = await createDevNode(offline)
    const tokenid = await tokenOf(node)
    const before = node.snapshot()
    const info = await node.request('getblockchaininfo')
    for (let again = 0; again < 2; again += 1) {
      await node.request('sendtoaddress', [node.identities[1]!.address, 5])
      node.mine(3)
      await node.request('getnewaddress')
      node.revert(before)
      expect(await node.request('getblockchaininfo')).toEqual(info)
      expect(await node.request('getaddressesbyaccount', [''])).toHaveLength(1)
      expect(await balance(node, tokenid)).toBe(1000)
    }
    expect(node.snapshot()).not.toBe(before)
    expect(() => node.revert('snapshot-99')).toThrow(RangeError)
  })

  test('know nothing of the blocks that came after them', async () => {
    await using node = await createDevNode(offline)
    const start = node.snapshot()
    const [later] = node.mine(10)
    node.revert(start)
    node.mine()
    await expect(node.request('getblock', [later])).rejects.toMatchObject({ code: -5 })
    await node.request('invalidateblock', [await node.request('getbestblockhash')])
    expect(node.height).toBe(1)
    const tips = (await node.request('getchaintips')) as { status: string }[]
    expect(tips.map(({ status }) => status)).toEqual(['invalid', 'active'])
  })
})

describe('time and chain', () => {
  test('height, block time and median time move together', async () => {
    await using node = await createDevNode(offline)
    node.mine(20, { spacing: 60 })
    const tip = (await node.request('getblock', [String(node.height), 1])) as { time: number }
    const before = (await node.request('getblock', [String(node.height - 1), 1])) as {
      time: number
    }
    expect(tip.time - before.time).toBe(60)
    node.advance(3600)
    node.mine()
    const later = (await node.request('getblock', [String(node.height), 1])) as { time: number }
    expect(later.time).toBeGreaterThanOrEqual(tip.time + 3600)
  })

  test('a reorganization gives other hashes, and transactions come back unless dropped', async () => {
    await using node = await createDevNode(offline)
    const sent = (await node.request('sendtoaddress', [node.identities[1]!.address, 1])) as string
    const hash = await node.request('getbestblockhash')
    node.reorg(1)
    expect(await node.request('getbestblockhash')).not.toBe(hash)
    expect(await node.request('getrawtransaction', [sent, 1])).toMatchObject({ confirmations: 1 })
    node.reorg(1, { drop: [sent] })
    await expect(node.request('getrawtransaction', [sent])).rejects.toMatchObject({ code: -5 })
  })

  test('an invalidated block can be reconsidered', async () => {
    await using node = await createDevNode(offline)
    const sent = (await node.request('sendtoaddress', [node.identities[1]!.address, 1])) as string
    node.mine(2)
    const tip = await node.request('getbestblockhash')
    const block = await node.request('getblockhash', [2])
    await node.request('invalidateblock', [block])
    expect(node.height).toBe(1)
    expect(await node.request('getrawmempool')).toEqual([sent])
    await node.request('reconsiderblock', [block])
    expect(await node.request('getbestblockhash')).toBe(tip)
    expect(await node.request('getrawmempool')).toEqual([])
  })
})

describe('state as text', () => {
  test('a dump that is loaded is the same node', async () => {
    await using node = await createDevNode({ ...offline, mine: 'manual' })
    const tokenid = await tokenOf(node)
    node.mine()
    const waiting = await node.request('sendtoaddress', [node.identities[1]!.address, 1])
    await using again = await createDevNode({ listen: false, mine: 'manual', load: node.dump() })
    expect(await again.request('getrawmempool')).toEqual([waiting])
    expect(await balance(again, tokenid)).toBe(1000)
    expect(again.identities.map(({ pubkey }) => pubkey)).toEqual(
      node.identities.map(({ pubkey }) => pubkey),
    )
    expect(await again.request('getbestblockhash')).toBe(await node.request('getbestblockhash'))
    again.reorg(1)
    expect(again.height).toBe(node.height)
    node.mine(2)
    node.load(again.dump())
    expect(await node.request('getbestblockhash')).toBe(await again.request('getbestblockhash'))
  })

  test('the transactions of a recorded chain are one', async () => {
    await using node = await createDevNode({ listen: false, load: JSON.stringify(chain) })
    expect(node.height).toBe(103)
    expect(await node.request('tokenlist')).toHaveLength(288)
  })

  test('text that is neither is refused', async () => {
    await expect(createDevNode({ load: '{}' })).rejects.toMatchObject({ code: 'malformed_case' })
    await expect(createDevNode({ load: 'nonsense' })).rejects.toMatchObject({
      code: 'malformed_case',
    })
  })

  test('real transactions can be brought in without their ancestors', async () => {
    await using node = await createDevNode(offline)
    const { hex, txid } = chain.find(({ height }) => height === 44)!
    node.importTransactions([hex])
    const before = node.height
    node.importTransactions(chain.filter(({ height }) => height > 44 && height < 48))
    expect(node.height).toBe(before + 3)
    expect(await node.request('getrawtransaction', [txid])).toBe(hex)
  })
})

describe('the safe flow', () => {
  const clientOf = (node: DevNode, identity = 0) => {
    const { url, user, password } = node.identities[identity]!
    return createDaemonClient({
      url: url || 'http://127.0.0.1/',
      user,
      password,
      fetch: node.fetch,
    })
  }

  test('a lie is refused before it is sent, and the truth is sent', async () => {
    await using node = await createDevNode(offline)
    const [own, other] = node.identities
    const tokenid = await tokenOf(node)
    await tokenOf(node)
    const intent = { tokenid, from: own!.pubkey, destination: other!.pubkey, amount: 40n }
    for (const tamper of [
      'stolen_change',
      'wrong_destination',
      'other_token_burned',
      'raised_fee',
      'stolen_token_change',
    ] as const) {
      const takeBack = node.faults.add({ kind: 'tampered_hex', method: 'tokentransfer', tamper })
      const { report, txid } = await transferToken(clientOf(node), intent)
      expect({ tamper, ok: report.ok, txid }).toEqual({ tamper, ok: false, txid: undefined })
      takeBack()
    }
    const { report, txid } = await transferToken(clientOf(node), intent)
    expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
    expect(txid).toBeDefined()
  })
})
