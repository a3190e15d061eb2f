// Orders that the daemon builds without asking what they are made of.

import { decodeTransaction } from '../../../src/index.ts'
import type { DevNode } from '../../../src/node/index.ts'
import { type Check, type Example, prepared, type World } from './lockstep-world.ts'

interface Market {
  readonly tokenid: string
  readonly other: string
  readonly bid: string
  readonly ask: string
}
const markets = new WeakMap<DevNode, Market>()

export const marketOf = ({ fresh }: World): Market => markets.get(fresh)!

export const traded = prepared('traded', async ({ fresh }) => {
  const made = async (identity: number, method: string, params: readonly unknown[]) => {
    const { hex } = (await fresh.request(method, params, { identity })) as { hex: string }
    const txid = (await fresh.request('sendrawtransaction', [hex])) as string
    fresh.mine()
    return txid
  }
  const tokenid = await made(0, 'tokencreate', ['GOLD', '0.00005'])
  const other = await made(1, 'tokencreate', ['TIN', '0.00005'])
  const ask = await made(0, 'tokenask', ['100', tokenid, '0.001'])
  const bid = await made(0, 'tokenbid', ['10', other, '0.01'])
  markets.set(fresh, { tokenid, other, ask, bid })
})

/** The outputs of a transaction that a method built. */
export async function built(
  world: World,
  identity: 0 | 1,
  method: string,
  params: readonly string[],
) {
  const { fresh } = world
  const result = (await fresh.request(method, params, { identity })) as { hex?: string }
  const isHex = /^(?:[0-9a-f]{2})+$/.test(result.hex ?? '')
  return { result, made: isHex ? decodeTransaction(result.hex!) : undefined }
}

const recordedMade = ({ komodod }: Example) =>
  decodeTransaction(/"hex":"((?:[0-9a-f]{2})+)/.exec(komodod)![1]!)

/** komodo src/cc/CCassetstx.cpp builds of any transaction: of a coinbase here. */
const ofNoOrder =
  (shape: (outputs: readonly bigint[], order: bigint) => boolean): Check =>
  async (world, method, example) => {
    await traded(world)
    const { tokenid } = marketOf(world)
    const { tx } = (await world.fresh.request('getblock', ['2'])) as { tx: string[] }
    const units = method.includes('fill') ? ['1'] : []
    const { made } = await built(world, example.caller, method, [tokenid, tx[0]!, ...units])
    const raw = await world.fresh.request('getrawtransaction', [tx[0]])
    const order = decodeTransaction(raw as string).outputs[0]!.value
    return (
      made !== undefined &&
      shape(
        made.outputs.map(({ value }) => value),
        order,
      )
    )
  }

export const tradedByB = prepared('traded by B', async (world) => {
  const { fresh } = world
  const { other, tokenid } = marketOf(world)
  for (const [method, params] of [
    ['tokenask', ['7', other, '0.001']],
    ['tokenbid', ['7', tokenid, '0.001']],
  ] as const) {
    const { hex } = (await fresh.request(method, params, { identity: 1 })) as { hex: string }
    await fresh.request('sendrawtransaction', [hex])
    fresh.mine()
  }
})

export const orderChecks: readonly (readonly [what: RegExp, check: Check])[] = [
  [
    /^tokenfillask .result.hex only real/,
    async (world, method, example) => {
      const [order, units, coins, marker] = recordedMade(example).outputs.map((it) => it.value)
      if (units !== 0n || coins !== 0n || marker !== 10_000n || order === 0n) return false
      const isSame = ofNoOrder(
        (ours, all) => ours[0] === all && ours[1] === 0n && ours[2] === 0n && ours[3] === marker,
      )
      return isSame(world, method, example)
    },
  ],
  [
    /^tokencancel(?:ask|bid) .result.hex only real/,
    ofNoOrder((ours, all) => ours[0] === all && ours[1] === 10_000n),
  ],
  [
    /^tokenfillbid .result.hex only real/,
    // B sells its token to something that is not a bid: the coins stay where they are.
    async (world) => {
      await traded(world)
      const { other, ask } = marketOf(world)
      const { made } = await built(world, 1, 'tokenfillbid', [other, ask, '10'])
      const [rest, coins, units] = made?.outputs.map(({ value }) => value) ?? []
      return coins === 0n && rest === 100n && units === 10n
    },
  ],
  [
    /^tokenfillbid .result.hex: string/,
    // Tokens are chosen for all units that are offered, though the bid takes fewer.
    async (world) => {
      await traded(world)
      const { other, bid } = marketOf(world)
      const { made } = await built(world, 1, 'tokenfillbid', [other, bid, '4000'])
      const change = made?.outputs[4]?.value ?? 0n
      return made?.outputs[2]?.value === 10n && change > 3_990n
    },
  ],
  [
    /^tokenfillbid .result.error only real/,
    async (world) => {
      await traded(world)
      const { other, bid } = marketOf(world)
      const { result } = await built(world, 1, 'tokenfillbid', [other, bid, '5001'])
      return JSON.stringify(result) === '{"result":"error","error":"couldnt fill bid"}'
    },
  ],
  [
    /^tokenfillask .result.hex: string/,
    // Coins are chosen for all units that are asked for: 1,000,000 times 0.001 coins here.
    async (world) => {
      await traded(world)
      const { tokenid, ask } = marketOf(world)
      const { made } = await built(world, 1, 'tokenfillask', [tokenid, ask, '1000000'])
      const [, units, coins] = made?.outputs.map(({ value }) => value) ?? []
      return units === 100n && coins === 10_000_000n && made!.outputs[4]!.value > 90_000_000_000n
    },
  ],
  [
    /^tokenfillask .result.error/,
    async (world, _, { komodod }) => {
      await traded(world)
      const { tokenid, ask } = marketOf(world)
      const all = ['99999999999', '1000000000'].map((units) => [tokenid, ask, units])
      const answers = await Promise.all(
        all.map((params) => world.fresh.request('tokenfillask', params, { identity: 1 })),
      )
      return answers.every(
        (it) => JSON.stringify(it) === JSON.stringify(JSON.parse(komodod).result),
      )
    },
  ],
]
