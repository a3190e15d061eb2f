// The order in which every safe flow goes: what was sent before is settled first, another
// transaction is asked for only then, and nothing leaves that was not verified and recorded.

import { AntaraError } from '../../errors/antara-error.ts'
import { type Book, bookOf, type RecordedAttempt } from '../../journal/book.ts'
import type { Journal } from '../../journal/journal.ts'
import { memoryJournal } from '../../journal/memory.ts'
import { isVerifiedTransaction } from '../../verification/sealed.ts'
import { isRpcError, type RpcErrorKind, type UnsettledTransaction, withDetails } from '../errors.ts'
import {
  type Attempt,
  type Attempts,
  attemptsOf,
  inTurn,
  type Obstacle,
  type PaymentName,
} from './attempts.ts'
import type { TransactionSource } from './evidence.ts'
import type { Judged } from './judge.ts'
import { type SafeFlowOptions, tell, tellAndWait } from './options.ts'
import { depthMax, type Place } from './place.ts'
import { loadAttemptReader } from './transaction.ts'

/** Why nothing was broadcast. */
export type Held =
  | 'rejected'
  | 'dry-run'
  | 'declined'
  /** With `resumeOnly`: what was recorded could not be sent, and nothing was made in its place. */
  | 'unsettled'
  | Obstacle

/** What a flow does its own way. */
export interface Payment<Verdict extends Judged> {
  /** Whose memory it is where no journal is given: a client speaks to one chain. */
  readonly client: object
  /** The scripts and amounts that are paid: the same for the same payment. */
  readonly key: string
  /** The request as JSON, for people and for `resume`. */
  readonly request: () => string
  readonly options: SafeFlowOptions
  /** The kind of error by which the server says that it will not take a transaction. */
  readonly refusal: RpcErrorKind
  /** Has the server make a transaction, and judges it. */
  ask(): Promise<Verdict>
  judge(hex: string, state?: 'on-chain'): Promise<Verdict>
  readonly lookUp: TransactionSource
  /** Where the chain has what `lookUp` found. Absent: whatever was found counts as mined. */
  place?(txid: string): Promise<Place>
  /** What tells the chain from others. Asked where a journal is given. */
  chain?(): Promise<string | undefined>
  /** Height of the chain's last block. */
  tip?(): Promise<number | undefined>
  /** Whether the chain shows that a transaction can never be mined. Asked of trusted servers. */
  isDead?(attempt: Attempt): Promise<boolean>
  /** Broadcasts. Fails unless the server answers with this very txid. */
  send(attempt: Attempt): Promise<void>
}

type Paid<Verdict extends Judged> = Verdict & {
  readonly txid?: string
  readonly held?: Held
  readonly repeated?: true
  readonly unsettled?: readonly UnsettledTransaction[]
}

/** Journals of clients for which the caller gave none. */
const journals = new WeakMap<object, Journal>()

function journalOf(client: object): Journal {
  const known = journals.get(client) ?? memoryJournal()
  journals.set(client, known)
  return known
}

/** How long a settled payment without an id answers the same request, in milliseconds. */
const repeatMsDefault = 10 * 60_000
/** How long settled payments stay whole in a journal. */
const keepMs = 30 * 24 * 3_600_000
/**
 * Pays what `payment.key` stands for, unless what was sent for it before can still be mined beside
 * it. Whatever it ends with names the transactions that may have been broadcast.
 */
export async function payOnce<Verdict extends Judged>(
  payment: Payment<Verdict>,
): Promise<Paid<Verdict>> {
  const { client, key, options } = payment
  const { id, journal = journalOf(client) } = options
  requireId(id)
  const isDurable = options.journal !== undefined
  const book = bookOf(journal)
  const name = id === undefined ? `terms ${key}` : `id ${id}`
  const named: PaymentName = { name, terms: key, request: payment.request(), id }
  const attempts = attemptsOf(book, named, await loadAttemptReader())
  const flow = { payment, attempts, book, named, isDurable }
  try {
    const paid = await inTurn(journal, name, options.signal, () => untilDecided(flow))
    const unsettled = attempts.open()
    return paid.held === undefined || unsettled.length === 0 ? paid : { ...paid, unsettled }
  } catch (error) {
    throw withUnsettled(error, attempts.open())
  }
}

