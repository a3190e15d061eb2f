// How each class of differences is held to the daemon's answer.

import { built, marketOf, orderChecks, traded, tradedByB } from './lockstep-orders.ts'
import {
  addressA,
  addressB,
  type Call,
  type Check,
  type Json,
  prepared,
  pubkeyB,
  type World,
} from './lockstep-world.ts'

/** Classes that stay open, and why. */
export const open: readonly (readonly [what: RegExp, reason: string])[] = [
  [
    /^listreceivedbyaddress .result length/,
    'the daemon’s wallet was born with an address of its own',
  ],
  [/^tokentransfer /, 'an invalid key becomes bytes of the daemon’s memory in a condition'],
  [/^getmininginfo /, 'the size of the last template that the daemon assembled, mined or not'],
  [/^getmempoolinfo /, 'the heap of the daemon, in bytes'],
  [/^gettxoutsetinfo /, 'sizes and hashes of the daemon’s database of coins'],
  [
    /^getrawmempool .*startingpriority/,
    'priorities, by which komodod orders free transactions that its RPC never needs',
  ],
]

/** Members that a chain decides; the other chain had others. */
const ofChain =
  /"(hash|bits|nonce|solution|chainwork|nextblockhash|finalsaplingroot)":"[0-9a-f]*"|"(?:raw)?confirmations":\d+|"difficulty":[\d.]+/g

const plain = (body: string) => body.replace(ofChain, '')

/** The answer that was recorded; of help texts the daemon's name of the method. */
const exact: Check = async (world, method, example) => {
  const body = await world.onRecorded({ ...example, method })
  const { error } = JSON.parse(body)
  if (error !== null && example.komodod.includes(`"USAGE ${method}"`)) {
    return error.code === -1 && error.message.startsWith(method)
  }
  return plain(body).startsWith(plain(example.komodod.replace(/…$/, '')))
}

const bodyOf = async (world: World, call: Call): Promise<Json> =>
  JSON.parse(await world.onFresh(call)).result

/** Holds an answer of the new node to a rule that the daemon's own answer keeps. */
function ruled(rule: (text: string) => boolean, prepare?: (world: World) => Promise<void>): Check {
  return async (world, method, example) => {
    await prepare?.(world)
    if (example.komodod.startsWith('{"result":[]')) return exact(world, method, example)
    if (!rule(example.komodod)) {
      console.log(`the daemon breaks the rule of ${method}: ${example.komodod}`)
      return false
    }
    const params = example.params.replace(/"[0-9a-f]{64}"/, `"${'00'.repeat(32)}"`)
    return rule(await world.onFresh({ method, caller: example.caller, params }))
  }
}

const textsOf = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, it]) => it!)
const wire = (txid: string) => Buffer.from(txid, 'hex').reverse().toString('hex')

/** Transactions come in the order of their bytes, as in the wallet's map. */
function isInMapOrder(text: string): boolean {
  const txids = textsOf(/"txid":"([0-9a-f]{64})"/g, text).map(wire)
  return txids.length > 0 && txids.every((id, at) => at === 0 || txids[at - 1]! <= id)
}

/** Within a transaction outputs come backwards, what was sent last. */
function isBackwards(text: string): boolean {
  const entries = [
    ...text.matchAll(/"category":"(\w+)".*?"vout":(\d+).*?"txid":"([0-9a-f]{64})"/g),
  ].map(([, category, vout, txid]) => ({ isSent: category === 'send', vout: Number(vout), txid }))
  return (
    entries.length > 0 &&
    entries.every((entry, at) => {
      const before = entries[at - 1]
      if (before === undefined || before.txid !== entry.txid) return true
      return before.isSent === entry.isSent ? before.vout > entry.vout : entry.isSent
    })
  )
}

/** Payments that wait. */
async function waiting(world: World): Promise<void> {
  await paid(world)
  for (const amount of [4, 5, 6]) {
    await world.fresh.request('sendtoaddress', [addressB, amount])
  }
}

