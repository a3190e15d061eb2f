// A node of tokeld's chains: which network it serves, what it keeps in a file, and what it refuses.

import { expect, test } from 'vitest'
import { defineNetwork, encodeTokenPayload, networks } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { conditionScript, moduleCondition } from '../../src/script/condition-script.ts'
import { pubkeyScript } from '../../src/script/key-script.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import type { TransactionOutput } from '../../src/transaction/types.ts'
import { readVectors } from '../support/vectors.ts'
import { resigned } from './support/resigned.ts'

const onTokel = { listen: false, network: networks.tokel, time: 1_800_000_000 } as const

async function created(node: DevNode, ...params: string[]): Promise<string> {
  const { hex } = (await node.request('tokenv2create', params)) as { hex: string }
  return (await node.request('sendrawtransaction', [hex])) as string
}

test('serves a chain of komodod unless another network is asked for', async () => {
  await using komodod = await createDevNode({ listen: false })
  await using tokeld = await createDevNode(onTokel)
  expect(komodod.network.conditions).toBe('komodo')
  expect(tokeld.network).toMatchObject({ conditions: 'tokel', conditionPrefix: 28 })
})

test.each([
  ['KMD, which has no conditions', networks.komodo],
  ['the testnet', networks.komodoTestnet],
  ['prefixes of its own', defineNetwork({ name: 'OTHER', pubKeyHashPrefix: 61 })],
])('refuses a network that it does not serve: %s', async (_, network) => {
  const given = createDevNode({ listen: false, network })
  await expect(given).rejects.toThrow(/^options\.network: expected networks\.assetChain or/)
})

test('takes what nodes relay and the largest amount from the network that is given', async () => {
  const network = defineNetwork({ ...networks.tokel, name: 'SMALL', nulldataBytesMax: 100 })
  await using node = await createDevNode({ ...onTokel, network })
  expect(node.network).toMatchObject({ conditions: 'tokel', nulldataBytesMax: 100 })
})

test('refuses the network as a part of the profile, where it could contradict the option', async () => {
  const profile = { network: 'tokel' } as object
  await expect(createDevNode({ listen: false, profile })).rejects.toThrow(TypeError)
})

test('goes on as a chain of tokeld from its own state, with its tokens and orders', async () => {
  await using node = await createDevNode({ ...onTokel, mine: 'manual' })
  const tokenid = await created(node, 'GOLD', '0.00001')
  node.mine()
  const ask = (await node.request('tokenv2ask', ['10', tokenid, '0.0001'])) as { hex: string }
  await node.request('sendrawtransaction', [ask.hex])
  const kept = node.dump()
  await using again = await createDevNode({ listen: false, load: kept })
  expect(again.network.conditions).toBe('tokel')
  expect(again.dump()).toBe(kept)
  again.mine()
  expect(await again.request('tokenv2orders')).toMatchObject([{ tokenid, askamount: 10 }])
})

test('refuses a state of the other network, and is as it was before', async () => {
  await using node = await createDevNode(onTokel)
  await using other = await createDevNode({ listen: false })
  const before = node.dump()
  expect(() => node.load(other.dump())).toThrow(expect.objectContaining({ code: 'malformed_case' }))
  expect(node.dump()).toBe(before)
  const load = other.dump()
  await expect(createDevNode({ ...onTokel, load })).rejects.toThrow(
    'options.network: the loaded state is of a chain like networks.assetChain',
  )
})

test('reads a state without a network as one of komodod, and refuses an unknown one', async () => {
  await using node = await createDevNode({ listen: false })
  const state = JSON.parse(node.dump())
  delete state.profile.network
  await using old = await createDevNode({ listen: false, load: JSON.stringify(state) })
  expect(old.network.conditions).toBe('komodo')
  state.profile.network = 'komodo'
  await expect(createDevNode({ listen: false, load: JSON.stringify(state) })).rejects.toThrow(
    expect.objectContaining({ code: 'malformed_case' }),
  )
})

test('has no method that a tokeld lacks, and names those that it does not serve', async () => {
  await using node = await createDevNode(onTokel)
  const wrong = (code: number, message: string) => expect.objectContaining({ code, message })
  await expect(node.request('tokenaddress')).rejects.toEqual(wrong(-32601, 'Method not found'))
  await expect(node.request('tokenask', ['1', '2', '3'])).rejects.toEqual(
    wrong(-1, 'this node does not serve tokenask on a chain of tokeld'),
  )
  await using komodod = await createDevNode({ listen: false })
  await expect(komodod.request('tokenv2list')).rejects.toEqual(wrong(-32601, 'Method not found'))
})

const commandTables = readVectors<{ readonly tokeld: readonly string[] }>('rpc/command-tables.json')

/** Names that stand in tokeld's table, and that a tokeld does not have. */
const commentedOut = ['tokenconvert', 'tokenfillswap', 'tokenswapask']

