// A request as the flows need it: the key of its payment, its text for the journal, and the rules
// by which its transaction is verified.

import { defaultNetwork } from '../../chain/network.ts'
import type { AskedFor } from '../../request/case.ts'
import type { CreateIntent } from '../../request/create.ts'
import { requestText } from '../../request/format-case.ts'
import type { TokenOrderIntent } from '../../request/order.ts'
import type { PaymentIntent } from '../../request/payment.ts'
import type { Finding, FindingCode } from '../../request/report.ts'
import type { IntentTerms } from '../../request/terms.ts'
import type { TransferIntent } from '../../request/transfer.ts'
import type { Checked as CheckedRequest } from '../../verification/check-intent.ts'
import type { Operation, ReadyRequest } from '../../verification/operation.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { readFirstBlock, requireFirstBlock } from '../first-block.ts'
import type { CallOptions } from '../options.ts'
import type { BuildCall } from './build-call.ts'
import { daemonView } from './chain-view.ts'
import { check, type Subject } from './check.ts'
import { daemonSource } from './evidence.ts'
import type { Payment } from './flow.ts'
import { callOptions, reportProgress, type SafeFlowOptions } from './options.ts'
import { orderCall } from './order-call.ts'
import type { Payee } from './paid-to.ts'
import { createCall, transferCall } from './token-call.ts'
import { paysEach } from './transaction.ts'
import { readingOnce } from './transaction-cache.ts'
import { usualWarnings } from './warned.ts'

/** The parts that differ between the transactions that a daemon builds. */
export interface Undertaking extends Subject {
  /** Returns the idempotency key: equal for equal intents, on the one chain of a client. */
  key(): string
  readonly request: () => string
  /** As the member of a payment. */
  readonly mayBe?: Payment['mayBe']
  readonly intentFindings: readonly Finding[]
  /** Further addresses whose coins may pay, beside that of the wallet's key. */
  readonly addresses?: readonly string[]
  /** One payee of a payment in coins: each equal payment pays it. */
  readonly payee?: Payee | undefined
  /** As the member of a payment. */
  readonly usualWarnings?: readonly FindingCode[] | undefined
  /** Returns the one call by which a daemon builds the transaction. */
  buildCall(client: DaemonClient, options: CallOptions): Promise<BuildCall>
}

// The verifier is native, so each function loads it: the clients run where it does not.

/** @throws {TypeError} for an intent of the wrong types */
export async function transferUndertaking(intent: TransferIntent): Promise<Undertaking> {
  const { tokenTransfer } = await import('../../verification/operations/transfer.ts')
  const { transferKey } = await import('./payment-keys.ts')
  return validatedUndertaking(tokenTransfer, intent, ({ intent: normalized }) => ({
    key: () => transferKey(normalized),
    mayBe: paysEach(normalized.recipients.map(({ amount }) => amount)),
    tokenids: normalized.tokenids ?? [normalized.tokenid],
    buildCall: (client, options) => transferCall(client, intent, options),
    pubkey: normalized.from,
  }))
}

/** @throws {TypeError} for an intent of the wrong types */
export async function createUndertaking(intent: CreateIntent): Promise<Undertaking> {
  const { tokenCreate } = await import('../../verification/operations/create.ts')
  const { createKey } = await import('./payment-keys.ts')
  return validatedUndertaking(tokenCreate, intent, ({ intent: normalized }) => ({
    key: () => createKey(normalized),
    mayBe: paysEach([normalized.supply]),
    buildCall: async () => createCall(normalized),
    pubkey: normalized.owner,
  }))
}

/**
 * @throws {TypeError} for an intent of the wrong types
 * @throws {AntaraError} `order_price` for a price that no text gives the daemon
 */
