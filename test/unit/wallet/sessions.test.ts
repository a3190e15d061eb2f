// Random sessions of a wallet on a chain source that fails, repeats and forgets, with crashes and
// reorganizations between. After each step that mines, the node's own balances are the wallet's,
// and no payment is on the chain twice. ANTARA_SESSIONS sets how many sessions run.

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { addressOf, decodeTransaction, networks, publicKeyOf } from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { type ChainSource, isAntaraError, memoryJournal } from '../../../src/wallet/index.ts'
import { share } from '../../support/share.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const sessions = Number(process.env.ANTARA_SESSIONS ?? share(25))
const key = '9'.padStart(64, '0')
const payee = addressOf(publicKeyOf('a'.padStart(64, '0')), networks.assetChain)

/** The fate of one broadcast. */
const fates = ['delivered', 'answer lost', 'never sent', 'other txid'] as const
type Fate = (typeof fates)[number]

const step = fc.oneof(
  fc.record({ kind: fc.constant('receive' as const), amount: fc.integer({ min: 1000, max: 9e6 }) }),
  fc.record({
    kind: fc.constant('pay' as const),
    id: fc.integer({ min: 0, max: 3 }),
    fate: fc.constantFrom(...fates),
  }),
  fc.record({
    kind: fc.constant('transfer' as const),
    id: fc.integer({ min: 4, max: 6 }),
    fate: fc.constantFrom(...fates),
  }),
  fc.record({ kind: fc.constant('merge' as const), fate: fc.constantFrom(...fates) }),
  fc.record({ kind: fc.constantFrom('mine', 'crash', 'reorganize', 'resume') }),
)

test(`${sessions} random sessions end with the balances that the node has`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), session), {
    numRuns: sessions,
  })
  expect.hasAssertions()
}, 3_600_000)

async function session(steps: readonly { readonly kind: string }[]): Promise<void> {
  const { node, bob, chain } = await fundedNode()
  const own = addressOf(publicKeyOf(key), networks.assetChain)
  for (let count = 0; count < 3; count += 1) node.fund(own, 5_000_000n)
  node.mine(101)
  const journal = memoryJournal()
  let fate: Fate = 'delivered'
  const source: ChainSource = tampered(chain, {
    async broadcast(hex, options) {
      const now = fate
      fate = 'delivered'
      const lost = new RpcError('transport', 'connection lost', {
        reason: 'connection_lost',
        uncertain: true,
      })
      if (now === 'never sent') throw lost
      const txid = await chain.broadcast(hex, options)
      if (now === 'answer lost') throw lost
      return now === 'other txid' ? 'ab'.repeat(32) : txid
    },
  })
  const open = () => openWallet({ wif: key }, source, { journal })
  let wallet = await open()
  const { txid: tokenid } = await wallet.createToken({ name: 'GOLD', supply: 100n, id: 'gold' })
  node.mine()

  /** Lack of coins is an answer too: a session may spend all that there is. */
  const tolerant = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => {
      if (!isAntaraError(error) && !(error instanceof RpcError)) throw error
    })
  }
  const amountOf = (id: number) => 1_000_000n + BigInt(id)

  for (const given of steps) {
    const { kind, id = 0, amount = 0 } = given as { kind: string; id?: number; amount?: number }
    fate = (given as { fate?: Fate }).fate ?? 'delivered'
    if (kind === 'receive') node.fund(own, BigInt(amount))
    else if (kind === 'pay') {
      await tolerant(() => wallet.pay({ to: payee, amount: amountOf(id), id: `pay ${id}` }))
    } else if (kind === 'transfer') {
      const request = { tokenid: tokenid!, to: bob.pubkey, amount: BigInt(id) }
      await tolerant(() => wallet.transfer({ ...request, id: `transfer ${id}` }))
    } else if (kind === 'merge') await tolerant(() => wallet.merge({ maxInputs: 3 }))
    else if (kind === 'mine') node.mine()
    else if (kind === 'crash') wallet = await open()
    else if (kind === 'reorganize') {
      const tip = (await node.request('getbestblockhash')) as string
      const { tx } = (await node.request('getblock', [tip])) as { tx: string[] }
      node.reorg(1, { drop: tx.slice(1) })
    } else if (kind === 'resume') await tolerant(() => wallet.resume())
    fate = 'delivered'
  }

  // An honest network settles everything.
  node.mine()
  await wallet.resume()
  node.mine()
  const { balance } = (await node.request('getaddressbalance', [{ addresses: [own] }])) as {
    balance: number
  }
  expect((await wallet.balance()).total).toBe(BigInt(balance))
  const pubkey = publicKeyOf(key)
  const held = (await node.request('tokenbalance', [tokenid, pubkey])) as { balance: number }
  const tokens = await wallet.tokens()
  expect(tokens.find((token) => token.tokenid === tokenid)?.balance ?? 0n).toBe(
    BigInt(held.balance),
  )
  const paid = (await node.request('getaddresstxids', [{ addresses: [payee] }])) as string[]
  const hexes = await chain.transactions(paid)
  const amounts = hexes.flatMap((hex) =>
    decodeTransaction(hex!).outputs.flatMap(({ value }) =>
      value >= 1_000_000n && value <= 1_000_003n ? [value] : [],
    ),
  )
  expect(new Set(amounts).size).toBe(amounts.length)
  await node.close()
}
