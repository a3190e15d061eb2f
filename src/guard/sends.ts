import { bookOf, type RecordedPayment } from '../journal/book.ts'
import { isLosslessNumber, type JsonValue, stringifyJson } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import { isRpcError } from '../rpc/errors.ts'
import { loadAttemptReader } from '../rpc/safe-flow/transaction.ts'
import { answerText, RpcFailure } from '../server/json-rpc.ts'
import { parseCase } from '../verification/parse-case.ts'
import { wordsOf } from './builds.ts'
import type { ClientCall } from './call.ts'
import { type Ending, noteRefusal, ownKey, type PaymentParts, undertake } from './payments.ts'
import { refusedParameter, refusedSend } from './refusals.ts'
import { withinTerms } from './submitted-case.ts'

const elsewhere =
  'this transaction was not handed over by the guard. Submit it with its request: ' +
  'guard_submit HEX CASE, where CASE is the case without its hex'

/** Sends a transaction that the guard handed over before, byte for byte, and answers its txid. */
export async function send(parts: PaymentParts, call: ClientCall): Promise<string> {
  const hex = hexOf(call.params)
  const attempt = (await loadAttemptReader())(hex)
  // Bytes after the end of the transaction are no transaction for the reader.
  const found = attempt === undefined ? undefined : await recordedFor(parts, call, attempt)
  if (attempt === undefined || found === undefined) {
    noteRefusal(parts, call, 'not-handed-over')
    throw refusedSend(elsewhere)
  }
  const { asked, key } = found
  const caller = key === undefined ? withoutKey(call) : { ...call, key }
  return settled(call, attempt.txid, (send) =>
    undertake(parts, caller, { asked, moment: 'send', isResumed: true, send }),
  )
}

/** Verifies a transaction from elsewhere by its request, and sends it. */
export async function submit(parts: PaymentParts, call: ClientCall): Promise<string> {
  const [hex, given, ...rest] = call.params
  if (typeof hex !== 'string' || !/^(?:[0-9a-fA-F]{2})+$/.test(hex) || rest.length > 0) {
    throw refusedParameter('params', 'hex and a case')
  }
  const attempt = (await loadAttemptReader())(hex)
  if (attempt === undefined) throw refusedParameter('params[0]', 'one whole transaction in hex')
  const asked = withinTerms(caseOf(given, hex), parts.terms)
  return settled(call, attempt.txid, (send) =>
    undertake(parts, call, {
      asked,
      moment: 'hand-over',
      isSent: true,
      newTransaction: ({ check }) => check(hex),
      send,
    }),
  )
}

type Send = Parameters<typeof undertake>[2]['send']

/** Runs a payment whose last step is a broadcast, and answers as the daemon does. */
export async function settled(
  call: ClientCall,
  expected: string | undefined,
  run: (send: Send) => Promise<Ending>,
): Promise<string> {
  let refusal: RpcFailure | undefined
  const ending = await run(async (attempt, payment) => {
    try {
      await payment.send(attempt)
    } catch (error) {
      if (isRpcError(error, 'daemon')) refusal = new RpcFailure(error.code ?? -26, error.message)
      throw error
    }
  }).catch((error: unknown) => {
    if (isRpcError(error, 'daemon') && error.uncertain !== true) throw refusal ?? error
    throw error
  })
  if (ending.held !== undefined || ending.txid === undefined) {
    if (refusal !== undefined && ending.refusal === undefined) throw refusal
    throw refusedSend(wordsOf(ending).replace(/^guard: /, ''))
  }
  const { txid } = ending
  if (expected !== undefined && txid !== expected) {
    throw refusedSend(`this payment was made by another transaction, ${txid}`)
  }
  return answerText(`"${txid}"`, 'null', call.id)
}

/** @throws {RpcFailure} for anything that asks for more than a broadcast */
function hexOf(params: readonly JsonValue[]): string {
  const [hex, allowsHighFees = false, ...rest] = params
  if (typeof hex !== 'string' || rest.length > 0) throw refusedParameter('params', 'one hex')
  if (allowsHighFees !== false) throw refusedParameter('params[1]', 'no high fees to be allowed')
  return hex.toLowerCase()
}

interface Found {
  readonly asked: AskedFor
  /** The name that the client gave the payment. */
  readonly key?: string
}

/** Returns the recorded request of this user's transaction, if the guard has handed it over. */
async function recordedFor(
  { journal, terms }: PaymentParts,
  { user }: ClientCall,
  { txid, hex }: { readonly txid: string; readonly hex: string },
): Promise<Found | undefined> {
  const book = bookOf(journal)
  await book.catchUp()
  const payment = book
    .payments()
    .find(({ attempts }) => attempts.some((it) => it.txid === txid && it.hex === hex))
  if (payment?.request === undefined) return undefined
  const asked = requestOf(payment.request)
  if (asked === undefined) return undefined
  const { undertakingOf } = await import('../rpc/safe-flow/undertaking.ts')
  const { key } = await undertakingOf(asked, terms.pubkey)
  // Another user's payment is as unknown as any other transaction.
  if (payment.terms !== ownKey(user, key())) return undefined
  const name = nameGiven(payment, user)
  return { asked, ...(name !== undefined && { key: name }) }
}

function nameGiven({ id }: RecordedPayment, user: string): string | undefined {
  if (id === undefined || user === '') return id
  return id.slice(user.length + 1)
}

function withoutKey({ key: _key, ...call }: ClientCall): ClientCall {
  return call
}

function requestOf(text: string): AskedFor | undefined {
  const { operation } = JSON.parse(text)
  if (operation === 'withdraw' || operation === 'wallet') return undefined
  const {
    evidence: _evidence,
    hex: _hex,
    ...asked
  } = parseCase(JSON.stringify({ ...JSON.parse(text), hex: '' }))
  return asked as AskedFor
}

/** @throws {RpcFailure} */
function caseOf(given: JsonValue | undefined, hex: string): AskedFor {
  const isText = typeof given === 'string'
  if (given === undefined || given === null || isLosslessNumber(given)) {
    throw refusedParameter('params[1]', 'a case, as an object or as JSON text')
  }
  try {
    const text = isText ? given : stringifyJson(given)
    const {
      evidence: _evidence,
      hex: _hex,
      ...asked
    } = parseCase(JSON.stringify({ ...JSON.parse(text), hex }))
    return asked as AskedFor
  } catch {
    throw refusedParameter('params[1]', 'a case with operation, network and intent')
  }
}