export async function orderUndertaking(intent: TokenOrderIntent): Promise<Undertaking> {
  const { operationOf } = await import('../../verification/operations/order.ts')
  const { orderKey } = await import('./payment-keys.ts')
  return validatedUndertaking(operationOf(intent), intent, ({ intent: normalized, findings }) => {
    const { kind, tokenid, from } = normalized
    // A price that no text gives the daemon is an error before anything is looked up.
    const call = findings.length === 0 ? orderCall(normalized) : undefined
    return {
      key: () => orderKey(normalized),
      // An order can be cancelled only once.
      ...(!kind.startsWith('cancel') && {
        mayBe: paysEach([kind === 'bid' ? (normalized.price ?? 0n) : normalized.units]),
      }),
      // A bid is bound to its chain by the coins that it spends, every other step by its tokens or
      // order.
      ...(kind === 'bid' ? { creation: tokenid } : { tokenids: [tokenid] }),
      usualWarnings: usualWarnings[kind],
      buildCall: async () => call!,
      pubkey: from,
    }
  })
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
  const { payment } = await import('../../verification/operations/payment.ts')
  const { addressOfScript } = await import('../../script/script.ts')
  const { paymentKey } = await import('./payment-keys.ts')
  const { ownScripts } = await import('../../request/own-scripts.ts')
  const { readPayees } = await import('../../request/payment-problems.ts')
  const { network = defaultNetwork } = intent
  return validatedUndertaking(payment, intent, () => ({
    key: () => paymentKey(intent),
    addresses: [...ownScripts(intent, network).named].flatMap(
      (script) => addressOfScript(script, network) ?? [],
    ),
    mayBe: paysEach(intent.recipients.flatMap(({ amount }) => (amount === 'max' ? [] : amount))),
    payee: payeeOf(readPayees(intent.recipients, network).payees, (script) =>
      addressOfScript(script, network),
    ),
    usualWarnings: usualWarnings.payment,
    buildCall: () => Promise.reject(new TypeError('a daemon makes a payment in several calls')),
    pubkey,
  }))
}

function payeeOf(
  payees: readonly { readonly script: string; readonly value?: bigint | undefined }[],
  addressOf: (script: string) => string | undefined,
): Payee | undefined {
  for (const { script, value: amount } of payees) {
    const address = addressOf(script)
    if (address !== undefined && amount !== undefined) return { address, amount }
  }
  return undefined
}

/** The parts of an undertaking that depend on the operation. */
type OwnParts = Omit<Undertaking, 'request' | 'intentFindings' | 'terms' | 'verify'>

/** Validates an intent once, and again only with terms that the daemon claims. */
async function validatedUndertaking<Intent extends IntentTerms, Ready extends ReadyRequest>(
  operation: Operation<Intent, Ready>,
  intent: Intent,
  partsOf: (validated: CheckedRequest<Ready>) => OwnParts,
): Promise<Undertaking> {
  const { verifyValidatedAsync } = await import('../../verification/verify-operation.ts')
  const { checkInclusion } = await import('../../verification/inclusion.ts')
  const validated = operation.validate(intent)
  const { network, ownKeys, spendable, onChain, chain, reportedBy } = intent
  return {
    ...partsOf(validated),
    request: () => requestText({ operation: operation.name, intent }),
    intentFindings: validated.findings,
    terms: { network, ownKeys, spendable, onChain, chain, reportedBy },
    async verify(hex, evidence, claims, limits) {
      const isClaimed = Object.keys(claims).length > 0
      const request = isClaimed ? operation.validate({ ...intent, ...claims }) : validated
      return verifyValidatedAsync(operation, hex, request, evidence, limits, checkInclusion)
    },
  }
}

/** Returns a payment that a daemon makes, without the way by which its transaction is made. */
export function daemonPayment(
  client: DaemonClient,
  options: SafeFlowOptions,
  undertaking: Undertaking,
): Omit<Payment, 'newTransaction'> {
  const calls = callOptions(options)
  const lookUp = daemonSource(client, options)
  const view = daemonView(client, options, lookUp)
  const firstBlock = readFirstBlock(options.firstBlock)
  let isReported = false

  async function chain(): Promise<string | undefined> {
    const hash = await view.chain()
    requireFirstBlock(firstBlock, { by: 'the daemon', hash })
    return hash
  }

  return {
    client,
    key: undertaking.key(),
    options,
    request: undertaking.request,
    usualWarnings: undertaking.usualWarnings,
    ...(undertaking.mayBe !== undefined && { mayBe: undertaking.mayBe }),
    async spends(recorded) {
      const { ownSpends } = await import('./own-spends.ts')
      const { paidTo } = await import('./paid-to.ts')
      const { pubkey, addresses, payee, terms } = undertaking
      const payer = { pubkey, addresses, network: terms.network }
      const [{ txids, isWhole }, paid] = await Promise.all([
        ownSpends(client, payer, recorded, options),
        payee === undefined ? [] : paidTo(client, payee, recorded, options),
      ])
      if (!isWhole && !isReported) reportProgress(options, { step: 'not-compared' })
      isReported ||= !isWhole
      return [...new Set([...txids, ...paid])]
    },
    readSpend: readingOnce(client, lookUp),
    refusal: 'daemon',
    check: (hex, state) => check({ client, options, subject: undertaking }, hex, state),
    lookUp,
    ...view,
    chain,
    ...(firstBlock !== undefined && { requireChain: chain }),
    async send({ hex, txid }) {
      await client.sendrawtransaction({ hex }, { ...calls, expectedTxid: txid })
    },
  }
}
