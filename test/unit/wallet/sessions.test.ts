// Random sessions of a wallet on a chain source that fails, lags, tampers and forgets, with crashes
// and reorganizations between. After every step the balances of the wallet are those of the node,
// and no payment is on the chain twice. ANTARA_SESSIONS sets how many sessions run.

import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  addressOf,
  addressOfScript,
  decodeTransaction,
  encodeTransaction,
  networks,
  publicKeyOf,
} from '../../../src/index.ts'
import { RpcError } from '../../../src/rpc/index.ts'
import {
  type ChainSource,
  isAntaraError,
  memoryJournal,
  type Sent,
  StaleSource,
  type Wallet,
} from '../../../src/wallet/index.ts'
import { share } from '../../support/share.ts'
import { fundedNode, openWallet } from './support.ts'

const sessions = Number(process.env.ANTARA_SESSIONS ?? share(25))
const key = '9'.padStart(64, '0')
const publicKey = publicKeyOf(key)
const payee = addressOf(publicKeyOf('a'.padStart(64, '0')), networks.assetChain)

/** The fate of one broadcast. */
const fates = ['delivered', 'answer lost', 'never sent', 'other txid'] as const
type Fate = (typeof fates)[number]

/** Behaviours of the source during one step. */
const moods = [
  'honest',
  'lags',
  'fails at a call',
  'invents coins',
  'calls spent coins unspent',
  'hides coins',
  'raises amounts',
  'raises heights',
  'raises the tip',
  'lowers the tip',
  'repeats everything',
  'gives other bytes',
  'gives no bytes',
  'hides the history',
] as const
type Mood = (typeof moods)[number]

const withMood = <Kind extends string>(kind: Kind, ids: readonly number[] = [0]) =>
  fc.record({
    kind: fc.constant(kind),
    id: fc.constantFrom(...ids),
    fate: fc.constantFrom(...fates),
    mood: fc.constantFrom(...moods),
    call: fc.integer({ min: 0, max: 12 }),
  })

const step = fc.oneof(
  fc.record({ kind: fc.constant('receive' as const), amount: fc.integer({ min: 1000, max: 9e6 }) }),
  { weight: 2, arbitrary: withMood('pay', [0, 1, 2, 3]) },
  { weight: 2, arbitrary: withMood('transfer', [4, 5, 6]) },
  withMood('ask', [7, 8]),
  withMood('cancel'),
  withMood('merge'),
  withMood('resume'),
  withMood('read'),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('mine', 'crash', 'reorganize') }),
  },
)

interface Step {
  readonly kind: string
  readonly amount?: number
  readonly id?: number
  readonly fate?: Fate
  readonly mood?: Mood
  readonly call?: number
}

const met = new Map<string, number>()

test(`${sessions} random sessions have the balances of the node at every step`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), session), {
    numRuns: sessions,
  })
  // A run that is long enough has met every mood, and has paid. A few sessions may do neither.
  if (sessions >= 200) expect([...met.keys()].toSorted()).toEqual([...moods].toSorted())
  if (sessions >= 20) expect(Math.max(...met.values())).toBeGreaterThan(0)
}, 3_600_000)

