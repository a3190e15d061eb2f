// Verifies the transaction of a flow with the evidence that was fetched.

import { lockTimeThreshold } from '../../chain/limits.ts'
import { type SliceOptions, turn } from '../../primitives/steps.ts'
import type { Evidence } from '../../request/evidence.ts'
import type { Report } from '../../request/report.ts'
import type { Transaction } from '../../transaction/types.ts'
import { Stopped, startClock, untilStopped } from '../clock.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import { stopOf } from '../failure.ts'
import type { CallOptions } from '../options.ts'
import { type ClaimedTerms, fetchClaims, type OwnTerms } from './claims.ts'
import {
  createFetched,
  daemonSource,
  type Fetched,
  fetchAncestors,
  type RefusedEvidence,
} from './evidence.ts'
import { callOptions, reportProgress, type SafeFlowOptions } from './options.ts'
import { readTransaction, worthwhileInputs } from './transaction.ts'

/** The rules that a transaction is verified by. */
export interface Subject {
  /** The tokens that move; their creations are evidence too. */
  readonly tokenids?: readonly string[]
  /** The creation of the wanted token, for bids, which move no token. */
  readonly creation?: string
  readonly terms: OwnTerms
  /** The wallet's key that the intent names. */
  readonly pubkey: string
  verify(
    hex: string,
    evidence: Evidence,
    claims: ClaimedTerms,
    options: SliceOptions,
  ): Promise<Report>
}

export interface Checked {
  /** The report on the transaction, with the copy that was verified. */
  readonly report: Report
  /** Evidence that the daemon did not provide; absent if it provided all. */
  readonly refused?: readonly RefusedEvidence[]
}

/**
 * Verifies a transaction by its bytes and those of everything that it spends.
 *
 * `signal` and `timeoutMs` apply to all of it. A verification that was stopped has no result.
 *
 * @throws {RpcError} of kind `aborted` or `timeout`, and as the calls of the client
 */
export async function check(
  { client, options, subject }: Context,
  hex: string,
  state: 'new' | 'on-chain' = 'new',
): Promise<Checked> {
  return withinLimits(options, (limited) =>
    checkAll({ client, options: limited, subject }, hex, state),
  )
}

/**
 * Runs `work` within `signal` and `timeoutMs`.
 * @throws {RpcError} of kind `aborted` or `timeout`
 */
export async function withinLimits<Options extends CallOptions, T>(
  options: Options,
  work: (limited: Options & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const clock = startClock(options.timeoutMs ?? Number.POSITIVE_INFINITY, options.signal)
  try {
    return await untilStopped(work({ ...options, signal: clock.signal }), clock)
  } catch (error) {
    throw error instanceof Stopped ? stopOf(clock) : error
  } finally {
    clock.release()
  }
}

interface Context {
  readonly client: DaemonClient
  readonly options: SafeFlowOptions
  readonly subject: Subject
}

async function checkAll(
  { client, options, subject }: Context,
  hex: string,
  state: 'new' | 'on-chain',
): Promise<Checked> {
  const { tokenids, creation, terms, pubkey, verify } = subject
  const creations = tokenids ?? (creation === undefined ? [] : [creation])
  const tx = await readTransaction(hex)
  const spent = worthwhileInputs(tx).map(({ txid }) => txid)
  const fetched = createFetched(daemonSource(client, options), options)
  const [tip] = await Promise.all([
    // A transaction in a block has not expired, whatever the height of the chain.
    state === 'new' ? tipHeight(client, options) : undefined,
    fetched.fetch([...spent, ...creations]),
  ])
  if (tokenids !== undefined) await fetchAncestors(hex, tokenids, fetched, options)
  // The token binds a transfer to its chain, and the inputs of a mined transaction are spent.
  const unspent = state === 'new' ? 'unspent' : 'spent'
  const inputs = tokenids === undefined ? unspent : undefined
  const question = { hex, fetched, terms, pubkey, inputs } as const
  const claims = await fetchClaims(client, options, question)
  const evidence = {
    previousTransactions: [...fetched.byTxid.values()],
    ...(tip !== undefined && { tipHeight: Math.min(tip, heightMax) }),
    ...(state === 'on-chain' && tx !== undefined && afterLock(tx)),
  }
  const verifying = verify(hex, evidence, claims, { signal: options.signal })
  return checkedBy(verifying, fetched, options)
}

/** Returns the result of a verification, after the observer of the flow has seen it. */
export async function checkedBy(
  verifying: Promise<Report>,
  { refused }: Fetched,
  options: SafeFlowOptions,
): Promise<Checked> {
  const report = await verifying
  // Lets a clock stop the flow if it ran out in the last slice.
  await turn()
  reportProgress(options, { step: 'verified', report })
  return { report, ...(refused.length > 0 && { refused }) }
}

const heightMax = 0xffffffff

/**
 * Returns a tip at which the lock time of a mined transaction is over, as its block
 * had to obey it. The wallet of a daemon sets a lock time in each payment, and a framework in each
 * of KMD.
 *
 * @see komodo src/wallet/wallet.cpp, CWallet::CreateTransaction
 */
export function afterLock({ lockTime, expiryHeight = 0 }: Transaction): Partial<Evidence> {
  if (lockTime >= lockTimeThreshold) return { tipTime: lockTime }
  return lockTime === 0 ? {} : { tipHeight: Math.max(lockTime, expiryHeight - 1) }
}

/**
 * Returns the height of the chain; `undefined` if the daemon refuses, which the report then shows.
 */
async function tipHeight(
  client: DaemonClient,
  options: SafeFlowOptions,
): Promise<number | undefined> {
  try {
    return await client.getblockcount({}, callOptions(options))
  } catch (error) {
    if (isRpcError(error, 'daemon')) return undefined
    throw error
  }
}
