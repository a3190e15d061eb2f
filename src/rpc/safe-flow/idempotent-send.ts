// The steps of every safe flow. A flow first settles earlier attempts, and only then requests
// another transaction. It sends nothing that was not verified and recorded.

import { AntaraError } from '../../errors/antara-error.ts'
import { type Book, bookOf } from '../../journal/book.ts'
import type { Journal } from '../../journal/journal.ts'
import { memoryJournal } from '../../journal/memory.ts'
import type { RecordedAttempt, RecordedPayment } from '../../journal/recorded-payment.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { unverifiedReport } from '../../request/report.ts'
import { isRpcError, type UnsettledTransaction, withDetails } from '../errors.ts'
import {
  type Attempts,
  attemptsOf,
  isOutcomeKnown,
  nameOfCall,
  type PaymentName,
} from './attempts.ts'
import type { Checked } from './check.ts'
import { settleEqualPayments } from './equal-payments.ts'
import type { TransactionSource } from './evidence.ts'
import type { Flow, Outcome, Payment, SafeFlowResult } from './flow.ts'
import { reportProgress } from './options.ts'
import {
  confirmSettled,
  isOfOtherChain,
  isRepetition,
  recordEarlier,
  recordPaidBy,
  repeatMsDefault,
  settleIfFound,
  settlePending,
} from './pending.ts'
import { release, verifiedAttempt } from './release.ts'
import { loadAttemptReader, loadReader, worthwhileInputs } from './transaction.ts'
import { inTurn, isCallbackRunning, isTurnTaken } from './turns.ts'
import { unrecordedPayment } from './unrecorded.ts'

/** Returns the journal in memory of a client, for calls that give no journal. */
const journalOf = oncePerObject((_client: object): Journal => memoryJournal())

/** Milliseconds for which settled payments keep all of their records in a journal: 30 days. */
const keepMs = 30 * 24 * 3_600_000

/**
 * Makes a payment, unless an earlier attempt at it could be mined as well. The result, or the
 * error, names every transaction that may have been broadcast.
 */
export async function idempotentSend(payment: Payment): Promise<SafeFlowResult> {
  const { client, key, options } = payment
  const { id, journal = journalOf(client) } = options
  requireId(id)
  requireClock()
  const isDurable = options.journal !== undefined
  const book = bookOf(journal)
  const name = nameOfCall({ id, terms: key })
  // A callback that makes its own payment again would wait for itself.
  if (isCallbackRunning(journal, name)) return { ...emptyResult(), held: 'under-way' }
  const repeatMs = id === undefined ? longerThanUsual(options.repeatMs) : undefined
  const named: PaymentName = {
    // Read after the journal, which may have another request of this id.
    get name() {
      return book.nameOf(name, key)
    },
    ...{ terms: key, id, repeatMs },
    // The memory of a client forgets a payment without an id once it is made.
    equalMs: isDurable ? (options.repeatMs ?? repeatMsDefault) : 0,
    // Read when an attempt is recorded: a wallet then knows which of its keys it is for.
    get request() {
      return payment.request()
    },
  }
  const attempts = attemptsOf(book, named, await loadAttemptReader())
  const flow = { payment, attempts, journal, book, named, isDurable }
  try {
    const outcome = await inTurn(journal, name, options.signal, () => settleOrPay(flow))
    // The caller relies on the id, and a restart would forget it.
    const isForgotten = id !== undefined && !isDurable && outcome.txid !== undefined
    const paid = isForgotten ? { ...outcome, onlyInMemory: true as const } : outcome
    const unsettled =
      paid.held === 'different-inputs' ? heldBy(attempts) : attempts.possiblyBroadcast()
    return paid.held === undefined || unsettled.length === 0 ? paid : { ...paid, unsettled }
  } catch (error) {
    throw withUnsettled(error, await possiblyBroadcast(flow))
  }
}

/** Returns the attempts of the journal, and those that the caller names: it may not have them yet. */
async function possiblyBroadcast({
  payment: { options },
  attempts,
}: Flow): Promise<readonly UnsettledTransaction[]> {
  const recorded = attempts.possiblyBroadcast()
  const known = new Set([...recorded, attempts.settled()].map((it) => it?.txid))
  const read = await loadAttemptReader()
  const named = [options.earlier ?? []].flat().flatMap((hex) => read(hex) ?? [])
  const others = named.filter(({ txid }) => !known.has(txid))
  return [...recorded, ...others.map(({ txid, hex }) => ({ txid, hex }))]
}

/** Returns what a new transaction could be mined beside. A server may relay what it refuses. */
function heldBy(attempts: Attempts): readonly UnsettledTransaction[] {
  const equal = attempts.equalPayments().map(({ attempt }) => attempt)
  const all = [...attempts.unsettled(), ...equal, ...attempts.madeRecently()]
  return all.map(({ txid, hex }) => ({ txid, hex }))
}

