import { burnKeysOf } from '../chain/modules.ts'
import { defaultNetwork, type Network, requireNetwork } from '../chain/network.ts'
import type { ChainOptions, ChainSource, HistoryEntry } from '../chain-source/source.ts'
import { createFindings, type SourceFinding } from '../chain-source/source-findings.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { memoryJournal } from '../journal/memory.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireSome,
  requireUint32,
} from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { snapshot } from '../primitives/snapshot.ts'
import type { AskedFor, Case } from '../request/case.ts'
import {
  balanceOf,
  holdingsOf,
  outpointsOf,
  tokenOfHolding,
  type WalletBalance,
  type WalletToken,
} from './amounts.ts'
import { checkedSource } from './checked-source.ts'
import type { PlanContext } from './choice.ts'
import { type EventOptions, type WalletEvent, walletEvents } from './events.ts'
import { listedEntries, readEntries, type WalletEntry } from './history.ts'
import { discoveringRing, fixedRing, type Keychain, type KeyRing, watchedKeys } from './key-ring.ts'
import type { Merged } from './merge-all.ts'
import { readTxid, requireReadOptions, requireSendOptions, type SendOptions } from './options.ts'
import type { WalletOrder } from './order.ts'
import { type OwnScripts, ownScriptsOf, type WalletAddress } from './own-scripts.ts'
import { type PlanOf, plans, recordedPlan } from './plans.ts'
import { createPreparer, type Prepared, type PrepareOptions } from './prepare.ts'
import { proveCoins, proveTokens } from './proofs.ts'
import type { CreateRequest } from './requests/create.ts'
import type { MergeAllRequest, MergeRequest } from './requests/merge.ts'
import type { BidRequest, CancelRequest, FillRequest, OfferRequest } from './requests/order.ts'
import type { PayRequest } from './requests/pay.ts'
import type { TransferRequest } from './requests/transfer.ts'
import { createSender, type Plan, type SendResult, type Sent } from './send.ts'
import { readSigners, type WalletSigner } from './signer.ts'
import { createKnownTransactions, type WalletProgress } from './transactions.ts'
import { unrecordedSpends } from './unrecorded.ts'
import { keyOfOutpoint, nextView, type View, type ViewContext, type WalletCoin } from './view.ts'
import {
  type Confirmed,
  NotMined,
  reasonNotMined,
  untilAborted,
  type WaitOptions,
  waitUntilMined,
} from './wait.ts'

export interface WalletOptions {
  /** Default: `networks.assetChain`. */
  readonly network?: Network
  /** Keys that sign. The first gets change. */
  readonly signers?: readonly WalletSigner[]
  /** Instead of `signers`: public keys that are watched. Nothing can be signed then. */
  readonly publicKeys?: readonly string[]
  /** Instead of `signers`: keys that follow one from the other, such as those of an HD account. */
  readonly keychain?: Keychain
  /** Keys of a keychain that are watched behind the last one that was paid. Default 20. */
  readonly gapLimit?: number
  /** Keys of each chain of a keychain that are watched at most. Default 1000. */
  readonly keysMax?: number
  readonly chain: ChainSource
  /**
   * Where payments are recorded before they are sent. Default: the memory of this object, which
   * ends with the process: give a `fileJournal` to everything that pays for real.
   */
  readonly journal?: Journal
  /** Blocks until the coins of a block can be spent, `-ac_cbmaturity`. Default 100. */
  readonly coinbaseMaturity?: number
  /**
   * The chain source is your own: what it claims about the depth of blocks may end an attempt.
   * Default false: only a transaction that shares an input may follow an unsettled attempt.
   */
  readonly trustSource?: boolean
  /**
   * Called while the wallet reads many transactions, once for each hundred at most. What it throws
   * is ignored.
   */
  readonly onProgress?: (progress: WalletProgress) => unknown
}

export interface CoinFilter extends ChainOptions {
  /** Coins that claim to hold this token; plain coins if absent. */
  readonly tokenid?: string
}

