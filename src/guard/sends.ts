// Calls that send a transaction: only one that the guard verified is sent.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import type { RecordedAttempt, RecordedPayment } from '../journal/recorded-payment.ts'
import { isHex } from '../primitives/hex-forms.ts'
import {
  isLosslessNumber,
  type JsonValue,
  parsePlainJson,
  stringifyJson,
} from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import { isRpcError, type RpcErrorKind } from '../rpc/errors.ts'
import type { Attempt } from '../rpc/safe-flow/attempts.ts'
import { readAttempt } from '../rpc/safe-flow/transaction.ts'
import { answerText, RpcFailure } from '../server/json-rpc.ts'
import { parseCase } from '../verification/parse-case.ts'
import type { Admitted, ClientCall } from './call.ts'
import { type Ending, refusalOf } from './ending.ts'
import { NothingPaid } from './forbidden.ts'
import { ownKey } from './former-users.ts'
import { type FlowParts, type PaymentParts, undertake } from './payments.ts'
import { refusedParameter, refusedSend, withSamePayment } from './refusals.ts'
import { type Requested, requestedOf } from './requested.ts'
import { recordedText } from './reserving.ts'
import { withinTerms } from './submitted-case.ts'

const elsewhere =
  'this transaction was not handed over by the guard. Submit it with its request: ' +
  'guard_submit HEX CASE, where CASE is the case without its hex'

/** Sends a transaction that the guard handed over before, byte for byte, and answers its txid. */
export async function send(parts: PaymentParts, call: Admitted<ClientCall>): Promise<string> {
  const txid = await sendHandedOver(parts, call, {
    hex: hexOf(call.params),
    refusal: 'daemon',
    elsewhere,
  })
  return answerText(`"${txid}"`, 'null', call.id)
}

interface HandedOver {
  readonly hex: string
  /** The kind of error with which the server refuses a transaction. */
  readonly refusal: RpcErrorKind
  /** The refusal of a transaction that this user was not handed. */
  readonly elsewhere: string
}

/**
 * Sends a transaction that this user was handed, and returns its txid.
 *
 * @throws {RpcFailure} for any other transaction, another user's too
 */
export async function sendHandedOver(
  parts: FlowParts,
  call: Admitted,
  { hex, refusal, elsewhere: refusedAs }: HandedOver,
): Promise<string> {
  const attempt = await readAttempt(hex)
  // Bytes after the end of the transaction are not a transaction for the reader.
  const payment = attempt && (await recordedPayment(parts.journal, attempt))
  const requested = payment?.request && (await parts.requestedBy(payment.request))
  // Another user's payment is as unknown as any other transaction.
  const isOwn = requested && payment?.terms === ownKey(call.user, requested.key())
  if (attempt === undefined || !isOwn) {
    if (call.isForbidden) throw new NothingPaid()
    throw refusedSend(refusedAs, 'not-handed-over')
  }
  const { txid } = attempt
  // An equal payment after it is another one, which this call must not settle.
  const before = payment.past.find((it) => it.txid === txid)
  if (before !== undefined) {
    const { minedAs = txid } = before
    // A program that reads a refusal here could pay a second time.
    if (minedAs === txid) return txid
    throw refusedSend(`settled before as ${minedAs}; an equal payment followed`, 'settled')
  }
  const key = nameGiven(payment, call.user)
  const { key: _key, ...unnamed } = call
  const caller = key === undefined ? unnamed : { ...call, key }
  const wasSent = mayBeSent(payment.attempts.find((it) => it.txid === txid))
  return broadcastPayment(parts, refusal, { txid, wasSent }, (last) =>
    undertake(parts, caller, { requested, handedOver: txid, send: last }),
  )
}

/** Returns true if a broadcast of it was accepted, or has no known outcome. */
function mayBeSent(recorded: RecordedAttempt | undefined): boolean {
  return recorded?.isOpen === true && recorded.isHandedOver !== true
}

async function recordedPayment(
  journal: Journal,
  { txid, hex }: Pick<Attempt, 'txid' | 'hex'>,
): Promise<RecordedPayment | undefined> {
  const book = bookOf(journal)
  await book.catchUp()
  return book
    .paymentsOf(txid)
    .find(({ attempts, past }) =>
      [...attempts, ...past].some((it) => it.txid === txid && it.hex === hex),
    )
}