/**
 * Looks for unsettled attempts at a payment on the chain, and records those that it has. Sends
 * nothing.
 *
 * @param isSought - true for an attempt that is looked for. After a lost answer, the same call finds
 *   out: if another call settled that attempt, a repeated call without an id would pay again
 * @param isPatient - false to do nothing while a call works on the payment, which may wait for the
 *   caller
 */
export async function settleRecorded(
  payment: Payment,
  { name, terms, request = '', id, chain }: RecordedPayment,
  isSought: (attempt: RecordedAttempt) => boolean,
  isPatient = true,
): Promise<void> {
  const { journal = journalOf(payment.client), signal } = payment.options
  const book = bookOf(journal)
  const named: PaymentName = { name, terms, request, id, chain }
  const attempts = attemptsOf(book, named, await loadAttemptReader())
  const flow = { payment, attempts, journal, book, named, isDurable: true }
  const turn = nameOfCall(named)
  if (!isPatient && isTurnTaken(journal, turn)) return
  await inTurn(journal, turn, signal, async () => {
    await book.catchUp()
    const sought = attempts.unsettled().filter(isSought)
    for (const attempt of sought) await settleIfFound(flow, attempt)
  })
}

/** A call with a shorter `repeatMs` may compact the journal, so a record has a longer one. */
function longerThanUsual(repeatMs = 0): number | undefined {
  // JSON has no infinity.
  return repeatMs > keepMs ? Math.min(repeatMs, Number.MAX_SAFE_INTEGER) : undefined
}

/** Returns the result of a call that verified no transaction. */
export function emptyResult(): Checked {
  return { report: unverifiedReport }
}

/** @throws {TypeError} */
function requireId(id: unknown): void {
  if (id === undefined) return
  const isText = typeof id === 'string' && id.length >= 1 && id.length <= idCharactersMax
  // Errors and lists show the id on one line.
  if (!isText || /\p{C}/u.test(id)) {
    throw new TypeError(`id: expected 1 to ${idCharactersMax} printable characters`)
  }
  // Two forms of one word look alike, and would be two payments.
  if (id.normalize() !== id) throw new TypeError('id: expected composed characters (NFC)')
}

/**
 * Returns a payment of which the id differs from a new one only by outer spaces or quotation marks.
 * Early versions took them, so the new id would make the payment a second time. A guard writes its
 * user before the name, so the quotation marks may be inside of the id.
 */
export function paymentOfLikeId(
  book: Pick<Book, 'payment' | 'withMarkedId'>,
  { name, id }: Pick<PaymentName, 'name' | 'id'>,
): RecordedPayment | undefined {
  if (id === undefined || book.payment(name) !== undefined) return undefined
  return book
    .withMarkedId()
    .find(({ id: known = '' }) => known.trim() === id || withoutQuotes(known) === id)
}

/**
 * Returns an id without quotation marks, which early versions of the guard took. A journal may have
 * many ids, and a search for the marks is cheaper than their removal.
 */
export function withoutQuotes(id: string): string {
  return id.includes('"') ? id.replaceAll('"', '').trim() : id
}

/**
 * Requires a new id to have no outer spaces, and to be like no known one. An id that the journal has
 * stays usable, because only that id finds its payment.
 *
 * @throws {TypeError}
 * @throws {AntaraError} `id_conflict`
 */
function requireNewId({ book, named }: Flow): void {
  const { id = '', name } = named
  if (id.trim() !== id && book.payment(name) === undefined) {
    throw new TypeError('id: expected no space at its ends')
  }
  const like = paymentOfLikeId(book, named)
  if (like === undefined) return
  const expected = `the id of the journal, with its spaces or quotation marks: ${like.id}`
  throw new AntaraError('id_conflict', { path: `id ${id}`, expected, actual: named.request })
}

const idCharactersMax = 200

/** @throws {AntaraError} `journal_failed` for a clock whose time no record could have */
function requireClock(): void {
  const now = Date.now()
  if (!Number.isNaN(new Date(now).getTime())) return
  const [expected, actual] = ['a time of day', now]
  throw new AntaraError('journal_failed', { path: 'clock', expected, actual })
}

/** Marks an error as uncertain if an earlier transaction may have been broadcast. */
function withUnsettled(error: unknown, unsettled: readonly UnsettledTransaction[]): unknown {
  const [latest] = unsettled
  if (!isRpcError(error) || latest === undefined) return error
  return withDetails(error, { uncertain: true, txid: error.txid ?? latest.txid, unsettled })
}

/** Rounds after which a flow gives up, because other processes keep recording for its payment. */
const roundsMax = 32

