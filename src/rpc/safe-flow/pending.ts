// Settles the recorded attempts at a payment.

import type { Book } from '../../journal/book.ts'
import {
  depthMax,
  type RecordedAttempt,
  type RecordedPayment,
} from '../../journal/recorded-payment.ts'
import { unverifiedReport } from '../../request/report.ts'
import { isRpcError, RpcError, withDetails } from '../errors.ts'
import { isAround, isWithin, namesOtherChain } from './attempts.ts'
import type { Checked } from './check.ts'
import type { Flow, Outcome, Payment, SafeFlowResult } from './flow.ts'
import { reportProgress, type SafeFlowOptions } from './options.ts'
import { paysOther } from './pays-other.ts'
import { release, verifiedAttempt } from './release.ts'
import { loadAttemptReader, readAttempt, readTransaction } from './transaction.ts'
import { unrecordedPayment } from './unrecorded.ts'

/** Time in milliseconds for which a settled payment without an id answers the same request. */
export const repeatMsDefault: number = 10 * 60_000

/** Records the attempts that the caller names. Returns a result if one cannot be recorded. */
export async function recordEarlier({ payment, attempts }: Flow): Outcome {
  const read = await loadAttemptReader()
  for (const hex of earlierOf(payment)) {
    const attempt = read(hex)
    if (attempt === undefined) return { ...(await payment.check(hex)), held: 'rejected' }
    if (attempts.settled()?.txid === attempt.txid) continue
    const remembered = await attempts.remember(attempt, { isNamed: true })
    if (remembered === 'changed') return 'changed'
    if (remembered !== 'recorded') return { ...(await payment.check(hex)), held: remembered }
  }
  return undefined
}

/**
 * Records the transaction that made this payment, as the caller claims. Returns a result if it makes
 * another payment. Records nothing if the chain has another attempt at this one: the named one made
 * a payment of another id then, and would be missing there.
 *
 * @throws {RpcError} if the server does not have it
 */
export async function recordPaidBy(flow: Flow): Outcome {
  const { payment, attempts } = flow
  const { paidBy, dryRun } = payment.options
  const txid = paidBy?.toLowerCase()
  if (txid === undefined) return undefined
  const hex = await payment.lookUp(txid)
  const attempt = await readAttempt(hex)
  if (attempt?.txid !== txid) throw unknownPaidBy(txid)
  const checked = await payment.check(attempt.hex, 'on-chain')
  if (paysOther(checked)) return { ...checked, held: 'rejected' }
  // Only a look: the journal gets no record of it.
  if (dryRun === true) return { ...checked, held: 'dry-run' }
  for (const recorded of attempts.unsettled()) {
    const found = recorded.txid === txid ? undefined : await settleIfFound(flow, recorded)
    if (found !== undefined) return found
  }
  const remembered = await attempts.remember(attempt, { isNamed: true })
  if (remembered === 'changed') return 'changed'
  return remembered === 'recorded' ? undefined : { ...checked, held: remembered }
}

export function unknownPaidBy(txid: string): RpcError {
  const details = { reason: 'unexpected_value', path: 'paidBy', expected: txid } as const
  return new RpcError('shape', `paidBy: the server does not have ${txid}`, details)
}

function earlierOf({ options }: Payment): readonly string[] {
  const { earlier = [] } = options
  return typeof earlier === 'string' ? [earlier] : earlier
}

/**
 * Checks a payment that was settled. Returns it, or `undefined` to pay again: because the request
 * may be a new one, or because the payment left the chain and is unsettled again.
 */
export async function confirmSettled(flow: Flow): Outcome {
  const { attempts, named } = flow
  const settled = attempts.settled()
  if (settled === undefined || isOfOtherChain(flow)) return undefined
  const { txid: sent, minedAs: txid = sent, hex } = settled
  if (hex !== '' && (await hasLeftChain(flow, settled))) {
    await attempts.note('reopened', sent)
    return undefined
  }
  if (named.id === undefined && !(await isRepetition(flow, settled))) return undefined
  return { ...(await checkedAgain(flow, settled)), txid, repeated: true }
}

/** Returns true if the journal has the payment for another chain than that of the server. */
export function isOfOtherChain({ book, named }: Flow): boolean {
  return namesOtherChain(named, book.payment(named.name) ?? {})
}

/**
 * Returns true if a call without an id repeats a payment that was made: the payment is recent, or
 * the caller names its transaction, in `earlier` or `paidBy`.
 */
