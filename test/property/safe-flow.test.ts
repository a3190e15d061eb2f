import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hash160 } from '../../src/engine/calls.ts'
import {
  addressOf,
  buildTokenTransfer,
  createTokenProver,
  decodeTransaction,
  networks,
  signTransaction,
  type TransferIntent,
  tokenScript,
  transactionId,
} from '../../src/index.ts'
import { formatCoins } from '../../src/primitives/amount.ts'
import {
  type DaemonClient,
  type FrameworkClient,
  RpcError,
  type SafeFlowOptions,
  type SafeFlowResult,
  transferToken,
  type WithdrawResult,
  withdrawAndSend,
} from '../../src/rpc/index.ts'
import { keys, readVectors } from '../support/komodod.ts'
import { hostileObservers } from '../support/observers.ts'
import { p2pkh, payment, signPayment, withdrawAnswer, worthOf } from '../support/payments.ts'
import { a, b, p2pk } from '../support/resigned.ts'
import { least, share } from '../support/share.ts'

// The server picks coins as it likes, loses requests and replies, refuses transactions that it
// sends on, and denies those that it has. The caller tries again in every spelling of the same
// intent, at once, and from a new process. Every transaction that was ever sent may be mined. The
// payments that can be mined together may be no more than the calls that succeeded, and one more
// while the last is unsettled. Observers of the flow fail in every way there is.

const wif = readVectors<{ B: { wif: string } }>('komodod/keys.json').B.wif
const bob = keys.B.pubkey
const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
const tipHeight = 39
const chain = readVectors<{ transactions: { height: number; txid: string; hex: string }[] }>(
  'komodod/90-chain-dump.json',
).transactions.filter(({ height }) => height <= tipHeight)
const recorded = new Map(chain.map(({ txid, hex }) => [txid, hex]))
const previousTransactions = [...recorded.values()]
const prover = createTokenProver(previousTransactions)
const outpointsOf = (hex: string): string[] =>
  decodeTransaction(hex).inputs.map(({ txid, vout }) => `${txid}:${vout}`)
const spent = new Set(previousTransactions.flatMap(outpointsOf))
const unspent = (script: string) =>
  chain.flatMap(({ txid, hex }) =>
    decodeTransaction(hex).outputs.flatMap((output, vout) =>
      output.script === script && !spent.has(`${txid}:${vout}`) ? [{ txid, vout }] : [],
    ),
  )
/** So few coins that attempts often share one, and often none. */
const tokenCoins = unspent(tokenScript(bob))
  .filter(({ txid, vout }) => prover.prove(txid, vout, tokenid).verdict === 'proven')
  .slice(0, 3)
const coins = [...unspent(`76a914${hash160(bob)}88ac`), ...unspent(`21${bob}ac`)].slice(0, 3)

const amounts = [1n, 2n]

const transferOf = (amount: bigint): TransferIntent => {
  return { tokenid, destination: keys.A.pubkey, amount, from: bob }
}

/** The same intent in other words. */
const spellings: ((intent: TransferIntent) => TransferIntent)[] = [
  (intent) => intent,
  (intent) => ({ ...intent, fee: 10_000n }),
  (intent) => ({ ...intent, fee: 10_000n, maxFee: 20_000n, burn: false }),
  (intent) => ({ ...intent, maxFee: 19_000n }),
  (intent) => ({ ...intent, network: networks.assetChain, tokenid: tokenid.toUpperCase() }),
  (intent) => ({ ...intent, destination: intent.destination.toUpperCase() }),
  (intent) => ({ ...intent, from: bob.toUpperCase() }),
  ({ destination, amount, ...rest }) => {
    return { ...rest, destination, amount, recipients: [{ pubkey: destination, amount }] }
  },
]

const built = new Map<string, string>()

