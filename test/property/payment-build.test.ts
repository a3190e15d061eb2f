// A thousand payments, one after the other, spend coins of keys, addresses and two of three keys.
// Each passes the verifier, is signed by the owners of the keys, and mined by the development node.

import { expect, test } from 'vitest'

import {
  addressOf,
  buildConsolidation,
  buildPayment,
  decodeTransaction,
  formatCase,
  networks,
  type Outpoint,
  type Payee,
  type PaymentIntent,
  parseCase,
  signCase,
  transactionId,
  type UnsignedPayment,
  verifyPayment,
} from '../../src/index.ts'
import { createDevNode } from '../../src/node/index.ts'
import { p2pkh, p2sh, twoOfThree } from '../support/payments.ts'
import { a, b, c, p2pk, privateKeys } from '../support/resigned.ts'
import { share } from '../support/share.ts'

const network = networks.assetChain
const ownScripts = [p2pk(a), p2pkh(a), p2sh(twoOfThree)]
const signers = [privateKeys.get(a)!, privateKeys.get(b)!]
const strangers = [p2pkh(c), p2sh('51'), p2pk(c), `5121${b}21${c}52ae`]

interface Coin extends Outpoint {
  readonly value: bigint
  readonly hex: string
}

function ownCoins(hex: string): Coin[] {
  const txid = transactionId(hex)
  return decodeTransaction(hex).outputs.flatMap(({ script, value }, vout) =>
    ownScripts.includes(script) ? [{ txid, vout, value, hex }] : [],
  )
}

interface Random {
  below(limit: number): number
  one<Item>(items: readonly Item[]): Item
  chance(of: number): boolean
}
const { randomFrom } = (await import(new URL('../fuzz/random.mjs', import.meta.url).href)) as {
  randomFrom(seed: number): Random
}

type Made = UnsignedPayment & { readonly asked: PaymentIntent }

/** A payment, all coins to somebody, or coins merged, of some of the coins. */
function buildSomething(coins: readonly Coin[], tipHeight: number, random: Random): Made {
  const offered = coins.filter(() => !random.chance(4)).slice(0, 24)
  const terms = random.chance(2)
    ? { fee: BigInt(1000 + random.below(30_000)), maxFee: 200_000n }
    : { feeRate: BigInt(1000 + random.below(20_000)), maxFee: 400_000n }
  const common = {
    ...terms,
    // with B two of the three keys are own, so that change may go to the script of all three
    own: [random.one([a, addressOf(a, network), p2pkh(a)]), p2pk(a), b],
    redeemScripts: [twoOfThree],
    coins: offered.map(({ txid, vout }) => ({ txid, vout })),
    previousTransactions: [...new Set(offered.map(({ hex }) => hex))],
    tipHeight,
    network,
  }
  const bounds = { maxFee: terms.maxFee, own: common.own, redeemScripts: [twoOfThree] }
  if (random.chance(5)) {
    const built = buildConsolidation({ ...common, maxInputs: 2 + random.below(20) })
    const [merged] = decodeTransaction(built.hex).outputs
    const recipients = [{ script: merged!.script, amount: merged!.value }]
    return { ...built, asked: { ...bounds, recipients } }
  }
  const sum = offered.reduce((total, { value }) => total + value, 0n)
  const count = 1 + random.below(3)
  // most of it comes back, so that there is something left for a thousand
  const recipients: Payee[] = Array.from({ length: count }, (_, at) => {
    const all = at === 0 && random.chance(10)
    const script = all || random.chance(3) ? random.one(ownScripts) : random.one(strangers)
    const amount = (sum * BigInt(1 + random.below(ownScripts.includes(script) ? 200 : 3))) / 1000n
    return { script, amount: all ? 'max' : amount + 1000n }
  })
  const nulldata = random.chance(4) ? '00'.repeat(1 + random.below(80)) : undefined
  const also = nulldata === undefined ? {} : { nulldata }
  const change = random.chance(3) ? { change: random.one([p2sh(twoOfThree), p2pk(a)]) } : {}
  const built = buildPayment({ ...common, ...also, ...change, recipients })
  return { ...built, asked: { ...bounds, ...also, recipients } }
}

test('a thousand builds pass the verifier and are mined', { timeout: 300_000 }, async () => {
  await using node = await createDevNode({
    listen: false,
    time: 1_800_000_000,
    fund: ownScripts.flatMap((to) =>
      Array.from({ length: 20 }, (_, at) => ({ to, value: BigInt(at + 1) * 10_000_000n })),
    ),
  })
  const random = randomFrom(16)
  const { blocks } = JSON.parse(node.dump()) as { blocks: { transactions: string[] }[] }
  let coins = blocks.flatMap(({ transactions }) => transactions.flatMap(ownCoins))
  expect(coins.length).toBe(60)
  let built = 0
  while (built < share(1000)) {
    if (coins.length < 15) {
      for (const to of [...ownScripts, ...ownScripts]) {
        const txid = node.fund(to, BigInt(1 + random.below(50)) * 10_000_000n)
        coins = [...coins, ...ownCoins((await node.request('getrawtransaction', [txid])) as string)]
      }
    }
    const tipHeight = (await node.request('getblockcount')) as number
    const unsigned = buildSomething(coins, tipHeight, random)
    const given = parseCase(formatCase(unsigned))
    const report = signCase(given, signers)
    expect(report.findings.filter(({ severity }) => severity === 'reject')).toEqual([])
    expect(report.fee).toBe(unsigned.fee)
    // The original request counts, not the builder's account of it.
    expect(verifyPayment(report.hex, unsigned.asked, given.evidence).ok).toBe(true)
    expect(await node.request('sendrawtransaction', [report.hex])).toBe(report.txid)
    const spent = new Set(unsigned.coins.map(({ txid, vout }) => `${txid}:${vout}`))
    coins = [
      ...coins.filter(({ txid, vout }) => !spent.has(`${txid}:${vout}`)),
      ...ownCoins(report.hex),
    ]
    built += 1
  }
  expect(await node.request('getrawmempool')).toEqual([])
})