/** @throws {TypeError} */
function requireId(id: unknown): void {
  if (id === undefined) return
  const isText = typeof id === 'string' && id.length >= 1 && id.length <= idCharactersMax
  // It is shown in errors and lists, one a line.
  if (isText && !/\p{C}/u.test(id)) return
  throw new TypeError(`id: expected 1 to ${idCharactersMax} printable characters`)
}

const idCharactersMax = 200

/** Whatever failed last: a transaction that may have been broadcast before makes it uncertain. */
function withUnsettled(error: unknown, unsettled: readonly UnsettledTransaction[]): unknown {
  const [latest] = unsettled
  if (!isRpcError(error) || latest === undefined) return error
  return withDetails(error, { uncertain: true, txid: error.txid ?? latest.txid, unsettled })
}

/** One call of a flow, and what was recorded before for the same payment. */
interface Flow<Verdict extends Judged> {
  readonly payment: Payment<Verdict>
  readonly attempts: Attempts
  readonly book: Book
  readonly named: PaymentName
  /** The caller gave the journal: a payment is over when the chain shows it, not before. */
  readonly isDurable: boolean
}

/** `changed`: another process recorded something for this payment, so that all is looked at anew. */
type Outcome<Verdict extends Judged> = Promise<Paid<Verdict> | 'changed' | undefined>

/** Processes that change one payment at the same moment, again and again. */
const roundsMax = 32

async function untilDecided<Verdict extends Judged>(flow: Flow<Verdict>): Promise<Paid<Verdict>> {
  for (let round = 0; round < roundsMax; round += 1) {
    await flow.book.catchUp()
    requireSameRequest(flow)
    const outcome =
      (await takeUpEarlier(flow)) ??
      (await requireSameChain(flow)) ??
      (await confirmSettled(flow)) ??
      (await settleEarlier(flow)) ??
      (await payAnew(flow))
    if (outcome === 'changed' || outcome === undefined) continue
    await tidy(flow)
    return outcome
  }
  throw new AntaraError('journal_changed', { path: flow.named.name })
}

/** @throws {AntaraError} `id_conflict` */
function requireSameRequest<Verdict extends Judged>({ book, named }: Flow<Verdict>): void {
  const { name, terms, request, id } = named
  const known = book.payment(name)
  if (known === undefined || known.terms === terms) return
  const expected = known.request ?? known.terms
  throw new AntaraError('id_conflict', { path: `id ${id}`, expected, actual: request })
}

/** @throws {AntaraError} `journal_chain` */
async function requireSameChain<Verdict extends Judged>(flow: Flow<Verdict>): Promise<undefined> {
  const { payment, book, named, isDurable } = flow
  if (!isDurable) return
  named.chain ??= await payment.chain?.()
  const { name, id, chain } = named
  const known = book.payment(name)
  const isOther = known?.chain !== undefined && chain !== undefined && known.chain !== chain
  const isOver = id === undefined && known?.attempts.every(({ fate }) => fate !== undefined)
  if (!isOther || isOver) return
  throw new AntaraError('journal_chain', { path: name, expected: known.chain, actual: chain })
}

/** Keeps the journal short. A failure leaves it as it was. */
async function tidy<Verdict extends Judged>({ book }: Flow<Verdict>): Promise<void> {
  const at = new Date(Date.now()).toISOString()
  await book.compact({ at, keepMs }).catch(() => undefined)
}

/** Records the attempts of another process; a result where that cannot be. */
async function takeUpEarlier<Verdict extends Judged>({
  payment,
  attempts,
}: Flow<Verdict>): Outcome<Verdict> {
  const { earlier = [] } = payment.options
  const read = await loadAttemptReader()
  for (const hex of typeof earlier === 'string' ? [earlier] : earlier) {
    const attempt = read(hex)
    if (attempt === undefined) return { ...(await payment.judge(hex)), held: 'rejected' }
    if (attempts.settled()?.txid === attempt.txid) continue
    const remembered = await attempts.remember(attempt, { isNamed: true })
    if (remembered === 'changed') return 'changed'
    if (remembered !== 'recorded') return { ...(await payment.judge(hex)), held: remembered }
  }
  return undefined
}

