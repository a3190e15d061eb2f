// Orders of tokens v2 on a chain of tokeld's: their end, the royalty, and who may take them back.

import { beforeEach, describe, expect, test } from 'vitest'
import { tokensGlobalPubkey } from '../../src/chain/modules.ts'
import { encodeTransaction, networks, signTransaction } from '../../src/index.ts'
import { createDevNode, type DevIdentity, type DevNode } from '../../src/node/index.ts'
import { pubkeyScript } from '../../src/script/key-script.ts'
import { markerScriptOfV2 } from '../../src/token/rules/order-layout-v2.ts'
import { decodeTransaction } from '../../src/transaction/decode.ts'
import type { TransactionOutput } from '../../src/transaction/types.ts'
import { resigned } from './support/resigned.ts'
import { builtBy, sentBy } from './support/tokel-calls.ts'

/** Published with the modules of orders and of tokens, so everybody has them. */
const moduleKey = '46583b18ee1663516f606e09df9d27c8a7a272a5d46a9bcbd54f7d1cb12e6321'
const tokensKey = '1d0d0dce2dd2e19df5b626d5ada0f00add7a727d1735b5e32c6ca9a203164bcf'
const maker = 0
const taker = 1
let node: DevNode<readonly [DevIdentity, DevIdentity]>
let tokenid: string

beforeEach(async () => {
  node = await createDevNode({ listen: false, network: networks.tokel, time: 1_800_000_000 })
  const data = '{"royalty":50}'
  tokenid = await done(maker, 'tokenv2createtokel', 'ART', '0.000001', 'a picture', data)
  return () => node.close()
})

const built = (identity: number, method: string, ...params: string[]) =>
  builtBy(node, identity, method, ...params)
const done = (identity: number, method: string, ...params: string[]) =>
  sentBy(node, identity, method, ...params)

async function units(identity: number): Promise<unknown> {
  const answer = await node.request('tokenv2balance', [tokenid], { identity })
  return (answer as { balance: number }).balance
}

function altered(
  identity: number,
  hex: string,
  change: (outputs: readonly TransactionOutput[]) => readonly TransactionOutput[],
): Promise<string> {
  const keys = [node.identities[identity]!.wif, moduleKey]
  return resigned(node, hex, keys, ({ outputs }) => ({ outputs: change(outputs) }))
}

const ask = () => done(maker, 'tokenv2ask', '60', tokenid, '0.001')

test('a fill pays the seller, and the creator the royalty', async () => {
  const order = await ask()
  const hex = await built(taker, 'tokenv2fillask', tokenid, order, '10')
  const creator = pubkeyScript(node.identities[maker].pubkey)
  expect(decodeTransaction(hex).outputs.slice(2, 4)).toEqual([
    { value: 950_000n, script: creator },
    { value: 50_000n, script: creator },
  ])
  expect(node.testMempoolAccept(hex)).toMatchObject({ ok: true })
})

describe('refuses a fill of an ask', () => {
  const moved =
    (from: number, to: number) =>
    (outputs: readonly TransactionOutput[]): readonly TransactionOutput[] =>
      outputs.map((output, at) => {
        if (at === from) return { ...output, value: output.value - 1n }
        return at === to ? { ...output, value: output.value + 1n } : output
      })

  test.each<
    [string, string, (outputs: readonly TransactionOutput[]) => readonly TransactionOutput[]]
  >([
    ['that keeps the royalty', 'vout3 invalid royalty amount for fillask', moved(3, 2)],
    ['that pays a satoshi too little', 'mismatched vout0 remainder for fillask', moved(2, -1)],
    [
      'that pays the royalty to somebody else',
      'vout3 invalid royalty destination for fillask',
      (outputs) => outputs.with(3, { ...outputs[3]!, script: `2103${'11'.repeat(32)}ac` }),
    ],
    [
      'that pays the seller at another address',
      'vout2 should be normal to order creator for fillask',
      (outputs) => outputs.with(2, { ...outputs[2]!, script: `2103${'11'.repeat(32)}ac` }),
    ],
    [
      'that leaves no marker for the rest',
      'invalid marker vout for original pubkey',
      (outputs) => outputs.toSpliced(4, 1),
    ],
  ])('%s', async (_, reason, change) => {
    const order = await ask()
    const hex = await built(taker, 'tokenv2fillask', tokenid, order, '10')
    const verdict = node.testMempoolAccept(await altered(taker, hex, change))
    expect(verdict).toMatchObject({ ok: false, reason })
    expect(verdict).toMatchObject({ message: expect.stringContaining(`reason=${reason}`) })
  })
})

test('a bid is filled in part, and what is left goes back to its maker', async () => {
  const bid = await done(taker, 'tokenv2bid', '10', tokenid, '0.001')
  const rest = await done(maker, 'tokenv2fillbid', tokenid, bid, '4')
  expect(await units(taker)).toBe(4)
  expect(await node.request('tokenv2orders', [tokenid])).toMatchObject([
    { funcid: 'B', txid: rest, bidamount: 0.006, totalrequired: 6 },
  ])
})

test('builds no better than tokeld where a royalty stands in the place of the marker', async () => {
  const order = await ask()
  const rest = await done(taker, 'tokenv2fillask', tokenid, order, '10')
  const hex = await built(maker, 'tokenv2cancelask', tokenid, rest)
  expect(node.testMempoolAccept(hex)).toMatchObject({
    ok: false,
    reason: 'not the originator pubkey signed for cancelask for not yet expired orders',
  })
})