/** Verifies a transaction from elsewhere by its request, and sends it. */
export async function submit(parts: PaymentParts, call: Admitted<ClientCall>): Promise<string> {
  const [hex, given, ...rest] = call.params
  if (typeof hex !== 'string' || !isHex(hex) || rest.length > 0) {
    throw refusedParameter('params', 'hex and a case')
  }
  const attempt = await readAttempt(hex)
  if (attempt === undefined) throw refusedParameter('params[0]', 'one whole transaction in hex')
  const requested = await requestedOf(parts, withinTerms(caseOf(given, hex), parts.terms))
  const txid = await broadcastPayment(parts, 'daemon', attempt, (send) =>
    undertake(parts, call, {
      requested,
      isSent: true,
      newTransaction: ({ check }) => check(hex),
      send,
    }),
  )
  return answerText(`"${txid}"`, 'null', call.id)
}

type Send = Parameters<typeof undertake>[2]['send']

/**
 * Runs a payment whose last step is a broadcast, and returns its txid.
 *
 * @param kind - the kind of error with which the server refuses a transaction
 * @param expected - the transaction, if the caller names it
 */
export async function broadcastPayment(
  { journal }: Pick<FlowParts, 'journal'>,
  kind: RpcErrorKind,
  expected: { readonly txid: string; readonly wasSent?: boolean } | undefined,
  run: (send: Send) => Promise<Ending>,
): Promise<string> {
  let refusal: { readonly code: number; readonly message: string; txid: string } | undefined
  /** Returns the answer to a refusal: the words of the server, and what stays of the payment. */
  const refused = (others: readonly string[] = []): RpcFailure | undefined => {
    if (refusal === undefined) return undefined
    const { code, message, txid } = refusal
    const sent = expected?.wasSent === true ? '; it was sent before, and may still be mined' : ''
    const recorded = recordedText(journal, txid)
    const words = recorded === undefined ? message : `${message.replace(/\.$/, '')}. ${recorded}`
    return new RpcFailure(code, withSamePayment(`${words}${sent}`, others))
  }
  const ending = await run(async (attempt, payment) => {
    try {
      await payment.send(attempt)
    } catch (error) {
      if (isRpcError(error, kind)) {
        const { code = -26, message } = error
        refusal = { code, message, txid: attempt.txid }
      }
      throw error
    }
  }).catch((error: unknown) => {
    if (isRpcError(error, kind) && error.uncertain !== true) throw refused() ?? error
    throw error
  })
  if (ending.held !== undefined || ending.txid === undefined) {
    // After any other hold, a transaction that the server refused now may still be mined.
    if (ending.held === 'unsettled') {
      const txids = (ending.unsettled ?? []).map(({ txid }) => txid)
      const failure = refused(txids.filter((txid) => txid !== expected?.txid))
      if (failure !== undefined) throw failure
    }
    throw refusalOf(ending)
  }
  const { txid } = ending
  if (expected !== undefined && txid !== expected.txid) {
    throw refusedSend(`this payment was made by another transaction, ${txid}`)
  }
  return txid
}

/** @throws {RpcFailure} for anything that asks for more than a broadcast */
function hexOf(params: readonly JsonValue[]): string {
  const [hex, allowsHighFees = false, ...rest] = params
  if (typeof hex !== 'string' || rest.length > 0) throw refusedParameter('params', 'one hex')
  if (allowsHighFees !== false) throw refusedParameter('params[1]', 'no high fees to be allowed')
  return hex.toLowerCase()
}

/** Returns the name of a payment as its user gave it: the journal has the user before it. */
function nameGiven({ id }: RecordedPayment, user: string): string | undefined {
  if (id === undefined || user === '') return id
  return id.slice(user.length + 1)
}

/** Reads the request of a recorded payment; `undefined` for one that no daemon makes. */
export async function requestedBy(
  parts: PaymentParts,
  text: string,
): Promise<Requested | undefined> {
  const recorded = JSON.parse(text)
  const { operation } = recorded
  if (operation === 'withdraw' || operation === 'wallet') return undefined
  return requestedOf(parts, askedIn(recorded, ''))
}

/** @throws {RpcFailure} */
function caseOf(given: JsonValue | undefined, hex: string): AskedFor {
  const isText = typeof given === 'string'
  if (given === undefined || given === null || isLosslessNumber(given)) {
    throw refusedParameter('params[1]', 'a case, as an object or as JSON text')
  }
  try {
    // A member given twice is refused, because two readers could take different ones.
    return askedIn(parsePlainJson(isText ? given : stringifyJson(given)) as object, hex)
  } catch {
    throw refusedParameter('params[1]', 'a case with operation, network and intent')
  }
}

/** Returns the request of a case, without its bytes and its evidence. */
function askedIn(members: object, hex: string): AskedFor {
  const {
    evidence: _evidence,
    hex: _hex,
    ...asked
  } = parseCase(JSON.stringify({ ...members, hex }))
  return asked as AskedFor
}