/** A source whose next step is tampered with. */
function moodySource(chain: ChainSource) {
  let now: Step = { kind: 'start' }
  let calls = 0
  let old: { tip: Awaited<ReturnType<ChainSource['tip']>>; listed: ReadonlySet<string> } | undefined
  let oldUnspent: Awaited<ReturnType<ChainSource['unspent']>> = []
  let oldHistory: Awaited<ReturnType<ChainSource['history']>> = []
  const lost = () =>
    new RpcError('transport', 'connection lost', { reason: 'connection_lost', uncertain: true })
  const is = (mood: Mood) => now.mood === mood
  const counted = (): void => {
    calls += 1
    if (!is('fails at a call') || calls - 1 !== now.call) return
    throw new RpcError('transport', 'connection lost', { reason: 'connection_lost' })
  }
  const source: ChainSource = {
    ...chain,
    async tip(options) {
      counted()
      if (is('lags') && old !== undefined) return old.tip
      const tip = await chain.tip(options)
      if (is('raises the tip')) return { ...tip, height: tip.height + 1000 }
      if (is('lowers the tip')) return { ...tip, height: tip.height - 20 }
      return tip
    },
    async unspent(scripts, options) {
      counted()
      if (is('lags')) return oldUnspent
      const own = await chain.unspent(scripts, options)
      if (is('hides coins')) return own.slice(1)
      if (is('raises amounts')) return own.map((it) => ({ ...it, value: 10n ** 15n }))
      if (is('raises heights')) return own.map((it) => ({ ...it, height: it.height + 3 }))
      if (is('repeats everything')) return [...own, ...own]
      if (is('calls spent coins unspent')) return [...own, ...oldUnspent]
      if (!is('invents coins')) return own
      const invented = own.map((it) => ({ ...it, vout: it.vout + 1 }))
      return [...own, ...invented, { txid: 'cd'.repeat(32), vout: 0, height: 1 }]
    },
    async history(scripts, options) {
      counted()
      if (is('lags')) return oldHistory
      const all = await chain.history(scripts, options)
      if (is('hides the history')) return []
      if (is('raises heights')) return all.map((it) => ({ ...it, height: it.height + 3 }))
      return is('repeats everything') ? [...all, ...all] : all
    },
    async transactions(txids, options) {
      counted()
      const found = await chain.transactions(txids, options)
      if (is('gives no bytes')) return found.map(() => undefined)
      if (is('lags')) return found.map((hex, at) => (old?.listed.has(txids[at]!) ? hex : undefined))
      return is('gives other bytes') ? found.map((hex) => hex && richer(hex)) : found
    },
    async broadcast(hex, options) {
      counted()
      if (now.fate === 'never sent') throw lost()
      const txid = await chain.broadcast(hex, options)
      if (now.fate === 'answer lost') throw lost()
      return now.fate === 'other txid' ? 'ab'.repeat(32) : txid
    },
  }
  return {
    source,
    /** Tampers with what `work` asks for. */
    async during<Answer>(given: Step, work: () => Promise<Answer>): Promise<Answer> {
      now = given
      calls = 0
      try {
        return await work()
      } finally {
        now = { kind: 'between' }
      }
    },
    /** Keeps what the source knows now, for a step in which it lags. */
    async remember(scripts: readonly string[]): Promise<void> {
      oldUnspent = await chain.unspent(scripts)
      oldHistory = await chain.history(scripts)
      old = { tip: await chain.tip(), listed: new Set(oldHistory.map(({ txid }) => txid)) }
    },
  }
}

function richer(hex: string): string {
  const { outputs, ...rest } = decodeTransaction(hex)
  return encodeTransaction({
    ...rest,
    outputs: outputs.map((output) => ({ ...output, value: output.value * 2n })),
  })
}

type Node = Awaited<ReturnType<typeof fundedNode>>['node']

/** Satoshis or units of addresses by the node's own indexes: blocks, and what waits for one. */
async function nodeBalance(node: Node, addresses: readonly string[], isCondition: boolean) {
  const params = [{ addresses }, ...(isCondition ? [1] : [])]
  const { balance } = (await node.request('getaddressbalance', params)) as { balance: number }
  // komodod lists waiting conditions without the second parameter only.
  const waiting = (await node.request('getaddressmempool', params.slice(0, 1))) as {
    satoshis: number
  }[]
  return waiting.reduce((sum, { satoshis }) => sum + BigInt(satoshis), BigInt(balance))
}

