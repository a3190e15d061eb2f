import type { CreateIntent, TransferIntent } from '../intent/intent.ts'
import type { TokenOrderIntent } from '../intent/order.ts'
import type { Finding } from '../verification/report.ts'
import { isVerifiedTransaction } from '../verification/sealed.ts'
import { coinsOfSats } from './amounts.ts'
import type { DaemonClient } from './daemon/client.ts'
import { isRpcError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { type Attempt, type Attempts, attemptsOf, inTurn } from './safe-flow/attempts.ts'
import { rawTransaction, replyBytesMax } from './safe-flow/evidence.ts'
import { type Judged, judge, type Subject } from './safe-flow/judge.ts'
import { callOptions, type SafeFlowOptions, tell } from './safe-flow/options.ts'
import { orderCall } from './safe-flow/order-call.ts'
import { attemptOf } from './safe-flow/transaction.ts'

/** Why nothing was broadcast. */
export type Held =
  | 'rejected'
  | 'dry-run'
  | 'declined'
  /** It could be mined beside an earlier attempt. */
  | 'different-inputs'
  /** More attempts are unsettled than this client remembers. */
  | 'too-many-attempts'

export interface SafeFlowResult extends Judged {
  /** Only of a transaction that the daemon has accepted; of a creation also the tokenid. */
  readonly txid?: string
  /** Only where there is no txid. */
  readonly held?: Held
}

/**
 * Transfers tokens: asks the daemon for the transaction, fetches what it spends, verifies, and only
 * then broadcasts the copy that was verified.
 *
 * If anything differs from the intent nothing is broadcast and the report says why. If the
 * broadcast itself fails the call rejects, and the transaction is remembered: a further call with
 * the same intent looks for it, sends it again, and makes another only if that could not be mined
 * beside any that was sent. The same intent is the same payment, whatever its fees: however it is
 * spelled, and whether two calls come one after the other or at once.
 *
 * @param client - a daemon that need not be trusted
 * @param intent - what is wanted; amount in token units
 * @throws {RpcError} when the daemon cannot be reached, refuses, or answers with another txid
 * @throws {AntaraError} `engine_unavailable` where the native engine cannot be loaded
 * @throws {TypeError} for an intent of the wrong types
 * @example
 * const { report, txid } = await transferToken(daemon, { tokenid, destination, amount: 40n, from })
 * if (txid === undefined) console.log(report.findings)
 */
export async function transferToken(
  client: DaemonClient,
  intent: TransferIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  // The verifier is native: loaded here, the clients themselves run where it does not.
  const { judgeTransferIntent, verifyTokenTransferAsync } = await import(
    '../verification/operations/transfer.ts'
  )
  if (intent.recipients !== undefined && intent.recipients.length > 1) {
    throw new TypeError('intent.recipients: a daemon transfers to one recipient at a time')
  }
  const { intent: asked, findings } = judgeTransferIntent(intent)
  const { tokenid, recipients, from } = asked
  const { destination, amount } = intent
  return perform(client, options, {
    key: keyOf('transfer', tokenid, from, ...recipients.flatMap((one) => [one.pubkey, one.amount])),
    intentFindings: findings,
    tokenid,
    // By position: the burn key, which an intent may name, is no point of the curve.
    ask: (call) => client.call('tokentransfer', [tokenid, destination, amount.toString()], call),
    terms: intent,
    pubkey: from,
    verify: (hex, evidence, said, limits) =>
      verifyTokenTransferAsync(hex, { ...intent, ...said }, evidence, limits),
  })
}

/**
 * Creates a token, as carefully as {@link transferToken} transfers one.
 *
 * @param intent - name, supply in token units, description, owner
 * @throws as {@link transferToken}
 * @example
 * const intent = { name: 'GOLD', supply: 100_000_000n, description: '', owner }
 * const { txid: tokenid } = await createToken(daemon, intent)
 */
export async function createToken(
  client: DaemonClient,
  intent: CreateIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  const { judgeCreateIntent, verifyTokenCreateAsync } = await import(
    '../verification/operations/create.ts'
  )
  const { intent: asked, findings } = judgeCreateIntent(intent)
  const { name, supply, description, data, owner } = asked
  return perform(client, options, {
    key: keyOf('create', owner, name, supply, description, data),
    intentFindings: findings,
    ask: (call) => {
      const extra = data === '' ? [] : [data]
      return client.call('tokencreate', [name, coinsOfSats(supply), description, ...extra], call)
    },
    terms: intent,
    pubkey: owner,
    verify: (hex, evidence, said, limits) =>
      verifyTokenCreateAsync(hex, { ...intent, ...said }, evidence, limits),
  })
}

/**
 * Takes a step of an order, as carefully as {@link transferToken} transfers tokens: makes an offer,
 * fills somebody's, or takes the own one back.
 *
 * What an order asks is read from its own transaction, not from the daemon's list.
 *
 * @param intent - `kind` names the step; a price is in satoshis for all units
 * @throws as {@link transferToken}; {AntaraError} `order_price` for an offer whose price no text in
 *   coins per unit makes the daemon come to
 * @example
 * const intent = { kind: 'fillAsk', tokenid, order, units: 30n, from } as const
 * const { report, txid } = await tradeToken(daemon, intent)
 */
export async function tradeToken(
  client: DaemonClient,
  intent: TokenOrderIntent,
  options: SafeFlowOptions = {},
): Promise<SafeFlowResult> {
  const { judgeOrderIntent } = await import('../verification/order-intent.ts')
  const { verifyTokenOrderAsync } = await import('../verification/operations/order.ts')
  const { intent: asked, findings } = judgeOrderIntent(intent)
  const { kind, tokenid, from, order, units, price = 0n } = asked
  const method = findings.length === 0 ? orderCall(asked) : undefined
  return perform(client, options, {
    key: keyOf('order', kind, tokenid, from, order, units, price),
    intentFindings: findings,
    // What binds a bid to its chain is the coins that it spends; all else spends tokens or orders.
    ...(kind !== 'bid' && { tokenid }),
    ...(kind === 'bid' && { creation: tokenid }),
    ask: (call) => client.call(method!.name, method!.params, call),
    terms: intent,
    pubkey: from,
    verify: (hex, evidence, said, limits) =>
      verifyTokenOrderAsync(hex, { ...intent, ...said }, evidence, limits),
  })
}

// Fees are no part of it: whoever asks again with another fee means the same payment.
function keyOf(...parts: readonly (string | bigint)[]): string {
  return JSON.stringify(parts.map(String))
}

/** What is particular to one operation. */
interface Operation extends Subject {
  /** The same for the same intent, on the one chain that a client speaks to. */
  readonly key: string
  readonly intentFindings: readonly Finding[]
  ask(options: CallOptions): Promise<{ readonly hex: string }>
}

/** One call of a safe flow: what it was given, and what was sent before for the same intent. */
interface Flow {
  readonly client: DaemonClient
  readonly options: SafeFlowOptions
  readonly operation: Operation
  readonly attempts: Attempts
}

async function perform(
  client: DaemonClient,
  options: SafeFlowOptions,
  operation: Operation,
): Promise<SafeFlowResult> {
  const { intentFindings, key } = operation
  if (intentFindings.length > 0) {
    const report = { ok: false, findings: intentFindings, hex: '', effects: [] }
    return { report, held: 'rejected' }
  }
  const attempts = attemptsOf(client, key)
  const flow = { client, options, operation, attempts }
  return inTurn(client, key, options.signal, async () => {
    const settled = (await takeUpEarlier(flow)) ?? (await settleEarlier(flow))
    return settled ?? payAnew(flow)
  })
}

/** Remembers the attempts of another process; a result where that cannot be. */
async function takeUpEarlier(flow: Flow): Promise<SafeFlowResult | undefined> {
  const { earlier = [] } = flow.options
  for (const hex of typeof earlier === 'string' ? [earlier] : earlier) {
    const attempt = await attemptOf(hex)
    if (attempt === undefined) return { ...(await judge(flow, hex)), held: 'rejected' }
    if (!flow.attempts.remember(attempt)) {
      return { ...(await judge(flow, hex)), held: 'too-many-attempts' }
    }
  }
  return undefined
}

/**
 * What became of earlier attempts: found on the chain, or sent again now. Nothing if the daemon
 * will have none of them, so that another has to be made.
 */
async function settleEarlier(flow: Flow): Promise<SafeFlowResult | undefined> {
  const { client, options, attempts } = flow
  const unsettled = attempts.unsettled()
  for (const { txid, hex } of unsettled) {
    tell(options, { step: 'looking-up-earlier', txid })
    if ((await rawTransaction(client, options, txid)) !== hex) continue
    const judged = await judge(flow, hex, 'on-chain')
    attempts.settle()
    return { ...judged, txid }
  }
  for (const { hex } of unsettled) {
    const judged = await judge(flow, hex)
    const attempt = await verifiedAttempt(judged)
    if (attempt === undefined) continue
    try {
      return await release(flow, judged, attempt)
    } catch (error) {
      if (!isRpcError(error, 'daemon')) throw error
    }
  }
  return undefined
}

async function payAnew(flow: Flow): Promise<SafeFlowResult> {
  const { options, operation, attempts } = flow
  tell(options, { step: 'asking' })
  const { hex } = await operation.ask({
    ...callOptions(options),
    maxResponseBytes: replyBytesMax,
  })
  const judged = await judge(flow, hex)
  const attempt = await verifiedAttempt(judged)
  if (attempt === undefined) return { ...judged, held: 'rejected' }
  if (!attempts.excludes(attempt) && options.differentInputs !== true) {
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
async function release(flow: Flow, judged: Judged, attempt: Attempt): Promise<SafeFlowResult> {
  const { client, options, attempts } = flow
  const { report } = judged
  if (options.dryRun === true) return { ...judged, held: 'dry-run' }
  if (options.confirm !== undefined && (await options.confirm(report)) !== true) {
    return { ...judged, held: 'declined' }
  }
  // Remembered before it leaves, and forgotten only when it has arrived: a daemon may say that it
  // refused what it sent on.
  if (!attempts.remember(attempt)) return { ...judged, held: 'too-many-attempts' }
  tell(options, { step: 'broadcasting', report })
  const { hex, txid } = attempt
  await client.sendrawtransaction({ hex }, { ...callOptions(options), expectedTxid: txid })
  attempts.settle()
  return { ...judged, txid }
}
