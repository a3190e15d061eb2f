// A chain accepts what our builders make offline: creations, transfers and burns at random.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildTokenAsk,
  buildTokenBid,
  buildTokenCancelAsk,
  buildTokenCancelBid,
  buildTokenCreate,
  buildTokenFillAsk,
  buildTokenFillBid,
  buildTokenTransfer,
  burnPublicKeys,
  isAntaraError,
  signTransaction,
} from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'

interface Unspent {
  txid: string
  outputIndex: number
}

const outpoint = ({ txid, outputIndex }: Unspent) => ({ txid, vout: outputIndex })

async function coinsAt(node: DevNode, address: string, isToken: boolean) {
  const params = isToken ? [{ addresses: [address] }, 1] : [{ addresses: [address] }]
  return ((await node.request('getaddressutxos', params)) as Unspent[]).map(outpoint)
}

async function rawOf(node: DevNode, outpoints: readonly { txid: string }[]): Promise<string[]> {
  const txids = [...new Set(outpoints.map(({ txid }) => txid))]
  return Promise.all(
    txids.map(async (txid) => (await node.request('getrawtransaction', [txid])) as string),
  )
}

// Published in komodo src/cc/CCcustom.cpp; it signs every input that spends an order.
const assetsPrivateKey = '9b1766e58266acb6ba438374f763113bf0f3506fd96b6785f97af0544db13077'

/** Builds, signs and sends a transaction, as a wallet does by itself. */
async function send(
  node: DevNode,
  identity: number,
  built: { hex: string; coins: readonly { value: bigint; script: string }[] },
) {
  const { wif } = node.identities[identity]!
  const { hex, complete } = signTransaction(built.hex, [wif, assetsPrivateKey], built.coins)
  expect(complete).toBe(true)
  return (await node.request('sendrawtransaction', [hex])) as string
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('create', 'transfer', 'transfer', 'burn'),
    from: fc.nat(1),
    share: fc.integer({ min: 1, max: 100 }),
    token: fc.nat(),
    name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }),
    supply: fc.bigInt({ min: 1n, max: 10_000_000n }),
  }),
  { minLength: 20, maxLength: 20 },
)

test('builders make what is accepted and mined', { timeout: 120_000 }, async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await using node = await createDevNode({ listen: false, time: 1_800_000_000 })
      const tokens: { tokenid: string; supply: bigint }[] = []
      for (const { kind, from, share, token, name, supply } of sequence) {
        const own = node.identities[from]!
        const tipHeight = node.height
        const coins = await coinsAt(node, own.address, false)
        if (kind === 'create' || tokens.length === 0) {
          const previousTransactions = await rawOf(node, coins)
          const built = buildTokenCreate({
            name,
            supply,
            owner: own.pubkey,
            coins,
            previousTransactions,
            tipHeight,
          })
          tokens.push({ tokenid: await send(node, from, built), supply })
          accepted += 1
          continue
        }
        const { tokenid } = tokens[token % tokens.length]!
        const { CCaddress, balance } = (await node.request('tokenbalance', [
          tokenid,
          own.pubkey,
        ])) as {
          CCaddress: string
          balance: number
        }
        const amount = (BigInt(balance) * BigInt(share)) / 100n
        if (amount === 0n) continue
        const tokenCoins = await tokenCoinsOf(node, CCaddress, tokenid)
        const destination =
          kind === 'burn' ? burnPublicKeys.komodo : node.identities[1 - from]!.pubkey
        const built = buildTokenTransfer({
          tokenid,
          from: own.pubkey,
          recipients: [{ pubkey: destination, amount }],
          tokenCoins,
          coins,
          previousTransactions: await rawOf(node, [...coins, ...tokenCoins]),
          tokenCreate: (await node.request('getrawtransaction', [tokenid])) as string,
          tipHeight,
          ...(kind === 'burn' && { burn: true }),
        })
        await send(node, from, built)
        accepted += 1
      }
      for (const { tokenid, supply } of tokens) {
        const keys = [...node.identities.map(({ pubkey }) => pubkey), burnPublicKeys.komodo]
        const balances = await Promise.all(
          keys.map(
            async (pubkey) =>
              ((await node.request('tokenbalance', [tokenid, pubkey])) as { balance: number })
                .balance,
          ),
        )
        expect(balances.reduce((sum, one) => sum + BigInt(one), 0n)).toBe(supply)
      }
    }),
    { numRuns: Number(process.env.ANTARA_NODE_RUNS ?? 10) },
  )
  console.log(`${accepted} transactions built offline, accepted and mined`)
  expect(accepted).toBeGreaterThan(100)
})

/** Returns the coins of an address that hold this token, according to their own transactions. */
async function tokenCoinsOf(node: DevNode, address: string, tokenid: string) {
  const coins = await coinsAt(node, address, true)
  const raws = await Promise.all(
    coins.map(async ({ txid }) => (await node.request('getrawtransaction', [txid])) as string),
  )
  return coins.filter(({ txid }, at) => txid === tokenid || raws[at]!.includes(`f274${tokenid}`))
}

/** Only such a price may be asked for: komodod does not enforce any other. */
const evenPrice = (units: bigint, price: bigint) => units * (price / units + 57n)

