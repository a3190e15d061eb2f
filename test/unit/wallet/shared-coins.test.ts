// Payments of coins that the wallet shares with others. Their change returns to a script that the
// wallet does not watch, so its own history never has them.

import { expect, test, vi } from 'vitest'

import {
  addressOfScript,
  buildPayment,
  decodeTransaction,
  networks,
  publicKeyOf,
  signCase,
} from '../../../src/index.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { type Journal, memoryJournal } from '../../../src/journal/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import { scriptHashOf } from '../../../src/script/key-script.ts'
import {
  type ChainSource,
  quorum,
  type Resumed,
  type SubmitOptions,
} from '../../../src/wallet/index.ts'
import { fundedNode, openWallet, tampered } from './support.ts'

const pollMs = 1
const network = networks.assetChain

/** Coins behind a 2-of-2 of alice and bob. The wallet has the key of alice. */
async function sharedCoins() {
  const funded = await fundedNode()
  const { node, alice, bob } = funded
  const keys = [alice.wif, bob.wif]
  const publicKeys = keys.map((key) => publicKeyOf(key))
  const redeemScript = `52${publicKeys.map((key) => `21${key}`).join('')}52ae`
  const script = scriptHashOf(redeemScript)
  const own = [addressOfScript(script, network)!]
  const fundedBy = [50_000_000n, 60_000_000n].map((value) => node.fund(script, value))
  node.mine()
  const coinOf = async (at: number) => {
    const txid = fundedBy[at]!
    const previous = (await node.request('getrawtransaction', [txid])) as string
    const vout = decodeTransaction(previous).outputs.findIndex((it) => it.script === script)
    return { coins: [{ txid, vout }], previousTransactions: [previous] }
  }

  /** Returns a signed payment of one of the two coins. */
  async function signed(at: number, address = bob.address, amount = 1_000_000n) {
    const built = buildPayment({
      recipients: [{ address, amount }],
      own: publicKeys,
      redeemScripts: [redeemScript],
      ...(await coinOf(at)),
      tipHeight: node.height,
      network,
    })
    return { ...built, hex: signCase(built, keys).hex }
  }

  const openAlice = (chain: ChainSource, journal: Journal = memoryJournal(), trustSource = false) =>
    openWallet(alice, chain, { journal, trustSource })

  async function submitted(chain: ChainSource, options: SubmitOptions = {}) {
    const journal = memoryJournal()
    const wallet = await openAlice(chain, journal)
    const sent = await wallet.submit(await signed(0), { ...options, own })
    expect(sent).toMatchObject({ status: 'accepted' })
    return { journal, wallet, sent }
  }
  return { ...funded, own, script, signed, submitted, openAlice }
}

/** A source that answers otherwise about the history of one script. */
const withHistoryOf = (
  chain: ChainSource,
  script: string,
  history: ChainSource['history'],
): ChainSource =>
  tampered(chain, {
    history: (scripts, options) =>
      (scripts.includes(script) ? history : chain.history)(scripts, options),
  })

/** A source that refuses the history of one script, as a server does if it is too long. */
const withoutHistoryOf = (chain: ChainSource, refused: string): ChainSource =>
  withHistoryOf(chain, refused, async () => {
    throw new RpcError('daemon', 'history too large')
  })

test('a mined payment is confirmed, also long after its expiry height', async () => {
  const { node, chain, submitted } = await sharedCoins()
  const { sent } = await submitted(chain, { id: 'shared' })
  node.mine(211)
  expect(await sent.confirmed({ pollMs })).toMatchObject({ txid: sent.txid, confirmations: 211 })
  await node.close()
})

test('resume settles a mined payment and broadcasts nothing', async () => {
  const { node, chain, submitted, openAlice } = await sharedCoins()
  const { journal, sent } = await submitted(chain)
  const height = node.height + 1
  node.mine(3)
  let broadcasts = 0
  const counted = tampered(chain, {
    async broadcast(hex, options) {
      broadcasts += 1
      return chain.broadcast(hex, options)
    },
  })
  const resumed = await (await openAlice(counted, journal)).resume()
  expect(resumed.map(({ result, lost }) => [result?.status, lost])).toEqual([
    ['accepted', undefined],
  ])
  expect(broadcasts).toBe(0)
  const [payment] = bookOf(journal).payments()
  expect(payment?.attempts).toMatchObject([{ txid: sent.txid, fate: 'settled', height }])
  await node.close()
})

test('an equal payment of a later month is a payment of its own', async () => {
  const { node, chain, submitted, signed, own } = await sharedCoins()
  const { wallet, sent } = await submitted(chain, { repeatMs: 0 })
  node.mine(3)
  const later = await wallet.submit(await signed(1), { own, repeatMs: 0 })
  expect(later).toMatchObject({ status: 'accepted' })
  expect(later.txid).not.toBe(sent.txid)
  expect(later.repeated).toBeUndefined()
  await node.close()
})