export interface HistoryOptions extends ChainOptions {
  /** Entries that are returned at most. Default 50. */
  readonly limit?: number
  /** The txid of the last entry of the page before. */
  readonly before?: string
}

/** A payment of the journal, after `resume` looked for it. */
export interface Resumed {
  /** As the journal names it: `id invoice-17`. */
  readonly name: string
  readonly result?: Sent
  /** Why none of its transactions can be mined any more, as far as the source shows. */
  readonly lost?: NotMined
  readonly error?: unknown
}

export interface Preparing {
  pay(request: PayRequest & PrepareOptions): Promise<Prepared>
  transfer(request: TransferRequest & PrepareOptions): Promise<Prepared>
  burn(request: Omit<TransferRequest, 'to'> & PrepareOptions): Promise<Prepared>
  createToken(request: CreateRequest & PrepareOptions): Promise<Prepared>
  merge(request?: MergeRequest & PrepareOptions): Promise<Prepared>
  ask(request: OfferRequest & PrepareOptions): Promise<Prepared>
  bid(request: BidRequest & PrepareOptions): Promise<Prepared>
  fill(request: FillRequest & PrepareOptions): Promise<Prepared>
  cancel(request: CancelRequest & PrepareOptions): Promise<Prepared>
}

/** Options of all steps of a merge. `confirm` is called for each. */
export type MergeAllOptions = Pick<SendOptions, 'confirm' | 'signal' | 'acknowledged'>

/** A wallet: keys here, a chain anywhere. All amounts are bigint satoshis or token units. */
export interface Wallet {
  /** Addresses of all keys; of a keychain, those that are watched so far. */
  addresses(): readonly WalletAddress[]
  /** The address of the first key of a keychain that nobody paid yet; or of the only key. */
  unusedAddress(options?: ChainOptions): Promise<WalletAddress>
  balance(options?: ChainOptions): Promise<WalletBalance>
  coins(filter?: CoinFilter): Promise<readonly WalletCoin[]>
  /** Every token of which the wallet holds units, proven from the bytes of all ancestors. */
  tokens(options?: ChainOptions): Promise<readonly WalletToken[]>
  /** Newest first; what is in no block comes first of all. */
  history(options?: HistoryOptions): Promise<readonly WalletEntry[]>
  pay(request: PayRequest & SendOptions): Promise<Sent>
  transfer(request: TransferRequest & SendOptions): Promise<Sent>
  /** Sends units to the burn key, where nobody can spend them. */
  burn(request: Omit<TransferRequest, 'to'> & SendOptions): Promise<Sent>
  /** Creates a token of the first key, or of one that has the coins for it. */
  createToken(request: CreateRequest & SendOptions): Promise<Sent>
  /** Turns many small coins of the wallet into one. */
  merge(request?: MergeRequest & SendOptions): Promise<Sent>
  /**
   * Merges plain coins, or those of a token, in as many transactions as it takes. Each is recorded
   * before it is sent. After a crash, `resume` settles what was sent, and a new call goes on.
   */
  mergeAll(request?: MergeAllRequest & MergeAllOptions): Promise<Merged>
  /** Offers units for coins. `price` is satoshis for each unit, here and in the three below. */
  ask(request: OfferRequest & SendOptions): Promise<Sent>
  /** Offers coins for units. */
  bid(request: BidRequest & SendOptions): Promise<Sent>
  /** Buys units of an ask, or sells units to a bid, at this price or a better one. */
  fill(request: FillRequest & SendOptions): Promise<Sent>
  /** Takes the wallet's own order back. */
  cancel(request: CancelRequest & SendOptions): Promise<Sent>
  /** The wallet's own open orders, with what is locked in each. */
  orders(options?: ChainOptions): Promise<readonly WalletOrder[]>
  /** The same without signing or sending: for a device, or a machine without a network. */
  readonly prepare: Preparing
  /**
   * Sends what another machine signed: your case of `prepare`, with the signed hex. It is verified
   * against the request again, with evidence of this wallet's own chain source. A case that comes
   * back may contain another request: do not pass it on. Hex alone will do where this wallet
   * prepared it.
   */
  submit(signed: Case | string, options?: SendOptions): Promise<Sent>
  /**
   * Settles what the journal holds: finds it on the chain, sends the same bytes again, or says why
   * they can never be mined.
   */
  resume(options?: ChainOptions): Promise<readonly Resumed[]>
  /** Resolves when a transaction is deep enough; rejects when it can no longer be mined. */
  waitFor(txid: string, options?: WaitOptions): Promise<Confirmed>
  /** Changes of the history from now on, until the signal aborts or the loop ends. */
  events(options?: EventOptions): AsyncGenerator<WalletEvent, void, undefined>
  /** Returns what the chain source reported and the wallet did not use. */
  findings(): readonly SourceFinding[]
}