export async function isRepetition(
  { payment, isDurable }: Flow,
  attempt: RecordedAttempt,
): Promise<boolean> {
  const { paidBy, repeatMs = repeatMsDefault } = payment.options
  if (isDurable && isWithin(repeatMs, attempt)) {
    // A time far ahead shows nothing, so the chain decides.
    if (isAround(repeatMs, attempt) || !(await isLongAgo(payment, attempt, repeatMs))) return true
  }
  const { txid, minedAs = txid } = attempt
  if (paidBy !== undefined && [txid, minedAs].includes(paidBy.toLowerCase())) return true
  const read = await loadAttemptReader()
  return earlierOf(payment).some((hex) => read(hex)?.txid === txid)
}

/** Where a block takes a minute, as on most chains of the Komodo family. */
const blockMs = 60_000

/**
 * Returns true if a settled attempt is as many blocks deep as `repeatMs` has minutes, and does not
 * leave the chain any more.
 */
async function isLongAgo(
  payment: Payment,
  { height }: RecordedAttempt,
  repeatMs: number,
): Promise<boolean> {
  const tip = await payment.tip?.()
  const depth = Math.max(depthMax, repeatMs / blockMs)
  return height !== undefined && tip !== undefined && tip >= height + depth
}

/**
 * Returns true if the server no longer has a settled payment. If that was deep in the chain, this
 * server is wrong, or the one that reported the block. An output that the payment spends, or a second
 * sending of the bytes, then decides.
 */
async function hasLeftChain({ payment }: Flow, recorded: RecordedAttempt): Promise<boolean> {
  const { txid: sent, minedAs: txid = sent, hex, height } = recorded
  reportProgress(payment.options, { step: 'looking-up-earlier', txid })
  const found = await payment.lookUp(txid)
  if (typeof found === 'string' && (await isOurs(found, { txid, sent, hex }))) return false
  const tip = await payment.tip?.()
  if (height === undefined || tip === undefined || tip < height + depthMax) return true
  const { dryRun, trustServer } = payment.options
  const attempt = await readAttempt(hex)
  if (attempt?.txid !== sent) return false
  if (await payment.isUnmined?.(attempt)) return true
  if (payment.sendAgain === undefined || dryRun === true) return false
  if ((await payment.place(txid, recorded))?.height !== undefined) return false
  try {
    return await payment.sendAgain(attempt)
  } catch (error) {
    if (!isRpcError(error, payment.refusal)) throw error
    // A new attempt has to share an input, unless a trusted server ends this one.
    if (trustServer !== true) return true
    throw withDetails(error, { uncertain: true, txid: sent })
  }
}

/**
 * Returns the report of a settled payment. After compaction its bytes are gone, and the report is
 * empty.
 */
async function checkedAgain({ payment }: Flow, { hex }: RecordedAttempt): Promise<Checked> {
  if (hex !== '') return payment.check(hex, 'on-chain')
  return { report: { ...unverifiedReport, ok: true } }
}

/**
 * Returns an earlier attempt that the chain has, or sends one again. It does not send an attempt that
 * the caller names beside another one, because both could be mined if a device signed a payment
 * twice. Returns `undefined` if the server rejected every attempt, or if an attempt has settled and
 * the caller pays once more.
 */
export async function settlePending(flow: Flow): Outcome {
  const { payment, attempts } = flow
  const { isSought = () => true } = payment
  const unsettled = attempts.unsettled().filter(isSought)
  let other: SafeFlowResult | undefined
  for (const attempt of unsettled) {
    const found = await settleIfFound(flow, attempt)
    if (found === undefined) continue
    if (found.held === undefined) return found
    other ??= found
  }
  other ??= await settleIfAlive(flow)
  if (other !== undefined) return other
  // A mined attempt that is not a repetition means that this request is a new payment.
  if (attempts.settled() !== undefined) return undefined
  const isBesideOther = (recorded: RecordedAttempt): boolean =>
    payment.options.differentInputs !== true && attempts.isBeside(recorded)
  const isSendable = (recorded: RecordedAttempt): boolean =>
    !isBesideOther(recorded) && !isKeptBack(flow, recorded)
  // Another machine may have made the payment meanwhile. Both could be mined.
  const unrecorded = unsettled.some(isSendable) ? await unrecordedPayment(flow) : undefined
  if (unrecorded !== undefined) return unrecorded
  let beside: RecordedAttempt | undefined
  for (const recorded of unsettled) {
    const isBeside = isBesideOther(recorded)
    const outcome = isSendable(recorded) ? await sentAgain(flow, recorded) : undefined
    if (outcome !== undefined) return outcome
    if (await isDead(flow, recorded)) await attempts.note('dead', recorded.txid)
    else if (isBeside) beside ??= recorded
  }
  return beside && { ...(await payment.check(beside.hex)), held: 'different-inputs' }
}