test('answers every method of tokens that the command table of tokeld lists', async () => {
  await using node = await createDevNode(onTokel)
  const ofTokens = commandTables.tokeld.filter(
    (name) => /^(my)?(token|assets)/.test(name) && !commentedOut.includes(name),
  )
  expect(ofTokens.length).toBeGreaterThan(40)
  for (const name of ofTokens) {
    const failed = await node.request(name).catch(({ message }) => message)
    expect({ name, failed }).not.toEqual({ name, failed: 'Method not found' })
  }
})

test('refuses the defect of komodod as a fault', async () => {
  await using node = await createDevNode(onTokel)
  expect(() => node.faults.add({ kind: 'nft_order_poisoning' })).toThrow(TypeError)
})

test('says that it makes no condition of a key that is not compressed', async () => {
  await using node = await createDevNode(onTokel)
  const tokenid = await created(node, 'GOLD', '0.00001')
  const uncompressed = `04${'11'.repeat(64)}`
  await expect(node.request('tokenv2balance', [tokenid, uncompressed])).rejects.toThrow(
    'this node makes no condition of a key that is not compressed',
  )
})

/** Builds a creation, changes its outputs, and signs it again. */
async function forged(
  node: DevNode,
  change: (outputs: readonly TransactionOutput[], pubkey: string) => TransactionOutput[],
): Promise<string> {
  const { hex } = (await node.request('tokenv2create', ['GOLD', '0.00001'])) as { hex: string }
  const [{ pubkey, wif }] = node.identities
  return resigned(node, hex, [wif], ({ outputs }) => ({ outputs: change(outputs, pubkey) }))
}

function nulldata(layout: 'tokel-v1' | 'tokens-v2', owner: string, data: string): string {
  const extras = [{ kind: 'unknown', data }] as const
  return encodeTokenPayload({ layout, kind: 'create', owner, name: 'X', description: '', extras })
}

test('follows no modules that call each other without an end', async () => {
  await using node = await createDevNode(onTokel)
  // Version 2 asks version 1 about the data, and the other output asks version 2 in turn.
  const hex = await forged(node, (outputs, pubkey) => {
    const own = nulldata('tokel-v1', pubkey, 'f5aa').slice(4)
    const v1 = conditionScript(moduleCondition([pubkey], { evalCodes: [0xf2] }), {
      params: { version: 1, evalCode: 0xf2, m: 1, n: 1, pubkeys: [], data: [own] },
    })
    return [
      ...outputs.slice(0, -1),
      { value: 1n, script: v1 },
      { value: 0n, script: nulldata('tokens-v2', pubkey, 'f2aa') },
    ]
  })
  expect(node.testMempoolAccept(hex)).toMatchObject({
    ok: false,
    reason: 'this node lets no module call itself',
  })
})

test.each<
  [string, string, (outputs: readonly TransactionOutput[], key: string) => TransactionOutput[]]
>([
  [
    'two markers',
    'tokencreate cannot have more than one marker',
    ([marker, ...rest]) => [marker!, marker!, ...rest],
  ],
  [
    'a marker of another value',
    'invalid marker value',
    ([marker, ...rest]) => [{ ...marker!, value: 9_999n }, ...rest],
  ],
  [
    'two outputs of tokens',
    "creation tx can't have several token vouts",
    ([marker, tokens, ...rest]) => [
      marker!,
      { ...tokens!, value: 500n },
      { ...tokens!, value: 500n },
      ...rest,
    ],
  ],
  [
    'an owner who pays nothing',
    'no vins signed with creator pubkey',
    (outputs) => [
      ...outputs.slice(0, -1),
      { value: 0n, script: nulldata('tokens-v2', `02${'11'.repeat(32)}`, '00') },
    ],
  ],
  [
    'properties of an unknown version',
    'tkl data invalid: invalid tkl data version',
    (outputs, key) => [
      ...outputs.slice(0, -1),
      { value: 0n, script: nulldata('tokens-v2', key, 'f702') },
    ],
  ],
  [
    'a royalty of 1000',
    'tkl data invalid: invalid tokel royalty value (must be in 0...999)',
    (outputs, key) => [
      ...outputs.slice(0, -1),
      { value: 0n, script: nulldata('tokens-v2', key, 'f70103fde803') },
    ],
  ],
  [
    'data of a module that nobody has',
    'validation not supported for eval code',
    (outputs, key) => [
      ...outputs.slice(0, -1),
      { value: 0n, script: nulldata('tokens-v2', key, '01') },
    ],
  ],
  [
    'data of a module that this node does not model',
    'this node does not model the FAUCET module',
    (outputs, key) => [
      ...outputs.slice(0, -1),
      { value: 0n, script: nulldata('tokens-v2', key, 'e4') },
    ],
  ],
])('refuses a creation with %s', async (_, reason, change) => {
  await using node = await createDevNode(onTokel)
  expect(node.testMempoolAccept(await forged(node, change))).toMatchObject({ ok: false, reason })
})

test('pays the change of a creation to the key', async () => {
  await using node = await createDevNode(onTokel)
  const { hex } = (await node.request('tokenv2create', ['GOLD', '0.00001'])) as { hex: string }
  const [{ pubkey }] = node.identities
  expect(decodeTransaction(hex).outputs[2]?.script).toBe(pubkeyScript(pubkey))
})