async function session(steps: readonly Step[]): Promise<void> {
  const { node, bob, chain } = await fundedNode()
  const own = addressOf(publicKey, networks.assetChain)
  for (let count = 0; count < 3; count += 1) node.fund(own, 5_000_000n)
  node.mine(101)
  const journal = memoryJournal()
  const { source, during, remember } = moodySource(chain)
  const open = () => openWallet({ wif: key }, source, { journal })
  let wallet = await open()
  const { scripts } = wallet.addresses()[0]!
  const holding = scripts.flatMap((script) =>
    script.endsWith('cc') ? addressOfScript(script, networks.assetChain)! : [],
  )
  const { txid: tokenid = '' } = await wallet.createToken({
    name: 'GOLD',
    supply: 100n,
    id: 'gold',
  })
  node.mine()
  await remember(scripts)

  const requests: Record<string, (wallet: Wallet, id: number) => Promise<unknown>> = {
    pay: (it, id) => it.pay({ to: payee, amount: 1_000_000n + BigInt(id), id: `pay ${id}` }),
    transfer: (it, id) =>
      it.transfer({ tokenid, to: bob.pubkey, amount: BigInt(id), id: `transfer ${id}` }),
    ask: (it, id) => it.ask({ tokenid, amount: BigInt(id), price: 1000n, id: `ask ${id}` }),
    async cancel(it) {
      const [first] = await it.orders()
      return first && it.cancel({ order: first.order })
    },
    merge: (it) => it.merge({ maxInputs: 3 }),
    resume: (it) => it.resume(),
    read: async (it) => [await it.balance(), await it.tokens(), await it.history()],
  }

  for (const given of steps) {
    const { kind, id = 0, amount = 0, mood } = given
    const request = requests[kind]
    if (kind === 'receive') node.fund(own, BigInt(amount))
    else if (kind === 'mine') {
      await remember(scripts)
      node.mine()
    } else if (kind === 'crash') wallet = await open()
    else if (kind === 'reorganize') {
      const tip = (await node.request('getbestblockhash')) as string
      const { tx } = (await node.request('getblock', [tip])) as { tx: string[] }
      node.reorg(1, { drop: tx.slice(1) })
    } else if (request !== undefined) {
      const result = await during(given, () => request(wallet, id)).catch(isExpected)
      const isPaid = (result as Partial<Sent> | undefined)?.status === 'accepted'
      met.set(mood!, (met.get(mood!) ?? 0) + (isPaid ? 1 : 0))
    }
    await requireBalances()
    await requirePaidOnce()
  }

  // An honest network settles everything that was sent.
  node.mine()
  await wallet.resume()
  node.mine()
  await requireBalances()
  await requirePaidOnce()
  await node.close()

  async function requireBalances(): Promise<void> {
    expect((await wallet.balance()).total).toBe(await nodeBalance(node, [own], false))
    const token = (await wallet.tokens()).find((it) => it.tokenid === tokenid)
    const units = (token?.balance ?? 0n) + (token?.pending ?? 0n)
    expect(units).toBe(await nodeBalance(node, holding, true))
    expect(token?.disproven ?? 0n).toBe(0n)
  }

  /** Payments to the payee, in blocks and waiting: each id has an amount of its own. */
  async function requirePaidOnce(): Promise<void> {
    const paid = (await node.request('getaddresstxids', [{ addresses: [payee] }])) as string[]
    const waiting = (await node.request('getrawmempool')) as string[]
    const hexes = await chain.transactions([...new Set([...paid, ...waiting])])
    const amounts = hexes.flatMap((hex) =>
      decodeTransaction(hex!).outputs.flatMap(({ value }) =>
        value >= 1_000_000n && value <= 1_000_003n ? [value] : [],
      ),
    )
    expect(new Set(amounts).size).toBe(amounts.length)
  }
}

/** Lack of coins is an answer too: a session may spend all that there is. */
function isExpected(error: unknown): undefined {
  const isOne = isAntaraError(error) || error instanceof RpcError || error instanceof StaleSource
  if (!isOne) throw error
}