/**
 * What became of a payment that the chain showed: it is returned, or paid again if the request may
 * be a new one. Nothing if it left the chain, so that it is unsettled again.
 */
async function confirmSettled<Verdict extends Judged>(flow: Flow<Verdict>): Outcome<Verdict> {
  const { attempts, named } = flow
  const settled = attempts.settled()
  if (settled === undefined) return undefined
  const { txid, hex } = settled
  if (hex !== '' && (await hasLeftChain(flow, settled))) {
    await attempts.note('reopened', txid)
    return undefined
  }
  const isRepetition = named.id !== undefined || (flow.isDurable && isRecent(flow, settled))
  if (!isRepetition) return undefined
  return { ...(await judgedAgain(flow, settled)), txid, repeated: true }
}

/** The clock may have been moved back: a time to come is recent. */
function isRecent<Verdict extends Judged>(
  { payment }: Flow<Verdict>,
  { at }: RecordedAttempt,
): boolean {
  return Date.now() - Date.parse(at) < (payment.options.repeatMs ?? repeatMsDefault)
}

async function hasLeftChain<Verdict extends Judged>(
  { payment }: Flow<Verdict>,
  { txid, hex, height }: RecordedAttempt,
): Promise<boolean> {
  tell(payment.options, { step: 'looking-up-earlier', txid })
  const found = await payment.lookUp(txid)
  if (typeof found === 'string' && found.toLowerCase() === hex) return false
  const tip = await payment.tip?.()
  return height === undefined || tip === undefined || tip < height + depthMax
}

/** The report on a payment that was made: its bytes are in the journal, or are nowhere any more. */
async function judgedAgain<Verdict extends Judged>(
  { payment }: Flow<Verdict>,
  { hex }: RecordedAttempt,
): Promise<Verdict> {
  if (hex !== '') return payment.judge(hex, 'on-chain')
  return { report: { ok: true, findings: [], hex: '', effects: [] } } as unknown as Verdict
}

/**
 * What became of earlier attempts: found on the chain, or sent again now. Nothing if the server
 * will have none of them, so that another has to be made.
 */
async function settleEarlier<Verdict extends Judged>(flow: Flow<Verdict>): Outcome<Verdict> {
  const { attempts } = flow
  const unsettled = attempts.unsettled()
  let other: Paid<Verdict> | undefined
  for (const attempt of unsettled) {
    const found = await lookedUp(flow, attempt)
    if (found === undefined) continue
    if (found.held === undefined) return found
    other ??= found
  }
  if (other !== undefined) return other
  // One that was accepted, mined and is no repetition: this request is a payment of its own.
  if (attempts.settled() !== undefined) return undefined
  for (const recorded of unsettled) {
    const outcome = await sentAgain(flow, recorded)
    if (outcome !== undefined) return outcome
    if (await isDead(flow, recorded)) await attempts.note('dead', recorded.txid)
  }
  return undefined
}

/** Sends the very bytes again that were recorded; nothing if they are refused, here or there. */
async function sentAgain<Verdict extends Judged>(
  flow: Flow<Verdict>,
  { txid, hex }: RecordedAttempt,
): Outcome<Verdict> {
  const { payment } = flow
  const judged = await payment.judge(hex)
  const attempt = await verifiedAttempt(judged)
  // Bytes that somebody changed in the journal are not what was sent.
  if (attempt === undefined || attempt.txid !== txid) return undefined
  try {
    return await release(flow, judged, attempt)
  } catch (error) {
    if (!isRpcError(error, payment.refusal)) throw error
    return undefined
  }
}