/**
 * Returns an attempt that was called dead, and that the server has: the branch on which a trusted
 * server called it dead was not the chain.
 */
async function settleIfAlive(flow: Flow): Promise<SafeFlowResult | undefined> {
  const { payment, attempts } = flow
  if (attempts.settled() !== undefined) return undefined
  for (const attempt of attempts.dead().filter(payment.isSought ?? (() => true))) {
    if ((await txidOnChain(flow, attempt)) === undefined) continue
    if (payment.options.dryRun !== true) await attempts.note('reopened', attempt.txid)
    const found = await settleIfFound(flow, attempt)
    if (found !== undefined) return found
  }
  return undefined
}

function isKeptBack({ payment }: Flow, recorded: RecordedAttempt): boolean {
  return payment.options.resumeOnly === true && isUnsentByResume(payment, recorded)
}

/**
 * Returns true for bytes that a resume does not send unless they are named. If a guard handed them
 * over, the program may have shown them to a person who declined. If it recorded them for a user,
 * its limits may not count them yet, so only the guard sends them.
 */
export function isUnsentByResume(
  { options, isOfUser = false }: Pick<Payment, 'options' | 'isOfUser'>,
  recorded: RecordedAttempt,
): boolean {
  const { isHandedOver, isAccepted } = recorded
  if (isHandedOver !== true && (!isOfUser || isAccepted)) return false
  return !isNamedToSend(options, recorded)
}

/** Returns true if the caller asks to send an attempt that is kept back otherwise. */
export function isNamedToSend(
  { handedOver = [] }: Pick<SafeFlowOptions, 'handedOver'>,
  { txid }: RecordedAttempt,
): boolean {
  return handedOver.some((it) => it.toLowerCase() === txid)
}

/**
 * Sends the recorded bytes again. Returns `undefined` if the verifier or the server refuses them.
 */
async function sentAgain(flow: Flow, { txid, hex }: RecordedAttempt): Outcome {
  const { payment } = flow
  const checked = await payment.check(hex)
  const attempt = await verifiedAttempt(checked)
  // Bytes that were changed in the journal are not those that were sent.
  if (attempt === undefined || attempt.txid !== txid) return undefined
  try {
    return await release(flow, checked, attempt)
  } catch (error) {
    if (!isRpcError(error, payment.refusal)) throw error
    return undefined
  }
}

/** A recorded attempt, and the txid under which the chain may have it. */
interface Sought {
  /** The txid that was looked up. */
  readonly txid: string
  /** The txid and the bytes that were recorded. */
  readonly sent: string
  readonly hex: string
}

/** Returns true for the recorded bytes, or for a malleated copy of them. */
async function isOurs(found: string, { txid, sent, hex }: Sought): Promise<boolean> {
  if (txid === sent) return found.toLowerCase() === hex
  // Clients run where no engine does, so what needs it is loaded when it is needed.
  const { isMalleatedCopy } = await import('../../transaction/malleated-copy.ts')
  const [copy, ours] = [await readTransaction(found), await readTransaction(hex)]
  return copy?.txid === txid && ours !== undefined && isMalleatedCopy(copy, ours)
}

/**
 * Returns the txid under which the server has an attempt: its own, or that of a copy whose
 * scriptSigs a third party changed.
 */
async function txidOnChain(
  { payment, attempts }: Flow,
  { txid: sent, hex }: RecordedAttempt,
): Promise<string | undefined> {
  reportProgress(payment.options, { step: 'looking-up-earlier', txid: sent })
  const found = await payment.lookUp(sent)
  if (typeof found === 'string' && (await isOurs(found, { txid: sent, sent, hex }))) return sent
  // A copy spends every input of the attempt, so the first one finds it.
  const [outpoint] = (await readAttempt(hex))?.outpoints ?? []
  const txid = outpoint === undefined ? undefined : await payment.spender?.(outpoint)
  // Two payments can have the same outputs, and one transaction makes only one of them.
  if (txid === undefined || txid === sent || attempts.isOfOther(txid)) return undefined
  const other = await payment.lookUp(txid)
  const isCopy = typeof other === 'string' && (await isOurs(other, { txid, sent, hex }))
  return isCopy ? txid : undefined
}

