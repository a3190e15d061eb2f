// A small economy of tokens v2: keys that create tokens, pay one another, trade and burn, each
// transaction built, verified and signed here and spent by later ones.

import { expect } from 'vitest'

import {
  addressOf,
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenCreate,
  buildTokenFillAsk,
  buildTokenFillBid,
  buildTokenTransfer,
  type Case,
  createTokenProver,
  decodeTransaction,
  encodeTransaction,
  isAntaraError,
  networks,
  signCase,
  type UnsignedTransaction,
} from '../../src/index.ts'
import type { KeySet } from '../../src/token/rules/key-set.ts'
import type { Holder } from '../../src/token/rules/rules.ts'
import { rulesV2, tokenFinderV2 } from '../../src/token/rules/tokens-v2.ts'
import type { Outpoint } from '../../src/transaction/types.ts'
import { keys } from './komodod.ts'
import { readVectors } from './vectors.ts'

const network = networks.tokel
const secrets = readVectors<Record<'A' | 'B' | 'C', { privkey: string }>>('komodod/keys.json')
const people = [keys.A.pubkey, keys.B.pubkey, keys.C.pubkey] as const
const privateKeys = [secrets.A.privkey, secrets.B.privkey, secrets.C.privkey]
const sets: readonly KeySet[] = [
  { required: 1, pubkeys: [people[1]] },
  { required: 2, pubkeys: [people[0], people[1]] },
  { required: 1, pubkeys: [people[2], people[0]] },
  { required: 2, pubkeys: [people[0], people[1], people[2]] },
]
const burnKey = '02deaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaddeaa'
const tipHeight = 1000
const { payloadOf, tokenOf } = rulesV2

interface Held extends Outpoint {
  readonly tokenid: string
  readonly amount: bigint
  readonly holder: Holder
}

interface Order {
  readonly kind: 'ask' | 'bid'
  readonly tokenid: string
  readonly txid: string
  readonly maker: string
  readonly units: bigint
}

export interface Walk {
  /** Does something; its kind, or nothing where there was nothing to do it with. */
  step(): string | undefined
  /** Proves every token that ever existed to its creation. */
  prove(): void
}

