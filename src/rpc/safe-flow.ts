// The safe flows for tokens: request a transaction, verify it, and send the verified copy.

import { snapshot, snapshotOptions } from '../primitives/snapshot.ts'
import type { CreateIntent } from '../request/create.ts'
import type { TokenOrderIntent } from '../request/order.ts'
import { reportWithout } from '../request/report.ts'
import type { TransferIntent } from '../request/transfer.ts'
import type { DaemonClient } from './daemon/client.ts'
import type { SafeFlowResult } from './safe-flow/flow.ts'
import { idempotentSend } from './safe-flow/idempotent-send.ts'
import { callOptions, requireFlowOptions, type SafeFlowOptions } from './safe-flow/options.ts'
import { settleSome } from './safe-flow/settle-some.ts'
import { requireSingleCall } from './safe-flow/token-call.ts'
import {
  createUndertaking,
  daemonPayment,
  orderUndertaking,
  transferUndertaking,
  type Undertaking,
} from './safe-flow/undertaking.ts'

/**
 * Transfers tokens. It requests the transaction from the daemon, fetches the transactions that it
 * spends, verifies it, and then broadcasts the verified copy.
 *
 * If anything differs from the intent, nothing is broadcast and the report names the differences.
 * If the broadcast fails, the call rejects and the transaction is remembered. A further call with
 * the same intent looks for it, sends it again, and makes another one only if the two cannot both
 * be mined. The same intent is the same payment, whatever its fees or spelling, and whether the
 * calls come one after the other or at once.
 *
 * Without `confirm` a transaction is held as `warned` if its report has a warning: the tokens are
 * not proven, for example, if the daemon withholds an ancestor of them. `allow` lets warnings pass.
 *
 * With a `journal` all of this survives the process. With an `id` a payment is made only once. If
 * the journal lacks an equal payment that the chain has from the last day, the payment is
 * held as `unrecorded-spends`, because the journal may be a new one. The daemon needs an address
 * index for this.
 *
 * @param client - a daemon that need not be trusted
 * @param intent - the transfer; its amount is in token units
 * @param options - a journal, an id, a policy for warnings and more
 * @returns the report, with the `txid` of an accepted transaction or the reason (`held`) why
 *   nothing was sent
 * @throws {RpcError} if the daemon cannot be reached, refuses, or answers with another txid
 * @throws {AntaraError} `engine_unavailable` if the native engine cannot be loaded; `id_conflict`
 *   if the id belongs to another request; `journal_chain` if the journal has the payment for
 *   another chain; `journal_locked`, `journal_failed` and similar codes before anything is sent
 * @throws {TypeError} for an intent of the wrong types
 * @example
 * const { report, txid } = await transferToken(
 *   daemon,
 *   { tokenid, destination, amount: 40n, from },
 *   { confirm: (report) => report.broadcast === 'yes' },
 * )
 * if (txid === undefined) console.log(report.findings)
 */
export async function transferToken(
  client: DaemonClient,
  intent: TransferIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  const asked = snapshot(intent, 'intent')
  const flow = await flowOptions(options)
  // A recorded transfer is settled without a call that builds one.
  if (flow.resumeOnly !== true) requireSingleCall(asked)
  return safeFlow(client, await transferUndertaking(asked), flow)
}

/**
 * Creates a token, with the checks of {@link transferToken}. Its report is `your-decision` if only
 * the daemon reports that the inputs are unspent; this alone does not hold the transaction.
 *
 * @param intent - name, supply in token units, owner, perhaps a description
 * @param options - as {@link transferToken}
 * @returns as {@link transferToken}; the txid is the tokenid
 * @throws {RpcError} and all others, as {@link transferToken}
 * @example
 * const intent = { name: 'GOLD', supply: 100_000_000n, owner }
 * const { txid: tokenid } = await createToken(daemon, intent)
 */
export async function createToken(
  client: DaemonClient,
  intent: CreateIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  const asked = snapshot(intent, 'intent')
  const flow = await flowOptions(options)
  return safeFlow(client, await createUndertaking(asked), flow)
}

/**
 * Takes a step of an order, with the checks of {@link transferToken}: makes an offer, fills one, or
 * cancels an own one.
 *
 * The terms of an order come from its own transaction, not from the daemon's list. Two warnings do
 * not hold a step, because an honest komodod causes them: the price of a bid that no chain
 * enforces, and the marker that a cancelled bid leaves.
 *
 * @param intent - `kind` names the step; a price is in satoshis for all units
 * @param options - as {@link transferToken}
 * @returns as {@link transferToken}
 * @throws {RpcError} and all others, as {@link transferToken}
 * @throws {AntaraError} `order_price` if no price in coins per unit makes the daemon arrive at the
 *   price of the offer
 * @throws {TypeError} if a fill has neither a price nor a bound for it
 * @example
 * const intent = { kind: 'fillAsk', tokenid, order, units: 30n, priceMax: 300_000n, from } as const
 * const { report, txid } = await tradeToken(daemon, intent)
 */
export async function tradeToken(
  client: DaemonClient,
  intent: TokenOrderIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  const asked = snapshot(intent, 'intent')
  const flow = await flowOptions(options)
  return safeFlow(client, await orderUndertaking(asked), flow)
}

/** Copies the options, so that later changes by the caller have no effect. */
async function flowOptions(given: SafeFlowOptions): Promise<SafeFlowOptions> {
  const options = snapshotOptions(given, 'options')
  await requireFlowOptions(options)
  return options
}

async function safeFlow(
  client: DaemonClient,
  undertaking: Undertaking,
  options: SafeFlowOptions,
): Promise<SafeFlowResult> {
  const { intentFindings } = undertaking
  if (intentFindings.length > 0) return { report: reportWithout(intentFindings), held: 'rejected' }
  await settleSome(client, options)
  const calls = callOptions(options)
  const payment = daemonPayment(client, options, undertaking)
  return idempotentSend({
    ...payment,
    async newTransaction() {
      const { name, params } = await undertaking.buildCall(client, calls)
      // Parameters by position, because typed ones refuse the burn key, which is not a point of the
      // curve.
      const { hex } = await client.call(name, params, calls)
      return payment.check(hex)
    },
  })
}
