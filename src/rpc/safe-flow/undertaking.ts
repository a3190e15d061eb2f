// A request as the flows need it: the key of its payment, its text for the journal, and the rules
// by which its transaction is verified.

import type { AskedFor } from '../../request/case.ts'
import type { CreateIntent } from '../../request/create.ts'
import { requestText } from '../../request/format-case.ts'
import type { TokenOrderIntent } from '../../request/order.ts'
import type { PaymentIntent } from '../../request/payment.ts'
import type { Finding } from '../../request/report.ts'
import type { TransferIntent } from '../../request/transfer.ts'
import type { DaemonClient } from '../daemon/client.ts'
import type { CallOptions } from '../options.ts'
import type { BuildCall } from './build-call.ts'
import { daemonView } from './chain-view.ts'
import { type Checked, check, type Subject } from './check.ts'
import { daemonSource } from './evidence.ts'
import type { Payment } from './flow.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'
import { orderCall } from './order-call.ts'
import { createCall, transferCall } from './token-call.ts'

/** The parts that differ between the transactions that a daemon builds. */
export interface Undertaking extends Subject {
  /** Returns the idempotency key: equal for equal intents, on the one chain of a client. */
  key(): string
  readonly request: () => string
  readonly amounts?: readonly bigint[]
  readonly intentFindings: readonly Finding[]
  /** Returns the one call by which a daemon builds the transaction. */
  buildCall(client: DaemonClient, options: CallOptions): Promise<BuildCall>
}

// The verifier is native, so each function loads it: the clients run where it does not.

/** @throws {TypeError} for an intent of the wrong types */
export async function transferUndertaking(intent: TransferIntent): Promise<Undertaking> {
  const { verifyTokenTransferAsync } = await import('../../verification/verify-transfer.ts')
  const { checkTransferIntent } = await import('../../verification/transfer-intent.ts')
  const { transferKey } = await import('./payment-keys.ts')
  const { intent: normalized, findings } = checkTransferIntent(intent)
  const { tokenid, from } = normalized
  return {
    key: () => transferKey(normalized),
    amounts: normalized.recipients.map(({ amount }) => amount),
    request: () => requestText({ operation: 'tokentransfer', intent }),
    intentFindings: findings,
    tokenid,
    buildCall: (client, options) => transferCall(client, intent, options),
    terms: intent,
    pubkey: from,
    verify: (hex, evidence, claims, limits) =>
      verifyTokenTransferAsync(hex, { ...intent, ...claims }, evidence, limits),
  }
}

/** @throws {TypeError} for an intent of the wrong types */
export async function createUndertaking(intent: CreateIntent): Promise<Undertaking> {
  const { checkCreateIntent, verifyTokenCreateAsync } = await import(
    '../../verification/operations/create.ts'
  )
  const { createKey } = await import('./payment-keys.ts')
  const { intent: normalized, findings } = checkCreateIntent(intent)
  return {
    key: () => createKey(normalized),
    amounts: [normalized.supply],
    request: () => requestText({ operation: 'tokencreate', intent }),
    intentFindings: findings,
    buildCall: async () => createCall(normalized),
    terms: intent,
    pubkey: normalized.owner,
    verify: (hex, evidence, claims, limits) =>
      verifyTokenCreateAsync(hex, { ...intent, ...claims }, evidence, limits),
  }
}

/**
 * @throws {TypeError} for an intent of the wrong types
 * @throws {AntaraError} `order_price` for a price that no text gives the daemon
 */
export async function orderUndertaking(intent: TokenOrderIntent): Promise<Undertaking> {
  const { orderOperations } = await import('../../request/order.ts')
  const { checkOrderIntent } = await import('../../verification/order-intent.ts')
  const { verifyTokenOrderAsync } = await import('../../verification/operations/order.ts')
  const { orderKey } = await import('./payment-keys.ts')
  const { intent: normalized, findings } = checkOrderIntent(intent)
  const { kind, tokenid, from } = normalized
  // A price that no text gives the daemon is an error before anything is looked up.
  const call = findings.length === 0 ? orderCall(normalized) : undefined
  return {
    key: () => orderKey(normalized),
    // An order can be cancelled only once.
    ...(!kind.startsWith('cancel') && {
      amounts: [kind === 'bid' ? (normalized.price ?? 0n) : normalized.units],
    }),
    request: () => requestText({ operation: orderOperations[kind], intent } as AskedFor),
    intentFindings: findings,
    // A bid is bound to its chain by the coins that it spends, every other step by its tokens or
    // order.
    ...(kind === 'bid' ? { creation: tokenid } : { tokenid }),
    buildCall: async () => call!,
    terms: intent,
    pubkey: from,
    verify: (hex, evidence, claims, limits) =>
      verifyTokenOrderAsync(hex, { ...intent, ...claims }, evidence, limits),
  }
}

/**
 * Returns the undertaking of any request.
 *
 * @param pubkey - the wallet's key, for requests that name none
 * @throws {TypeError} for an intent of the wrong types
 */
export async function undertakingOf(asked: AskedFor, pubkey: string): Promise<Undertaking> {
  switch (asked.operation) {
    case 'tokentransfer':
      return transferUndertaking(asked.intent)
    case 'tokencreate':
      return createUndertaking(asked.intent)
    case 'payment':
      return paymentUndertaking(asked.intent, pubkey)
    default:
      return orderUndertaking(asked.intent)
  }
}

/** @throws {TypeError} for an intent of the wrong types */
async function paymentUndertaking(intent: PaymentIntent, pubkey: string): Promise<Undertaking> {
  const { checkPaymentIntent, verifyPaymentAsync } = await import(
    '../../verification/operations/payment.ts'
  )
  const { paymentKey } = await import('./payment-keys.ts')
  const { findings } = checkPaymentIntent(intent)
  const amounts = intent.recipients.flatMap(({ amount }) => (amount === 'max' ? [] : [amount]))
  return {
    key: () => paymentKey(intent),
    amounts,
    request: () => requestText({ operation: 'payment', intent }),
    intentFindings: findings,
    buildCall: () => Promise.reject(new TypeError('a daemon makes a payment in several calls')),
    terms: intent,
    pubkey,
    verify: (hex, evidence, claims, limits) =>
      verifyPaymentAsync(hex, { ...intent, ...claims }, evidence, limits),
  }
}

/** Returns a payment that a daemon makes, without the way by which its transaction is made. */
export function daemonPayment(
  client: DaemonClient,
  options: SafeFlowOptions,
  undertaking: Undertaking,
): Omit<Payment<Checked>, 'newTransaction'> {
  const calls = callOptions(options)
  const lookUp = daemonSource(client, options)
  return {
    client,
    key: undertaking.key(),
    options,
    request: undertaking.request,
    ...(undertaking.amounts !== undefined && { amounts: undertaking.amounts }),
    async spends(above) {
      // A journal without payments cannot tell old payments from new ones.
      if (above === undefined) return []
      const { ownSpends } = await import('./own-spends.ts')
      const { pubkey, terms } = undertaking
      return ownSpends(client, { pubkey, network: terms.network }, above, options)
    },
    refusal: 'daemon',
    check: (hex, state) => check({ client, options, subject: undertaking }, hex, state),
    lookUp,
    ...daemonView(client, options, lookUp),
    async send({ hex, txid }) {
      await client.sendrawtransaction({ hex }, { ...calls, expectedTxid: txid })
    },
  }
}