function transferFrom(amount: bigint, token: number, coin: number): string {
  const key = `${amount} ${token} ${coin}`
  const known = built.get(key)
  if (known !== undefined) return known
  const unsigned = buildTokenTransfer({
    tokenid,
    recipients: [{ pubkey: keys.A.pubkey, amount }],
    from: bob,
    tokenCoins: [tokenCoins[token]!],
    coins: [coins[coin]!],
    previousTransactions,
    tipHeight,
    nativeChange: 'daemon',
  })
  const { hex, complete } = signTransaction(
    unsigned.hex,
    [wif],
    unsigned.coins,
    networks.assetChain,
  )
  if (!complete) throw new Error('the test wallet lacks a key')
  built.set(key, hex)
  return hex
}

const outcomes = ['accept', 'refuse', 'refuse-and-relay', 'lose-request', 'lose-reply'] as const
type Outcome = (typeof outcomes)[number]

/** Coins of A for withdrawals: two of six in each, so that some share one and some none. */
const withdrawable = [p2pkh(a), p2pk(a)].flatMap((script) => unspent(script)).slice(0, 6)
const ticker = 'TOKTEST'
const addressA = addressOf(a, networks.assetChain)
const addressB = addressOf(b, networks.assetChain)

const withdrawalOf = (amount: bigint) => {
  return { coin: ticker, to: addressB, amount: 1_000_000n * amount, own: [a], fee: 1000n }
}

/** The same withdrawal in other words. */
type Withdrawal = ReturnType<typeof withdrawalOf>
const withdrawals: ((intent: Withdrawal) => Parameters<typeof withdrawAndSend>[1])[] = [
  (intent) => intent,
  ({ fee: _, ...intent }) => ({ ...intent, maxFee: 5000n }),
  (intent) => ({ ...intent, maxFee: 20_000n }),
  (intent) => ({ ...intent, own: [addressA, a] }),
  (intent) => ({ ...intent, network: networks.assetChain }),
]

const answers = new Map<string, ReturnType<typeof withdrawAnswer>>()