/**
 * Settles an earlier attempt, or makes the payment. Begins again if another process recorded
 * something for the payment meanwhile.
 */
async function settleOrPay(flow: Flow): Promise<SafeFlowResult> {
  for (let round = 0; round < roundsMax; round += 1) {
    await flow.book.catchUp()
    requireSameRequest(flow)
    requireNewId(flow)
    // A step returns a result, `changed`, or `undefined` if the next step is to go on.
    const outcome =
      (await requireSameChain(flow)) ??
      (await recordEarlier(flow)) ??
      (await confirmSettled(flow)) ??
      (await recordPaidBy(flow)) ??
      (await settlePending(flow)) ??
      (await settleEqualPayments(flow)) ??
      (await payAnew(flow))
    if (outcome === 'changed' || outcome === undefined) continue
    await compactJournal(flow)
    return outcome
  }
  throw new AntaraError('journal_changed', { path: flow.named.name })
}

/** @throws {AntaraError} `id_conflict` */
function requireSameRequest({ book, named }: Flow): void {
  const { name, terms, id } = named
  const known = book.payment(name)
  if (known === undefined || known.terms === terms) return
  const { request } = named
  const expected = known.request ?? known.terms
  throw new AntaraError('id_conflict', { path: `id ${id}`, expected, actual: request })
}

/**
 * Lets a payment of another chain be made on this one only if it has no id, and is over: the call is
 * then a new payment.
 *
 * @throws {AntaraError} `journal_chain`
 */
async function requireSameChain(flow: Flow): Promise<undefined> {
  const { payment, attempts, book, named, isDurable } = flow
  if (!isDurable) {
    await payment.requireChain?.()
    return
  }
  const { name, id } = named
  const known = book.payment(name)
  named.chain ??= await payment.chain?.(known)
  named.falseChains ??= await falseChains(attempts.ofOtherChains(), payment.lookUp)
  if (known === undefined || !isOfOtherChain(flow)) return
  const settled = attempts.settled()
  const isRepeated = settled !== undefined && (await isRepetition(flow, settled))
  const isOver = known.attempts.every(({ fate }) => fate !== undefined)
  if (id === undefined && isOver && !isRepeated) return
  const { chain: expected } = known
  throw new AntaraError('journal_chain', { path: name, expected, actual: named.chain })
}

/**
 * Returns the chains of records that are this chain: a server reported another block 1 when the
 * record was written, but this one has the transaction. For an attempt of unknown outcome, it is
 * enough that this one has what the attempt spends. An accepted one is not sent again for that: a
 * chain that was begun again for tests may have the same coins.
 */
export async function falseChains(
  ofOtherChains: readonly RecordedAttempt[],
  lookUp: TransactionSource,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const read = await loadReader()
  const has = async (txid: string): Promise<boolean> => {
    const hex = await lookUp(txid)
    return typeof hex === 'string' && read(hex)?.txid === txid
  }
  for (const attempt of ofOtherChains) {
    const { chain = '', txid: sent, minedAs: txid = sent, hex } = attempt
    if (found.has(chain)) continue
    const [spent] = isOutcomeKnown(attempt) ? [] : worthwhileInputs(read(hex))
    const isHere = (await has(txid)) || (spent !== undefined && (await has(spent.txid)))
    if (isHere) found.add(chain)
  }
  return found
}

/** Compacts the journal. A failure is ignored, because it leaves the journal unchanged. */
async function compactJournal({ book, payment: { options } }: Flow): Promise<void> {
  const at = new Date(Date.now()).toISOString()
  const { repeatMs = 0 } = options
  await book.compact({ at, keepMs, repeatMs }).catch(() => undefined)
}

async function payAnew(flow: Flow): Outcome {
  const { payment, attempts } = flow
  if (payment.options.resumeOnly === true) {
    const [latest] = attempts.unsettled()
    // An attempt that can never be mined is no longer among them.
    const result = latest === undefined ? emptyResult() : await payment.check(latest.hex)
    return { ...result, held: 'unsettled' }
  }
  const building = payment.isBuiltBeside === true ? payment.newTransaction() : undefined
  // The comparison may end the payment before the failure of a build is looked at.
  building?.catch(() => undefined)
  const unrecorded = await unrecordedPayment(flow)
  if (unrecorded !== undefined) return unrecorded
  reportProgress(payment.options, { step: 'asking' })
  const checked = await (building ?? payment.newTransaction())
  const attempt = await verifiedAttempt(checked)
  if (attempt === undefined) return { ...checked, held: 'rejected' }
  const obstacle = attempts.obstacle(attempt, payment.options)
  if (obstacle !== undefined) return { ...checked, held: obstacle }
  return release(flow, checked, attempt)
}
