// Withdrawals through a guard: the server builds, the guard verifies, records and hands over.

import {
  isJsonObject,
  JsonFaultError,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../primitives/json.ts'
import { isRpcError } from '../../rpc/errors.ts'
import type { FrameworkClient } from '../../rpc/framework/client.ts'
import { withdrawKey } from '../../rpc/safe-flow/payment-keys.ts'
import { stillReadingText } from '../../rpc/safe-flow/wallet-history.ts'
import {
  type RecordedWithdrawal,
  withdrawOf,
  withdrawText,
} from '../../rpc/safe-flow/withdraw-text.ts'
import { withdrawalPayment } from '../../rpc/safe-flow/withdrawal.ts'
import type { Reply } from '../../server/http-server.ts'
import type { RpcFailure } from '../../server/json-rpc.ts'
import { isAnswerTo } from '../answer-of.ts'
import type { Admitted } from '../call.ts'
import { effectsOf } from '../effects.ts'
import { refusalOf } from '../ending.ts'
import { longHexIn } from '../long-hex.ts'
import { type FlowParts, undertake } from '../payments.ts'
import { guardFailure, refusedParameter } from '../refusals.ts'
import type { Requested } from '../requested.ts'
import { sendHandedOver } from '../sends.ts'
import type { Upstream } from '../upstream.ts'
import { resultText, textReply } from './answers.ts'
import { type FrameworkCall, textOfFrameworkCall } from './call.ts'
import { detailsOf } from './details.ts'
import { type WithdrawTerms, withdrawRequest } from './withdraw-request.ts'

type JsonObject = Readonly<Record<string, JsonValue>>

/** The parts of payments through a framework. */
export interface FrameworkParts extends FlowParts {
  readonly client: FrameworkClient
  readonly upstream: Upstream
  readonly userpass: () => string | Promise<string>
  readonly terms: WithdrawTerms
  /** True if payments that the journal lacks are looked for in the history of the wallet. */
  readonly isLookedBack: boolean
  /** Locking scripts of the wallet. */
  readonly ownScripts: ReadonlySet<string>
  /** Details that the server gave with transactions that were handed over, by txid. */
  readonly details: Map<string, string>
}

/** A transaction and its details have at most this many bytes. */
const answerBytesMax = 1 << 20
/** Number of answers that are kept for repeated calls. */
const detailsMax = 1_000

/** Lets the server build a withdrawal, verifies it, and returns the server's answer. */
export async function withdraw(
  parts: FrameworkParts,
  call: Admitted<FrameworkCall>,
): Promise<Reply> {
  const withdrawal = withdrawRequest(call.params, parts.terms)
  let answer: Reply | undefined
  const ending = await handOver(parts, call, withdrawal, async () => {
    answer = await asked(parts, call)
    return detailsIn(resultIn(answer, call), answer.body)
  })
  return ending.isFresh ? answer! : textReply(200, resultText(ending.details, call))
}

/** Sends a transaction that the guard handed over, once. */
export async function sendWithdrawal(
  parts: FrameworkParts,
  call: Admitted<FrameworkCall>,
): Promise<Reply> {
  const { coin, tx_hex, ...rest } = call.params
  if (typeof tx_hex !== 'string' || Object.keys(rest).length > 0) {
    throw refusedParameter('params', 'coin and tx_hex')
  }
  if (coin !== parts.terms.coin) throw refusedParameter('params.coin', parts.terms.coin)
  const txid = await sendHandedOver(parts, call, {
    hex: tx_hex.toLowerCase(),
    refusal: 'framework',
    elsewhere: 'this transaction was not handed over by the guard',
  })
  return textReply(200, resultText(`{"tx_hash":"${txid}"}`, call))
}

/** Reads the request of a recorded withdrawal; `undefined` for any other payment. */
export async function requestedBy(
  parts: FrameworkParts,
  text: string,
): Promise<Requested | undefined> {
  const recorded = withdrawOf(text)
  return recorded && requestedWithdrawal(parts, recorded)
}

/** A transaction that may leave, with its details as JSON text. */
interface HandedOver {
  readonly details: string
  /** False if it is that of an earlier call. */
  readonly isFresh: boolean
}

/**
 * Verifies and records a withdrawal.
 *
 * @param ask - returns the server's details
 * @throws {RpcFailure} with the reason why nothing is handed over
 */
export async function handOver(
  parts: FrameworkParts,
  call: Admitted<FrameworkCall>,
  withdrawal: RecordedWithdrawal,
  ask: () => Promise<JsonObject>,
): Promise<HandedOver> {
  let given: JsonObject | undefined
  const requested = await requestedWithdrawal(parts, withdrawal)
  const ending = await undertake(parts, call, {
    requested,
    async newTransaction() {
      given = await ask()
      return requested.checkResponse(given)
    },
    // The answer hands the bytes over.
    send: async () => undefined,
  })
  const { held, report } = ending
  const { hex, txid } = report
  if (held !== undefined || hex === '' || txid === undefined) throw refusalOf(ending)
  const isFresh = String(given?.tx_hex).toLowerCase() === hex
  const details = isFresh
    ? stringifyJson(given!)
    : (parts.details.get(txid) ?? detailsOf(report, withdrawal.intent, parts.ownScripts))
  remember(parts.details, txid, details)
  return { details, isFresh }
}

function remember(known: Map<string, string>, txid: string, details: string): void {
  known.delete(txid)
  known.set(txid, details)
  const [oldest] = known.keys()
  if (known.size > detailsMax && oldest !== undefined) known.delete(oldest)
}

interface RequestedWithdrawal extends Requested {
  checkResponse: Awaited<ReturnType<typeof withdrawalPayment>>['checkResponse']
}

async function requestedWithdrawal(
  { client, terms, ownScripts, flow, isLookedBack }: FrameworkParts,
  { intent, from }: RecordedWithdrawal,
): Promise<RequestedWithdrawal> {
  const { paymentOf } = await import('../../request/withdraw.ts')
  const { checkPaymentIntent } = await import('../../verification/operations/payment.ts')
  const payment = paymentOf(intent)
  const asked = { operation: 'payment', intent: payment } as const
  const { checkResponse } = await withdrawalPayment(client, intent, flow)
  return {
    key: () => withdrawKey(intent),
    request: () => withdrawText(intent, from),
    intentFindings: checkPaymentIntent(payment).findings,
    async payment(options) {
      const { payment } = await withdrawalPayment(client, intent, { ...options, from })
      return {
        ...payment,
        async spends(recorded) {
          if (recorded.first === undefined && !isLookedBack) return []
          return payment.spends(recorded).catch((error: unknown) => {
            // Other answers than this one show only the kind of the failure.
            const isReading = isRpcError(error, 'shape') && error.path === 'sync_status'
            throw isReading ? guardFailure(stillReadingText) : error
          })
        },
      }
    },
    effects: (report) => effectsOf(asked, report, { ...terms, pubkey: '' }, ownScripts),
    checkResponse,
  }
}

/** Passes a call on and returns its reply, read whole. */
export async function asked(parts: FrameworkParts, call: FrameworkCall): Promise<Reply> {
  const body = textOfFrameworkCall(call, await parts.userpass())
  const { status, text } = await parts.upstream.ask(body, call, answerBytesMax)
  if (text === undefined) throw guardFailure('the framework answered with no JSON')
  if (!isAnswerTo(call.id ?? 'null', text)) throw anotherForm()
  return textReply(status, text)
}

export function anotherForm(): RpcFailure {
  return guardFailure('the framework answered in another form than that of this method')
}

/** A reply without a transaction, such as a failure of the server. It is passed on. */
export class ServerReply extends Error {
  readonly reply: Reply
  constructor(reply: Reply) {
    super('the framework built nothing')
    this.reply = reply
  }
}

/**
 * Returns the result in a reply.
 *
 * @throws {ServerReply} for a failure of the server that cannot contain a transaction
 */
export function resultIn(reply: Reply, { dispatcher }: FrameworkCall): JsonObject {
  const { status, body } = reply
  const answer = parsed(body)
  const result = dispatcher === 'legacy' ? answer : isJsonObject(answer) ? answer.result : undefined
  const isError = isJsonObject(answer) && 'error' in answer
  if (status === 200 && !isError && isJsonObject(result)) return result
  if (longHexIn(body).length === 0) throw new ServerReply(reply)
  throw anotherForm()
}

/** Returns the details of a withdrawal, if they are the only place of a transaction. */
export function detailsIn(details: JsonValue | undefined, body: string): JsonObject {
  const hex = isJsonObject(details) ? details.tx_hex : undefined
  const runs = longHexIn(body)
  if (isJsonObject(details) && runs.length === 1 && runs[0] === hex) return details
  throw anotherForm()
}

/** @throws {RpcFailure} if a reply could contain a transaction */
export function requireNoTransaction({ body }: Reply): void {
  if (longHexIn(body).length > 0) throw anotherForm()
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    throw guardFailure('the framework answered with no JSON')
  }
}
