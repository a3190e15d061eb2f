// One payment: choose coins, build, sign, verify, record, send. The order is that of every safe
// flow, so what was recorded for the same request is settled first.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import {
  isSettled,
  type RecordedAttempt,
  type RecordedPayment,
} from '../journal/recorded-payment.ts'
import type { Report } from '../request/report.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import type { Attempt } from '../rpc/safe-flow/attempts.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Held, Payment } from '../rpc/safe-flow/flow.ts'
import { idempotentSend, settleRecorded } from '../rpc/safe-flow/idempotent-send.ts'
import { paysOther } from '../rpc/safe-flow/pending.ts'
import { depthMax, type Place } from '../rpc/safe-flow/place.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { isCallbackRunning, runCallback } from '../rpc/safe-flow/turns.ts'
import { signCaseWith, verifyOnDemand } from '../verification/on-demand.ts'
import { untilAborted } from './aborting.ts'
import { broadcast, broadcastAgain } from './broadcast.ts'
import { withClaims } from './claims.ts'
import { isHeldByWarning } from './held-warnings.ts'
import { heightsOf } from './looks.ts'
import { NeedsMerge } from './merge.ts'
import type { SendOptions } from './options.ts'
import { believedPlace, isExpired, possiblePlace } from './places.ts'
import type { Plan, Taken } from './plan.ts'
import { recordedNames, withNames } from './recorded-request.ts'
import type { SendResult } from './send-result.ts'
import type { WalletSigner } from './signer.ts'
import { takenCoinsOf } from './taken-coins.ts'
import type { TransactionHistory, TransactionScripts } from './transaction-history.ts'
import type { Compared, UnrecordedSpend } from './unrecorded.ts'

export interface Sender {
  /** @param signed - hex that another machine signed; nothing is built then */
  send(plan: Plan, options: SendOptions, signed?: string): Promise<SendResult>
  /** Records what a block has of a recorded payment. Sends nothing. */
  settle(plan: Plan, recorded: RecordedPayment, options: ChainOptions): Promise<void>
  /** Resolves with the coins that other payments than this one need. */
  taken(name?: string): Promise<Taken>
}

interface SenderContext {
  readonly chain: ChainSource
  readonly journal: Journal
  /** Returns the signers of the keys that the coins of a transaction belong to. */
  signersOf(coins: readonly { readonly script: string }[]): readonly WalletSigner[]
  /** True if the user gave the journal. */
  readonly isDurable: boolean
  /** True if the user runs the source. Its claims about depth may then end an attempt. */
  readonly trustSource: boolean
  /** Returns the wallet's keys that a transaction pays, and then those whose coins it spends. */
  keysIn(hex: string): readonly string[]
  /** Finds the used keys of a keychain, because a new process knows only the first ones. */
  findKeys(options: ChainOptions): Promise<void>
  /** Reads the history in which a transaction has to be. */
  historyOf(transaction: TransactionScripts, options: ChainOptions): Promise<TransactionHistory>
  /** Returns spends of the wallet's coins that the journal does not have. */
  unrecorded(
    compared: Omit<Compared, 'journal'>,
    options: ChainOptions,
  ): Promise<readonly UnrecordedSpend[]>
  /** Returns the listed transaction that spends an output, with its height. */
  spenderOf(
    outpoint: string,
    options: ChainOptions,
  ): Promise<{ readonly txid: string; readonly height: number } | undefined>
}

interface CheckedCase extends Checked {
  readonly case?: UnsignedTransaction
}

/**
 * Equal payments that one call looks for. After a lost journal, each of thousands of calls would
 * verify thousands of them.
 */
const equalMax = 16

