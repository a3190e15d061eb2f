import type { CreateIntent, TransferIntent } from '../verification/intent.ts'
import type { Evidence, Finding, Report } from '../verification/report.ts'
import { isVerifiedTransaction } from '../verification/sealed.ts'
import { coinsOfSats } from './amounts.ts'
import type { CallOptions } from './connection.ts'
import type { DaemonClient } from './daemon/client.ts'
import { isRpcError } from './errors.ts'

/** How far a transfer or a creation is. */
export type SafeFlowProgress =
  | { readonly step: 'looking-up-earlier'; readonly txid: string }
  | { readonly step: 'asking' }
  | { readonly step: 'fetching'; readonly done: number; readonly total: number }
  | { readonly step: 'verified'; readonly report: Report }
  | { readonly step: 'broadcasting'; readonly report: Report }

/** `signal` and the limits hold for each call of the flow. */
export interface SafeFlowOptions extends CallOptions {
  /** Judges and stops. */
  readonly dryRun?: boolean
  /** Asked once everything agrees, before the broadcast; anything but true stops. */
  readonly confirm?: (report: Report) => boolean | Promise<boolean>
  /** What it throws is ignored. */
  readonly onProgress?: (progress: SafeFlowProgress) => void
  /**
   * Hex of an earlier attempt at the same thing whose fate is not known. Attempts of this client
   * are remembered until one succeeds; this is for those of another process.
   */
  readonly earlier?: string
  /**
   * How many transactions of the tokens' history to fetch for the proof that they are genuine;
   * default 300, 0 for none.
   */
  readonly ancestorsMax?: number
  /**
   * Allows a transaction that could be mined beside the earlier attempt, so that both take effect.
   * Otherwise such a one is held.
   */
  readonly differentInputs?: boolean
}

/** Why nothing was broadcast. */
export type Held = 'rejected' | 'dry-run' | 'declined' | 'different-inputs'

