import { type SliceOptions, turn } from '../../primitives/steps.ts'
import type { Evidence } from '../../request/case.ts'
import type { IntentTerms } from '../../request/intent.ts'
import type { Report } from '../../request/report.ts'
import { Stopped, startClock, untilStopped } from '../clock.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import { stopOf } from '../failure.ts'
import type { CallOptions } from '../options.ts'
import { type ClaimedTerms, fetchClaims } from './claims.ts'
import { createFetched, daemonSource, fetchAncestors, type RefusedEvidence } from './evidence.ts'
import { callOptions, reportProgress, type SafeFlowOptions } from './options.ts'
import { inputsOf } from './transaction.ts'

/** The rules that a transaction is verified by. */
export interface Subject {
  /** Transfers only: the transaction that created the token is evidence too. */
  readonly tokenid?: string
  /** Bids only, which move no token: the transaction that created the wanted token. */
  readonly creation?: string
  readonly terms: IntentTerms
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
  /** The verdict on the transaction, and the very copy that it is about. */
  readonly report: Report
  /** Evidence that the daemon was asked for and did not give; absent if there is none. */
  readonly refused?: readonly RefusedEvidence[]
}

/**
 * Judges a transaction by its bytes and those of everything it spends.
 *
 * `signal` and `timeoutMs` hold for all of it, and what was stopped is never a verdict.
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

/** Does all of `work` within `signal` and `timeoutMs`. @throws {RpcError} of kind `aborted` or `timeout` */
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
  const { tokenid, creation = tokenid, terms, pubkey, verify } = subject
  const spent = (await inputsOf(hex)).map(({ txid }) => txid)
  const fetched = createFetched(daemonSource(client, options), options)
  const [tip] = await Promise.all([
    // A transaction in a block has not expired, however high the chain is by now.
    state === 'new' ? tipHeight(client, options) : undefined,
    fetched.fetch(creation === undefined ? spent : [...spent, creation]),
  ])
  if (tokenid !== undefined) await fetchAncestors(hex, tokenid, fetched, options)
  // A transfer is bound to its chain by the token; and what is in a block is spent.
  const checksOutputs = tokenid === undefined && state === 'new'
  const question = { hex, fetched, terms, pubkey, checksOutputs }
  const claims = await fetchClaims(client, options, question)
  const { byTxid, refused } = fetched
  const evidence = {
    previousTransactions: [...byTxid.values()],
    ...(tip !== undefined && { tipHeight: Math.min(tip, heightMax) }),
  }
  const report = await verify(hex, evidence, claims, { signal: options.signal })
  // A clock that ran out in the last slice is let in before anything comes of the verdict.
  await turn()
  reportProgress(options, { step: 'verified', report })
  return { report, ...(refused.length > 0 && { refused }) }
}

const heightMax = 0xffffffff

/** Height of the chain; nothing if the daemon refuses, which the report then says. */
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