export function createSender(context: SenderContext): Sender {
  const { chain, journal, isDurable, trustSource } = context
  const { choose, taken, release } = takenCoinsOf(chain, journal)

  async function isDead(
    { txid, hex, outpoints }: Attempt,
    options: ChainOptions,
  ): Promise<boolean> {
    const { height } = await chain.tip(options)
    const transaction = await readTransaction(hex)
    if (isExpired(transaction, height)) {
      const { listed, isWhole } = await context.historyOf(transaction!, options)
      // A source may list a mined transaction and keep its bytes to itself.
      if (listed.some((it) => it.txid === txid && it.height > 0)) return false
      // A block may have it while no history of this wallet shows it.
      if (isWhole) return true
    }
    for (const outpoint of outpoints) {
      const spender = await context.spenderOf(outpoint, options)
      if (spender === undefined || spender.txid === txid || spender.height === 0) continue
      if (height >= spender.height + depthMax) return true
    }
    return false
  }

  /**
   * Returns true if another transaction than the named one has made the payment of an id. The named
   * one made another payment then, and would be missing there.
   */
  async function isMadeByOther(
    payment: Payment<CheckedCase>,
    name: string,
    paidBy: string | undefined,
  ): Promise<boolean> {
    const book = bookOf(journal)
    await book.catchUp()
    const recorded = book.payment(name)
    if (recorded?.id === undefined) return false
    await settleRecorded(payment, recorded)
    const made = book.payment(name)?.attempts.find(isSettled)
    return made !== undefined && made.txid !== paidBy?.toLowerCase()
  }

  /** @throws {RpcError} if the source does not have it */
  async function transactionOf(given: string, options: ChainOptions): Promise<string> {
    const txid = given.toLowerCase()
    const [hex] = await chain.transactions([txid], options)
    if (typeof hex === 'string' && (await readTransaction(hex))?.txid === txid) return hex
    const details = { method: 'transactions', reason: 'unexpected_value', path: 'paidBy' } as const
    throw new RpcError('shape', `paidBy: ${chain.name} does not have ${txid}`, details)
  }

  /** Returns how a payment is looked for on the chain, and verified. */
  function looksOf(plan: Plan, name: string, limits: ChainOptions) {
    const requestBefore = () => bookOf(journal).payment(name)?.request
    async function verifiedByKnownKeys(hex: string, state: 'new' | 'on-chain'): Promise<Report> {
      // The journal may have the transaction for an equal payment, with other names.
      const { txid = '' } = (await readTransaction(hex)) ?? {}
      const recorded = bookOf(journal).paymentsOf(txid)
      const requests = [requestBefore(), ...recorded.map(({ request }) => request)]
      const madeBy = requests.flatMap(recordedNames)
      return verifyOnDemand(await plan.caseOf(hex, state, { ...limits, madeBy }), limits)
    }
    return {
      requestBefore,
      verifiedByKnownKeys,
      async verified(hex: string, state: 'new' | 'on-chain'): Promise<Report> {
        // Without all of its keys, the wallet would not recognise its own change.
        await context.findKeys(limits)
        return verifiedByKnownKeys(hex, state)
      },
      async lookUp(txid: string) {
        const [hex] = await chain.transactions([txid], limits)
        return typeof hex === 'string' ? hex : ({ reason: 'unknown' } as const)
      },
      async place(txid: string, { isBuiltElsewhere }: RecordedAttempt): Promise<Place> {
        const [hex] = await chain.transactions([txid], limits)
        const transaction = typeof hex === 'string' ? await readTransaction(hex) : undefined
        if (transaction?.txid !== txid) return {}
        const { listed } = await context.historyOf(transaction, limits)
        const { height: tip } = await chain.tip(limits)
        // A transaction of another builder may have any expiry height.
        const placeOf = isBuiltElsewhere ? possiblePlace : believedPlace
        return placeOf(transaction, heightsOf(listed), tip)
      },
      spender: async (outpoint: string) => (await context.spenderOf(outpoint, limits))?.txid,
    }
  }

  return {
    taken,
    async settle(plan, recorded, limits) {
      const { name, request = '' } = recorded
      const { verified, lookUp, place, spender } = looksOf(plan, name, limits)
      const nothingNew = () => Promise.reject(new Error('settling makes no payment'))
      const payment: Payment<CheckedCase> = {
        client: chain,
        key: plan.key,
        options: { journal, signal: limits.signal },
        request: () => request,
        refusal: 'daemon',
        newTransaction: nothingNew,
        check: async (hex) => ({ report: await verified(hex, 'on-chain') }),
        ...{ lookUp, place, spender },
        send: nothingNew,
      }
      await settleRecorded(payment, recorded)
    },
    async send(plan, options, signed) {
      const { signal } = options
      const limits = { signal }
      const name = options.id === undefined ? `terms ${plan.key}` : `id ${options.id}`
      if (isCallbackRunning(journal, name))
        return { status: 'held', held: 'under-way', report: emptyReport }
      const { confirm, allow: _, acknowledged = [], paidBy, ...flowOptions } = options
      let unrecorded: readonly string[] = []
      let equal: readonly string[] = []
      let isWarned = false
      let isRecorded = true
      let chainId: string | undefined
      let usedKeys: readonly string[] = []
      const confirmed = async (report: Report): Promise<boolean> => {
        const { usualWarnings } = plan
        isWarned = isHeldByWarning(report, { ...options, usualWarnings, isRecorded })
        if (isWarned || confirm === undefined) return !isWarned
        return (await confirm(report)) === true
      }
      const looks = looksOf(plan, name, limits)
      const { verified, verifiedByKnownKeys } = looks
      /**
       * Looks for spends that the journal does not have, and for this payment among them. Resolves with
       * true if they hold the payment.
       *
       * @param kinds - `equal` for bytes that were recorded: what the caller acknowledged then is not
       *   known any more
       */
      async function isHeldBySpends(kinds: 'all' | 'equal'): Promise<boolean> {
        const sent = signed === undefined ? undefined : await readTransaction(signed)
        const isEqualOnly = kinds === 'equal'
        const compared = { chain: chainId, terms: plan.key, isEqualOnly }
        const spends = await context.unrecorded(compared, limits)
        const known = new Set(acknowledged.map((txid) => txid.toLowerCase()))
        const found: string[] = []
        const held: string[] = []
        for (const { transaction, hex, isBefore } of spends) {
          const { txid } = transaction
          // The same bytes pay only once, although another machine may have sent them.
          if (txid === sent?.txid) continue
          // Verification reads all ancestors, so what cannot be the payment is left out before.
          const isEqual =
            found.length < equalMax &&
            plan.mayBe?.(transaction) === true &&
            !paysOther({ report: await verifiedByKnownKeys(hex, 'on-chain') })
          if (isEqual) found.push(txid)
          if (isEqual || !(isBefore || known.has(txid))) held.push(txid)
        }
        equal = found
        unrecorded = held
        return held.length > 0
      }
      try {
        const earlier = paidBy === undefined ? undefined : await transactionOf(paidBy, limits)
        if (earlier !== undefined) {
          const report = await verified(earlier, 'on-chain')
          if (paysOther({ report })) return { status: 'rejected', held: 'rejected', report }
          // Only a look: the journal gets no record of it.
          if (options.dryRun === true) return { status: 'held', held: 'dry-run', report }
        }
        const payment: Payment<CheckedCase> = {
          client: chain,
          key: plan.key,
          options: {
            ...(plan.repeatMs !== undefined && { repeatMs: plan.repeatMs }),
            ...flowOptions,
            confirm: confirmed,
            journal,
            trustServer: trustSource,
          },
          request: () =>
            withNames(plan.request(), { used: usedKeys, before: looks.requestBefore() }),
          refusal: 'daemon',
          async newTransaction() {
            isRecorded = false
            if (await isHeldBySpends('all')) return { report: emptyReport }
            if (signed !== undefined) {
              const given = await plan.caseOf(signed, 'new', limits)
              usedKeys = context.keysIn(signed)
              return { report: withClaims(await verifyOnDemand(given, limits), chain.name) }
            }
            const built = await choose(name, plan, signal)
            usedKeys = context.keysIn(built.hex)
            const signers = context.signersOf(built.coins)
            // A signer may be a person with a device, or a program that calls the wallet.
            const report = await runCallback(journal, name, () =>
              untilAborted(signCaseWith(built, signers), signal),
            )
            return { report: withClaims(report, chain.name), case: built }
          },
          async check(hex, state) {
            if (state === 'on-chain') return { report: await verified(hex, state) }
            if (await isHeldBySpends('equal')) return { report: emptyReport }
            return { report: withClaims(await verified(hex, 'new'), chain.name) }
          },
          lookUp: looks.lookUp,
          ...(plan.isBuiltElsewhere && { isBuiltElsewhere: true }),
          place: looks.place,
          spender: looks.spender,
          async chain() {
            chainId = await chain.chain?.(limits)
            return chainId
          },
          tip: async () => (await chain.tip(limits)).height,
          isDead: (attempt) => isDead(attempt, limits),
          send: (attempt) => broadcast(chain, attempt, limits),
          sendAgain: (attempt) => broadcastAgain(chain, attempt, limits),
        }
        const isMade = earlier !== undefined && (await isMadeByOther(payment, name, paidBy))
        const paid = await idempotentSend(
          earlier === undefined || isMade
            ? payment
            : { ...payment, options: { ...payment.options, earlier } },
        )
        const isUnsent = paid.held === 'rejected' || paid.held === 'unsettled'
        if (isUnsent && unrecorded.length > 0) {
          const made = equal.length > 0 ? { paidBy: equal } : {}
          const held = { ...paid, held: 'unrecorded-spends', unrecorded, ...made } as const
          const [latest] = paid.unsettled ?? []
          if (latest === undefined) return { ...held, status: 'held' }
          const { txid, hex } = latest
          return { ...held, status: 'uncertain', txid, report: { ...emptyReport, hex } }
        }
        const why = isWarned && paid.held === 'declined' ? { held: 'warned' as const } : {}
        const isForgotten = options.id !== undefined && !isDurable && paid.txid !== undefined
        const kept = isForgotten ? { onlyInMemory: true as const } : {}
        const result = { ...paid, ...why, ...kept }
        const { txid: sent } =
          paid.unsettled?.find(({ hex }) => hex === paid.report.hex.toLowerCase()) ?? {}
        if (paid.held === 'rejected' && sent !== undefined) {
          return { ...result, status: 'uncertain', txid: sent }
        }
        return { ...result, status: statusOf(paid) }
      } catch (error) {
        if (error instanceof NeedsMerge) {
          return { status: 'held', held: 'needs-merge', merge: error.plan, report: emptyReport }
        }
        if (!isRpcError(error) || error.uncertain !== true) throw error
        const { txid, unsettled = [] } = error
        const report = { ...emptyReport, hex: unsettled[0]?.hex ?? '' }
        return { status: 'uncertain', ...(txid && { txid }), report, unsettled, error }
      } finally {
        release(name)
      }
    },
  }
}

const emptyReport: Report = { ok: false, broadcast: 'no', findings: [], hex: '', effects: [] }

function statusOf({
  txid,
  held,
}: {
  readonly txid?: string
  readonly held?: Held
}): SendResult['status'] {
  if (txid !== undefined) return 'accepted'
  return held === 'rejected' ? 'rejected' : 'held'
}