export interface SafeFlowResult {
  /** The verdict on the transaction, and the very copy that it is about. */
  readonly report: Report
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
 * the same intent looks for it, sends it again, and never pays twice from other coins unasked.
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
  const { judgeTransferIntent } = await import('../verification/intent.ts')
  const { verifyTokenTransferAsync } = await import('../verification/transfer.ts')
  const { tokenid, destination, amount, from, network, fee, maxFee, burn } = intent
  if (intent.recipients !== undefined && intent.recipients.length > 1) {
    throw new TypeError('intent.recipients: a daemon transfers to one recipient at a time')
  }
  return perform(client, options, {
    key: keyOf(`transfer ${tokenid} ${destination} ${from}`.toLowerCase(), [
      ...[amount, network?.name, fee, maxFee, burn],
    ]),
    intentFindings: judgeTransferIntent(intent).findings,
    tokenid,
    // By position: the burn key, which an intent may name, is no point of the curve.
    ask: (call) => client.call('tokentransfer', [tokenid, destination, amount.toString()], call),
    verify: (hex, evidence) => verifyTokenTransferAsync(hex, intent, evidence),
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
  const { judgeCreateIntent } = await import('../verification/intent.ts')
  const { verifyTokenCreateAsync } = await import('../verification/create.ts')
  const { name, supply, description, data, owner, network, fee, maxFee } = intent
  return perform(client, options, {
    key: keyOf(`create ${owner} ${data}`.toLowerCase(), [
      ...[name, supply, description, network?.name, fee, maxFee],
    ]),
    intentFindings: judgeCreateIntent(intent).findings,
    ask: (call) => {
      const extra = data === undefined ? [] : [data]
      return client.call('tokencreate', [name, coinsOfSats(supply), description, ...extra], call)
    },
    verify: (hex, evidence) => verifyTokenCreateAsync(hex, intent, evidence),
  })
}

/** What is particular to one operation. */
interface Operation {
  /** The same for the same intent. */
  readonly key: string
  readonly intentFindings: readonly Finding[]
  /** Of a transfer: the transaction that created the token is evidence too. */
  readonly tokenid?: string
  ask(options: CallOptions): Promise<{ readonly hex: string }>
  verify(hex: string, evidence: Evidence): Promise<Report>
}

function keyOf(kind: string, parts: readonly unknown[]): string {
  return JSON.stringify([kind, ...parts.map(String)])
}

/** Transactions that were sent and of which nothing good was heard, by client and intent. */
const unsettled = new WeakMap<DaemonClient, Map<string, string>>()

function unsettledOf(client: DaemonClient): Map<string, string> {
  const known = unsettled.get(client) ?? new Map<string, string>()
  unsettled.set(client, known)
  return known
}

async function perform(
  client: DaemonClient,
  options: SafeFlowOptions,
  operation: Operation,
): Promise<SafeFlowResult> {
  const { intentFindings } = operation
  if (intentFindings.length > 0) {
    const report = { ok: false, findings: intentFindings, hex: '', effects: [] }
    return { report, held: 'rejected' }
  }
  const earlier = options.earlier ?? unsettledOf(client).get(operation.key)
  if (earlier !== undefined) {
    const settled = await settleEarlier(client, options, operation, earlier)
    if (settled !== undefined) return settled
  }
  tell(options, { step: 'asking' })
  const { hex } = await operation.ask(callOptions(options))
  const report = await judge(client, options, operation, hex)
  if (!report.ok) return { report, held: 'rejected' }
  const mayPayTwice = earlier !== undefined && !(await shareInput(earlier, report.hex))
  if (mayPayTwice && options.differentInputs !== true) return { report, held: 'different-inputs' }
  return release(client, options, operation, report)
}

/**
 * What became of an earlier attempt: found on the chain, or sent again now. Nothing if the daemon
 * will not have it, so that another has to be made.
 */
async function settleEarlier(
  client: DaemonClient,
  options: SafeFlowOptions,
  operation: Operation,
  earlier: string,
): Promise<SafeFlowResult | undefined> {
  const report = await judge(client, options, operation, earlier)
  const { txid } = report
  if (txid === undefined) return { report, held: 'rejected' }
  tell(options, { step: 'looking-up-earlier', txid })
  if ((await rawTransaction(client, options, txid)) === report.hex) {
    unsettledOf(client).delete(operation.key)
    return { report, txid }
  }
  if (!report.ok) return undefined
  try {
    return await release(client, options, operation, report)
  } catch (error) {
    if (isRpcError(error, 'daemon')) return undefined
    throw error
  }
}

/** The last gate. What passes it is broadcast. */
async function release(
  client: DaemonClient,
  options: SafeFlowOptions,
  operation: Operation,
  report: Report,
): Promise<SafeFlowResult> {
  // Frozen by the verifier: whoever is shown the report cannot change what is sent.
  const { verified } = report
  if (!isVerifiedTransaction(verified)) return { report, held: 'rejected' }
  if (options.dryRun === true) return { report, held: 'dry-run' }
  if (options.confirm !== undefined && (await options.confirm(report)) !== true) {
    return { report, held: 'declined' }
  }
  tell(options, { step: 'broadcasting', report })
  // Remembered before it leaves, and forgotten only when it has arrived: a daemon may say that it
  // refused what it sent on.
  const { hex, txid } = verified
  unsettledOf(client).set(operation.key, hex)
  await client.sendrawtransaction({ hex }, { ...callOptions(options), expectedTxid: txid })
  unsettledOf(client).delete(operation.key)
  return { report, txid }
}

/** Judges a transaction by its bytes and those of everything it spends. */
async function judge(
  client: DaemonClient,
  options: SafeFlowOptions,
  { tokenid, verify }: Operation,
  hex: string,
): Promise<Report> {
  const spent = await spentTxids(hex)
  const wanted = [...new Set(tokenid === undefined ? spent : [...spent, tokenid.toLowerCase()])]
  const [tip, fetched] = await Promise.all([
    tipHeight(client, options),
    fetchAll(client, options, wanted, new Map()),
  ])
  const tokenCreate = tokenid === undefined ? undefined : fetched.get(tokenid.toLowerCase())
  if (tokenid !== undefined) await fetchAncestors(client, options, hex, tokenid, fetched)
  const report = await verify(hex, {
    previousTransactions: [...fetched.values()],
    ...(tip !== undefined && { tipHeight: Math.min(tip, heightMax) }),
    ...(tokenCreate !== undefined && { tokenCreate }),
  })
  tell(options, { step: 'verified', report })
  return report
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

/** komodo src/cc/CCinclude.h, CC_MAXVINS: with more inputs a transaction is rejected anyway. */
const inputsMax = 1024

/** Ids of the transactions that `hex` spends from; none if it is no transaction. */
async function spentTxids(hex: string): Promise<string[]> {
  const { openTransaction } = await import('../verification/open.ts')
  const opened = openTransaction(hex)
  if (!('tx' in opened) || opened.tx.inputs.length > inputsMax) return []
  return opened.tx.inputs.map(({ txid }) => txid)
}

/** Whether at most one of two transactions can be mined. */
async function shareInput(one: string, other: string): Promise<boolean> {
  const { openTransaction } = await import('../verification/open.ts')
  const outpointsOf = (hex: string): string[] => {
    const opened = openTransaction(hex)
    return 'tx' in opened ? opened.tx.inputs.map(({ txid, vout }) => `${txid}:${vout}`) : []
  }
  const spent = new Set(outpointsOf(one))
  return outpointsOf(other).some((outpoint) => spent.has(outpoint))
}

/** As many as the daemon has threads for calls, less one for others. */
const fetchersMax = 3

async function fetchAll(
  client: DaemonClient,
  options: SafeFlowOptions,
  txids: readonly string[],
  fetched: Map<string, string>,
): Promise<Map<string, string>> {
  let next = 0
  let done = fetched.size
  const total = done + txids.length
  const fetchSome = async (): Promise<void> => {
    for (let txid = txids[next++]; txid !== undefined; txid = txids[next++]) {
      const hex = await rawTransaction(client, options, txid)
      if (hex !== undefined) fetched.set(txid, hex)
      tell(options, { step: 'fetching', done: ++done, total })
    }
  }
  await Promise.all(Array.from({ length: Math.min(fetchersMax, txids.length) }, fetchSome))
  return fetched
}

const ancestorsMaxDefault = 300

/**
 * Adds the transactions that the tokens that are spent come from, back to their creation, as far as
 * the proof asks for them and `ancestorsMax` allows. What stays unproven the verifier says.
 */
async function fetchAncestors(
  client: DaemonClient,
  options: SafeFlowOptions,
  hex: string,
  tokenid: string,
  fetched: Map<string, string>,
): Promise<void> {
  const { openTransaction } = await import('../verification/open.ts')
  const { createTokenProver } = await import('../token/prove.ts')
  const opened = openTransaction(hex)
  if (!('tx' in opened) || opened.tx.inputs.length > inputsMax) return
  const isTransaction = (raw: string): boolean => 'tx' in openTransaction(raw)
  const isCondition = ({ txid, vout }: { txid: string; vout: number }): boolean => {
    const parent = openTransaction(fetched.get(txid) ?? '')
    return 'tx' in parent && parent.tx.outputs[vout]?.script.endsWith('cc') === true
  }
  const tokens = opened.tx.inputs.filter(isCondition)
  const asked = new Set<string>(fetched.keys())
  const limit = fetched.size + (options.ancestorsMax ?? ancestorsMaxDefault)
  while (asked.size < limit) {
    const prover = createTokenProver([...fetched.values()].filter(isTransaction))
    const missing = tokens.flatMap(({ txid, vout }) => {
      const proof = prover.prove(txid, vout, tokenid)
      return proof.verdict === 'incomplete' ? proof.missing : []
    })
    const wanted = [...new Set(missing)].filter((txid) => !asked.has(txid))
    if (wanted.length === 0) return
    const some = wanted.slice(0, limit - asked.size)
    for (const txid of some) asked.add(txid)
    await fetchAll(client, options, some, fetched)
  }
}

/** A transaction as the daemon gives it; the verifier hashes it. Nothing if it has none. */
async function rawTransaction(
  client: DaemonClient,
  options: SafeFlowOptions,
  txid: string,
): Promise<string | undefined> {
  try {
    return await client.getrawtransaction({ txid }, callOptions(options))
  } catch (error) {
    if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return undefined
    throw error
  }
}

function callOptions({ signal, timeoutMs, attemptTimeoutMs, retry }: CallOptions): CallOptions {
  return { signal, timeoutMs, attemptTimeoutMs, retry }
}

function tell({ onProgress }: SafeFlowOptions, progress: SafeFlowProgress): void {
  try {
    onProgress?.(progress)
  } catch {
    // An observer's trouble is not the transfer's.
  }
}