function withdrawalFrom(amount: bigint, first: number, second: number) {
  const key = `${amount} ${first} ${second}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const picked = [withdrawable[first]!, withdrawable[3 + second]!]
  const inputs = picked.map((coin) => ({ ...coin, scriptSig: '', sequence: 0xffffffff }))
  const worth = inputs.reduce((sum, input) => sum + worthOf(input), 0n)
  const received = worth - 1_000_000n * amount - 1000n
  const hex = signPayment({
    ...payment,
    inputs,
    outputs: [
      { value: 1_000_000n * amount, script: p2pkh(b) },
      { value: received, script: p2pkh(a) },
    ],
  })
  // A key without a hash has the address of its hash.
  const named = { coin: ticker, from: [addressA], to: addressB }
  const answer = withdrawAnswer({ hex, ...named, spent: worth, received })
  answers.set(key, answer)
  return answer
}

/** The parts in which one flow differs from the others. */
interface FlowKind {
  readonly spellings: number
  client(world: World): object
  pay(
    client: object,
    amount: bigint,
    spelling: number,
    options: SafeFlowOptions,
  ): Promise<SafeFlowResult | WithdrawResult>
}

const kinds: Readonly<Record<string, FlowKind>> = {
  'a transfer of tokens': {
    spellings: spellings.length,
    client: (world) => ({
      getblockcount: async () => tipHeight,
      getrawtransaction: async ({ txid }: { txid: string }) =>
        world.look(txid, new RpcError('daemon', 'No information', { code: -5, codeName: '' })),
      call: async (method: string, [, , amount]: readonly string[]) => {
        // This daemon has no index of who spent an output.
        if (method !== 'tokentransfer')
          throw new RpcError('daemon', 'no', { code: -32601, codeName: '' })
        return { result: 'success', hex: transferFrom(BigInt(amount!), ...world.pick()) }
      },
      sendrawtransaction: async ({ hex }: { hex: string }) =>
        world.take(hex, new RpcError('daemon', 'refused', { code: -26, codeName: '' })),
    }),
    pay: (client, amount, spelling, options) =>
      transferToken(client as DaemonClient, spellings[spelling]!(transferOf(amount)), {
        ...options,
        ancestorsMax: 0,
        allow: ['token_parent_unproven'],
      }),
  },
  'a withdrawal of coins': {
    spellings: withdrawals.length,
    client: (world) => ({
      getRawTransaction: async ({ tx_hash }: { tx_hash: string }) => ({
        tx_hex: await world.look(tx_hash, new RpcError('framework', 'no such transaction')),
      }),
      withdraw: async ({ amount }: { amount: string }) => {
        const wanted = amounts.find((it) => formatCoins(1_000_000n * it) === amount)!
        return withdrawalFrom(wanted, ...world.pick())
      },
      sendRawTransaction: async ({ tx_hex }: { tx_hex: string }) => ({
        tx_hash: await world.take(tx_hex, new RpcError('framework', 'refused')),
      }),
    }),
    pay: (client, amount, spelling, options) =>
      withdrawAndSend(client as FrameworkClient, withdrawals[spelling]!(withdrawalOf(amount)), {
        ...options,
        evidence: { tipHeight },
      }),
  },
}

/** A chain with an adversary for a server. */
class World {
  /** Transactions sent to the network, by amount: any of them may be mined at any time. */
  readonly relayed = new Map<string, Set<string>>()
  /** Whatever was handed over, be it sent on or not. */
  readonly offered = new Set<string>()
  picks: readonly (readonly [number, number])[] = []
  outcomes: readonly Outcome[] = []
  denies = false
  #turn = 0

  /** Two coins of three each. */
  pick(): readonly [number, number] {
    return this.picks[this.#turn++ % this.picks.length]!
  }

  async look(txid: string, unknown: RpcError): Promise<string> {
    await Promise.resolve()
    const relayed = [...this.relayed.values()].flatMap((set) => [...set])
    const own = this.denies ? undefined : relayed.find((hex) => transactionId(hex) === txid)
    const hex = recorded.get(txid) ?? own
    if (hex === undefined) throw unknown
    return hex
  }

  async take(hex: string, refused: RpcError): Promise<string> {
    await Promise.resolve()
    this.offered.add(hex)
    const outcome = this.outcomes[this.#turn++ % this.outcomes.length]!
    const lost = new RpcError('transport', 'the connection broke', { reason: 'connection_lost' })
    if (outcome === 'lose-request') throw lost
    if (outcome === 'refuse') throw refused
    const paid = decodeTransaction(hex).outputs[0]!.value
    const amount = String(paid < 1_000_000n ? paid : paid / 1_000_000n)
    this.relayed.set(amount, (this.relayed.get(amount) ?? new Set()).add(hex))
    if (outcome === 'lose-reply') throw lost
    if (outcome === 'refuse-and-relay') throw refused
    return transactionId(hex)
  }

  /** The most payments of this amount that one chain can hold. */
  payments(amount: bigint): number {
    const spends = [...(this.relayed.get(String(amount)) ?? [])].map(outpointsOf)
    const most = (from: number, used: ReadonlySet<string>): number => {
      if (from === spends.length) return 0
      const without = most(from + 1, used)
      if (spends[from]!.some((outpoint) => used.has(outpoint))) return without
      return Math.max(without, 1 + most(from + 1, new Set([...used, ...spends[from]!])))
    }
    return most(0, new Set())
  }
}

const index = fc.nat({ max: 2 })
const step = fc.record({
  intent: fc.constantFrom(...amounts.keys()),
  spellings: fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 2 }),
  picks: fc.array(fc.tuple(index, index), { minLength: 1, maxLength: 3 }),
  outcomes: fc.array(fc.constantFrom(...outcomes, 'refuse-and-relay', 'lose-reply' as const), {
    minLength: 1,
    maxLength: 3,
  }),
  denies: fc.boolean(),
  patienceMs: fc.nat({ max: 3 }),
  newProcess: fc.constantFrom(false, false, true),
  observer: fc.constantFrom(...Object.keys(hostileObservers)),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test.each(Object.entries(kinds))(
  'no sequence of failures, lost replies and retries makes %s twice',
  async (_, kind) => {
    expect([tokenCoins.length, coins.length, withdrawable.length]).toEqual([3, 3, 6])
    const seen = { calls: 0, paid: 0, retried: 0, heldBack: 0, together: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const world = new World()
        let client = kind.client(world)
        /** Per intent: calls that succeeded, and what was sent since the last of them. */
        const books = amounts.map(() => ({ successes: 0, sent: new Set<string>() }))
        for (const { intent: at, newProcess, observer, ...one } of steps) {
          Object.assign(world, one)
          const amount = amounts[at]!
          const book = books[at]!
          const earlier = newProcess ? [...book.sent] : []
          // Another process knows what the caller wrote down of this intent; the other one is lost,
          // so it begins anew there as well.
          if (newProcess) client = kind.client(world)
          const others = books.filter((other) => other !== book)
          if (newProcess) for (const other of others) other.successes += other.sent.size > 0 ? 1 : 0
          if (newProcess) for (const other of others) other.sent.clear()
          const call = async (spelling: number): Promise<void> => {
            seen.calls++
            if (book.sent.size > 0) seen.retried++
            const result = await kind
              .pay(client, amount, spelling % kind.spellings, {
                earlier,
                // Somebody looks at it first: time for another call to get as far.
                confirm: async () => {
                  await setTimeout(one.patienceMs)
                  return true
                },
                onProgress: (progress) => {
                  if (progress.step === 'broadcasting') book.sent.add(progress.report.hex)
                  return hostileObservers[observer]!(progress)
                },
              })
              .catch((error) => {
                if (!(error instanceof RpcError)) throw error
              })
            if (result?.held === 'different-inputs') seen.heldBack++
            if (result !== undefined) expect(result.held).not.toBe('rejected')
            if (result?.txid === undefined) return
            seen.paid++
            book.successes++
            book.sent.clear()
          }
          if (one.spellings.length > 1) seen.together++
          await Promise.all(one.spellings.map(call))
          const allowed = book.successes + (book.sent.size > 0 ? 1 : 0)
          expect(world.payments(amount)).toBeLessThanOrEqual(allowed)
        }
      }),
      { numRuns: share(300, 40) },
    )
    // The run met what it is about.
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(least(50))
  },
  120_000,
)

/** Returns how each call ended, in order, and what it sent to the network. */
async function outcomesOf(kind: FlowKind, steps: readonly Step[], isObserved: boolean) {
  const world = new World()
  let client = kind.client(world)
  const sent = amounts.map(() => new Set<string>())
  const ends: unknown[] = []
  const observed = new Set<string>()
  for (const { intent: at, newProcess, observer, ...one } of steps) {
    Object.assign(world, one)
    world.offered.clear()
    if (newProcess) client = kind.client(world)
    const end = await kind
      .pay(client, amounts[at]!, one.spellings[0]! % kind.spellings, {
        earlier: newProcess ? [...sent[at]!] : [],
        ...(isObserved && {
          onProgress: (progress) => {
            observed.add(progress.step)
            return hostileObservers[observer]!(progress)
          },
        }),
      })
      .then(
        ({ txid, held, report }) => ({ txid, held, hex: report?.hex }),
        (error: Error) => ({ name: error.name, message: error.message }),
      )
    for (const hex of world.offered) sent[at]!.add(hex)
    ends.push({ ...end, offered: [...world.offered] })
  }
  return { ends, relayed: world.relayed, observed }
}

test.each(Object.entries(kinds))(
  'no observer changes what becomes of %s',
  async (_, kind) => {
    const observed = new Set<string>()
    const paid = { yes: 0, no: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const alone = await outcomesOf(kind, steps, false)
        const watched = await outcomesOf(kind, steps, true)
        expect(watched.ends).toEqual(alone.ends)
        expect(watched.relayed).toEqual(alone.relayed)
        for (const name of watched.observed) observed.add(name)
        for (const end of alone.ends) {
          paid[(end as SafeFlowResult).txid === undefined ? 'no' : 'yes'] += 1
        }
      }),
      { numRuns: share(60, 20) },
    )
    expect(observed).toContain('broadcasting')
    for (const times of Object.values(paid)) expect(times).toBeGreaterThan(least(20))
  },
  120_000,
)