/** Blocks, with payments among both wallets. */
const paid = prepared('paid', async ({ fresh }) => {
  fresh.mine(2)
  for (const amount of [1, 2, 3]) {
    await fresh.request('sendtoaddress', [addressB, amount, 'c', 'd'])
    await fresh.request('sendtoaddress', [addressA, amount], { identity: 1 })
  }
  fresh.mine(2)
})

export const checks: readonly (readonly [what: RegExp, check: Check])[] = [
  ...orderChecks,
  [
    /^(?:BAD )?mytokenorders .result length/,
    ruled(
      (text) => {
        const funcids = textsOf(/"funcid":"(\w)"/g, text)
        return funcids.every((it) => it === 's' || it === 'S')
      },
      async (world) => {
        await traded(world)
        await tradedByB(world)
      },
    ),
  ],
  [
    /^(?:BAD )?getreceivedbyaddress .result: number/,
    async (world, method, example) => {
      if (!example.params.includes(addressA)) return exact(world, method, example)
      // A is paid by coinbases alone, and they do not count.
      const address = world.fresh.identities[0].address
      return (await bodyOf(world, { method, caller: 0, params: `["${address}"]` })) >= 0
        ? isWithoutCoinbases(world, method)
        : false
    },
  ],
  [
    /^(?:BAD )?getchaintxstats /,
    async (world, method, { params, komodod }) => {
      const [theirs, ours] = [komodod, await world.onRecorded({ method, caller: 0, params })].map(
        (body) => JSON.parse(body).result,
      )
      if (JSON.stringify(Object.keys(ours)) !== JSON.stringify(Object.keys(theirs))) return false
      // The genesis block and the first block are before the widest window.
      const isOfAll = params !== '[0]'
      return !isOfAll || [theirs, ours].every((it) => it.txcount - it.window_tx_count === 2)
    },
  ],
  [
    /^(?:BAD )?coinsupply .result.supply/,
    async (world, method, example) =>
      exact(world, method, {
        ...example,
        params: example.params === '[]' ? `["${example.height}"]` : example.params,
      }),
  ],
  [
    /^(?:BAD )?tokenaddress .result.PubkeyCCbalance/,
    async (world, method) => {
      const before = await bodyOf(world, { method, caller: 0, params: `["${pubkeyB}"]` })
      const address = before['PubkeyCCaddress(Tokens)']
      world.fresh.fund(address, 44_444_445n)
      const after = await bodyOf(world, { method, caller: 0, params: `["${pubkeyB}"]` })
      return (
        Math.round((after['PubkeyCCbalance(Tokens)'] - before['PubkeyCCbalance(Tokens)']) * 1e8) ===
        44_444_445
      )
    },
  ],
  [
    /^BAD (?:token|assets)address .result.PubkeyCCaddress/,
    async (world, method, { params, komodod }) => {
      const ours = JSON.parse(await world.onRecorded({ method, caller: 0, params })).result
      const name = method === 'tokenaddress' ? 'Tokens' : 'Assets'
      const member = `PubkeyCCaddress(${name})`
      return ours[member] === JSON.parse(komodod).result[member]
    },
  ],
  [
    /^(?:BAD )?getaddresstxids .result order/,
    async (world) => {
      await paid(world)
      const params = `[{"addresses":["${addressA}"]}]`
      const ids = await bodyOf(world, { method: 'getaddresstxids', caller: 0, params })
      const deltas = await bodyOf(world, { method: 'getaddressdeltas', caller: 0, params })
      const inBlocks = [...new Set(deltas.map(({ txid }: Json) => txid))]
      return ids.join() === inBlocks.join() && ids.length > 3
    },
  ],
  [
    /^getrawmempool .result order/,
    async (world, _, { komodod }) => {
      await waiting(world)
      const ids: string[] = await bodyOf(world, {
        method: 'getrawmempool',
        caller: 0,
        params: '[]',
      })
      const isOrdered = (some: string[]) => some.map(wire).join() === some.map(wire).sort().join()
      return isOrdered(JSON.parse(komodod).result) && ids.length > 2 && isOrdered(ids)
    },
  ],
  [
    /^getaddressmempool .result length/,
    async (world, method, { komodod }) => {
      await traded(world)
      world.fresh.mine()
      const { tokenid } = marketOf(world)
      const { result } = await built(world, 0, 'tokentransfer', [tokenid, pubkeyB, '1'])
      await world.fresh.request('sendrawtransaction', [result.hex])
      const address = await tokenAddress(world)
      const of = (second: string) =>
        bodyOf(world, { method, caller: 0, params: `[{"addresses":["${address}"]}${second}]` })
      const hasNone = JSON.stringify(await of(',1')) === JSON.stringify(JSON.parse(komodod).result)
      return hasNone && (await of('')).length > 0
    },
  ],
  [
    /^getaddressmempool .result order/,
    ruled((text) => isInMapOrder(text.replace(/"prevtxid":"[0-9a-f]{64}"/g, '')), waiting),
  ],
  [
    /^(?:BAD )?listaddressgroupings status/,
    async (world, method, { caller, params }) => {
      await paid(world)
      const [ours, plainly] = await Promise.all(
        [params, '[]'].map((it) => bodyOf(world, { method, caller, params: it })),
      )
      return Array.isArray(ours) && JSON.stringify(ours) === JSON.stringify(plainly)
    },
  ],
  [
    /^listaddressgroupings .result/,
    async (world, method) => {
      await paid(world)
      const [[[, sum]]] = await bodyOf(world, { method, caller: 1, params: '[]' })
      return sum === (await bodyOf(world, { method: 'getbalance', caller: 1, params: '[]' }))
    },
  ],
  [
    /^listunspent .result length/,
    async (world, method, { params }) =>
      (await bodyOf(world, { method, caller: 0, params })).length > 0,
  ],
  [
    /^getrawtransaction .result.vout\[\].spentTxId/,
    async (world, method) => {
      await waiting(world)
      const [spender] = await bodyOf(world, { method: 'getrawmempool', caller: 0, params: '[]' })
      const verbose = (txid: string) =>
        bodyOf(world, { method, caller: 0, params: `["${txid}",1]` })
      const [{ txid, vout }] = (await verbose(spender)).vin
      const { spentTxId, spentHeight } = (await verbose(txid)).vout[vout]
      return spentTxId === spender && spentHeight === -1
    },
  ],
  [
    /^gettransaction .result.comment/,
    async (world, method, { komodod }) => {
      await paid(world)
      const txid = await world.fresh.request('sendtoaddress', [addressB, 1, 'c', 'd'])
      const ours = await world.onFresh({ method, caller: 0, params: `["${txid}"]` })
      return [komodod, ours].every((text) => text.includes('"comment":"c","to":"d","vjoinsplit"'))
    },
  ],
  [
    // The number that the text begins with was above the tip.
    /^(?:BAD )?coinsupply .result.error/,
    (world, method, example) =>
      exact(world, method, { ...example, params: example.params.replace('"036a', '"1036a') }),
  ],
  [/^(?:BAD )?listsinceblock (?:\.result|status 200)/, ruled(isInMapOrder, paid)],
  [/^BAD listtransactions .result length/, exact],
  [/^(?:BAD )?listtransactions \.result/, ruled(isBackwards, paid)],
  [/^listreceivedbyaddress .result/, ruled(hasReceivedOrder, paid)],
  [/./, exact],
]

async function isWithoutCoinbases(world: World, method: string): Promise<boolean> {
  const { fresh } = world
  const params = `["${addressA}"]`
  const before = await bodyOf(world, { method, caller: 0, params })
  fresh.mine(2)
  return (await bodyOf(world, { method, caller: 0, params })) === before
}

async function tokenAddress(world: World): Promise<string> {
  const params = `["${pubkeyB}"]`
  const shown = await bodyOf(world, { method: 'tokenaddress', caller: 0, params })
  return shown['PubkeyCCaddress(Tokens)']
}

/** No coinbases, and for each address the transactions in the order of their bytes. */
function hasReceivedOrder(text: string): boolean {
  const lists = [...text.matchAll(/"txids":\[([^\]]*)/g)].map(([, list]) =>
    textsOf(/"([0-9a-f]{64})"/g, list!).map(wire),
  )
  return lists.every((ids) => ids.join() === [...ids].sort().join())
}
