// What our own builders make offline, a chain takes: creations, transfers and burns at random.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildTokenCreate,
  buildTokenTransfer,
  burnPublicKeys,
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

/** What a wallet does by itself: build, sign, send. */
async function send(
  node: DevNode,
  identity: number,
  built: { hex: string; coins: readonly { value: bigint; script: string }[] },
) {
  const { wif } = node.identities[identity]!
  const { hex, complete } = signTransaction(built.hex, [wif], built.coins)
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

/** Coins at an address that hold this token: each says so in its own transaction. */
async function tokenCoinsOf(node: DevNode, address: string, tokenid: string) {
  const coins = await coinsAt(node, address, true)
  const raws = await Promise.all(
    coins.map(async ({ txid }) => (await node.request('getrawtransaction', [txid])) as string),
  )
  return coins.filter(({ txid }, at) => txid === tokenid || raws[at]!.includes(`f274${tokenid}`))
}