const trades = fc.array(
  fc.record({
    kind: fc.constantFrom('ask', 'bid', 'fill', 'fill', 'fill', 'cancel', 'merge'),
    from: fc.nat(1),
    units: fc.bigInt({ min: 1n, max: 40_000n }),
    price: fc.bigInt({ min: 57n, max: 5_000_000n }),
    which: fc.nat(),
  }),
  { minLength: 20, maxLength: 20 },
)

interface Order {
  funcid: string
  txid: string
  amount: string
  totalrequired: string | number
  origtokenaddress: string
}

test('orders built offline are accepted and mined, and units go where they should', {
  timeout: 240_000,
}, async () => {
  const built = { ask: 0, bid: 0, fillAsk: 0, fillBid: 0, cancelAsk: 0, cancelBid: 0, merge: 0 }
  await fc.assert(
    fc.asyncProperty(trades, async (sequence) => {
      await using node = await createDevNode({ listen: false, time: 1_800_000_000 })
      const [maker, other] = node.identities
      const coins = await coinsAt(node, maker!.address, false)
      const creation = buildTokenCreate({
        name: 'GOLD',
        supply: 1_000_000n,
        owner: maker!.pubkey,
        coins,
        previousTransactions: await rawOf(node, coins),
        tipHeight: node.height,
      })
      const tokenid = await send(node, 0, creation)
      const tokenCreate = (await node.request('getrawtransaction', [tokenid])) as string
      const share = {
        tokenid,
        tokenCreate,
        recipients: [{ pubkey: other!.pubkey, amount: 400_000n }],
      }
      const { from: _, ...given } = await held(0)
      await send(node, 0, buildTokenTransfer({ ...given, ...share, from: maker!.pubkey }))
      for (const { kind, from, units, price, which } of sequence) {
        const orders = (await node.request('tokenorders', [tokenid])) as Order[]
        const order = orders[which % Math.max(1, orders.length)]
        const mine = await held(from)
        const asked = { ...mine, tokenid, tokenCreate }
        try {
          if (kind === 'ask') {
            await send(
              node,
              from,
              buildTokenAsk({ ...asked, units, price: evenPrice(units, price) }),
            )
            built.ask += 1
          } else if (kind === 'bid') {
            await send(
              node,
              from,
              buildTokenBid({ ...asked, units, price, allowUnenforcedPrice: true }),
            )
            built.bid += 1
          } else if (kind === 'merge') {
            const recipients = [{ pubkey: mine.from, amount: await balanceOf(mine.from) }]
            await send(node, from, buildTokenTransfer({ ...asked, recipients, spend: 'all' }))
            built.merge += 1
          } else if (order !== undefined) {
            const known = await rawOf(node, [order])
            const taken = {
              ...asked,
              order: order.txid,
              previousTransactions: [...mine.previousTransactions, ...known],
            }
            const isOfBid = order.funcid.toLowerCase() === 'b'
            if (kind === 'cancel') {
              await send(node, from, (isOfBid ? buildTokenCancelBid : buildTokenCancelAsk)(taken))
              built[isOfBid ? 'cancelBid' : 'cancelAsk'] += 1
            } else {
              const all = BigInt(isOfBid ? order.totalrequired : order.amount)
              const part = units > all ? all : units
              const bought = { ...taken, units: part }
              const fill = isOfBid
                ? buildTokenFillBid({ ...bought, priceMin: 57n })
                : buildTokenFillAsk({ ...bought, priceMax: 1n << 62n })
              await send(node, from, fill)
              built[isOfBid ? 'fillBid' : 'fillAsk'] += 1
            }
          }
        } catch (error) {
          // The builder refuses impossible requests before any node sees them.
          const codes = ['order_fill', 'order_not_own', 'insufficient_tokens', 'insufficient_coins']
          if (!codes.some((code) => isAntaraError(error, code as 'order_fill'))) throw error
        }
      }
      // every unit is somebody's, or offered
      const open = (await node.request('tokenorders', [tokenid])) as Order[]
      const offered = open
        .filter(({ funcid }) => funcid.toLowerCase() === 's')
        .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      const [one, two] = await Promise.all([maker!, other!].map(({ pubkey }) => balanceOf(pubkey)))
      expect(one! + two! + offered).toBe(1_000_000n)

      async function balanceOf(pubkey: string): Promise<bigint> {
        const { balance } = (await node.request('tokenbalance', [tokenid, pubkey])) as {
          balance: number
        }
        return BigInt(balance)
      }

      /** Returns the coins that a wallet knows. */
      async function held(identity: number) {
        const { pubkey, address } = node.identities[identity]!
        const native = await coinsAt(node, address, false)
        const { CCaddress } = (await node.request('tokenbalance', [tokenid, pubkey])) as {
          CCaddress: string
        }
        const tokenCoins = await tokenCoinsOf(node, CCaddress, tokenid)
        return {
          from: pubkey,
          coins: native,
          tokenCoins,
          previousTransactions: await rawOf(node, [...native, ...tokenCoins]),
          tipHeight: node.height,
        }
      }
    }),
    { numRuns: Number(process.env.ANTARA_NODE_RUNS ?? 10) },
  )
  const total = Object.values(built).reduce((sum, count) => sum + count, 0)
  console.log(
    `${total} steps of orders built offline, accepted and mined: ${JSON.stringify(built)}`,
  )
  expect(total).toBeGreaterThan(60)
})