/** What is known of an attempt that the server has; nothing if it has none. */
async function lookedUp<Verdict extends Judged>(
  flow: Flow<Verdict>,
  recorded: RecordedAttempt,
): Promise<Paid<Verdict> | undefined> {
  const { payment, attempts, isDurable, named } = flow
  const { txid, hex, isNamed } = recorded
  tell(payment.options, { step: 'looking-up-earlier', txid })
  const found = await payment.lookUp(txid)
  if (typeof found !== 'string' || found.toLowerCase() !== hex) return undefined
  const judged = await payment.judge(hex, 'on-chain')
  // What the caller named, or somebody wrote into the journal, is there and is no payment of this.
  const isOther = isNamed ? !judged.report.ok : isDurable && paysOther(judged)
  if (isOther) return { ...judged, held: 'rejected' }
  const paid = { ...judged, txid, repeated: true } as const
  // A look changes nothing: whoever pays next still hears of this one.
  if (payment.options.dryRun === true) return paid
  const place = isDurable ? await payment.place?.(txid) : undefined
  if (place !== undefined && place.height === undefined) return paid
  await attempts.note('settled', txid, place?.height)
  if (!isDurable && named.id === undefined) await attempts.forget()
  const isOver = isDurable && named.id === undefined && recorded.isAccepted
  return isOver && !isRecent(flow, recorded) ? undefined : paid
}

/** A call that is repeated may bound the fee differently; everything else is as requested. */
function paysOther({ report }: Judged): boolean {
  return report.findings.some(({ code, severity }) => severity === 'reject' && !/^fee_/.test(code))
}

async function isDead<Verdict extends Judged>(
  { payment }: Flow<Verdict>,
  { txid, hex }: RecordedAttempt,
): Promise<boolean> {
  if (payment.options.trustServer !== true) return false
  const attempt = (await loadAttemptReader())(hex)
  return attempt?.txid === txid && (await payment.isDead?.(attempt)) === true
}

async function payAnew<Verdict extends Judged>(flow: Flow<Verdict>): Outcome<Verdict> {
  const { payment, attempts } = flow
  if (payment.options.resumeOnly === true) {
    const [latest] = attempts.unsettled()
    return { ...(await payment.judge(latest?.hex ?? '')), held: 'unsettled' }
  }
  tell(payment.options, { step: 'asking' })
  const judged = await payment.ask()
  const attempt = await verifiedAttempt(judged)
  if (attempt === undefined) return { ...judged, held: 'rejected' }
  const obstacle = attempts.obstacle(attempt)
  const isAllowed = obstacle === 'different-inputs' && payment.options.differentInputs === true
  if (obstacle !== undefined && !isAllowed) return { ...judged, held: obstacle }
  return release(flow, judged, attempt)
}

/**
 * What may be sent of what was judged; nothing if anything spoke against it. Frozen by the verifier:
 * whoever is shown the report cannot change what is sent.
 */
async function verifiedAttempt({ report: { verified } }: Judged): Promise<Attempt | undefined> {
  if (!isVerifiedTransaction(verified)) return undefined
  return (await loadAttemptReader())(verified.hex)
}

/** The last gate. What passes it is broadcast. */
async function release<Verdict extends Judged>(
  { payment, attempts, isDurable, named }: Flow<Verdict>,
  judged: Verdict,
  attempt: Attempt,
): Promise<Paid<Verdict> | 'changed'> {
  const { options } = payment
  const { report } = judged
  const { txid } = attempt
  if (options.dryRun === true) return { ...judged, held: 'dry-run' }
  if (options.confirm !== undefined && (await options.confirm(report)) !== true) {
    return { ...judged, held: 'declined' }
  }
  // Recorded before it leaves, and forgotten only when it has arrived: a server may say that it
  // refused what it sent on.
  const wasOpen = attempts.open().some((it) => it.txid === txid)
  const remembered = await attempts.remember(attempt, options)
  if (remembered === 'changed') return 'changed'
  if (remembered !== 'recorded') return { ...judged, held: remembered }
  // What happened to the transaction counts, not what happened to a note of it.
  const refused = async () => {
    if (!wasOpen) await attempts.note('refused', txid).catch(() => undefined)
  }
  await tellAndWait(options, { step: 'broadcasting', report }).catch(async (error: unknown) => {
    await refused()
    throw error
  })
  try {
    await payment.send(attempt)
  } catch (error) {
    if (isRpcError(error) && error.uncertain !== true) await refused()
    throw error
  }
  const noted = isDurable ? attempts.note('accepted', txid) : settled(attempts, txid, named)
  await noted.catch(() => undefined)
  return { ...judged, txid }
}

async function settled(attempts: Attempts, txid: string, { id }: PaymentName): Promise<void> {
  await attempts.note('settled', txid)
  if (id === undefined) await attempts.forget()
}