test('sources that agree settle it as one source does', async () => {
  const { node, chain, submitted } = await sharedCoins()
  const { journal, wallet } = await submitted(quorum([chain, { ...chain, name: 'another' }], 2), {
    id: 'shared',
  })
  node.mine(3)
  await wallet.resume()
  const [payment] = bookOf(journal).payments()
  expect(payment?.attempts).toMatchObject([{ fate: 'settled' }])
  await node.close()
})

test('a height before that of its coin settles nothing', async () => {
  const { node, chain, submitted, script, openAlice } = await sharedCoins()
  const { journal, sent } = await submitted(chain, { id: 'shared' })
  const hostile = withHistoryOf(chain, script, async (scripts, options) => {
    const listed = await chain.history(scripts, options)
    return listed.map((it) => (it.txid === sent.txid ? { ...it, height: 5 } : it))
  })
  await (await openAlice(hostile, journal)).resume()
  const [payment] = bookOf(journal).payments()
  expect(payment?.attempts.map(({ fate }) => fate)).toEqual([undefined])
  await node.close()
})

test('a payment whose coin the other keys spent is conflicted', async () => {
  const { node, chain, submitted, signed, bob } = await sharedCoins()
  const { sent, wallet } = await submitted(chain, { id: 'lost' })
  node.mine()
  node.reorg(1, { drop: [sent.txid!] })
  const other = await signed(0, bob.address, 2_000_000n)
  await chain.broadcast(other.hex)
  node.mine()
  await expect(sent.confirmed({ pollMs })).rejects.toMatchObject({ reason: 'conflicted' })
  expect((await wallet.resume()).map(({ lost }) => lost?.reason)).toEqual(['conflicted'])
  await node.close()
})

const silentSources: [string, (chain: ChainSource, refused: string) => ChainSource][] = [
  ['refuses it', withoutHistoryOf],
  // A daemon answers so about a script that has no address.
  ['lists nothing', (chain, refused) => withHistoryOf(chain, refused, async () => [])],
  [
    'is a quorum that refuses it',
    (chain, refused) => {
      const one = withoutHistoryOf(chain, refused)
      return quorum([one, { ...one, name: 'another' }], 2)
    },
  ],
]

test.each(silentSources)(
  'without the history of its coins, an expired payment is unverified: it %s',
  async (_, silent) => {
    const { node, chain, submitted, script } = await sharedCoins()
    const { wallet, sent } = await submitted(silent(chain, script), { id: 'shared' })
    node.mine(211)
    await expect(sent.confirmed({ pollMs })).rejects.toMatchObject({ reason: 'unverified' })
    const [{ result, lost }] = (await wallet.resume()) as [Resumed]
    expect([result?.status, lost]).toEqual(['accepted', undefined])
    await node.close()
  },
)

test('a wait goes on while the daemon that has the history of its coins starts again', async () => {
  const { node, chain, submitted, script } = await sharedCoins()
  let refusals: number | undefined
  const restarted = withHistoryOf(chain, script, async (scripts, options) => {
    if (refusals === undefined) return chain.history(scripts, options)
    refusals += 1
    if (refusals > 3) return chain.history(scripts, options)
    throw new RpcError('daemon', 'Loading block index...', { code: -28 })
  })
  const { sent } = await submitted(restarted, { id: 'shared' })
  const looked = vi.spyOn(restarted, 'tip')
  const confirmed = sent.confirmed({ pollMs })
  await vi.waitFor(() => expect(looked.mock.calls.length).toBeGreaterThan(5))
  refusals = 0
  node.mine(211)
  expect(await confirmed).toMatchObject({ txid: sent.txid, confirmations: 211 })
  await node.close()
})

/** Submits another transaction for a mined payment, to a trusted source that hides its bytes. */
async function submittedAgain(silent: (chain: ChainSource, refused: string) => ChainSource) {
  const { node, chain, submitted, signed, own, script, openAlice } = await sharedCoins()
  const { journal, sent } = await submitted(chain, { id: 'shared' })
  node.mine(311)
  const hiding = tampered(silent(chain, script), {
    transactions: async (txids, options) =>
      (await chain.transactions(txids, options)).map((hex, at) =>
        txids[at] === sent.txid ? undefined : hex,
      ),
  })
  const wallet = await openAlice(hiding, journal, true)
  const again = await wallet.submit(await signed(1), { id: 'shared', own })
  await node.close()
  const attempts = bookOf(journal).payments()[0]?.attempts
  return { sent, again, fates: attempts?.map(({ txid, fate }) => [txid, fate]) }
}

test.each(silentSources)(
  'a trusted source without that history does not end a payment that was mined: it %s',
  async (_, silent) => {
    const { sent, again, fates } = await submittedAgain(silent)
    expect(again).toMatchObject({ status: 'held', held: 'different-inputs' })
    expect(fates).toEqual([[sent.txid, undefined]])
  },
)

test('a trusted source that lists a mined payment, and hides its bytes, does not end it', async () => {
  const { sent, again, fates } = await submittedAgain((chain) => chain)
  expect(again).toMatchObject({ status: 'held', held: 'different-inputs' })
  expect(fates).toEqual([[sent.txid, undefined]])
})