/** A look at the chain that is under way. */
interface Look extends ChainOptions {
  readonly looking: Promise<View>
}

const optionNames = [
  ...['keychain', 'gapLimit', 'keysMax'],
  ...['network', 'signers', 'publicKeys', 'chain', 'journal', 'coinbaseMaturity', 'trustSource'],
  'onProgress',
]
const historyLimit = 50

/**
 * Opens a wallet on keys and a chain source. Reads nothing until you ask for something.
 *
 * @throws {TypeError} for options that it does not know, or without a key
 * @example
 * const wallet = await createWallet({ signers: [privateKeySigner(wif)], chain })
 * const { status, txid } = await wallet.pay({ to, amount: 100_000n, id: 'invoice-17' })
 */
export async function createWallet(options: WalletOptions): Promise<Wallet> {
  requireObject(options, 'options')
  requireKnownMembers(options, optionNames, 'options')
  const { network = defaultNetwork, trustSource = false, onProgress } = options
  const { journal = memoryJournal(), coinbaseMaturity = 100 } = options
  requireNetwork(network, 'network')
  requireObject(options.chain, 'chain')
  requireUint32(coinbaseMaturity, 'coinbaseMaturity')
  const findings = createFindings(options.chain.name)
  const chain = checkedSource(options.chain, findings)
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw argumentError('onProgress', 'a function', onProgress)
  }
  const known = createKnownTransactions(chain, onProgress)
  const { ring, own } = await readKeys(options, { chain, network, known, findings })
  const context: ViewContext = { chain, network, own, known, findings }
  let view: View | undefined
  let syncing: Look | undefined

  /** Calls that come at once share one look at the chain. Each ends with its own signal. */
  const sync = async (given: ChainOptions = {}): Promise<View> => {
    for (;;) {
      const joined = syncing ?? look(given)
      try {
        return await untilAborted(joined.looking, given.signal)
      } catch (error) {
        const isEndedByOther = joined.signal !== given.signal && joined.signal?.aborted === true
        if (given.signal?.aborted === true || !isEndedByOther) throw error
      }
    }
  }
  const look = ({ signal }: ChainOptions): Look => {
    const looked = ring.discover({ signal }).then(() => nextView(context, view, { signal }))
    // A source that ignores the signal does not hold up the next look.
    const looking = untilAborted(looked, signal).then((next) => {
      view = next
      return next
    })
    const mine: Look = { looking, signal }
    syncing = mine
    const over = (): void => {
      if (syncing === mine) syncing = undefined
    }
    looking.then(over, over)
    return mine
  }

  const entries = async (given: ChainOptions): Promise<readonly HistoryEntry[]> => {
    const listed: readonly unknown[] = await chain.history(own.watched, given)
    return listedEntries(listed, findings, async (highest) =>
      view !== undefined && view.tip.height >= highest
        ? view.tip.height
        : (await chain.tip(given)).height,
    )
  }

  /** Entries of keys too that were paid since. */
  const allEntries = async (given: ChainOptions): Promise<readonly HistoryEntry[]> => {
    await ring.discover(given)
    return entries(given)
  }

  const planContext: PlanContext = {
    ...context,
    publicKeys: ring.publicKeys,
    changeKey: ring.changeKey,
    coinbaseMaturity,
    sync,
    prove: (tokenid, coins, given) => proveCoins(tokenid, coins, context, given),
  }
  const sender = createSender({
    chain,
    journal,
    signersOf(coins) {
      const keys = new Set(coins.map(({ script }) => own.ownerOf(script)?.publicKey))
      return ring.signers.filter(({ publicKey }) => keys.has(publicKey))
    },
    trustSource,
    heightOf: async (txid, given) =>
      (await entries(given)).find((entry) => entry.txid === txid)?.height,
    unrecorded: async (given) =>
      options.journal === undefined
        ? []
        : unrecordedSpends(context, journal, await entries(given), given),
    async spenderOf(outpoint, given) {
      const listed = await entries(given)
      const from = listed.find(({ txid }) => outpoint.startsWith(txid))?.height ?? 0
      for (const entry of listed.toReversed()) {
        // A transaction cannot be in an earlier block than the output that it spends.
        if (entry.height !== 0 && entry.height < from) break
        await known.fetch([entry.txid], given)
        const { inputs = [] } = known.get(entry.txid) ?? {}
        if (inputs.some((input) => keyOfOutpoint(input) === outpoint)) return entry
      }
      return undefined
    },
  })

  /** Returns why none of several transactions can be mined; `undefined` while one of them can. */
  const lostReason = async (
    attempts: readonly { readonly txid: string; readonly hex: string }[],
    given: ChainOptions,
  ): Promise<NotMined | undefined> => {
    const { height } = await chain.tip(given)
    const listed = await entries(given)
    let reason: NotMined | undefined
    for (const { txid, hex } of attempts) {
      known.add(hex)
      reason = await reasonNotMined({ known }, txid, { height, listed }, given)
      if (reason === undefined) return undefined
    }
    return reason
  }

  const waitFor = (txid: string, given: WaitOptions = {}): Promise<Confirmed> =>
    waitUntilMined({ chain, known, entries }, txid, given)

  /** Keeps a sent transaction, because the source may lose it. */
  const remembered = (result: SendResult): Sent => {
    const { txid, status, held, report } = result
    if (txid !== undefined && report.hex !== '') known.add(report.hex)
    const confirmed = async (given?: WaitOptions): Promise<Confirmed> => {
      if (txid !== undefined) return waitFor(txid, given)
      throw new NotMined('not-sent', '', `nothing was sent: ${held ?? status}`)
    }
    // Not listed among the members, so that a result can be printed, compared and cloned.
    return Object.defineProperty({ ...result } as Sent, 'confirmed', { value: confirmed })
  }

  const send = async <Request extends object>(
    given: Request & SendOptions,
    planOf: PlanOf<Request>,
  ): Promise<Sent> => {
    requireObject(given, 'request')
    const { id, confirm, dryRun, repeatMs, signal, allow, acknowledged, ...request } = given
    const options = withoutAbsent({
      ...{ id, confirm, dryRun, repeatMs, signal, allow, acknowledged },
    })
    requireSendOptions(options)
    const plan = await planOf(planContext, snapshot(request, 'request') as unknown as Request)
    requireSigners()
    return remembered(await sender.send(plan, options))
  }
  const requireSigners = (): void => {
    if (ring.signers.length > 0) return
    throw new TypeError('this wallet only watches: give it signers, or use wallet.prepare')
  }
  const preparer = createPreparer({ source: chain.name, journal, taken: sender.taken })
  const prepared = async <Request extends object>(
    given: Request & PrepareOptions,
    planOf: PlanOf<Request>,
  ): Promise<Prepared> => {
    requireObject(given, 'request')
    const { id, ...request } = given
    const plan = await planOf(planContext, snapshot(request, 'request') as unknown as Request)
    return preparer.prepare(plan, id)
  }
  /** Orders in the last look at the chain. Each has a marker, so most wallets ask for nothing. */
  const openOrders = async (given: ChainOptions): Promise<readonly WalletOrder[]> => {
    if (view === undefined || view.markers.length === 0) return []
    const { readOpenOrders } = await import('./trade.ts')
    return readOpenOrders(planContext, view, await entries(given), given)
  }
  const burn: PlanOf<Omit<TransferRequest, 'to'>> = (context, request) =>
    plans.burn(context, { ...request, to: burnKeyOf(network) })

  const wallet: Wallet = {
    addresses: () => [...own.addresses],
    async unusedAddress(given = {}) {
      requireReadOptions(given)
      await sync(given)
      const key = ring.unusedKey()
      return own.addresses.find(({ publicKey }) => publicKey === key)!
    },
    async balance(given = {}) {
      requireReadOptions(given)
      return balanceOf(await sync(given), coinbaseMaturity, await openOrders(given))
    },
    async coins(given = {}) {
      requireReadOptions(given, ['tokenid'])
      const { tokenid, signal } = given
      const wanted = tokenid === undefined ? undefined : readTxid(tokenid, 'tokenid')
      const { coins } = await sync({ signal })
      return [...coins.values()].filter((coin) => coin.tokenid === wanted)
    },
    async tokens(given = {}) {
      requireReadOptions(given)
      const held = holdingsOf(await sync(given), await openOrders(given))
      const outputs = new Map([...held].map(([tokenid, it]) => [tokenid, outpointsOf(it)]))
      const proofs = await proveTokens(outputs, context, given)
      return [...held].map(([tokenid, holding]) =>
        tokenOfHolding(tokenid, holding, proofs.get(tokenid)!),
      )
    },
    async history(options = {}) {
      requireReadOptions(options, ['limit', 'before'])
      const { limit = historyLimit, before, signal } = options
      requireUint32(limit, 'limit')
      const last = before === undefined ? undefined : readTxid(before, 'before')
      const newest = (await allEntries({ signal })).toReversed()
      const at = newest.findIndex(({ txid }) => txid === last)
      // The first page again would never end.
      if (last !== undefined && at < 0) {
        throw new TypeError(`before: expected a txid of the history, got ${last}`)
      }
      return readEntries(context, newest.slice(at + 1, at + 1 + limit), { signal })
    },
    pay: (request) => send<PayRequest>(request, plans.pay),
    transfer: (request) => send<TransferRequest>(request, plans.transfer),
    burn: (request) => send<Omit<TransferRequest, 'to'>>(request, burn),
    async createToken(request) {
      const sent = await send<CreateRequest>(request, plans.createToken)
      return sent.txid === undefined ? sent : Object.assign(sent, { tokenid: sent.txid })
    },
    merge: (request = {}) => send<MergeRequest>(request, plans.merge),
    async mergeAll({ confirm, signal, acknowledged, ...request } = {}) {
      requireSigners()
      const given = snapshot(request, 'request') as MergeAllRequest
      const options = withoutAbsent({ confirm, signal, acknowledged })
      requireSendOptions(options)
      const send = async (plan: Plan) => remembered(await sender.send(plan, options))
      const { mergeAll } = await import('./merge-all.ts')
      return mergeAll({ plans: planContext, taken: () => sender.taken(), send }, given)
    },
    ask: (request) => send<OfferRequest>(request, plans.ask),
    bid: (request) => send<BidRequest>(request, plans.bid),
    fill: (request) => send<FillRequest>(request, plans.fill),
    cancel: (request) => send<CancelRequest>(request, plans.cancel),
    async orders(given = {}) {
      requireReadOptions(given)
      await sync(given)
      return openOrders(given)
    },
    prepare: {
      pay: (request) => prepared<PayRequest>(request, plans.pay),
      transfer: (request) => prepared<TransferRequest>(request, plans.transfer),
      burn: (request) => prepared<Omit<TransferRequest, 'to'>>(request, burn),
      createToken: (request) => prepared<CreateRequest>(request, plans.createToken),
      merge: (request = {}) => prepared<MergeRequest>(request, plans.merge),
      ask: (request) => prepared<OfferRequest>(request, plans.ask),
      bid: (request) => prepared<BidRequest>(request, plans.bid),
      fill: (request) => prepared<FillRequest>(request, plans.fill),
      cancel: (request) => prepared<CancelRequest>(request, plans.cancel),
    },
    async submit(signed, given = {}) {
      requireSendOptions(given)
      const { operation, intent, hex } =
        typeof signed === 'string' ? preparer.caseOf(signed) : snapshot(signed, 'signed')
      const { submittedPlan } = await import('./submitted-plan.ts')
      const plan = submittedPlan(planContext, { operation, intent } as AskedFor, hex)
      return remembered(await sender.send(plan, given, hex))
    },
    async resume(given = {}) {
      requireReadOptions(given)
      const book = bookOf(journal)
      await book.catchUp()
      const resumed: Resumed[] = []
      for (const { name, id, request, attempts } of book.payments()) {
        const plan = request === undefined ? undefined : await recordedPlan(planContext, request)
        if (plan === undefined || attempts.every(({ fate }) => fate === 'dead')) continue
        const repeatMs = Number.POSITIVE_INFINITY
        const own = { ...given, repeatMs, resumeOnly: true, ...(id !== undefined && { id }) }
        try {
          const result = remembered(await sender.send(plan, own))
          const isOver = result.status === 'accepted'
          const lost = isOver ? undefined : await lostReason(attempts, given)
          resumed.push({ name, result, ...(lost !== undefined && { lost }) })
        } catch (error) {
          resumed.push({ name, error })
        }
      }
      return resumed
    },
    waitFor,
    events(given = {}) {
      requireReadOptions(given, ['pollMs'])
      const read = (some: readonly HistoryEntry[], limits: ChainOptions) =>
        readEntries(context, some, limits)
      return walletEvents({ entries: allEntries, read, balance: wallet.balance }, given)
    },
    findings: () => [...findings.list(), ...(options.chain.findings?.() ?? [])],
  }
  return Object.freeze(wallet)
}

