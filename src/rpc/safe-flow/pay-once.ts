// The order in which every safe flow goes: what was sent before is settled first, another
// transaction is asked for only then, and nothing leaves that was not verified and remembered.

import { isVerifiedTransaction } from '../../verification/sealed.ts'
import { isRpcError, type RpcErrorKind, type UnsettledTransaction, withDetails } from '../errors.ts'
import { type Attempt, type Attempts, attemptsOf, inTurn } from './attempts.ts'
import type { TransactionSource } from './evidence.ts'
import type { Judged } from './judge.ts'
import { type SafeFlowOptions, tell, tellAndWait } from './options.ts'
import { attemptOf } from './transaction.ts'

/** Why nothing was broadcast. */
export type Held =
  | 'rejected'
  | 'dry-run'
  | 'declined'
  /** It could be mined beside an earlier attempt. */
  | 'different-inputs'
  /** More attempts are unsettled than this client remembers. */
  | 'too-many-attempts'

/** What a flow does its own way. */
interface Payment<Verdict extends Judged> {
  /** Whose attempts are remembered: a client speaks to one chain, or names it in `key`. */
  readonly client: object
  /** The same for the same intent. */
  readonly key: string
  readonly options: SafeFlowOptions
  /** The kind of error by which the server says that it will not take a transaction. */
  readonly refusal: RpcErrorKind
  /** Has the server make a transaction, and judges it. */
  ask(): Promise<Verdict>
  judge(hex: string, state?: 'on-chain'): Promise<Verdict>
  readonly lookUp: TransactionSource
  /** Broadcasts. Fails unless the server answers with this very txid. */
  send(attempt: Attempt): Promise<void>
}

type Paid<Verdict extends Judged> = Verdict & {
  readonly txid?: string
  readonly held?: Held
  readonly unsettled?: readonly UnsettledTransaction[]
}

/**
 * Pays what `payment.key` stands for, unless what was sent for it before can still be mined beside
 * it. Whatever it ends with names the transactions that may have been broadcast.
 */
export async function payOnce<Verdict extends Judged>(
  payment: Payment<Verdict>,
): Promise<Paid<Verdict>> {
  const { client, key, options } = payment
  const flow = { payment, attempts: attemptsOf(client, key) }
  try {
    const paid = await inTurn(client, key, options.signal, async () => {
      const settled = (await takeUpEarlier(flow)) ?? (await settleEarlier(flow))
      return settled ?? payAnew(flow)
    })
    const unsettled = flow.attempts.open()
    return paid.held === undefined || unsettled.length === 0 ? paid : { ...paid, unsettled }
  } catch (error) {
    throw withUnsettled(error, flow.attempts.open())
  }
}

/** Whatever failed last: a transaction that may have been broadcast before makes it uncertain. */
function withUnsettled(error: unknown, unsettled: readonly UnsettledTransaction[]): unknown {
  const [latest] = unsettled
  if (!isRpcError(error) || latest === undefined) return error
  return withDetails(error, { uncertain: true, txid: error.txid ?? latest.txid, unsettled })
}

/** One call of a flow, and what was sent before for the same intent. */
interface Flow<Verdict extends Judged> {
  readonly payment: Payment<Verdict>
  readonly attempts: Attempts
}

type Outcome<Verdict extends Judged> = Promise<Paid<Verdict> | undefined>

/** Remembers the attempts of another process; a result where that cannot be. */
async function takeUpEarlier<Verdict extends Judged>({
  payment,
  attempts,
}: Flow<Verdict>): Outcome<Verdict> {
  const { earlier = [] } = payment.options
  for (const hex of typeof earlier === 'string' ? [earlier] : earlier) {
    const attempt = await attemptOf(hex)
    if (attempt === undefined) return { ...(await payment.judge(hex)), held: 'rejected' }
    if (!attempts.remember({ ...attempt, isNamed: true, isOpen: true })) {
      return { ...(await payment.judge(hex)), held: 'too-many-attempts' }
    }
  }
  return undefined
}

/**
 * What became of earlier attempts: found on the chain, or sent again now. Nothing if the server
 * will have none of them, so that another has to be made.
 */
async function settleEarlier<Verdict extends Judged>(flow: Flow<Verdict>): Outcome<Verdict> {
  const { payment, attempts } = flow
  const unsettled = attempts.unsettled()
  let other: Paid<Verdict> | undefined
  for (const { txid, hex, isNamed } of unsettled) {
    tell(payment.options, { step: 'looking-up-earlier', txid })
    const found = await payment.lookUp(txid)
    if (typeof found !== 'string' || found.toLowerCase() !== hex) continue
    const judged = await payment.judge(hex, 'on-chain')
    if (isNamed !== true || judged.report.ok) {
      // A look changes nothing: whoever pays next still hears of this one.
      if (payment.options.dryRun !== true) attempts.settle()
      return { ...judged, txid }
    }
    // What the caller named is there, but it is no payment of this.
    other ??= { ...judged, held: 'rejected' }
  }
  if (other !== undefined) return other
  for (const { hex } of unsettled) {
    const judged = await payment.judge(hex)
    const attempt = await verifiedAttempt(judged)
    if (attempt === undefined) continue
    try {
      return await release(flow, judged, attempt)
    } catch (error) {
      if (!isRpcError(error, payment.refusal)) throw error
    }
  }
  return undefined
}

async function payAnew<Verdict extends Judged>(flow: Flow<Verdict>): Promise<Paid<Verdict>> {
  const { payment, attempts } = flow
  tell(payment.options, { step: 'asking' })
  const judged = await payment.ask()
  const attempt = await verifiedAttempt(judged)
  if (attempt === undefined) return { ...judged, held: 'rejected' }
  if (!attempts.excludes(attempt) && payment.options.differentInputs !== true) {
    return { ...judged, held: 'different-inputs' }
  }
  return release(flow, judged, attempt)
}

/**
 * What may be sent of what was judged; nothing if anything spoke against it. Frozen by the verifier:
 * whoever is shown the report cannot change what is sent.
 */
async function verifiedAttempt({ report: { verified } }: Judged): Promise<Attempt | undefined> {
  return isVerifiedTransaction(verified) ? attemptOf(verified.hex) : undefined
}

/** The last gate. What passes it is broadcast. */
async function release<Verdict extends Judged>(
  { payment, attempts }: Flow<Verdict>,
  judged: Verdict,
  attempt: Attempt,
): Promise<Paid<Verdict>> {
  const { options } = payment
  const { report } = judged
  if (options.dryRun === true) return { ...judged, held: 'dry-run' }
  if (options.confirm !== undefined && (await options.confirm(report)) !== true) {
    return { ...judged, held: 'declined' }
  }
  // Remembered before it leaves, and forgotten only when it has arrived: a server may say that it
  // refused what it sent on.
  if (!attempts.remember(attempt)) return { ...judged, held: 'too-many-attempts' }
  await tellAndWait(options, { step: 'broadcasting', report })
  const refused = attempts.depart(attempt.txid)
  try {
    await payment.send(attempt)
  } catch (error) {
    if (isRpcError(error) && error.uncertain !== true) refused()
    throw error
  }
  attempts.settle()
  return { ...judged, txid: attempt.txid }
}
