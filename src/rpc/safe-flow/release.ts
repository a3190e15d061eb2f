import { isVerifiedTransaction } from '../../verification/sealed.ts'
import { isRpcError, withDetails } from '../errors.ts'
import {
  type Attempt,
  type Attempts,
  isFirstSent,
  nameOfCall,
  type PaymentName,
} from './attempts.ts'
import type { Checked } from './check.ts'
import type { Flow, SafeFlowResult } from './flow.ts'
import { confirmed, reportAndWait } from './options.ts'
import { readAttempt } from './transaction.ts'
import { runCallback } from './turns.ts'
import { isComparedLongAgo, unrecordedPayment } from './unrecorded.ts'
import { isWarned } from './warned.ts'

/**
 * Returns the transaction to send, or `undefined` if the verifier rejected it. It is frozen, so
 * nobody who sees the report can change what is sent.
 */
export async function verifiedAttempt({
  report: { verified },
}: Checked): Promise<Attempt | undefined> {
  if (!isVerifiedTransaction(verified)) return undefined
  return readAttempt(verified.hex)
}

/** Broadcasts a verified transaction, after the last checks. */
export async function release(
  flow: Flow,
  checked: Checked,
  attempt: Attempt,
): Promise<SafeFlowResult | 'changed'> {
  const { payment, attempts, journal, isDurable, named } = flow
  const { options, isHandOver, isBuiltElsewhere, isHeld } = payment
  const { report } = checked
  const { txid } = attempt
  if (options.dryRun === true) return { ...checked, held: 'dry-run' }
  if (isWarned(options, payment.usualWarnings ?? [], report)) return { ...checked, held: 'warned' }
  const equal = attempts
    .ofOtherIds(attempt)
    .flatMap(({ recorded: { id = '' }, attempt: { txid } }) => [{ id, txid }])
  const isConfirmed = await runCallback(journal, nameOfCall(named), () =>
    confirmed(options, report, equal),
  )
  if (!isConfirmed) return { ...checked, held: 'declined' }
  const isLong = isComparedLongAgo(flow.comparedAt)
  const unrecorded = isLong ? await unrecordedPayment(flow, txid) : undefined
  if (unrecorded !== undefined) return unrecorded
  await payment.requireChain?.()
  // The attempt is recorded before it is sent, and forgotten only after its arrival: a server may
  // claim a refusal of a transaction that it relayed.
  const known = attempts.unsettled().find((it) => it.txid === txid)
  const wasOpen = known?.isOpen === true && !isFirstSent(known, isHandOver)
  const allowed = { ...options, isHandOver, isBuiltElsewhere, isHeld }
  const remembered = await attempts.remember(attempt, allowed)
  if (remembered === 'changed') return 'changed'
  if (remembered !== 'recorded') return { ...checked, held: remembered }
  // A failure to record this must not hide the result of the broadcast.
  const refused = async () => {
    if (!wasOpen) await attempts.note('refused', txid).catch(() => undefined)
  }
  try {
    await runCallback(journal, nameOfCall(named), () =>
      reportAndWait(options, { step: 'broadcasting', report }),
    )
    await payment.beforeSend?.(attempt)
  } catch (error) {
    await refused()
    throw recordedError(error, txid)
  }
  try {
    await payment.send(attempt)
  } catch (error) {
    if (isRpcError(error) && error.uncertain !== true) await refused()
    throw recordedError(error, txid)
  }
  // The program may lose the answer, and may send it or not, so it is not accepted yet.
  if (isHandOver === true) return { ...checked, txid }
  const noted = isDurable ? attempts.note('accepted', txid) : settled(attempts, txid, named)
  await noted.catch(() => undefined)
  return { ...checked, txid }
}

/** Names the transaction that stays recorded, although a server refused it or it was not sent. */
function recordedError(error: unknown, txid: string): unknown {
  const isNews = isRpcError(error) && error.uncertain !== true && error.txid === undefined
  return isNews ? withDetails(error, { txid }) : error
}

async function settled(attempts: Attempts, txid: string, { id }: PaymentName): Promise<void> {
  await attempts.note('settled', txid)
  if (id === undefined) await attempts.forget()
}