describe('an order that ends', () => {
  const blocks = 3
  const endingAsk = async (): Promise<string> =>
    done(maker, 'tokenv2ask', '60', tokenid, '0.001', String(node.height + blocks))

  test('is filled in the last block before its end, and not in the block of its end', async () => {
    const order = await endingAsk()
    const start = node.snapshot()
    const end = node.height + blocks - 1
    node.mine(end - 2 - node.height)
    const inTime = await built(taker, 'tokenv2fillask', tokenid, order, '60')
    expect(node.testMempoolAccept(inTime)).toMatchObject({ ok: true })
    node.mine()
    const late = await built(taker, 'tokenv2fillask', tokenid, order, '60')
    expect(node.testMempoolAccept(late)).toMatchObject({ ok: false, reason: 'order is expired' })
    node.revert(start)
  })

  test('is taken back by anybody from its end on, for its maker', async () => {
    const order = await endingAsk()
    const early = await built(taker, 'tokenv2cancelask', tokenid, order)
    expect(node.testMempoolAccept(early)).toMatchObject({
      ok: false,
      reason: 'not the originator pubkey signed for cancelask for not yet expired orders',
    })
    node.mine(blocks)
    expect(await units(maker)).toBe(40)
    await done(taker, 'tokenv2cancelask', tokenid, order)
    expect(await units(maker)).toBe(100)
  })

  test('may be a bid: its coins go back to its maker', async () => {
    const before = node.height
    const bid = await done(taker, 'tokenv2bid', '10', tokenid, '0.001', String(before + blocks))
    node.mine(blocks)
    const hex = await built(maker, 'tokenv2cancelbid', tokenid, bid)
    expect(decodeTransaction(hex).outputs[0]).toEqual({
      value: 1_000_000n,
      script: pubkeyScript(node.identities[taker].pubkey),
    })
    expect(node.testMempoolAccept(hex)).toMatchObject({ ok: true })
  })
})

test('an order that names a maker who pays nothing for it is refused', async () => {
  const hex = await built(maker, 'tokenv2ask', '60', tokenid, '0.001')
  const [named, other] = node.identities.map(({ pubkey }) => pubkey) as [string, string]
  const claimed = await altered(maker, hex, (outputs) => {
    const payload = outputs.at(-1)!
    return outputs
      .with(1, { ...outputs[1]!, script: markerScriptOfV2(other) })
      .with(-1, { ...payload, script: payload.script.replace(`21${named}`, `21${other}`) })
  })
  expect(node.testMempoolAccept(claimed)).toMatchObject({
    ok: false,
    reason: 'not the originator pubkey signed for ask',
  })
})

test('lists what is left of an order that began in some heights, and each order of a key', async () => {
  const order = await ask()
  const { height } = node
  const rest = await done(taker, 'tokenv2fillask', tokenid, order, '10')
  const between = JSON.stringify({ beginHeight: height, endHeight: height })
  expect(await node.request('tokenv2orders', ['*', between])).toMatchObject([{ txid: rest }])
  // The marker of what was filled stays where it is, and leads to the same order again.
  expect(await node.request('mytokenv2orders')).toMatchObject([{ txid: rest }, { txid: rest }])
  expect(await node.request('mytokenv2orders', [], { identity: taker })).toEqual([])
})

// tokel src/rpc/tokensrpc.cpp reads such a parameter with get_array.
test.each<[method: string, ...before: readonly string[]]>([
  ['tokenv2list'],
  ['tokenv2orders', '*'],
  ['tokencreatetokel', 'ART', '0.00000001', 'a picture'],
  ['tokenv2createtokel', 'ART', '0.00000001', 'a picture'],
])('%s takes no object beside its text', async (method, ...before) => {
  await expect(node.request(method, [...before, {}])).rejects.toMatchObject({
    code: -1,
    message: 'JSON value is not an array as expected',
  })
  await node.request(method, [...before, '{}'])
})

// tokel src/cc/CCtokens.cpp, TokenList: SetCCtxids finds receipts, whether they were spent or not.
test('tokenlist has creations whose marker is at the ordinary address of the module', async () => {
  const made = (await node.request('tokencreate', ['OLD', '0.00001'])) as { hex: string }
  const created = decodeTransaction(made.hex)
  const [marker, ...rest] = created.outputs
  const old = { ...marker!, script: pubkeyScript(tokensGlobalPubkey) }
  const inputs = created.inputs.map((input) => ({ ...input, scriptSig: '' }))
  const changed = encodeTransaction({ ...created, inputs, outputs: [old, ...rest] })
  const { hex } = (await node.request('signrawtransaction', [changed])) as { hex: string }
  const txid = (await node.request('sendrawtransaction', [hex])) as string
  expect(await node.request('tokenlist')).toEqual([txid])
  node.mine()
  const back = encodeTransaction({
    ...created,
    inputs: [{ txid, vout: 0, scriptSig: '', sequence: 0xffffffff }],
    outputs: [{ value: 5_000n, script: pubkeyScript(node.identities[maker]!.pubkey) }],
  })
  const spending = signTransaction(back, [tokensKey], [old], networks.tokel)
  await node.request('sendrawtransaction', [spending.hex])
  node.mine()
  expect(await node.request('tokenlist')).toEqual([txid])
})