function withoutAbsent(options: { readonly [Name in keyof SendOptions]: unknown }): SendOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function burnKeyOf({ conditions }: Network): string {
  return burnKeysOf[conditions]?.[0] ?? ''
}

async function readKeys(
  { signers, publicKeys, keychain, gapLimit = 20, keysMax = 1000 }: WalletOptions,
  context: Omit<ViewContext, 'own'>,
): Promise<{ readonly ring: KeyRing; readonly own: OwnScripts }> {
  const given = { signers, publicKeys, keychain }
  const [name, another] = Object.entries(given).flatMap(([key, it]) =>
    it === undefined ? [] : key,
  )
  if (another !== undefined) throw argumentError(another, `no ${name} beside it`, 'both')
  requireUint32(gapLimit, 'gapLimit')
  requireUint32(keysMax, 'keysMax')
  if (gapLimit === 0) throw argumentError('gapLimit', 'at least 1', gapLimit)
  if (keychain !== undefined) {
    const own = ownScriptsOf([], context.network)
    return {
      own,
      ring: await discoveringRing(keychain, { ...context, own }, { gapLimit, keysMax }),
    }
  }
  const ring = signers === undefined ? watchingRing(publicKeys) : signingRing(signers)
  return { ring, own: ownScriptsOf(ring.publicKeys, context.network) }
}

function signingRing(signers: readonly WalletSigner[]): KeyRing {
  requireArray(signers, 'signers')
  requireSome(signers, 'signers', 'signer')
  const read = readSigners(signers)
  return fixedRing(
    read.map(({ publicKey }) => publicKey),
    read,
  )
}

function watchingRing(publicKeys: readonly string[] | undefined): KeyRing {
  requireArray(publicKeys, 'publicKeys')
  requireSome(publicKeys, 'publicKeys', 'public key')
  return fixedRing(watchedKeys(publicKeys, 'publicKeys'), [])
}