/** @param draw - a number below another, as often as there are decisions */
export function walk(draw: (below: number) => number): Walk {
  const genesis = encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid: '11'.repeat(32), vout: 0, scriptSig: '00', sequence: 0xffffffff }],
    outputs: Array.from({ length: 45 }, (_, at) => {
      return { value: 5_000_000n, script: `21${people[at % 3]}ac` }
    }),
    lockTime: 0,
    expiryHeight: 0,
  })
  const hexes = [genesis]
  const native = new Map<string, Outpoint[]>(people.map((key) => [key, []]))
  const tokens: Held[] = []
  const everHeld: Held[] = []
  const orders: Order[] = []
  const known = new Map<string, Order>()
  const creations: { readonly tokenid: string; readonly hasProperties: boolean }[] = []
  for (const vout of decodeTransaction(genesis).outputs.keys()) {
    native.get(people[vout % 3]!)!.push({ txid: decodeTransaction(genesis).txid, vout })
  }
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items.length === 0 ? undefined : items[draw(items.length)]
  const upTo = (most: bigint): bigint => 1n + BigInt(draw(Number(most)))
  const circumstances = (from: string) => ({
    from,
    coins: native.get(from)!.slice(0, 4),
    previousTransactions: [...hexes],
    tipHeight,
    network,
  })

  const builders = { create, transfer, toKeys, fromKeys, many, burn, ask, bid, fill, cancel }
  return { step, prove }

  function prove(): void {
    const prover = createTokenProver(hexes, { network })
    for (const { txid, vout, tokenid, amount } of everHeld) {
      expect(prover.prove(txid, vout, tokenid)).toMatchObject({ verdict: 'proven', amount })
    }
  }

  function create(): UnsignedTransaction {
    const owner = pick(people)!
    const { from: _, ...rest } = circumstances(owner)
    const properties = { royalty: draw(1000), url: 'a', id: draw(70_000), arbitrary: '00' }
    const claimed = [{}, {}, { properties }, { properties: { royalty: 50 } }, { data: '00ff' }]
    return buildTokenCreate({
      name: `T${creations.length}`,
      supply: upTo(1000n),
      owner,
      ...pick(claimed)!,
      ...rest,
    })
  }

  function transfer(): UnsignedTransaction | undefined {
    const coins = coinsOfOne(isPerson)
    if (coins.length === 0) return undefined
    const [{ holder, tokenid }] = coins as readonly [Held]
    const all = sumOf(coins)
    const first = upTo(all)
    const rest = all - first
    const recipients = [{ ...recipient(), amount: first }]
    if (rest > 0n && draw(2) === 0) recipients.push({ ...recipient(), amount: upTo(rest) })
    const spend = pick(['needed', 'selected', 'all', undefined] as const)
    return buildTokenTransfer({
      tokenid,
      recipients,
      tokenCoins: coins,
      ...circumstances(holder as string),
      ...(spend !== undefined && { spend }),
    })
  }

  function toKeys(): UnsignedTransaction | undefined {
    const coins = coinsOfOne(isPerson)
    if (coins.length === 0) return undefined
    const [{ holder, tokenid }] = coins as readonly [Held]
    const recipients = [{ keys: pick(sets)!, amount: upTo(sumOf(coins)) }]
    return buildTokenTransfer({
      tokenid,
      recipients,
      tokenCoins: coins,
      ...circumstances(holder as string),
    })
  }

  function fromKeys(): UnsignedTransaction | undefined {
    const coins = coinsOfOne((holder) => !isPerson(holder))
    if (coins.length === 0) return undefined
    const [{ holder, tokenid }] = coins as readonly [Held]
    const keys = holder as KeySet
    return buildTokenTransfer({
      tokenid,
      recipients: [{ ...recipient(), amount: upTo(sumOf(coins)) }],
      tokenCoins: coins,
      fromKeys: keys,
      ...circumstances(pick(keys.pubkeys)!),
    })
  }

  function many(): UnsignedTransaction | undefined {
    const one = coinsOfOne(isPerson)[0]
    if (one === undefined) return undefined
    const own = tokens.filter(({ holder }) => holder === one.holder)
    const tokenids = [...new Set(own.map(({ tokenid }) => tokenid))].slice(0, 1 + draw(3))
    const sums = tokenids.map((tokenid) => sumOf(own.filter((it) => it.tokenid === tokenid)))
    const least = sums.reduce((some, it) => (it < some ? it : some))
    return buildTokenTransfer({
      tokenid: tokenids[0]!,
      tokenids,
      recipients: [{ pubkey: pick(people)!, amount: upTo(least) }],
      tokenCoins: own.filter(({ tokenid }) => tokenids.includes(tokenid)),
      ...circumstances(one.holder as string),
    })
  }

  function burn(): UnsignedTransaction | undefined {
    const coins = coinsOfOne(isPerson)
    if (coins.length === 0 || draw(3) > 0) return undefined
    const [{ holder, tokenid }] = coins as readonly [Held]
    return buildTokenTransfer({
      tokenid,
      recipients: [{ pubkey: burnKey, amount: upTo(sumOf(coins)) }],
      burn: true,
      tokenCoins: coins,
      ...circumstances(holder as string),
    })
  }

  function ask(): UnsignedTransaction | undefined {
    const coins = coinsOfOne(isPerson)
    if (coins.length === 0) return undefined
    const [{ holder, tokenid }] = coins as readonly [Held]
    const offer = offerOf(upTo(sumOf(coins)))
    const request = { tokenid, ...offer, tokenCoins: coins, ...circumstances(holder as string) }
    return unlessNoPart(tokenid, () => buildTokenAsk(request))
  }

  function bid(): UnsignedTransaction | undefined {
    const tokenid = pick(creations)?.tokenid
    if (tokenid === undefined) return undefined
    return buildTokenBid({ tokenid, ...offerOf(upTo(50n)), ...circumstances(pick(people)!) })
  }

  function fill(): UnsignedTransaction | undefined {
    const order = pick(orders)
    if (order === undefined) return undefined
    const { tokenid, txid } = order
    if (order.kind === 'ask') {
      const units = upTo(order.units)
      const priceMax = 1n << 62n
      const request = { tokenid, order: txid, units, priceMax, ...circumstances(pick(people)!) }
      return unlessNoPart(tokenid, () => buildTokenFillAsk(request))
    }
    const coins = coinsOfOne(isPerson).filter((it) => it.tokenid === tokenid)
    if (coins.length === 0) return undefined
    const all = sumOf(coins)
    const units = upTo(all < order.units ? all : order.units)
    const from = coins[0]!.holder as string
    const given = { units, priceMin: 57n, tokenCoins: coins }
    const request = { tokenid, order: txid, ...given, ...circumstances(from) }
    return unlessNoPart(tokenid, () => buildTokenFillBid(request))
  }

  /**
   * A chain refuses a part so small that its royalty or its payment is dust. Builders make no order
   * that gives its seller nothing.
   */
  function unlessNoPart<Built>(tokenid: string, build: () => Built): Built | undefined {
    try {
      return build()
    } catch (error) {
      const hasProperties = creations.some((it) => it.tokenid === tokenid && it.hasProperties)
      const isTooSmall = isAntaraError(error, 'order_fill') || isAntaraError(error, 'order_price')
      if (isTooSmall && hasProperties) return undefined
      throw error
    }
  }

  function cancel(): UnsignedTransaction | undefined {
    const order = pick(orders)
    if (order === undefined || draw(2) === 0) return undefined
    const { kind, tokenid, txid, maker } = order
    const request = { tokenid, order: txid, ...circumstances(maker) }
    return kind === 'ask' ? buildTokenCancelAsk(request) : buildTokenCancelBid(request)
  }

  function step(): string | undefined {
    const kinds = Object.keys(builders) as (keyof typeof builders)[]
    const kind = kinds[draw(kinds.length)]!
    const built = builders[kind]()
    if (built === undefined) return undefined
    settle(built)
    return kind
  }

  /** Verifies, signs, verifies again, and records the outputs that are spent and made. */
  function settle(unsigned: UnsignedTransaction): void {
    const { operation, intent, hex } = unsigned
    const asked = { operation, intent, hex, evidence: unsigned } as unknown as Case
    const report = signCase(asked, privateKeys)
    const rejects = report.findings.filter(({ severity }) => severity === 'reject')
    expect(rejects, `${operation} ${hex}`).toEqual([])
    expect(report.fee).toBe(unsigned.fee)
    const { txid, inputs, outputs } = decodeTransaction(report.hex)
    const sum = (values: readonly { readonly value: bigint }[]) =>
      values.reduce((total, { value }) => total + value, 0n)
    expect(sum(unsigned.coins) - sum(outputs)).toBe(unsigned.fee)

    hexes.push(report.hex)
    const isSpent = (coin: Outpoint) =>
      inputs.some((it) => it.txid === coin.txid && it.vout === coin.vout)
    for (const coins of native.values())
      coins.splice(0, coins.length, ...coins.filter((it) => !isSpent(it)))
    tokens.splice(0, tokens.length, ...tokens.filter((it) => !isSpent(it)))
    const open = orders.filter((it) => !isSpent({ txid: it.txid, vout: 0 }))
    orders.splice(0, orders.length, ...open)
    if (operation === 'tokencreate') {
      const hasProperties = unsigned.intent.data?.startsWith('f7') === true
      creations.push({ tokenid: txid, hasProperties })
    }
    const seen = { txid, transaction: decodeTransaction(report.hex), payload: payloadOf(outputs) }
    for (const [vout, { value, script }] of outputs.entries()) {
      const owner = people.find((key) => script === `21${key}ac`)
      if (owner !== undefined) native.get(owner)!.push({ txid, vout })
      const holder = [...people, ...sets].find((it) => tokenFinderV2(it)(script))
      const tokenid = holder && tokenOf(seen, vout)
      if (holder === undefined || tokenid === undefined) continue
      const held = { txid, vout, tokenid, amount: value, holder }
      tokens.push(held)
      everHeld.push(held)
    }
    keepOrder(unsigned, txid, outputs[0]!.value)
  }

  function keepOrder({ operation, intent }: UnsignedTransaction, txid: string, left: bigint): void {
    if (operation === 'tokenask' || operation === 'tokenbid') {
      const { tokenid, from: maker, units } = intent
      const kind = operation === 'tokenask' ? 'ask' : 'bid'
      orders.push({ kind, tokenid, txid, maker, units })
    }
    if (operation === 'tokenfillask' || operation === 'tokenfillbid') {
      const filled = known.get(intent.order)!
      const units = filled.units - intent.units
      if (units > 0n) orders.push({ ...filled, txid, units })
      expect(left > 0n || units === 0n).toBe(true)
    }
    for (const order of orders) known.set(order.txid, order)
  }

  /** The coins of one holder of one token. */
  function coinsOfOne(isWanted: (holder: Holder) => boolean): readonly Held[] {
    const one = pick(tokens.filter(({ holder }) => isWanted(holder)))
    return tokens.filter((it) => it.tokenid === one?.tokenid && it.holder === one.holder)
  }

  function recipient(): { readonly pubkey: string } {
    const pubkey = pick(people)!
    return { pubkey: draw(3) === 0 ? addressOf(pubkey, network) : pubkey }
  }

  function offerOf(units: bigint) {
    const unitPrice = 501n + BigInt(draw(3000))
    const ends = draw(2) === 0 ? { orderExpiryHeight: tipHeight + 2 + draw(5000) } : {}
    return { units, price: units * unitPrice, ...ends }
  }
}

const isPerson = (holder: Holder): holder is string => typeof holder === 'string'
const sumOf = (coins: readonly Held[]) => coins.reduce((sum, { amount }) => sum + amount, 0n)
