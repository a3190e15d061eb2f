import { isAntaraError } from '../errors/antara-error.ts'
import { bookOf } from '../journal/book.ts'
import type { PaymentIntent } from '../request/payment.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError } from '../rpc/errors.ts'
import { losesReward, madeByDaemon } from '../rpc/safe-flow/coin-build.ts'
import { answerText, RpcFailure } from '../server/json-rpc.ts'
import type { Admitted, ClientCall } from './call.ts'
import { coinRequest } from './coin-requests.ts'
import { failedCall } from './failures.ts'
import { type PaymentParts, undertake } from './payments.ts'
import { guardFailure, heldRepetition, refusedSend } from './refusals.ts'
import { requestedOf } from './requested.ts'
import { broadcastPayment } from './sends.ts'

/**
 * Carries out a payment in coins: creates, funds and signs it through the daemon, verifies, and
 * sends. Let one payment follow the other, because the daemon would fund two with the same coins.
 */
export async function pay(parts: PaymentParts, call: Admitted<ClientCall>): Promise<string> {
  const { client, terms } = parts
  if (!call.isForbidden && losesReward(terms.network)) {
    const reward = 'coins of this network may earn a reward, which this call would lose'
    throw refusedSend(reward, 'class')
  }
  const asked = coinRequest(call.method, call.params, terms)
  const requested = await requestedOf(parts, asked)
  const txid = await broadcastPayment(parts, 'daemon', undefined, async (send) => {
    let isAgain = false
    const ending = await undertake(parts, call, {
      requested,
      isSent: true,
      async newTransaction({ check }) {
        return check(await madeBy(client, asked.intent))
      },
      async send(attempt, payment) {
        isAgain = wasAccepted(parts, attempt.txid)
        await send(attempt, payment)
      },
    })
    // Two customers may be owed the same amount: one payment must not stand for both.
    const isRepeated = ending.repeated === true || (isAgain && ending.txid !== undefined)
    if (isRepeated && call.key === undefined) throw heldRepetition(`${ending.txid}`)
    return ending
  })
  return answerText(`"${txid}"`, 'null', call.id)
}

/** Returns true for a transaction that an earlier call sent: the daemon may have lost it since. */
function wasAccepted({ journal }: PaymentParts, txid: string): boolean {
  return bookOf(journal)
    .paymentsOf(txid)
    .some(({ attempts }) => attempts.some((it) => it.txid === txid && it.isAccepted))
}

/** Lets the daemon make the payment, and gives the caller the daemon's own errors. */
async function madeBy(client: DaemonClient, { recipients }: PaymentIntent): Promise<string> {
  try {
    const { hex, complete } = await madeByDaemon(client, recipients)
    if (complete) return hex
  } catch (error) {
    if (isRpcError(error, 'daemon')) throw new RpcFailure(error.code ?? -4, error.message)
    if (isAntaraError(error)) throw failedCall(error)
    throw error
  }
  throw guardFailure('the daemon did not sign the payment')
}