/**
 * Returns the result of an attempt that the server has, and records it as settled. Returns
 * `undefined` if the server has it not, or if the request is a new payment.
 */
export async function settleIfFound(
  flow: Flow,
  recorded: RecordedAttempt,
): Promise<SafeFlowResult | undefined> {
  const { payment, attempts, isDurable, named } = flow
  const { txid: sent, hex, isNamed } = recorded
  const txid = await txidOnChain(flow, recorded)
  if (txid === undefined) return undefined
  const checked = await payment.check(hex, 'on-chain')
  // The chain has a transaction that the caller or the journal names, and it is another payment.
  const isOther = (isNamed || isDurable) && paysOther(checked)
  if (isOther) return { ...checked, held: 'rejected' }
  const paid = { ...checked, txid, repeated: true } as const
  // A dry run changes nothing, so the next call still reports this attempt.
  if (payment.options.dryRun === true) return paid
  // A program that got the bytes from the guard has sent them. It may have been told of a refusal.
  const kind = recorded.firstSent === undefined ? 'accepted' : 'sending'
  // A named one was only claimed to be sent before.
  const isNews = recorded.isHandedOver || (isNamed && !recorded.isAccepted)
  if (isNews) await attempts.note(kind, sent)
  const isAsked = isDurable || payment.sendAgain !== undefined
  const place = isAsked ? await payment.place(txid, recorded) : undefined
  if (place !== undefined && place.height === undefined) {
    // A server that shows the bytes may have kept them to itself.
    if (txid === sent) await sendWaiting(flow, recorded)
    if (isDurable) return paid
  }
  const copy = txid === sent ? {} : { minedAs: txid }
  await attempts.note('settled', sent, { ...(isDurable && place), ...copy })
  if (!isDurable && named.id === undefined) await attempts.forget()
  // An equal request later may be another payment.
  const isOver = isDurable && named.id === undefined && isKnownToCaller(recorded)
  return isOver && !(await isRepetition(flow, recorded)) ? undefined : paid
}

/**
 * Returns true if the caller knows that a found attempt was sent: its call returned the txid, or its
 * program sent the handed-over bytes. Returns false if a broadcast was refused, or has no known
 * outcome, because the caller may repeat it. Returns false for a dead attempt too: no block will have
 * it.
 */
export function isKnownToCaller(attempt: RecordedAttempt): boolean {
  const { fate, isAccepted, isHandedOver, firstSent } = attempt
  if (fate === 'dead') return false
  return isAccepted || (isHandedOver === true && firstSent === undefined)
}

/** Up to this number of unsettled payments, comparisons cost less than requests to a server. */
const unsettledKept = 16
/** Payments that one call looks for in passing. It adds fewer, so their number falls. */
export const lookedForAtOnce = 4

/** Returns the unsettled payments that other calls may settle in passing; none while they are few. */
export function settleableInPassing(book: Pick<Book, 'unsettled'>): readonly RecordedPayment[] {
  // After a lost answer, the same call finds out. Once settled, one without an id would pay again.
  const known = book.unsettled().filter(({ attempts }) => attempts.some(isKnownToCaller))
  return known.length < unsettledKept ? [] : known
}

/** Sends the bytes of an attempt again that is in no block. They cannot pay twice. */
async function sendWaiting(
  { payment, attempts }: Flow,
  { txid, hex, isOpen }: RecordedAttempt,
): Promise<void> {
  const attempt = await readAttempt(hex)
  if (payment.sendAgain === undefined || attempt?.txid !== txid) return
  if (!isOpen) await attempts.note('sending', txid)
  try {
    await payment.sendAgain(attempt)
  } catch (error) {
    if (!isRpcError(error)) throw error
    // The server shows what it does not take.
    throw withDetails(error, { uncertain: true, txid })
  }
}

async function isDead({ payment, book }: Flow, { txid, hex }: RecordedAttempt): Promise<boolean> {
  if (payment.options.trustServer !== true) return false
  const attempt = await readAttempt(hex)
  if (attempt?.txid !== txid) return false
  if (await payment.isDead?.(attempt)) return true
  // It spends an output of an attempt that was mined as a copy, so that output never exists.
  const tip = (await payment.tip?.()) ?? 0
  const replaced = book
    .payments()
    .flatMap(({ attempts, past }) => [...attempts, ...past])
    .filter(({ minedAs, height }) => minedAs !== undefined && tip >= (height ?? tip) + depthMax)
  return replaced.some((it) => [...attempt.outpoints].some((at) => at.startsWith(`${it.txid}:`)))
}
